package main

import (
	"fmt"
	"strings"
	"testing"

	"farad/expr/message"

	"github.com/tidwall/gjson"
	"github.com/valyala/fastjson"
)

// BenchmarkExtraction finds 1, 5 and 20 fields in messages of 150 B, 1 KB and
// 10 KB, flat and nested, with Farad's extraction, fastjson (which parses the
// whole message, with a reused parser) and gjson (which scans once for each
// field). The last field wanted is the last of the message, so that nobody
// gains by stopping early; the others are spread evenly.
func BenchmarkExtraction(b *testing.B) {
	for _, nested := range []bool{false, true} {
		for _, size := range []int{150, 1 << 10, 10 << 10} {
			body, paths := extractionMessage(nested, size)
			for _, fields := range []int{1, 5, 20} {
				if fields > len(paths) {
					continue
				}
				wanted := spread(paths, fields)
				shape := "flat"
				if nested {
					shape = "nested"
				}
				name := fmt.Sprintf("%s/%dB/%d/", shape, size, fields)
				b.Run(name+"farad", func(b *testing.B) { benchmarkFarad(b, body, wanted) })
				b.Run(name+"fastjson", func(b *testing.B) { benchmarkFastjson(b, body, wanted) })
				b.Run(name+"gjson", func(b *testing.B) { benchmarkGjson(b, body, wanted) })
			}
		}
	}
}

// extractionMessage makes a message of about size bytes, and the paths of its
// leaves in order: members of 20 bytes or so, nested ones in objects of five.
func extractionMessage(nested bool, size int) ([]byte, []message.Path) {
	var text strings.Builder
	var paths []message.Path
	text.WriteByte('{')
	for i := 0; text.Len() < size-20; i++ {
		if nested && i%5 == 0 {
			if i > 0 {
				text.WriteString("},")
			}
			fmt.Fprintf(&text, `"group%d":{`, i/5)
		} else if i > 0 {
			text.WriteByte(',')
		}
		name := fmt.Sprintf("field%d", i)
		if i%2 == 0 {
			fmt.Fprintf(&text, `"%s":"text%d"`, name, i)
		} else {
			fmt.Fprintf(&text, `"%s":%d.25`, name, i*37)
		}
		path := message.Path{name}
		if nested {
			path = message.Path{fmt.Sprintf("group%d", i/5), name}
		}
		paths = append(paths, path)
	}
	text.WriteByte('}')
	if nested {
		text.WriteByte('}')
	}
	return []byte(text.String()), paths
}

// spread takes some of the paths, the last one among them.
func spread(paths []message.Path, count int) []message.Path {
	var wanted []message.Path
	for i := range count {
		wanted = append(wanted, paths[(i+1)*len(paths)/count-1])
	}
	return wanted
}

func measure(b *testing.B, body []byte, find func() int, want int) {
	if got := find(); got != want {
		b.Fatalf("found %d of %d fields", got, want)
	}
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		find()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(body)), "ns/byte")
}

func benchmarkFarad(b *testing.B, body []byte, wanted []message.Path) {
	trie := message.NewTrie()
	var slots []uint32
	for _, p := range wanted {
		slots = append(slots, trie.Add(p))
	}
	kind, _ := message.NewTypes().ByName("json")
	var values message.Values
	measure(b, body, func() int {
		kind.Extract(body, trie, &values)
		found := 0
		for _, slot := range slots {
			if _, count := values.Peek(slot); count > 0 {
				found++
			}
		}
		return found
	}, len(wanted))
}

func benchmarkFastjson(b *testing.B, body []byte, wanted []message.Path) {
	var parser fastjson.Parser
	measure(b, body, func() int {
		v, err := parser.ParseBytes(body)
		if err != nil {
			return 0
		}
		found := 0
		for _, p := range wanted {
			if v.Get(p...) != nil {
				found++
			}
		}
		return found
	}, len(wanted))
}

func benchmarkGjson(b *testing.B, body []byte, wanted []message.Path) {
	var dotted []string
	for _, p := range wanted {
		dotted = append(dotted, strings.Join(p, "."))
	}
	measure(b, body, func() int {
		found := 0
		for _, p := range dotted {
			if gjson.GetBytes(body, p).Exists() {
				found++
			}
		}
		return found
	}, len(wanted))
}
