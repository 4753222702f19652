// This file owns runs on ranks: those that mpirun has started, or goroutines that play them. Each rank has a sequential
// run of its own, with which it compares what its LPs have done, and all agree on what is said about a run.

package modeltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/world"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/run/inside"
)

// team is the ranks of a test, as one of them sees it.
type team struct {
	w     world.World        // for what the test exchanges itself
	comm  *int32             // communicator of this rank alone; nil if goroutines play the ranks
	next  func() world.World // the ranks of the next run; nil: those of MPI
	dir   string             // for files of all
	model string
}

// rank returns the number of this rank, 0 if there are none.
func (t *team) rank() int {
	if t == nil {
		return 0
	}
	return t.w.Rank()
}

// alone reports whether each rank makes a run by itself.
func alone(t trial) bool {
	cfg := ross.Config{Synch: ross.Sequential}
	if t.set != nil {
		t.set(&cfg)
	}
	return onOnePE(cfg.Synch)
}

// onOnePE reports whether a scheduler has one PE.
func onOnePE(s ross.Scheduler) bool {
	return s == ross.Sequential || s == ross.OptimisticDebug || s == ross.RollbackCheck
}

// pesOf returns the PEs of a rank, if all have that many or a few more.
func (t *team) pesOf(all int) int { return (all + t.w.Size() - 1) / t.w.Size() }

// nameOf returns the name of a run, which is name if all PEs are in one process.
func (t *team) nameOf(of trial, name string) string {
	if alone(of) {
		return name
	}
	cfg := ross.Config{}
	of.set(&cfg)
	all, own := fmt.Sprintf("--pes=%d", cfg.PEs), fmt.Sprintf("--pes=%d", t.pesOf(cfg.PEs))
	return fmt.Sprintf("%d ranks of %s", t.w.Size(), strings.Replace(name, all, own, 1))
}

// share gives this rank its part of a run, and reports whether the others have a part in it.
func (t *team) share(cfg *ross.Config) bool {
	if onOnePE(cfg.Synch) {
		cfg.Comm = t.comm
		return false
	}
	cfg.PEs = t.pesOf(cfg.PEs)
	if t.next != nil {
		inside.Ross.Knobs(cfg).World = t.next()
	}
	return true
}

// verdict is what a rank says about a run.
type verdict struct {
	Left, Wrong string  // why it is left out, and what is wrong
	At          float64 // time of that, if it is known
}

// rankError is the error of a run on ranks.
type rankError struct {
	text string
	rank int   // that has found it
	err  error // of this rank, or ErrModel
}

func (e *rankError) Error() string { return e.text }
func (e *rankError) Unwrap() error { return e.err }

// agree returns on all ranks what the one says that has found the earliest mistake, or what the first one says that has
// left the run out.
func (c *checker) agree(o *outcome, left string, err error) (string, error) {
	own := verdict{Left: left}
	if err != nil {
		own.Wrong, own.At = err.Error(), o.at
		if remote := (*ranks.RemoteError)(nil); errors.As(err, &remote) { // that rank knows more
			own.At = math.MaxFloat64
		}
	}
	text, cause := json.Marshal(own)
	if cause != nil {
		return "", errors.Join(err, cause)
	}
	lists, cause := ranks.AllGatherBytes(c.team.w, text)
	if cause != nil {
		return "", errors.Join(err, cause)
	}
	all := make([]verdict, len(lists))
	first := -1
	for rank, text := range lists {
		if cause := json.Unmarshal(text, &all[rank]); cause != nil {
			return "", errors.Join(err, cause)
		}
		if all[rank].Wrong != "" && (first < 0 || all[rank].At < all[first].At) {
			first = rank
		}
		if left == "" {
			left = all[rank].Left
		}
	}
	if first < 0 {
		return left, nil
	}
	if err == nil {
		err = ErrModel
	}
	return "", &rankError{fmt.Sprintf("modeltest: %s, rank %d of %d: %s", c.team.model, first, len(all),
		strings.TrimPrefix(all[first].Wrong, "modeltest: ")), first, err}
}

