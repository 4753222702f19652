// This file pins the charts of samples of models and of statistics.

package report

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
)

// sampleOf is a payload with the layout of the test's type.
func sampleOf(served uint32, wait float64) []byte {
	b := binary.LittleEndian.AppendUint32(nil, served)
	b = append(b, 9, 9, 9, 9)
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(wait))
}

// describeTypes writes a run.json with two types, of which LPs 2 and 3 have the second.
func describeTypes(t *testing.T, dir string) {
	t.Helper()
	const layout = "served:u32,_:x4,wait:f64"
	info := instr.RunInfo{Version: instr.RunVersion, ID: "1", State: instr.RunComplete, LPs: 4,
		Types:      []instr.RunType{{Name: "queue", Sample: layout, Point: layout}, {Name: "sink"}},
		TypeRanges: []instr.RunTypeRange{{First: 0, Count: 2}, {First: 2, Count: 2, Type: 1}}}
	require.NoError(t, info.Write(dir))
}

func valuesOf(c chart, name string) (values []float64) {
	for _, s := range c.Series {
		if s.Name == name {
			for _, v := range s.Values {
				values = append(values, float64(v))
			}
		}
	}
	return values
}

func TestSamplesOfModelsAreDrawnByTheirLayouts(t *testing.T) {
	dir := t.TempDir()
	var data []byte
	for gvt := range 3 {
		for lp := range uint32(4) {
			var payload []byte
			if lp < 2 {
				payload = sampleOf(uint32(gvt)*(lp+1), 0)
			}
			data = instr.AppendModel(data, float64(gvt*10), 1, &instr.ModelStats{LP: lp, Mode: instr.ByGVT, Payload: payload})
		}
	}
	path := surveytest.Run{}.Put(t, dir, instr.ModelSuffix, data)
	describeTypes(t, dir)
	f := load(t, path)
	require.Len(t, f.sampled, 2)
	c := f.sampled[0]
	require.Equal(t, "queue: served", c.Title)
	require.Equal(t, "GVT", c.X.Name)
	require.Equal(t, []float64{0, 1.5, 3}, valuesOf(c, "mean"))
	require.Equal(t, []float64{0, 1, 2}, valuesOf(c, "least"))
	require.Equal(t, []float64{0, 2, 4}, valuesOf(c, "greatest"))
	require.Contains(t, f.sampled[1].Absent, "All 6 samples are 0.")
	require.True(t, f.drawsModels(instr.Models))
	require.False(t, f.drawsModels(instr.VTFile))
	require.Contains(t, makePage(t, path), `id="model-0"`)
}

func TestSamplesAtVirtualTimesAreDrawnBesideThose(t *testing.T) {
	dir := t.TempDir()
	var data []byte
	for i := range 5 {
		data = instr.AppendVTModel(data, &instr.VTModel{LP: 1, TS: float64(i), Payload: sampleOf(7, float64(i))})
	}
	path := surveytest.Run{}.Put(t, dir, instr.VTSuffix, data)
	describeTypes(t, dir)
	f := load(t, path)
	require.Len(t, f.sampled, 2)
	require.Equal(t, "queue: wait, at virtual times", f.sampled[1].Title)
	require.Equal(t, []float64{0, 1, 2, 3, 4}, valuesOf(f.sampled[1], "mean"))
	require.Empty(t, valuesOf(f.sampled[1], "least"), "which is the same")
}

func TestSamplesWithoutALayoutSayHowToGetOne(t *testing.T) {
	dir := t.TempDir()
	path := surveytest.Run{}.Put(t, dir, instr.ModelSuffix,
		instr.AppendModel(nil, 1, 1, &instr.ModelStats{LP: 3, Mode: instr.ByGVT, Payload: []byte{1, 2}}))
	describeTypes(t, dir)
	f := load(t, path)
	require.Len(t, f.sampled, 1)
	require.Contains(t, f.sampled[0].Absent, "give ross.Type its SampleLayout")
}

func TestStatisticsHaveCharts(t *testing.T) {
	path := surveytest.Typical().Write(t)
	require.NoError(t, os.WriteFile(filepath.Join(path, "ross-stats-statistics.json"), []byte(`{"from": 0, "until": 30, "rows": [
		{"group": "queue", "statistic": "waiting", "unit": "s", "kind": "histogram", "count": 33,
		 "bins": [{"low": 0, "high": 0, "n": 3}, {"low": 1, "high": 2, "n": 20}, {"low": 7, "high": 8, "n": 10}]},
		{"group": "", "statistic": "load", "unit": "jobs", "kind": "series", "count": 5,
		 "course": [{"begin": 0, "end": 10, "count": 2, "sum": 4}, {"begin": 10, "end": 20, "count": 3, "sum": 6},
		  {"begin": 20, "end": 30, "count": 1, "sum": null}]},
		{"group": "", "statistic": "lost", "kind": "counter", "count": 5}]}`), 0o666))
	all, err := load(t, path).statisticsOf()
	require.NoError(t, err)
	charts := all.charts()
	require.Len(t, charts, 2)
	require.Equal(t, []string{"0", "1 – 2", "7 – 8"}, charts[0].Columns)
	require.Equal(t, []float64{3, 20, 10}, valuesOf(charts[0], "recordings"))
	require.Equal(t, "queue: waiting", charts[0].Title)
	require.Equal(t, axis{Name: "virtual time", From: 5, Step: 10}, charts[1].X)
	sums := valuesOf(charts[1], "sum")
	require.Equal(t, []float64{4, 6}, sums[:2])
	require.True(t, math.IsNaN(sums[2]), "an infinite sum is no 0")
	require.Empty(t, all.Rows[1].Spark())
	require.Equal(t, "load (jobs)", charts[1].Y.Name)
	require.Contains(t, makePage(t, path), `id="statistic-0"`)
}

func TestManyBinsAreJoined(t *testing.T) {
	s := statistic{Statistic: "x", Count: 100}
	for i := range 100 {
		s.Bins = append(s.Bins, struct{ Low, High, N float64 }{float64(i), float64(i + 1), 1})
	}
	c := (&statistics{Rows: []statistic{s}}).charts()[0]
	require.Len(t, c.Columns, 34)
	require.Equal(t, "0 – 3", c.Columns[0])
	require.Equal(t, "99 – 100", c.Columns[33])
	sum := 0.0
	for _, v := range valuesOf(c, "recordings") {
		sum += v
	}
	require.EqualValues(t, 100, sum)
}
