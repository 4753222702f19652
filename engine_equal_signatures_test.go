// This file pins what happens to events of equal signatures, which only sender, receiver
// and time of sending tell apart: LPs whose streams of tie-breakers are the same make them
// all the time, as do jobs that were appended to one another.

package ross

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/world/worldtest"
	"github.com/ross-go/ross/rng"
)

// twins is a model whose LPs draw the same tie-breakers at the same times.
type twins struct {
	lps     uint64
	end     float64
	streams []rng.CLCG4
}

type twinState struct {
	Hash uint64
	At   float64 // time of the last event
	Nth  int     // how many events there were at that time before
	N    int     // events
}

type twinMsg struct{ Value uint64 }

const twinLPs = 24

func newTwins() *twins {
	w := &twins{lps: twinLPs, end: 4}
	cfg := DefaultConfig()
	cfg.NLP = 64
	sim, err := New(cfg)
	if err != nil {
		panic(err)
	}
	defer func() { _ = sim.Close() }()
	if err := sim.Define(Type[twinState, twinMsg]{Event: func(*twinState, *LP, *Bits, *twinMsg) {}}); err != nil {
		panic(err)
	}
	for i := range 64 {
		w.streams = append(w.streams, sim.LP(LPID(i)).k.Core)
	}
	return w
}

// align sets the stream of tie-breakers to one that depends on the time only, and on how
// many events the LP has had at that time. The event ends with restore: the engine undoes draws, and
// cannot undo that the stream is another one.
func (w *twins) align(lp *LP, nth int) (restore func()) {
	was := lp.k.Core
	restore = func() { lp.k.Core = was }
	lp.k.Core = w.streams[(int(lp.Now())*5+nth)%len(w.streams)]
	return restore
}

func (w *twins) init(s *twinState, lp *LP) {
	s.At = -1
	lp.k.Core = w.streams[0]
	for i := range uint64(3) {
		Send(lp, LPID((uint64(lp.ID())*(i+1)+i)%w.lps), 1, twinMsg{uint64(lp.ID())*3 + i})
	}
}

func (w *twins) event(s *twinState, lp *LP, _ *Bits, m *twinMsg) {
	if s.At != lp.Now() {
		s.At, s.Nth = lp.Now(), 0
	}
	defer w.align(lp, s.Nth)()
	s.Hash = s.Hash*6364136223846793005 + m.Value + uint64(lp.ID())
	s.Nth++
	s.N++
	if s.Nth > 12 { // no avalanches
		return
	}
	Send(lp, LPID((s.Hash>>32+m.Value)%w.lps), 1, twinMsg{s.Hash >> 7})
	if s.Hash>>60 < 4 {
		Send(lp, LPID((s.Hash>>40)%w.lps), 0, twinMsg{s.Hash >> 9})
	}
}

func (w *twins) types() []LPType {
	of := func(name string, saving Saving) LPType {
		return Type[twinState, twinMsg]{Name: name, Init: w.init, Event: w.event, Saving: saving}
	}
	return []LPType{of("undone", SaveByDelta), of("final", SaveNever)}
}

func (w *twins) configure(synch, pes int) Config {
	cfg := DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.Digest = Scheduler(synch), pes, w.lps/uint64(pes), 2, w.end, true
	cfg.ConsLookahead = 0
	cfg.TypeMap = func(gid LPID) int { return int(gid) % 3 / 2 }
	return cfg
}

