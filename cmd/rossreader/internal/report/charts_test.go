// This file tests the charts, their colours, and comparisons with another run.

package report

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// traced returns the figures of a trace of n events, one in each unit of virtual time, which go around
// among that number of LPs.
func traced(t *testing.T, n, lps int, stretch [2]float64) *figures {
	t.Helper()
	var trace []byte
	for i := range n {
		trace = instr.AppendEvent(trace, &instr.Event{Src: uint32(i % lps), Dest: uint32((i + 1) % lps), SendTS: float32(i),
			RecvTS: float32(i + 1), RealTS: 1})
	}
	return loadStretch(t, stretch, put(t, instr.TraceSuffix, trace))
}

func TestFlowShowsTheEventsOfAStretchOfVirtualTime(t *testing.T) {
	c := traced(t, 100, 4, [2]float64{20, 29.5}).flowChart()
	require.Empty(t, c.Absent)
	require.Equal(t, []string{"LP 0", "LP 1", "LP 2", "LP 3"}, c.Rows)
	require.Len(t, c.Arrows, 10) // received at 20 to 29
	require.Equal(t, [4]num{19, 3, 20, 0}, c.Arrows[0])
	require.Equal(t, [4]num{28, 0, 29, 1}, c.Arrows[9])
	require.Contains(t, c.Note, "Virtual time 20 to 29.5.")
}

func TestFlowOfALongTraceIsItsMiddle(t *testing.T) {
	c := traced(t, 10_000, 100, [2]float64{}).flowChart()
	require.Len(t, c.Rows, maxFlowLPs)
	require.NotEmpty(t, c.Arrows)
	require.LessOrEqual(t, len(c.Arrows), maxFlow)
	for _, a := range c.Arrows {
		require.InDelta(t, 5000, float64(a[2]), 200)
	}
	require.Contains(t, c.Note, "the middle of the run")
	require.Contains(t, c.Note, fmt.Sprintf("the first %d events between %d LPs", len(c.Arrows), maxFlowLPs))
	none := traced(t, 100, 4, [2]float64{500, 600}).flowChart()
	require.Contains(t, none.Absent, "no event")
}

func TestEventsOfTheLPsAddUpWhereTheyHappened(t *testing.T) {
	f := traced(t, 1000, 100, [2]float64{})
	c := f.lpEvents()
	require.Len(t, c.Rows, maxLPRows)
	sum, moment := 0.0, 0.0
	for _, cell := range c.Cells {
		sum += float64(cell[2])
		moment += float64(cell[2]) * (float64(c.X.From) + (float64(cell[0])+0.5)*float64(c.X.Step))
	}
	require.InDelta(t, 1000, sum, 1e-6)
	require.InDelta(t, 500.5, moment/sum, float64(c.X.Step), "they are at 1 to 1000")
	require.InDelta(t, 1, float64(*c.X.Min), 0)
	require.InDelta(t, 1000, float64(*c.X.Max), 1e-9)
}

// One event that was sent long before leaves the others their room.
func TestTheFlowIsScaledToItsStretch(t *testing.T) {
	var trace []byte
	for i := range 100 {
		e := instr.Event{Src: uint32(i % 4), Dest: uint32((i + 1) % 4), SendTS: float32(i), RecvTS: float32(i + 1), RealTS: 1}
		if i == 50 {
			e.SendTS = 0
		}
		trace = instr.AppendEvent(trace, &e)
	}
	c := loadStretch(t, [2]float64{45, 60}, put(t, instr.TraceSuffix, trace)).flowChart()
	require.Equal(t, [2]num{30, 60}, [2]num{*c.X.Min, *c.X.Max}, "as long before the stretch as it is")
	require.Contains(t, c.Arrows, [4]num{0, 2, 51, 3})
}

// KPs that handle nothing have no place in virtual time, and do not set the scale.
func TestKPsWithoutEventsAreBlank(t *testing.T) {
	var data []byte
	for n := 1; n <= 3; n++ {
		for kp := range uint32(3) {
			k := instr.KPStats{KP: kp, Processed: 10, TimeAheadGVT: float32(kp) + 1}
			if kp == 2 {
				k.Processed, k.TimeAheadGVT = 0, float32(-1000*n)
			}
			data = instr.AppendKP(data, float64(1000*n), float64(n), &k)
		}
	}
	c := load(t, put(t, instr.GVTSuffix, data)).ahead()
	require.Len(t, c.Rows, 3)
	require.NotEmpty(t, c.Cells)
	for _, cell := range c.Cells {
		require.Less(t, cell[1], num(2))
		require.Equal(t, cell[1]+1, cell[2])
	}
}

