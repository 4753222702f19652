// This file is the entrance of the tests of this package, which run whole simulations through package ross, and says
// which of them are run where all, or few of their cases, would take too long. And it has the workloads of the
// equivalence tests: two models of some 160,000 events, one with times that are all different and one in which
// thousands of events tie.

package run_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/ranks/world"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/run/inside"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
)

func runOf(sim *ross.Simulation) *run.Engine { return inside.Ross.Engine(sim) }
func engineOf(pe *ross.PE) *run.PE           { return inside.Ross.PE(pe) }
func kernelOf(lp *ross.LP) *kernel.LP        { return inside.LP(lp) }
func knobsOf(c *ross.Config) *inside.Knobs   { return inside.Ross.Knobs(c) }

// settingsOf returns settings with the scheduler of a configuration.
func settingsOf(c ross.Config) *settings.Settings {
	return &settings.Settings{Synch: settings.Scheduler(c.Synch)}
}

// inWorld returns c with other ranks, nil for none, with knobs, and with what each PE calls in each turn
// of an optimistic run.
func inWorld(c ross.Config, ranks world.World, knobs settings.Knobs, disturb func(pe *run.PE)) ross.Config {
	*knobsOf(&c) = inside.Knobs{Knobs: knobs, World: ranks, Disturb: disturb}
	return c
}

// withWindow returns c with an event queue that hands over about n keys at a time.
func withWindow(c ross.Config, n int) ross.Config {
	knobsOf(&c).Window = n
	return c
}

// engineBytes returns the memory of events, lineages and the pending-event set of all PEs.
func engineBytes(s *ross.Simulation) (bytes uint64) {
	for _, pe := range runOf(s).Locals {
		bytes += pe.Arena.Bytes() + pe.Queue.Bytes()
	}
	return bytes
}

// peakEvents returns the most events that were allocated at once.
func peakEvents(s *ross.Simulation) (n uint64) {
	for _, pe := range runOf(s).Locals {
		n += uint64(pe.Arena.Peak())
	}
	return n
}

// liveEvents returns how many events are allocated.
func liveEvents(s *ross.Simulation) (n uint64) {
	for _, pe := range runOf(s).Locals {
		n += uint64(pe.Arena.Live())
	}
	return n
}

// lineageNodes returns how many tie-breakers of chains without delay are kept.
func lineageNodes(s *ross.Simulation) (n uint64) {
	for _, pe := range runOf(s).Locals {
		n += uint64(pe.Arena.Lines.Live())
	}
	return n
}

// checkPools verifies the pools of all PEs, at a cost of O(events).
func checkPools(s *ross.Simulation) error {
	for _, pe := range runOf(s).Locals {
		if err := pe.Arena.Check(); err != nil {
			return err
		}
	}
	return nil
}

// forget drops the lineages that the PE holds for the bounds it knows of.
func forget(pe *run.PE) {
	for i, node := range pe.Published {
		pe.Arena.Lines.Drop(node)
		pe.Published[i] = 0
	}
	if pe.Remote != nil {
		for _, p := range pe.Remote.Peers.All {
			if p != nil {
				pe.Arena.Lines.Drop(p.LastSent)
				pe.Arena.Lines.Drop(p.LastCame)
				p.LastSent, p.LastCame = 0, 0
			}
		}
	}
	for _, stop := range pe.Stops.Events {
		pe.Arena.Lines.Drop(stop.Node)
	}
	pe.Stops.Events = nil
	pe.SetRedMin(gvt.Max)
	pe.Bound = gvt.Max
}

// This file has short names for what the tests of this package use most.

type (
	none = rosstest.None
	word = rosstest.Word
)

// raced are the tests that run under the race detector where few cases run; otherwise there are none.
var raced []func(*testing.T)

