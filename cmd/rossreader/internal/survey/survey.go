// This file reads the files of a run a first time, and finds its description and the labels of its LPs.

package survey

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/origin"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/labels"
)

// ErrSeveralRuns is wrapped by the error of [New] about files that cannot be of one run.
var ErrSeveralRuns = errors.New("is of the same kind")

// contents is the number of values of [instr.Content].
const contents = int(instr.Memory) + 1

// clockStart, in seconds, distinguishes the clocks: if the first record of a run is before
// it, the clock began with the run. The counter of a processor has passed it by the time
// the machine has started.
const clockStart = 60

// File is a file of the run.
type File struct {
	Path    string
	input   cli.Input
	Content instr.Content
	Bytes   int64
	Records uint64
}

// Source is what the files of one content hold.
type Source struct {
	Content     instr.Content
	PE, KP, LP  uint64  // samples of each kind
	Models      uint64  // samples of models
	Events      uint64  // of a trace
	Memory      uint64  // samples of memory
	PerPE       uint64  // most samples of a PE, or of its memory
	First, Last float64 // real time of the first and the last record, seconds; First > Last if there are none
	// virtual times of the first and the last event of a trace, or sample of a model; Least > Most if there are none
	Least, Most float64

	// GVTsFromStart is set if the number of GVTs in a record counts from the start of the
	// run, as the original has it.
	GVTsFromStart bool
}

// KP is a KP of a PE.
type KP struct{ PE, KP uint32 }

// Run describes the contents of a run's files.
type Run struct {
	Files   []File
	Sources [contents]Source // by content
	PEs     []uint32         // in order
	KPs     []KP             // in order
	Home    map[uint32]KP    // of each LP that a sample names

	// FromStart is set if the clock began with the run, as in files of this module.
	// Otherwise only differences of real times are meaningful.
	FromStart bool

	MinLP, MaxLP uint32 // of events; MinLP > MaxLP if there are none

	// Stretch is the stretch of virtual time, from and to, whose events are to be drawn one by one; zeros
	// leave the choice to the drawer.
	Stretch [2]float64

	Dir     string         // the folder of the files, "" if they are in several
	Info    *instr.RunInfo // what ran, nil without a description of the run
	InfoErr error          // why Info is nil; it wraps fs.ErrNotExist if the run has no such file

	pes map[uint32]bool
	kps map[KP]bool
}

// New reads the files, at most one of each content, and not standard input, which cannot be
// read twice. The error names the file that cannot be read.
func New(inputs []cli.Input) (*Run, error) {
	r := &Run{
		Home: map[uint32]KP{}, MinLP: math.MaxUint32, pes: map[uint32]bool{}, kps: map[KP]bool{},
	}
	for i := range r.Sources {
		r.Sources[i] = noSource()
	}
	for _, in := range inputs {
		if err := r.add(in); err != nil {
			return nil, err
		}
	}
	r.PEs = slices.Sorted(maps.Keys(r.pes))
	r.KPs = slices.SortedFunc(maps.Keys(r.kps), func(a, b KP) int {
		return cmp.Or(cmp.Compare(a.PE, b.PE), cmp.Compare(a.KP, b.KP))
	})
	first := math.Inf(1)
	for i := range r.Sources {
		first = min(first, r.Sources[i].First)
	}
	r.FromStart = first >= 0 && first < clockStart
	r.describe()
	return r, nil
}

// Begin returns the real time that counts as 0 in drawings of some sources, seconds.
func (r *Run) Begin(sources ...instr.Content) float64 {
	first := math.Inf(1)
	for _, c := range sources {
		first = min(first, r.Sources[c].First)
	}
	if r.FromStart || math.IsInf(first, 0) {
		return 0
	}
	return first
}

// add reads a file. If its name does not show its content, that may only be known at its
// end.
func (r *Run) add(in cli.Input) error {
	if in.Stdin {
		return cli.Usagef("standard input cannot be read twice: name files")
	}
	info, err := os.Stat(in.Name)
	if err != nil {
		return fmt.Errorf("ross: input: %w: name files that exist", err)
	}
	s, perPE, records := noSource(), map[uint32]uint64{}, uint64(0)
	var who origin.Detector
	s.Content, err = each(in, math.MaxUint64, func(rec *instr.Record) {
		records++
		r.note(&s, rec)
		who.See(rec)
		switch rec.Kind {
		case instr.KindPE:
			perPE[rec.PE.PE]++
			s.PerPE = max(s.PerPE, perPE[rec.PE.PE])
		case instr.KindMemory:
			perPE[rec.Memory.PE]++
			s.PerPE = max(s.PerPE, perPE[rec.Memory.PE])
		}
	})
	if err != nil {
		return err
	}
	s.GVTsFromStart = who.CountsGVTsFromStart()
	for _, other := range r.Files {
		if other.Content == s.Content && s.Content != instr.Unknown {
			return fmt.Errorf("ross: input: %s: %w as %s: name the files of one run", in.Name, ErrSeveralRuns, other.Path)
		}
	}
	r.Sources[s.Content] = s
	r.Files = append(r.Files, File{Path: in.Name, input: in, Content: s.Content, Bytes: info.Size(), Records: records})
	return nil
}

// each calls do with the first records of a file and returns what the file holds.
func each(file cli.Input, records uint64, do func(*instr.Record)) (c instr.Content, err error) {
	in, err := file.Open()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	for range records {
		rec, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, err
		}
		do(rec)
	}
	return in.Content(), nil
}

