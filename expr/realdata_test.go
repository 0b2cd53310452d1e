package expr_test

import (
	"bytes"
	"os"
	"testing"

	"farad/expr"
	"farad/expr/message"
)

// realCounts are filters over real, untidy records (numbers as titles, keys
// with spaces, nulls, arrays), with how many of them match as counted by other
// means.
var realCounts = []struct {
	file   string
	filter string
	want   int
}{
	{"movies", `[/IMDB Rating] > 8`, 6},
	{"movies", `[/MPAA Rating] = 'PG-13' AND [/US Gross] >= 100000000`, 9},
	{"movies", `/Title LIKE '^The '`, 26},
	{"movies", `/Title LIKE '(?i)love'`, 3},
	{"movies", `/Title IS NULL`, 0},
	{"movies", `/Director IS NOT NULL AND [/Major Genre] IN ('Drama','Comedy')`, 35},
	{"movies", `/Title > 100 AND /Title < 3000`, 1},
	{"movies", `[/Worldwide Gross] > [/Production Budget] * 10`, 13},
	{"movies", `[/Rotten Tomatoes Rating] BETWEEN 40 AND 60`, 18},
	{"movies", `[/US DVD Sales] IS NULL AND NOT [/IMDB Votes] < 10000`, 60},
	{"movies", `[/Release Date] ENDS WITH ('1998','1999') AND LENGTH(/Title) > 20`, 3},
	{"movies", `UPPER(/Distributor) LIKE 'WARNER' OR COALESCE([/Creative Type], 'none') = 'none'`, 39},
	{"earthquakes", `/properties/mag >= 4.5`, 2},
	{"earthquakes", `/properties/place LIKE 'Alaska$' AND /properties/mag > 2`, 6},
	{"earthquakes", `/geometry/coordinates[2] > 100`, 3},
	{"earthquakes", `/geometry/coordinates < -170`, 0},
	{"earthquakes", `/properties/types LIKE ',shakemap,' AND /properties/tsunami = 0`, 1},
	{"earthquakes", `/properties/felt IS NULL OR /properties/felt > 50`, 59},
	{"earthquakes", `/properties/updated - /properties/time > 86400000`, 15},
	{"earthquakes", `STRFTIME('%H', /properties/time / 1000) IN ('00','01') AND /properties/net != 'us'`, 5},
	{"earthquakes", `/properties/time = 0 OR /id BEGINS WITH ('nc','ak')`, 24},
}

func TestFiltersOnRealRecordsCountWhatOtherToolsCount(t *testing.T) {
	t.Parallel()
	records := map[string][][]byte{}
	for _, name := range []string{"movies", "earthquakes"} {
		text, err := os.ReadFile("testdata/" + name + ".ndjson")
		if err != nil {
			t.Fatal(err)
		}
		records[name] = bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	}
	s := expr.NewScratch()
	for _, c := range realCounts {
		f := compile(t, c.filter)
		m := expr.NewMatcher(message.JSON{})
		m.Add(1, f)
		alone, matched := 0, 0
		for _, record := range records[c.file] {
			if f.Match(message.JSON{}, record, s) {
				alone++
			}
			matched += len(m.Match(record, s))
		}
		if alone != c.want || matched != c.want {
			t.Errorf("%s of %s: %d match, %d found by the matcher, want %d", c.filter, c.file, alone, matched, c.want)
		}
	}
}