func TestChartOfZerosIsASentence(t *testing.T) {
	kp := instr.AppendKP(instr.AppendKP(nil, 1, 1, &instr.KPStats{Processed: 1}), 2, 2, &instr.KPStats{Processed: 1})
	page := makePage(t, put(t, instr.GVTSuffix, kp))
	require.Contains(t, page, "No event was rolled back.")
	require.NotContains(t, page, `<figure id="rollbacks"`)
	one := instr.AppendPE(nil, 1, 1, &instr.PEStats{Processed: 5, QueueSize: 3, EventProcess: 1})
	require.Contains(t, makePage(t, put(t, instr.GVTSuffix, one)), "There is one sample")
}

func TestSpreadIsEvenAndLosesNothing(t *testing.T) {
	g := newGrid(10, 20, 5)
	row := g.row()
	g.spread(row, 11, 15, 8)
	require.InDeltaSlice(t, []float64{2, 4, 2, 0, 0}, row, 1e-12)
	g.spread(row, 19, 20, 3)
	g.spread(row, 13, 13, 7) // no time, no rate
	require.InDeltaSlice(t, []float64{2, 4, 2, 0, 3}, row, 1e-12)
	dice := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		g, row := newGrid(0, 1, 1+dice.IntN(50)), []float64(nil)
		row = g.row()
		from, to := dice.Float64(), dice.Float64()
		g.spread(row, min(from, to), max(from, to), 1)
		sum := 0.0
		for _, x := range row {
			sum += x
		}
		require.InDelta(t, 1, sum, 1e-9)
	}
}

func TestNoTimeMakesNoBuckets(t *testing.T) {
	for _, to := range []float64{1, 0, math.Inf(1), math.Inf(-1), math.NaN()} {
		g := newGrid(1, to, 10)
		require.Empty(t, g.row(), to)
		g.spread(nil, 0, 1, 1)
	}
}

func TestRowsAreSharedByNeighbours(t *testing.T) {
	for n := 1; n < 300; n++ {
		for i := range n {
			row := share(i, n, maxRows)
			require.True(t, firstOf(row, n, maxRows) <= i && i < firstOf(row+1, n, maxRows), "%d of %d", i, n)
		}
	}
	for n := uint64(1); n < 300; n++ {
		traffic := newTraffic(5, n)
		for id := uint64(5); id < 5+n; id++ {
			first, last := traffic.ids(traffic.row(id))
			require.True(t, first <= id && id <= last, "%d of %d", id, n)
		}
	}
}

func TestMemoryIsDrawnOverTimeAgainstItsLimit(t *testing.T) {
	var pes, data []byte
	for n := 1; n <= 4; n++ {
		for pe := range uint32(2) {
			at := float64(n)
			pes = instr.AppendPE(pes, at, at, &instr.PEStats{PE: pe, Processed: 100, EventProcess: 0.9})
			data = instr.AppendMemory(data, at, at, &instr.MemoryStats{
				PE: pe, Queue: uint64(n) * mebi, Undo: uint64(pe+1) * mebi / 2, Used: uint64(8*n)*mebi + uint64(pe)*mebi,
				Limit: 64 * mebi,
			})
		}
	}
	dir := t.TempDir()
	surveytest.Run{}.Put(t, dir, instr.RTSuffix, pes)
	surveytest.Run{}.Put(t, dir, instr.MemorySuffix, data)
	f := load(t, dir)
	c := f.memoryUse()
	require.Empty(t, c.Absent)
	require.Len(t, c.Series, 4)
	require.Equal(t, []num{9, 17, 25, 33}, c.Series[0].Values, "the most")
	require.Equal(t, []num{2, 4, 6, 8}, c.Series[1].Values, "of both PEs")
	require.Equal(t, []num{1.5, 1.5, 1.5, 1.5}, c.Series[2].Values)
	require.Equal(t, []num{64, 64, 64, 64}, c.Series[3].Values)
	require.Contains(t, makePage(t, dir),
		`<td data-name="Content">samples of memory</td><td class="n" data-name="Records">8</td><td class="n" data-name="Size">512 B</td><td data-name="In the charts">yes</td>`)
}

