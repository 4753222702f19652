// This file owns the part: its options, and what it does with them, from the command line to the exit status.

package study

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/program/parts/experiment"
)

// Of returns the part of a program that makes studies. model makes the program anew for each run, with variables of its
// own, as runs of a study may go on at the same time; it is usually the function that calls Of. Tables are written as
// CSV, and in the formats, such as that of package program/parts/parquet.
func Of(model func() program.Program, formats ...Format) program.Part {
	return &study{model: model, formats: append([]Format{{".csv", (*experiment.Table).WriteCSV}}, formats...),
		signals: ross.WithSignals}
}

// Format is a format of tables of results.
type Format struct {
	Suffix string                                       // of the names of its files, such as ".csv"
	Write  func(t *experiment.Table, w io.Writer) error // writes a table, or as much as w takes
}

// study is the part with the values of its options.
type study struct {
	model   func() program.Program
	formats []Format
	signals func(context.Context) (_ context.Context, stop func())
	program string
	all     *ross.Options // of the program

	replications, most, workers    int
	confidence, precision          float64
	table, journal, task, journals string
	page                           string
	base, design                   string
	selecting                      selecting
	finding                        finding
	factors                        []factor
	formulas                       []formula
	repeats                        []experiment.Replication

	log   *slog.Logger // receives the notes of runs
	known known
}

// own are the names of the part's options.
var own = []string{"replications", "vary", "precision", "max-replications", "confidence", "table", "journal",
	"workers", "task", "merge", "base", "result", "design", "select", "indifference",
	"find-warm-up", "warm-up-table", ofPage, ofRepeat}

// Register implements program.Part.
func (s *study) Register(name string, o *ross.Options) {
	s.program, s.all = name, o
	g := o.LastGroup("ROSS Studies")
	s.confidence = 0.95
	g.Int(&s.replications, own[0], "number of runs of each point, with other random numbers each; 0: no study")
	g.Var(cmdline.Action(s.addFactor), own[1], "name=values",
		"run with each of these values of an option: name=1,2,5 or name=6..10 or name=0..1:0.25; may be repeated")
	g.String(&s.design, own[12], "run at the points of a CSV file: a line of names of options, and lines of values")
	g.Float64(&s.precision, own[2],
		"go on until the half width of each interval is below this part of the mean; 0: --replications are enough")
	g.String(&s.selecting.best, own[13], "go on until the point with the best mean of a result is found: min:name or max:name")
	g.Float64(&s.selecting.indifference, own[14], "smallest difference of means that matters to --select")
	g.String(&s.finding.of, own[15], "print the course of a result over the time, and how long its warm-up is: name")
	g.File(&s.finding.table, own[16], "write the course to a file: "+s.kinds("name", " or "))
	g.Int(&s.most, own[3], "most runs of a point with --precision or --select; 0: 1000")
	g.Float64(&s.confidence, own[4], "confidence of the intervals")
	g.File(&s.table, own[5], "write the table to a file: "+s.kinds("name", " or "))
	g.String(&s.journal, own[6], "file that keeps what is done, so that the same command goes on from there")
	g.Int(&s.workers, own[7], "runs at a time; 0: as many as processors if each is sequential, otherwise 1")
	g.String(&s.task, own[8],
		"make only the part i/n of the runs, or that of a task of a Slurm array: slurm; --journal keeps it")
	g.String(&s.journals, own[9],
		"print the table from the journals of tasks: a folder, or names with commas between them")
	g.Var(cmdline.Action(s.addFormula), own[11], "name=formula",
		"a result that is computed from others: cost=3*busy+\"waiting time\"; may be repeated")
	g.String(&s.base, own[10], "print the differences from the point with these values of --vary: name=value,name=value")
	s.registerPage(g)
	g.Var(cmdline.Action(s.addRepeat), ofRepeat, "n point",
		"make only this run again, of a replication and a point as the journal has it, for rossreader verify; may be repeated")
}

// Drive implements program.Driver.
func (s *study) Drive(args []string, stdout, stderr io.Writer) (status int, driven bool) {
	if s.replications == 0 && s.precision == 0 && s.selecting.best == "" {
		err := s.unasked()
		return s.end(err, stderr, true), err != nil
	}
	plan, err := s.plan(args)
	if err != nil {
		return s.end(err, stderr, true), true
	}
	if len(s.repeats) > 0 {
		return s.end(s.repeat(plan, stdout, stderr), stderr, false), true
	}
	results, err := s.do(plan, stderr)
	if err != nil {
		return s.end(err, stderr, s.journals != ""), true
	}
	if !ranks.First() { // the first rank writes for all
		return 0, true
	}
	if plan.experiment.Tasks > 0 {
		_, err = fmt.Fprintf(stdout,
			"task %d/%d is done; %s has its runs: --merge=%s prints the table when all tasks are done\n",
			plan.experiment.Task, plan.experiment.Tasks, plan.experiment.Journal, filepath.Dir(plan.experiment.Journal))
	} else if err = s.checkResults(plan, results); err == nil {
		if err = s.show(plan, results, stdout); err == nil {
			s.noteWarmUps(plan, results, stderr)
		}
	}
	return s.end(err, stderr, false), true
}

