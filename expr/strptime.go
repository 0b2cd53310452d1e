package expr

import "time"

// timeParser reads a time by the directives of strptime(3) in the C locale,
// and by %f for a fraction of up to six digits and %03f for one of up to three.
// White space in the format stands for any amount of it, none included;
// numbers may have white space in front. What follows in the text behind the
// format's end does not matter.
//
// Fields that the format does not have are those of 1970-01-01T00:00:00 UTC.
type timeParser struct {
	text []byte
	at   int

	year, century, shortYear timeField
	month, day, dayOfYear    timeField
	hour, twelve             timeField
	minute, second           timeField
	microsecond              timeField
	afternoon                timeField // 0 or 1
	epoch                    timeField // seconds since 1970, instead of all others
	offset                   timeField // seconds east of UTC
}

// timeField is a number that may be missing.
type timeField struct {
	n     int
	known bool
}

func (t *timeField) set(n int) { t.n, t.known = n, true }

func (t *timeField) or(otherwise int) int {
	if t.known {
		return t.n
	}
	return otherwise
}

// parse reads the text by the format; composed directives nest once.
func (p *timeParser) parse(format []byte, nested int) bool {
	for i := 0; i < len(format); i++ {
		c := format[i]
		if isTimeBlank(c) {
			p.blanks()
			continue
		}
		if c != '%' {
			if !p.literal(c) {
				return false
			}
			continue
		}
		width := 0
		for i++; i < len(format) && isTimeFlag(format[i]); i++ {
		}
		for ; i < len(format) && isDigit(format[i]); i++ {
			width = min(width*10+int(format[i]-'0'), timeTextBytesMax)
		}
		if i < len(format) && (format[i] == 'E' || format[i] == 'O') {
			i++
		}
		if i >= len(format) || !p.directive(format[i], width, nested) {
			return false
		}
	}
	return true
}

func (p *timeParser) directive(c byte, width, nested int) bool {
	if composed, ok := composedDirectives[c]; ok && c != '+' {
		return nested == 0 && p.parse(composed, nested+1)
	}
	switch c {
	case '%':
		p.blanks()
		return p.literal('%')
	case 'n', 't':
		p.blanks()
		return true
	case 'f':
		return p.fraction(width)
	case 'z':
		return p.zone()
	case 'Z':
		return p.zoneName()
	case 'p', 'P':
		half, ok := p.word([]string{"AM", "PM"})
		p.afternoon.set(half)
		return ok
	case 'a', 'A':
		_, ok := p.word(weekdayNames)
		return ok
	case 'b', 'B', 'h':
		month, ok := p.word(monthNames)
		p.month.set(month + 1)
		return ok
	}
	return p.numeric(c)
}

// numeric reads the directives that are numbers. Those that only repeat what
// others say are checked for their range and dropped.
func (p *timeParser) numeric(c byte) bool {
	var dropped timeField
	switch c {
	case 'C':
		return p.number(&p.century, 2, 0, 99)
	case 'd', 'e':
		return p.number(&p.day, 2, 1, 31)
	case 'g':
		return p.number(&dropped, 2, 0, 99)
	case 'G':
		return p.number(&dropped, 4, 0, 9999)
	case 'H', 'k':
		p.twelve.known = false
		return p.number(&p.hour, 2, 0, 23)
	case 'I', 'l':
		p.hour.known = false
		return p.number(&p.twelve, 2, 1, 12)
	case 'j':
		return p.number(&p.dayOfYear, 3, 1, 366)
	case 'm':
		return p.number(&p.month, 2, 1, 12)
	case 'M':
		return p.number(&p.minute, 2, 0, 59)
	case 's':
		return p.seconds()
	case 'S':
		return p.number(&p.second, 2, 0, 60) // a leap second counts as the next one
	case 'u':
		return p.number(&dropped, 1, 1, 7)
	case 'U', 'W':
		return p.number(&dropped, 2, 0, 53)
	case 'V':
		return p.number(&dropped, 2, 1, 53)
	case 'w':
		return p.number(&dropped, 1, 0, 6)
	case 'y':
		p.year.known = false
		return p.number(&p.shortYear, 2, 0, 99)
	case 'Y':
		p.century.known, p.shortYear.known = false, false
		return p.number(&p.year, 4, 0, 9999)
	}
	return false
}

func isTimeBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func (p *timeParser) blanks() {
	for p.at < len(p.text) && isTimeBlank(p.text[p.at]) {
		p.at++
	}
}

