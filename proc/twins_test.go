package proc_test

// This file owns twins: small models as lists of events, written by hand without processes, which leave what those of
// package models leave, to the last bit.

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/proc/internal/models"
	"github.com/ross-go/ross/proc/proctest"
)

const twinsEnd = 60.0

// plain is a simulation: a list of what happens when, at two LPs.
type plain struct {
	now    float64
	events []plainEvent
	lps    [2]*plainLP
}

type plainEvent struct {
	at float64
	lp *plainLP
	f  func()
}

// plainLP is what a Twin is. What is done later in an event is done after all that is so already.
type plainLP struct {
	*plain
	id               int
	seed, log, steps uint64
	then             []func()
}

func (w *plainLP) after(delay float64, f func()) { w.at(w, delay, f) }

func (w *plainLP) at(lp *plainLP, delay float64, f func()) {
	i, _ := slices.BinarySearchFunc(w.events, w.now+delay, func(e plainEvent, at float64) int {
		if e.at < at {
			return -1
		}
		return 1
	})
	w.events = slices.Insert(w.events, i, plainEvent{w.now + delay, lp, f})
}

func (w *plainLP) later(f func()) { w.then = append(w.then, f) }

func (w *plainLP) drain() {
	for len(w.then) > 0 {
		f := w.then[0]
		w.then = w.then[1:]
		f()
	}
}

func (w *plainLP) delay(a, b float64) float64 {
	w.seed = w.seed*6364136223846793005 + 1442695040888963407
	return a + float64((b-a)*(float64(w.seed>>11)/(1<<53)))
}

func (w *plainLP) note(x int) {
	w.log = (w.log ^ uint64(x) ^ math.Float64bits(w.now)) * 0x9e3779b97f4a7c15
	w.steps++
}

// runPlain runs a model at both LPs.
func runPlain(begin func(w *plainLP)) *plain {
	s := &plain{}
	for i := range s.lps {
		s.lps[i] = &plainLP{plain: s, id: i, seed: uint64(i) + 1}
	}
	for _, w := range s.lps {
		begin(w)
		w.drain()
	}
	for len(s.events) > 0 && s.events[0].at < twinsEnd {
		e := s.events[0]
		s.events = s.events[1:]
		s.now = e.at
		e.f()
		e.lp.drain()
	}
	return s
}

// arrive calls f for each of 200 customers.
func (w *plainLP) arrive(i int, f func(i int)) {
	w.after(w.delay(0, 1), func() {
		w.later(func() { f(i) })
		if i+1 < 200 {
			w.arrive(i+1, f)
		}
	})
}

// plainQueue has one server or several, for those with the least class first.
type plainQueue struct {
	free  int
	queue []plainOne
}

type plainOne struct {
	class, i int
	begin    func()
}

func (q *plainQueue) ask(c plainOne) {
	if q.free > 0 {
		q.free--
		c.begin()
		return
	}
	at := slices.IndexFunc(q.queue, func(other plainOne) bool { return other.class > c.class })
	if at < 0 {
		at = len(q.queue)
	}
	q.queue = slices.Insert(q.queue, at, c)
}

// release takes the next one in, who begins when those are done who are ready.
func (q *plainQueue) release(w *plainLP) {
	if len(q.queue) == 0 {
		q.free++
		return
	}
	next := q.queue[0]
	q.queue = q.queue[1:]
	w.later(next.begin)
}

func plainDesk(servers int, most float64, class func(i int) int) func(w *plainLP) {
	return func(w *plainLP) {
		q := &plainQueue{free: servers}
		w.later(func() {
			w.arrive(0, func(i int) {
				q.ask(plainOne{class(i), i, func() {
					w.after(w.delay(0, most), func() {
						q.release(w)
						w.note(i)
					})
				}})
			})
		})
	}
}

