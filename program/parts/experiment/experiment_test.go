// This file owns the tests of experiments as they run: settings, errors, cancelling, workers, ranks; and those of
// points and designs.

package experiment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/rng"
)

func nothing(context.Context, *Trial) (Responses, error) { return Responses{"x": 0}, nil }

// draw returns responses from the streams of a trial, as a model does.
func draw(t *Trial) Responses {
	models, _ := rng.RunSeeds(t.Seed)
	s := rng.NewSeeder(models.Replication(t.Replication)).Stream(0)
	scale := 1.0
	if len(t.Point) > 0 {
		scale = t.Float("scale")
	}
	return Responses{"x": scale * s.Exponential(1), "y": s.Unif()}
}

func drawing(_ context.Context, t *Trial) (Responses, error) { return draw(t), nil }

func TestResultsOfAnExperiment(t *testing.T) {
	r, err := Experiment{Name: "test", Seed: 5, Replications: 4, Points: Grid(Over("scale", 1.0, 3.0)), Run: drawing}.Do(
		context.Background())
	require.NoError(t, err)
	require.Equal(t, []string{"x", "y"}, r.Responses)
	require.Equal(t, 0.95, r.Confidence)
	require.Len(t, r.Points, 2)
	for i, p := range r.Points {
		require.Equal(t, 4, p.Replications)
		require.True(t, p.Enough)
		var want []float64
		for n := range uint64(4) {
			want = append(want, draw(&Trial{Point: p.Point, Seed: 5, Replication: n})["x"])
		}
		require.Equal(t, want, p.Values("x"))
		interval, err := r.Interval("x", i)
		require.NoError(t, err)
		require.Equal(t, MeanInterval(want, 0.95), interval)
	}
	// The points have the same random numbers: y is the same, and x differs by its scale.
	d, err := r.Difference("y", 0, 1)
	require.NoError(t, err)
	require.Equal(t, Interval{N: 4, Confidence: 0.95}, d)
	d, err = r.Difference("x", 0, 1)
	require.NoError(t, err)
	one, err := r.Interval("x", 0)
	require.NoError(t, err)
	require.InEpsilon(t, 2*one.Mean, d.Mean, 1e-12)
	require.InEpsilon(t, 2*one.Half, d.Half, 1e-12)

	_, err = r.Interval("z", 0)
	require.EqualError(t, err, `ross: results: response "z" does not exist: give one of ["x" "y"]`)
	_, err = r.Difference("x", 0, 2)
	require.EqualError(t, err, "ross: results: point 2 does not exist: give 0 to 1")
	_, err = r.Differences(-1)
	require.EqualError(t, err, "ross: results: point -1 does not exist: give 0 to 1")
	require.Nil(t, r.Points[0].Values("z"))
}

func TestADifferenceIsThatOfReplicationsThatBothPointsHave(t *testing.T) {
	e := Experiment{Name: "test", Seed: 2, Points: Grid(Over("scale", 0.1, 20.0)), Run: drawing,
		Until: []Precision{{Response: "x", Absolute: 0.2}}, Replications: 3, MaxReplications: 60}
	var never context.Context // a nil context never ends
	r, err := e.Do(never)
	require.NoError(t, err)
	few := r.Points[0].Replications
	require.Less(t, few, 20)
	require.True(t, r.Points[0].Enough)
	require.Equal(t, 60, r.Points[1].Replications)
	require.False(t, r.Points[1].Enough)
	d, err := r.Difference("y", 0, 1)
	require.NoError(t, err)
	require.Equal(t, Interval{N: few, Confidence: 0.95}, d)
	d, err = r.Difference("x", 1, 0)
	require.NoError(t, err)
	require.InEpsilon(t, -199*MeanInterval(r.Points[0].Values("x"), 0.95).Mean, d.Mean, 1e-12)
}

