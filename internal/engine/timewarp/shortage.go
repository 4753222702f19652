// This file owns what an optimistic PE does when memory is short: it reduces optimism, in
// the end to none, before it gives up.

package timewarp

import (
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
)

// optimism says how far a PE may run ahead.
type optimism struct {
	Window int  // most uncommitted events
	Allow  int  // likewise while memory is short; normally unlimited
	Urgent bool // GVT is needed before its interval is over

	Interval int // events from one GVT to the next
	Since    int // events since the last GVT
}

// shortage is the state of a PE that lacks memory.
type shortage struct {
	Need        need   // what the PE waits for
	tightRounds int    // rounds of undoing since the PE last committed events
	Reserve     uint64 // bytes kept for the event at GVT if it cannot be undone
	margin      uint64 // bytes that event slots leave to everything else
	Wanted      uint64 // bytes that must be free before such an event is handled
}

// lackMemory is called when there is no memory to handle event e. It halves the number of
// events that may be uncommitted, and makes the PE wait for GVT, which should free some
// memory. For an event that waits for nothing but memory, all PEs undo what is not
// committed.
func (pe *PE) lackMemory(e *event.Event) {
	pe.Arena.Unhold()
	pe.Allow = max(min(pe.Allow, pe.Window, pe.Uncommitted), 0) / 2
	pe.Urgent = true
	pe.Counts.Shortages++
	pe.WaitFor(WaitGVT)
	pe.StopBatch()
	if pe.IsReached(e) {
		pe.Needs(NeedUndo)
	} else {
		pe.Needs(NeedGVT)
	}
}

// Abort undoes an event whose handler found no memory (the abort event of ROSS). It is
// handled again when there may be some. If the event cannot be undone, or everything has
// been tried for it, the run ends.
func (pe *PE) Abort(lp *kernel.LP, kp *kernel.KP) {
	e := pe.Arena.At(kp.History.At(kp.History.Last).Event)
	if lp.Type().Saving == kernel.SaveNever || pe.inVain(e) {
		lp.Now = e.Time
		lp.GiveUp(pe.Lack)
	}
	whole := pe.Counts.Enter()
	defer func() { pe.Counts.Leave(whole, &pe.Counts.AbortSeconds) }()
	pe.Rollback(kp, func(_ event.Key, newest *event.Event) bool { return newest == e })
	pe.After = kernel.AfterNone
	if pe.Err == nil { // otherwise states may refer to the spares
		pe.TakeSpares()
	}
	pe.Counts.Aborted++
	if pe.PerLP != nil {
		pe.PerLP[lp.Index()].Aborted++
	}
	pe.lackMemory(e)
}

// TightRounds is the number of times that all PEs undo their uncommitted events before a PE
// concludes that there is not enough memory. One time is not enough, because the memory of
// events sent to other PEs is free only once the anti-messages have arrived.
const TightRounds = 4

// hasTried reports whether all PEs have undone their uncommitted events often enough. A PE
// that is alone needs to do so only once.
func (pe *PE) hasTried() bool {
	return pe.tightRounds >= TightRounds || pe.tightRounds > 0 && pe.Team.OnlyPE
}

// Shares of the memory that optimism leaves free: 1/8 each.
const (
	// Event slots are never given back. Without a margin they would take all memory in the
	// end, and leave none to histories and blocks.
	marginShare = 8
	// An event that cannot be undone cannot be handled again either if its handler finds no
	// memory. It therefore waits, before its handler is called, until there is some:
	// optimism is given up before the run is. At most one event is at GVT.
	reserveShare = 8
)

// SetReserve sets what optimism leaves free, when it begins. A reserve is needed only if there are events
// that cannot be undone.
func (pe *PE) SetReserve() {
	pe.tightRounds, pe.Need = 0, NeedNone // what was tried in another way is no reason to give up
	for _, t := range pe.Run.Types {
		if t.Saving == kernel.SaveNever {
			pe.Reserve = pe.Budget.Limit() / reserveShare
		}
	}
	pe.Wanted = pe.Reserve
	pe.margin = pe.Budget.Limit() / marginShare
}

// SetMemoryAside limits the PE to the memory that optimism may use. The free slots of a PE that
// shares the memory with no other one count as part of the reserve, unless models allocate blocks.
// An event of another PE would find no use for them.
func (pe *PE) SetMemoryAside() {
	reserve := pe.Reserve
	if reserve > 0 && pe.Run.Set.PEs == 1 && pe.Pool == nil {
		reserve -= min(reserve, pe.Arena.Spare())
	}
	pe.Budget.SetAside(reserve)
	pe.Arena.SetAside(reserve + pe.margin)
}

// ClearReserve lifts that limit, for the PE that has the event at GVT, and where nothing is
// optimistic.
func (pe *PE) ClearReserve() {
	pe.Budget.SetAside(0)
	pe.Arena.SetAside(0)
}

// OnProgress is called when the PE has committed events. It ends the rounds of undoing.
func (pe *PE) OnProgress() {
	if pe.tightRounds > 0 || pe.Reserve > 0 { // the free slots have changed
		pe.tightRounds = 0
		pe.SetMemoryAside()
	}
}

