// This file owns the plan of a study: its experiment, made from the command line, and everything that is checked before
// the first run.

package study

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/program/parts/experiment"
)

// plan is a study that can be made.
type plan struct {
	experiment experiment.Experiment
	args, rest []string            // words of the command line before and after "--"
	words      map[string][]string // of a point, by its text
	at         map[string]int      // the index of a point, by its text
	results    []string            // of --results; empty: all
	bases      []int               // of each point; nil without --base
	varied     []string            // the options that differ between points
	start      start               // the checkpoint from which all runs start
	asked      asked               // the names of results in the command line
}

// plan returns the plan of the study that the command line asks for.
func (s *study) plan(args []string) (*plan, error) {
	p := &plan{args: args, words: map[string][]string{}, at: map[string]int{}}
	if i := slices.Index(args, "--"); i >= 0 {
		p.args, p.rest = args[:i], args[i:]
	}
	if names, _ := s.all.Value("results"); names != "" {
		p.results = strings.Split(names, ",")
	}
	p.asked = s.asks(p.results)
	if err := s.checkNumbers(); err != nil {
		return nil, err
	}
	if err := s.checkFactors(); err != nil {
		return nil, err
	}
	if err := s.checkShown(); err != nil {
		return nil, err
	}
	d, err := s.readDesign()
	if err != nil {
		return nil, err
	}
	p.varied = d.names
	for _, f := range s.factors {
		p.varied = append(p.varied, f.name)
	}
	points, words, err := points(d, s.factors)
	if err != nil {
		return nil, err
	}
	if err := s.checkPage(len(points)); err != nil {
		return nil, err
	}
	selection, err := s.selection(len(points))
	if err != nil {
		return nil, err
	}
	if s.base != "" {
		values, err := s.baseValues()
		if err != nil {
			return nil, err
		}
		p.bases = s.bases(len(d.points), values)
	}
	sequential, processes := true, 1
	var seed uint64
	for i, point := range points {
		p.words[point.String()], p.at[point.String()] = words[i], i
		model, cfg, _, err := s.make(p, point)
		if err == nil {
			err = refused(&cfg, model.Config.Dir)
		}
		if err != nil && len(point) > 0 {
			return nil, fmt.Errorf("ross: point %s: %w", point, usage.Within(err))
		}
		if err != nil {
			return nil, err
		}
		if p.start, err = startOf(&cfg, p.start); err != nil {
			return nil, err
		}
		sequential = sequential && cfg.Synch <= ross.Sequential && cfg.Synch >= 0
		seed, processes = cfg.Seed, cfg.Ranks
	}
	p.experiment = experiment.Experiment{
		Name: s.identity(p), Points: points, Run: s.runner(p), Seed: seed, Replications: s.replications,
		MaxReplications: s.most, Select: selection, Confidence: s.confidence, Workers: s.workers, Journal: s.journal,
		Partial: true, FinishRunning: true, OverRanks: true, Ranks: processes,
	}
	if s.workers == 0 {
		if p.experiment.Workers = 1; sequential && processes <= 1 {
			p.experiment.Workers = processors()
		}
	}
	if s.precision > 0 {
		for _, name := range p.results {
			p.experiment.Until = append(p.experiment.Until, experiment.Precision{Response: name, Relative: s.precision})
		}
		if len(p.results) == 0 {
			p.experiment.Until = []experiment.Precision{{Relative: s.precision}}
		}
	}
	if err := s.divide(&p.experiment); err != nil || s.journal == "" || s.journals != "" || !ranks.First() {
		return p, err
	}
	p.experiment.Origin, err = s.origin(p)
	return p, err
}