func TestExperimentsThatCannotRun(t *testing.T) {
	for _, c := range []struct {
		change func(e *Experiment)
		want   string
	}{
		{func(e *Experiment) { e.Name = "" }, `ross: experiment "": Name is empty: give one`},
		{func(e *Experiment) { e.Version = "\xff" }, `Version is "\xff": give name and version in UTF-8`},
		{func(e *Experiment) { e.Run = nil }, "Run is nil: give a function that runs the model"},
		{func(e *Experiment) { e.Replications = -1 },
			"Replications is -1 and MaxReplications is -1: give 1 to 16777216, and not less than Replications"},
		{func(e *Experiment) { e.Replications = 1<<24 + 1 },
			"Replications is 16777217 and MaxReplications is 16777217: give 1 to 16777216"},
		{func(e *Experiment) {
			e.Until, e.Replications, e.MaxReplications = []Precision{{Response: "x", Relative: 1}}, 5, 4
		}, "Replications is 5 and MaxReplications is 4"},
		{func(e *Experiment) { e.Confidence = 95 }, "Confidence is 95: give a number between 0 and 1, such as 0.95"},
		{func(e *Experiment) { e.Workers = -1 }, "Workers is -1: give 1 or more, or 0 for one on each core"},
		{func(e *Experiment) { e.Ranks = -1 }, "Ranks is -1: give 1 to 1024, or 0 for this process alone"},
		{func(e *Experiment) { e.Ranks = 1025 }, "Ranks is 1025: give 1 to 1024, or 0 for this process alone"},
		{func(e *Experiment) { e.Until = []Precision{{}} }, "give a half width above 0"},
		{func(e *Experiment) { e.Until = []Precision{{Response: "x"}} },
			"precision {Response:x Relative:0 Absolute:0}: give a half width above 0"},
		{func(e *Experiment) { e.Until = []Precision{{Response: "x", Relative: -1, Absolute: 2}} },
			"give a half width above 0"},
		{func(e *Experiment) { e.Until = []Precision{{Response: "x", Absolute: math.NaN()}} }, "give a half width above 0"},
		{func(e *Experiment) { e.Task, e.Tasks = 3, 3 }, "Task is 3 and Tasks is 3: give a task from 0 to Tasks-1"},
		{func(e *Experiment) { e.Task = 1 }, "Task is 1 and Tasks is 0: give a task from 0 to Tasks-1, or leave out both"},
		{func(e *Experiment) { e.Tasks, e.Until = 2, []Precision{{Response: "x", Relative: 1}} },
			"so give a fixed number of replications"},
		{func(e *Experiment) { e.Points = Grid(Over("a", math.Inf(1))) },
			`point 0: parameter "a" is +Inf: give finite numbers`},
		{func(e *Experiment) { e.Points = append(Grid(Over("a", 1)), Grid(Over("b", 1))...) },
			`point 1 has the parameters ["b"], and point 0 has ["a"]: give all points the same, in the same order`},
		{func(e *Experiment) { e.Points = Grid(Over("a", 1, 2, 1)) }, "points 0 and 2 are both a=1: give each point once"},
	} {
		e := Experiment{Name: "test", Run: func(context.Context, *Trial) (Responses, error) {
			t.Error("it ran")
			return nil, nil
		}}
		c.change(&e)
		_, err := e.Do(context.Background())
		require.ErrorContains(t, err, c.want)
	}
}

func TestAnExperimentIsTheWorkOfOneProcess(t *testing.T) {
	t.Setenv("OMPI_COMM_WORLD_SIZE", "2")
	_, err := Experiment{Name: "test", Run: nothing}.Do(context.Background())
	require.EqualError(t, err,
		`ross: experiment "test": mpirun has started 2 of this program, and an experiment is the work of one process: start it without mpirun`)
	t.Setenv("OMPI_COMM_WORLD_SIZE", "1")
	_, err = Experiment{Name: "test", Run: nothing}.Do(context.Background())
	require.NoError(t, err)
}

