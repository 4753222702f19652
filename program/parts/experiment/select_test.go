// This file owns the tests of the selection of the best point: how often it is right, the constants and the end of the
// procedure, and that workers, ranks and journals do not matter.

package experiment

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/rng"
)

// problem is a set of normal distributions with a known best.
type problem struct {
	name     string
	mean, sd func(i int) float64
	points   int
	common   float64 // correlation of points
	n0       int
	greatest bool
}

const zone = 0.5

// problems have the best point in the middle. In slippage, all others are worse by exactly the zone, which is the most
// difficult place for them.
func problems() []problem {
	slippage := func(best int) func(i int) float64 {
		return func(i int) float64 {
			if i == best {
				return 7 - zone
			}
			return 7
		}
	}
	equal := func(int) float64 { return 1 }
	return []problem{
		{"2 points", slippage(1), equal, 2, 0, 10, false},
		{"5 points", slippage(3), equal, 5, 0, 10, false},
		{"20 points", slippage(11), equal, 20, 0, 10, false},
		{"20 points, common random numbers", slippage(11), equal, 20, 0.8, 10, false},
		{"5 points, small first stage", slippage(0), equal, 5, 0.3, 4, false},
		{"10 points, the greatest", func(i int) float64 { return -slippage(4)(i) }, equal, 10, 0.5, 15, true},
		{"5 points, the best varies most", slippage(2), func(i int) float64 { return 0.7 + float64(i%4/2) }, 5, 0, 10,
			false},
		{"10 points, unequal variances", slippage(5), func(i int) float64 { return 0.3 + 0.1*float64(i) }, 10, 0, 10, false},
		{"20 points, monotone means", func(i int) float64 { return zone * math.Abs(float64(i-6)) }, equal, 20, 0, 10, false},
		{"8 points, monotone means, unequal variances", func(i int) float64 { return zone * float64(i) },
			func(i int) float64 { return 2 - 0.2*float64(i) }, 8, 0.5, 10, false},
	}
}

// right solves a problem many times, and returns how often the answer was right, and the mean number of replications of
// all points. change, if not nil, breaks the procedure.
func (p problem) right(t *testing.T, times int, change func(*race)) (correct int, replications float64) {
	best := 0
	for i := range p.points {
		if sign := map[bool]float64{true: -1, false: 1}[p.greatest]; sign*p.mean(i) < sign*p.mean(best) {
			best = i
		}
	}
	seeds, _ := rng.RunSeeds(12)
	seeder := rng.NewSeeder(seeds)
	for seed := range times {
		stream := seeder.Stream(uint64(seed))
		points := Grid(Factor{name: "i", levels: make([]any, p.points)})
		for i := range points {
			points[i][0].Value = i
		}
		e, err := Experiment{Name: "problem", Points: points, Run: nothing, Replications: p.n0, MaxReplications: 1e6,
			Select: &Selection{Response: "x", Greatest: p.greatest, Zone: zone}}.withDefaults()
		require.NoError(t, err)
		c := newCampaign(e)
		if change != nil {
			change(c.race)
		}
		for n := uint64(0); !c.race.over; n++ {
			shared := stream.Normal01()
			for i := range p.points {
				if !c.series[i].decided {
					x := p.mean(i) + p.sd(i)*(math.Sqrt(p.common)*shared+math.Sqrt(1-p.common)*stream.Normal01())
					c.series[i].early[n] = Responses{"x": x}
				}
			}
			require.NoError(t, c.race.advance(c.series))
		}
		choice := c.results().Choice
		require.True(t, choice.Proven)
		require.Empty(t, choice.Rivals)
		if choice.Point == best {
			correct++
		}
		for _, s := range c.series {
			replications += float64(len(s.prefix)) / float64(times)
		}
	}
	return correct, replications
}

const times = 200

// enough is the least number of right answers at 95 %, less three standard deviations.
func enough() int { return int(math.Floor(0.95*times - 3*math.Sqrt(0.95*0.05*times))) }

func TestTheBestPointIsSelectedAtLeastAtTheNominalRate(t *testing.T) {
	for _, p := range problems() {
		correct, replications := p.right(t, times, nil)
		t.Logf("%s: %d of %d, with %.1f replications", p.name, correct, times, replications)
		require.GreaterOrEqual(t, correct, enough(), p.name)
	}
}

// The rate of the test above is one that a procedure does not have if it forgets that there are many points, or that
// the difference of two of them varies more than one.
func TestABrokenSelectionIsWrongTooOften(t *testing.T) {
	for _, change := range []func(r *race){
		func(r *race) { r.h2 = boundary(1-r.Confidence, 1, r.Replications) },
		func(r *race) { r.h2 /= 2 },
	} {
		correct, _ := problems()[2].right(t, times, change)
		require.Less(t, correct, enough())
	}
}

