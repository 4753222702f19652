// This file owns Experiment: what is to be run, its defaults and its checks.

package experiment

import (
	"context"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"unicode/utf8"

	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/rng"
)

// Responses are the results of one run, by name: finite numbers.
type Responses map[string]float64

// Experiment describes which runs to make, and when there are enough of them. Name and Run are mandatory.
type Experiment struct {
	// Name is the name of the experiment, for its journal and its errors.
	Name string
	// Version is the version of the model, if it has one. A journal of another version is refused. Without
	// a version, a journal is refused if the executable of the program is not the same.
	Version string
	// Points are the settings of the model's parameters. Default: one point without parameters.
	Points []Point
	// Run makes one replication at one point and returns its responses, which have the same names in
	// all runs. It usually makes a ross.Simulation with Trial.Configure, and gives ctx to its Run, so
	// that the run stops when ctx ends. Several goroutines call it at the same time, unless Workers
	// is 1.
	Run func(ctx context.Context, t *Trial) (Responses, error)
	// Seed makes the streams of all runs, see ross.Config.Seed. All points have the same streams in
	// replications of the same number, so that differences between points are not those of the random
	// numbers (common random numbers). Default 0: the streams of ROSS.
	Seed uint64

	// Replications is the number of replications of each point; with Until or Select, the least number.
	// Default 10; with Until, at least 3; with Select, at least 2.
	Replications int
	// Until lists the precisions at which a point has enough replications: all of them must be reached.
	// See "How many replications" in the documentation of the package. Default: none.
	Until []Precision
	// Select asks for the best point instead: the points get replications until one of them is proven to be the best.
	// Results.Choice has it. Default nil: each point has its own end.
	Select *Selection
	// LookAhead is the number of further replications in which the precisions must hold, because an
	// interval may be narrow by chance; beyond 100 replications it is that percentage of their
	// number (Hoad, Robinson and Davies, "Automated selection of the number of replications for a
	// discrete-event simulation", Journal of the Operational Research Society 61, 2010). Default 5;
	// -1 means none.
	LookAhead int
	// MaxReplications is the highest number of replications of a point with Until or Select. Default 1000.
	MaxReplications int
	// Confidence is the confidence of all intervals. Default 0.95.
	Confidence float64

	// Workers is the number of replications that run side by side, each of them sequentially. 1 means
	// one after the other, each with the scheduler and PEs that the model chooses. The results are the
	// same. Default 0: one on each core.
	Workers int
	// Journal is the path of a file to which the responses of each replication are appended when it
	// is finished. If the file exists, its replications are not run again: see "Going on after a crash"
	// in the documentation of the package. Default: no journal.
	Journal string
	// Origin is what the replications are made with, which the journal notes, so that others can make them again. Default
	// nil: the journal says nothing about it.
	Origin *Origin
	// Progress receives a progress bar, usually os.Stderr. Default nil: none.
	Progress io.Writer

	// Partial allows runs to leave out responses for which they have no number, such as the mean of
	// something that did not happen. The intervals of a response are then those of the runs that have it.
	// Default false: all runs have the same responses.
	Partial bool
	// FinishRunning lets replications that run when the context ends come to their end, and counts them.
	// Their own context does not end then. Default false: they are stopped, and do not count.
	FinishRunning bool
	// Task and Tasks divide the experiment among processes that know nothing of each other, such as the
	// tasks of an array of Slurm: this one runs the replications i of all points with i mod Tasks = Task, and
	// its journal can be used by this task alone. Merge computes the results. Task is 0 to Tasks-1, and the
	// number of replications has to be fixed. Default 0: the experiment is not divided.
	Task, Tasks int
	// OverRanks spreads the replications over the ranks that mpirun has started, in a program with the build
	// tag mpi. All ranks call Do with the same experiment, and get the same results; Workers may differ, and
	// count on each rank. Rank 0 alone uses the journal. Each run is one of its rank alone: give Trial.Comm to
	// the configuration, as Trial.Configure does. Without mpirun it has no effect. Default false.
	OverRanks bool
	// Ranks is the number of processes over which the replications are spread if it is more than 1, as with OverRanks,
	// but without MPI: Do in the first process starts the others, on this machine, with the same arguments
	// (ross.Config.Ranks). Each run is one of its process alone: Trial.Configure sees to it. Default 0: this process.
	Ranks int

	world connection // tests set it
	comm  *int32     // of this rank alone
}

