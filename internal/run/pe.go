// This file owns PE, a PE with its scheduler; and the construction and release of PEs and of the instrumentation.

package run

import (
	"time"
	"unsafe"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/output/check"
	"github.com/ross-go/ross/internal/output/checkpoint"
	"github.com/ross-go/ross/internal/output/collect"
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
	pause      meter.Phase // the current period without events; its Begin is zero if there is none
	alarm      *time.Timer // ends a nap
	ready      func() bool // hasWork, for a mailbox in which it sleeps
	napsAtOnce int         // that it begins without yielding to other ranks
	rounds     uint64      // of GVT in which the PE has published a bound
	Published  [4]uint32   // lineages of the bounds that the PE published last
	// bits of the time before which a conservative PE may have committed events
	line  uint64
	cross func(event.Key, *event.Event) bool // Cross, for serial stretches
}

// published is what the PE publishes of itself, or what the report has.
type published struct {
	account     meter.Account
	thread      thread // what the PE gets of the processors
	progress    *report.Progress
	next        float64  // time of the earliest pending event at its last report to GVT, +Inf: none
	Live        *LivePE  // published figures
	stateDigest uint64   // digest of the states of its LPs, after the run
	lpStates    []uint64 // of each of them, with Settings.DigestsOfLPs
}

// state says whether a PE goes on, and if not, why. All PEs of all ranks change it at the same GVT, but for over, which
// a failure sets. A PE may hold for a checkpoint meanwhile (checkpoint.Keeper.Hold).
type state uint8

const (
	running state = iota // it handles events
	leaving              // the PEs leave their loops as soon as nothing is under way, to go on in another way (horizon.go)
	ending               // an LP has stopped the run, which is over as soon as nothing is under way (stop.go)
	over                 // it leaves its loop at once
)

// pauses reports whether the PE comes to a place where nothing is uncommitted or under way, to go on from there: it
// is about to leave its loop, or holds for a checkpoint.
func (pe *PE) pauses() bool { return pe.state == leaving || pe.cp.Hold != checkpoint.HoldNone }

// standsStill reports whether an optimistic PE handles no more events: what is not before GVT has to be undone.
func (pe *PE) standsStill() bool { return pe.state == ending || pe.pauses() }

// newPE makes PE id, which belongs to this rank.
func (s *Engine) newPE(id uint64) (*PE, error) {
	pe := &PE{Engine: s}
	pe.Gate, pe.RedMin = pe, gvt.Max
	pe.cp = checkpoint.Keeper{PE: &pe.PE, Checkpoints: &s.Checkpoints, StoreAt: kernel.Never}
	err := pe.Open(&s.Run, id, &pe.PE)
	if err == nil {
		err = pe.MakeSaver()
	}
	if err == nil {
		pe.check, err = check.New(&pe.PE)
	}
	if err != nil {
		pe.Release()
		return nil, err
	}
	return pe, nil
}

// MakePEs makes the PEs of this rank.
func (s *Engine) MakePEs() error {
	s.PESize = uint64(unsafe.Sizeof(PE{}))
	if s.Set.SamplesVT() {
		s.Analysis = collect.AnalysisType()
		s.AddMessages(s.Analysis)
	}
	s.choosePlaces()
	for i := range uint64(s.Set.PEs) {
		pe, err := s.newPE(s.Base + i)
		if err != nil {
			return err
		}
		s.Locals = append(s.Locals, pe)
		s.PEs = append(s.PEs, pe.Kernel())
		s.Checkpoints.Keepers = append(s.Checkpoints.Keepers, &pe.cp)
	}
	s.openLive()
	for _, t := range s.Types {
		if t.Life != nil {
			if err := t.Life.Open(&s.Run); err != nil {
				return err
			}
		}
	}
	for _, pe := range s.Locals {
		pe.SetHookTrigger(s.Hooks.Trigger)
	}
	return nil
}

// startTypes tells the types of other languages that the run begins.
func (s *Engine) startTypes() error {
	for _, t := range s.Types {
		if t.Life != nil {
			if err := t.Life.Start(&s.Run); err != nil {
				return err
			}
		}
	}
	return nil
}

// endTypes tells them that it has ended.
func (s *Engine) endTypes() {
	for _, t := range s.Types {
		if t.Life != nil {
			t.Life.End(&s.Run)
		}
	}
}

// Release releases all PEs and their memory.
func (s *Engine) Release() {
	for _, t := range s.Types {
		if t.Life != nil {
			t.Life.Release(&s.Run)
		}
	}
	for _, pe := range s.Locals {
		pe.Release()
	}
	if s.Space != nil {
		s.Space.Release()
	}
	s.Budget.Detach()
	s.Locals, s.PEs, s.Checkpoints.Keepers, s.Types, s.Messages, s.Layout, s.Space = nil, nil, nil, nil, nil, nil, nil
}

// OpenInstruments prepares the collection of samples and traces. All ranks call it.
func (s *Engine) OpenInstruments() error {
	hosts := make([]collect.Host, len(s.Locals))
	for i, pe := range s.Locals {
		hosts[i] = collect.Host{PE: &pe.PE, Times: pe.Times}
	}
	in, err := collect.Open(&s.Run, s.Cluster, hosts, &s.Incomplete)
	if s.inst = in; in != nil {
		for i, p := range in.Probes {
			s.Locals[i].Probe = p
		}
	}
	return err
}

// InstrumentsDir returns the folder of what is collected, "" if nothing is.
func (s *Engine) InstrumentsDir() string { return s.inst.Dir() }

// DropInstruments ends the collection. ran says whether there was a run.
func (s *Engine) DropInstruments(ran bool) error {
	err := s.inst.Drop(ran)
	s.inst = nil
	return err
}
