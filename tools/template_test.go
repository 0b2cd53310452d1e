package tools

import (
	"strings"
	"testing"
)

// shape writes a template's pieces with its tags in angle brackets.
func shape(t *template) string {
	var b strings.Builder
	for _, p := range t.pieces {
		if p.tag != "" {
			b.WriteString("<" + p.tag + ">")
		}
		b.Write(p.text)
	}
	return b.String()
}

func TestTemplateKnowsItsTagsAndEscapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"", "\n"},
		{"{data}", "<data>\n"},
		{`{topic}\t{data}\n`, "<topic>\t<data>\n"},
		{`{"topic":"{topic}","data":{data}}`, `{"topic":"<topic>","data":<data>}` + "\n"},
		{`\{data} \\ {data}`, "{data} \\ <data>\n"},
		{"{} {A} {a b} {", "{} {A} {a b} {\n"},
		{"{bookmark}{command}{correlation_id}{expiration}{lease_period}{length}{sowkey}{user_id}{timestamp}",
			"<bookmark><command><correlation_id><expiration><lease_period><length><sowkey><user_id><timestamp>\n"},
	} {
		got, err := parseTemplate(c.in)
		if err != nil || shape(got) != c.want {
			t.Errorf("template %q: got %q, %v; want %q", c.in, shape(got), err, c.want)
		}
	}
}

func TestTemplateRefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"{dta}", "did you mean {data}"},
		{"{sow_key}", "did you mean {sowkey}"},
		{"{nothing_like_it}", "known are {bookmark}"},
		{`a\x`, `\x stands for nothing`},
		{`a\`, `at the end stands for nothing`},
		{strings.Repeat("x", templateBytesMax+1), "at most 65536"},
	} {
		_, err := parseTemplate(c.in)
		if err == nil || !strings.Contains(err.Error(), c.want) || ExitCode(err) != ExitUsage {
			t.Errorf("template %.20q: got %v, exit code %d; want %q, exit code %d", c.in, err, ExitCode(err), c.want, ExitUsage)
		}
	}
}

func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{"{data}", `\{{topic}\n`, "{", "}{", `\`, "{sow"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		parsed, err := parseTemplate(in)
		if err != nil {
			if ExitCode(err) != ExitUsage {
				t.Fatalf("template %q: %v has exit code %d", in, err, ExitCode(err))
			}
			return
		}
		if !strings.HasSuffix(shape(parsed), "\n") {
			t.Fatalf("template %q prints no line: %q", in, shape(parsed))
		}
	})
}