func TestFarLimitOfMemoryIsToldAndNotDrawn(t *testing.T) {
	data := instr.AppendMemory(nil, 1, 1, &instr.MemoryStats{Used: 6 * mebi, Limit: 64 * mebi})
	data = instr.AppendMemory(data, 2, 2, &instr.MemoryStats{Used: 5 * mebi, Limit: 64 * mebi})
	c := load(t, put(t, instr.MemorySuffix, data)).memoryUse()
	require.Len(t, c.Series, 3)
	require.Contains(t, c.Note, " The limit, 64 MiB, is far above what is drawn.")
}

func TestOddSamplesOfMemoryMakeAReport(t *testing.T) {
	var data []byte
	for _, real := range []float64{3, 1, math.Inf(1), math.NaN(), 5} {
		data = instr.AppendMemory(data, 1, real, &instr.MemoryStats{PE: 7, Queue: math.MaxUint64, Used: math.MaxUint64})
	}
	makePage(t, put(t, instr.MemorySuffix, data))
}

func stored(name string) string { return filepath.Join("testdata", "runs", name) }

func TestComparisonTellsWhatChanged(t *testing.T) {
	a, b := load(t, stored("storm-hub-pes")), load(t, stored("storm-hub"))
	c := a.compare(b)
	require.Contains(t, c.Settings, difference{"--nkp", "1", "2", ""})
	require.Contains(t, c.Settings, difference{"PEs", "4", "2", ""})
	for _, s := range c.Settings {
		require.NotEqual(t, s.Run, s.Base, s.Name)
	}
	require.Contains(t, c.Digest, "their digests differ")
	require.Equal(t, "Net events", c.Figures[3].Name)
	require.Equal(t, "2 ×", c.Figures[3].Ratio)
	states := map[string]string{}
	for _, one := range c.Findings {
		states[one.What] = one.State
	}
	require.Equal(t, "new", states["More PEs than processors"])
	require.Equal(t, "in both", states["KP 0 of PE 0 rolls back far more than the others"])
	back := b.compare(a)
	require.Equal(t, "gone", back.Findings[len(back.Findings)-1].State)
}

func TestARunEqualsItself(t *testing.T) {
	f := load(t, stored("good-local"))
	c := f.compare(f)
	require.Empty(t, c.Settings)
	require.Empty(t, c.Findings)
	require.Contains(t, c.Digest, "the same events")
	for _, row := range c.Figures {
		require.Equal(t, row.Run, row.Base, row.Name)
	}
	without := *f.run
	without.Info = nil
	bare := *f
	bare.run = &without
	require.NotEmpty(t, bare.compare(f).Hints)
}

func TestChartsOfTheBaseHaveTheAxesOfTheRun(t *testing.T) {
	a, b := load(t, stored("storm-hub-pes")), load(t, stored("storm-hub"))
	all := besideCharts(a.charts(), b.charts(), "own", "base")
	byID := map[string]chart{}
	for _, c := range all {
		byID[c.ID] = c
	}
	require.NotContains(t, byID, "base-rate", "its lines are in the chart of the run")
	rate, other := byID["rate"], b.rate()
	lines := 0
	for _, s := range rate.Series {
		if s.Base {
			require.Contains(t, other.Series, series{Name: strings.TrimPrefix(s.Name, "base: "), Values: s.Values, Bold: s.Bold,
				Dashed: s.Dashed})
			require.Equal(t, [2]num{other.X.From, other.X.Step}, [2]num{s.From, s.Step}, "where they are in its own run")
			lines++
		}
		for _, v := range s.Values {
			require.LessOrEqual(t, v, *rate.Y.Max)
		}
	}
	require.Equal(t, 2, lines)
	require.Equal(t, num(max(float64(*a.rate().X.Max), float64(*other.X.Max))), *rate.X.Max)
	for _, id := range []string{"rollbacks", "ahead"} {
		own, base := byID[id], byID["base-"+id]
		require.Equal(t, own.Z, base.Z, "one scale of colours")
		require.Equal(t, [2]num{*own.X.Min, *own.X.Max}, [2]num{*base.X.Min, *base.X.Max}, "one axis")
		for _, cell := range slices.Concat(own.Cells, base.Cells) {
			require.GreaterOrEqual(t, cell[2], *own.Z.Min)
			require.LessOrEqual(t, cell[2], *own.Z.Max)
		}
	}
}

