package expr_test

import "testing"

// everyCall has every function at work on messageF, none of it constant. All
// are NULL, a number or a text; the regular expressions are of the linear
// engine.
var everyCall = []string{
	`IF(/t, /s, /n)`, `COALESCE(/n, /s)`, `INSTR(/s, 'It')`, `INSTR_I(/s, 'IT')`, `STREQUAL(/s, /i)`, `STREQUAL_I(/s, 'x')`,
	`CONCAT(/s, /i, 1.5, /i * 2)`, `UPPER(/s)`, `LOWER(/s)`, `SUBSTR(/s, 2, 3)`, `REVERSE(/s)`, `LEFT(/s, 2)`, `RIGHT(/s, 2)`,
	`TRIM(/blank)`, `LTRIM(/blank)`, `RTRIM(/blank)`, `LENGTH(/s)`, `LENGTH(/i + 1)`, `REPLACE(/s, 'r', '--')`,
	`REGEXP_MATCH(/s, '[a-z]+k')`, `REGEXP_MATCH(/u, '[^A]')`, `REGEXP_MATCH(/s, /pattern)`, `REGEXP_REPLACE(/s, 'r', '--')`, `REGEXP_REPLACE(/s, '[0-9]', '--')`,
	`ABS(/i)`, `ROUND(/f, 1)`, `ROUND(/f)`, `CEILING(/f)`, `FLOOR(/f)`, `SIGN(/i)`, `SQRT(/f)`, `EXP(/f)`, `LN(/f)`, `LOG2(/f)`, `LOG10(/f)`, `POWER(/f, 2)`,
	`WIDTH_BUCKET(/f, 0, 10, 5)`, `SIN(/f)`, `COS(/f)`, `TAN(/f)`, `COT(/f)`, `ASIN(/f)`, `ACOS(/f)`, `ATAN(/f)`, `SINH(/f)`, `COSH(/f)`, `TANH(/f)`,
	`RADIANS(/f)`, `DEGREES(/f)`, `ATAN2(/f, 1)`, `GREATEST(/f, /i, /n)`, `LEAST(/f, /i, /n)`, `UNIX_TIMESTAMP()`,
	`STRFTIME('%c %FT%T.%f %j %U %V %A %B %^a', /f)`, `STRPTIME(/s, '%F')`, `STRPTIME(CONCAT(/i, '-12-01'), '%F')`, `STRPTIME('Dec 2 1970 12:30:15.5', CONCAT('%b %d %Y %T.%f', /n))`,
	`GEO_DISTANCE(/f, /i, 1, 2)`, `CRC32(/s)`, `CRC64(/s)`,
	`ARRAY_COUNT(/d)`, `ARRAY_MAX(/d)`, `ARRAY_MIN(/d)`, `ARRAY_SUM(/mixed)`, `ARRAY_TO_STRING(/d, '-', 'x')`,
	`TRUE_VALUE() = /t`, `FALSE_VALUE() = /t`, `NAN_VALUE() = /f`, `CHAR_VALUE(/f * 2)`,
	`UPPER(/s) LIKE 'CR' AND LOWER(/s) IN ('x', REVERSE(/s)) OR CONCAT(/i, 'x') BEGINS WITH (/i + 0)`, `/d = UPPER(/s)`,
}

func BenchmarkUpperInFilter(b *testing.B) {
	benchmarkFilter(b, `UPPER(/origin) IN ('DTW', 'ORD')`)
}
func BenchmarkInstrFold(b *testing.B)  { benchmarkFilter(b, `INSTR_I(/date, 'x 21') > 0`) }
func BenchmarkRegexMatch(b *testing.B) { benchmarkFilter(b, `REGEXP_MATCH(/date, '[0-9]+:') = '21:'`) }
func BenchmarkStrftime(b *testing.B) {
	benchmarkFilter(b, `STRFTIME('%Y-%m-%dT%H:%M:%S.%03f', /delay) = 'x'`)
}
func BenchmarkStrptime(b *testing.B)   { benchmarkFilter(b, `STRPTIME(/date, '%Y/%m/%d %H:%M') > 1`) }
func BenchmarkRoundPrice(b *testing.B) { benchmarkFilter(b, `ROUND(/delay * 1.0625, 2) > 70`) }
func BenchmarkCoalesceIf(b *testing.B) { benchmarkFilter(b, `IF(COALESCE(/none, /delay) > 60, 1, 0)`) }
func BenchmarkConcatThree(b *testing.B) {
	benchmarkFilter(b, `CONCAT(/origin, '-', /destination) = 'DTW-LAS'`)
}
