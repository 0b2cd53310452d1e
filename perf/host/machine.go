package host

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Machine describes where a result was measured.
type Machine struct {
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"` // that this process may use
	Kernel string `json:"kernel"`
	Go     string `json:"go"`
}

// Describe reads the description. What can't be read is "unknown".
func Describe() Machine {
	return Machine{CPU: cpuModel(), Cores: Cores(), Kernel: kernel(), Go: runtime.Version()}
}

func (m Machine) String() string {
	return fmt.Sprintf("%s, %d cores, Linux %s, %s", m.CPU, m.Cores, m.Kernel, m.Go)
}

// Cores is how many processors this process may use at once.
func Cores() int { return runtime.NumCPU() }

func cpuModel() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(text)) {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

func kernel() string {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return "unknown"
	}
	return unix.ByteSliceToString(name.Release[:])
}

// Busy is the CPU time that all processors have spent on anything since the
// machine started, and that a hypervisor has taken from them, to 10 ms.
func Busy() (time.Duration, error) {
	const name = "/proc/stat"
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, fmt.Errorf("CPU time of the machine: %w", err)
	}
	return parseBusy(name, string(text))
}

// parseBusy sums up the fields of the first line that are not idle: user,
// nice, system, irq, softirq, steal.
func parseBusy(name, text string) (time.Duration, error) {
	line, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(line)
	const idle, iowait, steal = 4, 5, 8
	if len(fields) <= steal || fields[0] != "cpu" {
		return 0, fmt.Errorf("%s: first line %q, expected cpu and at least %d numbers", name, line, steal)
	}
	ticks := uint64(0)
	for i, field := range fields[:steal+1] {
		if i == 0 || i == idle || i == iowait {
			continue
		}
		n, err := strconv.ParseUint(field, 10, 53)
		if err != nil {
			return 0, fmt.Errorf("%s: CPU time %q: expected a number", name, field)
		}
		ticks += n
	}
	return time.Duration(ticks) * (time.Second / ticksPerSecond), nil
}