// The bars of a waterfall lead from the whole time of the base to that of the run.
func TestTheWaterfallAddsUp(t *testing.T) {
	a, b := load(t, stored("storm-hub-pes")), load(t, stored("storm-hub"))
	c := a.waterfall(b)
	require.Empty(t, c.Absent)
	at := float64(c.Series[1].Values[0])
	require.InDelta(t, b.duration()*2, at, 0.02*at, "2 PEs")
	for i := 1; i+1 < len(c.Columns); i++ {
		below, more, less := float64(c.Series[0].Values[i]), float64(c.Series[2].Values[i]), float64(c.Series[3].Values[i])
		require.True(t, more == 0 || less == 0)
		require.InDelta(t, at, below+less, 1e-9, c.Columns[i])
		at += more - less
	}
	require.InDelta(t, at, float64(c.Series[1].Values[len(c.Columns)-1]), 1e-9)
	require.InDelta(t, a.duration()*4, at, 0.02*at, "4 PEs")
	for _, s := range c.Series {
		require.Len(t, s.Values, len(c.Columns))
	}
}

// GVT between two knots lies on the line between them.
func TestGVTOfARealTime(t *testing.T) {
	dice := testrand.New(t)
	knots := [][2]float64{{0, 1}}
	for range 50 {
		last := knots[len(knots)-1]
		knots = append(knots, [2]float64{last[0] + 0.1 + dice.Float64(), last[1] + float64(dice.IntN(3))})
	}
	for range 1000 {
		at := dice.Float64()*(knots[50][0]+2) - 1
		want := knots[50][1]
		for i := range 50 {
			if a, b := knots[i], knots[i+1]; at < b[0] {
				want = a[1] + (b[1]-a[1])*max(at-a[0], 0)/(b[0]-a[0])
				break
			}
		}
		require.InDelta(t, want, gvtAt(knots, at), 1e-9)
	}
	f := load(t, steady(t, 30))
	all := f.gvtKnots()
	require.Equal(t, [2]float64{0, 0}, all[0])
	require.InDeltaSlice(t, []float64{0.3, 60}, all[len(all)-1][:], 1e-9)
}

// Runs are called by as much of their path as tells them apart.
func TestNamesOfAComparison(t *testing.T) {
	root := t.TempDir()
	run := func(path string) *figures {
		surveytest.Run{}.Put(t, filepath.Join(root, path), instr.GVTSuffix,
			instr.AppendPE(nil, 1, 1, &instr.PEStats{Processed: 1}))
		return load(t, filepath.Join(root, path))
	}
	long := strings.Repeat("x", 30)
	a, b, c, d := run("one/run"), run("two/run"), run("one/other"), run(long+"1/"+long)
	for _, want := range []struct {
		f, base    *figures
		own, other string
	}{{a, c, "run", "other"}, {a, b, "one/run", "two/run"}, {a, a, "this run", "base"},
		{d, a, "xxxxxxxxxxxxx…xxxxxxxxxxxxx", "run"}} {
		own, other := namesBeside(want.f, want.base)
		require.Equal(t, [2]string{want.own, want.other}, [2]string{own, other})
	}
}

// Runs of 0.9 s and of 2 s have one axis, whose unit is a second.
func TestBothRunsHaveOneUnit(t *testing.T) {
	a, b := load(t, steady(t, 90)), load(t, steady(t, 200))
	require.Equal(t, "ms", a.rate().X.Unit)
	between(a, b)
	for _, c := range besideCharts(a.charts(), b.charts(), "a", "b") {
		if c.Linked && c.Absent == "" {
			require.Equal(t, "s", c.X.Unit, c.ID)
			require.InDelta(t, 2, float64(*c.X.Max), 1e-9, c.ID)
			require.False(t, c.ID == "base-rate", "its lines are in the chart of the run")
		}
	}
}

