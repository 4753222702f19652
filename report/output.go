// This file owns Output: where the report of a run goes.

package report

import (
	"fmt"
	"io"
	"sync"
)

// Output is a writer that keeps its first error, so that who prints need not look at it
// and it is reported once. Several goroutines may write at the same time.
type Output struct {
	lock sync.Mutex
	w    io.Writer
	err  error
	lost bool // there was an error

	taken bool // somebody else shows how the run goes on
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

// Take has somebody else show how the run goes on: ProgressTaken is true, and what is
// written goes through the writer that wrap makes of the one before. giveBack ends that.
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

// ProgressTaken reports whether somebody else shows how the run goes on.
func (o *Output) ProgressTaken() bool {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.taken
}
