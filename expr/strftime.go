package expr

import (
	"strconv"
	"time"
)

// timeTextBytesMax bounds what STRFTIME returns (02-expressions §10.5).
const timeTextBytesMax = 128

// timeFormatter writes a time by the directives of strftime(3) in the C
// locale, and by %f for microseconds and %03f for milliseconds. A directive
// may have a flag (- no padding, _ spaces, 0 zeros, ^ upper case, # the other
// case) and a width. An unknown one is written as it stands.
type timeFormatter struct {
	t     time.Time
	dst   []byte
	start int // of the text in dst

	flag  byte
	width int // 0 when none is given
}

// format writes until the format ends or the text is long enough.
func (f *timeFormatter) format(format []byte) {
	for i := 0; i < len(format) && len(f.dst)-f.start < timeTextBytesMax; i++ {
		if format[i] != '%' {
			f.dst = append(f.dst, format[i])
			continue
		}
		begin := i
		f.flag, f.width = 0, 0
		for i++; i < len(format) && isTimeFlag(format[i]); i++ {
			f.flag = format[i]
		}
		for ; i < len(format) && isDigit(format[i]); i++ {
			f.width = min(f.width*10+int(format[i]-'0'), timeTextBytesMax)
		}
		if i < len(format) && (format[i] == 'E' || format[i] == 'O') { // other eras and digits: the C locale has none
			i++
		}
		if i >= len(format) || !f.directive(format[i]) {
			f.dst = append(f.dst, format[begin:min(i+1, len(format))]...)
		}
	}
}

func isTimeFlag(c byte) bool { return c == '-' || c == '_' || c == '0' || c == '^' || c == '#' }

// directive writes one; false for an unknown one.
func (f *timeFormatter) directive(c byte) bool {
	if composed, ok := composedDirectives[c]; ok {
		f.format(composed)
		return true
	}
	return f.ofDate(c) || f.ofClock(c) || f.ofWeek(c)
}

// composedDirectives stand for others; the keys are those of the C locale.
var composedDirectives = map[byte][]byte{
	'c': []byte("%a %b %e %H:%M:%S %Y"),
	'D': []byte("%m/%d/%y"),
	'F': []byte("%Y-%m-%d"),
	'r': []byte("%I:%M:%S %p"),
	'R': []byte("%H:%M"),
	'T': []byte("%H:%M:%S"),
	'x': []byte("%m/%d/%y"),
	'X': []byte("%H:%M:%S"),
	'+': []byte("%a %b %e %H:%M:%S %Z %Y"),
}

func (f *timeFormatter) ofDate(c byte) bool {
	year, month, day := f.t.Date()
	switch c {
	case 'b', 'h':
		f.name(month.String()[:3])
	case 'B':
		f.name(month.String())
	case 'C':
		f.number(year/100, 2, '0')
	case 'd':
		f.number(day, 2, '0')
	case 'e':
		f.number(day, 2, ' ')
	case 'j':
		f.number(f.t.YearDay(), 3, '0')
	case 'm':
		f.number(int(month), 2, '0')
	case 'y':
		f.number(year%100, 2, '0')
	case 'Y':
		f.number(year, 4, '0')
	default:
		return false
	}
	return true
}

func (f *timeFormatter) ofClock(c byte) bool {
	hour, minute, second := f.t.Clock()
	twelve := (hour+11)%12 + 1
	switch c {
	case 'f':
		f.fraction()
	case 'H':
		f.number(hour, 2, '0')
	case 'I':
		f.number(twelve, 2, '0')
	case 'k':
		f.number(hour, 2, ' ')
	case 'l':
		f.number(twelve, 2, ' ')
	case 'M':
		f.number(minute, 2, '0')
	case 'p':
		f.name(halfOfDay(hour, "AM", "PM"))
	case 'P':
		f.name(halfOfDay(hour, "am", "pm"))
	case 's':
		f.number(int(f.t.Unix()), 1, '0')
	case 'S':
		f.number(second, 2, '0')
	case 'z':
		f.name("+0000")
	case 'Z':
		f.name("UTC")
	case 'n':
		f.name("\n")
	case 't':
		f.name("\t")
	case '%':
		f.name("%")
	default:
		return false
	}
	return true
}

func halfOfDay(hour int, before, after string) string {
	if hour < 12 {
		return before
	}
	return after
}

func (f *timeFormatter) ofWeek(c byte) bool {
	weekday := int(f.t.Weekday()) // Sunday is 0
	monday := (weekday + 6) % 7   // Monday is 0
	isoYear, isoWeek := f.t.ISOWeek()
	switch c {
	case 'a':
		f.name(f.t.Weekday().String()[:3])
	case 'A':
		f.name(f.t.Weekday().String())
	case 'g':
		f.number((isoYear%100+100)%100, 2, '0')
	case 'G':
		f.number(isoYear, 4, '0')
	case 'u':
		f.number(monday+1, 1, '0')
	case 'U': // weeks that begin on Sunday, days before the first one in week 0
		f.number((f.t.YearDay()+6-weekday)/7, 2, '0')
	case 'V':
		f.number(isoWeek, 2, '0')
	case 'w':
		f.number(weekday, 1, '0')
	case 'W': // the same, from Monday
		f.number((f.t.YearDay()+6-monday)/7, 2, '0')
	default:
		return false
	}
	return true
}

// fraction writes the leading digits of the second's fraction: six, or as many
// as the width says, up to nine.
func (f *timeFormatter) fraction() {
	const digits, digitsMax = 6, 9
	n := digits
	if f.width > 0 {
		n = min(f.width, digitsMax)
	}
	rest := f.t.Nanosecond()
	for unit := 100_000_000; n > 0; n-- {
		f.dst = append(f.dst, byte('0'+rest/unit%10))
		unit = max(unit/10, 1)
	}
}

// number writes n with at least width digits, filled with pad.
func (f *timeFormatter) number(n, width int, pad byte) {
	width = max(width, f.width)
	switch f.flag {
	case '-':
		width = f.width
	case '_':
		pad = ' '
	case '0':
		pad = '0'
	}
	var buffer [20]byte
	text := strconv.AppendInt(buffer[:0], int64(n), 10)
	if n < 0 && pad == '0' {
		f.dst = append(f.dst, '-')
		text = text[1:]
		width--
	}
	for i := len(text); i < width; i++ {
		f.dst = append(f.dst, pad)
	}
	f.dst = append(f.dst, text...)
}

// name writes a text, filled with spaces, or zeros by its flag.
func (f *timeFormatter) name(text string) {
	pad := byte(' ')
	if f.flag == '0' {
		pad = '0'
	}
	for i := len(text); i < f.width; i++ {
		f.dst = append(f.dst, pad)
	}
	begin := len(f.dst)
	f.dst = append(f.dst, text...)
	for i, c := range f.dst[begin:] {
		switch {
		case f.flag == '^':
			f.dst[begin+i] = upper(c)
		case f.flag == '#' && (text == "AM" || text == "PM" || text == "UTC"):
			f.dst[begin+i] = lower(c)
		case f.flag == '#':
			f.dst[begin+i] = upper(c)
		}
	}
}
