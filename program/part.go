// This file owns Part: what a program has besides its model.

package program

import (
	"context"
	"io"

	"github.com/ross-go/ross"
)

// Part is what a program can have besides its model and the engine: options of the command line, and what these ask
// for. Package parts has all that this module offers, such as the live view. A program links what its parts need,
// and nothing of other parts. A Part may also be an [Answerer], a [Viewer] or a [Driver].
type Part interface {
	// Register adds the options of the part to those of a program, after those of the engine.
	Register(program string, o *ross.Options)
}

// Answerer is a part that answers some command lines itself, before options are read.
type Answerer interface {
	Part
	// Answer returns the exit status of a program with these words; asked is false if they are not for it.
	Answer(args []string, stdout, stderr io.Writer) (status int, asked bool)
}

// Driver is a part that may do something else with a program than to run it once, such as a study of many runs.
type Driver interface {
	Part
	// Drive is called when the options have been read. It returns the exit status; driven is false if the options do not
	// ask for it, and the program then goes on.
	Drive(args []string, stdout, stderr io.Writer) (status int, driven bool)
}

// Viewer is a part that shows a run while it goes on.
type Viewer interface {
	Part
	// Start is called before the run, when the options have been read. An error ends the program.
	Start(sim *ross.Simulation, stderr io.Writer) (View, error)
}

// View is what a Viewer shows of one run.
type View interface {
	// StopBar is called when the run is over, before Program.Finish, which may print.
	StopBar()
	// Linger is called when the results have been printed, and returns when the view need not stay any longer.
	Linger(ctx context.Context)
	// Stop ends the view. It may be called more than once.
	Stop() error
}

// views are those of all parts.
type views []View

// startViews starts the views of all parts. Those that have begun are stopped if one fails.
func (p Program) startViews(sim *ross.Simulation, stderr io.Writer) (views, error) {
	var all views
	for _, part := range p.Parts {
		viewer, is := part.(Viewer)
		if !is {
			continue
		}
		v, err := viewer.Start(sim, stderr)
		if err != nil {
			all.stop()
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// stop stops all views, and returns the first error.
func (all views) stop() (first error) {
	for _, v := range all {
		if err := v.Stop(); first == nil {
			first = err
		}
	}
	return first
}
