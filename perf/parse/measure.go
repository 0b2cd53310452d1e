package parse

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"farad/expr"
	"farad/expr/message"
)

// Cell is one operation on one corpus, on one core.
type Cell struct {
	Type        string  `json:"type"`
	Shape       string  `json:"shape"`
	Operation   string  `json:"operation"`
	Bytes       float64 `json:"bytes"`       // of a message, on average
	Fields      int     `json:"fields"`      // of a message
	Messages    uint64  `json:"messages"`    // that were measured
	NsMessage   float64 `json:"ns_message"`  // the median round's
	NsByte      float64 `json:"ns_byte"`     //
	MBs         float64 `json:"mb_s"`        // 10^6 bytes of messages a second
	Allocations float64 `json:"allocations"` // a message
	Matched     float64 `json:"matched"`     // share of the messages a filter is true for; 0 for other operations
	Expression  string  `json:"filter,omitempty"`
}

// Settings are what to measure on each corpus.
type Settings struct {
	Wanted   []int          // numbers of fields to find
	Paths    []message.Path // fields to find, instead
	Filters  []*expr.Filter // beside the two made of the corpus's fields
	Duration time.Duration  // of each cell
	Done     func()         // called behind each cell; nil for none
}

// predicates of the filters that are made.
var predicates = []int{1, 5}

const (
	// rounds are the parts of a cell's time, of which the median counts: what
	// else goes on in a machine touches some of them.
	rounds = 20
	// roundMin keeps the reading of the clock out of the result.
	roundMin = 50 * time.Microsecond
	// allocationPasses are the passes over a corpus whose allocations are
	// counted. The least counts: the runtime allocates now and then too.
	allocationPasses = 5
	// preparedDocuments are the documents that are written again and again.
	// They are few, since those of a server are fresh in the cache too.
	preparedDocuments = 8
)

// Cells is how many cells a corpus has at the most.
func (s *Settings) Cells() int {
	extractions := len(s.Wanted)
	if len(s.Paths) > 0 {
		extractions = 1
	}
	return extractions + 2 + len(predicates) + len(s.Filters)
}

// Measure measures all operations. It ends early with ctx.
func (s *Settings) Measure(ctx context.Context, c *Corpus) []Cell {
	var cells []Cell
	measure := func(cell Cell, n int, do func(i int)) {
		if ctx.Err() != nil {
			return
		}
		cell.Type, cell.Shape, cell.Bytes, cell.Fields = c.Type.Name(), c.Shape, c.Bytes, len(c.Fields)
		if cell.run(ctx, n, s.Duration, do) {
			cells = append(cells, cell)
		}
		if s.Done != nil {
			s.Done()
		}
	}
	for _, paths := range s.extractions(c) {
		measure(Cell{Operation: fmt.Sprintf("extract %d", len(paths))}, len(c.Messages), c.extracting(paths))
	}
	measure(Cell{Operation: "parse"}, len(c.Messages), c.parsing())
	if c.Writable() {
		n, write := c.writing()
		measure(Cell{Operation: "write"}, n, write)
	}
	for _, n := range predicates {
		f, err := expr.CompileFilter(c.conjunction(n))
		if err != nil {
			panic("parse: the filter made of a message's fields: " + err.Error())
		}
		measure(c.filterCell(fmt.Sprintf("filter %d", n), f), len(c.Messages), c.filtering(f))
	}
	for i, f := range s.Filters {
		measure(c.filterCell(fmt.Sprintf("filter #%d", i+1), f), len(c.Messages), c.filtering(f))
	}
	return cells
}

func (s *Settings) extractions(c *Corpus) [][]message.Path {
	if len(s.Paths) > 0 {
		return [][]message.Path{s.Paths}
	}
	var all [][]message.Path
	for _, wanted := range s.Wanted {
		all = append(all, c.spread(wanted))
	}
	return all
}

// extracting finds fields.
func (c *Corpus) extracting(paths []message.Path) func(i int) {
	trie, values := message.NewTrie(), &message.Values{}
	for _, p := range paths {
		trie.Add(p)
	}
	return func(i int) { c.Type.Extract(c.Messages[i], trie, values) }
}

