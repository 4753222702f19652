// PHOLD in the parallel schedulers, and the cost of the three ways to save states; and Auto: runs of any length whose
// scheduler is chosen while they go on, next to those whose scheduler is given.

package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/report"
)

// TimeWarp is one cell of the parallel PHOLD table: LPs and events are those of
// all PEs together.
type TimeWarp struct {
	Case   string // name of the workload
	LPs    int
	Events int // pending for each LP
	Remote float64
	Synch  int // 1 sequential, 2 conservative, 3 optimistic
	PEs    int
	Queue  ross.Implementation
	// Collect sets what the instrumentation collects, into a temporary folder. nil: nothing.
	Collect func(*ross.Config)
}

// Workloads from the literature: B has many events on few LPs, A few events on many.
var (
	WorkloadB = TimeWarp{Case: "B", LPs: 1024, Events: 16, Remote: 0.1}
	WorkloadA = TimeWarp{Case: "A", LPs: 8192, Events: 1, Remote: 0.25}
)

func (w TimeWarp) String() string {
	return fmt.Sprintf("case=%s/synch=%d/pes=%d", w.Case, w.Synch, w.PEs)
}

// Run measures one committed event, in runs of at least b.N of them.
func (w TimeWarp) Run(b *testing.B) {
	cfg := w.config()
	if w.Collect != nil {
		cfg.Instruments.Path = filepath.Join(b.TempDir(), "stats")
		w.Collect(&cfg)
	}
	run(b, cfg, w.LPs*w.Events, w.Model())
}

func (w TimeWarp) config() ross.Config {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.Tuning.PQ = ross.Scheduler(w.Synch), w.PEs, w.Queue
	cfg.NLP, cfg.ConsLookahead = int(w.LPs/w.PEs), pholdLookahead
	return cfg
}

// Model returns the type of the w.LPs LPs. The least delay of their events is Lookahead.
func (w TimeWarp) Model() ross.LPType {
	return parallelPhold(w.LPs, w.Events, w.Remote, pholdLookahead)
}

// parallelPhold is PHOLD with a Reverse handler, which has nothing to undo. The mean delay is
// pholdMean, which includes the lookahead.
func parallelPhold(lps, events int, remote, lookahead float64) ross.Type[pholdState] {
	mean := pholdMean - lookahead
	return ross.Type[pholdState]{
		Name:       "phold",
		NeverStops: true,
		Init: func(_ *pholdState, lp *ross.LP) {
			for range events {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(mean)+lookahead, pholdMsg{})
			}
		},
		Event: ross.On(pholdEvent(lps, remote, lookahead)).Reverse(func(*pholdState, *ross.LP, *pholdMsg) {}),
	}
}

// pholdEvent returns what the LPs do with an event.
func pholdEvent(lps int, remote, lookahead float64) func(*pholdState, *ross.LP, *pholdMsg) {
	last, mean := int64(lps)-1, pholdMean-lookahead
	return func(_ *pholdState, lp *ross.LP, _ *pholdMsg) {
		dst := lp.ID()
		if lp.RNG().Unif() <= remote {
			dst = ross.LPID(lp.RNG().Integer(0, last))
		}
		ross.Send(lp, dst, lp.RNG().Exponential(mean)+lookahead, pholdMsg{})
	}
}

// run runs a model with the given number of pending events, for at least b.N events, and
// reports the time of one.
func run(b *testing.B, cfg ross.Config, pending int, model ross.LPType) {
	b.Helper()
	s, err := runOnce(cfg, b.N, pending, model)
	if err != nil {
		b.Fatal(err)
	}
	if n := s.NetEvents(); n > 0 {
		b.ReportMetric(s.Runtime*1e9/float64(n), "ns/op")
		b.ReportMetric(float64(n)/s.Runtime/1e6, "Mev/s")
		if cfg.PEs > 1 {
			b.ReportMetric(100*float64(s.EventsRolledBack)/float64(n), "%undone")
		}
	}
}

