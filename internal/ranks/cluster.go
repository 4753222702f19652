// This file owns Cluster: the ranks of a run, processes that mpirun or the first of them has started, each with its
// share of the PEs. It connects them, makes them agree on errors, and disconnects them, or ends all when MPI fails.

package ranks

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ross-go/ross/internal/ranks/launch"
	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/world"
	"github.com/ross-go/ross/internal/sys/topology"
	"github.com/ross-go/ross/internal/sys/usage"
)

// Cluster is the connection of a run with the other ranks.
type Cluster struct {
	World  world.World // nil without MPI
	Rank   int         // number of this rank
	Ranks  int         // number of ranks
	OnNode int         // number of ranks on this machine
	Within int         // number of ranks in this process, more than one only in tests
	Procs  int         // number of processors that these ranks may use
	Sharing
	Broken atomic.Bool // the other ranks cannot be reached any more
	over   error       // why no call can be made any more: a rank has left, or cannot be reached
	parted sync.Once
	// exitCode returns the exit status of a program that ends with an error.
	exitCode func(err error) int
}

// Sharing says with whom a rank shares its processors.
type Sharing struct {
	Peers int  // ranks of this machine that may use the same processors, this one included
	Peer  int  // its number among those
	Mixed bool // others may use some of its processors, and not the same
}

// Start is what Open needs to know.
type Start struct {
	World    world.World         // the ranks; nil: those of MPI, or that Open starts
	Comm     *int32              // communicator of MPI; nil: all processes
	Ranks    int                 // more than 1: the first process starts the others
	PEs      int                 // of this rank
	ExitCode func(err error) int // exit status of a program that ends with an error
}

// Open connects with the other ranks.
func Open(s Start) (c *Cluster, err error) {
	c = &Cluster{Ranks: 1, OnNode: 1, Within: 1, Procs: runtime.GOMAXPROCS(0), Sharing: Sharing{Peers: 1},
		exitCode: s.ExitCode}
	comm := s.Comm
	switch name := Launcher(); {
	case s.World != nil:
		c.World = s.World
	case s.Ranks > 1:
		c.World, err = Connect(s.Ranks, comm)
	case mpi.Enabled && (comm != nil || name != ""):
		level := mpi.Multiple
		if s.PEs == 1 {
			level = mpi.Serialized
		}
		c.World, err = world.MPI(level, comm)
	case comm != nil:
		return c, usage.Errorf("Config.Comm: this program was built without MPI; build it with -tags mpi")
	case name != "" && name != "PMIX_RANK" && os.Getenv(name) != "1":
		return c,
			usage.Errorf(
				"%s=%s: mpirun has started several of this program, which was built without MPI; build it with -tags mpi",
				name, os.Getenv(name))
	}
	if err != nil || c.World == nil {
		return c, err
	}
	c.Rank, c.Ranks, c.World = c.World.Rank(), c.World.Size(), &guarded{c.World, c}
	if err := c.Agree(nil); err != nil { // another rank may have a wrong command line
		return c, err
	}
	return c, c.Agree(c.findNeighbours())
}

// Connect connects with the other ranks of this machine, which the first process starts: n together.
func Connect(n int, comm *int32) (world.World, error) {
	name := Launcher()
	switch {
	case comm != nil:
		return nil, usage.Errorf("option --ranks=%d: Config.Comm has a communicator of MPI; give one of the two", n)
	case name != "":
		return nil,
			usage.Errorf(
				"option --ranks=%d: %s in the environment says that mpirun, or another launcher, has started this program; give the number of ranks to one of the two",
				n, name)
	}
	w, err := launch.Connect(n)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil,
			usage.Errorf(
				"option --ranks=%d: a program starts ranks by itself on Linux, on amd64 and arm64; use mpirun -np %d, and a build with -tags mpi", n, n)
	}
	if err != nil { // not a nil *launch.World
		return nil, err
	}
	return w, nil
}

// machine is what the ranks of a machine have in common.
type machine struct {
	Ranks int
	Of    map[int]int      // ranks by process
	Sets  map[string][]int // ranks by the processors that they may use, as a topology.Set is written
}

