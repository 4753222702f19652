// This file owns checkpoints as models see them: what a run loads before it starts and stores
// after it (RIO in ROSS).

package ross

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/ross-go/ross/internal/output/checkpoint"
	"github.com/ross-go/ross/internal/sys/usage"
)

// LoadMode says how Init and a checkpoint are combined when a run starts from one.
type LoadMode int

// The modes of Simulation.Load.
const (
	// LoadPreInit loads the state and random streams of an LP, then calls Init, and later
	// PreRun (PRE_INIT). Both can send, from the time of the checkpoint on.
	LoadPreInit LoadMode = iota
	// LoadInit loads the state and random streams of an LP instead of calling Init (INIT). PreRun
	// is not called either, unless the checkpoint is loaded as ROSS does (Config.Checkpoints.AsROSS).
	LoadInit
	// LoadPostInit calls Init, then replaces the state and random streams with those of the
	// checkpoint, and later calls PreRun (POST_INIT). Events that Init sent remain.
	LoadPostInit
)

// maxModelVersion is the maximum length of a model's version in bytes, as in ROSS.
const maxModelVersion = 40

// Load makes Run start from the named checkpoint (io_load_checkpoint), which may
// come from Store, from a running simulation or from ROSS. The numbers of PEs, ranks
// and KPs and the mapping may differ from those of the run that stored it. Call Load
// after Define; all ranks call it.
//
// Only the manifest is read. Load returns an error if there is no such checkpoint,
// if its manifest is damaged, or if it belongs to another model: other types, messages,
// numbers of LPs or streams, or other values of the model's options (Config.Checkpoints.OtherOptions).
// Run reports other damage before its first event, and statistics that would begin before the
// checkpoint and at another time than those in it (Config.WarmUp).
func (s *Simulation) Load(name string, mode ...LoadMode) error {
	how := LoadInit
	if len(mode) > 0 {
		how = mode[0]
	}
	var err error
	switch {
	case s.stage != stageDefined:
		err = errors.New("ross: Load: call it between Define and Run")
	case how < LoadPreInit || how > LoadPostInit || len(mode) > 1:
		err = fmt.Errorf("ross: Load: mode %d: give one of LoadPreInit, LoadInit and LoadPostInit", how)
	case s.cfg.Checkpoints.Restart != "":
		err = usage.Errorf("option --io-restart=%s: the model loads a checkpoint of its own; leave the option out",
			s.cfg.Checkpoints.Restart)
	}
	if err = s.collective(fmt.Sprintf("Load of %s in mode %d", baseOf(name), how), err); err != nil {
		return err
	}
	return s.r.Checkpoints.LoadNamed(name, checkpoint.LoadMode(how))
}

// baseOf returns the part of a name of a checkpoint that is the same on all ranks, even if they were started in
// different folders.
func baseOf(name string) string { return filepath.Base(name) }

// Clock returns the virtual time at which the run starts: that of the checkpoint it was loaded
// from, and 0 without a checkpoint.
func (s *Simulation) Clock() float64 { return s.r.StartTime }

// StoreOption is an option of Simulation.Store: what DataFile or Appending returns.
type StoreOption func(o *storeOptions)

type storeOptions struct {
	file    int // -1: by the formula of ROSS
	appends bool
}

// DataFile chooses the data file that this process writes to, 0 to Config.Checkpoints.Files - 1. Without it the PEs are
// distributed over the data files by ROSS's formula: file = PE / (PEs / Config.Checkpoints.Files).
func DataFile(n int) StoreOption {
	return func(o *storeOptions) {
		if o.file = n; n < 0 {
			o.file = math.MinInt // not that of the formula
		}
	}
}

// Appending adds to the checkpoint of the given name if it exists (io_appending_job), so that several simulations form
// one checkpoint. The LPs of this simulation follow those in the checkpoint, whose number is added to their ids. Either
// all ranks give it, or none. Simulations stored at different virtual times can be loaded together only as ROSS does
// (Config.Checkpoints.AsROSS); Store then leaves a note.
func Appending() StoreOption { return func(o *storeOptions) { o.appends = true } }

// Store stores a checkpoint after Run (io_store_checkpoint): the LPs, and all events at and after the end of the run,
// which the run keeps if Config.Checkpoints.AfterRun is set. The name is a path; the files are name.rio-md,
// name.rio-lp, name.rio-data-0 and so on, and name.txt. An existing checkpoint of the same name is replaced in one
// step, and only when the new one is on the disk. All ranks call Store.
func (s *Simulation) Store(name string, options ...StoreOption) error {
	o := storeOptions{file: checkpoint.ByFormula}
	for _, option := range options {
		option(&o)
	}
	var err error
	switch {
	case s.stage != stageRun || !s.ran:
		err = errors.New("ross: Store: call it after Run, which must not have failed")
	case !s.r.Keeps:
		err = errors.New("ross: Store: the events beyond the end are gone: set Config.Checkpoints.AfterRun")
	case o.file != checkpoint.ByFormula && (o.file < 0 || o.file >= s.cfg.Checkpoints.Files):
		err = usage.Errorf("Store: data file %d: give 0 to %d (--io-files=%d), or leave DataFile out", o.file,
			s.cfg.Checkpoints.Files-1, s.cfg.Checkpoints.Files)
	}
	if err = s.collective(callOfStore(name, o.appends), err); err != nil {
		return err
	}
	s.r.Checkpoints.Appends = o.appends
	return s.r.Checkpoints.Store(name, o.file)
}

// CheckpointError returns the reason why the most recent checkpoint that was due during the
// run could not be stored, or nil if it was stored. The simulation goes on without that
// checkpoint.
func (s *Simulation) CheckpointError() error {
	if st := s.r.Checkpoints.Running; st != nil {
		return st.LastError()
	}
	return nil
}

// ErrCheckpoint is wrapped by errors about checkpoints that belong to another model or were
// stored with other options (errors.Is). Errors about files that are damaged or no checkpoints
// come from package rio.
var ErrCheckpoint = checkpoint.Err