// The constants are those of the paper, by hand: with c = 1, 1/2 (1 + 2 eta)^(-(n-1)/2) = alpha/(k-1) and
// h^2 = 2 eta (n-1).
func TestTheBoundaryIsThatOfThePaper(t *testing.T) {
	require.InEpsilon(t, 18, boundary(0.05, 1, 3), 1e-14)                          // (1 + 2 eta)^-1 = 0.1
	require.InEpsilon(t, 4*(math.Sqrt(40)-1), boundary(0.05, 4, 5), 1e-14)         // (1 + 2 eta)^-2 = 0.025
	require.InEpsilon(t, 9*(math.Pow(10, 2./9)-1), boundary(0.05, 1, 10), 1e-14)   // (1 + 2 eta)^-4.5 = 0.1
	require.InEpsilon(t, 9*(math.Pow(190, 2./9)-1), boundary(0.05, 19, 10), 1e-14) // (1 + 2 eta)^-4.5 = 1/190
}

// numbered returns an experiment of points 0 to n-1 with a model that is a function, run one after the other.
func numbered(points int, zone float64, x func(point, replication int) float64) Experiment {
	levels := make([]int, points)
	for i := range levels {
		levels[i] = i
	}
	return Experiment{Name: "numbered", Version: "1", Points: Grid(Over("i", levels...)), Replications: 3, Workers: 1,
		Select: &Selection{Response: "x", Zone: zone},
		Run: func(_ context.Context, t *Trial) (Responses, error) {
			return Responses{"x": x(t.Int("i"), int(t.Replication))}, nil
		}}
}

// Three replications give h^2 = 18, and differences of 0, 1 and 2 give S^2 = 1. The mean difference is 1 from then on,
// and the worse point is left out when 1 > zone/(2r) (18/zone^2 - r).
func TestARaceByHand(t *testing.T) {
	worse := func(point, replication int) float64 {
		x := float64(7 * replication % 5)
		if point == 0 {
			return x
		}
		return x + float64(min(replication, 1+max(3-replication, 0)))
	}
	for _, c := range []struct {
		zone         float64
		replications int
	}{
		{0.95, 7}, // (18.95 - 0.95r)/(2r) < 1
		{1.5, 4},  // (12 - 1.5r)/(2r) < 1
		{3, 3},    // (6 - 3r)/(2r) < 1, in the first stage
		{0.1, 86}, // (180 - 0.1r)/(2r) < 1
	} {
		e := numbered(2, c.zone, worse)
		r := do(t, e)
		require.Equal(t, &Choice{Point: 0, Proven: true}, r.Choice)
		for _, p := range r.Points {
			require.Equal(t, c.replications, p.Replications, "zone %g", c.zone)
			require.True(t, p.Enough)
		}
		e.Select.Greatest = true
		require.Equal(t, 1, do(t, e).Choice.Point)
	}
	e := numbered(2, 0.1, worse)
	e.MaxReplications = 85
	r := do(t, e)
	require.Equal(t, &Choice{Point: 0, Rivals: []int{1}}, r.Choice)
	require.False(t, r.Points[0].Enough || r.Points[1].Enough)
}

// Points are left out when they are behind, and get no more replications. Points that differ by the same amount in all
// replications are not compared, and the race of them alone ends.
func TestPointsAreLeftOutOneByOne(t *testing.T) {
	runs := make([]int, 5)
	far := func(point, replication int) float64 {
		runs[point]++
		noise := float64(replication * replication % 7)
		switch point {
		case 0:
			return 300 + float64(replication%3)/10
		case 1:
			return 1 + noise
		case 3:
			return 2.3 + noise // rounded in some replications
		case 4:
			return 3 - float64(replication%4)/3 + noise
		}
		return 1 + noise // point 2
	}
	e := numbered(5, 0.5, far)
	r := do(t, e)
	require.Equal(t, &Choice{Point: 1, Rivals: []int{2, 3}, Alike: true}, r.Choice)
	longest := r.Points[1].Replications
	require.Equal(t, []int{3, longest, longest, longest, r.Points[4].Replications}, runs)
	require.Less(t, 3, r.Points[4].Replications)
	require.True(t, r.Points[0].Enough && r.Points[4].Enough)
	require.False(t, r.Points[1].Enough || r.Points[3].Enough)

	// Point 1 differs from point 0 in one of seven runs, which the first stage does not show, and point 2 in each
	// second one.
	e = numbered(3, 2, func(point, replication int) float64 {
		return float64(replication%5) + []float64{0, 20 * float64(replication%7/6), 4 * float64(replication%2)}[point]
	})
	r = do(t, e)
	require.Equal(t, &Choice{Point: 0, Proven: true}, r.Choice)
	require.Less(t, r.Points[2].Replications, r.Points[1].Replications)
	// Means that are the same to the last bit are as good.
	r = do(t, numbered(2, 1, func(point, replication int) float64 { return float64((replication + point) % 2) }))
	require.Equal(t, &Choice{Point: 0, Proven: true}, r.Choice)
}

