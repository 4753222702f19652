// A run in a world: a model, a configuration, what goes wrong, and a seed for the order of turns.

package run_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/avl"
	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/ranks/world"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/turns"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/pq"
	"github.com/ross-go/ross/stats"
)

// worldRun says how a model runs. A failure prints it, so that it can be repeated.
type worldRun struct {
	Order       uint64 // of turns
	Synch       ross.Scheduler
	Ranks, PEs  int
	NKP         uint64
	Mapping     uint64 // 0: blocks, 1: round robin; otherwise the seed of a random one
	Batch, GVT  uint64
	FixedGVT    bool
	Window      uint64  // of optimism in virtual time; 0: none
	Harass      float64 // probability that a PE rolls back what it need not
	Late        int     // percent of what is delayed between ranks
	RingWords   int     // of a ring between ranks; 0: none
	Machines    int
	Ring, Worth int // capacity of a ring between PEs; events worth a message to another rank
	Keys        int // window of the event queue
	PQ          string
	AVL         string
	AVLSize     uint
	Buddy       string
	Shift       uint64 // GVTs between random moves of KPs; 0: they stay
	// most events or GVTs of stretches under one scheduler, of Auto and of one PE alone; 0: by the clock
	Stretch uint64
	Table   bool   // the report has the table of the statistics, also after an error
	Sweep   uint64 // cancelled events from which on the queue is swept; 0: many
	Samples uint64 // GVTs between samples; 0: no instrumentation
	Memory  uint64
	Refuses float64 // probability that memory is refused, from turn FaultAt on, up to 40 times
	Every   float64 // virtual time between checkpoints; 0: none
	Fault   worldFault
	FaultAt uint64 // turn at which it happens
	Most    uint64 // turns, 0: many; for cases that have not ended once
	Again   *worldRun
}

// plentyOfMemory is a ceiling that no run reaches. A higher one would include the program itself, which is not
// the same each time.
const plentyOfMemory = 63 << 20

// worldFault is what goes wrong in a run.
type worldFault string

const (
	noFault  worldFault = ""
	cancels  worldFault = "cancel" // the context ends
	rankDies worldFault = "rank"   // a rank ends, and all others find out
	diskGone worldFault = "disk"   // the folder of the checkpoints is no longer there
)

// randomRun returns the run of a seed. If it ends too early, Again goes on from its newest checkpoint.
func randomRun(seed uint64, m *worldModel) worldRun {
	r := rand.New(rand.NewPCG(seed, 5))
	w := randomWay(r, m)
	if r.IntN(3) == 0 && (w.Synch != ross.Auto || w.Stretch == 0) {
		w.Every = m.End / float64(1+r.IntN(8))
		w.stores()
		w.Fault = []worldFault{noFault, cancels, cancels, rankDies, diskGone}[r.IntN(5)]
		w.FaultAt = r.Uint64N(1 << (5 + r.IntN(9)))
		// one of both may not see the mistake
		if (w.Fault == cancels || w.Fault == rankDies) && m.Below == 0 && m.CommitFails == 0 {
			again := randomWay(r, m)
			again.stores()
			w.Again = &again
		}
	} else if r.IntN(12) == 0 {
		w.Fault, w.FaultAt = []worldFault{cancels, rankDies}[r.IntN(2)], r.Uint64N(1<<(5+r.IntN(9)))
	}
	return w
}

