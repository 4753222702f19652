// Worlds: random models run in random configurations, in an order of turns that a seed decides, while things go wrong.
// Each run must leave what a sequential run leaves. What the LPs of worlds have besides their own fields is here too:
// containers, many timers, statistics of all kinds, and the model's log.
//
//	ROSS_WORLDS=1000 go test -run Worlds ./internal/run            more seeds
//	ROSS_WORLDS=7-7 go test -v -run Worlds ./internal/run          one seed
//	ROSS_WORLD='{...}' go test -v -run Worlds ./internal/run       a case that a failure has printed
//
// testdata/worlds has cases that once failed, as they were printed.

package run_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/avl"
	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/sys/ticks"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/pq"
	"github.com/ross-go/ross/stats"
)

// worldCase is all that a seed stands for.
type worldCase struct {
	Model worldModel
	Run   worldRun
}

func randomCase(seed uint64) worldCase {
	c := worldCase{Model: randomModel(seed)}
	c.Run = randomRun(seed, &c.Model)
	return c
}

// check runs a case, and says what is wrong, or "".
func (c worldCase) check(t *testing.T) (wrong string, o *outcome) {
	want := c.Model.sequential(c.Run.strict())
	if want.Err != nil && modelMistake(want.Err) == want.Err.Error() {
		return fmt.Sprintf("the sequential run fails: %v", want.Err), want
	}
	folder := filepath.Join(t.TempDir(), "checkpoints")
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err.Error(), want
	}
	o = c.Run.play(t, &c.Model, folder, false)
	if wrong = o.atFault(); wrong != "" {
		return wrong, o
	}
	if o.Err != nil && c.Run.expects(o.Err) {
		if c.Run.Again == nil {
			return "", o
		}
		again := *c.Run.Again
		next := again.play(t, &c.Model, folder, true)
		if wrong = next.atFault(); wrong != "" {
			return "after a restart: " + wrong, next
		}
		if next.Err != nil && again.expects(next.Err) {
			return "", o
		}
		if again.strict() != c.Run.strict() {
			want = c.Model.sequential(again.strict())
		}
		if wrong = next.differs(want); wrong != "" {
			wrong = "after a restart: " + wrong
		}
		return wrong, o
	}
	if c.Run.Synch == ross.OptimisticDebug { // which commits nothing
		return o.undone(want), o
	}
	return o.differs(want), o
}

// expects reports whether the fault of the run may end it with an error.
func (w *worldRun) expects(err error) bool {
	// another rank's is a text
	if (w.Refuses > 0 || w.Memory < plentyOfMemory) && strings.Contains(err.Error(), ross.ErrMemory.Error()) {
		return true
	}
	switch w.Fault {
	case cancels:
		return errors.Is(err, errCancelled)
	case rankDies:
		return w.Ranks > 1
	}
	return false
}

func moveAway(folder string) {
	_ = os.Rename(folder, folder+".gone")
}

// seeds returns the first and the last seed to try.
func seeds(t *testing.T) (first, last uint64) {
	first, last = 1, uint64(testlevel.Times(200, 24))
	text := os.Getenv("ROSS_WORLDS")
	if text == "" {
		return first, last
	}
	a, b, isRange := strings.Cut(text, "-")
	if !isRange {
		a, b = "1", text
	}
	var err, other error
	first, err = strconv.ParseUint(a, 10, 64)
	last, other = strconv.ParseUint(b, 10, 64)
	require.NoError(t, errors.Join(err, other), "ROSS_WORLDS=%s: give a number of seeds, or the first and the last: 7-7",
		text)
	return first, last
}

// worldsSeeClocks measures clocks before a test enters a world, which has another one.
func worldsSeeClocks() {
	meter.ClockCost()
	ticks.NewClock(time.Now())
}

