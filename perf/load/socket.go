package load

import (
	"fmt"
	"io"
	"net"
	"sync"

	"golang.org/x/sys/unix"
)

// socket is a connection in blocking mode, used by a thread of its own: a
// thread that blocks in read wakes up when data comes, without the detour over
// the runtime's poller, which would add to every latency.
type socket struct {
	descriptor int
	once       sync.Once
}

// takeSocket turns a connection into a socket; conn is closed.
func takeSocket(conn *net.TCPConn) (*socket, error) {
	defer conn.Close()
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	descriptor := -1
	var dupErr error
	if err := raw.Control(func(fd uintptr) {
		descriptor, dupErr = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0)
	}); err != nil {
		return nil, err
	}
	if dupErr != nil {
		return nil, fmt.Errorf("duplicating a connection: %w", dupErr)
	}
	if err := unix.SetNonblock(descriptor, false); err != nil {
		unix.Close(descriptor)
		return nil, fmt.Errorf("making a connection block: %w", err)
	}
	return &socket{descriptor: descriptor}, nil
}

// Read reads what there is, waiting for at least one byte.
func (s *socket) Read(b []byte) (int, error) {
	for {
		n, err := unix.Read(s.descriptor, b)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return 0, err
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// Write writes all of b, waiting as long as the peer does not read.
func (s *socket) Write(b []byte) (int, error) {
	written := 0
	for written < len(b) {
		n, err := unix.Write(s.descriptor, b[written:])
		switch {
		case err == unix.EINTR:
		case err != nil:
			return written, err
		default:
			written += n
		}
	}
	return written, nil
}

// shutdown ends the connection and with it every read and write in progress.
// The descriptor stays taken until close, so that no goroutine meets another
// file under its number.
func (s *socket) shutdown() {
	unix.Shutdown(s.descriptor, unix.SHUT_RDWR) // fails where the peer was first
}

// close frees the descriptor; nobody uses the socket any more.
func (s *socket) close() {
	s.once.Do(func() { unix.Close(s.descriptor) })
}
