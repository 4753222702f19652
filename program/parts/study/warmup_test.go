// This file owns the tests of --find-warm-up and of the notes about warm-ups.

package study

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/rng"
	"github.com/ross-go/ross/stats"
)

// counter is a queue with one server, M/M/1, and statistics over the time.
type counter struct {
	Count int64

	Number   stats.Level     `ross:"number,customers,every=10"`
	Plain    stats.Level     `ross:"plain"`
	Arrivals stats.Series    `ross:"arrivals,,every=20"`
	Found    stats.Series    `ross:"found"` // by customers who come, in intervals that are chosen
	Sizes    stats.Histogram `ross:"sizes"`
}

type (
	comes struct{}
	goes  struct{}
)

// counters returns a program of many queues with load 0.9, which begin empty.
func counters() program.Program {
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End, cfg.WarmUp = 4, 2000, 0
	start := 0
	return program.Program{
		Name: "counters", Config: cfg, Parts: []program.Part{Of(counters)},
		Options: func(o *ross.Options, cfg *ross.Config) {
			g := o.Group("Counters")
			cfg.RegisterLPs(g)
			g.Int(&start, "start", "customers at the beginning")
		},
		Build: func(sim *ross.Simulation) error {
			served := func(s *counter, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(0.9), goes{}) }
			return sim.Define(ross.Type[counter]{
				Name: "counter",
				Init: func(s *counter, lp *ross.LP) {
					s.Count = int64(start)
					s.Number.Set(lp, float64(start))
					ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), comes{})
					if start > 0 {
						served(s, lp)
					}
				},
				Event: ross.Events(ross.On(func(s *counter, lp *ross.LP, _ *comes) {
					s.Arrivals.Add(lp, 1)
					s.Found.Add(lp, float64(s.Count))
					s.Sizes.Add(lp, 1)
					if s.Count++; s.Count == 1 {
						served(s, lp)
					}
					s.Number.Set(lp, float64(s.Count))
					s.Plain.Set(lp, float64(s.Count))
					ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), comes{})
				}), ross.On(func(s *counter, lp *ross.LP, _ *goes) {
					if s.Count--; s.Count > 0 {
						served(s, lp)
					}
					s.Number.Set(lp, float64(s.Count))
					s.Plain.Set(lp, float64(s.Count))
				})),
			})
		},
	}
}

// count runs the program with the words of a line.
func count(line string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = counters().Main(strings.Fields(line), &o, &e)
	return status, o.String(), e.String()
}

// autoregressive returns what runs keep of an AR(1) process that begins with a bias: its mean in interval i is
// 5 + bias*phi^i.
func autoregressive(seed uint64, runs, intervals int, phi, bias float64) (kept [][]float64) {
	seeds, _ := rng.RunSeeds(seed)
	for run := range runs {
		stream := rng.NewSeeder(seeds).Stream(uint64(run))
		c := course{width: 2, first: 3}
		x := stream.Normal01() / math.Sqrt(1-phi*phi)
		for i := range intervals {
			c.sums, c.parts = append(c.sums, 5+x+bias*math.Pow(phi, float64(i))), append(c.parts, 1)
			x = phi*x + stream.Normal01()
		}
		kept = append(kept, c.numbers())
	}
	return kept
}

// The bias of 10 times 0.9^i is below the standard error of the mean of 20 runs, 0.51, from interval 28 on.
func TestTheWarmUpIsFoundAndNoneIsNoted(t *testing.T) {
	found, falsely := 0, 0
	for seed := range uint64(200) {
		w := warmUpOf(autoregressive(1+seed, 20, 200, 0.9, 10))
		require.Len(t, w.means, 200)
		require.Equal(t, 6.0, w.begin(0))
		require.Equal(t, 6+2*float64(w.cut), w.begin(w.cut))
		require.GreaterOrEqual(t, w.cut, 15)
		if w.changes() {
			found++
		}
		if warmUpOf(autoregressive(1+seed, 20, 200, 0.9, 0)).changes() {
			falsely++
		}
	}
	require.GreaterOrEqual(t, found, 195)
	require.LessOrEqual(t, falsely, 10)
	for seed := range uint64(20) { // a single run shows no standard error
		require.False(t, warmUpOf(autoregressive(1+seed, 1, 200, 0.9, 10)).changes())
	}
	w := warmUpOf(autoregressive(1, 20, 200, 0.9, 1000)[:3])
	require.True(t, w.changes() && w.change(batch, w.cut, 0.99).Mean > 500)
	require.False(t, warmUpOf(nil).changes())
}

