// This file owns the ranks of a run: processes that mpirun has started, each with its
// share of the PEs. It connects them, has them agree, and parts them.

package ross

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"runtime"
	"sync"

	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/world"
)

// cluster is a Simulation's place among the ranks.
type cluster struct {
	world   world.World // nil without MPI
	rank    int
	ranks   int
	onNode  int  // ranks on this machine
	procs   int  // processors for them
	base    PEID // first PE of this rank
	parting bool // they have agreed on an error
	broken  bool // they cannot be reached any more
	parted  sync.Once

	reductions, reduceCalls uint64 // of GVT; and calls of MPI for them
}

// KeepMPI starts MPI, if the program was built with it and started by a launcher, and
// keeps it until end is called. MPI starts once in a process: without this it is over
// when the last simulation is closed, and another one could not be made.
func KeepMPI() (end func() error, err error) {
	if !mpi.Enabled || ranks.Launcher() == "" {
		return func() error { return nil }, nil
	}
	w, err := world.MPI(mpi.Multiple, nil)
	if err != nil {
		return nil, err
	}
	return w.Close, nil
}

// openWorld finds the other ranks.
func (s *Simulation) openWorld() (err error) {
	s.cluster = cluster{ranks: 1, onNode: 1, procs: runtime.GOMAXPROCS(0)}
	c := &s.cfg
	switch name := ranks.Launcher(); {
	case c.world != nil:
		s.world = c.world
	case mpi.Enabled && (c.Comm != nil || name != ""):
		level := mpi.Multiple
		if c.PEs == 1 {
			level = mpi.Serialized
		}
		s.world, err = world.MPI(level, c.Comm)
	case c.Comm != nil:
		return cmdline.Usagef("Config.Comm: this program was built without MPI; build it with -tags mpi")
	case name != "" && name != "PMIX_RANK" && os.Getenv(name) != "1":
		return cmdline.Usagef("%s=%s: mpirun has started several of this program, which was built without MPI; build it with -tags mpi",
			name, os.Getenv(name))
	}
	if err != nil || s.world == nil {
		return err
	}
	s.rank, s.ranks = s.world.Rank(), s.world.Size()
	if err := s.agree(nil); err != nil { // the command line of another rank
		return err
	}
	return s.lookAround()
}

// lookAround finds out how many ranks this machine has, and whether they have a
// processor for each PE. Launchers often give each rank processors of its own.
func (s *Simulation) lookAround() error {
	name, _ := os.Hostname()
	mine := processors()
	all, err := s.world.AllGather(append([]byte(name+"\x00"), mine...))
	if err != nil {
		return err
	}
	s.onNode, s.procs = 0, runtime.GOMAXPROCS(0)
	union := make([]byte, len(mine))
	for _, of := range all {
		host, mask, _ := bytes.Cut(of, []byte{0})
		if string(host) != name {
			continue
		}
		s.onNode++
		for i := range min(len(mask), len(union)) {
			union[i] |= mask[i]
		}
	}
	if len(mine) > 0 {
		s.procs = 0
		for _, b := range union {
			s.procs += bits.OnesCount8(b)
		}
	}
	return nil
}

// agree returns an error if any rank has one. All ranks come here at the same points
// of their lives.
func (s *Simulation) agree(err error) error {
	if s.ranks <= 1 || s.broken {
		return err
	}
	err = ranks.Agree(s.world, err, ExitCode(err))
	s.parting = err != nil
	var f *ranks.Failure
	if errors.As(err, &f) && f.First.Text == errLeft.Error() && s.rank == 0 {
		f.Speaks = true // who has left does not
	}
	return err
}

// errLeft is why the other ranks end when one closes its simulation before its run.
var errLeft = errors.New("ross: Close: the simulation was not run: all ranks have to call New, Define, Run and Close")

// leave tells the other ranks that this one goes before its run, unless that is
// agreed.
func (s *Simulation) leave() {
	if s.ranks > 1 && s.world != nil && s.stage != stageRun && !s.parting {
		if err := s.agree(errLeft); s.rank == 0 {
			fmt.Fprintln(os.Stderr, err)
		}
	}
}

// Speaks reports whether this rank is the one to print an error of New, Define or
// Run, which all ranks return when one of them fails. In a run of one rank it always
// is.
func Speaks(err error) bool { return ranks.Speaks(err) }

// parts ends a simulation that could not be made.
func (s *Simulation) parts(err error) error {
	err = errors.Join(err, s.closeWorld())
	ranks.LetSpeak(err)
	return err
}

// closeWorld parts the ranks.
func (s *Simulation) closeWorld() error {
	if s.world == nil {
		return nil
	}
	w := s.world
	if s.world = nil; s.broken {
		return nil
	}
	return w.Close()
}

// connect makes the channels between the ranks and the computation of GVT among them.
func (s *Simulation) connect(t *team) error {
	if s.ranks == 1 {
		t.group = gvt.NewGroup(len(s.pes), nil)
		return nil
	}
	red, err := s.world.Reduction()
	if err != nil {
		return err
	}
	t.red = red
	t.ranks = gvt.NewRanks(red, s.pes[0].arena.Lines)
	t.group = gvt.NewGroup(len(s.pes), t.ranks)
	boxes, err := s.world.Mailboxes(len(s.pes))
	if err != nil {
		return err
	}
	for i, pe := range s.pes {
		pe.newFar(boxes[i])
	}
	return nil
}

// breakDown ends all ranks, when they cannot be reached in a proper way any more.
func (s *Simulation) breakDown(err error) {
	s.parted.Do(func() {
		s.broken = true
		fmt.Fprintf(os.Stderr, "ross: rank %d: %v\n", s.rank, err)
		_ = s.world.Abort(1)
	})
}

// empty takes in what is still under way after a run that was stopped, so that no
// rank waits for another to take it.
func (s *Simulation) empty() error {
	if s.ranks == 1 {
		return nil
	}
	for {
		left := []int64{0}
		for _, pe := range s.pes {
			f := pe.far
			_, err := f.box.Poll(func(_ int, words []uint64) { f.balance[words[0]>>32&1]-- })
			if err = errors.Join(err, f.err); err != nil {
				return err
			}
			left[0] += f.balance[0] + f.balance[1]
		}
		if err := s.world.AllReduceInt64(mpi.Sum, left); err != nil || left[0] == 0 {
			return err
		}
	}
}
