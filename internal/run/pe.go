// This file owns PE: a PE with its scheduler.

package run

import (
	"time"

	"github.com/ross-go/ross/internal/check"
	"github.com/ross-go/ross/internal/checkpoint"
	"github.com/ross-go/ross/internal/collect"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/internal/timewarp"
	"github.com/ross-go/ross/report"
)

// PE is a PE with its loop: pace, samples, checkpoints, and the check of rollback.
type PE struct {
	timewarp.PE
	Engine *Engine // the run that the PE belongs to
	state  state   // whether it goes on, and if not, why
	pace   pace
	loopState
	published
	Probe *collect.Probe    // nil if nothing is collected
	check *check.Checker    // nil unless the scheduler checks rollback
	cp    checkpoint.Keeper // the PE's part in checkpoints

	_ [2 * kernel.Apart]byte // one is not enough: two PEs of 8 KB would be neighbours
}

// loopState is where the PE is in its loop.
type loopState struct {
	pause      meter.Phase                        // the current period without events; its Begin is zero if there is none
	alarm      *time.Timer                        // ends a nap
	ready      func() bool                        // hasWork, for a mailbox in which it sleeps
	napsAtOnce int                                // that it begins without yielding to other ranks
	rounds     uint64                             // of GVT in which the PE has published a bound
	Published  [4]uint32                          // lineages of the bounds that the PE published last
	line       uint64                             // bits of the time before which a conservative PE may have committed events
	cross      func(event.Key, *event.Event) bool // Cross, for serial stretches
}

// published is what the PE publishes of itself, or what the report has.
type published struct {
	account     meter.Account
	thread      thread // what the PE gets of the processors
	progress    *report.Progress
	next        float64 // time of the earliest pending event at its last report to GVT, +Inf: none
	Live        *LivePE // published figures
	stateDigest uint64  // digest of the states of its LPs, after the run
}

// state says whether a PE goes on, and if not, why. All PEs of all ranks change it at the same GVT, but for over, which
// a failure sets. A PE may hold for a checkpoint meanwhile (checkpoint.Keeper.Hold).
type state uint8

const (
	running state = iota // it handles events
	leaving              // the PEs leave their loops as soon as nothing is under way, to go on in another way (closing.go)
	ending               // an LP has stopped the run, which is over as soon as nothing is under way (stop.go)
	over                 // it leaves its loop at once
)

// pauses reports whether the PE comes to a place where nothing is uncommitted or under way, to go on from there: it
// is about to leave its loop, or holds for a checkpoint.
func (pe *PE) pauses() bool { return pe.state == leaving || pe.cp.Hold != checkpoint.HoldNone }

// standsStill reports whether an optimistic PE handles no more events: what is not before GVT has to be undone.
func (pe *PE) standsStill() bool { return pe.state == ending || pe.pauses() }
