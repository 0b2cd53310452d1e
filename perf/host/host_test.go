package host

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestCPUTimeOfAProcessIsReadBehindItsName(t *testing.T) {
	t.Parallel()
	const line = "42 (a ) b) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0"
	got, err := parseStat("stat", []byte(line))
	if err != nil || got != 2*time.Second {
		t.Fatalf("%v, %v, expected 2s", got, err)
	}
}

func TestOwnProcessIsReadFromProc(t *testing.T) {
	t.Parallel()
	if peak, err := PeakRSS(os.Getpid()); err != nil || peak == 0 {
		t.Errorf("peak memory %d, %v", peak, err)
	}
	if _, err := ProcessCPU(os.Getpid()); err != nil {
		t.Error(err)
	}
	if busy, err := Busy(); err != nil || busy <= 0 {
		t.Errorf("the machine was busy for %v, %v", busy, err)
	}
	if OwnCPU() <= 0 {
		t.Error("this process has used no CPU time")
	}
	if m := Describe(); m.Cores < 1 || m.Kernel == "" || m.CPU == "" {
		t.Errorf("machine %+v", m)
	}
}

func TestAProcessThatIsNotThereIsNamed(t *testing.T) {
	t.Parallel()
	const nobody = 1 << 30
	for _, read := range []func() error{
		func() error { _, err := ProcessCPU(nobody); return err },
		func() error { _, err := PeakRSS(nobody); return err },
	} {
		if err := read(); err == nil || !strings.Contains(err.Error(), "1073741824") {
			t.Errorf("error %v does not name the process", err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("42 (a ) b) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0")
	f.Add("cpu  1 2 3 4 5 6 7 8 9 10\n")
	f.Add("VmPeak: 1 kB\nVmHWM:\t  17 kB\n")
	f.Fuzz(func(t *testing.T, text string) {
		parseStat("f", []byte(text))
		parsePeak("f", text)
		parseBusy("f", text)
	})
}
