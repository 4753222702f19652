// This file owns LP: a logical process, the object that a model is made of.

package ross

import (
	"unsafe"

	"github.com/ross-go/ross/internal/plain"
	"github.com/ross-go/ross/rng"
)

// LPID is the global id of an LP (tw_lpid): 0 to Simulation.TotalLPs() - 1.
type LPID uint64

// LP is a logical process (tw_lp): an id, a state, random streams, and the
// model's handlers, which get it as their way to the engine. An LP belongs to
// the goroutine of its PE; its methods are for its own handlers.
type LP struct {
	// First cache line: what an event's dispatch and its sends touch.
	id    LPID
	now   float64
	state unsafe.Pointer
	event handler
	pe    *PE
	core  rng.CLCG4 // tie-breakers come from here

	// Second line: what most handlers draw from.
	rng       rng.Stream
	processed uint64
	kp        *KP

	// Third line: rarely used.
	typ       *lpType
	more      []rng.Stream // streams 1, 2, ...
	seconds   float64      // in its handler, for the events that were timed
	digest    uint64       // of the committed events
	special   bool         // its events take more than calling the handler
	suspended bool
	timed     uint32 // events
	code      int64  // why it is suspended
}

// lpSize is the distance of LPs in memory, a whole number of cache lines.
const lpSize = unsafe.Sizeof(LP{})

var _ [0]struct{} = [lpSize % 64]struct{}{} // compiles only for whole cache lines

// ID returns the LP's global id (gid in ROSS).
func (lp *LP) ID() LPID { return lp.id }

// Now returns the receive time of the event that is being handled or committed, and
// Simulation.Clock in Init and PreRun (tw_now). To hooks, in Final and after the run it is that of
// the LP's last event, 0 if it had none.
func (lp *LP) Now() float64 { return lp.now }

// RNG returns the LP's first random stream (lp->rng). The engine undoes its
// draws with the event that made them.
func (lp *LP) RNG() *rng.Stream { return &lp.rng }

// Stream returns random stream i of the LP, 0 <= i < Config.RNGsPerLP
// (tw_rand streams lp->rng[i]). It is nil beyond them.
func (lp *LP) Stream(i int) *rng.Stream {
	switch {
	case i == 0:
		return &lp.rng
	case i > 0 && i <= len(lp.more):
		return &lp.more[i-1]
	}
	return nil
}

// PE returns the PE that the LP is on.
func (lp *LP) PE() *PE { return lp.pe }

// KP returns the KP that the LP belongs to.
func (lp *LP) KP() *KP { return lp.kp }

// TypeName returns the name of the LP's type.
func (lp *LP) TypeName() string { return lp.typ.name }

// StateOf returns the state of an LP (tw_getstate), or nil if its type has
// another state than S, or lp is nil, as that of another rank is. It is meant for hooks, Final, and mapping of results;
// handlers get their state as an argument.
func StateOf[S any](lp *LP) *S {
	if lp == nil || lp.typ.stateType != plain.TypeWord[S]() {
		return nil
	}
	return (*S)(lp.state)
}
