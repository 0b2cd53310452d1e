package message_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"farad/expr/message"

	"pgregory.net/rapid"
)

// wideObject is a JSON object of so many members, and what it holds.
func wideObject(members, from int) string {
	var b strings.Builder
	for i := range members {
		fmt.Fprintf(&b, `,"member%d":%d`, from+i, i)
	}
	return "{" + b.String()[1:] + "}"
}

// Wide objects take another way than narrow ones; against maps.
func TestWideObjectsMergeAsMapsDo(t *testing.T) {
	t.Parallel()
	object := rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for i := range rapid.IntRange(1, 90).Draw(t, "members") {
			fmt.Fprintf(&b, `,"m%d":%d`, rapid.IntRange(0, 120).Draw(t, "name"), i)
		}
		return "{" + b.String()[1:] + "}"
	})
	decode := func(t *rapid.T, text string) map[string]int {
		var m map[string]int
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		return m
	}
	// With EarlyTerminationOptimization false the last of duplicate members
	// counts, as in encoding/json.
	kind := define(t, "j", "json", message.Setting{Name: "EarlyTerminationOptimization", Value: "false"})
	rapid.Check(t, func(t *rapid.T) {
		stored, delta := object.Draw(t, "stored"), object.Draw(t, "delta")
		var d, e message.Document
		for doc, body := range map[*message.Document]string{&d: stored, &e: delta} {
			if err := doc.Read(kind, []byte(body)); err != nil {
				t.Fatal(err)
			}
		}
		d.Merge(&e)
		want := decode(t, stored)
		maps.Copy(want, decode(t, delta))
		if got := decode(t, string(kind.Write(nil, &d, 0))); !maps.Equal(got, want) {
			t.Fatalf("%s\nand %s\nmake %v\nnot  %v", stored, delta, got, want)
		}
	})
}

func TestWideObjectsAllocateNothing(t *testing.T) {
	kind := define(t, "json", "json")
	old, update := []byte(wideObject(200, 0)), []byte(wideObject(200, 100))
	var d, e message.Document
	work := func() {
		if err := d.Read(kind, old); err != nil {
			t.Fatal(err)
		}
		if err := e.Read(kind, update); err != nil {
			t.Fatal(err)
		}
		e.Difference(&d, nil)
	}
	work()
	if n := testing.AllocsPerRun(20, work); n != 0 {
		t.Errorf("reading and comparing objects of 200 members: %v allocations", n)
	}
}

func BenchmarkReadWideObject(b *testing.B) {
	kind := define(b, "json", "json")
	body := []byte(wideObject(70, 0))
	var d message.Document
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Read(kind, body); err != nil {
			b.Fatal(err)
		}
	}
}