// Intervals of a run, by hand.
func TestACourseHasWholeIntervals(t *testing.T) {
	row := func(kind string, width float64, first int, sums ...float64) *stats.Row {
		r := &stats.Row{Kind: kind}
		for i, sum := range sums {
			begin := float64(first+i) * width
			r.Course = append(r.Course, stats.Interval{Begin: begin, End: begin + width, Count: 2, Sum: 2 * sum,
				Mean: sum, Rate: 2 * sum / width})
		}
		return r
	}
	for _, c := range []struct {
		row         *stats.Row
		from, until float64
		most        int
		want        course
	}{
		{row("level", 5, 0, 1, 2, 3), 0, 15, 10, course{false, 5, 0, []float64{1, 2, 3}, []float64{1, 1, 1}}},
		{row("level", 5, 1, 1, 2, 3, 4), 7, 22, 10, course{false, 5, 2, []float64{2, 3}, []float64{1, 1}}},
		{row("series", 5, 0, 1, 2, 3, 4), 10, math.Inf(1), 10, course{true, 5, 2, []float64{6, 8}, []float64{2, 2}}},
		{row("series", 1, 3, 1, 2, 3, 4, 5, 6), 0, 100, 3, course{true, 2, 2, []float64{10, 18}, []float64{4, 4}}},
		{row("level", 1, 4, 1, 2, 3, 4, 5), 0, 100, 4, course{false, 2, 2, []float64{3, 7}, []float64{2, 2}}},
	} {
		got, has := courseOf(c.row, c.from, c.until, c.most)
		require.True(t, has)
		require.Equal(t, c.want, got)
		back, ok := courseFrom(got.numbers())
		require.True(t, ok)
		require.Equal(t, got, back)
	}
	part := row("series", 5, 0, 1, 2, 3)
	part.Course[2].Rate = 6 / 2.5 // half of the interval
	got, _ := courseOf(part, 0, math.Inf(1), 10)
	require.Len(t, got.sums, 2)
	_, has := courseOf(&stats.Row{Kind: "level"}, 0, 1, 10)
	require.False(t, has)
	for _, numbers := range [][]float64{nil, {1, 2}, {1, 2, 3, 4}} {
		_, ok := courseFrom(numbers)
		require.False(t, ok)
	}
}

func TestCoursesOfRunsArePooled(t *testing.T) {
	p := pool([][]float64{nil,
		course{true, 2, 1, []float64{4, 5, 6}, []float64{2, 1, 1}}.numbers(),                   // from 2 to 8
		course{true, 1, 3, []float64{9, 1, 2, 3, 4, 9}, []float64{1, 1, 1, 1, 1, 1}}.numbers(), // from 3 to 9
	})
	require.Equal(t, 4.0, p.begin(0))
	require.Equal(t, []float64{8. / 3, 13. / 3}, p.values()) // (5 + 1+2)/(1 + 2), (6 + 3+4)/(1 + 2)
	require.False(t, p.rates)
	require.InDelta(t, -1.5, p.change(1, 1, 0.95).Mean, 1e-12) // 5 - 6, 1.5 - 3.5

	p = pool([][]float64{ // nothing in the second interval of any run
		course{true, 1, 0, []float64{4, 0, 6, 2, 5}, []float64{1, 0, 2, 1, 1}}.numbers(),
		course{true, 1, 0, []float64{3, 0, 0, 1, 7}, []float64{1, 0, 0, 1, 2}}.numbers(),
	})
	require.Equal(t, 2.0, p.width)
	require.Equal(t, []float64{3.5, 9. / 4}, p.values())

	p = pool([][]float64{ // of ones, as for counting
		course{true, 4, 0, []float64{8, 0, 2}, []float64{8, 0, 2}}.numbers(),
		course{true, 4, 0, []float64{4, 0, 4}, []float64{4, 0, 4}}.numbers(),
	})
	require.True(t, p.rates)
	require.Equal(t, []float64{1.5, 0, 0.75}, p.values())
	require.Equal(t, 4.0, p.width)

	p = pool([][]float64{ // runs of other lengths
		course{false, 1, 0, []float64{1, 2, 3, 4}, []float64{1, 1, 1, 1}}.numbers(),
		course{false, 1, 0, []float64{3, 4}, []float64{1, 1}}.numbers(),
	})
	require.Equal(t, []float64{2, 3}, p.values())
	p = pool(nil)
	require.Empty(t, p.values())
}