// hasReserve reports whether event e, which cannot be undone and which GVT has reached, may
// be handled: there is a reserve, or everything has been tried. Free slots serve as a
// reserve, too, unless blocks need it.
func (pe *PE) hasReserve(e *event.Event) bool {
	tight := pe.tightRounds > 0
	need := pe.Wanted
	if !tight {
		need += pe.margin
	}
	pe.Arena.Hold() // otherwise other PEs might take the slots while the handler runs
	if tight || !pe.HasPool() {
		need -= min(need, pe.Arena.Spare())
	}
	if pe.Run.Budget.Spares(need) == nil {
		return true
	}
	if !pe.inVain(e) {
		pe.Arena.Unhold()
		return false
	}
	pe.Wanted /= 2
	return true
}

// inVain reports whether everything has been tried for an event that waits for nothing but
// memory.
func (pe *PE) inVain(e *event.Event) bool {
	return pe.hasTried() && pe.IsReached(e)
}

// MustKeep reports whether the running event must not be undone for lack of memory in its history,
// because it cannot be undone, undoing it would be in vain, or the history may borrow some.
func (pe *PE) MustKeep() bool {
	return pe.Running != nil && pe.Running.Type().Saving == kernel.SaveNever || pe.Current != nil &&
		(pe.mayBorrow() || pe.inVain(pe.Current))
}

// loanShare is the part of the memory, 1/32, that histories of all PEs together may borrow beyond it.
const loanShare = 32

// mayBorrow reports whether histories may borrow memory although GVT has not reached the event: the
// slots have all memory, and there are free ones. Slots are never given back, and their margin may
// have gone to a queue that has grown. Without a loan each event would wait for four GVTs in vain.
func (pe *PE) mayBorrow() bool {
	lent := 0
	for _, kp := range pe.Mine {
		lent += kp.History.Lent
	}
	return uint64(lent)*8 < min(pe.Arena.Spare(), pe.Budget.Limit()/loanShare/uint64(pe.Run.Set.PEs))
}

// Tighten gives back all memory that the PE can do without.
func (pe *PE) Tighten() {
	pe.Allow = 0
	if pe.Dead > 0 || pe.LapsedIn > 0 { // a purge looks at all events
		pe.Purge()
	}
	pe.Arena.GiveBack()
	pe.Arena.Share()
	pe.ShedBlocks()
	pe.DropHistories()
	if pe.Need >= NeedUndo {
		pe.tightRounds++
		pe.ClearReserve()
	}
	pe.Need = NeedNone
}

const (
	// handy is the number of slots that a PE which cannot undo events wants to have beyond one for each event
	// of a turn: an event may send several.
	handy = 32
	// mostKept is the number of free slots that such a PE keeps to itself at each GVT if memory is scarce.
	mostKept = 64
)

// Afford returns how many of n events a PE that cannot undo events may handle in a turn. While it does not
// have the memory that they may need, it has all PEs give what they have left. When that was in vain it
// goes on, one event at a time, with what there is.
func (pe *PE) Afford(n int) int {
	switch {
	case pe.Arena.Provide(n + handy):
		pe.tightRounds = 0
		return n
	case pe.Queue.Len() == 0:
		return n
	case pe.tightRounds >= TightRounds:
		return 1
	}
	pe.Counts.Shortages++
	pe.Urgent = true
	pe.WaitFor(WaitGVT)
	pe.Needs(NeedUndo)
	return 0
}

// ShareFree gives other PEs what this one, which cannot undo events, has free.
func (pe *PE) ShareFree() {
	pe.Arena.GiveBack()
	pe.Arena.Trim(mostKept)
}

// Purge drops from the queue the cancelled events, and those that have lapsed for good.
func (pe *PE) Purge() {
	whole := pe.Counts.Enter()
	pe.Sweep()
	pe.Counts.Leave(whole, &pe.Counts.PurgeSeconds)
}

// need says what a PE that has no memory, or no room for what it collects, waits for.
type need uint8

// The values of need.
const (
	NeedNone  need = iota // nothing
	NeedGVT               // the next GVT, which frees some memory
	NeedUndo              // all PEs must undo uncommitted events: an event at GVT finds no memory
	needAgain             // as NeedUndo after one more GVT: the other PEs do not know of it yet
)

// Needs makes the PE handle nothing before the next GVT, and says why.
func (pe *PE) Needs(n need) {
	if pe.Need >= NeedUndo {
		n = NeedUndo
	}
	pe.Need = n
}

// Stalled reports whether the PE handles nothing before the next GVT.
func (pe *PE) Stalled() bool { return pe.Need == NeedGVT || pe.Need == NeedUndo }

// PassGVT updates Need after a new GVT, and forgets what no anti-message can name any more.
func (pe *PE) PassGVT() {
	switch pe.Need {
	case NeedGVT:
		pe.Need = NeedNone
	case NeedUndo:
		pe.Need = needAgain
	}
	if pe.Remote != nil {
		pe.sweepLog()
	}
}
