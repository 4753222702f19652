// This file owns the looks of balance: the figures by which it decides.

package run

import (
	"math"
	"time"

	"github.com/ross-go/ross/internal/checkpoint"
)

var inf = math.Inf(1)

// figures is what the PEs of a process have published at some moment.
type figures struct {
	at   time.Time
	pes  []figuresOfPE // those that handle events
	used float64       // seconds of processors that the process has used; 0: unknown
}

// figuresOfPE is what a PE has published.
type figuresOfPE struct {
	handled, undone float64 // events
	idle            float64 // seconds
}

// figures returns what the PEs have published.
func (b *balance) figures(now time.Time) figures {
	f := figures{at: now, used: processorSeconds()}
	for _, pe := range b.run.active() {
		c := pe.Live.Read()
		f.pes = append(f.pes, figuresOfPE{float64(c.EventsProcessed), float64(c.EventsRolledBack), math.Float64frombits(pe.Live.Idle.Load())})
	}
	return f
}

// span is what the PEs did between two moments.
type span struct {
	seconds float64
	useful  []float64 // by PE: seconds that it spent on events that were not undone
	events  []float64 // by PE: those events
	stolen  float64   // processors that busy PEs did not get
}

// since returns what the PEs did since an earlier moment.
func (f *figures) since(o *figures) span {
	d := span{seconds: max(f.at.Sub(o.at).Seconds(), 1e-6), useful: make([]float64, len(f.pes)), events: make([]float64, len(f.pes))}
	all := 0.0
	for i := range f.pes {
		p, q := &f.pes[i], &o.pes[i]
		handled, undone := max(p.handled-q.handled, 0), max(p.undone-q.undone, 0)
		busy := min(max(d.seconds-(p.idle-q.idle), 0), d.seconds)
		d.events[i] = max(handled-undone, 0)
		d.useful[i] = busy * min(d.events[i]/max(handled, 1), 1)
		all += busy
	}
	if f.used > 0 {
		d.stolen = max(all-(f.used-o.used), 0) / d.seconds
	}
	return d
}

// rate returns the events per second that were not undone.
func (d *span) rate() float64 { return sum(d.events) / d.seconds }

// working returns how many processors worked on events that were not undone.
func (d *span) working() float64 { return sum(d.useful)/d.seconds - d.stolen }

// unlike returns the most that a PE had to do in terms of the mean.
func (d *span) imbalance() float64 {
	most := 0.0
	for _, t := range d.useful {
		most = max(most, t)
	}
	return most * float64(len(d.useful)) / max(sum(d.useful), 1e-9)
}

func sum(all []float64) (n float64) {
	for _, x := range all {
		n += x
	}
	return n
}

// watch begins to look whether the PEs are loaded alike.
func (b *balance) watch() {
	now := time.Now()
	b.stage, b.seen, b.last, b.next = watching, 0, b.figures(now), now.Add(lookEvery)
	b.few, b.best = 0, 0
}

// look is called by the first PE at each GVT.
func (b *balance) look() {
	first := b.run.Locals[0]
	switch {
	case first.Team.Leave.Load() || first.cp.Hold != checkpoint.HoldNone:
		return
	case b.again != nil:
		b.leave(pauseAgain)
		return
	}
	if n := b.run.Set.Shift; n > 0 {
		if b.rounds++; b.rounds >= n {
			b.rounds = 0
			b.leave(pauseTest)
		}
		return
	}
	now := time.Now()
	if now.Before(b.next) {
		return
	}
	switch b.stage {
	case watching:
		b.lookAround(now)
	case measuring:
		b.leave(pauseMove)
	case settling:
		b.stage, b.last, b.next = judging, b.figures(now), now.Add(judge)
	case judging:
		b.judge(now)
	}
}

// leave makes the PEs leave their loops.
func (b *balance) leave(w pauseReason) {
	b.why = w
	b.run.Locals[0].Team.LetLeave()
}

// lookAround decides whether anything should change.
func (b *balance) lookAround(now time.Time) {
	f := b.figures(now)
	d := f.since(&b.last)
	b.last, b.next = f, now.Add(lookEvery)
	if b.seen++; d.imbalance() < imbalanced {
		b.seen = 0
	}
	if b.few++; d.working() >= fewWorking {
		b.few, b.best = 0, 0
	}
	b.best = max(b.best, d.rate())
	switch {
	case b.seen >= looks && now.After(b.moves):
		b.before = d.rate()
		b.leave(pauseMeasure)
	case b.few >= fewLooks && b.mayTrySerial(now):
		b.before = b.best
		b.leave(pauseSerial)
	}
}

// judge decides whether the last moves were worth it.
func (b *balance) judge(now time.Time) {
	f := b.figures(now)
	d := f.since(&b.last)
	gain := d.rate() / max(b.before, 1)
	if b.quiet = leastQuiet; gain < helped {
		b.quieter()
	}
	if gain < harmed {
		b.leave(pauseUndo)
		return
	}
	b.watch()
}