// TestMain has AddressSanitizer look at the tests in which memory changes hands; with them run those that assertions
// leave out, as make test runs all others with assertions. Tests of the engine count on the PEs that they ask for, also
// where processors are few: KPs do not move unless a test says so. Those of the models run as users do.
func TestMain(m *testing.M) {
	testlevel.Only(testlevel.Least,
		TestForcedRollbacksChangeNothing, TestForcedRollbacksOnRanksChangeNothing,
		TestLargeMessagesBetweenRanks, TestCheckpointsHoldMessagesAsTheyWereSent,
		TestABlockThatFindsNoMemoryIsLent,
		TestMessagesOfAllSizesArriveIntact, TestTypesOfOneRunKeepTheirOwnMessages,
		TestMessageMayBeScratch,
		TestEventsDoNotAllocate, TestSendDoesNotAllocate, TestLogThatNobodyWantsAllocatesNothing,
		TestAThousandPEsCommitWhatOneDoes, TestParallelRunsCommitWhatASequentialOneDoes)
	testlevel.Only(testlevel.Few, raced...)
	settings.KPsMove = false
	os.Exit(m.Run())
}

// loadStart is the number of events of an LP at the start: each event is ten times as expensive under the race detector
// and AddressSanitizer.
var loadStart = racetest.Pick(16, 2)

// largestWorld is the number of ranks that one process has in tests. There, it has address space for the regions of
// few.
var largestWorld = racetest.Pick(512, 32)

const loadLPs = 1024

// loadMsg is a message with padding between its fields and after them.
type loadMsg struct {
	class uint8 // index into classes
	value uint64
	tail  uint16
}

// classes are the priorities in use: on the grid of the queue's keys and off it.
var classes = [...]float64{0, 0.25, 0.3, 0.30000001, 1}

const lastClass = len(classes) - 1

// chainProbability is that of another event without delay, by class.
var chainProbability = [len(classes)]float64{0.4, 0.4, 0.4, 0.4, 0.85}

// loadState counts, so that each message can differ from all others.
type loadState struct{ sent, handled uint64 }

// parcel is an event on its way out.
type parcel struct {
	dst   ross.LPID
	delay float64
	msg   loadMsg
}

// load is a model and what tests vary of it. Only change, tied and end may have
// an effect on the digest.
type load struct {
	tied     bool
	end      float64
	change   func(lp *ross.LP, n uint64, p *parcel) // alters the n-th parcel of an LP
	inPreRun int                                    // of loadStart, how many PreRun sends instead of Init
	dirt     byte                                   // in the padding of messages
	commit   func(s *loadState, lp *ross.LP, bits *ross.Bits, m *loadMsg)

	dirty int // messages that arrived with padding that held dirt
}

// spreadLoad has PHOLD's delays and no two equal times.
func spreadLoad() *load { return &load{end: 10} }

// tiedLoad has whole times, five priorities, and chains without delay, those of
// the last priority longer than ROSS allows.
func tiedLoad() *load { return &load{tied: true, end: 4} }

var loads = map[string]func() *load{"spread": spreadLoad, "tied": tiedLoad}

func (l *load) lpType() ross.LPType {
	return ross.Type[loadState]{
		Name: "load",
		Init: func(s *loadState, lp *ross.LP) {
			for range loadStart - l.inPreRun {
				l.start(s, lp)
			}
		},
		PreRun: func(s *loadState, lp *ross.LP) {
			for range l.inPreRun {
				l.start(s, lp)
			}
		},
		Event: ross.OnUndo(l.event).Reverse(func(s *loadState, _ *ross.LP, _ *ross.Bits, _ *loadMsg) {
			s.handled--
			s.sent--
		}).Commit(l.commit).Trace(func(_ *ross.LP, _ ross.TraceKind, m *loadMsg, buf []byte) bool {
			buf[0] = m.class
			return true
		}),
		TraceSize: 1,
	}
}

func (l *load) start(s *loadState, lp *ross.LP) {
	p := parcel{dst: lp.ID(), delay: 1, msg: loadMsg{class: uint8(lastClass)}}
	if l.tied {
		p.msg.class = uint8(lp.RNG().Integer(0, int64(lastClass)))
	} else {
		p.delay = lp.RNG().Exponential(1) + 0.1
	}
	l.send(s, lp, p)
}

func (l *load) event(s *loadState, lp *ross.LP, _ *ross.Bits, m *loadMsg) {
	s.handled++
	if l.dirt != 0 && padding(m)[0] == l.dirt {
		l.dirty++
	}
	p := parcel{dst: lp.ID(), msg: loadMsg{class: m.class}}
	if lp.RNG().Unif() <= 0.5 {
		p.dst = ross.LPID(lp.RNG().Integer(0, loadLPs-1))
	}
	switch {
	case !l.tied:
		p.delay = lp.RNG().Exponential(0.9) + 0.1
	case lp.RNG().Unif() <= chainProbability[m.class]: // no delay, and so no lower priority
		p.msg.class = uint8(lp.RNG().Integer(int64(m.class), int64(lastClass)))
	default:
		p.delay = 1
		p.msg.class = uint8(lp.RNG().Integer(0, int64(lastClass)))
	}
	l.send(s, lp, p)
}