// runOnce is run without a report.
func runOnce(cfg ross.Config, events, pending int, model ross.LPType) (did report.Summary, err error) {
	// At least three events for each pending one, so that the start, when all LPs are at time
	// 0, has little weight.
	cfg.End = pholdMean * float64(max(events, 3*pending)) / float64(pending)
	sim, err := ross.New(cfg)
	if err != nil {
		return did, err
	}
	defer sim.Close()
	if err := sim.Define(model); err != nil {
		return did, err
	}
	err = sim.Run(context.Background())
	return sim.Summary(), err
}

// Saving is one cell of the state saving table: PHOLD whose LPs have a state of 64
// bytes. An event changes two words of it.
type Saving struct {
	How ross.Saving // SaveByReverse, SaveByLog or SaveByDelta
	PEs int
}

func (s Saving) String() string { return fmt.Sprintf("saving=%v/pes=%d", s.How, s.PEs) }

// savingState is a state of 64 bytes.
type savingState struct {
	handled uint64
	sum     float64
	_       [6]uint64
}

// Run measures one committed event.
func (s Saving) Run(b *testing.B) {
	const lps, events = 1024, 16
	model := ross.Type[savingState]{
		Name:   "saving",
		Saving: s.How,
		Init: func(_ *savingState, lp *ross.LP) {
			for range events {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(pholdMean-pholdLookahead)+pholdLookahead, pholdMsg{})
			}
		},
		Event: ross.On(func(st *savingState, lp *ross.LP, _ *pholdMsg) {
			if s.How == ross.SaveByLog {
				ross.Save(lp, &st.handled)
				ross.Save(lp, &st.sum)
			}
			st.handled++
			st.sum += 2
			dst := lp.ID()
			if lp.RNG().Unif() <= pholdRemote {
				dst = ross.LPID(lp.RNG().Integer(0, lps-1))
			}
			ross.Send(lp, dst, lp.RNG().Exponential(pholdMean-pholdLookahead)+pholdLookahead, pholdMsg{})
		}),
	}
	if s.How == ross.SaveByReverse {
		model.Event = model.Event.(ross.EventHandler[savingState, pholdMsg]).Reverse(
			func(st *savingState, _ *ross.LP, _ *pholdMsg) {
				st.handled--
				st.sum -= 2
			})
	}
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP = 3, s.PEs, int(lps/s.PEs)
	run(b, cfg, lps*events, model)
}

// Auto is a cell of the table of schedulers: PHOLD with a lookahead of 0.1, on two PEs unless it is
// sequential.
type Auto struct {
	Case string // A or B, as in the table of Time Warp, or C: 16 LPs with an event each
	Workload
	Synch ross.Scheduler
}

// Workload is a PHOLD of some LPs, of events pending for each, and of a share of remote events.
type Workload struct {
	LPs, Events int
	Remote      float64
}

func (a Auto) String() string { return fmt.Sprintf("case=%s/synch=%v", a.Case, a.Synch) }

// AutoCells returns all cells of the table.
func AutoCells() (cells []Auto) {
	for _, c := range []Auto{
		{Case: "A", Workload: Workload{WorkloadA.LPs, WorkloadA.Events, WorkloadA.Remote}},
		{Case: "B", Workload: Workload{WorkloadB.LPs, WorkloadB.Events, WorkloadB.Remote}},
		{Case: "C", Workload: Workload{16, 1, WorkloadA.Remote}},
	} {
		for _, c.Synch = range []ross.Scheduler{ross.Sequential, ross.Conservative, ross.Optimistic, ross.Auto} {
			cells = append(cells, c)
		}
	}
	return cells
}

// Run measures one committed event, in runs of at least b.N of them.
func (a Auto) Run(b *testing.B) {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.LPs, cfg.ConsLookahead = a.Synch, 2, int(a.LPs), pholdLookahead
	if a.Synch == ross.Sequential {
		cfg.PEs = 1
	}
	run(b, cfg, a.LPs*a.Events, parallelPhold(a.LPs, a.Events, a.Remote, pholdLookahead))
}
