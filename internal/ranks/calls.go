// This file owns the calls that all ranks make together after a run: they exchange bytes, and a
// rank that makes another call, or leaves, is an error on the others.

package ranks

import (
	"errors"
	"fmt"
)

// Exchange returns the bytes of all ranks, by rank, to all of them. call says what this rank does,
// such as "Reduce of main.Sum"; if another rank does something else, all return an error. So they
// do if own, the error that this rank has before, is not nil on one of them.
func (c *Cluster) Exchange(call string, own []byte, err error) (lists [][]byte, _ error) {
	if err = c.Agree(err); err != nil || c.Ranks <= 1 {
		return [][]byte{own}, err
	}
	calls, err := AllGatherBytes(c.World, []byte(call))
	if err == nil {
		for rank, other := range calls {
			if string(other) != string(calls[0]) {
				err = fmt.Errorf("ross: %s: rank %d calls %s at the same time: let all ranks make the same calls in the same order", calls[0], rank, other)
				return nil, c.Agree(err)
			}
		}
		lists, err = AllGatherBytes(c.World, own)
	}
	return lists, err
}

// errLeft is the error of the other ranks when one closes its simulation while they wait for it.
var errLeft = errors.New("ross: Close: called while other ranks wait for this one in Gather, Reduce or StoreCheckpoint: let all ranks call these")

// Leave tells the other ranks after a run that this one makes no further calls. Ranks that all
// leave see no error.
func (c *Cluster) Leave() {
	if c.Ranks > 1 && c.World != nil && !c.parting {
		_ = c.Agree(errLeft)
	}
}
