// This file owns what happens to a run on ranks that is to stop, and cannot because another
// rank does not answer.

package run

import (
	"context"
	"time"
)

// silence is how long a run that is to stop waits for the next GVT: doc.go says why.
const silence = 5 * time.Second

// endInSilence has Hooks.Silent called if the context ends, and then no GVT comes for the given time.
// stop is called when the run has stopped.
func (s *Engine) endInSilence(wait time.Duration) (stop func()) {
	if s.Cluster.Ranks == 1 || s.Hooks.Silent == nil {
		return func() {}
	}
	stopped := make(chan struct{})
	gvts := &s.Locals[0].Live.GVTs
	forget := context.AfterFunc(s.ctx, func() {
		for last := gvts.Load(); ; last = gvts.Load() {
			select {
			case <-stopped:
				return
			case <-time.After(wait):
			}
			if gvts.Load() == last {
				s.Hooks.Silent(context.Cause(s.ctx), s.Cluster.Rank, wait)
				return
			}
		}
	})
	return func() {
		close(stopped)
		forget()
	}
}
