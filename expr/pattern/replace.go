package pattern

import (
	"bytes"
	"time"

	"github.com/dlclark/regexp2/v2"
)

// replacedMax bounds the places that matches and their groups take in one
// replacement.
const replacedMax = 1 << 16

// AppendReplaced appends b with all matches replaced from left to right; an
// empty match right behind another match does not count. In the replacement \1
// to \9 are the groups, \\ is a backslash; a group that took no part, or that
// the pattern does not have, is empty.
//
// It returns the number of matches; with none, nothing is appended, also when
// the search took longer than TimeLimit. It is -1 when the result would be
// longer than bytesMax or there are too many matches.
//
// Plain texts allocate nothing, the linear engine where its matches are.
func (p *Pattern) AppendReplaced(dst, b, replacement []byte, bytesMax int) ([]byte, int) {
	r := replacing{dst: dst, start: len(dst), subject: b, replacement: replacement, bytesMax: bytesMax}
	switch engine := p.engineFor(b); {
	case p.how <= equals:
		p.replaceLiteral(&r)
	case engine != nil:
		if !p.replaceTracing(&r, engine) {
			return dst, 0
		}
	case ascii(b):
		p.replaceLinear(&r)
	default:
		buffer := scratch.Get().(*[]byte)
		*buffer = latin1((*buffer)[:0], b)
		r.subject, r.latin = *buffer, true
		p.replaceLinear(&r)
		defer putScratch(buffer)
	}
	switch {
	case r.failed:
		return dst, -1
	case r.matches == 0:
		return dst, 0
	}
	r.add(r.subject[r.at:])
	if r.failed {
		return dst, -1
	}
	return r.dst, r.matches
}

// replacing is a replacement on its way through the subject.
type replacing struct {
	dst         []byte
	start       int // of the result in dst
	subject     []byte
	latin       bool // the subject is made by latin1
	replacement []byte
	bytesMax    int

	at      int // where the rest of the subject begins
	matches int
	failed  bool // there is no room
}

// match handles a match; places are the begin and the end of it and of its
// groups. False when there is no need to go on.
func (r *replacing) match(places []int) bool {
	begin, end := places[0], places[1]
	if begin < r.at || r.matches > 0 && begin == end && begin == r.at {
		return true // overlaps with, or is empty behind the last one
	}
	r.add(r.subject[r.at:begin])
	r.expand(places)
	r.at = end
	r.matches++
	return !r.failed
}

// expand adds the replacement with its groups filled in.
func (r *replacing) expand(places []int) {
	rest := r.replacement
	for {
		i := bytes.IndexByte(rest, '\\')
		if i < 0 || i+1 == len(rest) {
			r.addRaw(rest)
			return
		}
		r.addRaw(rest[:i])
		c := rest[i+1]
		group := int(c - '0')
		switch {
		case c == '\\':
			r.addRaw(rest[i : i+1])
		case group < 1 || group > 9:
			r.addRaw(rest[i : i+2])
		case 2*group+1 < len(places) && places[2*group] >= 0:
			r.add(r.subject[places[2*group]:places[2*group+1]])
		}
		rest = rest[i+2:]
	}
}

// add appends a part of the subject.
func (r *replacing) add(part []byte) {
	if r.latin && r.fits(len(part)/2) {
		r.dst = appendBytes(r.dst, part)
		r.fits(0)
		return
	}
	r.addRaw(part)
}

func (r *replacing) addRaw(part []byte) {
	if r.fits(len(part)) {
		r.dst = append(r.dst, part...)
	}
}

func (r *replacing) fits(more int) bool {
	r.failed = r.failed || len(r.dst)-r.start+more > r.bytesMax
	return !r.failed
}

func (p *Pattern) replaceLinear(r *replacing) {
	n := replacedMax / (p.linear.NumSubexp() + 1)
	all := p.linear.FindAllSubmatchIndex(r.subject, n+1)
	if len(all) > n {
		r.failed = true
		return
	}
	for _, places := range all {
		if !r.match(places) {
			return
		}
	}
}

// replaceTracing returns false when the search took too long.
func (p *Pattern) replaceTracing(r *replacing, engine *regexp2.Regexp) bool {
	if p.GivenUp() {
		return false
	}
	begin := time.Now()
	m, err := engine.FindStringMatch(string(latin1(nil, r.subject)))
	var places []int
	for n := 0; err == nil && m != nil; n++ {
		places = append(places[:0], m.RuneIndex, m.RuneIndex+m.RuneLength)
		for group := 1; group <= 9; group++ {
			g := m.GroupByNumber(group)
			if g == nil || len(g.Captures) == 0 {
				places = append(places, -1, -1)
				continue
			}
			places = append(places, g.RuneIndex, g.RuneIndex+g.RuneLength)
		}
		if n >= replacedMax {
			r.failed = true
		}
		if !r.match(places) {
			return true
		}
		if time.Since(begin) > TimeLimit {
			p.timedOut()
			return false
		}
		m, err = engine.FindNextMatch(m)
	}
	if err != nil {
		p.timedOut()
	}
	return err == nil
}

// replaceLiteral finds plain text between optional anchors.
func (p *Pattern) replaceLiteral(r *replacing) {
	b, size := r.subject, len(p.literal)
	at := func(begin int) bool {
		places := [2]int{begin, begin + size}
		return r.match(places[:])
	}
	switch {
	case p.how == contains && size > 0:
		for begin := 0; ; begin += size {
			i := bytes.Index(b[begin:], p.literal)
			if i < 0 || !at(begin+i) {
				return
			}
			begin += i
		}
	case p.how == contains:
		for begin := 0; begin <= len(b) && at(begin); begin++ {
		}
	case p.how == hasPrefix || p.how == equals:
		if p.Match(b) {
			at(0)
		}
	default: // at the end, and in front of a final newline
		if n := len(b) - 1; n >= 0 && b[n] == '\n' && bytes.HasSuffix(b[:n], p.literal) {
			at(n - size)
		}
		if bytes.HasSuffix(b, p.literal) {
			at(len(b) - size)
		}
	}
}
