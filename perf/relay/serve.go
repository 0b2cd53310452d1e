package relay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"

	"golang.org/x/sys/unix"
)

// copyBytes is how much is copied at once, 64 KiB.
const copyBytes = 64 << 10

// Serve listens on two ports of 127.0.0.1, says where as a line "IN OUT" to
// announce, accepts one connection on each, and copies what comes from IN to
// OUT until one of them ends or ctx does.
func Serve(ctx context.Context, announce io.Writer) error {
	in, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer out.Close()
	stop := context.AfterFunc(ctx, func() { in.Close(); out.Close() })
	defer stop()
	if _, err := fmt.Fprintf(announce, "%s %s\n", in.Addr(), out.Addr()); err != nil {
		return err
	}
	to, err := out.Accept()
	if err != nil {
		return err
	}
	defer to.Close()
	from, err := in.Accept()
	if err != nil {
		return err
	}
	defer from.Close()
	source, sink := from.(*net.TCPConn), to.(*net.TCPConn)
	cut := context.AfterFunc(ctx, func() { // shuts down, since closing would not wake a blocked thread
		source.CloseRead()
		sink.CloseWrite()
	})
	defer cut()
	return copyAll(sink, source)
}

// ServeChild is Serve for the process that Start starts: it also ends when
// leash, its standard input, does.
func ServeChild(ctx context.Context, leash io.Reader, announce io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { // ends with the process, or with its parent
		io.Copy(io.Discard, leash)
		cancel()
	}()
	return Serve(ctx, announce)
}

// copyAll copies on a thread that blocks in read, the shortest path there is.
// The descriptors are in blocking mode from then on.
func copyAll(to, from *net.TCPConn) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	source, err := from.File()
	if err != nil {
		return err
	}
	defer source.Close()
	sink, err := to.File()
	if err != nil {
		return err
	}
	defer sink.Close()
	source.Fd() // Fd puts a file into blocking mode
	sink.Fd()
	buffer := make([]byte, copyBytes)
	for {
		n, err := unix.Read(int(source.Fd()), buffer)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return err
		case n == 0:
			return nil
		}
		if _, err := sink.Write(buffer[:n]); err != nil {
			return err
		}
	}
}