// checkNumbers checks the values of the part's options that are numbers or names of files.
func (s *study) checkNumbers() error {
	least := 2
	open := s.precision > 0 || s.selecting.best != "" // the number of runs
	if open && s.replications == 0 {
		least = 0 // the default of package experiment
	}
	most := cmp.Or(s.most, 1<<24)
	switch {
	case s.replications < least || s.replications > 1<<24:
		return usage.Errorf("option --replications=%d: out of range; give 2 to %d", s.replications, 1<<24)
	case !(s.precision >= 0 && s.precision < 1):
		return usage.Errorf("option --precision=%g: out of range; give a part of the mean, such as 0.02", s.precision)
	case s.most != 0 && !open:
		return usage.Errorf(
			"option --max-replications=%d: without --precision or --select there are as many as --replications says; give --precision=0.02 too, or leave it out",
			s.most)
	case s.most != 0 && (s.most < max(s.replications, 3) || s.most > 1<<24):
		return usage.Errorf(
			"option --max-replications=%d: out of range; give at least as many as --replications, and 3 to %d",
			s.most, 1<<24)
	case s.replications > most:
		return usage.Errorf("option --replications=%d: more than --max-replications=%d; give fewer", s.replications, most)
	case !(s.confidence > 0 && s.confidence < 1):
		return usage.Errorf("option --confidence=%g: out of range; give a number between 0 and 1, such as 0.95",
			s.confidence)
	case s.workers < 0:
		return usage.Errorf("option --workers=%d: negative; give 1 or more, or 0 for one on each processor", s.workers)
	}
	if s.finding.table != "" && s.finding.of == "" {
		return usage.Errorf("option --warm-up-table=%s: is for --find-warm-up; give --find-warm-up=name with it, or leave it "+
			"out", cmdline.Quote(s.finding.table))
	}
	for _, file := range []struct{ option, path string }{{"table", s.table}, {"warm-up-table", s.finding.table}} {
		if file.path != "" && s.format(file.path) == nil {
			return usage.Errorf("option --%s=%s: this program writes no such table; give a name that ends with %s",
				file.option, cmdline.Quote(file.path), s.kinds("", " or "))
		}
	}
	return nil
}

// fixed are options that a study cannot vary: it sets them, or they do not change what is simulated.
var fixed = slices.Concat(own, []string{"replication", "seed", "args-file", "help", "version", "man", "completion",
	"progress", "http", "http-linger",
	"stats-path", "stats-prefix", "io-name", "ranks", "report", "report-path", "digest", "statistics", "results", "record", "rng-seed1", "rng-seed2",
	"rng-seed3", "rng-seed4",
	"core-rng-seed1", "core-rng-seed2", "core-rng-seed3", "core-rng-seed4"})

// checkFactors checks that the program has the options that are to be varied.
func (s *study) checkFactors() error {
	for _, f := range s.factors {
		if err := s.mayVary("--vary="+cmdline.Quote(f.text), f.name); err != nil {
			return err
		}
	}
	return nil
}

// mayVary checks that the program has an option that a study can vary. given is how the command line says it.
func (s *study) mayVary(given, name string) error {
	if _, known := s.all.Value(name); !known {
		return usage.Errorf("option %s: the program has no option --%s; see --help", given, name)
	}
	if slices.Contains(fixed, name) {
		return usage.Errorf("option %s: a study does not vary --%s: the random numbers are other ones in each replication, and "+
			"the same at all points; vary an option of the model", given, name)
	}
	return nil
}

// checkShown refuses options that ask for what only the report of a single run has.
func (s *study) checkShown() error {
	_, fresh, _ := s.fresh()
	for _, o := range []struct{ name, why string }{
		{"digest", "a study shows no digests of its runs"},
		{"statistics", "a study prints a table of its results, which are the statistics of all runs, and none of single runs"},
	} {
		was, _ := fresh.Value(o.name)
		if is, _ := s.all.Value(o.name); is != was && (o.name == "digest" || is == "1") { // refused has more
			return usage.Errorf("option --%s=%s: %s; leave it out here, or make a single run with it", o.name, is, o.why)
		}
	}
	return nil
}