// averages returns the mean of a level of counters in each interval, over runs that are made one by one.
func averages(t *testing.T, runs uint64) (means []float64) {
	t.Helper()
	for replication := range runs {
		p := counters()
		p.Config.Replication = replication
		sim, err := ross.New(p.Config)
		require.NoError(t, err)
		require.NoError(t, p.Build(sim))
		require.NoError(t, sim.Run(t.Context()))
		table, err := stats.Collect(sim)
		require.NoError(t, err)
		require.NoError(t, sim.Close())
		row, _ := table.Row("counter", "number")
		if means == nil {
			means = make([]float64, len(row.Course))
		}
		for i := range row.Course {
			means[i] += row.Course[i].Mean / float64(runs)
		}
	}
	return means
}

func TestTheCourseOfAQueueThatBeginsEmpty(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	line := "--replications=20 --find-warm-up=number --vary=synch=1,3"
	html := filepath.Join(t.TempDir(), "t.html")
	status, out, errs := count(line + " --page=" + html + " --warm-up-table=" + path)
	require.Zero(t, status, errs)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"synch", "time", "mean", "smoothed", "warm-up"}, rows[0])
	require.Len(t, rows, 1+2*200)
	shown, err := os.ReadFile(html)
	require.NoError(t, err)
	_, figure, _ := strings.Cut(string(shown), `<figure id="w0"`)
	sheet := regexp.MustCompile(`class="means">(".*?")</script>`).FindStringSubmatch(figure)
	require.Len(t, sheet, 2)
	var curves string
	require.NoError(t, json.Unmarshal([]byte(sheet[1]), &curves))
	page, err := csv.NewReader(strings.NewReader(curves)).ReadAll()
	require.NoError(t, err)
	require.Len(t, page, len(rows))
	for i, row := range rows {
		if row[3] == "NaN" {
			row = append(slices.Clone(row[:3]), "", row[4])
		}
		require.Equal(t, row, page[i])
	}
	want := averages(t, 20)
	cut, _ := experiment.MSER5(want)
	require.Positive(t, cut)
	smooth := experiment.Welch([][]float64{want}, 10)
	for i, row := range rows[1:] {
		n := i % 200
		require.Equal(t, []string{fmt.Sprint(1 + 2*(i/200)), fmt.Sprint(10 * n)}, row[:2])
		mean, err := strconv.ParseFloat(row[2], 64)
		require.NoError(t, err)
		require.InEpsilon(t, want[n], mean, 1e-12)
		smoothed, err := strconv.ParseFloat(row[3], 64)
		require.NoError(t, err)
		if n < 190 {
			require.InEpsilon(t, smooth[n], smoothed, 1e-12)
		} else {
			require.True(t, math.IsNaN(smoothed))
		}
		require.Equal(t, strconv.FormatBool(n < cut), row[4])
	}
	require.Regexp(t, fmt.Sprintf(`(?m)^    1 +%d  2000 +10 +20 +-\d`, 10*cut), out)
	require.Contains(t, out, "\nsynch=3: smoothed over 21 intervals; o is what MSER-5 leaves out\n\ntime    mean  smoothed\n   0 ")
	require.Regexp(t, `(?m)^   0 +[0-9.]+ +[0-9.]+  \| *o$`, out)
	require.Regexp(t, `(?m)^1800 +[0-9.]+ +[0-9.]+  \| *\*$`, out)

	require.Contains(t, out, "\nwarm-up of \"number [customers]\" by MSER-5")
	require.Regexp(t, `(?m)^synch  .*  number \[customers\]  .*plain  `, out)

	journal := filepath.Join(t.TempDir(), "runs")
	for _, words := range []string{" --workers=1", " --workers=3 --journal=" + journal, " --journal=" + journal} {
		status, again, errs2 := count(line + words)
		require.Zero(t, status, errs2)
		require.Equal(t, out, again, words)
		require.Equal(t, errs, errs2, words)
	}
}