// randomWay returns a way to run a model, without checkpoints and faults.
func randomWay(r *rand.Rand, m *worldModel) worldRun {
	w := worldRun{
		Order: r.Uint64(), Synch: []ross.Scheduler{ross.Optimistic, ross.Optimistic, ross.Optimistic, ross.OptimisticRealTime,
			ross.Auto}[r.IntN(5)],
		Ranks: 1, PEs: 1 + r.IntN(4), NKP: 1 + r.Uint64N(8), Mapping: r.Uint64N(4),
		Batch: 1 + r.Uint64N(1<<r.IntN(6)), GVT: 1 + r.Uint64N(1<<r.IntN(6)), FixedGVT: r.IntN(2) == 0,
		PQ: pq.Impls()[r.IntN(len(pq.Impls()))], Memory: plentyOfMemory,
	}
	w.Buddy = buddy.Impls()[w.Order%uint64(len(buddy.Impls()))]
	if m.Lookahead > 0 && r.IntN(3) == 0 {
		w.Synch = ross.Conservative
	}
	if r.IntN(2) == 0 {
		w.Ranks = 2 + r.IntN(3)
		w.PEs = 1 + r.IntN(2)
		w.Late = []int{0, 20, 80}[r.IntN(3)]
		if r.IntN(2) == 0 {
			w.RingWords, w.Machines = 64<<r.IntN(6), 1+r.IntN(2)
		}
		w.Worth = r.IntN(2)
		w.AVL, w.AVLSize = avl.Impls()[r.IntN(len(avl.Impls()))], []uint{0, 2, 10}[r.IntN(3)]
	}
	if r.IntN(3) == 0 {
		w.Harass = 0.2 * r.Float64()
	}
	if r.IntN(3) == 0 {
		w.Window = 1 + r.Uint64N(3)
	}
	if r.IntN(2) == 0 {
		w.Ring = 1 << r.IntN(5)
	}
	if r.IntN(2) == 0 {
		w.Keys = 1 + r.IntN(20)
	}
	switch r.IntN(8) {
	case 0:
		w.Refuses = []float64{0.02, 0.2, 0.5}[r.IntN(3)]
	case 1:
		w.Memory = 300<<10 + r.Uint64N(3<<20)
	}
	if s := rand.New(rand.NewPCG(w.Order, 6)); s.IntN(2) == 0 { // by itself, so that older seeds mean what they did
		w.Shift = 1 + s.Uint64N(1<<s.IntN(6))
	}
	if s := rand.New(rand.NewPCG(w.Order, 10)); s.IntN(2) == 0 {
		w.Sweep = 1 + s.Uint64N(1<<s.IntN(6))
	}
	w.addWays(rand.New(rand.NewPCG(w.Order, 8)), m)
	if w.Ranks == 1 {
		w.RingWords, w.Machines, w.Late = 0, 0, 0
	}
	return w
}

// addWays changes the way for what needs another one.
func (w *worldRun) addWays(r *rand.Rand, m *worldModel) {
	if r.IntN(2) == 0 {
		w.Stretch = 1 << r.IntN(7)
		if m.Lookahead > 0 && r.IntN(3) == 0 { // what is tried least
			w.Synch, w.Ranks, w.PEs, w.Shift = ross.Conservative, 1, 2+r.IntN(3), 1+r.Uint64N(4)
		} else if r.IntN(2) == 0 {
			w.Synch, w.Ranks, w.PEs = ross.Auto, 1, 2+r.IntN(3)
		}
	}
	w.Table = w.Order%2 == 0 || m.FailFrom > 0 || m.CommitFails > 0
	if m.Lookahead == wide && r.IntN(4) > 0 { // several stretches in a window
		w.Synch, w.Ranks, w.PEs, w.Stretch = []ross.Scheduler{ross.Conservative, ross.Auto}[r.IntN(2)], 1, 2+r.IntN(
			3), 1<<r.IntN(4)
		w.Batch, w.GVT, w.FixedGVT, w.Shift = 1+r.Uint64N(3), 1+r.Uint64N(8), true, 1+r.Uint64N(2)
		return
	}
	switch r.IntN(12) {
	case 0:
		w.Synch, w.Ranks, w.PEs = ross.Sequential, 1, 1
	case 1:
		w.Synch, w.Ranks, w.PEs = ross.RollbackCheck, 1, 1
	case 2:
		w.Synch, w.Ranks, w.PEs = ross.OptimisticDebug, 1, 1
	}
	if r.IntN(6) == 0 {
		w.Samples = 1 + r.Uint64N(8)
	}
	if m.Sudden && w.Synch == ross.Conservative {
		w.Synch = ross.Optimistic
	}
}

// stores changes a way that cannot store checkpoints.
func (w *worldRun) stores() {
	if w.Synch == ross.OptimisticDebug {
		w.Synch = ross.RollbackCheck
	}
}

// strict reports whether a send below the lookahead is a mistake in the run.
func (w *worldRun) strict() bool {
	return slices.Contains([]ross.Scheduler{ross.Conservative, ross.Auto, ross.RollbackCheck, ross.OptimisticDebug},
		w.Synch)
}

// outcome is what a run leaves.
type outcome struct {
	Events, States uint64 // digests
	Net            uint64
	Commits        []uint64
	Table          string // of the statistics
	Log            string // of the model, in a run of one rank
	Seen           string // of watched LPs, likewise
	Stopped        string
	Err            error
	Whole          bool // from the beginning to the end
	hash, turns    uint64
	history        string
}