// plainBench serves one at a time, and interrupts him for one with a smaller class.
func plainBench(w *plainLP) {
	type job struct {
		class, i, run int
		left, ends    float64
		known         bool
	}
	var served *job
	var queue []*job
	var serve func(j *job)
	finish := func(j *job) {
		served = nil
		if len(queue) > 0 {
			served = queue[0]
			queue = queue[1:]
			if next := served; next.known {
				serve(next)
			} else {
				w.later(func() {
					if next.left, next.known = w.delay(0, 1), true; served == next {
						serve(next)
					}
				})
			}
		}
		w.note(j.i)
	}
	serve = func(j *job) {
		j.run++
		run := j.run
		j.ends = w.now + j.left
		w.after(j.left, func() {
			if j.run == run {
				finish(j)
			}
		})
	}
	enter := func(j *job, first bool) {
		at := slices.IndexFunc(queue, func(o *job) bool { return o.class > j.class || first && o.class == j.class })
		if at < 0 {
			at = len(queue)
		}
		queue = slices.Insert(queue, at, j)
	}
	w.later(func() {
		w.arrive(0, func(i int) {
			j := &job{class: i % 3, i: i}
			if served != nil && served.class <= j.class {
				enter(j, false)
				return
			}
			if s := served; s != nil {
				s.run++
				s.left = max(s.ends-w.now, 0)
				enter(s, true)
			}
			served = j
			j.left, j.known = w.delay(0, 1), true
			serve(j)
		})
	})
}

// plainShop has four machines, which break and are mended one at a time.
func plainShop(w *plainLP) {
	type machine struct {
		run           int
		works, broken bool
		ends          float64
	}
	q := &plainQueue{free: 1}
	var machines [4]*machine
	var work func(i int, left float64)
	repair := func(i int, left float64) {
		q.ask(plainOne{0, i, func() {
			w.after(w.delay(0.1, 0.3), func() {
				q.release(w)
				work(i, left)
			})
		}})
	}
	stop := func(i int) {
		m := machines[i]
		m.run++
		m.works = false
		left := max(m.ends-w.now, 0)
		w.later(func() {
			if left > 0 {
				repair(i, left)
			} else {
				w.note(i)
				work(i, w.delay(1, 2))
			}
		})
	}
	work = func(i int, left float64) {
		m := machines[i]
		if m.broken {
			m.broken = false
			repair(i, left)
			return
		}
		m.works, m.ends = true, w.now+left
		m.run++
		run := m.run
		w.after(left, func() {
			if m.run == run {
				m.works = false
				w.note(i)
				work(i, w.delay(1, 2))
			}
		})
	}
	for i := range machines {
		machines[i] = &machine{}
		w.later(func() { work(i, w.delay(1, 2)) })
	}
	var breaks func(i int)
	breaks = func(i int) {
		w.after(w.delay(0.2, 0.6), func() {
			if m := machines[i%4]; m.works {
				stop(i % 4)
			} else {
				m.broken = true
			}
			breaks(i + 1)
		})
	}
	w.later(func() { breaks(0) })
}

// plainStore has two who put, three who get, and room for two items.
func plainStore(w *plainLP) {
	var items []int
	var getters []func(n int)
	var putters []func() // which return after they have put
	type offer struct{ n int }
	var offers []offer
	var produce, consume func(i, n int)
	produce = func(i, n int) {
		w.after(w.delay(0, 1), func() {
			over := func() {
				w.note(-n)
				produce(i, n+1)
			}
			item := 2*n + i
			switch {
			case len(getters) > 0:
				get := getters[0]
				getters = getters[1:]
				w.later(func() { get(item) })
				over()
			case len(items) < 2:
				items = append(items, item)
				over()
			default:
				putters, offers = append(putters, over), append(offers, offer{item})
			}
		})
	}
	consume = func(i, _ int) {
		got := func(n int) {
			w.note(10*n + i)
			w.after(w.delay(0, 1.4), func() { consume(i, 0) })
		}
		if len(items) == 0 {
			getters = append(getters, got)
			return
		}
		n := items[0]
		items = items[1:]
		if len(putters) > 0 {
			items = append(items, offers[0].n)
			w.later(putters[0])
			putters, offers = putters[1:], offers[1:]
		}
		got(n)
	}
	for i := range 2 {
		w.later(func() { produce(i, 0) })
	}
	for i := range 3 {
		w.later(func() { consume(i, 0) })
	}
}