// parsing takes messages apart.
func (c *Corpus) parsing() func(i int) {
	d := &message.Document{}
	return func(i int) {
		if err := d.Read(c.Type, c.Messages[i]); err != nil {
			panic("parse: a message that was well-formed: " + err.Error())
		}
	}
}

// writing changes the field in the middle of a message that has been taken
// apart, and writes it. The values are those of the field in other messages,
// so that they are of a kind that the type can hold.
func (c *Corpus) writing() (n int, do func(i int)) {
	n = min(preparedDocuments, len(c.Messages))
	path := c.spread(1)[0]
	trie := message.NewTrie()
	slot := trie.Add(path)
	documents, values := make([]message.Document, n), make([]message.Value, n)
	for i := range n {
		var found message.Values
		c.Type.Extract(c.Messages[i], trie, &found)
		if values[i] = found.First(slot); values[i].IsNull() {
			values[i] = c.field(path).Value
		}
		if err := documents[i].Read(c.Type, c.Messages[i]); err != nil {
			panic("parse: a message that was well-formed: " + err.Error())
		}
	}
	var written []byte
	turn := 0
	return n, func(i int) {
		turn++
		documents[i].Set(path, values[(i+turn/n)%n])
		written = c.Type.Write(written[:0], &documents[i], 0)
	}
}

// conjunction is a filter of so many predicates, all true for the first
// message, on fields spread over it; on some more than once when there are
// fewer fields.
func (c *Corpus) conjunction(predicates int) string {
	n := min(predicates, len(c.Fields))
	terms := make([]string, predicates)
	for i := range terms {
		f := c.Fields[(2*(i%n)+1)*len(c.Fields)/(2*n)]
		switch f.Value.Kind {
		case message.String:
			terms[i] = f.Text + " != 'no such text'"
		default:
			terms[i] = f.Text + " > -1e18"
		}
	}
	return strings.Join(terms, " AND ")
}

func (c *Corpus) filterCell(operation string, f *expr.Filter) Cell {
	matched, scratch := 0, expr.NewScratch()
	for _, body := range c.Messages {
		if f.Match(c.Type, body, scratch) {
			matched++
		}
	}
	return Cell{Operation: operation, Expression: f.Text(), Matched: float64(matched) / float64(len(c.Messages))}
}

func (c *Corpus) filtering(f *expr.Filter) func(i int) {
	scratch := expr.NewScratch()
	return func(i int) { f.Match(c.Type, c.Messages[i], scratch) }
}

// run measures an operation on n messages; false when ctx ended before there
// was a result.
func (c *Cell) run(ctx context.Context, n int, duration time.Duration, do func(i int)) bool {
	for i := range n { // everything that is used again grows
		do(i)
	}
	c.Allocations = allocations(n, do)
	round := max(duration/rounds, roundMin)
	var samples []float64
	next, batch := 0, 1
	for start := time.Now(); len(samples) == 0 || time.Since(start) < duration; {
		if ctx.Err() != nil && len(samples) == 0 {
			return false
		}
		if ctx.Err() != nil {
			break
		}
		began, count := time.Now(), 0
		took := time.Duration(0)
		for ; took < round; took = time.Since(began) {
			for range batch {
				do(next)
				if next++; next == n {
					next = 0
				}
			}
			count += batch
			if took < round/16 { // the clock is read about 16 times a round
				batch = min(batch*2, 1<<20)
			}
		}
		samples = append(samples, float64(took.Nanoseconds())/float64(count))
		c.Messages += uint64(count)
	}
	slices.Sort(samples)
	c.NsMessage = samples[len(samples)/2]
	c.NsByte = c.NsMessage / c.Bytes
	c.MBs = c.Bytes * 1000 / c.NsMessage
	return true
}

// allocations is how many an operation makes on a message, on average.
func allocations(n int, do func(i int)) float64 {
	var before, after runtime.MemStats
	least := ^uint64(0)
	for range allocationPasses {
		runtime.ReadMemStats(&before)
		for i := range n {
			do(i)
		}
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	return float64(least) / float64(n)
}