// findNeighbours counts the ranks on this machine and the processors that they may use
// together. Launchers often give each rank its own processors.
func (c *Cluster) findNeighbours() error {
	name, _ := os.Hostname()
	set := topology.Own()
	own := map[string]machine{name: {1, map[int]int{os.Getpid(): 1}, map[string][]int{set.String(): {c.Rank}}}}
	all, err := Fold(c.World, &own, func(to, more *map[string]machine) {
		for name, m := range *more {
			(*to)[name] = m.with((*to)[name])
		}
	})
	if err != nil {
		return err
	}
	here := (*all)[name]
	c.Within = here.Of[os.Getpid()]
	c.OnNode, c.Procs = here.Ranks, runtime.GOMAXPROCS(0)
	if n := here.processors().Len(); n > 0 {
		c.Procs = n
	}
	c.Sharing = here.sharing(c.Rank, set)
	return nil
}

// with returns the union of two parts of a machine.
func (m machine) with(o machine) machine {
	of, sets := maps.Clone(m.Of), maps.Clone(m.Sets)
	for pid, n := range o.Of {
		of[pid] += n
	}
	for set, ranks := range o.Sets {
		sets[set] = slices.Concat(sets[set], ranks)
	}
	return machine{m.Ranks + o.Ranks, of, sets}
}

// processors returns the processors that some of the ranks may use.
func (m machine) processors() (all topology.Set) {
	for text := range m.Sets {
		set, _ := topology.ParseSet(text) // Set.String has written it
		all = all.Union(set)
	}
	return all
}

// sharing returns with whom a rank shares its processors.
func (m machine) sharing(rank int, own topology.Set) (s Sharing) {
	for text, ranks := range m.Sets {
		if text == own.String() {
			slices.Sort(ranks)
			s.Peers, s.Peer = len(ranks), slices.Index(ranks, rank)
		} else if other, _ := topology.ParseSet(text); other.Meets(own) {
			s.Mixed = true
		}
	}
	return s
}

// Agree returns an error on all ranks if any rank has one. All ranks call it at the same
// points of the run.
func (c *Cluster) Agree(err error) error {
	if c.alone() {
		return c.withLoss(err)
	}
	return Agree(c.World, err, c.exitCode(err))
}

// alone reports whether there are no other ranks, or none any more.
func (c *Cluster) alone() bool { return c.Ranks <= 1 || c.Broken.Load() || c.World == nil }

// Compare returns an error on all ranks if their descriptions differ.
func (c *Cluster) Compare(d Description) error {
	if c.alone() {
		return c.withLoss(nil)
	}
	return Check(c.World, d)
}

// CloseWith disconnects the ranks after New has failed, and returns err, with an error of Close if
// there is one. It gives the rank that prints the error time to do so.
func (c *Cluster) CloseWith(err error) error {
	err = errors.Join(err, c.Close())
	YieldToReporter(err)
	return err
}

// Close disconnects this rank from the others.
func (c *Cluster) Close() error {
	if c.World == nil {
		return nil
	}
	w := c.World
	c.World = nil
	if c.Broken.Load() {
		if l := launched(w); l != nil {
			_ = l.Close() // waits for the other processes
		}
		return nil
	}
	return w.Close()
}

// launched returns the world of ranks that the first of them has started, nil if it is another one.
func launched(w any) *launch.World {
	if g, is := w.(*guarded); is {
		w = g.World
	}
	l, _ := w.(*launch.World)
	return l
}

// excuse notes that all ranks know why they end with a status that is not 0.
func excuse(w World) {
	if l := launched(w); l != nil {
		l.Excuse()
	}
}

// What a process knows about its launcher before it is connected with the other
// ranks.

// Environment variables that launchers of MPI programs set: those that show that there is a
// launcher, and those with the rank.
var (
	sizeNames = [...]string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}
	rankNames = [...]string{"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}
)

// Launcher returns the name of the environment variable that shows that an MPI launcher
// started the process, or "" if none did.
func Launcher() string {
	for _, name := range sizeNames {
		if os.Getenv(name) != "" {
			return name
		}
	}
	return ""
}

// Processes returns the number of processes of the job, 1 if it is not known.
func Processes() int {
	if n := launch.Size(); n > 1 {
		return n
	}
	for _, name := range sizeNames {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil && name != "PMIX_RANK" {
			return max(n, 1)
		}
	}
	return 1
}

// First reports whether the process is the first of those that a launcher started, or the only
// one, if this is known before MPI has started.
func First() bool {
	if launch.Rank() > 0 {
		return false
	}
	for _, name := range rankNames {
		if rank := os.Getenv(name); rank != "" {
			return rank == "0"
		}
	}
	return true
}