func TestErrorsNamePointAndReplication(t *testing.T) {
	bad := errors.New("the model is wrong")
	at := func(n uint64, f func(t *Trial) (Responses, error)) func(context.Context, *Trial) (Responses, error) {
		return func(_ context.Context, trial *Trial) (Responses, error) {
			if trial.Replication == n && trial.Float("scale") == 3 {
				return f(trial)
			}
			return draw(trial), nil
		}
	}
	for _, c := range []struct {
		name string
		run  func(context.Context, *Trial) (Responses, error)
		want string
	}{
		{"an error", at(2, func(*Trial) (Responses, error) { return nil, bad }),
			"point scale=3, replication 2: the model is wrong"},
		{"a panic", at(1, func(*Trial) (Responses, error) { panic("oh") }),
			"point scale=3, replication 1: the function Run panicked: oh\n"},
		{"the end of a goroutine", at(1, func(*Trial) (Responses, error) { runtime.Goexit(); return nil, nil }),
			"point scale=3, replication 1: the function Run ended its goroutine: it must return"},
		{"no responses", at(2, func(*Trial) (Responses, error) { return nil, nil }),
			"point scale=3, replication 2: there are no responses: return at least one"},
		{"NaN", at(2, func(*Trial) (Responses, error) { return Responses{"x": math.NaN(), "y": 1}, nil }),
			`point scale=3, replication 2: response "x" is NaN: return finite numbers`},
		{"infinity", at(2, func(*Trial) (Responses, error) { return Responses{"x": math.Inf(-1), "y": 1}, nil }),
			`point scale=3, replication 2: response "x" is -Inf: return finite numbers`},
		{"a name that is no text", at(2, func(*Trial) (Responses, error) { return Responses{"x": 1, "y\xff": 1}, nil }),
			`point scale=3, replication 2: response "y\xff": give names in UTF-8`},
		{"other responses", at(2, func(*Trial) (Responses, error) { return Responses{"x": 1, "z": 1}, nil }),
			`point scale=3, replication 2: the responses are ["x" "z"], and those of other runs are ["x" "y"]: return the same in all runs`},
		{"an unknown parameter", at(2, func(t *Trial) (Responses, error) { t.Float("scales"); return draw(t), nil }),
			`point scale=3, replication 2: parameter "scales" does not exist: the point is scale=3`},
		{"another type", at(2, func(t *Trial) (Responses, error) { t.Int("scale"); t.Text("no"); return draw(t), nil }),
			`point scale=3, replication 2: parameter "scale" is of type float64: ask for that type`},
		{"both", at(2, func(t *Trial) (Responses, error) { t.Bool("scale"); return nil, bad }),
			"point scale=3, replication 2: parameter \"scale\" is of type float64: ask for that type\nthe model is wrong"},
	} {
		for _, workers := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s, %d workers", c.name, workers), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { // it fails if goroutines are left
					r, err := Experiment{Name: "test", Seed: 1, Points: Grid(Over("scale", 1.0, 3.0)), Run: c.run,
						Workers: workers}.Do(context.Background())
					require.ErrorContains(t, err, `ross: experiment "test": `+c.want)
					require.Less(t, r.Points[1].Replications, 3)
					require.False(t, r.Points[1].Enough)
				})
			})
		}
	}
	_, err := Experiment{Name: "test", Run: nothing, Workers: 1, Until: []Precision{{Response: "z", Relative: 1}}}.Do(
		context.Background())
	require.ErrorContains(t, err,
		`point (no parameters), replication 0: response "z" of Until is not among ["x"]: name one of them`)
}

