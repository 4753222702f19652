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
	Simulation *Run // the run that the PE belongs to
	pace       pace
	over       bool        // the PE must leave its loop
	pause      meter.Phase // the current period without events; its Begin is zero if there is none
	alarm      *time.Timer // ends a nap
	rounds     uint64      // of GVT in which the PE has published a bound
	Published  [4]uint32   // lineages of the bounds that the PE published last

	account     meter.Account
	thread      thread // what the PE gets of the processors
	progress    *report.Progress
	next        float64                            // time of the earliest pending event at its last report to GVT, +Inf: none
	Live        *LivePE                            // published figures
	stateDigest uint64                             // digest of the states of its LPs, after the run
	Probe       *collect.Probe                     // nil if nothing is collected
	check       *check.Checker                     // nil unless the scheduler checks rollback
	cp          checkpoint.Keeper                  // the PE's part in checkpoints
	ending      bool                               // an LP has stopped the run: the PE handles no more events
	leaving     bool                               // the PE leaves its loop, see closing.go; an optimistic one handles no more events
	line        uint64                             // bits of the time before which a conservative PE may have committed events
	cross       func(event.Key, *event.Event) bool // Cross, for sequential stretches of a run that chooses its scheduler

	_ [2 * kernel.Apart]byte // one is not enough: two PEs of 8 KB would be neighbours
}
