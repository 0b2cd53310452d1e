package expr_test

import (
	"errors"
	"testing"

	"farad/expr"
	"farad/expr/message"
)

const (
	messageD = `{"data":[1,2,3,"zebra",5],"other":[14,34,23,5]}`
	messageM = `{"a":1,"b":"47","s":"fandango","n":null,"e":"","t":true,"p":90.50,"x":"Crank"}`
)

// vector is a row of 02-expressions §13.
type vector struct {
	number     int
	message    string
	expression string
	want       string // true, false, NULL, NaN, or the string form of a value
}

// 02-expressions #1-107, #111: the test vectors for JSON.
var vectors = []vector{
	{1, `{}`, `1 < 2`, "true"},
	{2, `{}`, `10 < '2'`, "false"},
	{3, `{}`, `'2.000' <> '2.0'`, "true"},
	{4, `{}`, `2 = 2.0`, "true"},
	{5, `{}`, `10 < 'Crank It Up'`, "true"},
	{6, `{}`, `10 < ''`, "false"},
	{7, `{}`, `10 > ''`, "false"},
	{8, `{}`, `'' = ''`, "false"},
	{9, `{}`, `'' IS NULL`, "true"},
	{10, `{}`, `1 / 5`, "0"},
	{11, `{}`, `1.0 / 5`, "0.2"},
	{12, `{}`, `-5 % 3`, "-2"},
	{13, `{}`, `5 % -3`, "2"},
	{14, `{}`, `5 MOD 3`, "2"},
	{15, `{}`, `7 / 0`, "NaN"},
	{16, `{}`, `1 = 1`, "true"},
	{17, `{"name":"Gyro","job":"kitten"}`, `/name = 'Gyro'`, "true"},
	{18, `{"name":"Gyro","job":"kitten"}`, `/Name = 'Gyro'`, "false"},
	{19, messageM, `/b = 47`, "true"},
	{20, messageM, `/b = '47.0'`, "false"},
	{21, messageM, `/a = '1.0'`, "true"},
	{22, messageM, `/a + /b`, "48"},
	{23, messageM, `/x + 1`, "NaN"},
	{24, messageM, `(/x + 1) IS NAN`, "true"},
	{25, messageM, `/n + 1`, "NULL"},
	{26, messageM, `/n = NULL`, "false"},
	{27, messageM, `/n != NULL`, "false"},
	{28, messageM, `/n IS NULL`, "true"},
	{29, messageM, `/e IS NULL`, "true"},
	{30, messageM, `/none IS NULL`, "true"},
	{31, messageM, `NOT /a IS NULL`, "true"},
	{32, messageM, `/none != 1`, "false"},
	{33, messageM, `NOT /none = 1`, "true"},
	{34, messageM, `/none NOT IN (1,2)`, "true"},
	{35, messageM, `/none IN (NULL, 1)`, "false"},
	{36, messageM, `/t = 1`, "true"},
	{37, messageM, `/t`, "true"},
	{38, messageM, `/none`, "NULL"},
	{39, messageM, `/none AND /a = 1`, "NULL"},
	{40, messageM, `/a = 1 AND /none`, "NULL"},
	{41, messageM, `/a = 2 AND /none`, "false"},
	{42, messageM, `/none OR /a = 1`, "NULL"},
	{43, messageM, `/a = 1 OR /none`, "true"},
	{44, messageM, `/a = 2 OR /none`, "NULL"},
	{45, messageM, `/none = 3 OR /a = 1`, "true"},
	{46, `{}`, `1 = 1 OR 1 = 2 AND 1 = 2`, "true"},
	{47, `{}`, `(1 = 1 OR 1 = 2) AND 1 = 2`, "false"},
	{48, `{}`, `NOT 1 = 2 AND 1 = 1`, "true"},
	{49, `{}`, `2 + 3 * 4`, "14"},
	{50, messageM, `/p BETWEEN 90.5 AND 100`, "true"},
	{51, messageM, `/p NOT BETWEEN 90.0 AND 90.5`, "false"},
	{52, messageM, `/p LIKE '^90\.50$'`, "true"},
	{53, messageM, `/x LIKE 'ran'`, "true"},
	{54, messageM, `/x LIKE '^ran'`, "false"},
	{55, messageM, `/x LIKE 'CRANK'`, "false"},
	{56, messageM, `/x LIKE '(?i)^crank$'`, "true"},
	{57, `{"state":"Tennessee"}`, `/state LIKE '(.)\1'`, "true"},
	{58, `{"state":"Ohio"}`, `/state LIKE '(.)\1'`, "false"},
	{59, `{"l":"I use C++ now"}`, `/l LIKE r'C++'`, "true"},
	{60, `{"l":"I use C++ now"}`, `/l LIKE 'C\+\+'`, "true"},
	{61, `{"l":"CC"}`, `/l LIKE r'C++'`, "false"},
	{62, `{"l":"I"}`, `/l LIKE '%I%'`, "false"},
	{63, `{"d":"Engineering East"}`, `/d BEGINS WITH ('Research','Engineering')`, "true"},
	{64, `{"f":"a.PNG"}`, `/f ENDS WITH ('gif','png')`, "false"},
	{65, `{"f":"a.txt"}`, `/f NOT ENDS WITH ('99')`, "true"},
	{66, `{"s":"all critical now"}`, `INSTR(/s, "critical") != 0`, "true"},
	{67, `{}`, `INSTR('abc','a')`, "1"},
	{68, `{}`, `INSTR('abc','z')`, "0"},
	{69, `{}`, `INSTR_I('x,msft','MSFT')`, "3"},
	{70, `{}`, `STREQUAL_I('qed','QED') == 1`, "true"},
	{71, `{}`, `REVERSE(SUBSTR('fandango',5)) == 'ogna'`, "true"},
	{72, `{}`, `SUBSTR('abc',9) IS NULL`, "true"},
	{73, `{"k":"msft"}`, `UPPER(/k) IN ('MSFT','IBM')`, "true"},
	{74, messageD, `/data = 1`, "true"},
	{75, messageD, `/data != 'zebra'`, "true"},
	{76, messageD, `/data = 42`, "false"},
	{77, messageD, `/data LIKE 'z'`, "true"},
	{78, messageD, `/other > 30`, "true"},
	{79, messageD, `/other > 50`, "false"},
	{80, messageD, `/data[0] = 1`, "true"},
	{81, messageD, `/data[3] = "zebra"`, "true"},
	{82, messageD, `/data[1] != 1`, "true"},
	{83, messageD, `/other[1] LIKE '4'`, "true"},
	{84, messageD, `/data[9] IS NULL`, "true"},
	{85, messageD, `/data = /other`, "true"},
	{86, messageD, `/data != /other`, "true"},
	{87, messageD, `3 IN (/data)`, "true"},
	{88, messageD, `/data IN ("zebra","lion")`, "true"},
	{89, messageD, `/data NOT IN ("zebra","lion")`, "false"},
	{90, messageD, `/other + 1`, "15"},
	{91, messageD, `COALESCE(/other, 0)`, "14"},
	{92, `{"v":[]}`, `/v IS NULL`, "true"},
	{93, `{"v":[]}`, `/v = 1`, "false"},
	{94, `{"o":{"C":[{"x":"p","y":1},{"x":"q","y":2}]}}`, `/o/C/x[1] = 'q'`, "true"},
	{95, `{"o":{"C":[{"x":"p","y":1},{"x":"q","y":2}]}}`, `/o/C IS NULL`, "true"},
	{96, messageD, `ARRAY_SUM(/other)`, "76"},
	{97, messageD, `ARRAY_MAX(/data)`, "zebra"},
	{98, `{"d":[1,null,3]}`, `ARRAY_TO_STRING(/d, ',', '?')`, "1,?,3"},
	{99, `{"q":20}`, `IF((/q % 10) == 0, 1, 0)`, "1"},
	{100, `{"source":"z"}`, `IF(/source IN ('a','e'), /source, NULL)`, "NULL"},
	{101, `{}`, `COALESCE(/u,/e,'restricted') != 'restricted'`, "false"},
	{102, `{}`, `CRC32('123456789')`, "486108540"},
	{103, `{}`, `STRFTIME('%Y-%m-%dT%H:%M:%S', 86400)`, "1970-01-02T00:00:00"},
	{104, `{}`, `'a\x41\102'`, "aAB"},
	{105, `{}`, `'\'x\'' = "'x'"`, "true"},
	{106, `{}`, `CHAR_VALUE(65) = 'A'`, "true"},
	{107, `{}`, `18446744073709551610 > 9223372036854775807`, "true"},
	{111, `{"Not Xpath Name":5}`, `[/Not Xpath Name] = 5`, "true"},

	// Further statements of sections 2 to 9, beyond the numbered vectors.
	{0, `{"z":"04109"}`, `/z = '04109'`, "true"},
	{0, `{"z":"04109"}`, `/z = 4109`, "true"},
	{0, `{"z":4109}`, `/z = '04109'`, "true"},
	{0, `{"z":"04109"}`, `/z = '4109'`, "false"},
	{0, `{"a-1":7,"a":9}`, `/a-1`, "7"},
	{0, `{"a":9}`, `/a - 1`, "8"},
	{0, `{"6":3,"14":2}`, `/6*/14`, "6"},
	{0, `{"14":2,"6":3,"21964":6}`, `/21964 IN (/14*5, /6*/14, 1000)`, "true"},
	{0, `{"code":1,"d":"x","code":2}`, `/code = 1`, "true"},
	{0, `{"a":{"b":{"c":"deep"}}}`, `/a/b/c = 'deep'`, "true"},
	{0, `{"d":[1,null,3]}`, `/d[2] = 3`, "true"},
	{0, `{"d":[[1,2],[3]]}`, `/d[2] = 3`, "true"},
	{0, `{"d":[5,50]}`, `/d BETWEEN 10 AND 20`, "true"}, // 8.8: two elements
	{0, `{"d":[5,50]}`, `NOT /d = 5`, "false"},
	{0, `{}`, `9223372036854775807 + 1`, "9223372036854775808"},
	{0, `{}`, `18446744073709551615 + 1`, "18446744073709552000.0"},
	{0, `{}`, `-9223372036854775808 - 1`, "-9223372036854776000.0"},
	{0, `{}`, `5.0 / 2`, "2.5"},
	{0, `{}`, `-7 / 2`, "-3"},
	{0, `{}`, `7.5 % 2`, "1.5"},
	{0, `{}`, `100.0 * 1`, "100.0"},
	{0, `{}`, `1e308 * 10`, "NaN"},
	{0, `{}`, `('x' + 1) = 1`, "false"},
	{0, `{}`, `('x' + 1) != 1`, "true"},
	{0, `{}`, `('x' + 1) AND 1 = 1`, "NULL"},
	{0, `{}`, `NOT NULL`, "NULL"},
	{0, `{}`, `NULL + (0 / 0)`, "NULL"},
	{0, `{}`, `IF(NULL, 'yes', 'no')`, "no"},
	{0, `{}`, `1 < 2 = 1`, "false"}, // equality binds first: 1 < (2 = 1)
	{0, `{"t":false}`, `/t = 0`, "true"},
	{0, `{"t":true}`, `/t LIKE '^true$'`, "true"},
	{0, `{"p":12.50}`, `/p BEGINS WITH ('12.5')`, "true"},
	{0, `{"p":12.50}`, `/p ENDS WITH (0)`, "true"},
	{0, `{"p":null}`, `/p ENDS WITH ('x')`, "false"},
	{0, `{}`, `.5 + 5.`, "5.5"},
	{0, `{}`, `+3 - -2`, "5"},
	{0, `{}`, `r'\x41'`, `\x41`},
	{0, `{}`, `'line
break' IS NOT NULL`, "true"},
	{0, `{"x":"a'b"}`, `/x LIKE 'a\'b'`, "true"},
	{0, `{"m":{"@a":1}}`, `/m/@a = 1`, "true"},
	{0, `{"q":1}`, `/q IS NOT NAN`, "true"},
	{0, `{"q":1}`, `SOMETHING IN (1)`, "error"},
}