// The end of the context stops what runs, and a result that comes after it does not count, since the run
// may have been cut short.
func TestTheEndOfTheContextStopsAnExperiment(t *testing.T) {
	for _, workers := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			stop := errors.New("that is enough")
			var running atomic.Int32
			r, err := Experiment{Name: "test", Seed: 1, Workers: workers,
				Run: func(ctx context.Context, trial *Trial) (Responses, error) {
					running.Add(1)
					defer running.Add(-1)
					if trial.Replication == 6 {
						synctest.Wait() // until those before it have been counted
						cancel(stop)
					}
					if trial.Replication >= 6 {
						<-ctx.Done()
						return Responses{"x": -1, "y": -1}, nil
					}
					return draw(trial), nil
				}}.Do(ctx)
			require.ErrorIs(t, err, stop)
			require.ErrorContains(t, err, `ross: experiment "test": stopped after 6 of 10 replications: that is enough`)
			require.Zero(t, running.Load())
			require.Equal(t, 6, r.Points[0].Replications)
			require.False(t, r.Points[0].Enough)
			require.NotContains(t, r.Points[0].Values("x"), -1.0)
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Experiment{Name: "test", Run: nothing}.Do(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, r.Points[0].Replications)
}

// Replications end in any order, in the time of the bubble, and more of them run than are needed.
func TestResultsDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	e := Experiment{Name: "test", Seed: 3, Points: Grid(Over("scale", 1.0, 2.0, 5.0)), Replications: 5,
		Until: []Precision{{Response: "y", Relative: 0.25}, {Response: "x", Relative: 0.5}}}
	e.Run = drawing
	e.Workers = 1
	want, err := e.Do(context.Background())
	require.NoError(t, err)
	require.Greater(t, want.Points[0].Replications, 8)
	for _, workers := range []int{2, 3, 16} {
		synctest.Test(t, func(t *testing.T) {
			var running, most, all atomic.Int32
			other := e
			other.Workers = workers
			other.Run = func(_ context.Context, trial *Trial) (Responses, error) {
				all.Add(1)
				if n := running.Add(1); n > most.Load() {
					most.Store(n)
				}
				defer running.Add(-1)
				time.Sleep(time.Duration(trial.Replication*trial.Replication%7) * time.Second)
				require.True(t, trial.SideBySide)
				return draw(trial), nil
			}
			got, err := other.Do(context.Background())
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.EqualValues(t, workers, most.Load())
			needed := 0
			for _, p := range got.Points {
				needed += p.Replications
			}
			require.LessOrEqual(t, int(all.Load())-needed, 3*workers, "few runs are in vain")
		})
	}
}

func TestConfigureSetsWhatAReplicationNeeds(t *testing.T) {
	cfg := ross.DefaultConfig()
	cfg.PEs, cfg.NLP, cfg.Synch, cfg.Streams.Seeds, cfg.Streams.CoreSeeds = 4, 8, ross.Optimistic, [4]uint64{1, 2, 3,
		4}, [4]uint64{1, 2, 3, 4}
	one := cfg
	(&Trial{Seed: 7, Replication: 9}).Configure(&one)
	require.NoError(t, one.Validate())
	require.Equal(t, []uint64{7, 9, 4, 8, 3}, []uint64{one.Seed, one.Replication, uint64(one.PEs), uint64(one.NLP),
		uint64(one.Synch)})
	many := cfg
	(&Trial{Seed: 7, Replication: 9, SideBySide: true}).Configure(&many)
	require.Equal(t, []uint64{7, 9, 1, 32, 1}, []uint64{many.Seed, many.Replication, uint64(many.PEs), uint64(many.NLP),
		uint64(many.Synch)})
	many = cfg
	many.LPs = 20
	(&Trial{SideBySide: true}).Configure(&many)
	require.Equal(t, uint64(8), uint64(many.NLP))
	require.Zero(t, many.Streams.Seeds, "without a seed, the streams are those of ROSS")
}

func TestTheProgressBarShowsReplications(t *testing.T) {
	var out bytes.Buffer
	_, err := Experiment{Name: "queueing", Seed: 1, Replications: 3, Run: drawing, Progress: &out}.Do(context.Background())
	require.NoError(t, err)
	require.Contains(t, out.String(), "queueing")
	require.Contains(t, out.String(), "3/3")
	require.Equal(t, byte('\n'), out.Bytes()[out.Len()-1])
}

