package client

import "runtime"

// goroutineID returns the number of the calling goroutine, as it stands in
// the first line of its stack trace ("goroutine 42 [running]:"). The client
// uses it for one thing: to tell a waiting call from within a handler, which
// could never end, from one on any other goroutine. It costs about a
// microsecond and is paid only by calls that wait for the server anyway.
func goroutineID() uint64 {
	var trace [64]byte
	n := runtime.Stack(trace[:], false)
	var id uint64
	for _, c := range trace[min(n, len("goroutine ")):n] {
		if c < '0' || c > '9' {
			break
		}
		id = id*10 + uint64(c-'0')
	}
	return id
}