func text(v message.Value) string {
	if v.IsNull() {
		return "NULL"
	}
	return string(v.AppendText(nil))
}

func TestVectors(t *testing.T) {
	t.Parallel()
	s := expr.NewScratch()
	for _, c := range vectors {
		f, err := expr.CompileFilter(c.expression)
		if err != nil {
			if c.want != "error" {
				t.Errorf("#%d %s: %v", c.number, c.expression, err)
			}
			continue
		}
		got := text(f.Eval(message.JSON{}, []byte(c.message), s))
		if got != c.want {
			t.Errorf("#%d %s on %s: %s, want %s", c.number, c.expression, c.message, got, c.want)
		}
		match := f.Match(message.JSON{}, []byte(c.message), s)
		if (c.want == "true") != match && (c.want == "true" || c.want == "false" || c.want == "NULL" || c.want == "NaN") {
			t.Errorf("#%d %s on %s: matches %t", c.number, c.expression, c.message, match)
		}
		m := expr.NewMatcher(message.JSON{})
		m.Add(7, f)
		if ids := m.Match([]byte(c.message), s); (len(ids) == 1) != match {
			t.Errorf("#%d %s on %s: the matcher says %v, the filter %t", c.number, c.expression, c.message, ids, match)
		}
	}
}

// 02-expressions #121-124, #126: what is refused, and where.
func TestSyntaxErrorsNameThePlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		offset int
	}{
		{`/a LIKE /b`, 8},
		{`/a = `, 5},
		{`/a LIKE '('`, 8},
		{`NOSUCH(/a) = 1`, 0},
		{`SUM(/a) > 1`, 0},
		{``, 0},
		{`/a = 1 AND`, 10},
		{`/a = 'open`, 5},
		{`6/2`, 1},
		{`(/a = 1`, 7},
		{`/a = 1)`, 6},
		{`/a[1]/b = 1`, 5},
		{`/a[-1] = 1`, 2},
		{`/a[x] = 1`, 2},
		{`[ANY] /a = 1`, 0},
		{`[topic]./a = 1`, 0},
		{`/a OF CURRENT = 1`, 3},
		{`/a ~ 'x'`, 3},
		{`/a CONTAINS 'x'`, 3},
		{`1x = 1`, 1},
		{`'\xZZ'`, 1},
		{`/a = TRUE`, 5},
		{`IF(1, 2)`, 0},
		{`IF(1, 2, 3, 4)`, 0},
		{`/a IS 5`, 6},
		{`/a NOT = 5`, 7},
		{`/a IN ()`, 7},
		{`/a IN 5`, 6},
		{`/a BETWEEN 1`, 12},
		{`/a // b`, 4},
		{`//a`, 0},
		{`-- comment`, 3},
		{"\x00", 0},
	} {
		_, err := expr.CompileFilter(c.text)
		var syntax *expr.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: error %v, want a *SyntaxError", c.text, err)
			continue
		}
		if syntax.Offset != c.offset || syntax.Expected == "" || syntax.Found == "" {
			t.Errorf("%q: %v, want offset %d", c.text, err, c.offset)
		}
	}
}

func TestLimitsOfExpressions(t *testing.T) {
	t.Parallel()
	repeat := func(s string, n int) string {
		b := make([]byte, 0, len(s)*n)
		for range n {
			b = append(b, s...)
		}
		return string(b)
	}
	for name, text := range map[string]string{
		"length":      repeat(" ", expr.FilterBytesMax+1) + "1",
		"parentheses": repeat("(", expr.DepthMax+1) + "1" + repeat(")", expr.DepthMax+1),
		"negations":   repeat("NOT ", expr.DepthMax+1) + "1",
		"signs":       repeat("- ", expr.DepthMax+1) + "1",
		"parts":       "1" + repeat("+1", expr.NodesMax),
	} {
		if _, err := expr.CompileFilter(text); err == nil {
			t.Errorf("%s: no limit", name)
		}
	}
	if _, err := expr.CompileFilter(repeat("(", expr.DepthMax-1) + "1" + repeat(")", expr.DepthMax-1)); err != nil {
		t.Errorf("nesting below the limit: %v", err)
	}
}
