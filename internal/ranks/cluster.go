// This file owns Cluster: the ranks of a run, processes that mpirun has started, each with its share of the
// PEs. It connects them, makes them agree on errors, and disconnects them, or ends all when MPI fails.

package ranks

import (
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/internal/usage"
	"github.com/ross-go/ross/internal/world"
)

// Cluster is the connection of a run with the other ranks.
type Cluster struct {
	World  world.World // nil without MPI
	Rank   int         // number of this rank
	Ranks  int         // number of ranks
	OnNode int         // number of ranks on this machine
	Within int         // number of ranks in this process, more than one only in tests
	Procs  int         // number of processors that these ranks may use
	Broken atomic.Bool // the other ranks cannot be reached any more
	over   error       // why no call can be made any more: a rank has left, or cannot be reached
	parted sync.Once
	// exitCode returns the exit status of a program that ends with an error.
	exitCode func(err error) int
}

// Open connects with the other ranks in the given world or, if that is nil, in MPI. pes is the
// number of PEs of this rank; comm is a communicator, and nil means all processes.
func Open(given world.World, comm *int32, pes int, exitCode func(error) int) (c *Cluster, err error) {
	c = &Cluster{Ranks: 1, OnNode: 1, Within: 1, Procs: runtime.GOMAXPROCS(0), exitCode: exitCode}
	switch name := Launcher(); {
	case given != nil:
		c.World = given
	case mpi.Enabled && (comm != nil || name != ""):
		level := mpi.Multiple
		if pes == 1 {
			level = mpi.Serialized
		}
		c.World, err = world.MPI(level, comm)
	case comm != nil:
		return c, usage.Errorf("Config.Comm: this program was built without MPI; build it with -tags mpi")
	case name != "" && name != "PMIX_RANK" && os.Getenv(name) != "1":
		return c, usage.Errorf("%s=%s: mpirun has started several of this program, which was built without MPI; build it with -tags mpi",
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

// machine is what the ranks of a machine have in common.
type machine struct {
	Ranks int
	Of    map[int]int // ranks by process
	Procs []byte      // a bit for each processor that some of them may use
}

// findNeighbours counts the ranks on this machine and the processors that they may use
// together. Launchers often give each rank its own processors.
func (c *Cluster) findNeighbours() error {
	name, _ := os.Hostname()
	own := map[string]machine{name: {1, map[int]int{os.Getpid(): 1}, processors()}}
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
	if c.OnNode, c.Procs = here.Ranks, runtime.GOMAXPROCS(0); len(here.Procs) > 0 {
		c.Procs = 0
		for _, b := range here.Procs {
			c.Procs += bits.OnesCount8(b)
		}
	}
	return nil
}

// with returns the union of two parts of a machine.
func (m machine) with(o machine) machine {
	procs := make([]byte, max(len(m.Procs), len(o.Procs)))
	copy(procs, m.Procs)
	for i, b := range o.Procs {
		procs[i] |= b
	}
	of := maps.Clone(m.Of)
	for pid, n := range o.Of {
		of[pid] += n
	}
	return machine{m.Ranks + o.Ranks, of, procs}
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

// Parts disconnects the ranks after New has failed, and returns err, with an error of Close if
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
	if c.World = nil; c.Broken.Load() {
		return nil
	}
	return w.Close()
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

// Processes returns the number of processes that the launcher has started, 1 if the environment does not say.
func Processes() int {
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
	if !mpi.Enabled || Launcher() == "" || mpi.Started() {
		return err
	}
	w, cause := world.MPI(mpi.Serialized, nil)
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

// BreakDown prints err and ends all ranks at once, because they can no longer be reached in a
// regular way.
func (c *Cluster) BreakDown(err error) {
	c.parted.Do(func() {
		c.over = err
		c.Broken.Store(true)
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
