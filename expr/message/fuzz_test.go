package message_test

import (
	"bytes"
	"slices"
	"testing"

	"farad/expr/message"
)

// fuzzType checks what has to hold for any bytes (03-message-types #25): nothing
// panics; a message that can be taken apart is written as it was, has the
// values that extraction finds, and can be taken apart again when it was
// composed anew.
func fuzzType(f *testing.F, make func(testing.TB) message.Type, paths ...string) {
	kind := make(f)
	trie := message.NewTrie()
	var slots []uint32
	for _, p := range paths {
		slots = append(slots, trie.Add(pathOf(p)))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var found, parsed message.Values
		var d, again message.Document
		kind.Extract(body, trie, &found)
		err := d.Read(kind, body)
		written := kind.Write(nil, &d, 0)
		if err != nil {
			return
		}
		if !bytes.Equal(written, body) {
			t.Fatalf("%q was written as %q", body, written)
		}
		d.Extract(trie, &parsed)
		for i, slot := range slots {
			a, b := all(&found, slot), all(&parsed, slot)
			if !slices.Equal(a, b) {
				t.Fatalf("%s of %q: extracted %v, parsed %v", paths[i], body, a, b)
			}
		}
		if !kind.Capabilities().Select {
			return
		}
		forgetRaw(&d, 0)
		composed := kind.Write(nil, &d, 0)
		if err := again.Read(kind, composed); err != nil {
			t.Fatalf("%q was composed as %q: %v", body, composed, err)
		}
	})
}

func all(values *message.Values, slot uint32) []string {
	var texts []string
	for v := range values.All(slot) {
		texts = append(texts, show(v))
	}
	return texts
}
