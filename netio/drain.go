package netio

import (
	"fmt"
	"sync"

	"golang.org/x/sys/unix"
)

// drain watches the sockets that took no more bytes, and tells their loops
// when they do again. gnet offers no such notice, so the drain has an epoll
// instance and a goroutine of its own; only slow clients ever come here.
type drain struct {
	poll int // epoll descriptor
	wake int // eventfd that ends the goroutine
	done chan struct{}

	mu      sync.Mutex
	watched map[int32]*connection // by socket
}

func startDrain() (*drain, error) {
	poll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("epoll for slow clients: %w", err)
	}
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err == nil {
		err = unix.EpollCtl(poll, unix.EPOLL_CTL_ADD, wake, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(wake)})
	}
	if err != nil {
		unix.Close(poll)
		return nil, fmt.Errorf("eventfd for slow clients: %w", err)
	}
	d := &drain{poll: poll, wake: wake, done: make(chan struct{}), watched: map[int32]*connection{}}
	go d.run()
	return d, nil
}

// watch waits for room in the connection's socket, once. Called on its loop.
func (d *drain) watch(c *connection) {
	event := unix.EpollEvent{Events: unix.EPOLLOUT | unix.EPOLLONESHOT, Fd: int32(c.fd)}
	d.mu.Lock()
	_, known := d.watched[event.Fd]
	d.watched[event.Fd] = c
	d.mu.Unlock()
	operation := unix.EPOLL_CTL_ADD
	if known {
		operation = unix.EPOLL_CTL_MOD
	}
	if err := unix.EpollCtl(d.poll, operation, c.fd, &event); err != nil {
		c.writeFailed(err.(unix.Errno))
	}
}

// forget ends the watch over a connection's socket, before that is closed.
func (d *drain) forget(c *connection) {
	d.mu.Lock()
	known := d.watched[int32(c.fd)] == c
	if known {
		delete(d.watched, int32(c.fd))
	}
	d.mu.Unlock()
	if known {
		// The descriptor is open still: this cannot meet another's socket.
		_ = unix.EpollCtl(d.poll, unix.EPOLL_CTL_DEL, c.fd, nil)
	}
}

func (d *drain) run() {
	defer close(d.done)
	events := make([]unix.EpollEvent, 128)
	for {
		n, err := unix.EpollWait(d.poll, events, -1)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			panic(fmt.Sprintf("netio: epoll_wait of the drain: %v", err)) // only a bug closes it
		}
		for _, event := range events[:n] {
			if event.Fd == int32(d.wake) {
				return
			}
			d.mu.Lock()
			c := d.watched[event.Fd]
			d.mu.Unlock()
			if c != nil {
				c.request(requestWritable)
			}
		}
	}
}

// stop ends the goroutine and waits for it.
func (d *drain) stop() {
	one := [8]byte{1}
	_, _ = unix.Write(d.wake, one[:])
	<-d.done
	unix.Close(d.wake)
	unix.Close(d.poll)
}
