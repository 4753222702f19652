// This file owns Program and its Main: from the words of the command line to the exit status.

package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks"
)

// Program is a simulation program. Name, Config and Build are necessary; the functions that are nil
// are left out. In a run over MPI all ranks call them.
type Program struct {
	// Name is the name of the program: it appears in --help and in front of errors.
	Name string
	// Config has the settings of a command line without options. Start from ross.DefaultConfig. If
	// Output is nil, the report goes to Main's stdout, and if Dir is empty, the files of the report
	// go to the current folder, unless --report-path says otherwise.
	Config ross.Config
	// Options registers the model's options. It gets the configuration of the run for options that
	// set it, such as those of ross.Config.RegisterLPs. Words of the command line after "--" are
	// o.Rest() in Prepare.
	Options func(o *ross.Options, cfg *ross.Config)
	// Prepare is called when the command line has been read. It refuses values of the model's options
	// that are of no use, with an error that wraps ross.ErrUsage and names the option, and sets what
	// follows from the others, such as Config.ConsLookahead or Config.TypeMap.
	Prepare func(cfg *ross.Config) error
	// Build calls Simulation.Define with the types of the model's LPs. It may do before and after it
	// what else belongs before a run.
	Build func(sim *ross.Simulation) error
	// Finish is called after a run that has ended without an error. It may not send events.
	Finish func(sim *ross.Simulation) error
	// Results returns numbers of a run that has ended without an error, by name, for studies of many runs (package
	// program/parts/study), in addition to the statistics of package stats. A single run does not call it.
	Results func(sim *ross.Simulation) (map[string]float64, error)
	// Parts are what the program has besides, such as parts.All(): the live view, and completion by a shell.
	Parts []Part
}

// errNoBuild is the error of a program that has no model.
var errNoBuild = errors.New("ross: Program.Build: missing: give a function that calls Simulation.Define")

// CommandLine returns the options of the program: those of the model, which set cfg or variables of the program, of the
// engine, which set cfg, and of the program's parts. The values in cfg, a copy of Config, are the defaults.
func (p Program) CommandLine(cfg *ross.Config) *ross.Options {
	o := ross.NewOptions(p.Name)
	if p.Options != nil {
		p.Options(o, cfg)
	}
	cfg.Register(o)
	for _, part := range p.Parts {
		part.Register(p.Name, o)
	}
	return o
}

// Main runs the program with the words of its command line, without the program's name, and
// returns the exit status: 0, 2 for settings that cannot be used, 128 + the number of a signal that
// stopped the run (130 for Ctrl-C), and 1 for any other error. It prints an error to stderr on one
// line that begins with the program's name.
func (p Program) Main(args []string, stdout, stderr io.Writer) (status int) {
	cfg := p.Config
	cfg.Dir = cmp.Or(cfg.Dir, ".") // before the options: --report-path= leaves the files out
	o := p.CommandLine(&cfg)
	for _, part := range p.Parts {
		if a, is := part.(Answerer); is {
			if status, asked := a.Answer(args, stdout, stderr); asked {
				return status
			}
		}
	}
	if status, ok := o.Main(args, stdout, stderr); !ok {
		return status
	}
	for _, part := range p.Parts {
		if d, is := part.(Driver); is {
			if status, driven := d.Drive(args, stdout, stderr); driven {
				return status
			}
		}
	}
	if cfg.Output == nil {
		cfg.Output = stdout
	}
	tell := func(err error) {
		if ross.ShouldPrint(err) {
			fmt.Fprintf(stderr, "%s: %v\n", p.Name, err)
		}
	}
	return ross.ExitCode(p.simulate(cfg, stderr, tell))
}

// simulate makes the simulation, runs it and closes it.
func (p Program) simulate(cfg ross.Config, stderr io.Writer, tell func(error)) error {
	sim, err := p.create(&cfg)
	if err != nil {
		tell(err)
		return err
	}
	defer sim.Close() // even if the model ends the goroutine
	if err = p.play(sim, stderr, tell); err != nil {
		return err
	}
	err = sim.Close()
	tell(err)
	return err
}

// create returns the simulation of a configuration.
func (p Program) create(cfg *ross.Config) (*ross.Simulation, error) {
	if p.Build == nil {
		return nil, errNoBuild
	}
	if p.Prepare != nil {
		if err := p.Prepare(cfg); err != nil {
			err = ranks.AgreeOnUsage(err, ross.ExitCode(err)) // ranks without an error are in New
			ranks.YieldToReporter(err)
			return nil, err
		}
	}
	return ross.New(*cfg)
}

// play builds the model, runs it and uses its results. It reports its errors itself, before Close: under
// mpirun that may end the program.
func (p Program) play(sim *ross.Simulation, stderr io.Writer, tell func(error)) error {
	if err := p.Build(sim); err != nil {
		tell(err)
		return err
	}
	ctx, stop := ross.WithSignals(context.Background())
	defer stop()
	all, err := p.startViews(sim, stderr)
	if err != nil {
		tell(err)
		return err
	}
	defer all.stop() // even if the model ends the goroutine
	err = sim.Run(ctx)
	for _, v := range all {
		v.StopBar()
	}
	if err == nil && p.Finish != nil {
		err = p.Finish(sim)
	}
	tell(err) // now: what follows may take as long as --http-linger
	for _, v := range all {
		v.Linger(ctx)
	}
	if failed := all.stop(); failed != nil {
		tell(failed)
		err = errors.Join(err, failed)
	}
	return err
}