func TestGridHasEveryCombination(t *testing.T) {
	var got []string
	for _, p := range Grid(Over("load", 0.5, 1), Over("policy", "fifo", "two words"), Over("fast", true),
		Over("n", 1, 2)) {
		got = append(got, p.String())
	}
	require.Equal(t, []string{
		"load=0.5 policy=fifo fast=true n=1", "load=0.5 policy=fifo fast=true n=2",
		`load=0.5 policy="two words" fast=true n=1`, `load=0.5 policy="two words" fast=true n=2`,
		"load=1 policy=fifo fast=true n=1", "load=1 policy=fifo fast=true n=2",
		`load=1 policy="two words" fast=true n=1`, `load=1 policy="two words" fast=true n=2`,
	}, got)
	require.Empty(t, Grid(Over("load", 0.5), Over[int]("none")))
	require.Equal(t, []Point{{}}, Grid())
	require.Equal(t, "(no parameters)", Grid()[0].String())
}

func TestTextsOfPointsAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range []Point{
		{}, {{"a", ""}}, {{"a", 1}}, {{"a", 1}, {"b", 2}}, {{"a", "1 b=2"}}, {{"a", "1"}, {"b", "2 "}}, {{"a=1 b", 2}},
		{{"a", `"1"`}},
		{{"a", "\n"}}, {{"a", `\n`}}, {{"a", 1.5}}, {{"a", math.Nextafter(1.5, 2)}}, {{"a", true}}, {{"(no parameters)", ""}},
	} {
		require.False(t, seen[p.String()], "%s", p)
		seen[p.String()] = true
	}
}

func TestListTakesTheFactorsTogether(t *testing.T) {
	points, err := List(Over("load", 0.5, 0.7), Over("servers", 1, 2))
	require.NoError(t, err)
	require.Equal(t, []Point{{{"load", 0.5}, {"servers", 1}}, {{"load", 0.7}, {"servers", 2}}}, points)
	_, err = List(Over("load", 0.5, 0.7), Over("servers", 1))
	require.EqualError(t, err, `ross: list of points: "load" has 2 values and "servers" has 1: give all factors as many`)
	_, err = List()
	require.EqualError(t, err, "ross: list of points: no factors: give at least one")
}

func TestALatinHypercubeHasEachStratumOnceInEachDimension(t *testing.T) {
	for _, n := range []int{1, 2, 7, 100} {
		for seed := range uint64(5) {
			ranges := []Range{{Name: "a", High: 1}, {Name: "b", Low: -3, High: 39}, {Name: "c", Low: 1e-3, High: 1e3, Log: true}}
			points, err := LatinHypercube(n, seed, ranges...)
			require.NoError(t, err)
			require.Len(t, points, n)
			again, err := LatinHypercube(n, seed, ranges...)
			require.NoError(t, err)
			require.Equal(t, points, again)
			for d, r := range ranges {
				seen := map[int]bool{}
				for _, p := range points {
					require.Equal(t, r.Name, p[d].Name)
					x := p[d].Value.(float64)
					share := (x - r.Low) / (r.High - r.Low)
					if r.Log {
						share = math.Log(x/r.Low) / math.Log(r.High/r.Low)
					}
					stratum := int(math.Floor(share * float64(n)))
					require.False(t, seen[stratum], "seed %d, stratum %d of %s", seed, stratum, r.Name)
					seen[stratum] = true
				}
				for i := range n {
					require.True(t, seen[i])
				}
			}
		}
	}
	// The dimensions are combined at random, and so are the seeds.
	one, err := LatinHypercube(50, 1, Range{Name: "a", High: 1}, Range{Name: "b", High: 1})
	require.NoError(t, err)
	two, err := LatinHypercube(50, 2, Range{Name: "a", High: 1}, Range{Name: "b", High: 1})
	require.NoError(t, err)
	ab, a12 := 0.0, 0.0
	for i := range one {
		centred := func(p Point, d int) float64 { return (p[d].Value.(float64) - 0.5) * math.Sqrt(12) }
		ab += centred(one[i], 0) * centred(one[i], 1) / 50
		a12 += centred(one[i], 0) * centred(two[i], 0) / 50
	}
	require.InDelta(t, 0, ab, 4/math.Sqrt(50))
	require.InDelta(t, 0, a12, 4/math.Sqrt(50))
}

