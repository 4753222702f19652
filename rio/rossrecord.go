// This file owns the records in checkpoints that ROSS itself writes.

package rio

import (
	"fmt"
	"math"

	"github.com/ross-go/ross/internal/libm"
	"github.com/ross-go/ross/rng"
)

// twoPi has the digits that ROSS has.
const twoPi = 6.28318530718

// originalLP decodes an LP of ROSS: gid, three states of its generator (at the start of the
// stream, at the start of the block, and now), the pair of draws of the normal distribution,
// whether its second value is still to be returned, and the critical path.
func (c *Contents) originalLP(lp *LP) error {
	i := c.entry.LPs - c.lps - 1
	b, err := c.take(c.orig.lp)
	if err != nil {
		return err
	}
	*lp = LP{GID: order.Uint64(b), CriticalPath: order.Uint32(b[56:])}
	if lp.GID >= c.jobLPs {
		return fmt.Errorf("gid %d, there are %d", lp.GID, c.jobLPs)
	}
	var st rng.StreamState
	for _, at := range [...]int{8, 24, 40} {
		for k := range st.C {
			st.C[k] = order.Uint32(b[at+4*k:])
		}
		if !st.Valid() {
			return fmt.Errorf("%v is not a state of a generator", st.C)
		}
	}
	if c.orig.lp == originalLP {
		lp.CriticalPath = order.Uint32(b[76:])
		flipflop := order.Uint32(b[72:])
		if flipflop > 1 {
			return fmt.Errorf("the switch of the normal distribution is %d, expected 0 or 1", flipflop)
		}
		if u1, u2 := double(b[56:]), double(b[64:]); flipflop == 1 && u1 > 0 && u1 < 1 && u2 > 0 && u2 < 1 {
			st.Spare, st.HasSpare = float64(math.Sqrt(-2*libm.Log(u1))*libm.Cos(twoPi*u2)), true
		}
	}
	c.streams = append(c.streams[:0], st)
	lp.Streams = c.streams
	lp.State, err = c.take(c.sizes[i])
	return err
}

// originalEvent decodes an event of ROSS: bit field, critical path, destination, sender, and
// the time since the end of the run.
func (c *Contents) originalEvent(e *Event) error {
	b, err := c.take(originalEvent)
	if err != nil {
		return err
	}
	*e = Event{
		Bits: order.Uint32(b), CriticalPath: order.Uint32(b[4:]), Dst: order.Uint64(b[8:]), Src: order.Uint64(b[16:]),
		Recv: double(b[24:]), Priority: 1,
	}
	if err := c.checkEvent(e); err != nil {
		return err
	}
	e.Msg, err = c.take(c.orig.msg)
	return err
}

// originalIndex returns the gids, from the records, and the sizes.
func (c *Checkpoint) originalIndex() ([]IndexEntry, error) {
	index := make([]IndexEntry, 0, len(c.orig.sizes))
	err := c.eachOriginalLP(func(lp *LP) { index = append(index, IndexEntry{GID: lp.GID, Size: uint64(len(lp.State))}) })
	if err != nil {
		return nil, err
	}
	if i, ok := eachOnce(index); !ok {
		return nil, damaged(c.name+indexSuffix, uint64(8*i), "LP %d: expected each gid from 0 to %d once, found %d again", i, len(index)-1, index[i].GID)
	}
	return index, nil
}

// readOriginalLPs returns an error if the LPs of any partition are invalid.
func (c *Checkpoint) readOriginalLPs() error { return c.eachOriginalLP(func(*LP) {}) }

func (c *Checkpoint) eachOriginalLP(do func(*LP)) error {
	for i := range c.m.entries {
		r, err := c.Read(i)
		if err != nil {
			return err
		}
		var lp LP
		for {
			ok, err := r.NextLP(&lp)
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			do(&lp)
		}
	}
	return nil
}
