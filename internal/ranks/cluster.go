// This file owns Cluster: the ranks of a run, processes that mpirun has started, each with its
// share of the PEs. It connects them, makes them agree on errors, and disconnects them.

package ranks

import (
	"errors"
	"maps"
	"math/bits"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

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