// What a KP rolled back more or less adds up to the difference of its sums.
func TestTheMapOfDifferencesAddsUp(t *testing.T) {
	a, b := load(t, steady(t, 40)), load(t, steady(t, 25))
	c := a.rollbacksLess(b)
	require.Empty(t, c.Absent)
	require.Len(t, c.Rows, 6)
	sums := make([]float64, 6)
	for _, cell := range c.Cells {
		sums[int(cell[1])] += float64(cell[2])
		require.LessOrEqual(t, math.Abs(float64(cell[2])), float64(*c.Z.Max))
	}
	for i := range sums {
		require.InDelta(t, float64(a.perKP[i].RolledBack)-float64(b.perKP[i].RolledBack), sums[i], 1e-3)
	}
	require.Equal(t, -*c.Z.Max, *c.Z.Min, "white is 0")
	for i, cell := range b.rollbacksLess(a).Cells {
		require.InDelta(t, -float64(c.Cells[i][2]), float64(cell[2]), 1e-6)
	}
	require.NotNil(t, c.ByGVT)
	byGVT := make([]float64, 6)
	for _, cell := range c.ByGVT.Cells {
		byGVT[int(cell[1])] += float64(cell[2])
		require.LessOrEqual(t, math.Abs(float64(cell[2])), float64(*c.Z.Max))
	}
	require.InDeltaSlice(t, sums, byGVT, 1e-3, "over GVT it is as much")
	require.Equal(t, [2]num{0, 80}, [2]num{*c.ByGVT.X.Min, *c.ByGVT.X.Max}, "GVT rises by 2 with each sample")
	require.Contains(t, a.rollbacksLess(a).Absent, "as much at all times")
	require.Contains(t, a.rollbacksLess(load(t, stored("storm-hub"))).Absent, "as many PEs and KPs")
}

func TestTheComparisonBeginsWithASentence(t *testing.T) {
	a, b := load(t, stored("storm-hub-pes")), load(t, stored("storm-hub"))
	rate := func(f *figures) float64 { return float64(f.outcome().net) / f.duration() }
	require.Regexp(t, fmt.Sprintf(`^%s times %s by its rate, with 0.5 times the net events in %s times the time`,
		short(max(rate(a)/rate(b), rate(b)/rate(a))), map[bool]string{true: "slower", false: "faster"}[rate(b) < rate(a)],
		regexp.QuoteMeta(short(b.duration()/a.duration()))), b.compare(a).Sentence, "other work takes another time")
	require.Regexp(t, `^[^:]+: mostly (more|less) [a-zA-Z ]+ \(.* of all PEs for a net event, against .*; \d settings differ\.$`,
		a.compare(b).Sentence)
	require.Equal(t, "As fast as the base; no setting differs.", a.compare(a).Sentence)
	copied, info := *a.run, *a.run.Info
	info.Options = maps.Clone(info.Options)
	info.Options["balance"], info.Model, info.State = "off", "other", instr.RunFailed
	copied.Info = &info
	other := *a
	other.run = &copied
	c := other.compare(a)
	require.Contains(t, c.Sentence, "3 settings differ, among them one option: --balance (off, base ")
	require.Len(t, c.Settings, 3)
	require.Equal(t, []string{"The models differ: other, and hub of the base.",
		"This run: failed. Its figures are those up to there."}, c.Warnings)
}

func TestReportWithABaseIsOnePage(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.html")
	var stdout, stderr bytes.Buffer
	require.Zero(t, cli.Run(Command(), []string{stored("good-local"), "--base", stored("good-by-load"), "-o", out},
		&stdout, &stderr), stderr.String())
	_, compared, found := strings.Cut(stdout.String(), "out.html: compared with good-by-load: ")
	require.True(t, found, stdout.String())
	require.Contains(t, compared, "times faster by its rate")
	require.Contains(t, compared, "committed different events")
	page, err := os.ReadFile(out)
	require.NoError(t, err)
	for _, part := range []string{`id="comparison"`, `id="settings"`, `id="base-rollbacks"`, `id="sentence"`,
		`<figure id="waterfall"`, `<th scope="row">Run time</th>`} {
		require.Contains(t, string(page), part)
	}
	require.Equal(t, 1, cli.Run(Command(), []string{stored("good-local"), "--base", "no-such", "-o", out}, &stdout,
		&stderr))
	require.Contains(t, stderr.String(), "--base: ")
}

func TestTheReportSaysWhatRan(t *testing.T) {
	page := makePage(t, stored("storm-hub"))
	rows := cells(page)
	require.Equal(t, "hub --synch=3 --pes=2 --end=100 --nkp=2 --num-gvt=50 --engine-stats=1 --kp-data=1 --digest",
		rows["Command"])
	require.Equal(t, "complete", rows["State"])
	require.Equal(t, "optimistic (--synch=3)", rows["Scheduler"])
	require.Len(t, rows["Digest"], 16)
	require.Equal(t, "409,588", rows["Net events"])
	require.Regexp(t, `^[\d.]+ MiB of [\d.]+ GiB$`, rows["Memory used at most"])
	require.Contains(t, page, "<title>hub</title>")
	require.NotContains(t, page, `id="missing"`)
}

