package main

import (
	"fmt"
	"math"
	"math/rand/v2"
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
// gains by stopping early; the others are spread evenly. Messages of 64
// different contents take turns, with values of varying length, so that the
// processor's branch prediction cannot learn one by heart.
func BenchmarkExtraction(b *testing.B) {
	for _, nested := range []bool{false, true} {
		for _, size := range []int{150, 1 << 10, 10 << 10} {
			bodies, paths := extractionMessages(nested, size)
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
				b.Run(name+"farad", func(b *testing.B) { benchmarkFarad(b, bodies, wanted) })
				b.Run(name+"fastjson", func(b *testing.B) { benchmarkFastjson(b, bodies, wanted) })
				b.Run(name+"gjson", func(b *testing.B) { benchmarkGjson(b, bodies, wanted) })
			}
		}
	}
}

// extractionMessages makes messages of about size bytes, and the paths of their
// leaves in order: members of 20 bytes or so, nested ones in objects of five.
func extractionMessages(nested bool, size int) ([][]byte, []message.Path) {
	_, paths := extractionMessage(nested, size, math.MaxInt, 0)
	var bodies [][]byte
	for seed := range uint64(64) {
		body, _ := extractionMessage(nested, math.MaxInt, len(paths), seed)
		bodies = append(bodies, body)
	}
	return bodies, paths
}

// extractionMessage makes a message of a number of fields, or of about size
// bytes.
func extractionMessage(nested bool, size, fields int, seed uint64) ([]byte, []message.Path) {
	random := rand.New(rand.NewPCG(seed, 1))
	var text strings.Builder
	var paths []message.Path
	text.WriteByte('{')
	for i := 0; i < fields && text.Len() < size-20; i++ {
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
			fmt.Fprintf(&text, `"%s":"%s"`, name, "a text of some length"[:1+random.IntN(11)])
		} else {
			fmt.Fprintf(&text, `"%s":%d.25`, name, random.IntN(1<<random.IntN(20)))
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

func measure(b *testing.B, bodies [][]byte, find func(body []byte) int, want int) {
	size := 0
	for _, body := range bodies {
		if got := find(body); got != want {
			b.Fatalf("found %d of %d fields", got, want)
		}
		size += len(body)
	}
	size /= len(bodies)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		find(bodies[i%len(bodies)])
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size), "ns/byte")
}

func benchmarkFarad(b *testing.B, bodies [][]byte, wanted []message.Path) {
	trie := message.NewTrie()
	var slots []uint32
	for _, p := range wanted {
		slots = append(slots, trie.Add(p))
	}
	kind, _ := message.NewTypes().ByName("json")
	var values message.Values
	measure(b, bodies, func(body []byte) int {
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

func benchmarkFastjson(b *testing.B, bodies [][]byte, wanted []message.Path) {
	var parser fastjson.Parser
	measure(b, bodies, func(body []byte) int {
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

func benchmarkGjson(b *testing.B, bodies [][]byte, wanted []message.Path) {
	var dotted []string
	for _, p := range wanted {
		dotted = append(dotted, strings.Join(p, "."))
	}
	measure(b, bodies, func(body []byte) int {
		found := 0
		for _, p := range dotted {
			if gjson.GetBytes(body, p).Exists() {
				found++
			}
		}
		return found
	}, len(wanted))
}
