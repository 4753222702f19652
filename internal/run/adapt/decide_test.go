// This file pins decisions by loads: when KPs move, and when one PE handles all events.

package adapt

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/engine/settings"
)

// speeds returns, for a time since the beginning: events per second in parallel and of one PE alone, in millions, and
// the processors at work on those of PE 0 and 1.
type speeds func(at time.Duration) (parallel, alone, first, second float64)

// machine is a run of two PEs on a machine whose speeds are given. Its clock is now.
type machine struct {
	b        *Balance
	begin    time.Time
	now      time.Time
	speeds   speeds
	pending  float64 // events; 0: unknown
	pes      [2]PELoad
	events   float64
	alone    time.Duration
	together bool
	counted  [2]float64
	first    time.Duration // when one PE was first tried; 0: never
	measured bool          // KPs were to move
	windows  []float64     // events of every window of time
	seen     float64       // events in those
}

const (
	gvtEvery = 100 * time.Microsecond
	window   = 50 * time.Millisecond
)

// runOn returns a run of a length on a machine.
func runOn(s speeds, length time.Duration) *machine { return runModel(s, 0, length) }

// runModel is runOn for a model with a number of pending events, 0 if that is unknown.
func runModel(s speeds, pending float64, length time.Duration) *machine {
	m := &machine{begin: time.Unix(1, 0), now: time.Unix(1, 0), speeds: s, pending: pending}
	m.b = NewBalance(Options{PEs: 2, KPs: 1, Processors: 2, Free: true}, new(Result))
	m.b.Watch(m.load())
	for m.now.Sub(m.begin) < length {
		if m.step(false); m.b.Due(m.now) {
			m.carryOut(m.b.Decide(m.load()))
		}
	}
	return m
}

func (m *machine) load() Load {
	return Load{At: m.now, PEs: slices.Clone(m.pes[:]), Pending: m.pending}
}

// step is what happens until the next GVT.
func (m *machine) step(alone bool) {
	m.now = m.now.Add(gvtEvery)
	parallel, serial, first, second := m.speeds(m.now.Sub(m.begin) - gvtEvery)
	if alone {
		parallel = serial
	}
	n := parallel * 1e6 * gvtEvery.Seconds()
	m.events += n
	for i, works := range []float64{first, second} {
		m.pes[i].Handled += n * works / (first + second)
		m.pes[i].Idle += (1 - works) * gvtEvery.Seconds()
	}
	if m.now.Sub(m.begin) >= time.Duration(len(m.windows)+1)*window {
		m.windows, m.seen = append(m.windows, m.events-m.seen), m.events
	}
}

// carryOut carries out a decision, and those that follow.
func (m *machine) carryOut(d Decision) {
	for left := m.load(); d.Kind != Stay; {
		o := Outcome{Of: d.Kind, Left: left, GoesOn: true}
		switch d.Kind {
		case CountEvents:
			m.measured = true
			o.PEOf = []int{0, 1}
			for i := range m.pes {
				o.Events, m.counted[i] = append(o.Events, m.pes[i].Handled-m.counted[i]), m.pes[i].Handled
			}
		case RunAlone:
			if m.first == 0 {
				m.first = m.now.Sub(m.begin)
			}
			m.join(true)
			before := m.events
			for end := m.now.Add(d.Length); m.now.Before(end); m.step(true) {
			}
			m.alone += d.Length
			o.Rate = (m.events - before) / d.Length.Seconds()
		case Part:
			m.join(false)
		}
		o.Load = m.load()
		d = m.b.Next(&o)
	}
	m.join(false)
}

// join brings the PEs together, or parts them. Nothing is handled meanwhile.
func (m *machine) join(together bool) {
	if m.together != together {
		m.together, m.now = together, m.now.Add(time.Millisecond)
	}
}

// nextTo returns the speeds of even PHOLD next to a process that computes for a time of each period.
func nextTo(busy, of time.Duration) speeds {
	return func(at time.Duration) (float64, float64, float64, float64) {
		if at%of < busy {
			return 9, 14, 0.45, 0.47
		}
		return 20, 14, 0.95, 0.95
	}
}

func TestNobodyDisturbsARunThatStaysParallel(t *testing.T) {
	m := runOn(nextTo(0, time.Second), 5*time.Second)
	require.Zero(t, m.alone)
	require.False(t, m.measured)
}