func TestWorldsLeaveWhatASequentialRunLeaves(t *testing.T) {
	worldsSeeClocks()
	if text := os.Getenv("ROSS_WORLD"); text != "" {
		requireWorld(t, []byte(text))
		return
	}
	first, last := seeds(t)
	for seed := first; seed <= last; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			c := randomCase(seed)
			wrong, o := c.check(t)
			if wrong != "" {
				t.Logf("it fails, and is made simpler now, which may take minutes: %s", wrong)
				least := c.shrunk(t)
				text, err := json.Marshal(least)
				require.NoError(t, err)
				wrong, o = least.check(t)
				t.Fatalf("%s\nROSS_WORLD='%s'\n%s", wrong, text, o.history)
			}
			t.Logf("%d turns, %d events, fault %q, error: %v", o.turns, o.Net, c.Run.Fault, o.Err)
		})
	}
}

// requireWorld runs a case that has been printed.
func requireWorld(t *testing.T, text []byte) {
	t.Helper()
	var c worldCase
	require.NoError(t, json.Unmarshal(text, &c))
	for w := &c.Run; w != nil; w = w.Again { // a build without C has one queue
		if !slices.Contains(pq.Impls(), w.PQ) {
			w.PQ = pq.Impls()[0]
			w.AVL, w.Buddy = avl.Impls()[0], buddy.Impls()[0]
		}
	}
	wrong, o := c.check(t)
	require.Empty(t, wrong, "%s", o.history)
}

func TestWorldsThatFailedOnce(t *testing.T) {
	worldsSeeClocks()
	names, err := filepath.Glob("testdata/worlds/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			requireWorld(t, text)
		})
	}
}

func TestAWorldIsTheSameAgain(t *testing.T) {
	testlevel.Once(t, "what worlds promise")
	worldsSeeClocks()
	const first, last = 1, 10
	met := map[uint64]bool{}
	for seed := uint64(first); seed <= last; seed++ {
		c := randomCase(seed)
		_, a := c.check(t)
		_, b := c.check(t)
		require.Equal(t, a.hash, b.hash, "seed %d:\n%s\n\nnot\n\n%s", seed, a.history, b.history)
		require.Equal(t, a.turns, b.turns)
		met[a.hash] = true
	}
	require.Greater(t, len(met), last/2, "worlds of different seeds are alike")
}

// A case that fails is made simpler as long as it still fails.

// shrunk returns the simplest case found that still fails.
func (c worldCase) shrunk(t *testing.T) worldCase {
	const tries = 400
	left := tries
	for found := true; found; {
		found = false
		for _, simpler := range c.simpler() {
			if left--; left < 0 {
				return c
			}
			if wrong, _ := simpler.check(t); wrong != "" {
				c, found = simpler, true
				break
			}
		}
	}
	return c
}

