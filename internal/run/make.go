// This file owns the construction and release of PEs and of the instrumentation.

package run

import (
	"unsafe"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/check"
	"github.com/ross-go/ross/internal/checkpoint"
	"github.com/ross-go/ross/internal/collect"
	"github.com/ross-go/ross/internal/kernel"
)

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
