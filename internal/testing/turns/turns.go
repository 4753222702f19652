// Package turns runs the goroutines of a simulation one at a time, in an order that a seed decides, so
// that a test can run the engine in very many interleavings and repeat each of them exactly.
//
//	turns.Play(t, seed, func(w *turns.World) {
//		knobs := settings.Knobs{Turn: w.Turn}                 // of each rank
//		w.Go(settings.Main(rank), func() { sim.Run(ctx) })    // for each rank
//	})
//
// # How it works
//
// Play runs everything in a bubble of package testing/synctest. Its goroutines call World.Turn wherever
// others may run before they go on (settings.Turn), and stand there. When all goroutines stand or
// wait for one another, the World lets one of those that stand go on, as the seed decides. A goroutine that
// waits for others, in a channel or for a message, calls Turn as soon as it is free to go on. So at most one
// goroutine does anything at any time, and nothing that it does depends on the machine.
//
// The code that runs is the engine's: the same loops, rings, rounds of GVT, sleeping and waking, and
// the same writing of checkpoints. Only messages and collective operations of ranks are those of package
// worldtest, which delays them.
//
// # Time
//
// The clock of the bubble stands still while goroutines run. Before each turn the World moves it by a
// random time, often 0. So intervals of real time, naps and measured rates, from which the engine chooses
// its pace, follow from the seed too. Counters of processor cycles are real: they are for figures only.
//
// # Orders
//
// How the next goroutine is chosen changes now and then within a run: all alike, one that is preferred or left out
// for long, as if it had lost its processor, or long stretches for each. Each order is a path that a
// scheduler of a real machine may take.
//
// # History
//
// World keeps which goroutine had each turn, and where it stood. A test that fails prints the seed and
// the last turns. Equal seeds have equal histories, whose hash is World.Hash.
package turns

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// World: who stands where, and who is next.

// World runs goroutines one at a time.
type World struct {
	dice  *rand.Rand
	chief chooser

	lock     sync.Mutex
	standing []int    // the goroutines that stand, in ascending order
	stands   []*stand // theirs
	left     int      // functions of Go that have not returned
	current  int

	turns  uint64
	hash   uint64
	recent [256]turn // a ring, by number of the turn
	events []event
	Most   uint64 // turns after which goroutines are taken to go on for ever; 100 million unless the test sets it
	Fault  string // why Play ended too early, or ""
}

// stand is a goroutine that stands.
type stand struct {
	what string
	go_  chan struct{}
}

// turn is one of the history.
type turn struct {
	goroutine int
	what      string
	at        time.Duration // since the beginning
}

// event is a function that runs between two turns.
type event struct {
	at uint64
	f  func()
}

// dead is the time of the bubble after which goroutines that all wait are taken to wait for ever.
const dead = 100 * time.Second

// Play calls f, which starts goroutines with Go, and runs these to their end. It returns the World with
// its history. If goroutines wait for one another for ever, or go on for ever, World.Fault reports it, and
// they are left as they are.
func Play(t *testing.T, seed uint64, f func(w *World)) (w *World) {
	t.Helper()
	defer func() {
		if w.Fault != "" { // synctest panics because goroutines are left
			_ = recover()
		}
	}()
	w = &World{Most: 1e8, dice: rand.New(rand.NewPCG(seed, 1)), hash: 14695981039346656037}
	w.chief.dice = w.dice
	synctest.Test(t, func(t *testing.T) {
		f(w)
		w.run()
	})
	return w
}

// Go runs f in a goroutine of the given number.
func (w *World) Go(goroutine int, f func()) {
	w.left++
	go func() {
		w.Turn(goroutine, "start")
		defer func() {
			w.lock.Lock()
			w.left--
			w.lock.Unlock()
		}()
		f()
	}()
}