func TestErrorsOfALatinHypercube(t *testing.T) {
	for _, c := range []struct {
		n      int
		ranges []Range
		want   string
	}{
		{0, []Range{{Name: "a", High: 1}}, "0 points in 1 ranges: give at least one of each"},
		{3, nil, "3 points in 0 ranges: give at least one of each"},
		{3, []Range{{Name: "a", Low: 2, High: 1}}, `range "a" is 2 to 1: give finite numbers, the lower one first`},
		{3, []Range{{Name: "a", Low: 2, High: math.Inf(1)}},
			`range "a" is 2 to +Inf: give finite numbers, the lower one first`},
		{3, []Range{{Name: "a", Low: math.NaN(), High: 1}},
			`range "a" is NaN to 1: give finite numbers, the lower one first`},
		{3, []Range{{Name: "a", Low: 0, High: 1, Log: true}}, `range "a" is 0 to 1: a range with Log must be above 0`},
	} {
		_, err := LatinHypercube(c.n, 1, c.ranges...)
		require.EqualError(t, err, "ross: Latin hypercube: "+c.want)
	}
}

func TestPointsThatCannotBeUsed(t *testing.T) {
	for _, c := range []struct {
		point Point
		want  string
	}{
		{Point{{"a", math.NaN()}}, `parameter "a" is NaN: give finite numbers`},
		{Point{{"a", int64(1)}}, `parameter "a" is of type int64: give a float64, int, string or bool`},
		{Point{{"a", nil}}, `parameter "a" is of type <nil>: give a float64, int, string or bool`},
		{Point{{"", 1}}, "parameter 0 has no name: give it one"},
		{Point{{"\xff", 1}}, `parameter "\xff": give names in UTF-8`},
		{Point{{"a", 1}, {"a", 2}}, `parameter "a" is given twice: give each one value`},
	} {
		require.EqualError(t, c.point.check(), c.want, fmt.Sprint(c.point))
	}
	require.NoError(t, Point{{"a", 1}, {"b", 1.5}, {"c", ""}, {"d", false}}.check())
}

func TestTableAsText(t *testing.T) {
	var out strings.Builder
	require.NoError(t, someTable().WriteText(&out))
	require.Equal(t, ""+
		"   load   n  policy    mixed  fast   level\n"+
		"    0.5   1  fifo          1  true       2\n"+
		"0.33333  20  a \"b\", c    two  false    2.5\n"+
		"   +Inf  -3  \u00e9          true  true       3\n", out.String())
}

var errFull = errors.New("no room")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// drawn is a model without a simulation: a number made of point and replication, which some runs do not have.
func drawn(_ context.Context, t *Trial) (Responses, error) {
	x := float64((t.Replication*2654435761 + uint64(t.Int("at"))*40503) % 1000)
	r := Responses{"x": x + 1000*float64(t.Int("at"))}
	if t.Replication%3 != 1 {
		r["sometimes"] = x / 7
	}
	return r, nil
}

// design is an experiment of drawn, with all its results as text.
func design() Experiment {
	return Experiment{Name: "drawn", Version: "1", Points: Grid(Over("at", 1, 2, 3)), Run: drawn, Replications: 7,
		Workers: 2, Partial: true}
}

// texts returns what results say.
func texts(t *testing.T, r *Results) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, r.Summary().WriteCSV(&b))
	require.NoError(t, r.Replications().WriteCSV(&b))
	return b.String()
}

// whole returns the results of an experiment in one process, one run after the other.
func whole(t *testing.T, e Experiment) string {
	t.Helper()
	e.Workers = 1
	r, err := e.Do(context.Background())
	require.NoError(t, err)
	return texts(t, r)
}

