package load

import (
	"errors"
	"fmt"
	"time"

	"farad/perf/host"
)

var errFrameTooLong = fmt.Errorf("a frame from the server is longer than %d MiB, which no message of this load is",
	(readBytes+PayloadBytesMax+frameOverheadMax)>>20)

// errNoReply is a reply to a sync that did not come in time.
var errNoReply = errors.New("the server did not answer")

// SettingError reports a setting that no load can be made from.
type SettingError struct {
	Setting  string // as the field is called
	Value    any
	Expected string
}

func (e *SettingError) Error() string {
	return fmt.Sprintf("%s %v: expected %s", e.Setting, e.Value, e.Expected)
}

// connectionError names the connection that failed.
func connectionError(p Protocol, role Role, number int, err error) error {
	return fmt.Errorf("%s %d at %s: %w", role, number, p.Name(), err)
}

// requireBetween checks a count.
func requireBetween(setting string, value, least, most int) error {
	if value < least || value > most {
		return &SettingError{setting, value, fmt.Sprintf("%d to %d", least, most)}
	}
	return nil
}

// requireDuration checks a time.
func requireDuration(setting string, value, least, most time.Duration) error {
	if value < least || value > most {
		return &SettingError{setting, value, fmt.Sprintf("%v to %v", least, most)}
	}
	return nil
}

// requireProcess checks that there is a process with the id, if one is given.
func requireProcess(pid int) error {
	if pid == 0 {
		return nil
	}
	if _, err := host.ProcessCPU(pid); err != nil {
		return &SettingError{"server pid", pid, "the id of a process on this machine"}
	}
	return nil
}
