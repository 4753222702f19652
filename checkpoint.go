// This file owns checkpoints as models see them: what is loaded before a run, and
// stored after it (RIO in ROSS).

package ross

import (
	"errors"
	"fmt"
	"github.com/ross-go/ross/cmdline"
	"path/filepath"
	"strings"
)

// LoadMode says what becomes of Init when a run starts from a checkpoint.
type LoadMode int

const (
	// LoadPreInit loads state and random streams of an LP, then calls Init, and PreRun
	// (PRE_INIT). They can send, from the time of the checkpoint on.
	LoadPreInit LoadMode = iota
	// LoadInit loads state and random streams instead of Init (INIT). PreRun is not
	// called either, unless Config.IOAsROSS asks for what ROSS does.
	LoadInit
	// LoadPostInit calls Init, then loads state and random streams over what it made, then
	// calls PreRun (POST_INIT). What Init has sent stays sent.
	LoadPostInit
)

// ByFormula, as the data file of StoreCheckpoint, deals the PEs out to the data files by
// ROSS's formula: file = PE / (PEs / Config.IOFiles).
const ByFormula = -1

// maxModelVersion is the longest version of a model, bytes, as in ROSS.
const maxModelVersion = 40

// checkpoints is what a simulation does with checkpoints.
type checkpoints struct {
	keeps   bool // events at and after the end are kept
	model   string
	appends bool
	load    *loading        // what the run starts from
	clock   float64         // virtual time at which it does
	running *storing        // nil if nothing is stored while the simulation runs
	stored  uint64          // how many were stored while the simulation ran
	files   bool            // it was told that there are fewer than were asked for
	refused map[string]bool // names of those that are damaged: they stay as evidence
	loading float64         // seconds that reading took
}

// storesRunning reports whether checkpoints are stored while the simulation runs.
func (c *Config) storesRunning() bool {
	return c.IOInterval > 0 || c.IOVirtualInterval > 0 || c.IOOnExit
}

// InitIO has the run keep the events that are sent beyond its end, so that
// StoreCheckpoint can store them (io_init). They take memory as those before the end do. Call it before Run. The options that store
// checkpoints of a running simulation, IORestart, and LoadCheckpoint imply it.
//
// After Define the error may be an ErrModel, which names a type of LP whose states cannot be stored; if InitIO
// was called before Define, Run returns that error. With --synch=4 it is an ErrUsage.
func (s *Simulation) InitIO() error {
	switch s.stage {
	case stageRun:
		return errors.New("ross: InitIO: the simulation has run, or is running: call it before Run")
	case stageClosed:
		return errors.New("ross: InitIO: the simulation is closed: call it before Run")
	}
	return s.keepEvents()
}

// keepEvents has the run keep the events that are sent beyond its end.
func (s *Simulation) keepEvents() error {
	if s.cfg.Synch == OptimisticDebug {
		return cmdline.Usagef("option --synch=4: undoes all events and has nothing to store; use another --synch")
	}
	if err := s.storable(); err != nil {
		return err
	}
	s.io.keeps = true
	return nil
}

// RegisterModelVersion sets what checkpoints say about the version of the model
// (io_register_model_version), at most 40 bytes: the commit of its source, say.
func (s *Simulation) RegisterModelVersion(version string) error {
	if len(version) > maxModelVersion || strings.ContainsAny(version, "\n\x00") {
		return fmt.Errorf("ross: RegisterModelVersion: %q: give one line of at most %d bytes", version, maxModelVersion)
	}
	s.io.model = version
	return nil
}

// AppendingJob has StoreCheckpoint add to the checkpoint of its name, if there is one
// (io_appending_job): one checkpoint can so be put together from many simulations. The
// LPs of this one follow those that are there, whose number is added to their ids.
func (s *Simulation) AppendingJob() { s.io.appends = true }