func TestADamagedDescriptionIsSaid(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile(filepath.Join(stored("good-local"), "ross-stats-gvt.bin"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats-gvt.bin"), data, 0o644))
	require.Contains(t, makePage(t, dir), "run.json is not next to the files")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "run.json"), []byte(`{"version": 99}`), 0o644))
	require.Contains(t, makePage(t, dir), "use a newer one")
}

func TestNumbersAreForPeople(t *testing.T) {
	require.Equal(t, []string{"0", "999", "1,000", "1,234,567", "-12,345"},
		[]string{grouped(0), grouped(999), grouped(uint64(1000)), grouped(1_234_567), grouped(int64(-12_345))})
	require.Equal(t, []string{"0 B", "1023 B", "1 KiB", "1.5 MiB", "16 GiB"},
		[]string{bytesText(0), bytesText(1023), bytesText(1024), bytesText(3 << 19), bytesText(16 << 30)})
	require.Equal(t, "m --a '' 'it'\\''s' -- x", commandText([]string{"m", "--a", "", "it's", "--", "x"}))
	require.Equal(t, []string{"m", "--b", "--n=1", "--", "--n=3"},
		withOptions([]string{"m", "--n", "7", "--b", "-n=2", "--", "--n=3"}, "--n=1"))
}

// linear returns the light of a colour #rrggbb.
func linear(t *testing.T, colour string) (l [3]float64) {
	t.Helper()
	b, err := hex.DecodeString(colour[1:])
	require.NoError(t, err)
	for i := range l {
		if c := float64(b[i]) / 255; c <= 0.04045 {
			l[i] = c / 12.92
		} else {
			l[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return l
}

func matrix(m [3][3]float64, l [3]float64) (r [3]float64) {
	for i := range r {
		r[i] = m[i][0]*l[0] + m[i][1]*l[1] + m[i][2]*l[2]
	}
	return r
}

// withoutGreen is what eyes without green cones see (Machado, Oliveira and Fernandes, 2009).
func withoutGreen(l [3]float64) [3]float64 {
	l = matrix([3][3]float64{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413},
		{-0.011820, 0.042940, 0.968881}}, l)
	for i := range l {
		l[i] = min(max(l[i], 0), 1)
	}
	return l
}

// apart is the distance of two colours in CIELAB; about 2 can just be seen.
func apart(a, b [3]float64) float64 {
	lab := func(l [3]float64) [3]float64 {
		c := matrix([3][3]float64{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}, l)
		for i, white := range []float64{0.95047, 1, 1.08883} {
			if c[i] /= white; c[i] > 0.008856 {
				c[i] = math.Cbrt(c[i])
			} else {
				c[i] = 7.787*c[i] + 16.0/116
			}
		}
		return [3]float64{116*c[1] - 16, 500 * (c[0] - c[1]), 200 * (c[1] - c[2])}
	}
	p, q := lab(a), lab(b)
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// contrast is that of two colours in WCAG.
func contrast(a, b [3]float64) float64 {
	of := func(l [3]float64) float64 { return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2] + 0.05 }
	return max(of(a), of(b)) / min(of(a), of(b))
}

func TestColoursDifferForAllEyes(t *testing.T) {
	themes := regexp.MustCompile(`card: "(#\w+)".*\n\s*colours: \[(.*)\]`).FindAllStringSubmatch(chartsJS, -1)
	require.Len(t, themes, 2)
	for _, theme := range themes {
		ground := linear(t, theme[1])
		colours := regexp.MustCompile(`#\w{6}`).FindAllString(theme[2], -1)
		require.Len(t, colours, 8)
		for i, a := range colours {
			la := linear(t, a)
			require.GreaterOrEqual(t, contrast(la, ground), 3.0, a)
			for _, b := range colours[:i] {
				lb := linear(t, b)
				require.Greater(t, apart(la, lb), 15.0, "%s and %s", a, b)
				require.Greater(t, apart(withoutGreen(la), withoutGreen(lb)), 15.0, "%s and %s without green cones", a, b)
			}
		}
	}
}