// unasked returns an error if options of a study are given without the study.
func (s *study) unasked() error {
	for _, given := range []struct {
		name, text string
		is         bool
	}{
		{"vary", "", len(s.factors) > 0}, {"result", "", len(s.formulas) > 0}, {ofRepeat, "", len(s.repeats) > 0},
		{"max-replications", fmt.Sprint(s.most), s.most != 0},
		{"table", s.table, s.table != ""}, {"journal", s.journal, s.journal != ""},
		{"workers", fmt.Sprint(s.workers), s.workers != 0},
		{"task", s.task, s.task != ""}, {"merge", s.journals, s.journals != ""}, {"base", s.base, s.base != ""},
		{"design", cmdline.Quote(s.design), s.design != ""},
		{"find-warm-up", cmdline.Quote(s.finding.of), s.finding.of != ""}, {ofPage, cmdline.Quote(s.page), s.page != ""},
		{"warm-up-table", cmdline.Quote(s.finding.table), s.finding.table != ""},
		{"indifference", fmt.Sprint(s.selecting.indifference), s.selecting.indifference != 0},
	} {
		if !given.is {
			continue
		}
		switch given.name {
		case "vary":
			given.text = s.factors[0].text
		case ofRepeat:
			given.text = cmdline.Quote(fmt.Sprint(s.repeats[0].Number, " ", s.repeats[0].Point))
		case "result":
			given.text = cmdline.Quote(s.formulas[0].text)
		}
		return usage.Errorf("option --%s=%s: is for a study; give --replications=20 with it, or leave it out",
			given.name, given.text)
	}
	return nil
}

// end reports an error, and returns the exit status. An error before the ranks are connected is early.
func (s *study) end(err error, stderr io.Writer, early bool) int {
	status := ross.ExitCode(err)
	if err == nil {
		return status
	}
	if early {
		err = ranks.AgreeOnUsage(err, status)
		defer ranks.YieldToReporter(err)
	}
	if ross.ShouldPrint(err) {
		fmt.Fprintf(stderr, "%s: %s\n", s.program, strings.TrimPrefix(err.Error(), "ross: "))
	}
	return ross.ExitCode(err)
}

// do makes the runs that are missing, or reads them all with --merge.
func (s *study) do(p *plan, stderr io.Writer) (*experiment.Results, error) {
	if s.journals != "" {
		paths, err := journalsIn(s.journals)
		if err != nil {
			return nil, err
		}
		return p.experiment.Merge(paths...)
	}
	p.experiment.Progress = s.progress(stderr)
	if ranks.First() {
		s.log = cmdline.Warnings(s.program, &notes{out: stderr, line: p.experiment.Progress != nil})
	}
	ctx, stop := s.signals(context.Background())
	defer stop()
	results, err := p.experiment.Do(ctx)
	var wrong resultError
	if ross.ShouldPrint(err) && errors.As(err, &wrong) { // otherwise another rank reports it
		err = wrong
	}
	var interrupt *ross.Interrupt
	if errors.As(err, &interrupt) && s.journal == "" {
		err = fmt.Errorf("%w; nothing is kept: give --journal=file, and the same command goes on from there", err)
	}
	return results, err
}

// notes writes each of the notes of runs once: many runs have the same.
type notes struct {
	out  io.Writer
	line bool // a bar is on the line
	seen []string
}

// mostNotes is how many notes are written.
const mostNotes = 20

// Write takes a note, a line.
func (n *notes) Write(note []byte) (int, error) {
	if len(n.seen) > mostNotes || slices.Contains(n.seen, string(note)) {
		return len(note), nil
	}
	if n.seen = append(n.seen, string(note)); len(n.seen) > mostNotes {
		program, _, _ := strings.Cut(string(note), ": ")
		note = []byte(program + ": runs have more notes, which are not shown; a single run (--replication) shows its own\n")
	}
	if n.line {
		note = append([]byte{'\n'}, note...)
	}
	_, err := n.out.Write(note)
	return len(note), err
}

// progress returns where a bar is drawn, as --progress of the live view says, if the program has it; nil for none.
func (s *study) progress(stderr io.Writer) io.Writer {
	when, _ := s.all.Value("progress")
	if when == "off" || !ranks.First() {
		return nil
	}
	f, is := stderr.(*os.File)
	if when == "on" || is && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		return stderr
	}
	return nil
}

// processors is how many runs go on at a time if each is sequential.
func processors() int {
	if ranks.Processes() > 1 {
		return 1 // each rank has a processor
	}
	return runtime.GOMAXPROCS(0)
}
