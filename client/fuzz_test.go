package client_test

import (
	"errors"
	"slices"
	"testing"

	"farad/client"
)

// FuzzReceive sends a client whatever a broken or hostile server may send. It
// must end with an error that says what happened, and never panic.
func FuzzReceive(f *testing.F) {
	for _, headers := range [][]string{
		{`{"c":"p","t":"fx","sids":"1,2,3","k":"7","l":8}{"id":7}`, `{"c":"p","t":"fx","sids":"3"}x`},
		{`{"c":"ack","cid":"4","a":"processed","status":"success"}`, `{"c":"ack","a":"persisted","status":"success","s":9,"bm":"1|9|"}`},
		{`{"c":"ack","cid":"4","a":"processed","status":"failure","reason":"bad filter"}`, `{"c":"ack","cid":"77","status":"failure"}`},
		{`{"c":"heartbeat"}`, `{"c":"sow","query_id":"1","bs":1}{"k":"1","l":2}{}`, `{"c":"oof","sids":"2","reason":"match"}`},
		{``, `{}`, `{"c":"group_begin","query_id":"1"}`, `{"sids":",,1,,"}`, `not a header`},
	} {
		var input []byte
		for _, h := range headers {
			input = append(input, frame(h, "")...)
		}
		f.Add(input)
	}
	f.Add([]byte{0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{0, 0, 0, 9, '{'})
	f.Fuzz(func(t *testing.T, input []byte) {
		err := client.ReceiveAll(slices.Clone(input), func(m *client.Message) {
			if clone := m.Clone(); string(clone.Body) != string(m.Body) || string(clone.Topic()) != string(m.Topic()) ||
				clone.Ack() != m.Ack() || clone.SubID() != m.SubID() {
				t.Errorf("%s became %s", m.Header(), clone.Header())
			}
		})
		if !errors.Is(err, client.ErrDisconnected) {
			t.Errorf("the connection ended with %v", err)
		}
	})
}
