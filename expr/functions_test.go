package expr_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"farad/expr"
	"farad/expr/message"
)

// messageF has a field of every kind for the functions; /d is an array whose
// first element is 3.
const messageF = `{"d":[3,"x",null,-2],"n":null,"s":"Crank It Up","i":-7,"f":2.50,"t":true,"u":"\u00e9A","pattern":"[0-9]+","bad":"(","z":[null],"words":["b","a","C"],"mixed":[1,"2",null,3.5],"blank":" \t a b\r\n "}`

// functionCase is an expression over messageF and its outcome: NULL, NaN or
// the string form.
type functionCase struct{ expression, want string }

func check(t *testing.T, cases []functionCase) {
	t.Helper()
	s := expr.NewScratch()
	for _, c := range cases {
		f, err := expr.CompileFilter(c.expression)
		if err != nil {
			t.Errorf("%s: %v", c.expression, err)
			continue
		}
		for range 2 { // the scratch is used again
			if got := text(f.Eval(message.JSON{}, []byte(messageF), s)); got != c.want {
				t.Errorf("%s: %q, want %q", c.expression, got, c.want)
			}
		}
	}
}

// 02-expressions §10: the rules for all functions.
func TestFunctionsTakeNULLAsUnknown(t *testing.T) {
	t.Parallel()
	for _, call := range []string{
		"INSTR(%s,'a')", "INSTR('a',%s)", "INSTR_I(%s,'a')", "INSTR_I('a',%s)", "UPPER(%s)", "LOWER(%s)",
		"SUBSTR(%s,1)", "SUBSTR('abc',%s)", "SUBSTR('abc',1,%s)", "REVERSE(%s)", "LEFT(%s,1)", "LEFT('a',%s)",
		"RIGHT(%s,1)", "RIGHT('a',%s)", "TRIM(%s)", "LTRIM(%s)", "RTRIM(%s)", "LENGTH(%s)", "REPLACE(%s,'a','b')",
		"REGEXP_REPLACE(%s,'a','b')", "REGEXP_MATCH(%s,'a')", "REGEXP_MATCH('a',%s)", "ABS(%s)", "ROUND(%s)", "ROUND(1.5,%s)",
		"CEILING(%s)", "FLOOR(%s)", "SIGN(%s)", "SQRT(%s)", "POWER(%s,1)", "POWER(1,%s)", "EXP(%s)", "LOG2(%s)", "LN(%s)", "LOG10(%s)",
		"WIDTH_BUCKET(%s,0,1,2)", "WIDTH_BUCKET(1,%s,2,2)", "WIDTH_BUCKET(1,0,%s,2)", "WIDTH_BUCKET(1,0,2,%s)",
		"SIN(%s)", "COS(%s)", "TAN(%s)", "COT(%s)", "ASIN(%s)", "ACOS(%s)", "ATAN(%s)", "SINH(%s)", "COSH(%s)", "TANH(%s)",
		"RADIANS(%s)", "DEGREES(%s)", "ATAN2(%s,1)", "ATAN2(1,%s)", "STRFTIME(%s,1)", "STRFTIME('%%Y',%s)", "STRPTIME(%s,'x')", "STRPTIME('x',%s)",
		"GEO_DISTANCE(%s,0,0,0)", "GEO_DISTANCE(0,%s,0,0)", "GEO_DISTANCE(0,0,%s,0)", "GEO_DISTANCE(0,0,0,%s)",
		"CRC32(%s)", "CRC64(%s)", "CHAR_VALUE(%s)", "GREATEST(%s)", "LEAST(%s,%[1]s)", "COALESCE(%s,%[1]s)", "CONCAT(%s,%[1]s)",
		"ARRAY_MAX(%s)", "ARRAY_MIN(%s)", "ARRAY_SUM(%s)",
	} {
		for _, argument := range []string{"NULL", "''", "/n", "/none", "/d[2]", "/z"} {
			check(t, []functionCase{{fmt.Sprintf(call, argument), "NULL"}})
		}
	}
}

