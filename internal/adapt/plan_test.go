// This file pins plans: which KPs move to which PE; when one PE handles all events; and what auto decides: the scheduler, and
// what limits a run.

package adapt

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/testrand"
)

// unitsOf returns units with the given work on PE at, and the loads of that number of PEs.
func unitsOf(pes int, of map[int][]float64) (all []unit, load []float64) {
	load = make([]float64, pes)
	for at := range pes {
		for _, w := range of[at] {
			all, load[at] = append(all, unit{at: at, work: w}), load[at]+w
		}
	}
	return all, load
}

func TestPlanMakesLoadsAlike(t *testing.T) {
	units, load := unitsOf(2, map[int][]float64{0: {3, 3, 3, 3}, 1: {1, 1, 1, 1}})
	moved := spread(units, load)
	require.Equal(t, []float64{9, 7}, load, "one of 3; another would be too much")
	require.Len(t, moved, 1)
	units, load = unitsOf(2, map[int][]float64{0: {4, 2, 2}})
	spread(units, load)
	require.Equal(t, []float64{4, 4}, load)
}

func TestPlanLeavesWhatCannotBeImproved(t *testing.T) {
	for name, of := range map[string]map[int][]float64{
		"one hot KP":          {0: {10}, 1: {1, 1}},
		"alike":               {0: {1, 1, 1.01}, 1: {1, 1, 1}},
		"much too light ones": {0: {10, 0.001, 0.001}, 1: {1}},
		"nothing":             {},
	} {
		units, load := unitsOf(2, of)
		before := slices.Clone(load)
		require.Empty(t, spread(units, load), name)
		require.Equal(t, before, load, name)
	}
}

// A plan never makes the most loaded PE worse, and its loads are those of its units.
func TestPlansOfRandomLoads(t *testing.T) {
	rng := rand.New(rand.NewPCG(testrand.Seed(t), 0))
	for range 2000 {
		pes, of := 2+rng.IntN(6), map[int][]float64{}
		for range rng.IntN(60) {
			at := rng.IntN(1 + rng.IntN(pes))
			of[at] = append(of[at], rng.ExpFloat64())
		}
		units, load := unitsOf(pes, of)
		was, at := slices.Max(load), make([]int, len(units))
		for i := range units {
			at[i] = units[i].at
		}
		moved := spread(units, load)
		require.LessOrEqual(t, slices.Max(load), was+1e-9)
		sums := make([]float64, pes)
		for i := range units {
			sums[units[i].at] += units[i].work
			require.Equal(t, at[i] != units[i].at, slices.Contains(moved, i))
		}
		require.InDeltaSlice(t, sums, load, 1e-9)
		if len(units) > 0 && slices.Max(load) > enough*sum(load)/float64(pes) { // what is left cannot be divided further
			heaviest := 0.0
			for i := range units {
				heaviest = max(heaviest, units[i].work)
			}
			require.LessOrEqual(t, slices.Max(load)-slices.Min(load), 2*heaviest+1e-9)
		}
	}
}

func TestWhatLimitsARunIsNamed(t *testing.T) {
	for _, c := range []struct {
		b    Result
		want string
	}{
		{Result{}, ""},
		{Result{Latest: []float64{0.5, 0.5}, LPShare: 0.5, KPShare: 0.5}, ""},
		{Result{Latest: []float64{0.8, 0.2}, LP: 7, LPShare: 0.8, KPShare: 0.8},
			"LP 7 has 80 % of the work, and its events follow one another: PEs cannot be more than 1.2 times as fast as one; split it into several LPs"},
		{Result{Latest: []float64{0.8, 0.2}, LPShare: 0.1, KP: 3, KPPE: 1, KPShare: 0.7},
			"KP 3 of PE 1 has 70 % of the work, and its LPs stay together: give each PE more KPs (--nkp)"},
		{Result{Latest: []float64{0.8, 0.2}, LPShare: 0.1, KPPE: 1, KPShare: 0.8, KeepsPEs: true},
			"PE 1 has 80 % of the work, and its KPs cannot move: let all types of LPs say their lookahead (Type.Lookahead)"},
		{Result{Latest: []float64{0.8, 0.2}, LPShare: 0.1, KPShare: 0.1}, ""},
	} {
		require.Equal(t, c.want, c.b.Remark())
	}
}

