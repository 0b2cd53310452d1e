package pattern_test

import (
	"strings"
	"testing"
	"time"

	"farad/expr/pattern"
)

func TestMatchHasPerlSemanticsOnBytes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, subject string
		want          bool
	}{
		{"ran", "Crank", true},
		{"^ran", "Crank", false},
		{"CRANK", "Crank", false},
		{"(?i)^crank$", "Crank", true},
		{"", "anything", true},
		{"^abc$", "abc", true},
		{"^abc$", "abc\n", true},
		{"^abc$", "abc\n\n", false},
		{"^a.c$", "abc\n", true},
		{"^a.c$", "abc\nx", false},
		{"(?m)^a.c$", "abc\nx", true},
		{"bc$", "abc\n", true},
		{"bc$", "abcd", false},
		{`(.)\1`, "Tennessee", true},
		{`(.)\1`, "Ohio", false},
		{`C\+\+`, "I use C++ now", true},
		{`%I%`, "I", false},
		{`foo(?=bar)`, "foobar", true},
		{`foo(?!bar)`, "foobar", false},
		{`(?<=foo)bar`, "foobar", true},
		{`\Qa.b\E`, "a.b", true},
		{`\Qa$b\E$`, "a$b", true},
		{`\Qa.b\E`, "axb", false},
		{`[]a]$`, "]", true},
		{`[$]`, "$", true},
		{`[^]]`, "]", false},
		{`a\$`, "a$", true},
		{`a\\$`, `a\`, true},
		{`^.$`, "\xe9", true},
		{`^.$`, "\xc3\xa9", false},
		{"^\xe9$", "\xe9", true},
		{"[\xe0-\xef]", "\xe9", true},
		{`^.{2}$`, "\xc3\xa9", true},
		{`(?s)a.b`, "a\nb", true},
		{`a.b`, "a\nb", false},
		{`(?x) a b `, "ab", true},
		{`^(?:a|b)+$`, "abba", true},
		{`a++b`, "aaab", true},
		{`\d+`, "x42", true},
	} {
		p, err := pattern.Compile(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := p.Match([]byte(c.subject)); got != c.want {
			t.Errorf("%q on %q: %t, want %t", c.text, c.subject, got, c.want)
		}
		if p.String() != c.text {
			t.Errorf("%q prints as %q", c.text, p)
		}
	}
}

func TestBadPatternsAreRefusedWithAReason(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"(", "[a", "a**", `(?U)(.)\1`, `\R`, `(?R)`, "^[a-z", strings.Repeat("x", pattern.BytesMax+1), "((", "a{2,1}"} {
		if p, err := pattern.Compile(text); err == nil {
			t.Errorf("%.40q compiled to %v", text, p)
		} else if len(err.Error()) > 1000 {
			t.Errorf("the error for %.40q has %d bytes", text, len(err.Error()))
		}
	}
}

func TestExpensiveBacktrackingEndsAtItsLimit(t *testing.T) {
	t.Parallel()
	p, err := pattern.Compile(`^(a+)+\1$`)
	if err != nil {
		t.Fatal(err)
	}
	before := pattern.Timeouts()
	start := time.Now()
	if p.Match([]byte(strings.Repeat("a", 3000) + "!")) {
		t.Error("matched")
	}
	if pattern.Timeouts() == before && time.Since(start) > time.Minute {
		t.Error("the limit did not end the match")
	}
}

func TestTopicPatternCharacters(t *testing.T) {
	t.Parallel()
	for _, c := range `^$.*?+()[]{}\|` {
		if !pattern.IsTopicPattern([]byte("a" + string(c))) {
			t.Errorf("%c does not make a pattern", c)
		}
	}
	for _, topic := range []string{"a/b-c_d:e f", "", "trade", "€"} {
		if pattern.IsTopicPattern([]byte(topic)) {
			t.Errorf("%q is a pattern", topic)
		}
	}
}

func TestMatchAllocatesNothing(t *testing.T) {
	subject := []byte("a/trade-info/2026")
	for _, text := range []string{"trade", "^a/", "2026$", "trade.info", `^a/.*\d+$`, "(?i)TRADE"} {
		p, err := pattern.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(100, func() { p.Match(subject) }); n != 0 {
			t.Errorf("%q: %v allocations", text, n)
		}
	}
}

func FuzzPattern(f *testing.F) {
	for _, text := range []string{"^a$", `(.)\1`, "(?i)x", "[a-z]+$", `\Qa\E`, "(?U)a+", "\xff$"} {
		f.Add(text, []byte("subject"))
	}
	f.Fuzz(func(t *testing.T, text string, subject []byte) {
		if len(text) > 200 || len(subject) > 200 {
			return
		}
		if p, err := pattern.Compile(text); err == nil {
			p.Match(subject)
		}
	})
}

// A pattern that takes too long again and again is given up.
func TestSlowPatternsAreGivenUp(t *testing.T) {
	t.Parallel()
	p, err := pattern.Compile(`^(a+)+\1$`)
	if err != nil {
		t.Fatal(err)
	}
	subject := []byte(strings.Repeat("a", 3000) + "b")
	for range pattern.StrikesMax {
		if p.GivenUp() {
			t.Fatal("given up too early")
		}
		p.Match(subject)
	}
	if !p.Backtracks() || p.Strikes() != pattern.StrikesMax || !p.GivenUp() {
		t.Fatalf("%d strikes", p.Strikes())
	}
	p.Match(subject)
	if p.Match([]byte("aa")) || p.Strikes() != pattern.StrikesMax {
		t.Error("a pattern that was given up is tried")
	}
	if found, ok := p.AppendFind(nil, []byte("aa")); ok || len(found) > 0 {
		t.Error("a pattern that was given up finds something")
	}
}