func TestTextForANumberGivesNaN(t *testing.T) {
	t.Parallel()
	for _, call := range []string{
		"SUBSTR('abc',%s)", "SUBSTR('abc',1,%s)", "LEFT('a',%s)", "RIGHT('a',%s)", "ABS(%s)", "ROUND(%s)", "ROUND(1.5,%s)",
		"CEILING(%s)", "FLOOR(%s)", "SIGN(%s)", "SQRT(%s)", "POWER(%s,1)", "POWER(1,%s)", "EXP(%s)", "LOG2(%s)", "LN(%s)", "LOG10(%s)",
		"WIDTH_BUCKET(%s,0,1,2)", "WIDTH_BUCKET(1,%s,2,2)", "WIDTH_BUCKET(1,0,%s,2)", "WIDTH_BUCKET(1,0,2,%s)",
		"SIN(%s)", "COS(%s)", "TAN(%s)", "COT(%s)", "ASIN(%s)", "ACOS(%s)", "ATAN(%s)", "SINH(%s)", "COSH(%s)", "TANH(%s)",
		"RADIANS(%s)", "DEGREES(%s)", "ATAN2(%s,1)", "ATAN2(1,%s)", "STRFTIME('%%Y',%s)",
		"GEO_DISTANCE(%s,0,0,0)", "GEO_DISTANCE(0,%s,0,0)", "GEO_DISTANCE(0,0,%s,0)", "GEO_DISTANCE(0,0,0,%s)", "ARRAY_SUM(%s)",
	} {
		for _, argument := range []string{"'text'", "/s", "NAN_VALUE()", "' 1'"} {
			check(t, []functionCase{{fmt.Sprintf(call, argument), "NaN"}})
		}
	}
}

func TestConditionalFunctions(t *testing.T) {
	t.Parallel()
	check(t, []functionCase{
		{`IF(/i < 0, 'below', 'above')`, "below"},
		{`IF('text', 1, 2)`, "2"},
		{`IF(/t, CONCAT('y','es'), 'no')`, "yes"},
		{`COALESCE(/n, /f, 'none')`, "2.50"},
		{`COALESCE(/none, '', 'none')`, "none"},
		{`COALESCE(/d, 1)`, "3"},
		{`COALESCE(/d[2], /d[1])`, "x"},
		{`COALESCE(0 / 0, 1)`, "NaN"},
		{`COALESCE(/n, 1 = 1)`, "true"},
		{`COALESCE(/n, UPPER(/s), 'x')`, "CRANK IT UP"},
		{`coalesce(1)`, "1"},
	})
}

func TestStringComparisonFunctions(t *testing.T) {
	t.Parallel()
	check(t, []functionCase{
		{`INSTR('abcb','b')`, "2"},
		{`INSTR('abcb','B')`, "0"},
		{`INSTR(1234, 34)`, "3"},
		{`INSTR(/f, '50')`, "3"},
		{`INSTR(/d, 3)`, "1"},
		{`INSTR(/u, 'A')`, "3"},
		{`INSTR(/t, 'rue')`, "2"},
		{`INSTR_I('ABC','b')`, "2"},
		{`INSTR_I('ABC','bcd')`, "0"},
		{`INSTR_I('aAaAab','AAB')`, "4"},
		{`INSTR_I('aaab','aaabb')`, "0"},
		{`INSTR_I('[@` + "`" + `{', '{')`, "4"},
		{`INSTR_I('\xC4', '\xE4')`, "0"},
		{`INSTR_I('x', 'X')`, "1"},
		{`STREQUAL('a','a')`, "1"},
		{`STREQUAL('a','A')`, "0"},
		{`STREQUAL(1, '1')`, "1"},
		{`STREQUAL(/f, '2.50')`, "1"},
		{`STREQUAL(/n, 'a')`, "0"},
		{`STREQUAL('a', NULL)`, "0"},
		{`STREQUAL(NULL, NULL)`, "0"},
		{`STREQUAL_I('aB','Ab')`, "1"},
		{`STREQUAL_I('aB','Abc')`, "0"},
		{`STREQUAL_I('@', '` + "`" + `')`, "0"},
		{`STREQUAL_I(NULL, NULL)`, "0"},
		{`STREQUAL_I(/t, 'TRUE')`, "1"},
	})
}

