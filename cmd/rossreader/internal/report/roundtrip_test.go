// This file tests that the page has what the library writes: each field of the statistics of a run.

package report

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/stats"
)

// office is a state with statistics of all kinds.
type office struct {
	Calls  stats.Series    `ross:"calls & mails,calls,every=2"`
	Queue  stats.Level     `ross:"queue,callers"`
	Talks  stats.Histogram `ross:"talks,min"`
	Lost   stats.Counter   `ross:"lost"`
	Delays stats.Tally     `ross:"delays,s"`
}

func TestThePageHasEachFieldOfTheStatistics(t *testing.T) {
	sim, err := ross.Run(t.Context(), ross.Config{LPs: 2, End: 10}, ross.Type[office]{Name: "office",
		Init: func(_ *office, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, ross.None{}) },
		Event: ross.On(func(s *office, lp *ross.LP, _ *ross.None) {
			s.Calls.Add(lp, 1)
			s.Queue.Set(lp, float64(1+int(lp.Now())%4))
			s.Talks.Add(lp, lp.Now()/3)
			s.Delays.Add(lp, -1/lp.Now())
			ross.Send(lp, lp.ID(), 1, ross.None{})
		})})
	require.NoError(t, err)
	defer sim.Close()
	all, err := stats.Collect(sim)
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, all.WriteJSON(&text))
	dir := t.TempDir()
	path := surveytest.Run{}.Put(t, dir, instr.ModelSuffix,
		instr.AppendModel(nil, 1, 1, &instr.ModelStats{Mode: instr.ByGVT, Payload: sampleOf(1, 0)}))
	describeTypes(t, dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats-statistics.json"), text.Bytes(), 0o666))
	page := makePage(t, path)

	found := map[string][]string{}
	cell := regexp.MustCompile(`<td(?: class="n")?>(.*?)</td>`)
	for _, line := range regexp.MustCompile(`<tr><td>office</td>.*?</tr>`).FindAllString(page, -1) {
		var cells []string
		for _, m := range cell.FindAllStringSubmatch(line, -1) {
			cells = append(cells, html.UnescapeString(m[1]))
		}
		found[cells[1]] = cells
	}
	require.Len(t, found, len(all.Rows()))
	for _, r := range all.Rows() {
		number := func(x float64) string {
			if math.IsNaN(x) {
				return ""
			}
			return strconv.FormatFloat(x, 'g', 6, 64)
		}
		require.Equal(t, []string{r.Group, r.Name, r.Unit, r.Kind, fmt.Sprint(r.LPs), fmt.Sprint(r.Count), number(r.Mean),
			number(r.StdDev), number(r.Min), number(r.Max), number(r.NonZero)}, found[r.Name][:11])
	}
	require.Equal(t, "-1", found["delays"][8])
}
