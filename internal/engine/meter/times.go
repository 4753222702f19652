// This file owns how time is measured: PhaseClock, Phase and Sampler.

package meter

import (
	"math"
	"slices"
	"sync"
	"time"
)

// PhaseClock: the time of a PE's loop.

// PhaseClock measures a run without reading the clock for each event: totals of
// phases are estimated from samples.
type PhaseClock struct {
	Begin   time.Time
	Seconds float64 // the whole loop
	ended   bool
	Refills Sampler // of the queue's window
	Firsts  Sampler // selects the windows with a timed event
}

// Start begins the run.
func (c *PhaseClock) Start() { c.Begin, c.ended = time.Now(), false }

// Stop ends the run, also one that an error ended before its start.
func (c *PhaseClock) Stop() {
	if c.Begin.IsZero() {
		c.Start()
	}
	c.Seconds = math.Max(Since(c.Begin), 0)
	c.ended = true
}

// Elapsed returns the seconds of the loop until now, or until its end.
func (c *PhaseClock) Elapsed() float64 {
	if c.Begin.IsZero() || c.ended {
		return c.Seconds
	}
	return max(Since(c.Begin), 0)
}

// Phase: parts of a run. Each is charged with its time less that of the
// parts within it.

// Phase is a part of the engine that is timed each time it runs.
type Phase struct {
	Begin  time.Time
	Within float64 // Counts.Timed at its begin
}

// Enter begins a phase.
func (c *Counts) Enter() Phase { return Phase{time.Now(), c.Timed} }

// Leave ends a phase. Its time less that of the phases within it goes to a
// total, so that the totals of a PE add up to what was timed.
func (c *Counts) Leave(p Phase, total *float64) {
	d := max(Since(p.Begin)-(c.Timed-p.Within), 0)
	*total += d
	c.Timed += d
}

// Sampler, for operations that are too short and too many to time each: some are
// timed and stand for the others.

// Since returns the seconds since t.
func Since(t time.Time) float64 { return time.Since(t).Seconds() }

// Sampler estimates the time of the operations of one kind. Each timed operation stands for those
// since the previous one. The gaps are random, so that in a periodic model not always the same
// phase is timed, and short at first, so that a run with few operations also has an estimate.
type Sampler struct {
	N, last, next uint64 // operations; the one timed last; the one to be timed next
	Seconds       float64
	dice          uint64
	at            time.Time // when the last one ended
}

// Due counts an operation, and reports whether it must be timed: then call Weigh or Add after it.
func (s *Sampler) Due() bool {
	s.N++
	return s.N >= s.next
}

// Start counts an operation. It returns, for Add, the current time if the operation must be timed,
// and otherwise a zero time.
func (s *Sampler) Start() (begin time.Time) {
	if s.Due() {
		begin = time.Now()
	}
	return begin
}

// Weigh returns how many operations the current one stands for, and draws the next one to time. The
// gaps average about the given number.
func (s *Sampler) Weigh(every uint64) float64 {
	gap := s.N - s.last
	s.dice = s.dice*6364136223846793005 + 1442695040888963407 // Knuth's MMIX
	s.last = s.N
	s.next = s.N + 1 + (s.dice>>33)%(2*min(s.N/4+1, every)-1)
	return float64(gap)
}

// Add adds an operation that began at the given time, unless that is zero, and ends now. The
// operations that it stands for count for at most the time since the previous one; otherwise one
// that lost its processor for a while would outweigh all others.
func (s *Sampler) Add(begin time.Time, every uint64) {
	if begin.IsZero() {
		return
	}
	now := time.Now()
	d := s.Weigh(every) * (now.Sub(begin).Seconds() - ClockCost())
	s.Seconds += min(d, s.since(now))
	s.at = now
}

// Lap is the beginning of an operation that End times, in nanoseconds. The zero Lap is that of one that is not timed.
type Lap struct {
	begin  int64 // real time
	cost   int64 // of reading the clock, here and now: it depends on what is in the caches
	thread int64 // processor time of the thread, never 0
}

// brief is how long an operation takes at most, in nanoseconds, if it was hardly interrupted. One that takes longer is
// timed in the processor time of its thread. Reading that takes longer than a brief operation.
const brief = 20_000

// dear is how many times as long as usual a reading of the clock takes at most, because of what is in the caches.
const dear = 8

// Begin is [Sampler.Start] for operations that are timed so rarely that each stands for dozens or hundreds of others,
// and must not count the time for which its thread waits for a processor. The goroutine must have the thread for
// itself. End ends the operation.
func (s *Sampler) Begin() (l Lap) {
	if s.Due() {
		l = lapNow()
	}
	return l
}

// lapNow returns the Lap of an operation that begins now.
func lapNow() Lap {
	thread, before := threadTime(), wallTime()
	return newLap(thread, before, wallTime(), ClockCost())
}

// newLap returns the Lap of an operation that begins after two readings of the clock, before which the thread had a
// processor time. If something came between the readings, such as an interrupt, their distance is not what one costs:
// then it costs as usual, in seconds.
func newLap(thread, before, begin int64, usual float64) Lap {
	l := Lap{begin: begin, cost: begin - before, thread: thread}
	if cost := int64(usual * 1e9); l.cost > dear*cost {
		l.cost = cost
	}
	return l
}

// End ends an operation that began at a Lap. As with Add, those that it stands for count for at most the time since the
// previous one.
func (s *Sampler) End(l Lap, every uint64) {
	if l.thread != 0 {
		s.end(l, every)
	}
}

// end is End for an operation that is timed.
func (s *Sampler) end(l Lap, every uint64) {
	s.add(l.took(wallTime(), threadTime), every, time.Now())
}

// took returns the nanoseconds that the operation took if it ended at the given real time. The processor time of the
// thread is asked for only if that was long.
func (l Lap) took(wall int64, thread func() int64) int64 {
	took := wall - l.begin - l.cost
	if took > brief {
		took = min(took, thread()-l.thread)
	}
	return took
}

// add adds an operation that took a time, in nanoseconds, and ends now.
func (s *Sampler) add(took int64, every uint64, now time.Time) {
	d, most := s.Weigh(every)*float64(took)*1e-9, s.since(now)
	s.Seconds += max(min(d, most), -most) // below 0 if reading the clock took longer before the operation than after it
	s.at = now
}

// since returns the seconds since the previous timed operation, +Inf if there was none.
func (s *Sampler) since(now time.Time) float64 {
	if s.at.IsZero() {
		return math.Inf(1)
	}
	return now.Sub(s.at).Seconds()
}

var programBegan = time.Now()

// wallTime returns the nanoseconds since the program began, never 0.
func wallTime() int64 { return max(int64(time.Since(programBegan)), 1) }

// Total returns the seconds of all operations.
func (s *Sampler) Total() float64 {
	if s.last == 0 {
		return 0
	}
	return max(s.Seconds*float64(s.N)/float64(s.last), 0)
}

// The number of operations for each timed one.
const (
	SampleEvery  = 32  // windows of the queue; bursts of a sequential run
	SampleSettle = 8   // times that rollbacks are carried out
	SampleDeltas = 512 // deltas; blocks of memory; records of a trace
	SampleLZ4    = 32  // uses of LZ4
)

// ClockCost returns the seconds between two successive readings of the clock, which is more than
// some timed operations take.
var ClockCost = sync.OnceValue(func() float64 {
	var costs [101]float64
	for i := range costs {
		costs[i] = Since(time.Now())
	}
	slices.Sort(costs[:])
	return costs[len(costs)/2]
})