// Precision is a width that the confidence interval of a response must reach. It is reached if Relative
// or Absolute is, and not as long as all replications have the same value: these do not show how much it varies.
type Precision struct {
	// Response is the name of the response; "" means each of them.
	Response string
	// Relative is the greatest half width, as a fraction of the mean. A mean of 0 never reaches it. Default 0: not used.
	Relative float64
	// Absolute is the greatest half width, in the unit of the response. Default 0: not used.
	Absolute float64
}

// covers reports whether the precision is about a response.
func (p Precision) covers(response string) bool { return p.Response == "" || p.Response == response }

// reached reports whether an interval is narrow enough. Equal replications do not show how much they vary.
func (p Precision) reached(i Interval) bool {
	mean := max(i.Mean, -i.Mean)
	return i.SD > 0 && (p.Relative > 0 && i.Half <= p.Relative*mean || p.Absolute > 0 && i.Half <= p.Absolute)
}

// Defaults of Experiment.
const (
	defaultReplications = 10
	leastReplications   = 3
	defaultLookAhead    = 5
	defaultMost         = 1000
	defaultConfidence   = 0.95
	mostRanks           = 1024 // as ross.Config.Ranks
)

// withDefaults returns the experiment with its defaults, or an error about the first setting that makes
// no sense.
func (e Experiment) withDefaults() (*Experiment, error) {
	setDefault := func(v *int, value int) {
		if *v == 0 {
			*v = value
		}
	}
	setDefault(&e.Replications, defaultReplications)
	setDefault(&e.LookAhead, defaultLookAhead)
	setDefault(&e.MaxReplications, max(defaultMost, e.Replications))
	setDefault(&e.Workers, runtime.GOMAXPROCS(0))
	if e.Confidence == 0 {
		e.Confidence = defaultConfidence
	}
	if len(e.Points) == 0 {
		e.Points = []Point{{}}
	}
	if len(e.Until) > 0 {
		e.Replications = max(e.Replications, leastReplications)
	} else if e.Select == nil {
		e.MaxReplications = e.Replications
	}
	e.LookAhead = max(e.LookAhead, 0)
	switch n := ranks.Processes(); {
	case e.Ranks < 0 || e.Ranks > mostRanks:
		return nil, e.errorf("Ranks is %d: give 1 to %d, or 0 for this process alone", e.Ranks, mostRanks)
	case e.Ranks > 1:
	case n > 1 && e.OverRanks && !mpi.Enabled:
		return nil, e.errorf("mpirun has started %d of this program, which was built without MPI: build it with -tags mpi", n)
	case n > 1 && !e.OverRanks && ranks.Launcher() == "":
		return nil,
			e.errorf(
				"its runs have %d processes each (ross.Config.Ranks, --ranks), and an experiment is the work of one: set Experiment.Ranks instead, which divides the runs among processes", n)
	case n > 1 && !e.OverRanks:
		return nil,
			e.errorf(
				"mpirun has started %d of this program, and an experiment is the work of one process: start it without mpirun", n)
	case e.Name == "":
		return nil, e.errorf("Name is empty: give one")
	case !utf8.ValidString(e.Name + e.Version):
		return nil, e.errorf("Version is %q: give name and version in UTF-8", e.Version)
	case e.Run == nil:
		return nil, e.errorf("Run is nil: give a function that runs the model")
	case e.Replications < 1 || e.MaxReplications < e.Replications || e.MaxReplications > rng.MaxReplication+1:
		return nil, e.errorf("Replications is %d and MaxReplications is %d: give 1 to %d, and not less than Replications",
			e.Replications, e.MaxReplications, rng.MaxReplication+1)
	case !(e.Confidence > 0 && e.Confidence < 1):
		return nil, e.errorf("Confidence is %g: give a number between 0 and 1, such as 0.95", e.Confidence)
	case e.Tasks < 0 || e.Task < 0 || e.Task >= max(e.Tasks, 1):
		return nil, e.errorf("Task is %d and Tasks is %d: give a task from 0 to Tasks-1, or leave out both", e.Task, e.Tasks)
	case e.Tasks > 0 && len(e.Until) > 0:
		return nil,
			e.errorf(
				"Tasks is %d and there are precisions in Until: no task knows the results of the others, so give a fixed number of replications", e.Tasks)
	case e.Workers < 1:
		return nil, e.errorf("Workers is %d: give 1 or more, or 0 for one on each core", e.Workers)
	}
	if e.Select != nil {
		if err := e.Select.check(&e); err != nil {
			return nil, e.errorf("%w", err)
		}
	}
	for _, p := range e.Until {
		if !(p.Relative >= 0 && p.Absolute >= 0 && p.Relative+p.Absolute > 0) {
			return nil, e.errorf("precision %+v: give a half width above 0", p)
		}
	}
	seen := map[string]int{}
	for i, p := range e.Points {
		if err := p.check(); err != nil {
			return nil, e.errorf("point %d: %w", i, err)
		}
		if !slices.Equal(p.names(), e.Points[0].names()) {
			return nil,
				e.errorf("point %d has the parameters %q, and point 0 has %q: give all points the same, in the same order",
					i, p.names(), e.Points[0].names())
		}
		if before, twice := seen[p.String()]; twice {
			return nil, e.errorf("points %d and %d are both %s: give each point once", before, i, p)
		}
		seen[p.String()] = i
	}
	return &e, nil
}

