// This file tests what a model supplies: charts of its samples, its statistics, their histograms.

package report

import (
	"encoding/binary"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
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

// describeTypes writes a run.json with two types; LPs 2 and 3 have the second.
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
	require.Equal(t, [][3]num{{1, 2, num(100 * 20. / 33)}, {7, 8, num(100 * 10. / 33)}}, charts[0].Bins)
	require.Contains(t, charts[0].Note, "9.09 % are exactly 0")
	require.Equal(t, "queue: waiting", charts[0].Title)
	require.Equal(t, axis{Name: "virtual time", From: 5, Step: 10}, charts[1].X)
	sums := valuesOf(charts[1], "sum")
	require.Equal(t, []float64{4, 6}, sums[:2])
	require.True(t, math.IsNaN(sums[2]), "an infinite sum is no 0")
	require.Empty(t, all.Rows[1].Spark())
	require.Equal(t, "load (jobs)", charts[1].Y.Name)
	require.Contains(t, makePage(t, path), `id="statistic-0"`)
}

// histogram draws numbers that were counted in bins, each as wide as a share of its size, as the engine does.
func histogram(numbers []float64, share float64) chart {
	counts := map[int]float64{}
	for _, x := range numbers {
		counts[int(math.Floor(math.Log(x)/math.Log(1+share)))]++
	}
	s := statistic{Statistic: "x", Count: uint64(len(numbers)), Unit: "s"}
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		s.Bins = append(s.Bins, struct{ Low, High, N float64 }{math.Pow(1+share, float64(k)), math.Pow(1+share, float64(k+1)),
			counts[k]})
	}
	return (&statistics{Rows: []statistic{s}}).charts()[0]
}

// Bins become wider with the size, and bins without recordings are left out of the file: neither may change the shape.
func TestHistogramsAreDensities(t *testing.T) {
	dice := rand.New(rand.NewPCG(3, 5))
	var even, wide []float64
	for range 20_000 {
		even = append(even, 10+20*dice.Float64())
		wide = append(wide, math.Exp(10*dice.Float64()))
	}
	for name, numbers := range map[string][]float64{"even": even, "wide": wide} {
		for _, share := range []float64{1. / 256, 0.5} {
			c := histogram(numbers, share)
			require.Equal(t, name == "wide", c.X.Log)
			area := 0.0
			for _, b := range c.Bins {
				width := float64(b[1] - b[0])
				if c.X.Log {
					width = math.Log2(float64(b[1]) / float64(b[0]))
				}
				area += width * float64(b[2])
				n := 0.0 // by the numbers themselves
				for _, x := range numbers {
					if x >= float64(b[0]) && x < float64(b[1]) {
						n++
					}
				}
				require.InDelta(t, 100*n/20_000, width*float64(b[2]), 0.02)
			}
			require.InDelta(t, 100, area, 1e-6)
			require.LessOrEqual(t, len(c.Bins), 2*maxBins)
		}
	}
	gap := (&statistics{Rows: []statistic{{Count: 2, Bins: []struct{ Low, High, N float64 }{{1, 2, 1}, {7, 8, 1}}}}}).
		charts()[0]
	require.Equal(t, [][3]num{{1, 2, 50}, {7, 8, 50}}, gap.Bins, "nothing is drawn between 2 and 7")
	var many statistic
	for i := range 3 * maxBins {
		many.Bins = append(many.Bins, struct{ Low, High, N float64 }{float64(300 + i), float64(301 + i), 1})
	}
	c := (&statistics{Rows: []statistic{many}}).charts()[0]
	require.Len(t, c.Bins, maxBins)
	require.Equal(t, num(300+3*maxBins), c.Bins[maxBins-1][1])
	require.InDelta(t, 100./3/maxBins, float64(c.Bins[7][2]), 1e-9)
	zeros := (&statistics{Rows: []statistic{{Count: 9, Bins: []struct{ Low, High, N float64 }{{0, 0, 4}, {3, 3, 5}}}}}).
		charts()[0]
	require.Contains(t, zeros.Absent, "44.4 % are exactly 0")
}