func TestEventsOfEqualSignatureAreHandledInOneOrder(t *testing.T) {
	w := newTwins()
	outcome := func(cfg Config) (digest uint64, states []twinState) {
		sim, err := New(cfg)
		require.NoError(t, err)
		defer func() { _ = sim.Close() }()
		require.NoError(t, sim.Define(w.types()...))
		require.NoError(t, sim.Run(t.Context()))
		for gid := range w.lps {
			states = append(states, *StateOf[twinState](sim.LP(LPID(gid))))
		}
		return *sim.Stats().Digest, states
	}
	digest, states := outcome(w.configure(1, 1))
	for _, c := range []struct{ synch, pes int }{{2, 2}, {2, 3}, {2, 4}, {3, 3}, {3, 4}, {5, 3}} {
		if testlevel.Is(testlevel.Few) && c.pes != 3 {
			continue
		}
		t.Run(fmt.Sprintf("synch=%d/pes=%d", c.synch, c.pes), func(t *testing.T) {
			modeltest.Watch(t)
			for _, tiny := range []bool{false, true} {
				cfg := w.configure(c.synch, c.pes)
				if c.synch != 2 {
					cfg.knobs.disturb = harass(t, c.pes, 0.1)
				}
				if tiny {
					cfg.knobs.RingSize, cfg.Batch, cfg.GVTInterval = 1, 1, 1
				}
				got, gotStates := outcome(cfg)
				require.Equal(t, states, gotStates)
				require.Equal(t, digest, got)
			}
		})
	}
	for _, synch := range []int{2, 3} {
		t.Run(fmt.Sprintf("synch=%d/ranks", synch), func(t *testing.T) {
			modeltest.Watch(t)
			sims, errs := runOnRanks(t, worldtest.New(2, 1, 10), 2, func(_ int, cfg *Config) {
				*cfg = w.configure(synch, 2)
				cfg.PEs = 1
			}, w.types()...)
			for rank, sim := range sims {
				require.NoError(t, errs[rank])
				require.Equal(t, digest, *sim.Stats().Digest)
				for gid := range w.lps {
					if lp := sim.LP(LPID(gid)); lp != nil {
						require.Equal(t, states[gid], *StateOf[twinState](lp))
					}
				}
			}
		})
	}
}

// TestTiesAreCounted has LPs with one stream of tie-breakers send at the same times, so that all of their events of a time
// have one signature: on each PE, all but the first are ties.
func TestTiesAreCounted(t *testing.T) {
	const lps, rounds = 12, 20
	core := newTwins().streams[0]
	model := Type[struct{}, struct{}]{
		Init: func(_ *struct{}, lp *LP) {
			lp.k.Core = core
			Send(lp, lp.ID(), 1, struct{}{})
		},
		Event: func(_ *struct{}, lp *LP, _ *Bits, _ *struct{}) { Send(lp, lp.ID(), 1, struct{}{}) },
	}
	for _, c := range []struct {
		synch Scheduler
		pes   int
		pq    string
	}{{1, 1, "go"}, {1, 1, ""}, {2, 1, ""}, {2, 3, "go"}, {3, 1, ""}, {6, 1, ""}} {
		t.Run(fmt.Sprintf("synch=%d/pes=%d/pq=%s", c.synch, c.pes, c.pq), func(t *testing.T) {
			cfg := DefaultConfig()
			cfg.Synch, cfg.PEs, cfg.NLP, cfg.PQ, cfg.End, cfg.ConsLookahead = c.synch, c.pes, uint64(lps/c.pes), c.pq, rounds+0.5, 0.5
			cfg.Balance = "off"
			cfg.EngineStats, cfg.NumGVT, cfg.StatsPath = settings.SampleByGVT, 1, filepath.Join(t.TempDir(), "stats")
			var out strings.Builder
			cfg.Output = &out
			sim, err := New(cfg)
			require.NoError(t, err)
			defer func() { _ = sim.Close() }()
			require.NoError(t, sim.Define(model))
			require.NoError(t, sim.Run(t.Context()))
			st := sim.Stats()
			require.EqualValues(t, lps*rounds, st.NetEvents())
			want := uint64((lps - c.pes) * rounds)
			if c.synch == 6 { // each event is undone, and what it has sent is sent again
				require.LessOrEqual(t, st.PEEventTies, st.EventsProcessed)
			} else {
				require.Equal(t, want, st.PEEventTies)
			}
			require.Equal(t, strconv.FormatUint(st.PEEventTies, 10), modeltest.Figure(t, out.String(), "Event Ties Detected in PE Queues"))
			sampled := uint64(0)
			for _, r := range modeltest.Records(t, cfg.StatsPath, instr.GVTSuffix) {
				sampled += uint64(r.PE.EventTies)
			}
			require.Equal(t, st.PEEventTies, sampled)
		})
	}
}