// refused returns an error if the runs would write files, or start from one: they would overwrite one another's; or if
// they would print. dir is the folder of the report's files that the program has without options; runs of a study do
// not use it.
func refused(cfg *ross.Config, dir string) error {
	for _, o := range []struct {
		name  string
		value any
		given bool
		why   string
	}{
		{"replication", cfg.Replication, cfg.Replication != 0,
			"is that of a single run, and --replications numbers its runs from 0"},
		{"watch", cmdline.Quote(cfg.Watch), cfg.Watch != "", "prints the events of a single run"},
		{"event-trace", int(cfg.Instruments.Trace), cfg.Instruments.Trace != 0,
			"each run of a study would write the same files"},
		{"engine-stats", int(cfg.Instruments.Engine), cfg.Instruments.Engine != 0,
			"each run of a study would write the same files"},
		{"model-stats", int(cfg.Instruments.Model), cfg.Instruments.Model != 0,
			"each run of a study would write the same files"},
		{"statistics", int(cfg.Statistics), cfg.Statistics > 1, "each run of a study would write the same files"},
		{"io-interval", cfg.Checkpoints.Interval, cfg.Checkpoints.Interval != 0,
			"each run of a study would write the same files"},
		{"io-virtual-interval", cfg.Checkpoints.VirtualInterval, cfg.Checkpoints.VirtualInterval != 0,
			"each run of a study would write the same files"},
		{"io-on-exit", cfg.Checkpoints.OnExit, cfg.Checkpoints.OnExit, "each run of a study would write the same files"},
		{"record", cfg.Record, cfg.Record != ross.RecordNothing,
			"records a single run, and the journal of a study has what rossreader verify needs"},
		{"report-path", cfg.Dir, cfg.Dir != dir, "each run of a study would write the same files"},
		{"io-restart", cfg.Checkpoints.Restart, cfg.Checkpoints.Restart == "latest",
			"all runs start from one checkpoint, whichever is the newest; give its name"},
	} {
		if o.given {
			return usage.Errorf("option --%s=%v: %s; leave it out here, or make a single run with it",
				o.name, o.value, o.why)
		}
	}
	return nil
}

// make makes the program and the configuration of a point, with the model's checks.
func (s *study) make(p *plan, point experiment.Point) (program.Program, ross.Config, *ross.Options, error) {
	model, o, cfg := s.fresh()
	if _, err := o.Parse(slices.Concat(p.args, p.words[point.String()], p.rest)); err != nil {
		return model, *cfg, o, err
	}
	cfg.Results = nil // those of the table of the study, which Program.Results may have as well
	if http, _ := o.Value("http"); http != "" {
		return model, *cfg, o, usage.Errorf("option --http=%s: shows a single run; leave it out in a study", http)
	}
	if model.Build == nil {
		return model, *cfg, o, fmt.Errorf("ross: Program.Build: missing: give a function that calls Simulation.Define")
	}
	if model.Prepare != nil {
		if err := model.Prepare(cfg); err != nil {
			return model, *cfg, o, err
		}
	}
	return model, *cfg, o, nil
}

// fresh makes the program with its options.
func (s *study) fresh() (program.Program, *ross.Options, *ross.Config) {
	model := s.model()
	cfg := model.Config
	return model, model.CommandLine(&cfg), &cfg
}

// deciding are the options of the engine that decide what is simulated, and which results there are, besides the seed,
// which the journal has.
var deciding = []string{"end", "warm-up", "max-chain", "quantiles", "rng-seed1", "rng-seed2", "rng-seed3", "rng-seed4",
	"core-rng-seed1", "core-rng-seed2", "core-rng-seed3", "core-rng-seed4"}