// differs says in what an outcome is not that of a sequential run, or "".
func (o *outcome) differs(want *outcome) string {
	if want.Err != nil {
		if o.Err == nil {
			return fmt.Sprintf("no error, but a sequential run has: %v", want.Err)
		}
		if errors.Is(want.Err, errCommit) && strings.Contains(o.Err.Error(), errCommit.Error()) { // another rank's is a text
			return ""
		}
		if a, b := modelMistake(o.Err), modelMistake(want.Err); a != b &&
			!(errors.Is(want.Err, errBelow) && errors.Is(o.Err, ross.ErrLookahead) && whenOf(a) == whenOf(b)) {
			return fmt.Sprintf("error %q, but that of a sequential run is %q", a, b)
		}
		return ""
	}
	switch {
	case o.Err != nil:
		return fmt.Sprintf("error: %v", o.Err)
	case o.Events != want.Events:
		return fmt.Sprintf("digest of events %016x, not %016x", o.Events, want.Events)
	case o.States != want.States:
		return fmt.Sprintf("digest of states %016x, not %016x", o.States, want.States)
	case o.Stopped != want.Stopped:
		return fmt.Sprintf("stopped %q, not %q", o.Stopped, want.Stopped)
	case o.Whole && o.Net != want.Net:
		return fmt.Sprintf("%d net events, not %d", o.Net, want.Net)
	case o.Whole && !slices.Equal(o.Commits, want.Commits):
		return "other calls of Commit"
	case o.Table != want.Table:
		return fmt.Sprintf("other statistics: %s\nnot: %s", o.Table, want.Table)
	case o.Whole && o.Log != want.Log && o.Log != manyLogs:
		return "other log: " + firstDifference(o.Log, want.Log)
	case o.Whole && o.Seen != want.Seen && o.Log != manyLogs:
		return "other events of watched LPs: " + firstDifference(o.Seen, want.Seen)
	}
	return ""
}

// undone says what is wrong with the outcome of a run that has undone all events, or "".
func (o *outcome) undone(want *outcome) string {
	if want.Err == nil && o.Err != nil && !strings.Contains(o.Err.Error(), "SaveNever") {
		return fmt.Sprintf("error: %v", o.Err)
	}
	return ""
}

// manyLogs stands for the log of a run of several ranks: each has its own.
const manyLogs = "several"

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: %s\nnot: %s", i, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, not %d", len(a), len(b))
}

// whenOf returns who made a mistake and when, of what modelMistake returns.
func whenOf(mistake string) string {
	who, _, _ := strings.Cut(mistake, ":")
	return who
}

// modelMistake returns who made a mistake, when, and which one, or the whole text of another error.
func modelMistake(err error) string {
	var mistake *ross.ModelError
	if !errors.As(err, &mistake) {
		return err.Error()
	}
	return fmt.Sprintf("LP %d at %v: %v", mistake.LP, mistake.Time, mistake.Err)
}

// first returns the error of two ranks that a sequential run has: that of the earlier LP. A rank has the
// errors of its own LPs, and the text of those of others.
func first(a, b error) error {
	var x, y *ross.ModelError
	switch {
	case !errors.As(b, &y):
		return cmp.Or(a, b)
	case errors.As(a, &x) && x.Time < y.Time:
		return a
	}
	return b
}

// sequential runs the model with the sequential scheduler, as Go schedules it.
func (m *worldModel) sequential(strict bool) *outcome {
	o := &outcome{Whole: true}
	in, types := m.instance()
	in.strict = strict
	cfg := m.config(ross.Sequential)
	log, out := newModelLog(), bytes.Buffer{}
	if m.Logs {
		cfg.ModelLog, cfg.Output = log, &out
	}
	o.finish(context.Background(), cfg, in, types, func(*ross.Simulation) error { return nil })
	o.Log, o.Seen = log.text.String(), seen(out.String())
	return o
}

func (m *worldModel) config(synch ross.Scheduler) ross.Config {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.LPs, cfg.End, cfg.Digest = synch, int(m.LPs), m.End, true
	cfg.Streams.PerLP, cfg.ConsLookahead, cfg.MaxMemory, cfg.WarmUp = int(m.Streams), m.Lookahead, plentyOfMemory, m.WarmUp
	if m.Logs {
		cfg.Watch, cfg.WatchLimit = fmt.Sprintf("0,%d@1..", m.LPs-1), 0
	}
	cfg.TypeMap = func(gid ross.LPID) int { return m.kind(gid) }
	cfg.Mapping = mapping.For(func(s mapping.Shape) (mapping.Places, error) {
		return mapping.Places{PE: func(gid uint64) uint64 { return gid * s.PEs / s.LPs }}, nil
	})
	return cfg
}

