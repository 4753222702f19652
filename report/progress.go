// This file owns Output, the destination of a run's report, and the progress lines: when one is due, and its text. The
// rule is that of gvt_print in ROSS, with its rounding, so that a sequential run prints ROSS's lines one for one.

package report

import (
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"github.com/ross-go/ross/internal/num/interval"
)

// Output is a writer that keeps its first error, so callers need not check each write
// and the error is reported once. Several goroutines may write at the same time.
type Output struct {
	lock sync.Mutex
	w    io.Writer
	err  error
	lost bool // an error has occurred

	taken bool // another component shows the progress
}

// NewOutput returns an Output that writes to w; nil discards what is written.
func NewOutput(w io.Writer) *Output {
	if w == nil {
		w = io.Discard
	}
	return &Output{w: w}
}

// Write implements io.Writer. The error is always nil: Err returns it.
func (o *Output) Write(p []byte) (int, error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	if !o.lost {
		if _, err := o.w.Write(p); err != nil {
			o.err = fmt.Errorf("ross: report is incomplete: %w: give the run an output that can be written", err)
			o.lost = true
		}
	}
	return len(p), nil
}

// Err returns the first error of writing, once: nil after that.
func (o *Output) Err() error {
	o.lock.Lock()
	defer o.lock.Unlock()
	err := o.err
	o.err = nil
	return err
}

// Take lets another component show the progress of the run: ProgressTaken is then true,
// and output goes through the writer that wrap makes of the current one. giveBack ends
// this.
func (o *Output) Take(wrap func(w io.Writer) io.Writer) (giveBack func()) {
	o.lock.Lock()
	defer o.lock.Unlock()
	before := o.w
	o.w = wrap(before)
	o.taken = true
	return func() {
		o.lock.Lock()
		defer o.lock.Unlock()
		o.w, o.taken = before, false
	}
}

// ProgressTaken reports whether another component shows the progress of the run.
func (o *Output) ProgressTaken() bool {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.taken
}

// SequentialReportInterval is the interval of a sequential run, which does not follow
// --report-interval: that flag affects only parallel runs.
const SequentialReportInterval = 0.01

// Progress decides when a progress line is due. It keeps the fraction of the run at
// which the next line is due, and adds the interval each time; because of the
// rounding of that sum a run in which all events tie prints 10% twice. The first time
// a line is due, nothing is printed.
//
// It is not safe for concurrent use.
type Progress struct {
	end      float64
	interval float64
	waitsFor float64 // fraction of end (percent_complete in ROSS)
	next     float64
}

// NewProgress returns the Progress of a run that ends at virtual time end. The
// interval is a fraction of the run, not negative (--report-interval); 0 and 1
// mean no lines, and so does an end at +Inf.
func NewProgress(end, interval float64) *Progress {
	p := &Progress{end: end, interval: interval}
	if interval == 0 || interval == 1 {
		p.waitsFor = math.Inf(1)
	}
	p.next = p.leastDue()
	return p
}

// StartAt sets a virtual time above 0 at which the run begins: lines up to there are
// not due.
func (p *Progress) StartAt(clock float64) {
	if !p.reached(clock) {
		return
	}
	p.waitsFor = interval.After(clock/p.end, p.interval)
	p.next = p.leastDue()
}

// NextDue returns the least time for which Due does anything, +Inf if there is no such time.
// A loop over events compares with it to avoid the division in Due.
func (p *Progress) NextDue() float64 { return p.next }

// Due reports whether a line must be printed when the run has reached gvt, a virtual
// time that is not negative; if so, it counts the line as printed. A sequential run
// calls it before each event with the event's time, others at each GVT.
func (p *Progress) Due(gvt float64) bool {
	if !p.reached(gvt) {
		return false
	}
	first := p.waitsFor == 0
	p.waitsFor += p.interval
	p.next = p.leastDue()
	return !first
}

// Percent returns how much of the run lies before gvt, in whole percent rounded
// down, at most 100.
func (p *Progress) Percent(gvt float64) int {
	percent := math.Floor(100 * (gvt / p.end))
	if percent < 100 {
		return int(percent)
	}
	return 100
}

func (p *Progress) reached(gvt float64) bool { return gvt/p.end > p.waitsFor }

// leastDue searches for the exact least float64 that reached accepts: the bits of
// non-negative floats are ordered like the floats. Multiplying waitsFor by end could
// miss it by a rounding error.
func (p *Progress) leastDue() float64 {
	low, high := uint64(0), math.Float64bits(math.Inf(1))
	for low < high {
		middle := low + (high-low)/2
		if p.reached(math.Float64frombits(middle)) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return math.Float64frombits(low)
}

// ProgressLine is what a progress line shows.
type ProgressLine struct {
	GVTNumber uint64    // GVT computations so far; 0 in a sequential run
	Percent   int       // see Progress.Percent
	MaxQueue  uint64    // most events ever pending on this PE
	GVT       float64   // virtual time; math.MaxFloat64 prints as MAX
	Now       time.Time // printed in its own location
	AVLSize   uint64    // events from other ranks in AVL trees of this PE, few of those in its index
}

// WriteProgress writes the two lines of l.
func WriteProgress(w io.Writer, l ProgressLine) error {
	gvt := "MAX"
	if l.GVT != math.MaxFloat64 {
		gvt = formatC(l.GVT, 'f', 4)
	}
	var r report
	r.printf("GVT #%d: simulation %d%% complete, max event queue size %d (GVT = %s) at %s.\n",
		l.GVTNumber, l.Percent, l.MaxQueue, gvt, l.Now.Format(time.ANSIC))
	r.printf("AVL tree size: %d\n", l.AVLSize)
	return r.writeTo(w)
}
