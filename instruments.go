// This file owns the files of the instrumentation: which there are, how they are
// opened, flushed, and closed, and what happens when writing fails.

package ross

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"sync"
	"time"

	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/report"
)

// What --engine-stats and --model-stats ask for.
const (
	sampleByGVT  = 1
	sampleByReal = 2
	sampleByVT   = 3
	sampleAll    = 4
)

// The files of the instrumentation.
const (
	gvtFile = iota
	realFile
	vtFile
	modelFile
	traceFile
	numFiles
)

var fileSuffixes = [numFiles]string{instr.GVTSuffix, instr.RTSuffix, instr.VTSuffix, instr.ModelSuffix, instr.TraceSuffix}

// instruments is what a simulation collects.
type instruments struct {
	files  [numFiles]*instr.File // nil where nothing is asked for
	limit  *instr.Limit          // of what they take together, on this rank; nil: none
	begin  time.Time             // of the run: real times count from it
	once   sync.Once             // it is set
	failed sync.Once
	broken bool // a file could not be written to the end
	// What several ranks agree on: where their next flush begins, and where those that this
	// rank had a part in did, with the bytes of that.
	ends    [numFiles]int64
	flushes [numFiles][]flushPart
}

type flushPart struct{ begin, own int64 }

// begins returns the begin of the run, which is that of the PE that asks first.
func (in *instruments) begins(now time.Time) time.Time {
	in.once.Do(func() { in.begin = now })
	return in.begin
}

func asks(option, mode int) bool { return option == mode || option == sampleAll }

// samples reports whether the engine is sampled by a mode.
func (c *Config) samples(mode int) bool {
	return asks(c.EngineStats, mode) && (c.EngineStats == mode || c.withoutMode != mode)
}

// wants reports which files there are to be.
func (c *Config) wants(file int) bool {
	switch file {
	case gvtFile:
		return c.samples(sampleByGVT)
	case realFile:
		return c.samples(sampleByReal)
	case vtFile:
		return c.samplesVT()
	case modelFile:
		return c.ModelStats != 0
	}
	return c.EventTrace != 0
}

// samplesVT reports whether there are samples at virtual times.
func (c *Config) samplesVT() bool {
	return c.samples(sampleByVT) || asks(c.ModelStats, sampleByVT)
}

// collects reports whether anything is collected.
func (c *Config) collects() bool { return c.EngineStats != 0 || c.ModelStats != 0 || c.EventTrace != 0 }

// openInstruments makes the folder and the files: rank 0 first, then the others open
// them. All ranks call it.
func (s *Simulation) openInstruments() error {
	if !s.cfg.collects() {
		return nil
	}
	dir, err := "", error(nil)
	if s.rank == 0 {
		if dir, err = s.makeStatsDir(); err == nil {
			err = s.createFiles(dir)
		}
	}
	if err = s.agree(err); err != nil || s.ranks == 1 {
		return err
	}
	name, err := s.world.Bcast([]byte(dir), 0)
	if err == nil && s.rank != 0 {
		err = s.createFiles(string(name))
	}
	return s.agree(err)
}

func (s *Simulation) makeStatsDir() (string, error) {
	asked := s.cfg.StatsPath
	dir, err := instr.MakeDir(asked)
	if err == nil && dir != filepath.Clean(cmp.Or(asked, instr.DefaultDir)) {
		s.printf("Instrumentation output: %s\n", dir) // the folder asked for existed
	}
	if err != nil || s.ranks == 1 {
		return dir, err
	}
	return filepath.Abs(dir) // ranks may have started in different folders
}

func (s *Simulation) createFiles(dir string) error {
	c := &s.cfg
	s.inst = &instruments{limit: s.statsLimit()}
	for i, suffix := range fileSuffixes {
		if !c.wants(i) {
			continue
		}
		f, err := instr.Create(instr.FileName(dir, c.StatsPrefix, suffix), instr.FileOptions{
			Buffers: len(s.pes), Size: int(min(c.BufferSize, instr.MaxBuffer)), Unit: s.recordSize(i), Discard: c.DisableOutput != 0, Limit: s.inst.limit,
			Join: s.rank != 0, Shared: s.ranks > 1, Failed: s.collectionFailed,
		})
		if err != nil {
			return err
		}
		s.inst.files[i] = f
	}
	for i, pe := range s.pes {
		pe.makeProbe(i)
	}
	return nil
}