func noSource() Source {
	return Source{First: math.Inf(1), Last: math.Inf(-1), Least: math.Inf(1), Most: math.Inf(-1)}
}

func (r *Run) note(s *Source, rec *instr.Record) {
	switch rec.Kind {
	case instr.KindPE:
		s.PE++
		r.pes[rec.PE.PE] = true
		s.at(rec.Meta.RealTime)
	case instr.KindKP:
		s.KP++
		r.kp(rec.KP.PE, rec.KP.KP)
		s.at(rec.Meta.RealTime)
	case instr.KindLP:
		s.LP++
		r.lp(rec.LP.LP, rec.LP.PE, rec.LP.KP)
	case instr.KindModel:
		r.lp(rec.Model.LP, rec.Model.PE, rec.Model.KP)
		s.model(rec.Meta.TS)
	case instr.KindVTModel:
		r.lp(uint32(rec.VTModel.LP), uint32(rec.VTModel.PE), uint32(rec.VTModel.KP))
		s.model(rec.VTModel.TS)
	case instr.KindEvent:
		s.Events++
		e := &rec.Event
		r.MinLP, r.MaxLP = min(r.MinLP, e.Src, e.Dest), max(r.MaxLP, e.Src, e.Dest)
		s.at(float64(e.RealTS))
		s.virtual(float64(e.RecvTS))
	case instr.KindMemory:
		s.Memory++
		r.pes[rec.Memory.PE] = true
		s.at(rec.Meta.RealTime)
	}
}

func (s *Source) model(at float64) {
	s.Models++
	s.virtual(at)
}

// virtual takes a virtual time. That of a sample at the end of a run may be the greatest number.
func (s *Source) virtual(at float64) {
	if finite(at) && at < math.MaxFloat64 {
		s.Least, s.Most = min(s.Least, at), max(s.Most, at)
	}
}

func (r *Run) lp(lp, pe, kp uint32) {
	if home, ok := r.Home[lp]; !ok || home != (KP{pe, kp}) {
		r.Home[lp] = KP{pe, kp}
		r.kp(pe, kp)
	}
}

func (r *Run) kp(pe, kp uint32) {
	r.pes[pe] = true
	r.kps[KP{pe, kp}] = true
}

func (s *Source) at(real float64) {
	if finite(real) {
		s.First, s.Last = min(s.First, real), max(s.Last, real)
	}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Folder returns the run whose files are in a folder. Unlike [New] it accepts a folder that has
// nothing but the description of the run.
func Folder(f *cli.Flags, dir string) (*Run, error) {
	info, err := instr.ReadRunInfo(dir)
	inputs, inputsErr := f.Inputs([]string{dir})
	if inputsErr != nil && err != nil {
		return nil, inputsErr
	}
	run, newErr := New(inputs)
	if newErr != nil {
		return nil, newErr
	}
	run.Info, run.InfoErr, run.Dir = info, err, dir
	return run, nil
}

// describe reads the description of the run from the folder of its files. Files of several folders
// have none in common.
func (r *Run) describe() {
	dir := ""
	for i, file := range r.Files {
		own := filepath.Dir(file.Path)
		if i > 0 && own != dir {
			r.InfoErr = fmt.Errorf("the files are in several folders: %w", fs.ErrNotExist)
			return
		}
		dir = own
	}
	if dir == "" {
		r.InfoErr = fs.ErrNotExist
		return
	}
	r.Dir = dir
	r.Info, r.InfoErr = instr.ReadRunInfo(dir)
}

// Labels reads what the model calls the LPs of the trace, from the file of labels next to the files
// of the run. There are none without such a file.
func (r *Run) Labels() labels.Labels {
	return r.LabelsOf(func(id uint64) bool { return uint64(r.MinLP) <= id && id <= uint64(r.MaxLP) })
}

// ofEngine is the label of LPs that the engine has added to those of the model: they take the samples at virtual times,
// and their events are in the trace.
const ofEngine = "engine"

// LabelsOf reads what the model calls the LPs that wanted chooses. Those of the engine have a label as well.
func (r *Run) LabelsOf(wanted func(id uint64) bool) (found labels.Labels) {
	for _, file := range r.Files {
		if found = cli.LabelsOf(file.Path, wanted); len(found) > 0 {
			break
		}
	}
	if r.Info == nil || r.Info.LPs == 0 {
		return found
	}
	own := r.Info.KPs // one in each KP
	for id := r.Info.LPs; id < r.Info.LPs+own && id <= uint64(r.MaxLP); id++ {
		if wanted(id) {
			if found == nil {
				found = labels.Labels{}
			}
			found[id] = ofEngine
		}
	}
	return found
}

// Models calls do for each sample of a model in the files of one content: the LP, the virtual time of the
// sample, or GVT at it, and its payload, which is valid until do returns.
func (r *Run) Models(c instr.Content, do func(lp uint64, at float64, payload []byte)) error {
	return r.records(c, func(rec *instr.Record) {
		switch rec.Kind {
		case instr.KindModel:
			do(uint64(rec.Model.LP), rec.Meta.TS, rec.Model.Payload)
		case instr.KindVTModel:
			do(rec.VTModel.LP, rec.VTModel.TS, rec.VTModel.Payload)
		}
	})
}

// Clock returns a time of the wall clock as all pages have it.
func Clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }
