// This file owns mailboxes in which owners sleep until somebody wakes them.

package worldtest

import (
	"time"

	"github.com/ross-go/ross/internal/ranks/world"
)

// WithSleep lets the owners of mailboxes sleep, if all ranks are on one machine: without an end, unless somebody wakes
// them. Reductions are those of ranks in shared memory, and not delayed.
func (c *Cluster) WithSleep() *Cluster {
	c.sleeps = true
	for range c.n {
		c.records, c.lists = append(c.records, make([]uint64, world.RecordWords)), append(c.lists,
			make([]uint64, world.ListWords))
	}
	return c
}

// wakeAll wakes all that sleep.
func (c *Cluster) wakeAll() {
	for _, wake := range c.wakes {
		wake()
	}
}

// deep is a mailbox whose owner sleeps until somebody wakes it.
type deep struct{ world.Sleeper }

func (d deep) Sleep(ready func() bool, news bool, most time.Duration) bool {
	if most >= time.Millisecond {
		most = -1
	}
	return d.Sleeper.Sleep(ready, news, most)
}

// lost returns an error if a rank is gone.
func (w *seen) lost() error {
	w.c.lock.Lock()
	defer w.c.lock.Unlock()
	if w.c.aborted || w.c.killed != nil {
		return w.c.abortion(w.rank, "Reduction")
	}
	return nil
}