// send gives a parcel its payload and sends it, those of default priority
// through NewEvent.
func (l *load) send(s *loadState, lp *ross.LP, p parcel) {
	s.sent++
	p.msg.value, p.msg.tail = uint64(lp.ID())<<32|s.sent, uint16(s.sent)
	if l.change != nil {
		l.change(lp, s.sent, &p)
	}
	if prio := classes[p.msg.class]; prio != ross.DefaultPriority {
		ross.SendPriority(lp, p.dst, p.delay, prio, p.msg)
		return
	}
	m := ross.NewEvent[loadMsg](lp, p.dst, p.delay)
	if l.dirt != 0 {
		for i := range padding(m) {
			padding(m)[i] = l.dirt
		}
	}
	m.class, m.value, m.tail = p.msg.class, p.msg.value, p.msg.tail
}

// padding returns the bytes of a message between its first two fields.
func padding(m *loadMsg) []byte {
	const from = unsafe.Offsetof(m.class) + unsafe.Sizeof(m.class)
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(m), from)), unsafe.Offsetof(m.value)-from)
}

// run runs a load and returns the digest of its committed events and their
// number. configure may be nil.
func (l *load) run(t testing.TB, configure func(*ross.Config)) (digest, events uint64) {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Digest = loadLPs, l.end, true
	if configure != nil {
		configure(&cfg)
	}
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(l.lpType()))
	require.NoError(t, sim.Run(context.Background()))
	st := sim.Summary()
	require.NotNil(t, st.Digest)
	requireNoLeak(t, sim)
	return *st.Digest, st.NetEvents()
}

// requireNoLeak shows that every event, lineage node and channel of a finished
// run is accounted for.
func requireNoLeak(t testing.TB, ranks ...*ross.Simulation) {
	t.Helper()
	for _, s := range ranks {
		requireBalanced(t, s)
	}
	require.NoError(t, leaks(ranks...))
	for _, s := range ranks {
		for _, pe := range runOf(s).Locals {
			require.Zero(t, pe.Queue.Len(), "events were left")
		}
	}
}

// leaks says what the ranks of a run have not freed or received. Events stay in the queue if the run was stopped, or if
// they come after its end and a checkpoint could have them.
func leaks(ranks ...*ross.Simulation) (err error) {
	live, left, gave, nodes := int64(0), int64(0), int64(0), uint32(0)
	for _, s := range ranks {
		for _, pe := range runOf(s).Locals {
			forget(pe)
			live += int64(pe.Arena.Peak()) - int64(pe.Arena.Freed())
			left += int64(pe.Queue.Len())
			gave += pe.Channels.Balance
			nodes += pe.Arena.Lines.Live()
		}
		err = errors.Join(err, runOf(s).Space.Check())
	}
	if gave != 0 || live != left || left == 0 && nodes != 0 {
		err = errors.Join(err, fmt.Errorf("%d events lost on their way; %d events and %d lineage nodes leaked",
			gave, live-left, nodes))
	}
	return err
}

// digest is run without the number.
func (l *load) digest(t testing.TB, configure func(*ross.Config)) uint64 {
	t.Helper()
	d, _ := l.run(t, configure)
	return d
}

var plainRuns, plainNumber = map[string]uint64{}, map[string]uint64{}

// plainDigest returns the digest of a load as it comes.
func plainDigest(t testing.TB, name string) uint64 {
	t.Helper()
	if _, known := plainRuns[name]; !known {
		plainRuns[name], plainNumber[name] = loads[name]().run(t, nil)
	}
	return plainRuns[name]
}

// plainEvents returns how many events that is.
func plainEvents(t testing.TB, name string) uint64 {
	t.Helper()
	plainDigest(t, name)
	return plainNumber[name]
}

// permutation returns a random order of the LPs and prints its seed.
func permutation(t testing.TB) []int {
	seed := testrand.Seed(t)
	return rand.New(rand.NewPCG(seed, 0)).Perm(loadLPs)
}