// onRanks does an experiment on n ranks that are goroutines. change changes it on a rank.
func onRanks(n int, e Experiment, change func(rank int, e *Experiment) context.Context) (all []*Results, errs []error) {
	cluster := worldtest.New(n, 1, 0)
	all, errs = make([]*Results, n), make([]error, n)
	var group sync.WaitGroup
	for rank := range n {
		group.Go(func() {
			own := e
			own.OverRanks, own.world = true, cluster.Rank(rank)
			ctx := context.Background()
			if change != nil {
				ctx = change(rank, &own)
			}
			all[rank], errs[rank] = own.Do(ctx)
		})
	}
	group.Wait()
	return all, errs
}

func TestRanksGiveTheSameResults(t *testing.T) {
	precise := design()
	precise.Until, precise.MaxReplications = []Precision{{Response: "x", Relative: 0.05}}, 200
	for _, e := range []Experiment{design(), precise} {
		want := whole(t, e)
		for _, n := range testlevel.Pick([]int{1, 2, 3, 5, 8}, []int{2, 3}, []int{2, 3}) {
			e.Journal = filepath.Join(t.TempDir(), "j")
			runs := make([]int, n)
			all, errs := onRanks(n, e, func(rank int, own *Experiment) context.Context {
				own.Workers = 1 + rank
				var lock sync.Mutex
				own.Run = func(ctx context.Context, trial *Trial) (Responses, error) {
					lock.Lock()
					defer lock.Unlock()
					runs[rank]++
					return drawn(ctx, trial)
				}
				return context.Background()
			})
			for rank := range n {
				require.NoError(t, errs[rank])
				require.Equal(t, want, texts(t, all[rank]), "rank %d of %d", rank, n)
				require.Positive(t, runs[rank])
			}
			// One process goes on with the journal of the ranks: nothing is left.
			alone := e
			alone.Run = func(context.Context, *Trial) (Responses, error) { return nil, errors.New("run again") }
			r, err := alone.Do(context.Background())
			require.NoError(t, err)
			require.Equal(t, want, texts(t, r))
			all, errs = onRanks(n, alone, nil)
			require.NoError(t, errors.Join(errs...))
			require.Equal(t, want, texts(t, all[n-1]))
		}
	}
}

func TestRanksStopAndFailTogether(t *testing.T) {
	want := whole(t, design())
	e := design()
	e.Journal, e.FinishRunning = filepath.Join(t.TempDir(), "j"), true
	why := errors.New("enough")
	_, errs := onRanks(3, e, func(rank int, own *Experiment) context.Context {
		own.Workers = 1
		if rank != 1 {
			return context.Background()
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		own.Run = func(own context.Context, trial *Trial) (Responses, error) {
			cancel(why)
			return drawn(own, trial)
		}
		return ctx
	})
	require.ErrorIs(t, errs[1], why)
	for _, err := range errs {
		require.ErrorContains(t, err, "stopped after 3 of 21 replications, run it again with the same journal to go on")
	}
	broken := errors.New("broken")
	_, errs = onRanks(2, e, func(_ int, own *Experiment) context.Context {
		own.Run = func(ctx context.Context, trial *Trial) (Responses, error) {
			if trial.Int("at") == 3 && trial.Replication == 4 {
				return nil, broken
			}
			return drawn(ctx, trial)
		}
		return context.Background()
	})
	for _, err := range errs {
		require.ErrorContains(t, err, "point at=3, replication 4: broken")
	}
	all, errs := onRanks(2, e, nil)
	require.NoError(t, errors.Join(errs...))
	require.Equal(t, want, texts(t, all[0]))

	_, errs = onRanks(2, e, func(rank int, own *Experiment) context.Context {
		own.Replications += rank
		return context.Background()
	})
	for _, err := range errs {
		require.ErrorContains(t, err, "Replications")
	}
	_, errs = onRanks(2, e, func(rank int, own *Experiment) context.Context {
		if rank == 1 {
			own.Confidence = 2
		}
		return context.Background()
	})
	for _, err := range errs {
		require.ErrorContains(t, err, "Confidence is 2")
	}
}
