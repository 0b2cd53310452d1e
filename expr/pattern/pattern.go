package pattern

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dlclark/regexp2/v2"
)

// Limits.
const (
	// BytesMax bounds the text of a pattern.
	BytesMax = 64 << 10
	// TimeLimit bounds one match of the backtracking engine. One that takes
	// longer is no match.
	TimeLimit = 100 * time.Millisecond
	// StrikesMax is how many matches of a pattern may end at TimeLimit. From
	// then on it is not tried any more: it never matches.
	StrikesMax = 3
)

// Pattern is a compiled expression. It is immutable and may be used by several
// goroutines.
type Pattern struct {
	text    string
	literal []byte // when how is not an engine
	how     method
	linear  *regexp.Regexp
	tracing *regexp2.Regexp
	latin   bool // the expression holds bytes above 127
	raw     bool // text stands for itself

	// dollar says that the linear engine runs a rewritten dollar, which takes
	// a final newline into the match: whether there is a match is right, where
	// it ends is not. exact finds that for subjects with a final newline.
	dollar    bool
	exactOnce sync.Once
	exact     *regexp2.Regexp

	strikes atomic.Int32 // matches that ended at TimeLimit
}

// method is how a pattern is matched.
type method uint8

const (
	contains method = iota
	hasPrefix
	hasSuffix
	equals
	linear
	backtracking
)

// Error reports an expression that cannot be used.
type Error struct {
	Text   string // the expression
	Reason string // what is wrong
}

func (e *Error) Error() string {
	return fmt.Sprintf("regular expression %q: %s", clip(e.Text), e.Reason)
}

func clip(text string) string {
	const shown = 128
	if len(text) > shown {
		return text[:shown] + "..."
	}
	return text
}

// Compile reads an expression. The error is an *Error.
func Compile(text string) (*Pattern, error) {
	if len(text) > BytesMax {
		return nil, &Error{Text: text, Reason: fmt.Sprintf("it has %d bytes, at most %d are allowed", len(text), BytesMax)}
	}
	p := &Pattern{text: text}
	if p.compileLiteral() {
		return p, nil
	}
	if reason := unsupported(text); reason != "" {
		return nil, &Error{Text: text, Reason: reason}
	}
	p.latin = !ascii(text)
	source := text
	if p.latin {
		source = string(latin1(nil, []byte(text)))
	}
	if translated, ok := translate(source); ok {
		if r, err := regexp.Compile(translated); err == nil {
			p.linear, p.how = r, linear
			p.dollar = strings.Contains(translated, dollarRewritten)
			return p, nil
		}
	}
	r, err := regexp2.Compile(source, regexp2.None)
	if err != nil {
		return nil, &Error{Text: text, Reason: reasonOf(err)}
	}
	if swapsGreed(text) {
		return nil, &Error{Text: text, Reason: "the modifier U together with look-around, back-references or the modifier x is not supported"}
	}
	r.MatchTimeout = TimeLimit
	p.tracing, p.how = r, backtracking
	return p, nil
}

// Literal makes a pattern that finds text as it is, without metacharacters.
func Literal(text string) *Pattern {
	return &Pattern{text: text, literal: []byte(text), how: contains, raw: true}
}

// String returns the expression as it was given.
func (p *Pattern) String() string { return p.text }

// Backtracks reports whether matching may take long.
func (p *Pattern) Backtracks() bool { return p.how == backtracking }

// Strikes is how many matches of the pattern ended at TimeLimit.
func (p *Pattern) Strikes() int { return int(p.strikes.Load()) }

// GivenUp reports whether the pattern is not tried any more.
func (p *Pattern) GivenUp() bool { return p.strikes.Load() >= StrikesMax }

// Raw reports whether the pattern is plain text without metacharacters, made by
// Literal.
func (p *Pattern) Raw() bool { return p.raw }

