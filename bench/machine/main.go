// This file owns the command line, and the order in which things are done.

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/ross-go/ross/bench/internal/median"
	"github.com/ross-go/ross/internal/sys/atomicfile"
	"github.com/ross-go/ross/internal/sys/buildinfo"
	"github.com/ross-go/ross/report"
)

func main() {
	if buildinfo.Asked("machine", os.Args[1:], os.Stdout) {
		return
	}
	if len(os.Args) > 1 && os.Args[1] == modelWord {
		os.Exit(runModel(os.Args[2:], os.Stdout, os.Stderr))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout); {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errStopped):
		fmt.Fprintln(os.Stderr, err)
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var (
	errStopped = errors.New("machine: stopped: what was measured until then is written")
	errFailed  = errors.New("machine: some runs failed or came to other results than the sequential run: see Failures in the table")
)

// run measures what the arguments ask for.
func run(ctx context.Context, args []string, out io.Writer) error {
	fs := flag.NewFlagSet("machine", flag.ContinueOnError)
	fs.SetOutput(out)
	m := measurement{out: out, turns: mostTurns}
	dir := fs.String("out", filepath.Join("bin", "machine"), "`folder` for the results")
	only := fs.String("only", "", "measure only these `models`, with commas in between: B, A, S, C, dragonfly")
	fs.DurationVar(&m.budget, "time", 12*time.Minute, "`time` for everything")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("machine: %s: unknown: there are only options, see -help", fs.Arg(0))
	}
	if m.budget <= 0 {
		return fmt.Errorf("machine: -time=%v: must be above 0", m.budget)
	}
	var err error
	if m.workloads, err = matching(workloads(), *only); err != nil {
		return err
	}
	if err := atomicfile.CheckFolder(*dir); err != nil { // before all the work
		return fmt.Errorf("machine: -out=%s: %w: %s", *dir, err, atomicfile.Remedy(err, "name another folder"))
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	m.programs = filepath.Dir(self)
	r, err := m.measure(ctx)
	if err != nil {
		return err
	}
	if err := r.write(*dir); err != nil {
		return fmt.Errorf("machine: %w", err)
	}
	for _, e := range r.Ends {
		if e.Scaling != "strong" || e.On != threads || e.Bound {
			continue
		}
		text := e.Text
		if v := e.Verdict; v != nil {
			text = fmt.Sprintf("ends at %s (efficiency %.2f), %s: %s", report.Count(uint64(v.PEs), "PE"), v.Efficiency, v.Reason, e.Text)
		}
		fmt.Fprintf(out, "%s, %v, %s scaling: %s\n", e.Workload, e.variant, e.Scaling, text)
	}
	fmt.Fprintf(out, "results: %s, and %s and %s next to it\n", filepath.Join(*dir, tableName), svgName, jsonName)
	switch {
	case len(r.Failures) > 0:
		return errFailed
	case r.Stopped:
		return errStopped
	}
	return nil
}

// measurement is what is measured, and how.
type measurement struct {
	out       io.Writer
	budget    time.Duration
	turns     int // the most
	workloads []workload
	programs  string // folder of programs that are not this one
	layout    func(layout) layout
	seconds   float64 // of sequential runs; 0: as many as there is time for
}

// manyOthers is the share of the processors from which on the use by others is worth a note.
const manyOthers = 0.05

// measure does everything. An error means that there are no results.
func (m *measurement) measure(ctx context.Context) (*results, error) {
	r := &results{Version: resultsVersion, Begin: time.Now(), Budget: m.budget.Seconds()}
	elapsed := func() time.Duration { return time.Since(r.Begin) }
	say := func(format string, args ...any) {
		fmt.Fprintf(m.out, "%4.0f s  %s\n", elapsed().Seconds(), fmt.Sprintf(format, args...))
	}
	r.Machine = describe()
	l, notes := r.Machine.layout()
	if m.layout != nil {
		l = m.layout(l)
	}
	r.Machine.watch(ctx)
	r.Notes = append(notes, r.Machine.measure(ctx)...)
	for _, line := range r.Machine.lines() {
		say("%s", line)
	}

	scratch, err := os.MkdirTemp("", "machine")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	run := &runner{programs: m.programs, scratch: scratch, references: map[string]*oneRun{}}
	for _, w := range m.workloads {
		if w.args != nil {
			if _, err := os.Stat(filepath.Join(m.programs, w.name)); err != nil {
				r.Notes = append(r.Notes, fmt.Sprintf("There is no program %s next to this one: it is left out. make machine builds it.",
					w.name))
				continue
			}
		}
		if w.fixed {
			r.Notes = append(r.Notes, "Networks of "+w.name+" do not grow in proportion to PEs: it has no weak scaling.")
		}
		run.workloads = append(run.workloads, w)
	}
	fail := func(what string, err error) {
		r.Failures = append(r.Failures, fmt.Sprintf("%s: %v", what, err))
		say("FAILED: %s: %v", what, err)
	}
	probed := run.probe(ctx, l.fixedSize(), func(w *workload, err error) { fail(w.name, err) })
	r.Machine.Queue = run.queue
	r.Cells = l.cells(run.workloads)
	r.series = l.seriesOf(run.workloads, r.Cells)
	seconds := m.seconds
	if seconds == 0 {
		seconds = l.seconds(m.budget-elapsed(), r.Cells)
	}
	for i := range run.workloads {
		w := &run.workloads[i]
		info := modelInfo{Name: w.name, Title: w.title, Size: l.fixedSize(), End: w.endFor(seconds, probed[w.name])}
		for _, c := range r.Cells {
			if c.Workload == w.name {
				c.End = info.End
			}
		}
		r.Workloads = append(r.Workloads, info)
	}

	turn := 0
	p := planner{now: elapsed, budget: m.budget, most: m.turns, first: time.Second,
		run: func(ctx context.Context, c *cell, first bool) error {
			err := run.run(ctx, c, first)
			switch {
			case err != nil:
			case first:
				say("%s: %.2f M events/s", c.name(), c.First.Rate)
			case len(c.Runs) > turn:
				turn = len(c.Runs)
				say("turn %d", turn)
			}
			return err
		},
		failed: func(c *cell, err error) { fail(c.name(), err) },
	}
	tasks := l.tasksOf(r.Cells)
	r.Turns = p.plan(ctx, tasks)
	for _, t := range tasks {
		if t.of.LeftOut = t.left; t.left == "" && !t.once && len(t.of.Runs) < leastTurns {
			t.of.LeftOut = fmt.Sprintf("stopped before it had %d runs", leastTurns)
		}
	}
	r.Stopped = ctx.Err() != nil
	if r.Machine.OthersDuring = othersOf(r.Cells); r.Machine.OthersDuring != nil && *r.Machine.OthersDuring > manyOthers {
		r.Notes = append(r.Notes, "Other programs used the processors, so these figures are less than what the machine can do, and "+
			"what ends scaling may be they: measure again when it is idle.")
	}
	r.conclude(l)
	r.Seconds = elapsed().Seconds()
	return r, nil
}

// othersOf returns the median of what others used during runs; nil: not known.
func othersOf(cells []*cell) *share {
	var all []float64
	for _, c := range cells {
		for i := range c.Runs {
			if o := c.Runs[i].Others; o != nil {
				all = append(all, float64(*o))
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	s := share(median.Of(all))
	return &s
}