// plainTank has three who take and three who fill, and nobody overtakes.
func plainTank(w *plainLP) {
	type one struct {
		amount int
		goes   func()
	}
	now := 4
	var takers, fillers []one
	others := func() {
		for {
			switch {
			case len(takers) > 0 && takers[0].amount <= now:
				now -= takers[0].amount
				w.later(takers[0].goes)
				takers = takers[1:]
			case len(fillers) > 0 && now+fillers[0].amount <= 10:
				now += fillers[0].amount
				w.later(fillers[0].goes)
				fillers = fillers[1:]
			default:
				return
			}
		}
	}
	var take, fill func(i, n int)
	take = func(i, n int) {
		w.after(w.delay(0, 1), func() {
			goes := func() {
				w.note(i)
				take(i, n+1)
			}
			if amount := 1 + (n+i)%5; len(takers) == 0 && amount <= now {
				now -= amount
				others()
				goes()
			} else {
				takers = append(takers, one{amount, goes})
			}
		})
	}
	fill = func(i, n int) {
		w.after(w.delay(0, 1.1), func() {
			goes := func() {
				w.note(10 + i)
				fill(i, n+1)
			}
			if amount := 1 + (n+2*i)%6; len(fillers) == 0 && now+amount <= 10 {
				now += amount
				others()
				goes()
			} else {
				fillers = append(fillers, one{amount, goes})
			}
		})
	}
	for i := range 3 {
		w.later(func() { take(i, 0) })
		w.later(func() { fill(i, 0) })
	}
}

// plainGate opens now and then, and those go on who wait.
func plainGate(w *plainLP) {
	type one struct{ gone func() bool }
	var waiting []one
	var walk func(i int)
	walk = func(i int) {
		w.after(w.delay(0, 2), func() {
			over := false
			end := func(x int) {
				w.note(x)
				walk(i)
			}
			waiting = append(waiting, one{func() bool {
				if over {
					return false
				}
				over = true
				w.later(func() { end(i) })
				return true
			}})
			w.after(1.5, func() {
				if !over {
					over = true
					end(-i)
				}
			})
		})
	}
	var open func()
	open = func() {
		w.after(w.delay(0.5, 2), func() {
			n := 0
			for _, o := range waiting {
				if o.gone() {
					n++
				}
			}
			waiting = nil
			w.note(100 + n)
			open()
		})
	}
	for i := range 4 {
		w.later(func() { walk(i) })
	}
	w.later(open)
}

// plainPlay sends a ball to and fro.
func plainPlay(w *plainLP) {
	var catch func(to *plainLP, n int)
	catch = func(at *plainLP, n int) {
		at.note(n)
		at.after(at.delay(0, 1), func() {
			to := at.lps[1-at.id]
			at.at(to, 0.5, func() { catch(to, n+1) })
		})
	}
	if w.id == 0 {
		w.later(func() { w.at(w.lps[1], 1, func() { catch(w.lps[1], 1) }) })
	}
}

// plainTree has nodes whose end is that of both below them.
func plainTree(w *plainLP) {
	var node func(depth int, over func())
	node = func(depth int, over func()) {
		ends := func() {
			w.note(depth)
			over()
		}
		if depth == 0 {
			w.after(w.delay(0, 3), ends)
			return
		}
		left, right, waits := false, false, 0
		w.later(func() {
			node(depth-1, func() {
				if left = true; waits == 1 {
					w.later(func() {
						if waits = 2; right {
							ends()
						}
					})
				}
			})
		})
		w.after(w.delay(0, 0.5), func() {
			w.later(func() {
				node(depth-1, func() {
					if right = true; waits == 2 {
						w.later(ends)
					}
				})
			})
			if waits = 1; left {
				waits = 2
			}
		})
	}
	w.later(func() { node(5, func() {}) })
}

func TestTwinsLeaveTheSame(t *testing.T) {
	for name, begin := range map[string]func(w *plainLP){
		"M/M/c":     plainDesk(3, 3, func(int) int { return 0 }),
		"priority":  plainDesk(1, 1, func(i int) int { return i % 3 }),
		"preempted": plainBench,
		"shop":      plainShop,
		"store":     plainStore,
		"tank":      plainTank,
		"gate":      plainGate,
		"ping-pong": plainPlay,
		"join tree": plainTree,
	} {
		t.Run(name, func(t *testing.T) {
			want := runPlain(begin)
			types := func() []ross.LPType { return models.TwinTypes(name) }
			sim, err := ross.Run(context.Background(), ross.Config{End: twinsEnd}, types()...)
			require.NoError(t, err)
			for i, w := range want.lps {
				got := ross.StateOf[models.Twin](sim.LP(ross.LPID(i)))
				require.Equal(t, []uint64{w.steps, w.seed, w.log}, []uint64{got.Steps, got.Seed, got.Log}, "LP %d", i)
				require.Greater(t, w.steps, uint64(20))
			}
			sim.Close()
			proctest.Run(t, modeltest.Model{Config: ross.Config{End: 20}, Types: types, Short: true})
		})
	}
	require.Len(t, models.TwinModels, 9)
}