// statsLimit returns the limit of what this rank's PEs collect: an equal part for each rank.
func (s *Simulation) statsLimit() *instr.Limit {
	c := &s.cfg
	if c.StatsLimit == 0 || c.DisableOutput != 0 {
		return nil
	}
	return instr.NewLimit(int64(min(c.StatsLimit/uint64(s.ranks), math.MaxInt64)), numFiles*len(s.pes), func() {
		if s.ranks == 1 {
			s.tellLimit()
		}
	})
}

// tellLimit tells that the collection has come to its limit.
func (s *Simulation) tellLimit() {
	err := fmt.Errorf("ross: option --stats-limit=%s: reached", cmdline.FormatBytes(s.cfg.StatsLimit))
	s.incomplete.CompareAndSwap(nil, &err)
	if s.rank == 0 {
		fmt.Fprintf(s.out, "%v: the collection ends here with whole files, the simulation goes on; raise it, or collect less\n", err)
	}
}

// agreeOnLimit has all ranks know that one of them has come to the limit.
func (s *Simulation) agreeOnLimit() error {
	if s.inst.limit == nil {
		return nil
	}
	reached := [1]int64{}
	if s.inst.limit.Reached() {
		reached[0] = 1
	}
	err := s.world.AllReduceInt64(mpi.Max, reached[:])
	if err == nil && reached[0] != 0 {
		s.tellLimit()
	}
	return err
}

// CollectionError returns why the files of the instrumentation are incomplete: a disk that
// is full, say, --stats-limit, or buffers that had no room, of this rank's PEs. It is nil if they are not, and no error of Run. It may be called at any
// time.
func (s *Simulation) CollectionError() error {
	if err := s.incomplete.Load(); err != nil {
		return *err
	}
	return nil
}

// recordSize returns the bytes of each record of a file, 0 if they are of several sizes.
func (s *Simulation) recordSize(file int) int {
	if file != traceFile || s.cfg.samplesVT() {
		return 0
	}
	size := 0
	for _, t := range s.types {
		n := instr.EventSize + t.traceSize
		switch {
		case t.untraced:
		case size == 0:
			size = n
		case size != n:
			return 0
		}
	}
	return size
}

// collectionFailed tells of the first failure, those of several ranks when the run is
// over. The simulation goes on: what it computes does not depend on the instrumentation.
func (s *Simulation) collectionFailed(err error) {
	if s.ranks == 1 {
		s.inst.failed.Do(func() {
			s.incomplete.Store(&err)
			fmt.Fprintf(s.out, "%v: the collection ends here, the simulation goes on\n", err)
		})
	}
}

// placeFlushes agrees with the other ranks on where each complete flush goes. All ranks call
// it, and all have the same number of them.
func (s *Simulation) placeFlushes() error {
	in := s.inst
	for {
		var own [numFiles]int64
		more := int64(0)
		for i, f := range in.files {
			if f != nil {
				size, ok := f.FlushSize()
				if own[i] = size; ok {
					more = 1
				}
			}
		}
		if more == 0 {
			return nil
		}
		if err := s.placeFlush(&own); err != nil {
			return err
		}
	}
}

// placeFlush places one flush of each file: after what is there, those of the ranks one
// after the other.
func (s *Simulation) placeFlush(own *[numFiles]int64) error {
	in := s.inst
	sizes := make([]int64, numFiles*s.ranks)
	copy(sizes[numFiles*s.rank:], own[:])
	if err := s.world.AllReduceInt64(mpi.Sum, sizes); err != nil {
		return err
	}
	for i, f := range in.files {
		if f == nil {
			continue
		}
		in.flushes[i] = append(in.flushes[i], flushPart{in.ends[i], own[i]})
		for rank := range s.ranks {
			if rank == s.rank {
				f.Place(in.ends[i])
			}
			in.ends[i] += sizes[numFiles*rank+i]
		}
	}
	return nil
}