// name returns how errors name the model: by its program or its types.
func (c *checker) name() string {
	if c.model.Program != nil {
		return c.model.Program().Name
	}
	var names []string
	for _, t := range engineOf(c.seq.sim).Types {
		if !t.Hidden {
			names = append(names, t.Name)
		}
	}
	return strings.Join(names, "+")
}

// underMPI is all on the ranks that mpirun has started.
func (c *checker) underMPI() error {
	w, err := world.MPI(mpi.Multiple, nil)
	if err != nil {
		return fmt.Errorf("modeltest: %w", err)
	}
	t := &team{w: w, model: "the model", dir: c.dir}
	if c.model.Program != nil {
		t.model = c.name()
	}
	err = c.inTeam(t)
	return errors.Join(err, w.Close())
}

// inTeam is all on one of the ranks of MPI.
func (c *checker) inTeam(t *team) error {
	split, err := t.w.(interface {
		Split(color, key int) (int32, error)
	}).Split(t.w.Rank(), 0)
	if err = errors.Join(err, ranks.Share(t.w, &t.dir)); err != nil {
		return fmt.Errorf("modeltest: %w", err)
	}
	_, missing := os.Stat(t.dir)
	t.comm, c.team = &split, t
	why := ""
	if missing != nil {
		why = "the ranks have no folder in common: set TMPDIR to one that all of them see"
	}
	if why, err = c.agree(new(outcome), why, nil); err != nil {
		return err
	}
	if why != "" && c.model.NoRestart == "" {
		c.model.NoRestart = why
	}
	defer func() { _ = t.w.Barrier() }() // before the folder is removed
	return c.all()
}

// onRanks repeats the parallel runs on ranks that goroutines play, if the test asks for them.
func (c *checker) onRanks() error {
	n := c.model.Ranks
	if n < 2 || c.team != nil {
		return nil
	}
	var lock sync.Mutex
	var clusters []*worldtest.Cluster // of each run
	exchange, name := worldtest.New(n, 1, 0), c.name()
	errs, copies := make([]error, n), make([]*checker, n)
	for rank := range n {
		if err := os.Mkdir(c.dirOf(rank), 0o777); err != nil {
			return fmt.Errorf("modeltest: %w", err)
		}
	}
	var running sync.WaitGroup
	for rank := range n {
		of := *c
		of.report, of.dir = new(Report), c.dirOf(rank)
		runs := 0
		next := func() world.World {
			lock.Lock()
			defer lock.Unlock()
			if runs == len(clusters) {
				clusters = append(clusters, worldtest.New(n, uint64(runs), late))
			}
			runs++
			return clusters[runs-1].Rank(rank)
		}
		of.team = &team{w: exchange.Rank(rank), next: next, dir: c.dir, model: name}
		copies[rank] = &of
		running.Go(func() { errs[rank] = of.parallel() })
	}
	running.Wait()
	first := copies[0]
	c.report.Runs = append(c.report.Runs, first.report.Runs...)
	c.report.RolledBack += first.report.RolledBack
	for _, left := range first.report.LeftOut {
		if !slices.Contains(c.report.LeftOut, left) {
			c.report.LeftOut = append(c.report.LeftOut, fmt.Sprintf("%d ranks: %s", n, left))
		}
	}
	if of := (*rankError)(nil); errors.As(errs[0], &of) {
		return errs[of.rank] // it has the text of all, and wraps what has happened
	}
	return errs[0]
}

// dirOf returns the folder of a rank that a goroutine plays.
func (c *checker) dirOf(rank int) string { return filepath.Join(c.dir, fmt.Sprint("rank", rank)) }

// late is the probability in percent that what goroutines send is late, at each look.
const late = 20