// simpler returns cases that are simpler in one way each, those that are much simpler first.
func (c worldCase) simpler() (all []worldCase) {
	m, w := c.Model, c.Run
	model := func(change func(m *worldModel)) {
		n := c
		n.Model.Kinds = slices.Clone(m.Kinds)
		if change(&n.Model); !n.equal(c) {
			all = append(all, n)
		}
	}
	run := func(change func(w *worldRun)) {
		n := c
		if w.Again != nil {
			again := *w.Again
			n.Run.Again = &again
		}
		if change(&n.Run); !n.equal(c) {
			all = append(all, n)
		}
	}
	if w.Again != nil {
		run(func(w *worldRun) { w.Again = nil })
	}
	run(func(w *worldRun) { w.Fault, w.Every = noFault, 0 })
	for _, part := range []float64{0.5, 0.8, 0.95} {
		model(func(m *worldModel) { m.End *= part })
	}
	model(func(m *worldModel) { m.LPs = (m.LPs + 1) / 2 })
	model(func(m *worldModel) { m.LPs = max(m.LPs-1, 1) })
	model(func(m *worldModel) { m.Population = (m.Population + 1) / 2 })
	for i := range m.Kinds {
		if len(m.Kinds) > 1 {
			model(func(m *worldModel) { m.Kinds = slices.Delete(m.Kinds, i, i+1) })
		}
		model(func(m *worldModel) { m.Kinds[i] = worldKind{Undo: m.Kinds[i].Undo} })
		model(func(m *worldModel) { m.Kinds[i].Undo = byDelta })
	}
	for _, field := range []func(*worldModel) *float64{
		func(m *worldModel) *float64 { return &m.Zero }, func(m *worldModel) *float64 { return &m.Grid },
		func(m *worldModel) *float64 { return &m.Priorities }, func(m *worldModel) *float64 { return &m.Burst },
		func(m *worldModel) *float64 { return &m.Far }, func(m *worldModel) *float64 { return &m.Suspend },
		func(m *worldModel) *float64 { return &m.StopFrom }, func(m *worldModel) *float64 { return &m.FailFrom },
		func(m *worldModel) *float64 { return &m.Remote }, func(m *worldModel) *float64 { return &m.WarmUp },
		func(m *worldModel) *float64 { return &m.Below }, func(m *worldModel) *float64 { return &m.CommitFails },
	} {
		model(func(m *worldModel) { *field(m) = 0 })
	}
	model(func(m *worldModel) { m.Streams = 1 })
	model(func(m *worldModel) { m.Logs = false })
	run(func(w *worldRun) { w.Ranks, w.RingWords = 1, 0 })
	run(func(w *worldRun) { w.Ranks = min(w.Ranks, 2) })
	run(func(w *worldRun) { w.PEs = (w.PEs + 1) / 2 })
	run(func(w *worldRun) { w.Harass = 0 })
	run(func(w *worldRun) { w.NKP = 1 })
	run(func(w *worldRun) { w.Mapping = 0 })
	run(func(w *worldRun) { w.Batch = 1 })
	run(func(w *worldRun) { w.Window = 0 })
	run(func(w *worldRun) { w.Late, w.RingWords, w.Worth = 0, 0, 0 })
	run(func(w *worldRun) { w.Ring, w.Keys = 0, 0 })
	run(func(w *worldRun) { w.Shift = 0 })
	run(func(w *worldRun) { w.Sweep = 0 })
	run(func(w *worldRun) { w.Stretch /= 2 })
	run(func(w *worldRun) { w.Samples, w.Table = 0, false })
	run(func(w *worldRun) { w.FaultAt /= 2 })
	if w.Synch != ross.Conservative {
		run(func(w *worldRun) { w.Synch = ross.Optimistic })
	}
	// Every second one with another order as well: a change of anything else changes what an order means.
	order := rand.Uint64()
	for i, other := range all {
		if i%2 == 0 {
			other.Run.Order = order
			all = append(all, other)
		}
	}
	return all
}

func (c worldCase) equal(o worldCase) bool {
	if !slices.Equal(c.Model.Kinds, o.Model.Kinds) {
		return false
	}
	a, b := c, o
	a.Model.Kinds, b.Model.Kinds = nil, nil
	if (a.Run.Again == nil) != (b.Run.Again == nil) {
		return false
	}
	if a.Run.Again != nil && *a.Run.Again != *b.Run.Again {
		return false
	}
	a.Run.Again, b.Run.Again = nil, nil
	x, y := a.Model, b.Model
	return a.Run == b.Run && x.LPs == y.LPs && x.Population == y.Population && x.End == y.End && x.Streams == y.Streams &&
		x.Zero == y.Zero && x.Grid == y.Grid && x.Priorities == y.Priorities && x.Burst == y.Burst && x.Far == y.Far &&
		x.Suspend == y.Suspend && x.StopFrom == y.StopFrom && x.FailFrom == y.FailFrom && x.Remote == y.Remote &&
		x.WarmUp == y.WarmUp && x.Below == y.Below && x.CommitFails == y.CommitFails && x.Logs == y.Logs
}

// What worlds have found, each as a test of its own.

// tallied is a state that begins with a statistic.
type tallied struct {
	Delays stats.Tally
	Count  stats.Counter
	Events uint64
}