func TestARunOfManyLPsBeginsInParallel(t *testing.T) {
	for _, c := range []struct {
		lps          uint64
		conservative bool
		begins       settings.Mode
	}{
		{mostSerial, true, settings.Sequential},
		{mostSerial + 1, true, settings.Conservative},
		{mostSerial + 1, false, settings.Optimistic},
	} {
		require.Equal(t, c.begins, NewAuto(nil, AutoOptions{NumLPs: c.lps, Conservative: c.conservative}).First())
	}
}

// A run of few LPs begins sequentially, since most runs are short; one of very many begins in parallel.
func ExampleNewAuto() {
	few := NewAuto(nil, AutoOptions{NumLPs: 1000, Conservative: true})
	many := NewAuto(nil, AutoOptions{NumLPs: 1 << 20, Conservative: true})
	fmt.Println(few.First() == settings.Sequential, many.First() == settings.Conservative)
	// Output: true true
}

// machine is a run of two PEs on a machine whose speeds are given. Its clock is that of testing/synctest.
type machine struct {
	Engine // what is not called
	b      *Balance
	begin  time.Time
	// At a time since the beginning: events per second in parallel and of one PE alone, in millions, and the processors at
	// work on those of PE 0 and 1.
	speed    func(at time.Duration) (parallel, alone, first, second float64)
	pes      [2]PELoad
	events   float64
	alone    time.Duration
	paused   bool
	measured bool      // KPs were to move
	windows  []float64 // events of every window of time
	seen     float64   // events in those
}

const (
	gvtEvery = 100 * time.Microsecond
	window   = 50 * time.Millisecond
)

func newMachine(speed func(at time.Duration) (parallel, alone, first, second float64)) *machine {
	m := &machine{begin: time.Now(), speed: speed}
	m.b = NewBalance(m, Options{PEs: 2, KPs: 1, Processors: 2, Free: true})
	return m
}

func (m *machine) Load(now time.Time) Load { return Load{At: now, PEs: slices.Clone(m.pes[:])} }
func (m *machine) Pausing() bool           { return m.paused }
func (m *machine) Pause()                  { m.paused = true }
func (m *machine) FitsSerial() bool        { return true }
func (m *machine) GoesOn() bool            { return true }
func (m *machine) Lacked() bool            { return false }
func (m *machine) PEOf(kp int) int         { return kp }
func (m *machine) EachLP(f func(id uint64, kp int, events uint64)) {
	m.measured = true
	for i := range m.pes {
		f(uint64(i), i, uint64(m.pes[i].Handled))
	}
}
func (m *machine) Move([]Move) ([]Move, bool) { return nil, true }
func (m *machine) Serially(f func()) {
	time.Sleep(time.Millisecond) // PEs come together and part, and nothing is handled
	f()
	time.Sleep(time.Millisecond)
}

func (m *machine) RunSerial(length time.Duration) float64 {
	before := m.events
	for end := time.Now().Add(length); time.Now().Before(end); m.step(true) {
	}
	m.alone += length
	return (m.events - before) / length.Seconds()
}

// step is what happens until the next GVT.
func (m *machine) step(alone bool) {
	parallel, serial, first, second := m.speed(time.Since(m.begin))
	if time.Sleep(gvtEvery); alone {
		parallel = serial
	}
	n := parallel * 1e6 * gvtEvery.Seconds()
	m.events += n
	for i, works := range []float64{first, second} {
		m.pes[i].Handled += n * works / (first + second)
		m.pes[i].Idle += (1 - works) * gvtEvery.Seconds()
	}
	if time.Since(m.begin) >= time.Duration(len(m.windows)+1)*window {
		m.windows, m.seen = append(m.windows, m.events-m.seen), m.events
	}
}

