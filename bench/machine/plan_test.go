package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// world is a made-up machine: each cell takes its End in seconds, times slower in turns.
type world struct {
	clock  time.Duration
	slower float64 // of runs after the first
	log    []string
	failed []string
	fails  map[string]error
	stop   func(ran int) // called before each run
}

func (w *world) planner(budget time.Duration) planner {
	return planner{now: func() time.Duration { return w.clock }, budget: budget, most: mostTurns, first: time.Second,
		run: func(ctx context.Context, c *cell, trial bool) error {
			if w.stop != nil {
				w.stop(len(w.log))
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			took := time.Duration(c.End * float64(time.Second))
			if !trial && w.slower > 0 {
				took = time.Duration(float64(took) * w.slower)
			}
			w.clock += took
			w.log = append(w.log, c.Workload)
			return w.fails[c.Workload]
		}, failed: func(c *cell, _ error) { w.failed = append(w.failed, c.Workload) }}
}

func taskOf(name string, seconds float64, reference *task) *task {
	return &task{of: &cell{Workload: name, End: seconds}, reference: reference, expected: 1}
}

func (w *world) ran(name string) (n int) {
	for _, s := range w.log {
		if s == name {
			n++
		}
	}
	return n
}

func TestAllCellsAreMeasuredInTurnsWhileThereIsTime(t *testing.T) {
	w := world{}
	a := taskOf("a", 1, nil)
	b := taskOf("b", 1, a)
	p := w.planner(13 * time.Second)
	require.Equal(t, 5, p.plan(context.Background(), []*task{a, b}))
	require.Equal(t, []string{"a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b"}, w.log)
	require.LessOrEqual(t, w.clock, p.budget)
	w = world{}
	a, b = taskOf("a", 1, nil), taskOf("b", 1, nil)
	p = w.planner(time.Hour)
	require.Equal(t, mostTurns, p.plan(context.Background(), []*task{a, b}))
}

func TestTheLeastImportantCellsAreLeftOut(t *testing.T) {
	w := world{}
	a := taskOf("a", 1, nil)
	long := taskOf("long", 100, nil)
	long.expected = 100
	b, c := taskOf("b", 1, a), taskOf("c", 1, a)
	d := taskOf("d", 1, long)
	p := w.planner(9 * time.Second)
	require.Equal(t, leastTurns, p.plan(context.Background(), []*task{a, long, b, c, d}))
	require.Equal(t, noTime, long.left)
	require.Equal(t, "its sequential run was left out", d.left)
	require.Empty(t, b.left, "a short one is measured even if a longer one before it was not")
	require.Equal(t, noTime, c.left)
	require.LessOrEqual(t, w.clock, p.budget)
	require.Zero(t, w.ran("long")+w.ran("c")+w.ran("d"))
}

func TestCellsThatTakeLongerThanAtFirstPushOutOthers(t *testing.T) {
	w := world{slower: 2}
	var all []*task
	for _, name := range []string{"a", "b", "c", "d"} {
		all = append(all, taskOf(name, 1, nil))
	}
	p := w.planner(20 * time.Second)
	require.Equal(t, leastTurns, p.plan(context.Background(), all))
	require.Equal(t, 1+leastTurns, w.ran("a"))
	require.Empty(t, all[0].left)
	require.Equal(t, noTime, all[3].left)
	require.LessOrEqual(t, w.clock, p.budget+2*time.Second, "at most one run too much")
}

func TestTheMostImportantCellIsMeasuredHoweverSlowItIs(t *testing.T) {
	w := world{slower: 10}
	a, b := taskOf("a", 1, nil), taskOf("b", 1, nil)
	p := w.planner(9 * time.Second)
	p.plan(context.Background(), []*task{a, b})
	require.Empty(t, a.left)
	require.Equal(t, 1+leastTurns, w.ran("a"))
	require.Equal(t, noTime, b.left)
}

func TestAReferenceRunsOnce(t *testing.T) {
	w := world{}
	a := taskOf("a", 1, nil)
	a.once = true
	b := taskOf("b", 1, a)
	p := w.planner(5 * time.Second)
	require.Equal(t, leastTurns, p.plan(context.Background(), []*task{a, b}))
	require.Equal(t, []string{"a", "b", "b", "b", "b"}, w.log)
}

func TestACellThatFailsIsToldAndLeftOut(t *testing.T) {
	w := world{fails: map[string]error{"a": errors.New("digests differ")}}
	a := taskOf("a", 1, nil)
	b, c := taskOf("b", 1, a), taskOf("c", 1, nil)
	p := w.planner(time.Hour)
	p.plan(context.Background(), []*task{a, b, c})
	require.Equal(t, []string{"a"}, w.failed)
	require.Equal(t, "failed: digests differ", a.left)
	require.Equal(t, "its sequential run was left out", b.left)
	require.Empty(t, c.left)
}

func TestAStopEndsThePlan(t *testing.T) {
	for at, turns := range map[int]int{0: 0, 1: 0, 2: 0, 4: 1, 5: 1, 6: 2} {
		ctx, cancel := context.WithCancel(context.Background())
		w := world{stop: func(ran int) {
			if ran == at {
				cancel()
			}
		}}
		a, b := taskOf("a", 1, nil), taskOf("b", 1, nil)
		p := w.planner(time.Hour)
		require.Equal(t, turns, p.plan(ctx, []*task{a, b}), at)
		require.Len(t, w.log, at)
		require.Empty(t, w.failed, "a run that was stopped has not failed")
		if at < 2 {
			require.Equal(t, stopped, b.left, at)
		}
		cancel()
	}
}

// Runs on made-up machines whose PEs scale well take the time of their share of the model, and of a process.
func TestTheTimeSufficesOnSmallAndLargeMachines(t *testing.T) {
	const budget = 12 * time.Minute
	for _, l := range []layout{
		{cores: 1, processors: 1}, {cores: 2, processors: 2, binds: true, starts: true},
		{cores: 16, processors: 32, binds: true, starts: true}, {cores: 128, processors: 256, binds: true, starts: true},
	} {
		cells := l.cells(workloads())
		seconds := l.seconds(budget, cells)
		var clock time.Duration
		p := planner{now: func() time.Duration { return clock }, budget: budget, most: mostTurns, first: time.Second,
			run: func(_ context.Context, c *cell, _ bool) error {
				took := seconds * float64(c.Size) / float64(l.fixedSize()) / (1 + 0.8*float64(min(c.PEs, l.cores)-1))
				clock += time.Duration((took + 0.1) * float64(time.Second))
				return nil
			}}
		tasks := l.tasksOf(cells)
		require.GreaterOrEqual(t, p.plan(context.Background(), tasks), leastTurns)
		require.LessOrEqual(t, clock, budget)
		require.Greater(t, clock, budget/8, "the time is used")
		for _, task := range tasks {
			if task.of.On != ranks && !task.of.Bound && task.of.Size == l.fixedSize() || l.cores <= 2 {
				require.Empty(t, task.left, "%d cores: %s", l.cores, task.of.name())
			}
		}
	}
}
