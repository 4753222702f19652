// Runs whose KPs have moved when they end, in each of the ways in which a run can end: what is said then of an LP must
// be its own.

package run_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/stats"
)

// register is a state with every statistic that keeps data of its PE.
type register struct {
	Events uint64
	Sizes  stats.Histogram
	Work   stats.Series `ross:"work,u,every=1"`
	Count  stats.Counter
}

// An LP of the model records its own id, so that the data of another LP are noticed.
func TestStatisticsAreThoseOfTheirLPsHoweverARunEndsAfterMoves(t *testing.T) {
	errHere := errors.New("no more")
	const late = 40 // virtual time after which the run ends
	ends := map[string]struct {
		event  func(lp *ross.LP)
		commit func(lp *ross.LP)
		is     error
	}{
		"error":           {event: func(lp *ross.LP) { lp.Fail(errHere) }, is: errHere},
		"panic":           {event: func(*ross.LP) { panic("on purpose") }, is: ross.ErrPanic},
		"stop":            {event: func(lp *ross.LP) { lp.StopAfter(0.5) }},
		"memory":          {event: func(lp *ross.LP) { ross.Alloc[uint64](lp, 64<<10) }, is: ross.ErrMemory},
		"cancelled":       {commit: func(*ross.LP) {}, is: context.Canceled},
		"error in Commit": {commit: func(lp *ross.LP) { lp.Fail(errHere) }, is: errHere},
		"panic in Commit": {commit: func(*ross.LP) { panic("on purpose") }, is: ross.ErrPanic},
	}
	for name, end := range ends {
		for _, synch := range []ross.Scheduler{ross.Conservative, ross.Optimistic, ross.OptimisticRealTime} {
			t.Run(name+"/"+synch.String(), func(t *testing.T) {
				testkit.Watch(t)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				cfg := ross.DefaultConfig()
				cfg.Synch, cfg.PEs, cfg.LPs, cfg.NKP, cfg.ConsLookahead, cfg.MaxMemory = synch, 3, 48, 8, 0.5, 16<<20
				cfg.Tuning.GVTInterval, cfg.Tuning.Batch, cfg.Statistics, cfg.Instruments.Path = 8, 4, 7, t.TempDir()
				moving(1)(&cfg)
				sim, err := ross.New(cfg)
				require.NoError(t, err)
				defer sim.Close()
				over := func(lp *ross.LP, f func(*ross.LP)) {
					if f != nil && lp.Now() > late {
						f(lp)
					}
				}
				require.NoError(t, sim.Define(ross.Type[register]{
					Name: "register", Saving: ross.SaveByLog, Lookahead: 0.5,
					Init: func(_ *register, lp *ross.LP) { ross.Send(lp, lp.ID(), 0.5+lp.RNG().Exponential(1), hop{}) },
					Event: ross.On(func(s *register, lp *ross.LP, m *hop) {
						*ross.Write(lp, &s.Events)++
						if lp.ID()%5 != 0 { // some LPs have no data
							s.Sizes.Add(lp, float64(lp.ID()))
							s.Work.Add(lp, float64(lp.ID()))
							s.Count.Inc(lp)
						}
						over(lp, end.event)
						ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 47)), 0.5+lp.RNG().Exponential(1), *m)
					}).Commit(func(_ *register, lp *ross.LP, _ *hop) {
						if over(lp, end.commit); errors.Is(end.is, context.Canceled) && lp.Now() > late {
							cancel()
						}
					}),
				}))
				if err = sim.Run(ctx); end.is == nil {
					require.NoError(t, err)
				} else {
					require.ErrorIs(t, err, end.is)
				}
				require.NotContains(t, fmt.Sprint(err), "panic of the engine")
				require.Positive(t, sim.Snapshot().KPsMoved)

				table, err := runOf(sim).StatisticsOfLPs()
				require.NoError(t, err)
				counts := map[string]uint64{}
				for _, row := range table.Rows {
					if row.Name == "Count" {
						counts[row.Group] = row.Count
					}
				}
				for _, row := range table.Rows {
					id, err := strconv.ParseFloat(row.Group, 64)
					require.NoError(t, err)
					got := uint64(0)
					switch row.Name {
					case "Sizes":
						for _, b := range row.Bins {
							got += b.N
							require.True(t, b.Low <= id && id <= b.High, "LP %v has a recording in a bin from %v to %v", id, b.Low, b.High)
						}
					case "work":
						for _, s := range row.Course {
							got += s.Count
							require.Equal(t, id*float64(s.Count), s.Sum, "LP %v", id)
						}
					default:
						continue
					}
					require.Equal(t, counts[row.Group], got, "%s of LP %v", row.Name, id)
				}
			})
		}
	}
}
