package netio

// poisonInbound makes every inbound buffer unreadable once its batch is over.
// Tests set it, to find whoever keeps a reference to such a buffer
// (15-performance-anchors #6).
var poisonInbound bool

func poison(data []byte) {
	if !poisonInbound {
		return
	}
	data = data[:cap(data)]
	if len(data) == 0 {
		return
	}
	data[0] = 0xDB
	for done := 1; done < len(data); done *= 2 {
		copy(data[done:], data[:done])
	}
}