// A study notes which of its results still change after the warm-up, each once.
func TestAStudyNotesAWarmUpThatIsTooShort(t *testing.T) {
	line := "--replications=20 --vary=start=0,40 --results=number,plain,arrivals"
	status, _, errs := count(line)
	require.Zero(t, status)
	match := regexp.MustCompile(`^counters: note: number at start=\d+ still changes after the warm-up: MSER-5 leaves out what is ` +
		`before (\d+); ` +
		`give --warm-up=(\d+); --find-warm-up=number shows its course\n$`).FindStringSubmatch(errs)
	require.NotNil(t, match, errs)
	require.Equal(t, match[1], match[2])
	status, _, errs = count(line + " --warm-up=" + match[1])
	require.Zero(t, status)
	require.Empty(t, errs)

	dir := t.TempDir()
	for task := range 2 {
		status, _, errs := count(fmt.Sprintf("%s --journal=%s/j --task=%d/2", line, dir, task))
		require.Zero(t, status)
		require.Empty(t, errs)
	}
	_, _, want := count(line)
	_, _, errs = count(line + " --merge=" + dir)
	require.Equal(t, want, errs)

	_, _, errs = count("--replications=20 --start=1000 --end=1000 --results=number") // it needs 9000
	require.Equal(t, "counters: note: number still changes after the warm-up: MSER-5 leaves out more than half of the runs; give a "+
		"longer --end; --find-warm-up=number shows its course\n", errs)
	_, out, _ := count("--replications=20 --start=1000 --end=1000 --find-warm-up=number")
	require.Contains(t, out, "  too short to tell: more than half is left out; give a longer --end\n")
	_, out, _ = count("--replications=20 --end=85 --find-warm-up=number")
	require.Contains(t, out, "  too short to tell: give a longer --end, or a smaller every=\n")
}

func TestWarmUpsThatCannotBeFound(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range [][2]string{
		{"--find-warm-up=number", "option --find-warm-up=number: is for a study; give --replications=20"},
		{"--replications=3 --warm-up-table=t.csv", "option --warm-up-table=t.csv: is for --find-warm-up"},
		{"--replications=3 --find-warm-up=number --warm-up-table=t.txt",
			"option --warm-up-table=t.txt: this program writes no such table; give a name that ends with .csv"},
		{"--replications=3 --find-warm-up=number --warm-up-table=t.csv --task=0/2 --journal=j",
			"but a task has no table; give --warm-up-table with --merge"},
		{"--replications=3 --find-warm-up=numbr",
			"option --find-warm-up: numbr is not a result; did you mean number? give one of number, plain"},
		{"--replications=3 --find-warm-up=sizes", "option --find-warm-up=sizes: it is a histogram, and has no course over the " +
			"time; record the same numbers in a stats.Series, too, and name that"},
		{"--replications=3 --find-warm-up=plain", "option --find-warm-up=plain: it is a level without intervals, and has no " +
			"course over the time; give it some in its tag, such as `ross:\"plain,,every=10\"`"},
		{"--replications=3 --find-warm-up=twice --result=twice=2*number", "twice: it is computed from other results, and has no"},
	} {
		status, out, errs := count(c[0])
		require.Equal(t, 2, status, "%s: %s%s", c[0], out, errs)
		require.Contains(t, errs, c[1], c[0])
	}
	status, _, errs := count("--replications=30 --journal=j --results=plain")
	require.Zero(t, status, errs)
	status, _, errs = count("--replications=30 --journal=j --find-warm-up=number")
	require.Equal(t, 1, status)
	require.Contains(t, errs, "option --find-warm-up=number: no run has kept its course")
}