// identity returns what the study is of: the program, and the options that decide the results where they are not the
// program's defaults. It is the name of the experiment, so a journal belongs to runs with these options.
func (s *study) identity(p *plan) string {
	_, before, _ := s.fresh()
	model, after, cfg := s.fresh()
	_, _ = after.Parse(slices.Concat(p.args, p.rest)) // the program has read them
	words := []string{s.program}
	add := func(name string) {
		was, _ := before.Value(name)
		is, _ := after.Value(name)
		if is != was && !slices.Contains(p.varied, name) {
			words = append(words, cmdline.Quote("--"+name+"="+is))
		}
	}
	for set := range after.Model() {
		if !set.Varies {
			add(strings.TrimPrefix(set.Name, "--"))
		}
	}
	for _, name := range deciding {
		add(name)
	}
	others := len(words)
	add("pes")
	if model.Prepare != nil {
		_ = model.Prepare(cfg) // it may set the number of LPs; what it refuses, the first run refuses
	}
	if cfg.LPs != 0 { // or else there are as many LPs as --nlp says on each PE
		words = words[:others]
	}
	words = append(words, p.start.words()...)
	for _, f := range s.formulas {
		words = append(words, cmdline.Quote("--result="+f.text))
	}
	for _, word := range p.rest {
		words = append(words, cmdline.Quote(word))
	}
	return strings.Join(words, " ")
}

// divide reads --task.
func (s *study) divide(e *experiment.Experiment) error {
	if s.journals != "" && s.task != "" {
		return usage.Errorf(
			"option --task=%s: given together with --merge, which prints what all tasks have done; give one of them",
			s.task)
	}
	if s.task == "" || s.journals != "" {
		return nil
	}
	if s.task == "slurm" {
		if err := ofSlurm(e); err != nil {
			return err
		}
	} else {
		first, second, cut := strings.Cut(s.task, "/")
		task, err := strconv.Atoi(first)
		tasks, fails := strconv.Atoi(second)
		if !cut || err != nil || fails != nil || task < 0 || task >= tasks {
			return usage.Errorf(
				"option --task=%s: not one of several tasks; give i/n with i from 0 to n-1, such as 3/10, or slurm",
				cmdline.Quote(s.task))
		}
		e.Task, e.Tasks = task, tasks
	}
	switch {
	case s.precision > 0:
		return usage.Errorf(
			"option --task=%s: given together with --precision, but a task does not know the runs of the others; give --replications alone",
			s.task)
	case s.journal == "":
		return usage.Errorf("option --task=%s: without --journal its runs would be lost; give --journal=file", s.task)
	case s.table != "" || s.base != "" || s.finding.table != "" || s.page != "":
		name := "--table"
		switch {
		case s.table != "":
		case s.base != "":
			name = "--base"
		case s.page != "":
			name = "--page"
		default:
			name = "--warm-up-table"
		}
		return usage.Errorf("option --task=%s: given together with %s, but a task has no table; give %s with --merge",
			s.task, name, name)
	}
	e.Journal = fmt.Sprintf("%s.%d-of-%d", s.journal, e.Task, e.Tasks)
	return nil
}

// ofSlurm reads the task from what Slurm tells the tasks of an array.
func ofSlurm(e *experiment.Experiment) error {
	var numbers [4]int
	for i, name := range []string{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN",
		"SLURM_ARRAY_TASK_STEP"} {
		text := os.Getenv(name)
		if i >= 2 && text == "" {
			text = strconv.Itoa(i - 2) // from 0, each one
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			return usage.Errorf(
				"option --task=slurm: %s is %q, so this is no task of an array; start it with sbatch --array=0-9, or give --task=3/10",
				name, text)
		}
		numbers[i] = n
	}
	id, count, least, step := numbers[0], numbers[1], numbers[2], max(numbers[3], 1)
	if e.Task, e.Tasks = (id-least)/step, count; (id-least)%step != 0 || e.Task < 0 || e.Task >= count {
		return usage.Errorf(
			"option --task=slurm: task %d of an array of %d from %d; number its tasks without gaps, such as --array=0-9, or give --task=3/10",
			id, count, least)
	}
	return nil
}