// finish runs a simulation, and notes what it leaves. It closes it.
func (o *outcome) finish(ctx context.Context, cfg ross.Config, in *instance, types []ross.LPType,
	after func(*ross.Simulation) error) {
	defer func() {
		if r := recover(); r != nil {
			o.Err = errors.Join(o.Err, fmt.Errorf("panic: %v", r))
		}
	}()
	sim, err := ross.New(cfg)
	if err != nil {
		o.Err = err
		return
	}
	defer func() { o.Err = errors.Join(o.Err, sim.Close()) }()
	if err = sim.Define(types...); err == nil {
		err = sim.Run(ctx)
	}
	defer func() { o.Err = errors.Join(o.Err, after(sim)) }()
	if o.Err = err; err != nil {
		if e := runOf(sim); cfg.Statistics != 0 && len(e.PEs) > 0 && e.Cluster.Ranks == 1 {
			o.Err = errors.Join(err, ownFigures(sim))
		}
		return
	}
	s := sim.Summary()
	o.Events, o.States, o.Net = *s.Digest, *s.StateDigest, s.NetEvents()
	o.Commits = in.commits
	if by, at, ok := sim.Stopped(); ok {
		o.Stopped = fmt.Sprintf("by %d at %v", by, at)
	}
	table, err := stats.Collect(sim)
	if err == nil {
		var text strings.Builder
		err = table.WriteCSV(&text)
		o.Table = text.String()
	}
	o.Err = err
}

var errFigures = errors.New("statistics of another LP")

// atFault says what the engine did wrong, however the run has ended, or "".
func (o *outcome) atFault() string {
	if o.Err != nil && (errors.Is(o.Err, errFigures) || strings.Contains(o.Err.Error(), "panic of the engine")) {
		return o.Err.Error()
	}
	return ""
}

// ownFigures returns an error if a histogram has the bins of another one, of a run that an error has ended.
func ownFigures(sim *ross.Simulation) error {
	table, err := runOf(sim).StatisticsOfLPs()
	if err != nil {
		return err
	}
	for _, row := range table.Rows {
		n := uint64(0)
		for _, b := range row.Bins {
			n += b.N
		}
		if len(row.Bins) > 0 && n != row.Count {
			return fmt.Errorf("%w: %s of LP %s has %d recordings, and %d in its bins", errFigures, row.Name, row.Group,
				row.Count, n)
		}
	}
	return nil
}

// play runs a model in a world. folder is where checkpoints are; from says whether it goes on from one.
func (w worldRun) play(t *testing.T, m *worldModel, folder string, from bool) *outcome {
	if w.Synch == ross.Auto && w.Ranks == 1 {
		w.PEs = max(w.PEs, 2) // instead of one it would choose by the machine how many
	}
	in, types := m.instance()
	outcomes, log, outs := make([]*outcome, w.Ranks), newModelLog(), make([]bytes.Buffer, w.Ranks)
	played := turns.Play(t, w.Order, func(tw *turns.World) {
		if w.Most > 0 {
			tw.Most = w.Most
		}
		ctx, cancel := context.WithCancelCause(context.Background()) // in the bubble
		tw.At(math.MaxUint64, func() { cancel(nil) })
		var cluster *worldtest.Cluster
		if w.Ranks > 1 {
			cluster = worldtest.New(w.Ranks, w.Order, w.Late).WithTurns(tw)
			if w.RingWords > 0 {
				cluster.WithRings(w.RingWords, w.Machines)
			}
		}
		over := &overAll{left: w.Ranks, done: make(chan struct{})}
		for rank := range w.Ranks {
			cfg := w.config(m, folder, from)
			if m.Logs {
				cfg.ModelLog, cfg.Output = log, &outs[rank]
			}
			knobs := settings.Knobs{Turn: tw.Turn, Window: w.Keys, RingSize: w.Ring, RemoteWorth: w.Worth,
				Refuse: w.refuse(tw, rank), Moves: w.Shift > 0, Shift: w.Shift, Stretch: w.Stretch, Sweep: w.Sweep}
			var ranks world.World
			if cluster != nil {
				ranks = cluster.Rank(rank)
			}
			cfg = inWorld(cfg, ranks, knobs, nil)
			if w.Harass > 0 {
				cfg = inWorld(cfg, ranks, knobs, harassWith(t, w.PEs, w.Harass, w.Order+uint64(rank)))
			}
			o := &outcome{}
			outcomes[rank] = o
			tw.Go(settings.Main(rank), func() {
				o.finish(ctx, cfg, in, types, func(sim *ross.Simulation) error {
					return over.check(tw, settings.Main(rank), o, sim)
				})
			})
		}
		switch w.Fault {
		case cancels:
			tw.At(w.FaultAt, func() { cancel(errCancelled) })
		case rankDies:
			if cluster != nil {
				tw.At(w.FaultAt, func() { _ = cluster.Rank(0).Abort(9) })
			}
		case diskGone:
			tw.At(w.FaultAt, func() { moveAway(folder) })
		}
	})
	o := *outcomes[0]
	for _, other := range outcomes[1:] {
		o.Err = first(o.Err, other.Err)
		if o.Err == nil && (other.Events != o.Events || other.States != o.States || other.Table != o.Table) {
			o.Err = errors.New("ranks have different results")
		}
	}
	o.Seen = seen(outs[0].String())
	if o.Log = log.text.String(); w.Ranks > 1 {
		o.Log = manyLogs
	}
	o.history = played.History()
	o.hash, o.turns, o.Whole = played.Hash(), played.Turns(), !from
	if played.Fault != "" {
		o.Err = fmt.Errorf("%s\n%s", played.Fault, played.History())
	}
	return &o
}

// overAll has the ranks of a run wait for one another before they close.
type overAll struct {
	left   int
	failed bool
	sims   []*ross.Simulation
	done   chan struct{}
}

// check waits until all ranks have called it, and says what they leak if none has failed.
func (a *overAll) check(tw *turns.World, goroutine int, o *outcome, sim *ross.Simulation) (err error) {
	a.sims, a.failed = append(a.sims, sim), a.failed || o.Err != nil
	if a.left--; a.left > 0 {
		<-a.done
		tw.Turn(goroutine, "over")
		return nil
	}
	if !a.failed {
		err = leaks(a.sims...)
	}
	close(a.done)
	return err
}

// refuse returns what refuses memory to PEs of a rank.
func (w *worldRun) refuse(tw *turns.World, rank int) func(uint64) bool {
	if w.Refuses == 0 {
		return nil
	}
	dice, left := rand.New(rand.NewPCG(w.Order, uint64(rank))), 40
	var lock sync.Mutex // for the race detector: PEs that wait for one another in Init take no turn
	return func(uint64) bool {
		lock.Lock()
		defer lock.Unlock()
		if tw.Current() < 0 || tw.Turns() < w.FaultAt || left == 0 || dice.Float64() >= w.Refuses {
			return false
		}
		left--
		return true
	}
}

var errCancelled = errors.New("cancelled on purpose")

// config returns the settings of a rank.
func (w *worldRun) config(m *worldModel, folder string, from bool) ross.Config {
	cfg := m.config(w.Synch)
	cfg.PEs, cfg.NKP, cfg.Tuning.Batch, cfg.Tuning.GVTInterval, cfg.Tuning.FixedGVT = w.PEs, int(w.NKP), int(w.Batch), int(
		w.GVT), w.FixedGVT
	cfg.Tuning.PQ, cfg.Tuning.Buddy, cfg.MaxMemory = rosstest.Impl(w.PQ), rosstest.Impl(w.Buddy), w.Memory
	cfg.Tuning.AVL, cfg.Tuning.AVLSize = rosstest.Impl(w.AVL), int(w.AVLSize)
	if w.Window > 0 {
		cfg.Tuning.MaxOptLookahead = float64(w.Window)
	}
	switch {
	case w.Mapping == 1:
		cfg.Mapping = mapping.For(func(s mapping.Shape) (mapping.Places, error) {
			return mapping.Places{PE: func(gid uint64) uint64 { return gid % s.PEs }}, nil
		})
	case w.Mapping > 1:
		seed := w.Mapping
		cfg.Mapping = mapping.For(func(s mapping.Shape) (mapping.Places, error) {
			return mapping.Places{PE: func(gid uint64) uint64 { return mixed(gid*seed+seed) % s.PEs }}, nil
		})
	}
	if w.Table {
		cfg.Statistics = ross.StatisticsInReport
	}
	if w.Samples > 0 {
		cfg.Instruments.Engine, cfg.Instruments.Model, cfg.Instruments.KPs, cfg.Instruments.EveryGVTs, cfg.Instruments.Path =
			ross.SampleByGVT, ross.SampleByGVT, true, int(w.Samples), fmt.Sprintf("%s.samples-%v", folder, from)
		if w.Samples%2 == 1 { // also a trace, of all executions or of what committed, often an exact one
			cfg.Instruments.Trace = [...]ross.TraceKind{ross.TraceAll, ross.TraceCommitted}[w.Samples/2%2]
			cfg.Instruments.TraceExact = w.Samples%3 > 0
		}
	}
	if w.Every > 0 || from {
		cfg.Checkpoints.Name, cfg.Checkpoints.Keep = filepath.Join(folder, "run"), 2
		cfg.Checkpoints.VirtualInterval = w.Every
		if from {
			cfg.Checkpoints.Restart = "latest"
		}
	}
	return cfg
}
