// This file owns what a test sees: Model, Run, Check and Report.

package modeltest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/program"
)

// T is what Run needs of a *testing.T or *testing.B.
type T interface {
	Helper()
	Logf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Model says what is tested: either Types, with Config, or a Program, with Args.
type Model struct {
	// Config is the configuration of the model. It needs an End, or a model that ends by itself, and a number of
	// LPs. Scheduler, PEs, KPs, GVT, files and instrumentation are those of each run. MaxMemory is 256 MiB if it is
	// 0.
	Config ross.Config
	// Types returns the types of the LPs, as Define gets them. It is called for each run, so that what a run
	// changes outside of the states, such as variables of Commit, can be new for each.
	Types func() []ross.LPType

	// Program returns the program of the model, with parameters of its own; it is called for each run. Prepare,
	// Build, Results and Finish are called as Program.Main does, and what Finish prints is compared.
	Program func() program.Program
	// Args has the words of the program's command line, with spaces between them.
	Args string

	// Results returns what must be equal after each run, besides events, states and statistics: a value that fmt
	// prints, such as a struct or a map of numbers. It is called after Run. Default: nil, nothing.
	Results func(sim *ross.Simulation) (any, error)
	// NoRestart says why the model does not go on from checkpoints, for example because its results are in Go
	// variables. Default: "", it does, unless a type's states cannot be stored.
	NoRestart string
	// MaxEvents is the largest number of events of a sequential run. A run with more is an error. Default: 200,000,
	// which takes some seconds.
	MaxEvents uint64
	// Short leaves out most of the runs, those that rarely find what others do not. testing.Short() is a good
	// value.
	Short bool
	// Ranks is a number of ranks that goroutines of this process play, 0 or 1 for none: all runs that may have several
	// PEs are made on them as well. It is not for models with Go variables that a run changes. Under mpirun, which has
	// started the ranks, it is ignored.
	Ranks int
}

// Report says what Check has done.
type Report struct {
	Events     uint64   // of the sequential run
	RolledBack uint64   // events that were rolled back in optimistic runs, without those of --synch=4 and 6
	Runs       []string // the runs, as on a command line
	LeftOut    []string // what was left out, and why
	Notes      []string // why the test may prove less than it seems to
}

// String returns the report as text of several lines.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d runs of %d events, %d events rolled back\n", len(r.Runs), r.Events, r.RolledBack)
	for _, l := range r.LeftOut {
		fmt.Fprintf(&b, "left out: %s\n", l)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	return b.String()
}

// Run fails the test if the model is wrong in one of the schedulers. Otherwise it logs the Report of Check. Under
// mpirun all ranks call it.
func Run(t T, m Model) {
	t.Helper()
	report, err := Check(m)
	if err != nil {
		t.Fatalf("%v", err)
		return
	}
	t.Logf("%s", strings.TrimSuffix(report.String(), "\n"))
}

// ErrModel is wrapped by the errors of Check about what the model does, and not by those about the Model that it
// got and about files.
var ErrModel = errors.New("wrong model")

// Check runs the model with each scheduler and returns what it has done, and the first mistake of the model: an
// error of one line, or of several after a panic, that names the run, and the LP, the event and the handler if it
// can; on ranks also the model and the rank, and it has the same text on all of them. It wraps ErrModel and, if there
// is one, the error of the run. Check is Run for what is no test of package testing.
func Check(m Model) (*Report, error) {
	if (m.Types == nil) == (m.Program == nil) {
		return nil, errors.New("modeltest: Model: it has both Types and Program, or neither: give one of them")
	}
	c := &checker{model: m, report: new(Report)}
	if c.model.Ranks < 0 || c.model.Ranks > mostRanks {
		return nil, fmt.Errorf("modeltest: Model.Ranks=%d: it must be 0 to %d, where 0 is for no ranks", c.model.Ranks,
			mostRanks)
	}
	if c.model.MaxEvents == 0 {
		c.model.MaxEvents = defaultEvents
	}
	run := c.all
	if mpi.Enabled && ranks.Launcher() != "" {
		run = c.underMPI
	}
	err := c.inFolder(run)
	return c.report, err
}

const (
	defaultEvents = 200_000
	fewEvents     = 100 // fewer are noted
	mostRanks     = 16
)
