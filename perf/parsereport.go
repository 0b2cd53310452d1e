package perf

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"farad/perf/host"
	"farad/perf/parse"
)

// parseReport is what perf parse measured, with what is needed to judge and
// repeat it (15-performance-anchors §7).
type parseReport struct {
	Date        string       `json:"date"`
	Command     []string     `json:"command"`
	Machine     host.Machine `json:"machine"`
	Duration    string       `json:"duration"` // of each cell
	Cells       []parse.Cell `json:"cells"`
	Skipped     []skipped    `json:"skipped,omitempty"`
	Notes       []string     `json:"notes,omitempty"`
	Interrupted bool         `json:"interrupted,omitempty"`
}

// skipped is a type, or a shape of it, that was not measured.
type skipped struct {
	Type   string `json:"type"`
	Shape  string `json:"shape,omitempty"`
	Reason string `json:"reason"`
}

func newParseReport() *parseReport {
	return &parseReport{
		Date: time.Now().UTC().Format(time.RFC3339), Command: os.Args, Machine: host.Describe(), Cells: []parse.Cell{},
	}
}

func (r *parseReport) skip(kind, shape string, reason error) {
	r.Skipped = append(r.Skipped, skipped{kind, shape, reason.Error()})
}

// print writes the report, as JSON or for people.
func (r *parseReport) print(to io.Writer, asJSON bool) error {
	if asJSON {
		encoder := json.NewEncoder(to)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "machine       %s\n", r.Machine)
	fmt.Fprintf(&b, "load          one core, %s for each line, the median of its rounds\n", r.Duration)
	if r.Interrupted {
		b.WriteString("interrupted   the result is what was measured until then\n")
	}
	if len(r.Cells) > 0 {
		b.WriteByte('\n')
		writeCells(&b, r.Cells)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(&b, "skipped       %s: %s\n", strings.TrimSpace(s.Type+" "+s.Shape), s.Reason)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "note          %s\n", note)
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// writeCells writes the table, and the filters that were given under it.
func writeCells(b *strings.Builder, cells []parse.Cell) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "type\tshape\tbytes\tfields\toperation\tMB/s\tns/message\tns/byte\tallocations\t")
	for _, c := range cells {
		fmt.Fprintf(w, "%s\t%s\t%.0f\t%d\t%s\t%.0f\t%.1f\t%.3f\t%s\t\n",
			c.Type, c.Shape, c.Bytes, c.Fields, c.Operation, c.MBs, c.NsMessage, c.NsByte, strconv.FormatFloat(c.Allocations, 'g', 3, 64))
	}
	w.Flush()
	b.WriteByte('\n')
	for _, c := range cells {
		if strings.HasPrefix(c.Operation, "filter #") {
			fmt.Fprintf(b, "%s     true for %.1f %%: %s\n", c.Operation, c.Matched*100, c.Expression)
		}
	}
}

// verdict is an error when something allocates.
func (r *parseReport) verdict() error {
	allocate := 0
	var first *parse.Cell
	for i := range r.Cells {
		if c := &r.Cells[i]; c.Allocations > 0 {
			if allocate++; first == nil {
				first = c
			}
		}
	}
	if first == nil {
		return nil
	}
	return fmt.Errorf("%d of %d measurements allocate, the first one %s %s, %.0f bytes, %s: %.3g allocations a message",
		allocate, len(r.Cells), first.Type, first.Shape, first.Bytes, first.Operation, first.Allocations)
}

// cellProgress redraws one line while cells are measured, for a person at a
// terminal.
type cellProgress struct {
	line         *progress
	count, total int
}

func newCellProgress(to io.Writer, total int) *cellProgress {
	return &cellProgress{line: newProgress(to), total: total}
}

// done draws the line behind a cell.
func (p *cellProgress) done(what string) {
	p.count++
	p.line.text(fmt.Sprintf("%d of %d measured, %s", p.count, p.total, what))
}

// skip takes cells out that are not measured.
func (p *cellProgress) skip(cells int) { p.total -= cells }

func (p *cellProgress) clear() { p.line.clear() }