func TestTheWarmUpIsShaded(t *testing.T) {
	s := statistic{Statistic: "x", Course: []interval{{End: 5}, {5, 10, 1, 2, 0}, {10, 15, 1, 3, 0}}}
	c := (&statistics{From: 7, Rows: []statistic{s}}).charts()[0]
	require.Equal(t, &[2]num{0, 7}, c.Shade)
	require.True(t, math.IsNaN(float64(c.Series[0].Values[0])), "what was not measured is no 0")
	require.Equal(t, num(2), c.Series[0].Values[1])
	require.Contains(t, c.Note, "until 7")
	require.Nil(t, (&statistics{Rows: []statistic{s}}).charts()[0].Shade)
}

func TestThePageShowsTheStatisticsOfTheModel(t *testing.T) {
	path := surveytest.Typical().Write(t)
	require.NotContains(t, makePage(t, path), `id="statistics"`)
	file := filepath.Join(path, "ross-stats-statistics.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"from": 1, "until": 9, "rows": [
		{"group": "M/M/1", "statistic": "waiting <time>", "unit": "s", "kind": "histogram", "lps": 8, "count": 30, "sum": 60, "mean": 2.5,
		 "stddev": null, "min": 0, "max": 8, "nonzero": null, "quantiles": {"0.999": 7.75, "0.57": 1.25},
		 "bins": [{"low": 0, "high": 0, "n": 3}, {"low": 1, "high": 2, "n": 20}, {"low": 7, "high": 8, "n": 10}]}]}`), 0o666))
	page := makePage(t, path)
	require.Contains(t, page, `id="statistics"`)
	require.Contains(t, page, "waiting &lt;time&gt;")
	require.Contains(t, page, "2.5")
	require.Regexp(t, `57 %.*99.9 %`, page)
	require.Regexp(t, `1.25<.*7.75<`, page)
	require.Contains(t, page, "█")

	require.NoError(t, os.WriteFile(file, []byte("no"), 0o666))
	_, err := load(t, path).statisticsOf()
	require.ErrorContains(t, err, file)
}

func TestSparksHaveTheShapeOfTheBins(t *testing.T) {
	s := statistic{Bins: []struct{ Low, High, N float64 }{{0, 1, 8}, {1, 2, 4}, {3, 4, 1}}}
	require.Equal(t, "████████▄▄▄▄▄▄▄▄        ▁▁▁▁▁▁▁▁", s.Spark())
	require.Empty(t, statistic{}.Spark())
	s = statistic{Course: []interval{{0, 5, 1, 2, 0}, {5, 10, 1, -2, 0}}}
	require.Equal(t, "████████████████                ", s.Spark())
}

func TestThePageShowsHowLevelsWent(t *testing.T) {
	s := statistic{Group: "a", Statistic: "queue", Kind: "level", Unit: "cars",
		Course: []interval{{0, 5, 2, 6, 3}, {5, 10, 2, 8, 4}},
		Values: []struct{ Least, Greatest, Share float64 }{{0, 0, 0.5}, {1, 1, 0.25}, {4, 4, 0.25}}}
	charts := (&statistics{Rows: []statistic{s}}).charts()
	require.Len(t, charts, 2)
	require.Equal(t, "statistic-0", charts[0].ID)
	require.Contains(t, charts[0].Note, "Average in each interval of 5")
	require.Equal(t, []num{3, 4}, charts[0].Series[0].Values)
	require.Equal(t, "statistic-0-values", charts[1].ID)
	require.Equal(t, [][3]num{{0, 1, 50}, {1, 2, 25}, {4, 5, 25}}, charts[1].Bins)
	require.Equal(t, "% of the time per cars", charts[1].Y.Name)
	require.NotContains(t, charts[1].Note, "ecordings")
	s.Course = nil
	require.Len(t, (&statistics{Rows: []statistic{s}}).charts(), 1)
	s.Course, s.Values = []interval{{0, 5, 2, 0, 3}, {5, 10, 2, 0, 0}}, nil
	require.Equal(t, "████████████████                ", s.Spark(), "of means")
}
