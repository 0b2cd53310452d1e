package tools

import (
	"os"

	"golang.org/x/sys/unix"
)

// isTerminal says whether a stream is a terminal, with a person in front of
// it.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(file.Fd()), unix.TCGETS)
	return err == nil
}
