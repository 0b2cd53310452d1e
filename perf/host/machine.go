package host

import (
	"fmt"
	"os"
	"runtime"
	"strings"

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