// LoadCheckpoint has Run start from the checkpoint of a name (io_load_checkpoint), which
// StoreCheckpoint, a running simulation or ROSS has stored: on any number of PEs, ranks
// and KPs, with any mapping. Call it after Define. All ranks call it.
//
// Nothing is read but the manifest. Errors tell that there is no such checkpoint, that it
// is damaged, or that it is one of another model: other types, messages, numbers
// of LPs and streams, or other values of the model's options (Config.IOOtherOptions). What else may be damaged is told
// by Run, before its first event.
func (s *Simulation) LoadCheckpoint(name string, mode LoadMode) error {
	if s.stage != stageDefined {
		return errors.New("ross: LoadCheckpoint: call it between Define and Run")
	}
	if mode < LoadPreInit || mode > LoadPostInit {
		return fmt.Errorf("ross: LoadCheckpoint: mode %d: give LoadPreInit, LoadInit or LoadPostInit", mode)
	}
	if s.cfg.IORestart != "" {
		return s.agree(cmdline.Usagef("option --io-restart=%s: the model loads a checkpoint of its own; leave the option out", s.cfg.IORestart))
	}
	return s.loadNamed(name, mode)
}

// loadNamed opens a checkpoint for Run. All ranks call it.
func (s *Simulation) loadNamed(name string, mode LoadMode) error {
	err := s.keepEvents()
	var load *loading
	if err == nil {
		name, err = s.nameForAll(name)
	}
	if err == nil {
		load, err = s.openLoading(name, mode)
	}
	if err = s.agree(err); err != nil {
		load.close()
		return err
	}
	s.io.load.close()
	s.io.load, s.io.clock = load, load.clock
	return nil
}

// Clock returns the virtual time at which the run starts: that of the checkpoint it was
// loaded from, 0 without one.
func (s *Simulation) Clock() float64 { return s.io.clock }

// StoreCheckpoint stores a checkpoint after Run (io_store_checkpoint): the LPs, and the
// events at and after the end of the run, all of them. InitIO must have been
// called before Run. name is a path; the files are name.rio-md, name.rio-lp,
// name.rio-data-0 and so on, and name.txt. All ranks call it.
//
// dataFile is the data file that this process writes to, 0 to Config.IOFiles - 1, or
// ByFormula. A checkpoint of the same name is replaced, at once and only when the new one is
// on the disk.
func (s *Simulation) StoreCheckpoint(name string, dataFile int) error {
	switch {
	case s.stage != stageRun || !s.ran:
		return s.agree(errors.New("ross: StoreCheckpoint: call it after Run, which must not have failed"))
	case !s.io.keeps:
		return s.agree(errors.New("ross: StoreCheckpoint: the events beyond the end are gone: call InitIO before Run"))
	case dataFile != ByFormula && (dataFile < 0 || uint64(dataFile) >= s.cfg.IOFiles):
		return s.agree(cmdline.Usagef("StoreCheckpoint: data file %d: give 0 to %d (--io-files=%d), or ByFormula", dataFile, s.cfg.IOFiles-1, s.cfg.IOFiles))
	}
	s.tellFiles()
	c := s.newCopied(name, dataFile, s.endClock())
	c.o.Append = s.io.appends
	s.copyAll(c)
	return c.storeNow()
}

// nameForAll returns the name of a checkpoint for all ranks, which may have been started in
// different folders: that of rank 0. All ranks call it.
func (s *Simulation) nameForAll(name string) (string, error) {
	if s.ranks == 1 {
		return name, nil
	}
	whole, err := filepath.Abs(name)
	if err != nil {
		whole = name
	}
	text, err := s.world.Bcast([]byte(whole), 0)
	return string(text), err
}

// CheckpointError returns why the last checkpoint that was due while the simulation ran
// could not be stored, nil if it was. The simulation goes on without.
func (s *Simulation) CheckpointError() error {
	if st := s.io.running; st != nil {
		return st.lastError()
	}
	return nil
}

// storable returns an error about the first type whose states cannot be stored.
func (s *Simulation) storable() error {
	for _, t := range s.types {
		if err := t.serial.cannot; err != nil {
			return err
		}
	}
	return nil
}
