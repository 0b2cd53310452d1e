package pattern_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"farad/expr/pattern"
)

func TestFindAndReplaceHavePerlSemanticsOnBytes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, subject, replacement string
		find, replaced             string // "-" for no match
	}{
		{"b", "abcb", "X", "b", "aXcX"},
		{"^b", "abcb", "X", "-", "-"},
		{"^a", "abca", "X", "a", "Xbca"},
		{"b$", "abcb", "X", "b", "abcX"},
		{"b$", "abcb\n", "X", "b", "abcX\n"},
		{"\n$", "a\n\n", "X", "\n", "aXX"},
		{"^$", "\n", "X", "", "X\n"},
		{"$", "", "X", "", "X"},
		{"", "ab", "X", "", "XaXbX"},
		{"aa", "aaaaa", "X", "aa", "XXa"},
		{"[bc]$", "abc\n", "X", "c", "abX\n"},
		{"(?m)[bc]$", "ab\nc\n", "X", "b", "aX\nX\n"},
		{"(?U)a+$", "caa\n", "X", "aa\n", "cX"}, // the one case where a dollar takes the newline
		{"(b)(c)?", "abcab", `<\2\1>`, "bc", "a<cb>a<b>"},
		{"(b)", "abc", `\\1\`, "b", `a\1\c`},
		{`(.)\1`, "aabb", `\1`, "aa", "ab"},
		{`(?<=a)b`, "abb", "X", "b", "aXb"},
		{`(?=b)|a`, "ab", "X", "a", "Xb"},
		{"\xe9.", "x\xe9\xe8y", "\xff", "\xe9\xe8", "x\xffy"},
		{"[^x]+", "x\xe9\xe8\x7f", "X", "\xe9\xe8\x7f", "xX"},
		{`(.)\1`, "\xe9\xe9", `<\1>`, "\xe9\xe9", "<\xe9>"},
		{`\bx`, "xx x", "X", "x", "Xx X"},
	} {
		p, err := pattern.Compile(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		found, ok := p.AppendFind([]byte(">"), []byte(c.subject))
		if ok != (c.find != "-") || ok && string(found) != ">"+c.find || !ok && string(found) != ">" {
			t.Errorf("%q in %q: found %q, want %q", c.text, c.subject, found, c.find)
		}
		replaced, n := p.AppendReplaced([]byte(">"), []byte(c.subject), []byte(c.replacement), 100)
		if (n > 0) != (c.replaced != "-") || n > 0 && string(replaced) != ">"+c.replaced || n == 0 && string(replaced) != ">" {
			t.Errorf("%q in %q: replaced to %q, want %q", c.text, c.subject, replaced, c.replaced)
		}
	}
}

func TestReplacementsAreBounded(t *testing.T) {
	t.Parallel()
	subject := []byte(strings.Repeat("ab\xe9", 100))
	for _, text := range []string{"a", "[a]", "(?=a)", "^a", "\xe9"} {
		p, err := pattern.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		whole, n := p.AppendReplaced(nil, subject, []byte("xyz"), 1<<20)
		if n < 1 {
			t.Fatalf("%q: %d matches", text, n)
		}
		if out, n := p.AppendReplaced(nil, subject, []byte("xyz"), len(whole)); n < 1 || !bytes.Equal(out, whole) {
			t.Errorf("%q: the limit itself is not allowed", text)
		}
		if out, n := p.AppendReplaced(nil, subject, []byte("xyz"), len(whole)-1); n != -1 || len(out) != 0 {
			t.Errorf("%q: %d bytes, %d matches over the limit", text, len(out), n)
		}
	}
	p, err := pattern.Compile("[a]")
	if err != nil {
		t.Fatal(err)
	}
	if _, n := p.AppendReplaced(nil, bytes.Repeat([]byte("a"), 1<<17), nil, 1<<20); n != -1 {
		t.Errorf("%d matches", n)
	}
}

func TestExpensiveReplacementsEndAtTheirLimit(t *testing.T) {
	t.Parallel()
	p, err := pattern.Compile(`(a+)+\1!`)
	if err != nil {
		t.Fatal(err)
	}
	subject := []byte(strings.Repeat(strings.Repeat("a", 30)+"b", 1000))
	begin := time.Now()
	if out, n := p.AppendReplaced(nil, subject, []byte("x"), 1<<20); n != 0 || len(out) != 0 {
		t.Errorf("%d matches", n)
	}
	if _, ok := p.AppendFind(nil, subject); ok {
		t.Error("found")
	}
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("took %v", took)
	}
}

// The standard library is the model where the two languages agree.
func FuzzReplace(f *testing.F) {
	for _, text := range []string{"a", "[a-c]+", "(a)(b)?", "a*", "x|", "^a", "a$", ""} {
		f.Add(text, []byte("abcabc"), []byte("-"))
	}
	f.Fuzz(func(t *testing.T, text string, subject, replacement []byte) {
		if len(text) > 100 || len(subject) > 100 || len(replacement) > 100 {
			return
		}
		p, err := pattern.Compile(text)
		if err != nil {
			return
		}
		found, ok := p.AppendFind(nil, subject)
		replaced, n := p.AppendReplaced(nil, subject, replacement, 1<<20)
		if ok != p.Match(subject) && pattern.Timeouts() == 0 {
			t.Fatalf("found %t, matched %t", ok, p.Match(subject))
		}
		if ok != (n > 0) && pattern.Timeouts() == 0 {
			t.Fatalf("found %t, %d matches", ok, n)
		}
		model, err := regexp.Compile(text)
		simple := func(b []byte) bool {
			return !bytes.ContainsFunc(b, func(r rune) bool { return r >= 0x80 || r == '\n' || r == 0xFFFD })
		}
		if err != nil || strings.ContainsAny(text, `\$([`) || bytes.ContainsAny(replacement, `\`) || !simple([]byte(text)) || !simple(subject) {
			return
		}
		if want := model.Find(subject); string(want) != string(found) {
			t.Fatalf("found %q, want %q", found, want)
		}
		if want := model.ReplaceAllLiteral(subject, replacement); n > 0 && !bytes.Equal(want, replaced) {
			t.Fatalf("replaced %q, want %q", replaced, want)
		}
	})
}
