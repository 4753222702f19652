// This file owns the figures by which a balance decides.

package adapt

import "time"

// Load is what the PEs of a process that handle events have published at some moment.
type Load struct {
	At      time.Time
	PEs     []PELoad
	Used    float64 // seconds of processors that the process has used; 0: unknown
	Pending float64 // events in the queues; 0: unknown
}

// PELoad is what a PE has published since the run began.
type PELoad struct {
	Handled, Undone float64 // events
	Idle            float64 // seconds
}

// span is what the PEs did between two moments.
type span struct {
	seconds float64
	useful  []float64 // by PE: seconds that it spent on events that were not undone
	events  []float64 // by PE: those events
	stolen  float64   // processors that busy PEs did not get
	pending float64   // events in the queues at the end
}

// since returns what the PEs did since an earlier moment.
func (l *Load) since(o *Load) span {
	d := span{seconds: max(l.At.Sub(o.At).Seconds(), 1e-6), useful: make([]float64, len(l.PEs)),
		events: make([]float64, len(l.PEs)), pending: l.Pending}
	all := 0.0
	for i := range l.PEs {
		p, q := &l.PEs[i], &o.PEs[i]
		handled, undone := max(p.Handled-q.Handled, 0), max(p.Undone-q.Undone, 0)
		busy := min(max(d.seconds-(p.Idle-q.Idle), 0), d.seconds)
		d.events[i] = max(handled-undone, 0)
		d.useful[i] = busy * min(d.events[i]/max(handled, 1), 1)
		all += busy
	}
	if l.Used > 0 {
		d.stolen = max(all-(l.Used-o.Used), 0) / d.seconds
	}
	return d
}

// rate returns the events per second that were not undone.
func (d *span) rate() float64 { return sum(d.events) / d.seconds }

// working returns how many processors worked on events that were not undone.
func (d *span) working() float64 { return sum(d.useful)/d.seconds - d.stolen }

// imbalance returns the busiest PE's work divided by the mean.
func (d *span) imbalance() float64 {
	most := 0.0
	for _, t := range d.useful {
		most = max(most, t)
	}
	return most * float64(len(d.useful)) / max(sum(d.useful), 1e-9)
}

// evened returns how many processors could work if KPs moved: all PEs would have as much to do as the busiest one.
func (d *span) evened() float64 { return d.working() * d.imbalance() }

// turns is how often the pending events of a model have changed when the PEs are up to speed, whatever they did before:
// caches hold what they need, and windows are as wide as they will be.
const turns = 64

// isSteady reports whether so much has been handled that the span says what the PEs do from then on. That takes a
// millisecond with a few pending events, and longer than any look with thousands of them.
func (d *span) isSteady() bool { return d.pending > 0 && sum(d.events) >= turns*d.pending }

func sum(all []float64) (n float64) {
	for _, x := range all {
		n += x
	}
	return n
}
