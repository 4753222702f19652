// This file owns the subcommand: its options, and the reading of each file.

// Package check finds what is wrong in instrumentation files.
package check

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/origin"
	"github.com/ross-go/ross/instr"
)

const about = `Finds errors in files, and prints for each the file, the byte at which the record begins, the
record, what is expected and what was found. The exit status is 1 if there are any. One wrong
record makes others look wrong, so of findings that follow closely on each other only the first is
printed, which is probably the cause, and the others are counted; --all prints them.

All files: readable to the last byte.
Samples of the engine: PE, KPs from 0 on, LPs, with the same times; the same KPs and LPs in each
sample of a PE; sums over LPs and KPs equal to those of the PE; no more secondary rollbacks than
rollbacks, no more aborted events than events rolled back, no more events rolled back than
processed since the start; efficiency consistent with the counters; times of the parts of the
engine finite and not negative; virtual and real time of a PE never go back.
If KPs may have moved to other PEs (--balance), as run.json or else the samples show, this
holds instead: all LPs of a KP are in the samples of the same PE, counters of PEs, KPs and LPs have
the same sums over the whole file, and the last samples have all KPs and LPs.
All samples: an LP is always on the same KP and PE, those of the mapping. With run.json: no PEs and
LPs beyond those of the run.
Samples of models: payloads of an LP always have the same size; GVT and real time never go back, of
a PE or, if KPs may have moved, of an LP; one sample of an LP at each virtual time. If run.json
says that nothing is missing: all LPs of a KP that have samples are sampled together.
Event traces: payloads of events for an LP always have the same size; an event is received no
earlier than it is sent; real time finite and not negative. With --committed also: the events of
each LP are in order of their times of receipt. In exact traces (--trace-exact) the exact times are
those of the record before they are rounded, and types of messages are those of run.json.

Samples of memory: virtual and real time of a PE never go back; the limit stays; there is a record
of the PE with the same times in the rt file next to it, and if run.json states that nothing is
missing, one for each.

Files of the original ROSS (given with --original, or recognized by records of LPs with 48 bytes or
by real times that were never set) may differ in known ways: its own sampling LPs count for PE and
KP but have no records; samples of the engine at virtual times are repeated and go back; the real
time of models' samples at virtual times is arbitrary.`

// options are the command line.
type options struct {
	original  bool
	committed bool
	all       bool
	max       int
}

// Command returns the subcommand.
func Command() *cobra.Command {
	f := cli.NewFlags("check", "FILE...|FOLDER|-", "find what is wrong in files", about)
	var o options
	f.BoolVar(&o.original, "original", false, "the files are the original's")
	f.BoolVar(&o.committed, "committed", false, "event traces are of committed events (--event-trace=3)")
	f.BoolVar(&o.all, "all", false, "print also findings that are probably consequences of earlier ones")
	f.IntVar(&o.max, "max", 20, "print at most this `NUMBER` of findings of a file; all are counted")
	return f.Command(func(names []string, stdout, stderr io.Writer) error {
		inputs, err := f.Inputs(names)
		if err == nil && o.max < 0 {
			err = cli.Usagef("--max=%d: must not be negative", o.max)
		}
		if err != nil {
			return err
		}
		out, err := cli.Create("", stdout)
		if err != nil {
			return err
		}
		good := checkRunInfo(inputs, out)
		for _, in := range inputs {
			good = o.check(in, out) && good
		}
		if err := out.Close(); err != nil {
			return err
		}
		if !good {
			return cli.ErrBad
		}
		return nil
	})
}

// checkRunInfo prints which descriptions of runs next to the files are damaged, and reports whether there are none.
func checkRunInfo(inputs []cli.Input, out io.Writer) (good bool) {
	good = true
	seen := map[string]bool{}
	for _, in := range inputs {
		dir := filepath.Dir(in.Name)
		if in.Stdin || seen[dir] {
			continue
		}
		seen[dir] = true
		if _, err := instr.ReadRunInfo(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintln(out, err)
			good = false
		}
	}
	return good
}

// check checks a file, prints its findings, and reports whether there are none.
func (o *options) check(in cli.Input, out io.Writer) bool {
	checkers := o.checkers(in)
	if r, err := in.Open(); err != nil {
		checkers[0].end(err)
	} else {
		defer r.Close()
		read(r, checkers)
	}
	c := choose(checkers)
	c.print(out)
	return c.count == 0
}

// checker is the state of the check of a file.
type checker struct {
	*options
	*list
	run      run
	moving   *moving // nil: KPs stay on their PEs
	content  instr.Content
	origin   origin.Detector
	places   places
	engine   engine
	models   models
	memories memories
	lastDue  map[uint32]float32 // time of receipt of the last event for each LP
	sizes    map[uint32]int     // of its payload
}

func (o *options) checker(in cli.Input, of run) *checker {
	c := &checker{
		options: o, list: &list{file: in.Name, max: o.max, all: o.all}, run: of,
		places: places{}, lastDue: map[uint32]float32{}, sizes: map[uint32]int{},
	}
	c.engine.pes, c.models.lps, c.models.pes = map[uint32]*peHistory{}, map[uint64]*lpModel{}, map[uint64]*peModel{}
	c.models.together.lps = map[[2]uint64][]uint64{}
	return c
}

// read has all checkers look at the records.
func read(r *cli.Reader, all []*checker) {
	for {
		record, err := r.Next()
		for _, c := range all {
			if err == nil {
				c.records++
				c.content = r.Content()
				c.take(record)
				continue
			}
			if err != io.EOF {
				c.list.end(err) // first: that the last sample lacks something is a consequence
			}
			c.endSample()
			c.endSampled()
			if err == io.EOF {
				c.endMemory()
			}
			if c.moving != nil && err == io.EOF {
				c.endOfFile()
			}
		}
		if err != nil {
			return
		}
	}
}

func (c *checker) take(r *instr.Record) {
	if r.Kind > instr.KindLP { // these are between samples of the engine, never inside one
		c.endSample()
	}
	c.origin.See(r)
	switch r.Kind {
	case instr.KindEvent:
		c.event(r)
	case instr.KindModel:
		c.model(r)
	case instr.KindVTModel:
		c.vtModel(r)
	case instr.KindMemory:
		c.memory(r)
	default:
		c.part(r)
	}
}

// originals reports whether the file may have the mistakes of the original.
func (c *checker) originals() bool { return c.original || c.origin.Sure() }
