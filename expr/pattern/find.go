package pattern

import "github.com/dlclark/regexp2/v2"

// AppendFind appends the text of the first match in b; false when there is
// none, or when it took longer than TimeLimit to find. Only the backtracking
// engine allocates.
func (p *Pattern) AppendFind(dst, b []byte) ([]byte, bool) {
	if b == nil {
		b = []byte{} // the linear engine returns a part of it, nil for no match
	}
	switch engine := p.engineFor(b); {
	case p.how <= equals: // the match of plain text is the text
		if !p.Match(b) {
			return dst, false
		}
		return append(dst, p.literal...), true
	case engine != nil:
		return p.appendFindTracing(dst, b, engine)
	case ascii(b):
		found := p.linear.Find(b)
		return append(dst, found...), found != nil
	}
	buffer := scratch.Get().(*[]byte)
	*buffer = latin1((*buffer)[:0], b)
	found := p.linear.Find(*buffer)
	dst = appendBytes(dst, found)
	putScratch(buffer)
	return dst, found != nil
}

func (p *Pattern) appendFindTracing(dst, b []byte, engine *regexp2.Regexp) ([]byte, bool) {
	if p.GivenUp() {
		return dst, false
	}
	m, err := engine.FindStringMatch(string(latin1(nil, b)))
	if err != nil {
		p.timedOut()
		return dst, false
	}
	if m == nil {
		return dst, false
	}
	return append(dst, b[m.RuneIndex:m.RuneIndex+m.RuneLength]...), true
}

// engineFor is the backtracking engine when it has to find where matches in b
// begin and end; nil when the linear one, or none, does.
func (p *Pattern) engineFor(b []byte) *regexp2.Regexp {
	if p.how == backtracking {
		return p.tracing
	}
	if p.how != linear || !p.dollar || len(b) == 0 || b[len(b)-1] != '\n' || swapsGreed(p.text) {
		return nil
	}
	p.exactOnce.Do(func() {
		source := p.text
		if p.latin {
			source = string(latin1(nil, []byte(p.text)))
		}
		if r, err := regexp2.Compile(source, regexp2.None); err == nil {
			r.MatchTimeout = TimeLimit
			p.exact = r
		}
	})
	return p.exact
}

// timedOut counts a match that took too long.
func (p *Pattern) timedOut() {
	p.strikes.Add(1)
	latest.Store(p)
	timeouts.Add(1)
}

// putScratch keeps a buffer for others unless it is large.
func putScratch(buffer *[]byte) {
	const keptBytes = 1 << 20
	if cap(*buffer) <= keptBytes {
		scratch.Put(buffer)
	}
}

// appendBytes undoes latin1.
func appendBytes(dst, text []byte) []byte {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= 0x80 && i+1 < len(text) {
			i++
			c = c<<6 | text[i]&0x3F
		}
		dst = append(dst, c)
	}
	return dst
}
