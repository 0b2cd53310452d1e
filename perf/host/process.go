package host

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// ticksPerSecond is the unit of CPU times in /proc (USER_HZ), the same on all
// machines that Go runs on.
const ticksPerSecond = 100

// ProcessCPU is the CPU time that a process has used, all its threads, user
// and system, to 10 ms.
func ProcessCPU(pid int) (time.Duration, error) {
	name := fmt.Sprintf("/proc/%d/stat", pid)
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, fmt.Errorf("CPU time of process %d: %w", pid, err)
	}
	return parseStat(name, text)
}

// parseStat reads fields 14 and 15, utime and stime. The second field, the
// program's name, may hold anything, so counting starts behind it.
func parseStat(name string, text []byte) (time.Duration, error) {
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	const user, system = 14 - 3, 15 - 3
	if len(fields) <= system {
		return 0, fmt.Errorf("%s: %d fields behind the name, expected more than %d", name, len(fields), system)
	}
	ticks := uint64(0)
	for _, field := range [][]byte{fields[user], fields[system]} {
		n, err := strconv.ParseUint(string(field), 10, 63)
		if err != nil {
			return 0, fmt.Errorf("%s: CPU time %q: expected a number", name, field)
		}
		ticks += n
	}
	return time.Duration(ticks) * (time.Second / ticksPerSecond), nil
}

// PeakRSS is the most memory that a process has had resident, in bytes.
func PeakRSS(pid int) (uint64, error) {
	name := fmt.Sprintf("/proc/%d/status", pid)
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, fmt.Errorf("memory of process %d: %w", pid, err)
	}
	return parsePeak(name, string(text))
}

func parsePeak(name, text string) (uint64, error) {
	_, rest, found := strings.Cut(text, "VmHWM:")
	fields := strings.Fields(rest)
	if !found || len(fields) < 2 || fields[1] != "kB" {
		return 0, fmt.Errorf("%s: no line VmHWM in kB", name)
	}
	kilobytes, err := strconv.ParseUint(fields[0], 10, 53)
	if err != nil {
		return 0, fmt.Errorf("%s: VmHWM %q: expected a number", name, fields[0])
	}
	return kilobytes << 10, nil
}

// OwnCPU is the CPU time that this process has used, user and system.
func OwnCPU() time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		panic("host: getrusage of the own process: " + err.Error()) // fails for a bad argument only
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
