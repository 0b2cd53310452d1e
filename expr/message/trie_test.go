package message_test

import (
	"fmt"
	"testing"

	"farad/expr/message"

	"pgregory.net/rapid"
)

// A trie against its model: the paths that are wanted are those that values
// are found on, however names collide and paths come and go.
func TestTrieFindsWhatIsWanted(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b", "ab", "abcdefgh", "abcdefghi", "abcdefghijklmnop", "abcdefghijklmnopq", "abcdefghijklmnopr", "\x00", "a\x00", "é", ""}
	for i := range 40 {
		names = append(names, fmt.Sprintf("field%d", i))
	}
	body := "{"
	for i, name := range names {
		if i > 0 {
			body += ","
		}
		body += fmt.Sprintf("%s:%d", jsonText(name), i)
	}
	body += "}"
	rapid.Check(t, func(t *rapid.T) {
		trie := message.NewTrie()
		wanted := map[string][]uint32{}
		for range rapid.IntRange(1, 120).Draw(t, "steps") {
			name := rapid.SampledFrom(names).Draw(t, "name")
			if rapid.IntRange(0, 2).Draw(t, "step") > 0 {
				wanted[name] = append(wanted[name], trie.Add(message.Path{name}))
			} else if slots := wanted[name]; len(slots) > 0 {
				trie.Remove(slots[0])
				if wanted[name] = slots[1:]; len(slots) == 1 {
					delete(wanted, name)
				}
			}
		}
		var values message.Values
		message.JSON{}.Extract([]byte(body), trie, &values)
		for i, name := range names {
			slots := wanted[name]
			if len(slots) == 0 {
				continue
			}
			if v := values.First(slots[0]); v.IsNull() || v.Int() != int64(i) {
				t.Fatalf("%q is %v, not %d", name, v, i)
			}
		}
	})
}

func jsonText(text string) string {
	var d message.Document
	d.Reset()
	d.Set(message.Path{text + "x"}, message.IntValue(1))
	written := string(message.JSON{}.Write(nil, &d, 0))
	return written[1:len(written)-len(`x":1}`)] + `"`
}