// What one PE alone gains next to a process that computes all the time is not lost in looks.
func TestOnePENextToABusyProcess(t *testing.T) {
	m := runOn(nextTo(time.Hour, time.Hour), 5*time.Second)
	require.Greater(t, m.events, 0.98*14e6*5)
}

// Stretches of one PE cost little where disturbances are over when they are noticed, or soon after.
func TestIntermittentDisturbances(t *testing.T) {
	for _, c := range []struct{ busy, of time.Duration }{
		{5, 50}, {20, 200}, {40, 400}, {100, 1000}, {300, 1000}, {20, 41},
	} {
		t.Run(fmt.Sprintf("%d of %d ms", c.busy, c.of), func(t *testing.T) {
			m := runOn(nextTo(c.busy*time.Millisecond, c.of*time.Millisecond), 6*time.Second)
			stays := 6 * (20e6 - 11e6*float64(c.busy)/float64(c.of))
			require.Greater(t, m.events/stays, 0.98)
		})
	}
}

// With few LPs one PE handles all events before a tenth of a second is over, and goes on to: conservative PEs that wait
// for each other, optimistic ones that undo most, and ones that are as fast as one for a while.
func TestFewLPsGoToOnePESoon(t *testing.T) {
	for name, s := range map[string]speeds{
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
			m := runOn(s, 2*time.Second)
			for i, n := range m.windows[2:] {
				require.Greater(t, n, 0.9*15e6*window.Seconds(), "window %d", i)
			}
			require.Greater(t, (m.events-m.windows[0]-m.windows[1])/1.9, 0.97*15e6)
			require.False(t, m.measured)
		})
	}
}

// With few pending events a look says enough after a fraction of the time that one at a large model takes.
func TestTheFewerEventsPendTheSoonerOnePEIsTried(t *testing.T) {
	slow := func(time.Duration) (float64, float64, float64, float64) { return 8, 14, 0.6, 0.6 }
	few := runModel(slow, 16, 60*time.Millisecond)
	require.NotZero(t, few.first)
	require.LessOrEqual(t, few.first, 15*time.Millisecond, "three looks of 5 ms")
	for _, pending := range []float64{0, 16384} {
		many := runModel(slow, pending, 100*time.Millisecond)
		require.GreaterOrEqual(t, many.first, 60*time.Millisecond, "three looks of 20 ms")
	}
}

// Looks between stretches of one PE cost less than the least gain of a stretch.
func TestLooksAtFewPendingEventsCostLittle(t *testing.T) {
	slow := func(time.Duration) (float64, float64, float64, float64) { return 7, 15, 0.6, 0.6 }
	few, unknown := runModel(slow, 16, time.Second), runModel(slow, 0, time.Second)
	after := func(m *machine) float64 { return (m.events - m.windows[0] - m.windows[1]) / 0.9 / 15e6 }
	require.Greater(t, after(few), 0.985)
	require.Greater(t, after(few), after(unknown))
}

// PEs that all work and do less than one has done alone give way to one, and a lucky look does not hide that.
func TestPEsThatWorkButAreSlowerThanOneGiveWay(t *testing.T) {
	m := runModel(func(at time.Duration) (float64, float64, float64, float64) {
		switch {
		case at < 20*time.Millisecond: // until one PE is tried
			return 8, 15, 0.6, 0.6
		case at%(100*time.Millisecond) < 20*time.Millisecond:
			return 16, 15, 0.95, 0.95
		}
		return 11, 15, 0.95, 0.95
	}, 256, 4*time.Second)
	require.Greater(t, m.events-sum(m.windows[:20]), 0.95*15e6*3)
	require.False(t, m.measured)
}

// PEs that do far less than one has done alone do not wait for as many looks, nor for as long, as stretches and trials
// before them would ask for.
func TestPEsFarSlowerThanOneGiveWayAtOnce(t *testing.T) {
	l := Load{At: time.Unix(1, 0), PEs: make([]PELoad, 2)}
	b := NewBalance(Options{PEs: 2, KPs: 2, Processors: 2, Free: true}, new(Result))
	b.trials.need, b.trials.wait, b.trials.next = mostNeed, mostWait, l.At.Add(mostWait)
	b.trials.alone = 15e6
	b.Watch(l)
	for _, c := range []struct {
		events float64 // of a PE, until the next look
		want   Kind
	}{{200e3, Stay}, {20e3, Stay}, {20e3, RunAlone}} {
		l.At, l.PEs = l.At.Add(lookEvery), slices.Clone(l.PEs)
		for i := range l.PEs {
			l.PEs[i].Handled += c.events
			l.PEs[i].Idle += lookEvery.Seconds() / 2
		}
		require.True(t, b.Due(l.At))
		require.Equal(t, c.want, b.Decide(l).Kind)
	}
}