func (e *Experiment) errorf(format string, args ...any) error {
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			args[i] = usage.Within(err)
		}
	}
	return fmt.Errorf("ross: experiment %q: %w", e.Name, fmt.Errorf(format, args...))
}

// Do runs the experiment, and returns its results. They do not depend on the number of workers.
//
// A nil ctx never ends. If ctx ends, Do waits for the replications that are running, which should end too, and returns
// its error with the results so far. If a replication fails, the others are stopped, and Do returns an error that names
// the point and the replication. In both cases, the journal has all finished replications, and the next Do goes on from
// there.
func (e Experiment) Do(ctx context.Context) (*Results, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	if e.Ranks > 1 && e.Ranks <= mostRanks || e.OverRanks && (e.world != nil || mpi.Enabled && ranks.Launcher() != "") {
		return e.doOverRanks(ctx)
	}
	set, err := e.withDefaults()
	if err != nil {
		return nil, err
	}
	c := newCampaign(set)
	if set.Journal != "" {
		j, err := openJournal(set, c.recorded)
		if err != nil {
			return nil, err
		}
		defer j.close()
		c.journal = j
	}
	err = c.run(ctx)
	return c.results(), err
}

// check returns an error for responses that the experiment cannot use. names are those of the first
// responses, or empty; with partial they need not be the same.
func (r Responses) check(names []string, partial bool) error {
	if len(r) == 0 && !partial {
		return fmt.Errorf("there are no responses: return at least one")
	}
	for _, name := range r.names() {
		if !utf8.ValidString(name) { // the journal would have another one
			return fmt.Errorf("response %q: give names in UTF-8", name)
		}
		if v := r[name]; v-v != 0 { // infinite or NaN
			return fmt.Errorf("response %q is %g: return finite numbers", name, v)
		}
	}
	if len(names) > 0 && !partial && !slices.Equal(names, r.names()) {
		return fmt.Errorf("the responses are %q, and those of other runs are %q: return the same in all runs", r.names(),
			names)
	}
	return nil
}

func (r Responses) names() []string { return slices.Sorted(maps.Keys(r)) }
