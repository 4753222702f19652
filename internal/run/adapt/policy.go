// This file owns what a policy and the run that follows it say to each other: decisions, and what came of them.

package adapt

import "time"

// Policy decides which PE handles which KPs, and whether one PE handles all events. Its decisions are carried out only
// while the PEs have left their loops, where the package says that this is possible.
type Policy interface {
	// Watch begins to look at the PEs, which have published l: before the first event, and when KPs have moved that the
	// policy did not move.
	Watch(l Load)
	// Due reports whether Decide is to be called. It is called once at each GVT at which the PEs are not about to leave
	// their loops.
	Due(now time.Time) bool
	// Decide returns what the PEs leave their loops for, by what they have published; with Stay they do not.
	Decide(l Load) Decision
	// Next is called when a decision has been carried out, and returns what follows while the PEs are out of their
	// loops; after Stay they go on.
	Next(o *Outcome) Decision
}

// Kind says what a decision is.
type Kind int

const (
	Stay        Kind = iota // nothing changes
	CountEvents             // the outcome has the events of each KP since the last count
	MoveKPs                 // to other PEs
	RunAlone                // one PE handles all events for a time; the PEs stay together after that
	Part                    // the PEs, which are together, part
)

// Decision is what the PEs are to do.
type Decision struct {
	Kind   Kind
	Moves  []Move        // of MoveKPs
	Active int           // of MoveKPs: PEs that handle events from then on, which are the first; 0: as before
	Length time.Duration // of RunAlone: for how long
}

// Move is a KP that moves to another PE. KPs are numbered PE by PE of the mapping, PEs from 0, both among those of the
// process.
type Move struct{ KP, To int }

// Outcome is what came of a decision.
type Outcome struct {
	Of   Kind
	Left Load // when the PEs had left their loops
	Load Load // when the decision had been carried out

	// After CountEvents: the PE that handles each KP; how many PEs handle events; by KP, the events since the last
	// count, undone ones included; and the LP with most of them, and its share.
	PEOf    []int
	Active  int
	Events  []float64
	LP      uint64
	LPShare float64 // 0: there were no events

	// After MoveKPs: the moves that take it back. None are there if the KPs were there already, or have stayed for lack of
	// memory.
	Undo []Move

	// After RunAlone: the PEs have not come together, since there is no memory for that, or too much is pending; the
	// events per second of the one PE; and whether events are left, and the PE has met no error, nor lacked memory.
	Refused bool
	Rate    float64
	GoesOn  bool

	Lacked bool // after Part: the one PE has lacked memory
}

// Took returns how long the PEs have been out of their loops.
func (o *Outcome) Took() time.Duration { return o.Load.At.Sub(o.Left.At) }

// Options are what a policy has to know of the run.
type Options struct {
	PEs, KPs   int    // of the process; of each PE
	FirstPE    uint64 // number of the first PE of the process
	Processors int    // if there are fewer than PEs, all KPs are on that number of PEs at first
	// Free says that PEs without KPs take no part in GVT, and that one PE may handle all events.
	Free bool
	// Domains has the domain of each PE, its socket or its node of memory. KPs move within a domain if they can, since
	// their LPs are in its memory. nil: PEs are not bound to processors.
	Domains []int
	// KeepsPEs says that KPs that the mapping gives to one PE stay together.
	KeepsPEs bool
}

// home returns the PE to which the mapping gives a KP.
func (o *Options) home(kp int) int { return kp / o.KPs }

// Gather returns what happens before the first event: if there are fewer processors than PEs, all KPs move to as many
// PEs.
func Gather(o Options) Decision {
	n := o.Processors
	if !o.Free || n >= o.PEs {
		return Decision{}
	}
	d := Decision{Kind: MoveKPs, Active: n}
	for kp := range o.PEs * o.KPs {
		d.Moves = append(d.Moves, Move{KP: kp, To: o.home(kp) * n / o.PEs})
	}
	return d
}