// Prefix is a text that everything the pattern matches begins with; empty when
// there is none that is known.
func (p *Pattern) Prefix() string {
	switch {
	case p.how == hasPrefix || p.how == equals:
		return string(p.literal)
	case p.how < linear || p.raw || !strings.HasPrefix(p.text, "^") || strings.ContainsAny(p.text, `|(`):
		return ""
	}
	return anchoredText(p.text[1:])
}

// anchoredText is the plain text that an expression begins with. The last
// character is left out when what follows could make it optional.
func anchoredText(text string) string {
	end := strings.IndexAny(text, `^$.*?+()[]{}\|`)
	if end < 0 {
		return text
	}
	if end > 0 && strings.IndexByte("*?{", text[end]) >= 0 {
		end--
	}
	return text[:end]
}

// timeouts counts the matches that took too long; latest is the pattern of the
// last of them.
var (
	timeouts atomic.Uint64
	latest   atomic.Pointer[Pattern]
)

// Timeouts is how many matches of this process ended at TimeLimit.
func Timeouts() uint64 { return timeouts.Load() }

// LatestTimeout is the text of the pattern whose match ended at TimeLimit
// last; empty when none has.
func LatestTimeout() string {
	if p := latest.Load(); p != nil {
		return p.text
	}
	return ""
}

// Match reports whether the pattern matches anywhere in b.
func (p *Pattern) Match(b []byte) bool {
	switch p.how {
	case contains:
		return bytes.Contains(b, p.literal)
	case hasPrefix:
		return bytes.HasPrefix(b, p.literal)
	case hasSuffix:
		return bytes.HasSuffix(b, p.literal) || len(b) > 0 && b[len(b)-1] == '\n' && bytes.HasSuffix(b[:len(b)-1], p.literal)
	case equals:
		if len(b) == len(p.literal)+1 && b[len(b)-1] == '\n' {
			b = b[:len(b)-1]
		}
		return bytes.Equal(b, p.literal)
	case linear:
		if ascii(b) {
			return p.linear.Match(b)
		}
		return p.matchLatin(b)
	}
	return p.matchTracing(b)
}

// scratch holds subjects as code points 0 to 255.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

func (p *Pattern) matchLatin(b []byte) bool {
	buffer := scratch.Get().(*[]byte)
	*buffer = latin1((*buffer)[:0], b)
	matched := p.linear.Match(*buffer)
	putScratch(buffer)
	return matched
}

func (p *Pattern) matchTracing(b []byte) bool {
	if p.GivenUp() {
		return false
	}
	matched, err := p.tracing.MatchString(string(latin1(nil, b)))
	if err != nil {
		p.timedOut()
		return false
	}
	return matched
}

// compileLiteral handles expressions that are plain text between optional
// anchors (02-expressions 7.5).
func (p *Pattern) compileLiteral() bool {
	text, start := strings.CutPrefix(p.text, "^")
	text, end := strings.CutSuffix(text, "$")
	if end && strings.HasSuffix(text, `\`) || strings.ContainsAny(text, `^$.*?+()[]{}\|`) {
		return false
	}
	p.literal = []byte(text)
	switch {
	case start && end:
		p.how = equals
	case start:
		p.how = hasPrefix
	case end:
		p.how = hasSuffix
	default:
		p.how = contains
	}
	return true
}

func ascii[T ~string | ~[]byte](text T) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// latin1 appends b with each byte as the code point of its value, in UTF-8.
func latin1(dst, b []byte) []byte {
	for _, c := range b {
		if c < 0x80 {
			dst = append(dst, c)
		} else {
			dst = append(dst, 0xC0|c>>6, 0x80|c&0x3F)
		}
	}
	return dst
}

func reasonOf(err error) string {
	return strings.TrimSpace(strings.ReplaceAll(err.Error(), "\n", " "))
}

// IsTopicPattern reports whether a topic is a pattern: whether it has a
// character of regular expressions (05-subscriptions §2.4).
func IsTopicPattern(topic []byte) bool { return bytes.ContainsAny(topic, `^$.*?+()[]{}\|`) }
