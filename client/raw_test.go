package client_test

import (
	"io"
	"net"
	"sync"
	"testing"

	"farad/netio/wire"
)

// rawServer answers a logon and then hands the socket to serve. It allocates
// nothing of its own, for tests that count.
func rawServer(t testing.TB, serve func(net.Conn)) (uri string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() {
		socket, err := listener.Accept()
		if err != nil {
			return
		}
		defer socket.Close()
		length := make([]byte, 4)
		io.ReadFull(socket, length)
		io.CopyN(io.Discard, socket, int64(length[2])<<8|int64(length[3]))
		socket.Write(frame(`{"c":"ack","cid":"1","a":"processed","status":"success","version":"5.3.5.0"}`, ""))
		serve(socket)
	})
	t.Cleanup(func() {
		listener.Close()
		running.Wait()
	})
	return "tcp://" + listener.Addr().String() + "/amps/json"
}

// discardPublishes is a server that reads everything and answers nothing.
func discardPublishes(t testing.TB) (uri string) {
	buffer := make([]byte, 256<<10)
	return rawServer(t, func(socket net.Conn) {
		for {
			if _, err := socket.Read(buffer); err != nil {
				return
			}
		}
	})
}

// awaitSubscribe reads up to the next command with an ack and grants it. It
// returns the subscription's id.
func awaitSubscribe(socket net.Conn) (id string) {
	var stream []byte
	chunk := make([]byte, 4096)
	for {
		payload, size, _, _ := wire.NextFrame(stream)
		if size == 0 {
			n, err := socket.Read(chunk)
			if err != nil {
				return ""
			}
			stream = append(stream, chunk[:n]...)
			continue
		}
		command, err := new(wire.Decoder).Decode(payload)
		if err != nil {
			return ""
		}
		socket.Write(frame(`{"c":"ack","cid":"`+string(command.CommandID())+`","a":"processed","status":"success"}`, ""))
		return string(command.SubID())
	}
}