// closeInstruments takes the last samples and completes the files. What was collected
// before an error is kept: it may tell why.
func (s *Simulation) closeInstruments() error {
	in := s.inst
	if in == nil {
		return nil
	}
	end, err := s.endOfSampling()
	if err != nil {
		return err
	}
	most := 0
	var errs []error
	for _, pe := range s.pes {
		pe.handOver() // so that there is room
		if pe.err == nil {
			errs = append(errs, pe.guard(func() { pe.lastSamples(end) }))
		} else { // which is told already
			pe.lastSamples(end)
		}
		most = max(most, pe.probe.handed)
	}
	for _, pe := range s.pes {
		for pe.probe.handed < most { // after an error one of them may have stopped earlier
			pe.handOver()
		}
		for _, b := range pe.probe.buffers {
			if b != nil {
				b.HandOverAll()
			}
		}
	}
	if s.ranks > 1 {
		if err := s.placeFlushes(); err != nil {
			return errors.Join(append(errs, err)...)
		}
	}
	var over sync.WaitGroup
	for _, f := range in.files {
		if f != nil {
			over.Go(func() { _ = f.Close() }) // all at once: each waits for the disk
		}
	}
	over.Wait()
	for _, f := range in.files {
		if f != nil && f.Err() != nil { // it has been told
			in.broken = true
		}
	}
	if s.ranks > 1 {
		if err := errors.Join(s.agreeOnFiles(), s.agreeOnLimit()); err != nil {
			return errors.Join(append(errs, err)...)
		}
	}
	s.tellMissed()
	return errors.Join(append(errs, s.publish())...)
}

// agreeOnFiles finds out whether all ranks have written all. If not, rank 0 says what
// failed first, and cuts the files back to what all have written.
func (s *Simulation) agreeOnFiles() error {
	in := s.inst
	text := ""
	var whole [numFiles]int64
	for i, f := range in.files {
		if whole[i] = in.ends[i]; f == nil {
			continue
		}
		if err := f.Err(); err != nil && text == "" {
			text = err.Error()
		}
		left := f.Bytes()
		for _, part := range in.flushes[i] {
			if left -= part.own; left < 0 {
				whole[i] = part.begin
				break
			}
		}
	}
	texts, err := s.world.AllGather([]byte(text))
	if err == nil {
		err = s.world.AllReduceInt64(mpi.Min, whole[:])
	}
	if err != nil {
		return err
	}
	for rank, text := range texts {
		if len(text) > 0 {
			in.broken = true
			err := errors.New(string(text))
			s.incomplete.Store(&err)
			fmt.Fprintf(s.report, "rank %d: %s: its collection ended there, and the files are cut back to what all ranks have written\n", rank, text)
			break
		}
	}
	return s.cutFiles(whole)
}

// cutFiles ends the files after so many bytes.
func (s *Simulation) cutFiles(whole [numFiles]int64) error {
	if s.rank != 0 {
		return nil
	}
	var errs []error
	for i, f := range s.inst.files {
		if f != nil {
			errs = append(errs, f.Cut(whole[i]))
		}
	}
	return errors.Join(errs...)
}

// publish gives the files their final names, unless some rank could not write.
func (s *Simulation) publish() error {
	in := s.inst
	if in.broken || s.rank != 0 {
		return nil
	}
	var errs []error
	for _, f := range in.files {
		if f != nil {
			errs = append(errs, f.Publish())
		}
	}
	return errors.Join(errs...)
}

// tellMissed tells what found no room: ROSS's line for each PE, and what it was.
func (s *Simulation) tellMissed() {
	if s.cfg.DisableOutput != 0 {
		return // nothing was to be written
	}
	all := uint64(0)
	for _, pe := range s.pes {
		total, files := uint64(0), ""
		for i, b := range pe.probe.buffers {
			if b == nil {
				continue
			}
			if records, bytes := b.Missed(); records > 0 {
				total += bytes
				what := "records"
				if i <= realFile {
					what = "samples"
				}
				files += fmt.Sprintf(", %d %s of %s", records, what, fileSuffixes[i])
			}
		}
		if total > 0 {
			_ = report.WriteMissedBytes(s.out, uint64(pe.id), total)
			fmt.Fprintf(s.out, "PE %d: missing%s: raise --buffer-size\n", pe.id, files[1:])
		}
		all += total
	}
	if all > 0 && s.CollectionError() == nil {
		err := fmt.Errorf("ross: instrumentation: %d bytes found no room in the buffers: raise --buffer-size", all)
		s.incomplete.Store(&err)
	}
}

// dropInstruments removes the files of a simulation that was never run, and stops what
// writes them.
func (s *Simulation) dropInstruments() error {
	in := s.inst
	if in == nil {
		return nil
	}
	var errs []error
	for _, f := range in.files {
		if f == nil {
			continue
		}
		if s.stage == stageRun || in.broken {
			_ = f.Close()
		} else {
			errs = append(errs, f.Abort())
		}
	}
	s.inst = nil
	return errors.Join(errs...)
}
