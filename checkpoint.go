// This file owns checkpoints as models see them: what a run loads before it starts and stores
// after it (RIO in ROSS).

package ross

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/ross-go/ross/internal/checkpoint"
	"github.com/ross-go/ross/internal/usage"
)

// LoadMode says how Init and a checkpoint are combined when a run starts from one.
type LoadMode int

// The modes of Simulation.LoadCheckpoint.
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

// ByFormula as the data file of StoreCheckpoint distributes the PEs over the data files by
// ROSS's formula: file = PE / (PEs / Config.Checkpoints.Files).
const ByFormula = -1

// maxModelVersion is the maximum length of a model's version in bytes, as in ROSS.
const maxModelVersion = 40

// InitIO makes the run keep the events that are sent beyond its end, so that StoreCheckpoint
// can store them (io_init). They take as much memory as events before the end. Call it before
// Run; all ranks call it. LoadCheckpoint, Config.Checkpoints.Restart and the options that store checkpoints during a run
// imply it.
//
// After Define the error may be an ErrModel that names a type whose states cannot be stored.
// If InitIO was called before Define, Run returns that error. With --synch=4 the error is an
// ErrUsage.
func (s *Simulation) InitIO() (err error) {
	kept := s.r.Keeps
	switch s.stage {
	case stageRun:
		err = errors.New("ross: InitIO: the simulation has run, or is running: call it before Run")
	case stageClosed:
		err = errors.New("ross: InitIO: the simulation is closed: call it before Run")
	default:
		err = s.r.Checkpoints.KeepEvents()
	}
	if err = s.collective("InitIO", err); err != nil {
		s.r.Keeps = kept
	}
	return err
}

// RegisterModelVersion sets the version of the model that checkpoints contain
// (io_register_model_version), for example the commit of its source. It is one line of at most
// 40 bytes.
func (s *Simulation) RegisterModelVersion(version string) error {
	if len(version) > maxModelVersion || strings.ContainsAny(version, "\n\x00") {
		return fmt.Errorf("ross: RegisterModelVersion: %q: give one line of at most %d bytes", version, maxModelVersion)
	}
	s.r.Checkpoints.Model = version
	return nil
}

// AppendingJob makes StoreCheckpoint add to the checkpoint of the given name if it exists
// (io_appending_job), so that several simulations form one checkpoint. The LPs of this
// simulation follow those in the checkpoint, whose number is added to their ids. Either all ranks call it, or none.
func (s *Simulation) AppendingJob() { s.r.Checkpoints.Appends = true }

// LoadCheckpoint makes Run start from the named checkpoint (io_load_checkpoint), which may
// come from StoreCheckpoint, from a running simulation or from ROSS. The numbers of PEs, ranks
// and KPs and the mapping may differ from those of the run that stored it. Call LoadCheckpoint
// after Define; all ranks call it.
//
// Only the manifest is read. LoadCheckpoint returns an error if there is no such checkpoint,
// if its manifest is damaged, or if it belongs to another model: other types, messages,
// numbers of LPs or streams, or other values of the model's options (Config.Checkpoints.OtherOptions).
// Run reports other damage before its first event, and statistics that would begin before the
// checkpoint and at another time than those in it (Config.WarmUp).
func (s *Simulation) LoadCheckpoint(name string, mode LoadMode) error {
	var err error
	switch {
	case s.stage != stageDefined:
		err = errors.New("ross: LoadCheckpoint: call it between Define and Run")
	case mode < LoadPreInit || mode > LoadPostInit:
		err = fmt.Errorf("ross: LoadCheckpoint: mode %d: give LoadPreInit, LoadInit or LoadPostInit", mode)
	case s.cfg.Checkpoints.Restart != "":
		err = usage.Errorf("option --io-restart=%s: the model loads a checkpoint of its own; leave the option out", s.cfg.Checkpoints.Restart)
	}
	if err = s.collective(fmt.Sprintf("LoadCheckpoint of %s in mode %d", baseOf(name), mode), err); err != nil {
		return err
	}
	return s.r.Checkpoints.LoadNamed(name, checkpoint.LoadMode(mode))
}

// baseOf returns the part of a name of a checkpoint that is the same on all ranks, even if they were started in
// different folders.
func baseOf(name string) string { return filepath.Base(name) }

// Clock returns the virtual time at which the run starts: that of the checkpoint it was loaded
// from, and 0 without a checkpoint.
func (s *Simulation) Clock() float64 { return s.r.StartTime }

// StoreCheckpoint stores a checkpoint after Run (io_store_checkpoint): the LPs, and all events
// at and after the end of the run. InitIO must have been called before Run. The name is a
// path; the files are name.rio-md, name.rio-lp, name.rio-data-0 and so on, and name.txt. All
// ranks call StoreCheckpoint.
//
// dataFile is the data file that this process writes to, 0 to Config.Checkpoints.Files - 1, or
// ByFormula. An existing checkpoint of the same name is replaced in one step, and only when
// the new one is on the disk.
func (s *Simulation) StoreCheckpoint(name string, dataFile int) error {
	var err error
	switch {
	case s.stage != stageRun || !s.ran:
		err = errors.New("ross: StoreCheckpoint: call it after Run, which must not have failed")
	case !s.r.Keeps:
		err = errors.New("ross: StoreCheckpoint: the events beyond the end are gone: call InitIO before Run")
	case dataFile != ByFormula && (dataFile < 0 || dataFile >= s.cfg.Checkpoints.Files):
		err = usage.Errorf("StoreCheckpoint: data file %d: give 0 to %d (--io-files=%d), or ByFormula", dataFile, s.cfg.Checkpoints.Files-1, s.cfg.Checkpoints.Files)
	}
	if err = s.collective(s.callOfStore(name), err); err != nil {
		return err
	}
	return s.r.Checkpoints.Store(name, dataFile)
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