// At has f called before the n-th turn, or the next one if that is over. f must not wait.
func (w *World) At(n uint64, f func()) {
	w.events = append(w.events, event{n, f})
	slices.SortStableFunc(w.events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
}

// Turn returns when it is the turn of the goroutine. It is a settings.Turn.
func (w *World) Turn(goroutine int, what string) {
	s := &stand{what, make(chan struct{})}
	w.lock.Lock()
	i, _ := slices.BinarySearch(w.standing, goroutine)
	w.standing, w.stands = slices.Insert(w.standing, i, goroutine), slices.Insert(w.stands, i, s)
	w.lock.Unlock()
	<-s.go_
}

// Current returns the goroutine whose turn it is. That is the one that calls it.
func (w *World) Current() int {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.current
}

// Turns returns the number of turns so far.
func (w *World) Turns() uint64 {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.turns
}

// Hash returns a hash of the history.
func (w *World) Hash() uint64 { return w.hash }

// run gives turns until all functions of Go have returned.
func (w *World) run() {
	begin := time.Now()
	waited := time.Duration(0)
	for {
		synctest.Wait()
		for len(w.events) > 0 && w.events[0].at <= w.turns {
			f := w.events[0].f
			w.events = w.events[1:]
			f()
			synctest.Wait()
		}
		w.lock.Lock()
		left, standing := w.left, len(w.standing)
		w.lock.Unlock()
		if left == 0 {
			return
		}
		if standing == 0 {
			if waited >= dead {
				w.Fault = "all goroutines wait for one another"
				return
			}
			step := max(time.Microsecond, waited/4)
			time.Sleep(step)
			waited += step
			continue
		}
		if w.turns >= w.Most {
			w.Fault = "the run does not come to an end"
			return
		}
		waited = 0
		if d := w.chief.passes(); d > 0 {
			time.Sleep(d)
			synctest.Wait()
		}
		w.next(time.Since(begin))
	}
}

// next gives a goroutine its turn.
func (w *World) next(at time.Duration) {
	w.lock.Lock() // for those that time wakes up, and those that do not stand but wait
	defer w.lock.Unlock()
	chosen := w.chief.choose(w.standing)
	i, _ := slices.BinarySearch(w.standing, chosen)
	s := w.stands[i]
	w.standing, w.stands = slices.Delete(w.standing, i, i+1), slices.Delete(w.stands, i, i+1)
	w.current = chosen
	w.recent[w.turns%uint64(len(w.recent))] = turn{chosen, s.what, at}
	w.turns++
	w.mix(uint64(chosen))
	w.mix(uint64(at))
	for _, b := range []byte(s.what) {
		w.mix(uint64(b))
	}
	close(s.go_)
}

func (w *World) mix(x uint64) {
	w.hash = (w.hash ^ x) * 1099511628211
	w.hash ^= w.hash >> 29
}

// History returns the last turns, one on each line, and where goroutines stand.
func (w *World) History() string {
	var b strings.Builder
	n := uint64(len(w.recent))
	for i := w.turns - min(w.turns, n); i < w.turns; i++ {
		t := w.recent[i%n]
		fmt.Fprintf(&b, "turn %d, %v: %s, %s\n", i, t.at, name(t.goroutine), t.what)
	}
	for i, g := range w.standing {
		fmt.Fprintf(&b, "%s stands: %s\n", name(g), w.stands[i].what)
	}
	return b.String()
}

// name returns what a goroutine is.
func name(goroutine int) string {
	switch {
	case goroutine >= 0:
		return fmt.Sprintf("PE %d", goroutine)
	case goroutine%2 != 0:
		return fmt.Sprintf("main of rank %d", (-1-goroutine)/2)
	}
	return fmt.Sprintf("writer of rank %d", (-2-goroutine)/2)
}

// The order of turns.

// chooser chooses the next goroutine, and lets time pass.
type chooser struct {
	dice  *rand.Rand
	way   int // how it chooses now
	left  int // turns until it changes
	whom  int // goroutine that is preferred or left out
	quick int // of 16 turns, how many take no time
	last  int
	pause time.Duration // most that a turn takes
}

// The ways to choose.
const (
	alike   = iota // each of those that stand
	starved        // any but one, unless that is the only one
	favours        // one whenever it stands
	keeps          // mostly the one that had the last turn
	inTurn         // round robin
	ways
)

func (c *chooser) choose(all []int) (chosen int) {
	if c.left--; c.left < 0 {
		c.way, c.left = c.dice.IntN(ways), 1<<c.dice.IntN(11)
		c.whom = all[c.dice.IntN(len(all))]
		c.quick, c.pause = c.dice.IntN(17), time.Microsecond<<c.dice.IntN(12)
	}
	defer func() { c.last = chosen }()
	any := all[c.dice.IntN(len(all))]
	switch c.way {
	case starved:
		if any == c.whom && len(all) > 1 {
			others := slices.DeleteFunc(slices.Clone(all), func(g int) bool { return g == c.whom })
			return others[c.dice.IntN(len(others))]
		}
	case favours:
		if slices.Contains(all, c.whom) && c.dice.IntN(64) != 0 {
			return c.whom
		}
	case keeps:
		if slices.Contains(all, c.last) && c.dice.IntN(16) != 0 {
			return c.last
		}
	case inTurn:
		for _, g := range all {
			if g > c.last {
				return g
			}
		}
		return all[0]
	}
	return any
}

// passes returns the time until the next turn.
func (c *chooser) passes() time.Duration {
	if c.pause == 0 || c.dice.IntN(16) < c.quick {
		return 0
	}
	return time.Duration(c.dice.Int64N(int64(c.pause)))
}