func (m *machine) run(length time.Duration) {
	m.b.Begin()
	for time.Since(m.begin) < length {
		m.step(false)
		if m.b.Look(); m.paused {
			m.paused = false
			m.b.Change()
		}
	}
}

// nextTo returns the speeds of even PHOLD next to a process that computes for a time of each period.
func nextTo(busy, of time.Duration) func(time.Duration) (float64, float64, float64, float64) {
	return func(at time.Duration) (float64, float64, float64, float64) {
		if at%of < busy {
			return 9, 14, 0.45, 0.47
		}
		return 20, 14, 0.95, 0.95
	}
}

func TestNobodyDisturbsARunThatStaysParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(nextTo(0, time.Second))
		m.run(5 * time.Second)
		require.Zero(t, m.alone)
		require.False(t, m.measured)
	})
}

// What one PE alone gains next to a process that computes all the time is not lost in looks.
func TestOnePENextToABusyProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(nextTo(time.Hour, time.Hour))
		m.run(5 * time.Second)
		require.Greater(t, m.events, 0.98*14e6*5)
	})
}

// Stretches of one PE cost little where disturbances are over when they are noticed, or soon after.
func TestIntermittentDisturbances(t *testing.T) {
	for _, c := range []struct{ busy, of time.Duration }{{5, 50}, {20, 200}, {40, 400}, {100, 1000}, {300, 1000}, {20, 41}} {
		t.Run(fmt.Sprintf("%d of %d ms", c.busy, c.of), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMachine(nextTo(c.busy*time.Millisecond, c.of*time.Millisecond))
				m.run(6 * time.Second)
				stays := 6 * (20e6 - 11e6*float64(c.busy)/float64(c.of))
				require.Greater(t, m.events/stays, 0.98)
			})
		})
	}
}

// With few LPs one PE handles all events before a tenth of a second is over, and goes on to: conservative PEs that wait for
// each other, optimistic ones that undo most, and ones that are as fast as one for a while.
func TestFewLPsGoToOnePESoon(t *testing.T) {
	for name, speed := range map[string]func(time.Duration) (float64, float64, float64, float64){
		"conservative":  func(time.Duration) (float64, float64, float64, float64) { return 10, 15, 0.7, 0.68 },
		"an event each": func(time.Duration) (float64, float64, float64, float64) { return 1.6, 15, 0.1, 0.1 },
		"optimistic": func(at time.Duration) (float64, float64, float64, float64) {
			if at < 15*time.Millisecond {
				return 4, 15, 0.33, 0.33
			}
			return 11.5, 15, 0.67, 0.68
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMachine(speed)
				m.run(2 * time.Second)
				for i, n := range m.windows[2:] {
					require.Greater(t, n, 0.9*15e6*window.Seconds(), "window %d", i)
				}
				require.Greater(t, (m.events-m.windows[0]-m.windows[1])/1.9, 0.97*15e6)
				require.False(t, m.measured)
			})
		})
	}
}

// A rate of the time before processors became few says nothing about them.
func TestOnePEIsComparedWithLooksAtFewProcessors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(func(at time.Duration) (float64, float64, float64, float64) {
			if at < 100*time.Millisecond {
				return 17, 15, 0.9, 0.9
			}
			return 11.5, 15, 0.67, 0.68
		})
		m.run(400 * time.Millisecond)
		require.Greater(t, m.alone, 200*time.Millisecond)
	})
}

// Where one PE has nearly all the work, KPs move, and one PE alone does not hide that they should.
func TestUnequalPEsAreMeasuredBeforeOnePEIsTried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(func(time.Duration) (float64, float64, float64, float64) { return 10, 14, 0.9, 0.05 })
		m.run(50 * time.Millisecond)
		require.True(t, m.measured)
		require.Zero(t, m.alone)
	})
}
