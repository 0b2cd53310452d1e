package expr_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"farad/expr"
	"farad/expr/message"

	"pgregory.net/rapid"
)

// moment is Sunday 2024-12-01T00:00:00.25 UTC.
const moment = "1733011200.25"

func TestTimesAreFormatted(t *testing.T) {
	t.Parallel()
	check(t, []functionCase{
		{`STRFTIME('%Y-%m-%d', 0)`, "1970-01-01"},
		{`STRFTIME('%Y-%m-%d', '86400')`, "1970-01-02"},
		{`STRFTIME('%Y-%m-%dT%H:%M:%S.%f', ` + moment + `)`, "2024-12-01T00:00:00.250000"},
		{`STRFTIME('%H:%M:%S.%03f', 1.0625)`, "00:00:01.062"},
		{`STRFTIME('%3f %09f %9f %1f', 0.123456)`, "123 123456000 123456000 1"},
		{`STRFTIME('%f', 0.9999996)`, "000000"},
		{`STRFTIME('%S', 0.9999996)`, "01"},
		{`STRFTIME('%F %T.%f', -0.5)`, "1969-12-31 23:59:59.500000"},
		{`STRFTIME('%F', -62167219200)`, "0000-01-01"},
		{`STRFTIME('%F', 253402300799)`, "9999-12-31"},
		{`STRFTIME('%F', 253402300800)`, "NULL"},
		{`STRFTIME('%F', -62167219201)`, "NULL"},
		{`STRFTIME('%F', 18446744073709551615)`, "NULL"},
		{`STRFTIME('%a %A %b %B %h', ` + moment + `)`, "Sun Sunday Dec December Dec"},
		{`STRFTIME('%c', ` + moment + `)`, "Sun Dec  1 00:00:00 2024"},
		{`STRFTIME('%C %D %e|%g %G %V', ` + moment + `)`, "20 12/01/24  1|24 2024 48"},
		{`STRFTIME('%G-%V %g', 1104537600)`, "2004-53 04"}, // 2005-01-01
		{`STRFTIME('%I %k %l %p %P %r', 46800)`, "01 13  1 PM pm 01:00:00 PM"},
		{`STRFTIME('%I %l %p', 0)`, "12 12 AM"},
		{`STRFTIME('%I %p', 43200)`, "12 PM"},
		{`STRFTIME('%j %R %s', ` + moment + `)`, "336 00:00 1733011200"},
		{`STRFTIME('%u %w %U %W', ` + moment + `)`, "7 0 48 48"},
		{`STRFTIME('%u %w %U %W', 1733097600)`, "1 1 48 49"},
		{`STRFTIME('%x %X %y %z %Z', ` + moment + `)`, "12/01/24 00:00:00 24 +0000 UTC"},
		{`STRFTIME('%+', 0)`, "Thu Jan  1 00:00:00 UTC 1970"},
		{`STRFTIME('100%% %n%t|', 0)`, "100% \n\t|"},
		{`STRFTIME('%Ey %Od', 0)`, "70 01"},
		{`STRFTIME('%-d %_d %05d %^a %#p %#Z %-j %0e', 0)`, "1  1 00001 THU am utc 1 01"},
		{`STRFTIME('%10a|%010a', 0)`, "       Thu|0000000Thu"},
		{`STRFTIME('%Q %', 0)`, "%Q %"},
		{`STRFTIME('%-', 0)`, "%-"},
		{`STRFTIME(5, 0)`, "5"},
		{`LENGTH(STRFTIME('` + strings.Repeat("%A", 50) + `', 0))`, "128"},
		{`LENGTH(STRFTIME('%999d', 0))`, "128"},
	})
}

