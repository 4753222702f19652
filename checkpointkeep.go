// This file owns what follows when a checkpoint of a running simulation is on the disk, or could
// not be stored: what is told, and which older ones are removed.

package ross

import (
	"path/filepath"
	"slices"

	"github.com/ross-go/ross/rio"
)

// done takes note of a checkpoint, and removes what is older than those that are kept. An
// error is told if the run goes on: the first of several in a row.
func (r *storing) done(c *copied) {
	s := r.sim
	if s.rank != 0 {
		return
	}
	r.lock.Lock()
	r.err = c.err
	r.lock.Unlock()
	if c.err == nil {
		s.io.stored++
		r.failing = false
		err := r.removeOld()
		if err != nil && !r.stuck {
			s.caution("checkpoint: an old one cannot be removed: %s: the simulation goes on, and there are more than --io-keep=%d", reason(err), s.cfg.IOKeep)
		}
		r.stuck = err != nil
		return
	}
	r.unstored++
	if !r.waits && !r.failing {
		s.caution("checkpoint: %s: the simulation goes on without this checkpoint", reason(c.err))
	}
	r.failing = true
}

func (r *storing) lastError() error {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.err
}

// removeOld removes all but the newest checkpoints. Those that are damaged neither count nor go.
func (r *storing) removeOld() error {
	s := r.sim
	numbers, err := rio.Numbers(s.cfg.IOName)
	if err != nil {
		return err
	}
	kept := uint64(0)
	for _, n := range slices.Backward(numbers) {
		name := rio.Numbered(s.cfg.IOName, n)
		if rio.Exists(name) { // else a process was killed while it wrote it
			if !r.isWhole(n, name) {
				continue
			}
			if kept < s.cfg.IOKeep {
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

// isWhole reports whether a checkpoint is whole, and tells, once, if it is not. One of this run is not read
// again: a look at its files is enough.
func (r *storing) isWhole(n uint64, name string) bool {
	s := r.sim
	if s.io.refused[name] {
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
	if s.io.refused == nil {
		s.io.refused = map[string]bool{}
	}
	s.io.refused[name] = true
	s.caution("checkpoint %s does not count for --io-keep=%d and is not removed: %s", filepath.Clean(name), s.cfg.IOKeep, reason(err))
	return false
}
