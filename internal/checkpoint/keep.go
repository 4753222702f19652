// This file owns the actions after a checkpoint of a running simulation has been stored or has
// failed: what is reported, and which older checkpoints are removed.

package checkpoint

import (
	"path/filepath"
	"slices"

	"github.com/ross-go/ross/rio"
)

// Done records a checkpoint that was stored or failed, and removes those that are older than
// the ones to keep. Of several errors in a row only the first is reported, and only if the run
// goes on.
func (r *Storing) Done(c *Copied) {
	s := r.Checkpoints
	if s.cluster.Rank != 0 {
		return
	}
	r.lock.Lock()
	r.err = c.Err
	r.lock.Unlock()
	if c.Err == nil {
		s.Stored++
		r.failing = false
		err := r.removeOld()
		if err != nil && !r.stuck {
			s.Run.Caution("checkpoint: an old one cannot be removed: %s: the simulation goes on, and there are more than --io-keep=%d", reason(err), s.Run.Set.IOKeep)
		}
		r.stuck = err != nil
		return
	}
	r.Unstored++
	if !r.waits && !r.failing {
		s.Run.Caution("checkpoint: %s: the simulation goes on without this checkpoint", reason(c.Err))
	}
	r.failing = true
}

// LastError returns the error of the most recent checkpoint, or nil if it was stored.
func (r *Storing) LastError() error {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.err
}

// removeOld removes all but the newest checkpoints. Damaged ones are neither counted nor
// removed.
func (r *Storing) removeOld() error {
	s := r.Checkpoints
	numbers, err := rio.Numbers(s.Run.Set.IOName)
	if err != nil {
		return err
	}
	kept := uint64(0)
	for _, n := range slices.Backward(numbers) {
		name := rio.Numbered(s.Run.Set.IOName, n)
		if rio.Exists(name) { // otherwise a process was killed while writing it
			if !r.isWhole(n, name) {
				continue
			}
			if kept < s.Run.Set.IOKeep {
				kept++
				continue
			}
		}
		if err := rio.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// isWhole reports whether a checkpoint is complete, and reports a damaged one to the user
// once. A checkpoint of this run is not read again; opening it is enough.
func (r *Storing) isWhole(n uint64, name string) bool {
	s := r.Checkpoints
	if s.refused[name] {
		return false
	}
	if r.whole[n] {
		return true
	}
	var err error
	if n < r.first {
		err = rio.Verify(name)
	} else if cp, errOpen := rio.Open(name); errOpen == nil {
		err = cp.Close()
	} else {
		err = errOpen
	}
	if err == nil {
		if n < r.first {
			r.whole[n] = true
		}
		return true
	}
	if s.refused == nil {
		s.refused = map[string]bool{}
	}
	s.refused[name] = true
	s.Run.Caution("checkpoint %s does not count for --io-keep=%d and is not removed: %s", filepath.Clean(name), s.Run.Set.IOKeep, reason(err))
	return false
}