// TestAnEventThatPanicsRecordsNothing has an event panic after it has recorded. The engine undoes it, and
// keeps a note of the panic where the recordings were.
func TestAnEventThatPanicsRecordsNothing(t *testing.T) {
	for _, saving := range []ross.Saving{ross.SaveByDelta, ross.SaveByLog} {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.NLP, cfg.End, cfg.MaxMemory = ross.Optimistic, 1, 20, 64<<20
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		require.NoError(t, sim.Define(ross.Type[tallied]{
			Name: "tallied", Saving: saving,
			Init: func(_ *tallied, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, hop{}) },
			Event: ross.On(func(s *tallied, lp *ross.LP, m *hop) {
				ross.Save(lp, &s.Events)
				s.Events++
				for range 3 {
					s.Count.Inc(lp)
					s.Delays.Add(lp, 1)
				}
				if s.Events == 9 {
					panic("on purpose")
				}
				ross.Send(lp, lp.ID(), 1, *m)
			}),
		}))
		require.ErrorIs(t, sim.Run(context.Background()), ross.ErrPanic)
		s := ross.StateOf[tallied](sim.LP(0))
		require.Equal(t, uint64(24), s.Delays.Count(), saving)
		require.Equal(t, uint64(24), s.Count.Count(), saving)
		require.NoError(t, sim.Close())
	}
}

type hop struct{ N uint64 }

// TestAllPEsLeaveWhenTheirRankLosesTheOthers has ranks of several PEs that talk through rings, in which a
// PE does not find out by itself that another rank is gone.
func TestAllPEsLeaveWhenTheirRankLosesTheOthers(t *testing.T) {
	m := worldModel{LPs: 16, Population: 3, Kinds: []worldKind{{Undo: byDelta}}, Streams: 1, End: 1e6, Lookahead: 0.25,
		Remote: 0.5}
	for order := range uint64(20) {
		for _, synch := range []ross.Scheduler{ross.Conservative, ross.Optimistic} {
			w := worldRun{
				Order: order, Synch: synch, Ranks: 2, PEs: 2, NKP: 2, Batch: 4, GVT: 4, PQ: "go", Memory: 64 << 20,
				RingWords: 64, Machines: 1, Fault: rankDies, FaultAt: 400 + 50*order,
			}
			o := w.play(t, &m, t.TempDir(), false)
			require.True(t, errors.Is(o.Err, worldtest.ErrAborted), fmt.Sprint(order, o.Err))
		}
	}
}

// things are part of the state of an LP.
type things struct {
	Line    container.Queue[uint64]
	Pile    container.Stack[container.Queue[uint32]]
	Heap    container.Heap[float64, uint64]
	Ranking container.IndexedHeap[float64, words2]
	Ranked  container.Queue[container.Handle]
	Marks   container.Bitset
	Slab    container.Slab[words9]
	Seen    container.Set[uint32]
	Alarms  container.Map[uint64, ross.Timer]

	Sizes stats.Histogram
	Work  stats.Series
	Parts [2]stats.Series `ross:"parts,u,every=0.5"`
	Stock [2]stats.Level  `ross:"stock,,every=0.25,q=0.5;0.9,total=all stock"`
	Notes []uint64        `ross:"-"`
}

// ways to change containers, each by a number that follows from the event.
var changes = []func(s *things, lp *ross.LP, x uint64){
	func(s *things, lp *ross.LP, x uint64) { s.Line.Push(lp, x) },
	func(s *things, lp *ross.LP, x uint64) { s.Line.PushFront(lp, x) },
	func(s *things, lp *ross.LP, _ uint64) { s.Line.Pop(lp) },
	func(s *things, lp *ross.LP, x uint64) {
		if n := s.Line.Len(); n > 0 {
			*s.Line.Edit(lp, int(x%uint64(n))) ^= x
		}
		if s.Line.Len() > 24 {
			s.Line.Clear(lp)
		}
	},
	func(s *things, lp *ross.LP, x uint64) {
		if s.Pile.Len() < 3 {
			s.Pile.Push(lp, container.Queue[uint32]{})
		}
		s.Pile.At(lp, int(x%uint64(s.Pile.Len()))).Push(lp, uint32(x))
	},
	func(s *things, lp *ross.LP, _ uint64) {
		if n := s.Pile.Len(); n > 0 {
			s.Pile.At(lp, n-1).Clear(lp)
			s.Pile.Pop(lp)
		}
	},
	func(s *things, lp *ross.LP, x uint64) { s.Heap.Push(lp, float64(x%16), x) },
	func(s *things, lp *ross.LP, _ uint64) { s.Heap.Pop(lp) },
	func(s *things, lp *ross.LP, x uint64) {
		s.Ranked.Push(lp, s.Ranking.Push(lp, float64(x%32), words2{x}))
	},
	func(s *things, lp *ross.LP, x uint64) {
		h, ok := s.Ranked.Pop(lp)
		switch {
		case !ok:
		case x%2 == 0:
			s.Ranking.Remove(lp, h)
		case s.Ranking.Fix(lp, h, float64(x%64)):
			s.Ranking.Edit(lp, h)[1]++
			s.Ranked.Push(lp, h)
		}
	},
	func(s *things, lp *ross.LP, _ uint64) { s.Ranking.Pop(lp) },
	func(s *things, lp *ross.LP, x uint64) { s.Marks.Set(lp, int(x%300)) },
	func(s *things, lp *ross.LP, x uint64) { s.Marks.Unset(lp, int(x%300)) },
	func(s *things, lp *ross.LP, x uint64) {
		if h := s.Slab.Add(lp, words9{x}); x%2 == 0 {
			s.Slab.Remove(lp, h)
		} else {
			s.Slab.Edit(lp, h)[3] = x
		}
		if s.Slab.Len() > 16 {
			s.Slab.Clear(lp)
		}
	},
	func(s *things, lp *ross.LP, x uint64) { s.Seen.Add(lp, uint32(x%64)) },
	func(s *things, lp *ross.LP, x uint64) { s.Seen.Delete(lp, uint32(x%64)) },
}

