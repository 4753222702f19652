// This file owns the team: what the PEs of a rank share in a parallel run.

package timewarp

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/transport"
	"github.com/ross-go/ross/internal/ranks/world"
)

// team is what the PEs of a rank share in a parallel run.
type team struct {
	group   *gvt.Group   // computes GVT
	PEs     []*PE        // of this rank
	active  atomic.Int32 // the first of them handle events, the others have no KPs
	cluster *ranks.Cluster
	Ranks   *gvt.Ranks      // GVT among ranks; nil in a run of one rank
	red     world.Reduction // its all-reduce operations
	_       [line]byte      // all look at the following in each turn
	// Stop is set to end the run at the next GVT.
	Stop atomic.Bool
	// Broken is set, before Stop, if a PE has left its loop and no longer takes part in
	// GVT.
	Broken atomic.Bool
	// Leave is set to let the PEs leave their loops at the next GVT, to go on later.
	Leave    atomic.Bool
	Room     int  // capacity of a channel between two PEs, in events
	full     bool // this machine has more PEs than processors
	OnlyPE   bool // only one PE handles events, on one rank
	oneByOne bool // a test lets PEs run one at a time
	_        [line]byte
	// Resting is the number of PEs that had no event in their last turn.
	Resting atomic.Int32
	// Reductions is the number of all-reduce operations for GVT.
	Reductions atomic.Uint64
	_          [line]byte
}

// line is the distance in bytes at which two words are not fetched together by a processor.
const line = 128

// NewTeam connects the PEs of a rank with each other and with other ranks.
func NewTeam(run *kernel.Run, pes []*PE, c *ranks.Cluster) (*team, error) {
	n := len(pes)
	t := &team{PEs: pes, cluster: c, oneByOne: run.Set.Turn != nil}
	t.active.Store(int32(n))
	if err := t.connect(); err != nil {
		return nil, err
	}
	words := int(pes[0].Arena.Stride() / 8)
	size := roomOfRings(run, n, 8*words)
	if err := run.Budget.Charge(uint64(n * (n - 1) * size * 8 * words)); err != nil {
		return nil, fmt.Errorf("ross: Run: channels between %d PEs: %w: raise --max-memory", n, err)
	}
	for i, pe := range pes {
		pe.Team = t
		pe.Member = t.group.Member(i)
		pe.Channels = channels{Base: uint32(run.Base), AntiMin: gvt.Max, In: make([]atomic.Pointer[transport.Ring], n),
			Out: make([]Outbox, n), Dirty: make([]uint32, 0, max(n, 64))}
		pe.Stragglers, pe.Doomed = make([]event.Key, 0, firstUnsent), make([]uint32, 0, 4*firstUnsent)
		pe.Address.Wake = make(chan struct{}, 1)
	}
	t.fit(t.cluster.Ranks > 1 && !t.oneByOne)
	t.Room = size
	return t, nil
}

// fit sets what depends on the number of PEs that handle events. wanted is as for SetCrowded.
func (t *team) fit(wanted bool) {
	n := len(t.Active())
	t.OnlyPE = n == 1 && t.cluster.Ranks == 1
	t.full = n*t.cluster.OnNode > t.cluster.Procs
	for _, pe := range t.PEs {
		pe.SetCrowded(wanted)
	}
}

// mostSpin is the number of polls of an idle PE before it yields the processor, if nobody else wants that.
const mostSpin = 2000

// SetCrowded says whether others want the processor of the PE. Where the machine has more PEs than processors, they
// always do. A crowded PE gives its processor up at once when it has nothing to do, and in a run of several ranks it
// keeps its window of optimism narrow: what it does too early takes time from those for whom it waits. Such a run
// begins like that, until the PE has seen that it has its processor for itself.
func (pe *PE) SetCrowded(wanted bool) {
	wanted = wanted || pe.Team.full
	pe.Crowded = wanted && pe.Team.cluster.Ranks > 1
	if pe.Spin = mostSpin; wanted || pe.Team.oneByOne {
		pe.Spin = 1
	}
}

// Active returns the PEs that take part in GVT and handle events.
func (t *team) Active() []*PE { return t.PEs[:t.active.Load()] }

// SetActive lets only the first n PEs take part, in a run of one rank. The others must have no KPs. Nobody
// may be in its loop, and nothing uncommitted or under way.
func (t *team) SetActive(n int) {
	if n == len(t.Active()) {
		return
	}
	first := t.PEs[0]
	t.group = gvt.NewGroup(n, nil)
	for i, pe := range t.PEs {
		pe.Channels.In = pe.Channels.In[:n]
		if i < n {
			pe.Member = t.group.Member(i)
			pe.Bound, pe.GVT, pe.GVTIs = first.Bound, first.GVT, first.GVTIs
			pe.Stops.Agreed, pe.Stops.Announced = first.Stops.Agreed, first.Stops.Announced
			pe.Arena.Wake()
			continue
		}
		pe.Arena.Rest()
		pe.DropHistories()
	}
	t.active.Store(int32(n))
	t.fit(false)
}

// Break makes all PEs leave their loops as soon as they notice, without another round of GVT.
func (t *team) Break() {
	t.Broken.Store(true)
	t.Stop.Store(true)
	t.RouseAll()
}

// Reductions are numbers of all-reduce operations for GVT.
type Reductions struct {
	All    uint64
	Shared uint64 // of these, through memory that the ranks share
	Calls  uint64 // of MPI, for the others
}

// Close releases what the team has made, and says how GVT was reduced.
func (t *team) Close() Reductions {
	if t.Ranks == nil {
		return Reductions{}
	}
	t.Ranks.Close()
	return Reductions{All: t.Ranks.Reductions, Shared: t.red.Shared(), Calls: t.red.Calls()}
}

// roomOfRings returns the capacity of each channel between n PEs, in events of the given
// size.
func roomOfRings(run *kernel.Run, n, bytes int) int {
	if run.Set.RingSize != 0 {
		return run.Set.RingSize
	}
	size := max(ringSize/max(n/4, 1), leastRing)
	for size > leastRing && uint64(n*n*size*bytes) > run.Budget.Limit()/ringMemory {
		size /= 2
	}
	return size
}

// connect connects the PEs for the computation of GVT, and with those of other ranks.
func (t *team) connect() error {
	pes, world := t.PEs, t.cluster.World
	if t.cluster.Ranks == 1 {
		t.group = gvt.NewGroup(len(pes), nil)
		return nil
	}
	boxes, err := world.Mailboxes(len(pes))
	if err != nil {
		return err
	}
	red, err := world.Reduction() // in the memory of the mailboxes, perhaps
	if err != nil {
		return err
	}
	t.red = red
	t.Ranks = gvt.NewRanks(red, pes[0].Arena.Lines)
	t.group = gvt.NewGroup(len(pes), t.Ranks)
	for i, pe := range pes {
		if err := pe.newRemote(boxes[i]); err != nil {
			return err
		}
	}
	return nil
}

// Empty receives, and drops, what is still under way after a run was stopped, so that no
// rank waits for another to receive it.
func (t *team) Empty() error {
	if t.cluster.Ranks == 1 {
		return nil
	}
	for {
		left := []int64{0}
		for _, pe := range t.PEs {
			r := pe.Remote
			_, err := r.Box.Poll(func(_ int, words []uint64) { r.balance[wireRound(words[0])&1]-- })
			if err = errors.Join(err, r.err); err != nil {
				return err
			}
			left[0] += r.balance[0] + r.balance[1]
		}
		if err := t.cluster.World.AllReduceInt64(mpi.Sum, left); err != nil || left[0] == 0 {
			return err
		}
	}
}
