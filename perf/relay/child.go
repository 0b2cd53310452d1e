package relay

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// Child is a relay in a process of its own.
type Child struct {
	Protocol *Protocol
	PID      int

	process *exec.Cmd
	leash   io.Closer // its standard input; the child ends when it is closed
}

// Start starts program with arguments that make it call ServeChild. The caller
// ends it with Stop.
func Start(program string, arguments ...string) (*Child, error) {
	process := exec.Command(program, arguments...)
	process.Stderr = os.Stderr
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt at the terminal is for the load
	leash, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, fmt.Errorf("starting the relay: %w", err)
	}
	child := &Child{PID: process.Process.Pid, process: process, leash: leash}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err == nil {
		child.Protocol, err = New(line)
	}
	if err != nil {
		child.Stop()
		return nil, fmt.Errorf("relay %s: %w", program, err)
	}
	return child, nil
}

// Stop ends the process and waits for it.
func (c *Child) Stop() {
	c.leash.Close()
	c.process.Wait() // how it ended is of no interest
}
