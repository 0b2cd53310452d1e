package config

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Severity is the weight of a finding.
type Severity string

// The severities. Only an error prevents the start.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityNotice  Severity = "notice"
)

// FindingsMax bounds the findings that a Report keeps; further ones are only
// counted.
const FindingsMax = 1000

// Finding is one thing to say about a configuration.
type Finding struct {
	// File, Line and Column, from 1, are the place; Column counts bytes.
	File         string
	Line, Column int
	Severity     Severity
	// ElementPath is the way to the element from the root, such as
	// AMPSConfig/Transports/Transport[2]/Type.
	ElementPath string
	// Message names the value and what would have been right.
	Message string

	// element gives the finding its place in the order; base and below make
	// ElementPath, unless base is nil. This waits until the tree
	// is complete, because before neither orders nor paths are final.
	element, base *element
	below         string
}

// String is the finding as the line of 10-configuration §4, without newline.
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s: %s", f.File, f.Line, f.Column, f.Severity, f.ElementPath, f.Message)
}

// Report is all there is to say about a configuration, in the order of the
// document.
type Report struct {
	// Source is the file that was asked for.
	Source string
	// Findings are at most FindingsMax.
	Findings []Finding

	counts map[Severity]int
}

func newReport(source string) *Report {
	return &Report{Source: source, counts: map[Severity]int{}}
}

func (r *Report) add(f Finding) {
	r.counts[f.Severity]++
	if len(r.Findings) < FindingsMax {
		r.Findings = append(r.Findings, f)
	}
}

// full reports whether further findings would only be counted.
func (r *Report) full() bool { return len(r.Findings) >= FindingsMax }

// complete brings the findings into document order and gives them their
// paths, once the tree is complete.
func (r *Report) complete() {
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return a.order() - b.order() })
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.base != nil {
			f.ElementPath = f.base.path() + f.below
		}
		f.element, f.base, f.below = nil, nil, ""
	}
}

func (f Finding) order() int {
	if f.element == nil {
		return 0
	}
	return f.element.order
}

// Count returns the number of findings of a severity, kept or not.
func (r *Report) Count(s Severity) int { return r.counts[s] }

// ErrInvalid is wrapped by the error of a Report that holds errors.
var ErrInvalid = errors.New("invalid configuration")

// Err returns nil if the configuration may be used, otherwise an error that
// wraps ErrInvalid, shows the first error and says how many there are.
func (r *Report) Err() error {
	n := r.counts[SeverityError]
	if n == 0 {
		return nil
	}
	for _, f := range r.Findings {
		if f.Severity != SeverityError {
			continue
		}
		if n == 1 {
			return fmt.Errorf("%w: %s", ErrInvalid, f)
		}
		return fmt.Errorf("%w: %s (the first of %d errors)", ErrInvalid, f, n)
	}
	return fmt.Errorf("%w: %s: %s", ErrInvalid, r.Source, plural(n, SeverityError))
}

// Summary is the last line of a written report, without newline.
func (r *Report) Summary() string {
	return fmt.Sprintf("%s: %s, %s, %s", r.Source,
		plural(r.counts[SeverityError], SeverityError),
		plural(r.counts[SeverityWarning], SeverityWarning),
		plural(r.counts[SeverityNotice], SeverityNotice))
}

// WriteTo writes one line per finding and the summary, in one write.
func (r *Report) WriteTo(w io.Writer) (int64, error) {
	var text strings.Builder
	for _, f := range r.Findings {
		text.WriteString(strings.ReplaceAll(f.String(), "\n", " "))
		text.WriteByte('\n')
	}
	total := 0
	for _, n := range r.counts {
		total += n
	}
	if more := total - len(r.Findings); more > 0 {
		fmt.Fprintf(&text, "%s: %d more are not shown\n", r.Source, more)
	}
	text.WriteString(r.Summary())
	text.WriteByte('\n')
	n, err := io.WriteString(w, text.String())
	return int64(n), err
}

func plural(n int, s Severity) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", s)
	}
	return fmt.Sprintf("%d %ss", n, s)
}