func TestTimesAreRead(t *testing.T) {
	t.Parallel()
	check(t, []functionCase{
		{`STRPTIME('1970-01-02','%Y-%m-%d')`, "86400.0"},
		{`STRPTIME('2024-12-01T00:00:00.25','%Y-%m-%dT%H:%M:%S.%f') = ` + moment, "true"},
		{`STRPTIME('00:00:01.5','%H:%M:%S.%03f')`, "1.5"},
		{`STRPTIME('00:00:01.123456','%H:%M:%S.%f')`, "1.123456"},
		{`STRPTIME('00:00:01.1234','%H:%M:%S.%03f')`, "1.123"},
		{`STRPTIME('1969-12-31 23:59:59.5','%F %T.%f')`, "-0.5"},
		{`STRPTIME('01:00:00+0100','%T%z')`, "0.0"},
		{`STRPTIME('01:00:00 +01:30','%T%z')`, "-1800.0"},
		{`STRPTIME('01:00:00-01','%T%z')`, "7200.0"},
		{`STRPTIME('01:00:00Z','%T%z')`, "3600.0"},
		{`STRPTIME('01:00:00 CET 2','%T %Z %d')`, "90000.0"}, // the name is not heeded
		{`STRPTIME('12:00 am','%I:%M %p')`, "0.0"},
		{`STRPTIME('PM 01:00','%p %I:%M')`, "46800.0"},
		{`STRPTIME('01:00:00 PM','%r')`, "46800.0"},
		{`STRPTIME('Thu Jan  1 00:00:05 1970','%c')`, "5.0"},
		{`STRPTIME('thursday, 2 january 70','%A, %d %B %y')`, "86400.0"},
		{`STRPTIME('01/02/70','%D')`, "86400.0"},
		{`STRPTIME('02Jan1970','%d%b%Y')`, "86400.0"},
		{`STRPTIME('1970 002','%Y %j')`, "86400.0"},
		{`STRPTIME('19 70','%C %y')`, "0.0"},
		{`STRPTIME('68','%y') > STRPTIME('69','%y')`, "true"},
		{`STRPTIME('  7   1','%S %M')`, "67.0"},
		{`STRPTIME('71','%S%M')`, "NaN"},
		{`STRPTIME('1733011200.25','%s.%f') = ` + moment, "true"},
		{`STRPTIME('-5','%s')`, "-5.0"},
		{`STRPTIME('999999999999','%s')`, "NaN"},
		{`STRPTIME('23:59:60','%T')`, "86400.0"},
		{`STRPTIME('1970-01-01 and more','%F')`, "0.0"},
		{`STRPTIME('19700102','%Y%m%d')`, "86400.0"},
		{`STRPTIME(19700102,'%Y%m%d')`, "86400.0"},
		{`STRPTIME('100%','1%n%t%d%%')`, "NaN"},
		{`STRPTIME('1 5%','1%n%t%d%%')`, "345600.0"},
		{`STRPTIME('1 2 3 4 5 70 1970','%u %w %U %W %V %g %G')`, "0.0"},
	})
	for _, bad := range []string{
		`'2023-02-29','%F'`, `'2023-04-31','%F'`, `'2023 366','%Y %j'`, `'x','%Y'`, `'25','%H'`, `'13','%m'`, `'00','%d'`, `'60','%M'`,
		`'61','%S'`, `'0','%I'`, `'noon','%p'`, `'Foo','%a'`, `'1970','%Q'`, `'1970','%Y%'`, `'+1','%z'`, `'+0160','%z'`, `'+1500','%z'`,
		`'+01:','%z'`, `'','%Y'`, `'1970','%Y-'`, `'.','%f'`, `'367','%j'`, `'a','%+'`, `'1970','x%Y'`, `'-','%s'`, `'5','%'`,
	} {
		expression := "STRPTIME(" + bad + ")"
		want := "NaN"
		if strings.HasPrefix(bad, "''") {
			want = "NULL"
		}
		check(t, []functionCase{{expression, want}})
	}
	check(t, []functionCase{{`STRPTIME('2024 366','%Y %j') = STRPTIME('2024-12-31','%F')`, "true"}, {`STRPTIME('2024-02-29','%F') = 1709164800`, "true"}})
}

// What is written can be read again, and agrees with package time.
func TestTimesSurviveWritingAndReading(t *testing.T) {
	t.Parallel()
	s := expr.NewScratch()
	write := compile(t, `STRFTIME('%Y-%m-%dT%H:%M:%S.%fZ', /t)`)
	read := compile(t, `STRPTIME(/t, '%Y-%m-%dT%H:%M:%S.%f%z')`)
	week := compile(t, `STRFTIME('%G %V %j %u %a %b', /t)`)
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.Int64Range(-62167219200, 253402300799).Draw(t, "seconds")
		micros := rapid.Int64Range(0, 999).Draw(t, "millis") * 1000
		number := fmt.Sprintf("%d.%06d", seconds, micros)
		if seconds < 0 {
			number = fmt.Sprint(seconds)
			micros = 0
		}
		want := time.Unix(seconds, micros*1000).UTC()
		got := text(write.Eval(message.JSON{}, []byte(`{"t":`+number+`}`), s))
		// Far from 1970 a float holds less than microseconds.
		if seconds < 1<<32 && got != want.Format("2006-01-02T15:04:05.000000Z") {
			t.Fatalf("%s is written as %s", number, got)
		}
		back := read.Eval(message.JSON{}, []byte(`{"t":"`+want.Format("2006-01-02T15:04:05.000000Z")+`"}`), s)
		if back.Float() != float64(want.UnixMicro())/1e6 {
			t.Fatalf("%s is read as %v", want, back.Float())
		}
		year, isoWeek := want.ISOWeek()
		weekday := (int(want.Weekday())+6)%7 + 1
		if year >= 0 {
			names := fmt.Sprintf("%04d %02d %03d %d %s", year, isoWeek, want.YearDay(), weekday, want.Format("Mon Jan"))
			if got := text(week.Eval(message.JSON{}, []byte(`{"t":`+fmt.Sprint(seconds)+`}`), s)); got != names {
				t.Fatalf("%s: %s, want %s", want, got, names)
			}
		}
	})
}

func FuzzTimes(f *testing.F) {
	f.Add("1970-01-02T03:04:05.678", "%Y-%m-%dT%H:%M:%S.%03f", 1.5)
	f.Add("Thu Jan  1 00:00:00 1970", "%c", 0.0)
	f.Add("12:00:01 PM +01:30", "%r %z", -1e9)
	f.Add("19 70 366 5 %", "%C %y %j %u %% %Z %p %s", 253402300799.9999999)
	f.Fuzz(func(t *testing.T, written, format string, seconds float64) {
		if strings.Contains(written+format, "'") || len(written)+len(format) > 1000 {
			return
		}
		s := expr.NewScratch()
		for _, expression := range []string{"STRPTIME(r'" + written + "', r'" + format + "')", fmt.Sprintf("STRFTIME(r'%s', %f)", format, seconds)} {
			filter, err := expr.CompileFilter(expression)
			if err != nil {
				continue
			}
			v := filter.Eval(message.JSON{}, []byte(`{}`), s)
			if v.Kind != message.Null && v.Kind != message.Float && (v.Kind != message.String || len(v.Text) > 128) {
				t.Fatalf("%s gives %s", expression, text(v))
			}
		}
	})
}