// AgreeOnUsage sends an error of the command line, with its exit status, to all ranks, which
// expect it in New.
func AgreeOnUsage(err error, code int) error {
	var w world.World
	var cause error
	switch {
	case launch.Rank() > 0: // the first has gone on, and is in New
		w, cause = Connect(launch.Size(), nil)
	case !mpi.Enabled || Launcher() == "" || mpi.Started():
		return err
	default:
		w, cause = world.MPI(mpi.Serialized, nil)
	}
	if cause != nil {
		return err
	}
	err = Agree(w, err, code)
	_ = w.Close()
	return err
}

// speech is how long the other ranks wait for the one that prints an error, if they cannot
// wait for it in Close: mpirun ends all ranks when the first one exits.
const speech = 300 * time.Millisecond

// YieldToReporter waits on the ranks that do not print the error, to give the one that does time for
// it.
func YieldToReporter(err error) {
	if !ShouldPrint(err) {
		time.Sleep(speech)
	}
}

// What a rank does when MPI fails, which is mostly because another rank is gone: it ends all
// ranks, since whatever they call next would wait for each other.

// BreakDown ends all ranks at once, because they can no longer be reached in a regular way. Under MPI it prints err,
// because the process ends; ranks that a process has started return it, and the program prints it.
func (c *Cluster) BreakDown(err error) {
	c.parted.Do(func() {
		c.over = err
		c.Broken.Store(true)
		if launched(c.World) != nil {
			_ = c.World.Abort(1)
			return
		}
		fmt.Fprintf(os.Stderr, "ross: rank %d: %s\n", c.Rank, bare(err.Error()))
		_ = c.World.Abort(1)
	})
}

// lose ends all ranks because of an error of the connection between them, and returns it.
func (c *Cluster) lose(err error) error {
	if err != nil && !c.Broken.Load() {
		c.BreakDown(err)
	}
	return err
}

// withLoss returns err, and says why the others cannot be reached if they cannot.
func (c *Cluster) withLoss(err error) error {
	switch {
	case !c.Broken.Load() || c.over == nil || errors.Is(err, c.over):
		return err
	case err == nil:
		return c.over
	}
	return &unreportedError{own: err, cause: c.over}
}

// broken returns err, and ends all ranks if it is not nil and w is the World of a Cluster: what another rank sent
// is not what it has to be, so the ranks are not in the same place.
func broken(w World, err error) error {
	if g, ok := w.(*guarded); ok {
		return g.c.lose(err)
	}
	return err
}

// guarded is the World of a Cluster: when one of its operations fails, all ranks end, and those after it fail at
// once.
type guarded struct {
	world.World
	c *Cluster
}

// do calls an operation.
func (w *guarded) do(f func() error) error {
	if w.c.Broken.Load() {
		return w.c.over
	}
	return w.c.lose(f())
}

func (w *guarded) Barrier() error { return w.do(w.World.Barrier) }

func (w *guarded) Bcast(data []byte, root int) (all []byte, err error) {
	err = w.do(func() (err error) { all, err = w.World.Bcast(data, root); return err })
	return all, err
}

func (w *guarded) AllGather(own []byte) (all [][]byte, err error) {
	err = w.do(func() (err error) { all, err = w.World.AllGather(own); return err })
	return all, err
}

func (w *guarded) Send(data []byte, to int) error {
	return w.do(func() error { return w.World.Send(data, to) })
}

func (w *guarded) Receive(from int) (data []byte, err error) {
	err = w.do(func() (err error) { data, err = w.World.Receive(from); return err })
	return data, err
}

func (w *guarded) AllReduceInt64(op mpi.Op, values []int64) error {
	return w.do(func() error { return w.World.AllReduceInt64(op, values) })
}

func (w *guarded) Mailboxes(n int) (boxes []world.Mailbox, err error) {
	err = w.do(func() (err error) { boxes, err = w.World.Mailboxes(n); return err })
	return boxes, err
}

func (w *guarded) Reduction() (r world.Reduction, err error) {
	err = w.do(func() (err error) { r, err = w.World.Reduction(); return err })
	return r, err
}

// EarlySignal is launch.EarlySignal.
func EarlySignal() os.Signal { return launch.EarlySignal() }