// changeThings changes up to three containers.
func changeThings(s *things, lp *ross.LP, tag uint64) {
	x := mixed(tag + 5)
	for range 1 + x%3 {
		x = mixed(x*3 + 1)
		changes[x>>8%uint64(len(changes))](s, lp, x>>20)
	}
}

// alarmTag marks the events of timers that send nothing.
const alarmTag = 0xa5 << 56

var errTimer = errors.New("a timer that is pending was not cancelled, or one twice")

// setAlarms cancels a timer, and starts others. It cancels one of them at once.
func setAlarms(s *things, lp *ross.LP, tag uint64, after func(delay float64, tag uint64) ross.Timer) {
	x := mixed(tag + 11)
	key := x % 8
	if old, ok := s.Alarms.Get(lp, key); ok {
		if was := old.Pending(lp); old.Cancel(lp) != was || old.Cancel(lp) {
			lp.Fail(errTimer)
		}
		s.Alarms.Delete(lp, key)
	}
	if x>>8%3 == 0 && s.Alarms.Len() < 6 {
		delays := []float64{0, 0.25, 1, 3, 1e3, 1e-300, 0.7}
		s.Alarms.Put(lp, key, after(delays[x>>16%uint64(len(delays))], x>>8|alarmTag))
	}
	if x>>24%4 == 0 {
		if t := after(0, x>>8|alarmTag); !t.Cancel(lp) {
			lp.Fail(errTimer)
		}
	}
}

// recordThings records in statistics.
func recordThings(s *things, lp *ross.LP, tag uint64) {
	s.Sizes.Add(lp, (lp.Now()-lp.SentAt())*float64(int64(tag%5)-1))
	s.Work.Add(lp, float64(tag%1000)*1e-3)
	s.Parts[tag&1].Add(lp, lp.Now())
	s.Stock[tag&1].Add(lp, float64(int64(tag%7)-3))
	if tag%16 == 3 {
		_ = lp.RNG().NormalSD(0, 1) // which draws two numbers, or keeps one
	}
}

// modelLog collects the model's log as text. It leaves out the numbers of PEs, which differ between layouts.
type modelLog struct {
	lock sync.Mutex
	text bytes.Buffer
	to   slog.Handler
}

func newModelLog() *modelLog {
	l := &modelLog{}
	l.to = slog.NewTextHandler(&l.text, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == "pe" || a.Key == slog.LevelKey {
			return slog.Attr{}
		}
		return a
	}})
	return l
}

func (l *modelLog) Enabled(context.Context, slog.Level) bool { return true }
func (l *modelLog) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l *modelLog) WithGroup(string) slog.Handler            { return l }
func (l *modelLog) Handle(ctx context.Context, r slog.Record) error {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.to.Handle(ctx, r)
}