// A rate of the time before processors became few says nothing about them.
func TestOnePEIsComparedWithLooksAtFewProcessors(t *testing.T) {
	m := runOn(func(at time.Duration) (float64, float64, float64, float64) {
		if at < 100*time.Millisecond {
			return 17, 15, 0.9, 0.9
		}
		return 11.5, 15, 0.67, 0.68
	}, 400*time.Millisecond)
	require.Greater(t, m.alone, 200*time.Millisecond)
}

// Where one PE has nearly all the work, KPs move, and one PE alone does not hide that they should.
func TestUnequalPEsAreMeasuredBeforeOnePEIsTried(t *testing.T) {
	m := runOn(func(time.Duration) (float64, float64, float64, float64) {
		return 10, 14, 0.9, 0.05
	}, 50*time.Millisecond)
	require.True(t, m.measured)
	require.Zero(t, m.alone)
}

// What two PEs, which begin with two KPs each, do by loads: after each look, and each outcome, one decision.
func TestDecisionsByLoads(t *testing.T) {
	type step struct {
		after  time.Duration // since the step before
		events [2]float64    // of the PEs since then
		idle   [2]float64    // seconds
		o      *Outcome      // if it follows a decision
		want   Kind
	}
	const ms = time.Millisecond
	even := step{after: 20 * ms, events: [2]float64{1000, 1000}}
	skewed := step{after: 20 * ms, events: [2]float64{1900, 100}, idle: [2]float64{0, 0.018}}
	counts := step{after: 20 * ms, events: skewed.events, idle: skewed.idle, want: CountEvents}
	counted := step{o: &Outcome{Of: CountEvents, Events: []float64{500, 500, 50, 0}}}
	moves := step{o: &Outcome{Of: CountEvents, Events: []float64{500, 500, 50, 50}}, want: MoveKPs}
	moved := step{o: &Outcome{Of: MoveKPs, Undo: []Move{{0, 0}}}}
	again := step{after: 5 * ms, events: [2]float64{500, 25}, idle: [2]float64{0, 0.0045}, want: CountEvents}
	half := step{after: 25 * ms, events: [2]float64{2000, 2000}}
	slow := step{after: 20 * ms, events: [2]float64{100, 100}, idle: [2]float64{0.012, 0.012}}
	alone := step{after: 20 * ms, events: slow.events, idle: slow.idle, want: RunAlone}
	ran := func(rate float64, want Kind) step {
		return step{after: 5 * ms, o: &Outcome{Of: RunAlone, Rate: rate, GoesOn: true}, want: want}
	}
	parted := step{o: &Outcome{Of: Part}}
	oneKP := step{o: &Outcome{Of: CountEvents, Events: []float64{1000, 0, 50, 0}}}
	settled, slower := step{after: 5 * ms}, step{after: 25 * ms, events: [2]float64{10, 10}, want: MoveKPs}
	refused := step{o: &Outcome{Of: RunAlone, Refused: true}}
	over := step{o: &Outcome{Of: RunAlone, Rate: 1}, want: Part}
	try := ran(1, RunAlone)
	for name, steps := range map[string][]step{
		"alike":                {even, even, even, even, even},
		"not yet":              {skewed, even, skewed, even},
		"KPs move":             {skewed, counts, counted, again, moves, moved, settled, half, even},
		"and move back":        {skewed, counts, counted, again, moves, moved, settled, slower, moved, even},
		"one KP has it all":    {skewed, counts, counted, again, oneKP, even},
		"one PE is slower":     {slow, alone, try, try, try, try, ran(1, Part), parted, even},
		"one PE is faster":     {slow, alone, try, ran(1e6, RunAlone), ran(1e6, Part), parted, even},
		"one PE finds no room": {slow, alone, refused, slow, slow, slow},
		"the run ends alone":   {slow, alone, over, parted},
	} {
		t.Run(name, func(t *testing.T) {
			l := Load{At: time.Unix(1, 0), PEs: make([]PELoad, 2)}
			b := NewBalance(Options{PEs: 2, KPs: 2, Processors: 2, Free: true}, new(Result))
			b.Watch(l)
			for i, s := range steps {
				l.At, l.PEs = l.At.Add(s.after), slices.Clone(l.PEs)
				for j := range l.PEs {
					l.PEs[j].Handled += s.events[j]
					l.PEs[j].Idle += s.idle[j]
				}
				var got Decision
				if s.o != nil {
					s.o.Left, s.o.Load, s.o.PEOf = l, l, []int{0, 0, 1, 1}
					got = b.Next(s.o)
				} else if b.Due(l.At) {
					got = b.Decide(l)
				}
				require.Equal(t, s.want, got.Kind, "step %d", i)
			}
		})
	}
}