func TestSelectionsThatCannotBe(t *testing.T) {
	x := func(point, replication int) float64 { return float64(point) }
	for _, c := range []struct {
		change func(e *Experiment)
		want   string
	}{
		{func(e *Experiment) { e.Until = []Precision{{Relative: 0.1}} }, "there are precisions in Until and a Selection"},
		{func(e *Experiment) { e.Tasks = 3 }, "there are a Selection and 3 Tasks, but no task knows"},
		{func(e *Experiment) { e.Points = e.Points[:1] }, "selection of the best of 1: give 2 to 2000 points"},
		{func(e *Experiment) { e.Points = numbered(2001, 1, x).Points }, "selection of the best of 2001"},
		{func(e *Experiment) { e.Select.Response = "" }, "Selection.Response is empty: name a response"},
		{func(e *Experiment) { e.Select.Response = "y" },
			`response "y" of Select is missing in replication 0 of point i=0, which has ["x"]: name a response that all`},
		{func(e *Experiment) { e.Select.Zone = 0 }, "Selection.Zone is 0: give a finite number above 0"},
		{func(e *Experiment) { e.Select.Zone = math.NaN() }, "Selection.Zone is NaN"},
		{func(e *Experiment) { e.Select.Zone = math.Inf(1) }, "Selection.Zone is +Inf"},
		{func(e *Experiment) { e.Replications = 1 }, "Replications is 1: give 2 or more for a selection"},
		{func(e *Experiment) { e.Confidence = 0.5 }, "Confidence is 0.5: give more than 1/2, the probability of a guess"},
	} {
		e := numbered(2, 1, x)
		c.change(&e)
		_, err := e.Do(context.Background())
		require.ErrorContains(t, err, c.want)
	}
}

// noisy is a selection of six points, whose runs draw from streams of their own: most are needed for two of them.
func noisy() Experiment {
	seeds, _ := rng.RunSeeds(4)
	e := numbered(6, 0.4, func(point, replication int) float64 {
		seeder := rng.NewSeeder(seeds.Replication(uint64(replication)))
		shared, own := seeder.Stream(0), seeder.Stream(uint64(1+point))
		return shared.NormalSD(5, 1) + own.NormalSD(0.4*float64((point+4)%6), 0.5)
	})
	e.Replications = 8
	return e
}

func TestASelectionDoesNotDependOnWorkersRanksAndJournals(t *testing.T) {
	e := noisy()
	want := do(t, e)
	require.True(t, want.Choice.Proven)
	require.Equal(t, 2, want.Choice.Point)
	least, most := 1000, 0
	for _, p := range want.Points {
		least, most = min(least, p.Replications), max(most, p.Replications)
	}
	require.Greater(t, most, least+3)
	for _, workers := range []int{2, 7} {
		synctest.Test(t, func(t *testing.T) { // replications end in another order
			other := e
			other.Workers = workers
			other.Run = func(ctx context.Context, trial *Trial) (Responses, error) {
				time.Sleep(time.Duration(trial.Replication*trial.Replication%7+uint64(trial.Int("i"))%3) * time.Second)
				return e.Run(ctx, trial)
			}
			require.Equal(t, want, do(t, other))
		})
	}
	path := filepath.Join(t.TempDir(), "j")
	e.Journal = path
	all, errs := onRanks(3, e, func(rank int, own *Experiment) context.Context {
		own.Workers = 1 + rank
		return context.Background()
	})
	require.NoError(t, errors.Join(errs...))
	for _, r := range all {
		require.Equal(t, want, r)
	}
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := bytes.SplitAfter(content, []byte("\n"))
	for _, n := range []int{1, 2, len(lines) / 3, len(lines) - 2} {
		require.NoError(t, os.WriteFile(path, bytes.Join(lines[:n], nil), 0o600))
		require.Equal(t, want, do(t, e), "%d lines", n)
	}
	merged, err := e.Merge(path)
	require.NoError(t, err)
	require.Equal(t, want, merged)

	// One with a smaller zone makes what is missing, and a limit is no proof.
	finer := e
	finer.Select = &Selection{Response: "x", Zone: 0.3}
	var runs atomic.Int32
	finer.Run = func(ctx context.Context, trial *Trial) (Responses, error) {
		runs.Add(1)
		return e.Run(ctx, trial)
	}
	r := do(t, finer)
	require.True(t, r.Choice.Proven)
	finer.Journal = ""
	before := runs.Swap(0)
	require.Equal(t, r, do(t, finer))
	require.Less(t, before, runs.Load())
	finer.MaxReplications = most
	r = do(t, finer)
	require.False(t, r.Choice.Proven || r.Choice.Alike)
	require.NotEmpty(t, r.Choice.Rivals)
}

func TestAStoppedSelectionHasTheBestSoFar(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	e := noisy()
	run := e.Run
	e.FinishRunning = true
	e.Run = func(own context.Context, trial *Trial) (Responses, error) {
		if trial.Replication == 4 {
			cancel()
		}
		return run(own, trial)
	}
	r, err := e.Do(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, r.Choice.Rivals, 5)
	require.False(t, r.Choice.Proven || r.Choice.Alike)
	for i := range r.Points {
		require.Equal(t, 4, r.Points[i].Replications)
		require.GreaterOrEqual(t, MeanInterval(r.Points[i].Values("x"), 0.95).Mean,
			MeanInterval(r.Points[r.Choice.Point].Values("x"), 0.95).Mean)
	}
}
