// This file owns Output, the destination of a run's report.

package report

import (
	"fmt"
	"io"
	"sync"
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