// With more PEs than processors all KPs begin on as many PEs.
func TestMorePEsThanProcessorsAreGathered(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want Decision
	}{
		{Options{PEs: 2, KPs: 1, Processors: 2, Free: true}, Decision{}},
		{Options{PEs: 4, KPs: 1, Processors: 2}, Decision{}},
		{Options{PEs: 4, KPs: 1, Processors: 2, Free: true},
			Decision{Kind: MoveKPs, Active: 2, Moves: []Move{{0, 0}, {1, 0}, {2, 1}, {3, 1}}}},
	} {
		require.Equal(t, c.want, Gather(c.o))
	}
}

// Random moves follow from the seed, and from nothing that a clock or a load says.
func TestRandomMovesFollowFromTheSeed(t *testing.T) {
	moves := func(at time.Time) (all []Decision) {
		o := Options{PEs: 3, KPs: 2, Free: true}
		r := &Random{Options: o, Dice: rand.New(rand.NewPCG(1, 2)), Every: 2, Serial: true}
		for i := range 200 {
			due := r.Due(at)
			require.Equal(t, i%2 == 1, due)
			if !due {
				continue
			}
			require.Equal(t, Decision{Kind: CountEvents}, r.Decide(Load{At: at}))
			d := r.Next(&Outcome{Of: CountEvents, Active: 3, PEOf: []int{0, 0, 1, 1, 2, 2}})
			for _, m := range d.Moves {
				require.Less(t, m.To, d.Active)
			}
			if all = append(all, d); d.Kind == RunAlone {
				require.Equal(t, Part, r.Next(&Outcome{Of: RunAlone}).Kind)
				require.Equal(t, Stay, r.Next(&Outcome{Of: RunAlone, Refused: true}).Kind)
			}
		}
		return all
	}
	all := moves(time.Unix(1, 0))
	require.Equal(t, all, moves(time.Unix(2, 0)))
	require.True(t, slices.ContainsFunc(all, func(d Decision) bool { return d.Kind == RunAlone }))
	require.True(t, slices.ContainsFunc(all, func(d Decision) bool { return d.Active < 3 && d.Kind == MoveKPs }))
}

// After the first stretch each other scheduler is tried, and the fastest goes on.
func TestAutoTriesTheOthersAndGoesOnWithTheFastest(t *testing.T) {
	a := NewAuto(AutoOptions{NumLPs: 1000, Conservative: true})
	rates := map[settings.Mode]float64{settings.Sequential: 10, settings.Conservative: 20, settings.Optimistic: 15}
	s := a.First()
	var modes []settings.Mode
	for range 7 {
		modes = append(modes, s.Mode)
		events := uint64(rates[s.Mode] * 1e6 * s.Length.Seconds())
		a.Ended(s, Ran{Events: events, Took: s.Length, Moving: time.Millisecond})
		s = a.Next(1000)
	}
	require.Equal(t, []settings.Mode{
		settings.Sequential, settings.Conservative, settings.Optimistic, settings.Conservative,
		settings.Sequential, settings.Optimistic, settings.Conservative,
	}, modes)
	for range 5 {
		a.Ended(s, Ran{Events: 1, Took: s.Length})
		s = a.Next(MostPending + 1)
		require.NotEqual(t, settings.Sequential, s.Mode, "too much is pending")
	}
}