func TestFoldedSearchStaysLinear(t *testing.T) {
	t.Parallel()
	body := fmt.Sprintf(`{"a":"%sb"}`, strings.Repeat("aA", 100_000))
	f := compile(t, fmt.Sprintf(`INSTR_I(/a, '%sB')`, strings.Repeat("A", 20_000)))
	begin := time.Now()
	if got := text(f.Eval(message.JSON{}, []byte(body), expr.NewScratch())); got != "180001" {
		t.Errorf("found at %s", got)
	}
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestStringProductionFunctions(t *testing.T) {
	t.Parallel()
	check(t, []functionCase{
		{`CONCAT('a', 1, 'b')`, "a1b"},
		{`CONCAT('a', NULL, /n, 'b')`, "ab"},
		{`CONCAT(/f, '|', /t, '|', /i, '|', 1.0 * 2, '|', /d)`, "2.50|true|-7|2.0|3"},
		{`CONCAT(UPPER(/s), LOWER(/s), REVERSE(/i))`, "CRANK IT UPcrank it up7-"},
		{`UPPER('msft')`, "MSFT"},
		{`UPPER(/u)`, "\u00e9A"},
		{`UPPER(/t)`, "TRUE"},
		{`LOWER('@AZ[')`, "@az["},
		{`UPPER('` + "`" + `az{')`, "`AZ{"},
		{`SUBSTR('fandango',5)`, "ango"},
		{`SUBSTR('fandango',5,2)`, "an"},
		{`SUBSTR('fandango',0,3)`, "fan"},
		{`SUBSTR('fandango',1,3)`, "fan"},
		{`SUBSTR('fandango',-2)`, "go"},
		{`SUBSTR('fandango',-8,1)`, "f"},
		{`SUBSTR('fandango',-9)`, "NULL"},
		{`SUBSTR('abc',3)`, "c"},
		{`SUBSTR('abc',4)`, "NULL"},
		{`SUBSTR('abc',1,0)`, "NULL"},
		{`SUBSTR('abc',1,-1)`, "NULL"},
		{`SUBSTR('abc',2,18446744073709551615)`, "bc"},
		{`SUBSTR('abc',18446744073709551615)`, "NULL"},
		{`SUBSTR('abc',-9223372036854775808)`, "NULL"},
		{`SUBSTR('abc',1e300)`, "NULL"},
		{`SUBSTR('abc',-1e300)`, "NULL"},
		{`SUBSTR('abc',2.9)`, "bc"},
		{`SUBSTR('abc','2')`, "bc"},
		{`SUBSTR(12.50, 4)`, "50"},
		{`REVERSE('ango')`, "ogna"},
		{`REVERSE(12)`, "21"},
		{`LEFT('abc',2)`, "ab"},
		{`LEFT('abc',9)`, "abc"},
		{`LEFT('abc',0)`, "NULL"},
		{`LEFT('abc',-1)`, "NULL"},
		{`RIGHT('abc',2)`, "bc"},
		{`RIGHT('abc',9)`, "abc"},
		{`RIGHT('abc',0)`, "NULL"},
		{`TRIM(' a ')`, "a"},
		{`TRIM(/blank)`, "a b"},
		{`LTRIM(/blank)`, "a b\r\n "},
		{`RTRIM(/blank)`, " \t a b"},
		{`TRIM('  ')`, "NULL"},
		{`TRIM('\x0b')`, "\x0b"},
		{`LENGTH('abc')`, "3"},
		{`LENGTH(/u)`, "3"},
		{`LENGTH(/f)`, "4"},
		{`LENGTH(/d)`, "1"},
		{`LENGTH('\x00')`, "1"},
		{`REPLACE('aXbX','X','-')`, "a-b-"},
		{`REPLACE('aaa','aa','b')`, "ba"},
		{`REPLACE('abc',NULL,'x')`, "abc"},
		{`REPLACE('abc','b',NULL)`, "ac"},
		{`REPLACE('abc','abc','')`, "NULL"},
		{`REPLACE(1.5, '.', ',')`, "1,5"},
		{`REPLACE('abc','z','x')`, "abc"},
	})
}

func TestRegexFunctions(t *testing.T) {
	t.Parallel()
	check(t, []functionCase{
		{`REGEXP_MATCH('id=42;','[0-9]+')`, "42"},
		{`REGEXP_MATCH('id=42;','\d+')`, "42"},
		{`REGEXP_MATCH('id=42;', "2\x3b")`, "2;"},
		{`REGEXP_MATCH('a\x41','\x41')`, "A"},
		{`REGEXP_MATCH('a.b', r'.')`, "."},
		{`REGEXP_MATCH('ab', r'.')`, "NULL"},
		{`REGEXP_MATCH('Tennessee', '(.)\1')`, "nn"},
		{`REGEXP_MATCH(/u, '[^A]+')`, "\u00e9"},
		{`REGEXP_MATCH('line\n', 'e$')`, "e"},
		{`REGEXP_MATCH('line\n', '[a-z]+$')`, "line"},
		{`REGEXP_MATCH('abc', 'x*')`, "NULL"}, // an empty match is NULL
		{`REGEXP_MATCH('x', /bad)`, "NULL"},
		{`REGEXP_MATCH('a1b22', /pattern)`, "1"},
		{`REGEXP_MATCH('a1b22', CONCAT('[a-z]', '2'))`, "b2"},
		{`REGEXP_MATCH(1234.50, '\.\d')`, ".5"},
		{`REGEXP_MATCH(/d, '\d')`, "3"},
		{`REGEXP_MATCH(UPPER(/s), '(?i)it')`, "IT"},
		{`REGEXP_REPLACE('a1b2','[0-9]','#')`, "a#b#"},
		{`REGEXP_REPLACE('a1b2','([a-z])([0-9])','\2\1')`, "1a2b"},
		{`REGEXP_REPLACE('a1b2','([a-z])([0-9])','\\2\\1')`, "1a2b"},
		{`REGEXP_REPLACE('a1b2','([a-z])([0-9])',r'\2\1')`, "1a2b"},
		{`REGEXP_REPLACE('ab','(a)|(b)','[\1\2\9]')`, "[a][b]"},
		{`REGEXP_REPLACE('a','a','\t\x41')`, "\tA"},
		{`REGEXP_REPLACE('a','a',r'\\-\x\')`, `\-\x\`},
		{`REGEXP_REPLACE('aabb','(.)\1','<\1>')`, "<a><b>"},
		{`REGEXP_REPLACE('abc','(?=b)','-')`, "a-bc"},
		{`REGEXP_REPLACE(/u,'[^A]','.')`, "..A"},
		{`REGEXP_REPLACE(/u,'A','\xE9')`, "\u00e9\xe9"},
		{`REGEXP_REPLACE('abc','x*','-')`, "-a-b-c-"},
		{`REGEXP_REPLACE('baac','a*','-')`, "-b-c-"},
		{`REGEXP_REPLACE('abc','','-')`, "abc"}, // an empty pattern is NULL
		{`REGEXP_REPLACE('abc','^','-')`, "-abc"},
		{`REGEXP_REPLACE('abc','$','-')`, "abc-"},
		{`REGEXP_REPLACE('abc\n','$','-')`, "abc-\n-"},
		{`REGEXP_REPLACE('abc\n','c$','-')`, "ab-\n"},
		{`REGEXP_REPLACE('abc\n','[bc]+$','-')`, "a-\n"},
		{`REGEXP_REPLACE('abcabc','bc','-')`, "a-a-"},
		{`REGEXP_REPLACE('abcabc',r'b','\1')`, "acac"},
		{`REGEXP_REPLACE('abcabc','^abc','-')`, "-abc"},
		{`REGEXP_REPLACE('abc','^abc$','-')`, "-"},
		{`REGEXP_REPLACE('abc','z','-')`, "abc"},
		{`REGEXP_REPLACE('abc','[z]','-')`, "abc"},
		{`REGEXP_REPLACE('abc','[a-z]',NULL)`, "NULL"},
		{`REGEXP_REPLACE('abc',NULL,'-')`, "abc"},
		{`REGEXP_REPLACE('abc','b',CONCAT('[', r'\1', ']'))`, "a[]c"},
		{`REGEXP_REPLACE('a1',/pattern,2)`, "a2"},
		{`REGEXP_REPLACE('a1',/bad,2)`, "NULL"},
	})
}

func TestNumericFunctions(t *testing.T) {
	t.Parallel()
	check(t, []functionCase{
		{`ABS(-3)`, "3"}, {`ABS(3)`, "3"}, {`ABS(-2.5)`, "2.5"}, {`ABS(/i)`, "7"}, {`ABS(/t)`, "1"}, {`ABS('-4')`, "4"},
		{`ABS(-9223372036854775808)`, "9223372036854775808"}, {`ABS(/d)`, "3"},
		{`ROUND(2.345, 2)`, "2.35"}, {`ROUND(-2.345, 2)`, "-2.35"}, {`ROUND(-2.5)`, "-3"}, {`ROUND(2.5)`, "3"}, {`ROUND(2.4)`, "2"},
		{`ROUND(0.5)`, "1"}, {`ROUND(0.4)`, "0"}, {`ROUND(-0.4)`, "0"}, {`ROUND(0.05, 1)`, "0.1"}, {`ROUND(0.04, 1)`, "0.0"}, {`ROUND(-0.04, 1)`, "0.0"},
		{`ROUND(1.005, 2)`, "1.01"}, {`ROUND(9.99, 1)`, "10.0"}, {`ROUND(2.0, 2)`, "2.0"}, {`ROUND(1e300)`, "1e+300"}, {`ROUND(1.5, 1000)`, "1.5"},
		{`ROUND(1234.5, -2)`, "1200"}, {`ROUND(1250.0, -2)`, "1300"}, {`ROUND(60.0, -2)`, "100"}, {`ROUND(40.0, -2)`, "0"}, {`ROUND(5.0, -9)`, "0"},
		{`ROUND(1250, -2)`, "1300"}, {`ROUND(-1250, -2)`, "-1300"}, {`ROUND(1249, -2)`, "1200"}, {`ROUND(7, 5)`, "7"}, {`ROUND(7, -1)`, "10"},
		{`ROUND(18446744073709551615, -1)`, "18446744073709552000.0"}, {`ROUND(18446744073709551615, -19)`, "20000000000000000000.0"}, {`ROUND(18446744073709551615, -20)`, "0"},
		{`ROUND(-9223372036854775808, -1)`, "-9223372036854776000.0"}, {`ROUND(5, -99)`, "0"}, {`ROUND(/f, 1)`, "2.5"},
		{`CEILING(1.2)`, "2"}, {`CEILING(-1.2)`, "-1"}, {`CEILING(-0.5)`, "0"}, {`CEILING(7)`, "7"}, {`CEILING(1e300)`, "1e+300"},
		{`CEILING(1e19)`, "10000000000000000000"}, {`FLOOR(-9223372036854775808.0)`, "-9223372036854775808"},
		{`FLOOR(-1.2)`, "-2"}, {`FLOOR(1.8)`, "1"}, {`FLOOR(18446744073709551615)`, "18446744073709551615"},
		{`SIGN(-4.5)`, "-1"}, {`SIGN(0)`, "0"}, {`SIGN(-0.0)`, "0"}, {`SIGN(18446744073709551615)`, "1"}, {`SIGN('12')`, "1"},
		{`SQRT(9)`, "3.0"}, {`SQRT(-1)`, "NaN"}, {`POWER(2, 10)`, "1024.0"}, {`POWER(2, 0.5) > 1.414`, "true"}, {`POWER(-1, 0.5)`, "NaN"}, {`POWER(10, 400)`, "NaN"},
		{`EXP(0)`, "1.0"}, {`EXP(1000)`, "NaN"}, {`LOG2(8)`, "3.0"}, {`LOG2(0)`, "NaN"}, {`LN(1)`, "0.0"}, {`LN(-1)`, "NaN"}, {`LOG10(1000)`, "3.0"},
		{`GREATEST(1, 7, 3)`, "7"}, {`LEAST(4, 1.50, 3)`, "1.50"}, {`GREATEST(1, NULL, 3)`, "3"}, {`GREATEST('a', 'b')`, "b"}, {`GREATEST(5, 'a')`, "a"},
		{`GREATEST(5, '40')`, "40"}, {`LEAST(5, 'a')`, "5"}, {`GREATEST(NAN_VALUE(), 1)`, "1"}, {`LEAST(1, NAN_VALUE())`, "1"}, {`LEAST(NAN_VALUE())`, "NaN"},
		{`GREATEST(/d, /i)`, "3"}, {`LEAST(UPPER(/s), LOWER(/s))`, "CRANK IT UP"}, {`GREATEST(2, 2.0)`, "2"},
		{`WIDTH_BUCKET(5,0,10,5)`, "3"}, {`WIDTH_BUCKET(-1,0,10,5)`, "0"}, {`WIDTH_BUCKET(10,0,10,5)`, "6"}, {`WIDTH_BUCKET(0,0,10,5)`, "1"}, {`WIDTH_BUCKET(9.99,0,10,5)`, "5"},
		{`WIDTH_BUCKET(1,10,0,5)`, "NaN"}, {`WIDTH_BUCKET(1,1,1,5)`, "NaN"}, {`WIDTH_BUCKET(1,0,10,0)`, "NaN"}, {`WIDTH_BUCKET(1,0,10,2.9)`, "1"},
		{`WIDTH_BUCKET(0,-1.7e308,1.7e308,4)`, "3"}, {`WIDTH_BUCKET(3,0,10,10)`, "4"}, {`WIDTH_BUCKET(1,0,10,1e17)`, "NaN"},
	})
}

func TestTrigonometricFunctions(t *testing.T) {
	t.Parallel()
	s := expr.NewScratch()
	for expression, want := range map[string]float64{
		`SIN(1)`: math.Sin(1), `COS(0)`: 1, `TAN(1)`: math.Tan(1), `COT(1)`: 1 / math.Tan(1), `ASIN(1)`: math.Pi / 2, `ACOS(1)`: 0,
		`ATAN(1)`: math.Pi / 4, `SINH(1)`: math.Sinh(1), `COSH(1)`: math.Cosh(1), `TANH(1)`: math.Tanh(1), `RADIANS(180)`: math.Pi,
		`DEGREES(0)`: 0, `DEGREES(3.141592653589793)`: 180, `ATAN2(1, -1)`: 3 * math.Pi / 4,
	} {
		v := compile(t, expression).Eval(message.JSON{}, []byte(messageF), s)
		if v.Kind != message.Float || math.Abs(v.Float()-want) > 1e-12 {
			t.Errorf("%s: %s, want %v", expression, text(v), want)
		}
	}
	check(t, []functionCase{{`ASIN(2)`, "NaN"}, {`ACOS(-2)`, "NaN"}, {`COT(0)`, "NaN"}, {`SINH(1000)`, "NaN"}, {`SIN('0')`, "0.0"}})
}

func TestGeographicDistance(t *testing.T) {
	t.Parallel()
	s := expr.NewScratch()
	for expression, want := range map[string]float64{
		`GEO_DISTANCE(0,0,0,1)`:                              111194.93,
		`GEO_DISTANCE(0,0,0,0)`:                              0,
		`GEO_DISTANCE(90,0,-90,0)`:                           math.Pi * 6371000,
		`GEO_DISTANCE(0,0,0,180)`:                            math.Pi * 6371000,
		`GEO_DISTANCE(0,179.5,0,-179.5)`:                     111194.93,
		`GEO_DISTANCE(40.7128,-74.0060,51.5074,'-0.1278')`:   5570222.18,
		`GEO_DISTANCE(-33.8688, 151.2093, 35.6762,139.6503)`: 7823264,
	} {
		v := compile(t, expression).Eval(message.JSON{}, []byte(messageF), s)
		if v.Kind != message.Float || math.Abs(v.Float()-want) > max(0.01, want*1e-3) {
			t.Errorf("%s: %s, want %v", expression, text(v), want)
		}
	}
	check(t, []functionCase{{`GEO_DISTANCE(91,0,0,0)`, "NaN"}, {`GEO_DISTANCE(0,0,-90.5,0)`, "NaN"}})
}

func TestChecksumFunctions(t *testing.T) {
	t.Parallel()
	check(t, []functionCase{
		{`CRC32('123456789')`, "486108540"},
		{`CRC32(123456789)`, "486108540"},
		{`CRC64('123456789')`, "11051210869376104954"},
		{`CRC64(/t) = CRC64('true')`, "true"},
	})
}

func TestArrayFunctions(t *testing.T) {
	t.Parallel()
	check(t, []functionCase{
		{`ARRAY_COUNT(/d)`, "4"}, {`ARRAY_COUNT(/none)`, "0"}, {`ARRAY_COUNT(/s)`, "1"}, {`ARRAY_COUNT(/z)`, "1"}, {`ARRAY_COUNT(/d[0])`, "1"},
		{`ARRAY_COUNT(/d[2])`, "0"}, {`ARRAY_COUNT(NULL)`, "0"}, {`ARRAY_COUNT('a')`, "1"}, {`ARRAY_COUNT(/d[9])`, "0"},
		{`ARRAY_MAX(/mixed)`, "3.5"}, {`ARRAY_MIN(/mixed)`, "1"}, {`ARRAY_MAX(/d)`, "x"}, {`ARRAY_MIN(/d)`, "-2"}, {`ARRAY_MAX(/words)`, "b"}, {`ARRAY_MIN(/words)`, "C"},
		{`ARRAY_MAX(/f)`, "2.50"}, {`ARRAY_MAX(5)`, "5"},
		{`ARRAY_SUM(/mixed)`, "6.5"}, {`ARRAY_SUM(/d)`, "NaN"}, {`ARRAY_SUM(/i)`, "-7"}, {`ARRAY_SUM(/t)`, "1"},
		{`ARRAY_TO_STRING(/d,'-','?')`, "3-x-?--2"}, {`ARRAY_TO_STRING(/d,NULL,NULL)`, "3x-2"}, {`ARRAY_TO_STRING(/d,', ','')`, "3, x, , -2"},
		{`ARRAY_TO_STRING(/none,'-','?')`, "NULL"}, {`ARRAY_TO_STRING(/z,'-','?')`, "?"}, {`ARRAY_TO_STRING(/n,'-','?')`, "?"}, {`ARRAY_TO_STRING(/z,'-','')`, "NULL"},
		{`ARRAY_TO_STRING(/f,'-','?')`, "2.50"}, {`ARRAY_TO_STRING(/d,0,1)`, "30x010-2"}, {`ARRAY_TO_STRING(/words,UPPER('x'),1)`, "bXaXC"},
		{`ARRAY_TO_STRING(/d[2],'-','?')`, "NULL"}, {`UPPER(ARRAY_TO_STRING(/words,LOWER('X'),LOWER(/s)))`, "BXAXC"},
	})
}

func TestTypedValueFunctions(t *testing.T) {
	t.Parallel()
	check(t, []functionCase{
		{`TRUE_VALUE()`, "true"}, {`FALSE_VALUE()`, "false"}, {`NAN_VALUE()`, "NaN"}, {`TRUE_VALUE() = 1`, "true"}, {`NAN_VALUE( ) IS NAN`, "true"},
		{`CHAR_VALUE(65)`, "A"}, {`CHAR_VALUE(1) = '\x01'`, "true"}, {`CHAR_VALUE(0) = '\x00'`, "true"}, {`CHAR_VALUE(255)`, "\xff"}, {`CHAR_VALUE(65.0)`, "A"},
		{`CHAR_VALUE(256)`, "NULL"}, {`CHAR_VALUE(-1)`, "NULL"}, {`CHAR_VALUE(65.5)`, "NULL"}, {`CHAR_VALUE('x')`, "NULL"}, {`CHAR_VALUE('66')`, "B"},
	})
}

func TestCallsAreCheckedWhenTheyAreCompiled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		offset int
	}{
		{`1 = UPPER()`, 4}, {`UPPER('a','b')`, 0}, {`CONCAT()`, 0}, {`COALESCE()`, 0}, {`TRUE_VALUE(1)`, 0}, {`UNIX_TIMESTAMP(1)`, 0},
		{`REGEXP_MATCH(/a, '(')`, 17}, {`REGEXP_REPLACE(/a, '[', 'x')`, 19}, {`REGEXP_MATCH(/a,'x'`, 19}, {`REGEXP_MATCH(/a,)`, 16},
		{`REGEXP_MATCH('it' 's', 'x')`, 18}, {`MESSAGE_SIZE(1)`, 0}, {`YEAR()`, 0}, {`VALUE_LOOKUP('a', 1)`, 0}, {`UPPER(,)`, 6}, {`UPPER(/a`, 8},
		{`REGEXP_REPLACE('a','b','\xZZ')`, 24},
	} {
		_, err := expr.CompileFilter(c.text)
		var syntax *expr.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != c.offset {
			t.Errorf("%q: %v, want a syntax error at %d", c.text, err, c.offset)
		}
	}
}

// 02-expressions §9: which expressions are refused where outcomes must repeat.
func TestFiltersKnowWhetherTheyAreDeterministic(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]bool{
		`UNIX_TIMESTAMP() > 1`:             false,
		`IF(1 = 1, /a, UNIX_TIMESTAMP())`:  false,
		`UPPER(STRFTIME('%Y', /a)) = 'X'`:  true,
		`/a = 1`:                           true,
		`1 = 2 AND 1 < unix_timestamp( )`:  false,
		`STRFTIME('%Y', UNIX_TIMESTAMP())`: false,
		`'UNIX_TIMESTAMP()' = /a`:          true,
	} {
		if got := compile(t, expression).Deterministic(); got != want {
			t.Errorf("%s: deterministic %t", expression, got)
		}
	}
}

func TestTheClockIsReadForEachEvaluation(t *testing.T) {
	t.Parallel()
	f, s := compile(t, `UNIX_TIMESTAMP() * 1`), expr.NewScratch()
	first := f.Eval(message.JSON{}, []byte(`{}`), s).Float()
	if now := float64(time.Now().UnixMicro()) / 1e6; math.Abs(now-first) > 60 {
		t.Errorf("%v, now it is %v", first, now)
	}
	for deadline := time.Now().Add(time.Minute); f.Eval(message.JSON{}, []byte(`{}`), s).Float() == first; {
		if time.Now().After(deadline) {
			t.Fatal("the clock stands still")
		}
	}
}

func TestProducedTextsAreBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", expr.ProducedBytesMax)
	body := []byte(`{"max":"` + long + `","a":"a","n":[` + strings.Repeat(`"`+long[:1<<19]+`",`, 2) + `1]}`)
	s := expr.NewScratch()
	for expression, want := range map[string]int{
		`CONCAT(/max)`:                              expr.ProducedBytesMax,
		`CONCAT(/max, /a)`:                          0,
		`CONCAT(/max, 1)`:                           0,
		`UPPER(/max)`:                               expr.ProducedBytesMax,
		`REVERSE(UPPER(/max))`:                      expr.ProducedBytesMax,
		`REPLACE(/max, 'x', 'xx')`:                  0,
		`REPLACE(CONCAT(/max), 'x', 'y')`:           expr.ProducedBytesMax,
		`REGEXP_REPLACE(/max, 'x', 'xx')`:           0,
		`REGEXP_REPLACE(/max, '[x]', 'y')`:          0, // too many matches
		`REGEXP_REPLACE(/max, '[x]+$', 'y')`:        1,
		`REGEXP_MATCH(/max, '.*')`:                  expr.ProducedBytesMax,
		`ARRAY_TO_STRING(/n, '', '')`:               0,
		`ARRAY_TO_STRING(/max, '', '')`:             expr.ProducedBytesMax,
		`LEFT(/max, 9)`:                             9,
		`CONCAT(LEFT(UPPER(/max), 3), REVERSE(/a))`: 4,
	} {
		if got := len(compile(t, expression).Eval(message.JSON{}, body, s).Text); got != want {
			t.Errorf("%s: %d bytes, want %d", expression, got, want)
		}
	}
	// All texts of one evaluation together are bounded as well; those of
	// conditions that are over do not count.
	const part = "LEFT(UPPER(/max),1)"
	for n, want := range map[int]string{7: "XXXXXXX", 20: "NULL"} {
		list := strings.Repeat(part+",", n-1) + part
		if got := text(compile(t, "CONCAT("+list+")").Eval(message.JSON{}, body, s)); got != want {
			t.Errorf("%d texts make %s, want %s", n, got, want)
		}
	}
	apart := slices.Repeat([]string{part + " = 'X'"}, 20)
	if !compile(t, strings.Join(apart, " AND ")).Match(message.JSON{}, body, s) {
		t.Error("conditions one after the other do not find room")
	}
}

func TestLongConstantsAreNotKept(t *testing.T) {
	t.Parallel()
	ten := strings.Repeat("a", 10)
	inner := "'" + ten + "'"
	for range 5 {
		inner = "REPLACE(" + inner + ",'a','" + ten + "')"
	}
	f := compile(t, "LENGTH("+inner+") = 1000000")
	if !f.Match(message.JSON{}, []byte(`{}`), expr.NewScratch()) {
		t.Error("wrong length")
	}
	begin := time.Now()
	for range 150 {
		inner = "UPPER(" + inner + ")"
	}
	compile(t, inner)
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("compiling took %v", took)
	}
}

func TestExpensivePatternsEndAtTheirLimit(t *testing.T) {
	t.Parallel()
	body := []byte(`{"a":"` + strings.Repeat("a", 3000) + `!"}`)
	s := expr.NewScratch()
	if v := compile(t, `REGEXP_MATCH(/a, '^(a+)+\1$')`).Eval(message.JSON{}, body, s); !v.IsNull() {
		t.Errorf("matched %.20q", v.Text)
	}
	if v := compile(t, `REGEXP_REPLACE(/a, '^(a+)+\1$', 'x')`).Eval(message.JSON{}, body, s); len(v.Text) != 3001 {
		t.Errorf("%d bytes, want the text as it was", len(v.Text))
	}
}

func TestPatternsOfMessagesAreForgottenWhenThereAreMany(t *testing.T) {
	t.Parallel()
	f, s := compile(t, `REGEXP_MATCH(/a, /p)`), expr.NewScratch()
	for round := range 3 {
		for i := range 100 {
			body := `{"a":"x` + strconv.Itoa(i) + `y","p":"` + strconv.Itoa(i) + `[y]"}`
			if got := text(f.Eval(message.JSON{}, []byte(body), s)); got != strconv.Itoa(i)+"y" {
				t.Fatalf("round %d: %s gives %s", round, body, got)
			}
		}
	}
	body := `{"a":"a","p":"[` + strings.Repeat("a", 2000) + `]"}`
	if got := text(f.Eval(message.JSON{}, []byte(body), s)); got != "NULL" {
		t.Errorf("a pattern of 2002 bytes gives %s", got)
	}
}
