// This file owns Checkpoints and Keeper: the checkpoint that a run starts from, those that it stores, and
// what happens after one was stored or could not be.

package checkpoint

import (
	"errors"
	"math"
	"path/filepath"
	"slices"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/rio"
)

// LoadMode is how Init and a checkpoint are combined when a run starts from one. Its values
// are those of ross.LoadMode.
type LoadMode int

// The modes: LoadInit loads an LP instead of calling Init, and LoadPostInit loads it after Init.
const (
	loadPreInit LoadMode = iota
	LoadInit
	LoadPostInit
)

// ByFormula as a data file distributes the PEs over the data files by ROSS's formula.
const ByFormula = -1

// Checkpoints holds the checkpoint that a run starts from, and what it needs to store others.
type Checkpoints struct {
	Run          *kernel.Run
	cluster      *ranks.Cluster
	Keepers      []*Keeper               // one for each PE of this rank
	options      func() *cmdline.Options // options of the engine with their values
	modelOptions ranks.Description       // options of the model with their values
	varying      []string                // options of the model that may differ from a checkpoint's
	engine       string                  // version of the engine

	Model   string          // version of the model
	Appends bool            // Store adds to an existing checkpoint
	Load    *loading        // the checkpoint that the run starts from, or nil
	Running *Storing        // nil if the run stores no checkpoints while it goes on
	Stored  uint64          // number of checkpoints stored during the run
	files   bool            // the user knows that there are fewer files than asked for
	refused map[string]bool // names of damaged checkpoints, which stay as evidence
	scratch scratchNotes
	Loading float64 // seconds that reading took
}

// Keeper is the part of a PE in checkpoints.
type Keeper struct {
	PE          *timewarp.PE
	Checkpoints *Checkpoints
	Hold        Hold    // progress of the PE with a checkpoint
	StoreAt     uint64  // bits of the time of the next checkpoint of the virtual interval
	Waits       bool    // all that keeps the PE from being copied is that the checkpoint before is being written
	next        float64 // time of what comes after the checkpoint that a run without GVT pauses for

	LoadSeconds float64       // seconds that loading events took
	reader      *rio.Contents // of one partition
	reads       int32         // the partition of reader
	places      []lpPlace     // places of the LPs in the loaded checkpoint, by local id
}

// keeperOf returns the Keeper of a PE, or nil if the PE is in another rank.
func (s *Checkpoints) keeperOf(pe uint64) *Keeper {
	if pe-s.Run.Base >= uint64(len(s.Keepers)) {
		return nil
	}
	return s.Keepers[pe-s.Run.Base]
}

// KeepEvents makes the run keep the events that are sent beyond its end.
func (s *Checkpoints) KeepEvents() error {
	if s.Run.Set.Synch == settings.SynchDebug {
		return usage.Errorf("option --synch=4: undoes all events and has nothing to store; use another --synch")
	}
	if err := s.storable(); err != nil {
		return err
	}
	s.Run.Keeps = true
	return nil
}

// LoadNamed opens the checkpoint from which the run will start. All ranks call it.
func (s *Checkpoints) LoadNamed(name string, mode LoadMode) error {
	kept := s.Run.Keeps
	err := s.KeepEvents()
	var load *loading
	if err == nil {
		name, err = s.nameForAll(name)
	}
	if err == nil {
		load, err = s.openLoading(name, mode)
	}
	if err = s.cluster.Agree(err); err != nil {
		load.close()
		s.Run.Keeps = kept
		return err
	}
	s.Load.close()
	s.Load, s.Run.StartTime = load, load.clock
	return nil
}

// nameForAll returns the name of a checkpoint on rank 0, for all ranks: they may have been
// started in different folders. All ranks call it.
func (s *Checkpoints) nameForAll(name string) (string, error) {
	if s.cluster.Ranks == 1 {
		return name, nil
	}
	whole, err := filepath.Abs(name)
	if err != nil {
		whole = name
	}
	text, err := s.cluster.World.Bcast([]byte(whole), 0)
	return string(text), err
}

// storable returns an error about the first type whose states cannot be stored.
func (s *Checkpoints) storable() error {
	for _, t := range s.Run.Types {
		if err := t.Serial.Cannot; err != nil {
			return err
		}
	}
	return nil
}

// Err matches errors about checkpoints that belong to another model or were stored with other
// options (errors.Is). Errors about files that are damaged or no checkpoints come from package
// rio.
var Err = errors.New("not a checkpoint of this simulation")

