package statistic

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rising returns a course whose numbers are 0, 1, 2 and so on.
func rising(n int) (c []Step) {
	for i := range n {
		c = append(c, Step{Begin: float64(i), End: float64(i + 1), Count: 1, Mean: float64(i), Rate: 10 * float64(i)})
	}
	return c
}

func TestAReportHasALineOfBarsForEachCourse(t *testing.T) {
	gap := rising(8)
	gap[3].Mean = math.NaN()
	below := rising(3)
	below[0].Mean = -2
	table := Table{Until: 8, Rows: []Row{
		{Group: "a", Name: "plain", Kind: "tally"},
		{Group: "a", Name: "queue", Unit: "customers", Kind: "level", Course: rising(8)},
		{Group: "a", Name: "gap", Kind: "level", Course: gap},
		{Group: "a", Name: "calls", Unit: "calls", Kind: "series", Course: rising(8)},
		{Group: "a", Name: "below", Kind: "level", Course: below},
		{Group: "a", Name: "never", Kind: "level", Course: make([]Step, 3)},
		{Group: "a", Name: "short", Kind: "level", Course: rising(1)},
		{Group: "a", Name: "long", Kind: "level", Course: rising(600)},
	}}
	var b bytes.Buffer
	require.NoError(t, table.WriteText(&b))
	_, courses, _ := strings.Cut(b.String(), "\nOver the time, a bar for each interval or several\n")
	long := strings.Repeat("▁", 4) + strings.Repeat("▂", 9) + strings.Repeat("▃", 8) + strings.Repeat("▄", 9) +
		strings.Repeat("▅", 8) + strings.Repeat("▆", 9) + strings.Repeat("▇", 8) + strings.Repeat("█", 5)
	require.Equal(t, "a  queue  up to 7 customers                ▁▂▃▄▅▆▇█\n"+
		"a  gap    up to 7                          ▁▂▃ ▅▆▇█\n"+
		"a  calls  up to 70 calls per unit of time  ▁▂▃▄▅▆▇█\n"+
		"a  below  up to 2                          ▁▆█\n"+
		"a  never  up to 0                          ▁▁▁\n"+
		"a  long   up to 594.5                      "+long+"\n", courses)
}
