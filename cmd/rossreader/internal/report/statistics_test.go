// This file pins the table of the model's statistics.

package report

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
)

func TestThePageShowsTheStatisticsOfTheModel(t *testing.T) {
	path := surveytest.Typical().Write(t)
	require.NotContains(t, makePage(t, path), `id="statistics"`)
	file := filepath.Join(path, "ross-stats-statistics.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"from": 1, "until": 9, "rows": [
		{"group": "M/M/1", "statistic": "waiting <time>", "unit": "s", "kind": "histogram", "lps": 8, "count": 30, "sum": 60, "mean": 2.5,
		 "stddev": null, "least": 0, "greatest": 8, "nonzero": null, "quantiles": {"0.5": 1.25},
		 "bins": [{"low": 0, "high": 0, "n": 3}, {"low": 1, "high": 2, "n": 20}, {"low": 7, "high": 8, "n": 10}]}]}`), 0o666))
	page := makePage(t, path)
	require.Contains(t, page, `id="statistics"`)
	require.Contains(t, page, "waiting &lt;time&gt;")
	require.Contains(t, page, "2.5")
	require.Contains(t, page, "1.25")
	require.Contains(t, page, "█")

	require.NoError(t, os.WriteFile(file, []byte("no"), 0o666))
	_, err := load(t, path).statisticsOf()
	require.ErrorContains(t, err, file)
}

func TestSparksHaveTheShapeOfTheBins(t *testing.T) {
	s := statistic{Bins: []struct{ Low, High, N float64 }{{0, 1, 8}, {1, 2, 4}, {3, 4, 1}}}
	require.Equal(t, "████████▄▄▄▄▄▄▄▄        ▁▁▁▁▁▁▁▁", s.Spark())
	require.Empty(t, statistic{}.Spark())
	s = statistic{Course: []interval{{0, 5, 1, 2}, {5, 10, 1, -2}}}
	require.Equal(t, "████████████████                ", s.Spark())
}