// Prepare reads the checkpoint that the run starts from, and prepares the storing of others.
// All ranks call it.
func (s *Checkpoints) Prepare() error {
	if err := s.restart(); err != nil {
		return err
	}
	if s.Run.Set.Checkpoints.Branch && s.Load == nil {
		return usage.Errorf("option --io-branch: there is no checkpoint to go on from; give --io-restart=name too, or leave " +
			"it out")
	}
	if s.Run.Set.StoresRunning() {
		if err := s.cluster.Agree(s.KeepEvents()); err != nil {
			return err
		}
		s.remarkFiles()
	}
	if !s.Run.Keeps {
		return nil
	}
	err := s.storable() // known only now if InitIO was called before Define
	if err == nil {
		err = s.readCheckpoint()
	}
	if err = s.cluster.Agree(err); err != nil {
		return err
	}
	if err := s.cluster.Agree(s.compareObservation()); err != nil {
		return err
	}
	if s.Load != nil {
		if s.Run.Set.Checkpoints.Branch {
			s.Run.Printf("The random streams begin anew\n\n")
		}
		s.Run.Restarts = s.Load.Mode != loadPreInit
		s.Load.compareVersions(s)
	}
	if l := s.Load; l != nil && s.Run.Set.Digest && !l.AsROSS && !l.cp.Info().Digests {
		s.Run.Printf("The checkpoint was stored without --digest: the digest will be that of the events after it\n\n")
	}
	for _, pe := range s.Run.PEs {
		pe.Last = kernel.TimeBits(pe.End)
		if math.IsInf(pe.End, 1) {
			pe.Last = kernel.Never
		}
	}
	return s.cluster.Agree(s.BeginStoring())
}

// Open sets the run, the version of the engine, the options of the engine and of the model,
// and the names of options that may differ from those of a checkpoint.
func (s *Checkpoints) Open(run *kernel.Run, c *ranks.Cluster, engine string, options func() *cmdline.Options,
	model ranks.Description, varying []string) {
	s.Run, s.cluster, s.engine, s.options, s.modelOptions, s.varying = run, c, engine, options, model, varying
}

// Close closes the checkpoint that the run started from, and gives back the memory of a copy that a
// run that failed has left.
func (s *Checkpoints) Close() {
	s.Load.close()
	if r := s.Running; r != nil {
		r.work.Wait()
		for _, c := range []*Copied{r.next, r.current, r.newest} {
			if c != nil {
				c.freeRooms()
			}
		}
	}
}

// Store stores a checkpoint after the run. All ranks call it.
func (s *Checkpoints) Store(name string, dataFile int) error {
	s.remarkFiles()
	c := s.newCopied(name, dataFile, s.endClock())
	note := ""
	if c.o.Append = s.Appends; c.o.Append {
		note = c.fitThere()
	}
	s.copyAll(c)
	err := c.storeNow()
	if err == nil && note != "" {
		s.Run.Caution("%s", note)
	}
	return err
}

// The actions after a checkpoint of a running simulation has been stored or has
// failed: what is reported, and which older checkpoints are removed.

// Done records a checkpoint that was stored or failed, and removes those that are older than
// the ones to keep. Of several errors in a row only the first is reported, and only if the run
// goes on.
func (r *Storing) Done(c *Copied) {
	s := r.Checkpoints
	if s.cluster.Rank != 0 {
		return
	}
	r.lock.Lock()
	r.err = c.Err
	r.lock.Unlock()
	if c.Err == nil {
		s.Stored++
		r.failing = false
		err := r.removeOld()
		if err != nil && !r.stuck {
			s.Run.Caution(
				"checkpoint: an old one cannot be removed: %s: the simulation goes on, and there are more than --io-keep=%d",
				reason(err), s.Run.Set.Checkpoints.Keep)
		}
		r.stuck = err != nil
		return
	}
	r.Unstored++
	if !r.waits && !r.failing {
		s.Run.Caution("checkpoint: %s: the simulation goes on without this checkpoint", reason(c.Err))
	}
	r.failing = true
}

// LastError returns the error of the most recent checkpoint, or nil if it was stored.
func (r *Storing) LastError() error {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.err
}

// removeOld removes all but the newest checkpoints. Damaged ones are neither counted nor
// removed.
func (r *Storing) removeOld() error {
	s := r.Checkpoints
	numbers, err := rio.Numbers(s.Run.Set.Checkpoints.Name)
	if err != nil {
		return err
	}
	kept := uint64(0)
	for _, n := range slices.Backward(numbers) {
		name := rio.Numbered(s.Run.Set.Checkpoints.Name, n)
		if rio.Exists(name) { // otherwise a process was killed while writing it
			if !r.isWhole(n, name) {
				continue
			}
			if kept < s.Run.Set.Checkpoints.Keep {
				kept++
				continue
			}
		}
		if err := rio.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// isWhole reports whether a checkpoint is complete, and reports a damaged one to the user
// once. A checkpoint of this run is not read again; opening it is enough.
func (r *Storing) isWhole(n uint64, name string) bool {
	s := r.Checkpoints
	if s.refused[name] {
		return false
	}
	if r.whole[n] {
		return true
	}
	var err error
	if n < r.first {
		err = rio.Verify(name)
	} else if cp, errOpen := rio.Open(name); errOpen == nil {
		err = cp.Close()
	} else {
		err = errOpen
	}
	if err == nil {
		if n < r.first {
			r.whole[n] = true
		}
		return true
	}
	if s.refused == nil {
		s.refused = map[string]bool{}
	}
	s.refused[name] = true
	s.Run.Caution("checkpoint %s does not count for --io-keep=%d and is not removed: %s",
		filepath.Clean(name), s.Run.Set.Checkpoints.Keep, reason(err))
	return false
}
