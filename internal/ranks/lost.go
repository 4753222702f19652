// This file owns what a rank does when MPI fails, which is mostly because another rank is gone: it ends all
// ranks, since whatever they call next would wait for each other.

package ranks

import (
	"errors"
	"fmt"
	"os"

	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/internal/world"
)

// BreakDown prints err and ends all ranks at once, because they can no longer be reached in a
// regular way.
func (c *Cluster) BreakDown(err error) {
	c.parted.Do(func() {
		c.over = err
		c.Broken.Store(true)
		fmt.Fprintf(os.Stderr, "ross: rank %d: %s\n", c.Rank, bare(err.Error()))
		_ = c.World.Abort(1)
	})
}

// lose ends all ranks because of an error of the connection between them, and returns it.
func (c *Cluster) lose(err error) error {
	if err != nil && !c.Broken.Load() {
		c.BreakDown(err)
	}
	return err
}

// withLoss returns err, and says why the others cannot be reached if they cannot.
func (c *Cluster) withLoss(err error) error {
	switch {
	case !c.Broken.Load() || c.over == nil || errors.Is(err, c.over):
		return err
	case err == nil:
		return c.over
	}
	return &unreportedError{own: err, cause: c.over}
}

// broken returns err, and ends all ranks if it is not nil and w is the World of a Cluster: what another rank sent
// is not what it has to be, so the ranks are not in the same place.
func broken(w World, err error) error {
	if g, ok := w.(*guarded); ok {
		return g.c.lose(err)
	}
	return err
}

// guarded is the World of a Cluster: when one of its operations fails, all ranks end, and those after it fail at
// once.
type guarded struct {
	world.World
	c *Cluster
}

// do calls an operation.
func (w *guarded) do(f func() error) error {
	if w.c.Broken.Load() {
		return w.c.over
	}
	return w.c.lose(f())
}

func (w *guarded) Barrier() error { return w.do(w.World.Barrier) }

func (w *guarded) Bcast(data []byte, root int) (all []byte, err error) {
	err = w.do(func() (err error) { all, err = w.World.Bcast(data, root); return err })
	return all, err
}

func (w *guarded) AllGather(own []byte) (all [][]byte, err error) {
	err = w.do(func() (err error) { all, err = w.World.AllGather(own); return err })
	return all, err
}

func (w *guarded) Send(data []byte, to int) error {
	return w.do(func() error { return w.World.Send(data, to) })
}

func (w *guarded) Receive(from int) (data []byte, err error) {
	err = w.do(func() (err error) { data, err = w.World.Receive(from); return err })
	return data, err
}

func (w *guarded) AllReduceInt64(op mpi.Op, values []int64) error {
	return w.do(func() error { return w.World.AllReduceInt64(op, values) })
}

func (w *guarded) Mailboxes(n int) (boxes []world.Mailbox, err error) {
	err = w.do(func() (err error) { boxes, err = w.World.Mailboxes(n); return err })
	return boxes, err
}

func (w *guarded) Reduction() (r world.Reduction, err error) {
	err = w.do(func() (err error) { r, err = w.World.Reduction(); return err })
	return r, err
}