func (p *timeParser) literal(c byte) bool {
	if p.at >= len(p.text) || p.text[p.at] != c {
		return false
	}
	p.at++
	return true
}

// digits reads up to size digits: the number and how many there were.
func (p *timeParser) digits(size int) (n, read int) {
	for ; read < size && p.at < len(p.text) && isDigit(p.text[p.at]); read++ {
		n = n*10 + int(p.text[p.at]-'0')
		p.at++
	}
	return n, read
}

func (p *timeParser) number(to *timeField, size, least, most int) bool {
	p.blanks()
	n, read := p.digits(size)
	to.set(n)
	return read > 0 && n >= least && n <= most
}

func (p *timeParser) seconds() bool {
	const digitsMax = 12 // beyond timestampLimit
	p.blanks()
	negative := p.literal('-')
	n, read := p.digits(digitsMax)
	if negative {
		n = -n
	}
	p.epoch.set(n)
	return read > 0
}

// fraction reads the leading digits of a fraction: .5 is half a second however
// many digits there may be.
func (p *timeParser) fraction(width int) bool {
	const digits = 6
	size := digits
	if width > 0 {
		size = min(width, digits)
	}
	n, read := p.digits(size)
	if read == 0 {
		return false
	}
	for range digits - read {
		n *= 10
	}
	p.microsecond.set(n)
	return true
}

// zone reads Z, +hh, +hhmm or +hh:mm.
func (p *timeParser) zone() bool {
	p.blanks()
	if p.literal('Z') {
		p.offset.set(0)
		return true
	}
	negative := p.literal('-')
	if !negative && !p.literal('+') {
		return false
	}
	hours, read := p.digits(2)
	if read != 2 {
		return false
	}
	before := p.at
	colon := p.literal(':')
	minutes, read := p.digits(2)
	switch {
	case read == 0 && !colon:
		p.at = before
	case read != 2:
		return false
	}
	if hours > 14 || minutes > 59 {
		return false
	}
	offset := hours*3600 + minutes*60
	if negative {
		offset = -offset
	}
	p.offset.set(offset)
	return true
}

// zoneName reads the name of a zone and does not heed it, as strptime(3).
func (p *timeParser) zoneName() bool {
	p.blanks()
	for p.at < len(p.text) && !isTimeBlank(p.text[p.at]) {
		p.at++
	}
	return true
}

var (
	weekdayNames = []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	monthNames   = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
)

// word reads one of some names, whole or its first three letters, in any case.
func (p *timeParser) word(names []string) (number int, ok bool) {
	p.blanks()
	rest := p.text[p.at:]
	for i, name := range names {
		for _, size := range [...]int{len(name), min(3, len(name))} {
			if len(rest) >= size && equalFold(rest[:size], []byte(name[:size])) {
				p.at += size
				return i, true
			}
		}
	}
	return 0, false
}

// unixMicroseconds puts the fields together; false for a date that does not
// exist.
func (p *timeParser) unixMicroseconds() (int64, bool) {
	micros := int64(p.microsecond.or(0))
	if p.epoch.known {
		n := int64(p.epoch.n)
		return n*microsecondsPerSecond + micros, n >= timestampMin && n < timestampLimit
	}
	hour := p.hour.or(0)
	if p.twelve.known {
		hour = p.twelve.n%12 + 12*p.afternoon.or(0)
	}
	year := p.fullYear()
	month, day := p.month.or(1), p.day.or(1)
	if p.dayOfYear.known && !p.month.known && !p.day.known {
		day = p.dayOfYear.n
		if day == 366 && time.Date(year, time.December, 31, 0, 0, 0, 0, time.UTC).YearDay() != 366 {
			return 0, false
		}
	} else if last := time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC); day > last.Day() {
		return 0, false
	}
	t := time.Date(year, time.Month(month), day, hour, p.minute.or(0), p.second.or(0), 0, time.UTC)
	return (t.Unix()-int64(p.offset.or(0)))*microsecondsPerSecond + micros, true
}

// fullYear takes years of two digits as 1969 to 2068, unless there is a
// century.
func (p *timeParser) fullYear() int {
	const epochYear, pivot = 1970, 69
	switch {
	case p.century.known:
		return p.century.n*100 + p.shortYear.or(0)
	case p.shortYear.known && p.shortYear.n < pivot:
		return 2000 + p.shortYear.n
	case p.shortYear.known:
		return 1900 + p.shortYear.n
	}
	return p.year.or(epochYear)
}
