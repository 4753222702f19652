// This file owns the tests of experiments as they run: settings, errors, cancelling, workers.

package experiment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
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
	r, err := Experiment{Name: "test", Seed: 5, Replications: 4, Points: Grid(Over("scale", 1.0, 3.0)), Run: drawing}.Do(context.Background())
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
		{func(e *Experiment) { e.Replications = -1 }, "Replications is -1 and MaxReplications is -1: give 1 to 16777216, and not less than Replications"},
		{func(e *Experiment) { e.Replications = 1<<24 + 1 }, "Replications is 16777217 and MaxReplications is 16777217: give 1 to 16777216"},
		{func(e *Experiment) {
			e.Until, e.Replications, e.MaxReplications = []Precision{{Response: "x", Relative: 1}}, 5, 4
		}, "Replications is 5 and MaxReplications is 4"},
		{func(e *Experiment) { e.Confidence = 95 }, "Confidence is 95: give a number between 0 and 1, such as 0.95"},
		{func(e *Experiment) { e.Workers = -1 }, "Workers is -1: give 1 or more, or 0 for one on each core"},
		{func(e *Experiment) { e.Until = []Precision{{Relative: 1}} }, "give the name of a response, and a half width above 0"},
		{func(e *Experiment) { e.Until = []Precision{{Response: "x"}} }, "precision {Response:x Relative:0 Absolute:0}: give the name of a response"},
		{func(e *Experiment) { e.Until = []Precision{{Response: "x", Relative: -1, Absolute: 2}} }, "give the name of a response, and a half width above 0"},
		{func(e *Experiment) { e.Until = []Precision{{Response: "x", Absolute: math.NaN()}} }, "give the name of a response, and a half width above 0"},
		{func(e *Experiment) { e.Points = Grid(Over("a", math.Inf(1))) }, `point 0: parameter "a" is +Inf: give finite numbers`},
		{func(e *Experiment) { e.Points = append(Grid(Over("a", 1)), Grid(Over("b", 1))...) }, `point 1 has the parameters ["b"], and point 0 has ["a"]: give all points the same, in the same order`},
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
	require.EqualError(t, err, `ross: experiment "test": mpirun has started 2 of this program, and an experiment is the work of one process: start it without mpirun`)
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
		{"an error", at(2, func(*Trial) (Responses, error) { return nil, bad }), "point scale=3, replication 2: the model is wrong"},
		{"a panic", at(1, func(*Trial) (Responses, error) { panic("oh") }), "point scale=3, replication 1: the function Run panicked: oh\n"},
		{"the end of a goroutine", at(1, func(*Trial) (Responses, error) { runtime.Goexit(); return nil, nil }),
			"point scale=3, replication 1: the function Run ended its goroutine: it must return"},
		{"no responses", at(2, func(*Trial) (Responses, error) { return nil, nil }), "point scale=3, replication 2: there are no responses: return at least one"},
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
					r, err := Experiment{Name: "test", Seed: 1, Points: Grid(Over("scale", 1.0, 3.0)), Run: c.run, Workers: workers}.Do(context.Background())
					require.ErrorContains(t, err, `ross: experiment "test": `+c.want)
					require.Less(t, r.Points[1].Replications, 3)
					require.False(t, r.Points[1].Enough)
				})
			})
		}
	}
	_, err := Experiment{Name: "test", Run: nothing, Workers: 1, Until: []Precision{{Response: "z", Relative: 1}}}.Do(context.Background())
	require.ErrorContains(t, err, `point (no parameters), replication 0: response "z" of Until is not among ["x"]: name one of them`)
}

// The end of the context stops what runs, and a result that comes after it does not count, since the run
// may have been cut short.
func TestTheEndOfTheContextStopsAnExperiment(t *testing.T) {
	for _, workers := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			stop := errors.New("that is enough")
			var running atomic.Int32
			r, err := Experiment{Name: "test", Seed: 1, Workers: workers, Run: func(ctx context.Context, trial *Trial) (Responses, error) {
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
	cfg.PEs, cfg.NLP, cfg.Synch, cfg.Seeds, cfg.CoreSeeds = 4, 8, ross.Optimistic, [4]uint64{1, 2, 3, 4}, [4]uint64{1, 2, 3, 4}
	one := cfg
	(&Trial{Seed: 7, Replication: 9}).Configure(&one)
	require.NoError(t, one.Validate())
	require.Equal(t, []uint64{7, 9, 4, 8, 3}, []uint64{one.Seed, one.Replication, uint64(one.PEs), one.NLP, uint64(one.Synch)})
	many := cfg
	(&Trial{Seed: 7, Replication: 9, SideBySide: true}).Configure(&many)
	require.Equal(t, []uint64{7, 9, 1, 32, 1}, []uint64{many.Seed, many.Replication, uint64(many.PEs), many.NLP, uint64(many.Synch)})
	many = cfg
	many.TotalLPs = 20
	(&Trial{SideBySide: true}).Configure(&many)
	require.Equal(t, uint64(8), many.NLP)
	require.Zero(t, many.Seeds, "without a seed, the streams are those of ROSS")
}

func TestTheProgressBarShowsReplications(t *testing.T) {
	var out bytes.Buffer
	_, err := Experiment{Name: "queueing", Seed: 1, Replications: 3, Run: drawing, Progress: &out}.Do(context.Background())
	require.NoError(t, err)
	require.Contains(t, out.String(), "queueing")
	require.Contains(t, out.String(), "3/3")
	require.Equal(t, byte('\n'), out.Bytes()[out.Len()-1])
}
