// This file pins that statistics are the same, bit by bit, whatever the scheduler and the
// layout, and that a restart goes on with them.

package stats_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/stats"
)

const shopLPs = 12

// till is a part of a shop.
type till struct {
	Open  stats.Level
	Takes stats.Tally `ross:"takings,EUR"`
	Sales int64
}

// shop is a state with statistics of each kind among its other fields.
type shop struct {
	Waiting stats.Tally `ross:"waiting time,s"`
	N       int64
	Tills   [3]till
	Busy    stats.Level
	Lost    stats.Counter
	Delay   stats.Histogram `ross:"delay,s"`
	Flag    bool
	Load    stats.Series `ross:"load,jobs"`
	Exact   stats.Series `ross:",,every=0.3"`
	Last    float64
}

type job struct{ Sent float64 }

// shops returns a model whose events record something in all of them.
func shops(saving ross.Saving) ross.Type[shop, job] {
	t := ross.Type[shop, job]{
		Name:   "shop",
		Saving: saving,
		Init: func(s *shop, lp *ross.LP) {
			s.Busy.Set(lp, 1)
			for range 4 {
				ross.Send(lp, lp.ID(), lp.RNG().Unif(), job{})
			}
		},
		Event: func(s *shop, lp *ross.LP, _ *ross.Bits, m *job) {
			if saving == ross.SaveByLog {
				ross.Save(lp, s) // leaves the statistics out
			}
			x := lp.RNG().Exponential(3)
			s.N++
			s.Last, s.Flag = x, s.N%2 == 0
			i := int(s.N % 3)
			s.Tills[i].Sales++
			s.Tills[i].Takes.Add(lp, x*1e5)
			s.Tills[i].Takes.Add(lp, -x) // in this order
			s.Tills[i].Open.Set(lp, float64(s.N%2))
			s.Waiting.Add(lp, lp.Now()-m.Sent)
			s.Busy.Add(lp, x-3)
			if x > 5 {
				s.Lost.Inc(lp)
				s.Lost.Add(lp, 2)
			}
			s.Delay.Add(lp, (x-2)*1e3)
			s.Load.Add(lp, x)
			s.Exact.Add(lp, x)
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, shopLPs-1)), 0.1+lp.RNG().Exponential(0.5), job{lp.Now()})
		},
		Commit: func(s *shop, lp *ross.LP, _ *ross.Bits, m *job) { s.Exact.Add(lp, m.Sent) },
	}
	if saving == ross.SaveByReverse {
		event := t.Event
		t.Event = func(s *shop, lp *ross.LP, bits *ross.Bits, m *job) {
			ross.Save(lp, &s.Last)
			event(s, lp, bits, m)
		}
		t.Reverse = func(s *shop, _ *ross.LP, _ *ross.Bits, _ *job) {
			s.Tills[s.N%3].Sales--
			s.N--
			s.Flag = s.N > 0 && s.N%2 == 0
		}
	}
	return t
}

// shopping sets up a run of shops.
func shopping(synch ross.Scheduler, pes, nkp int, warmUp float64) ross.Config {
	c := rosstest.Small()
	c.Synch, c.PEs, c.NLP, c.NKP, c.End = synch, pes, uint64(shopLPs/pes), uint64(nkp), 30
	c.ConsLookahead, c.Batch, c.WarmUp = 0.1, 4, warmUp
	return c
}

// tableOf returns the statistics of a run as JSON, which has all bits.
func tableOf(t *testing.T, sim *ross.Simulation) string {
	t.Helper()
	table, err := stats.Collect(sim)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, table.WriteJSON(&b))
	require.NoError(t, table.WriteCSV(&b))
	return b.String()
}

func TestStatisticsAreTheSameForAllSchedulers(t *testing.T) {
	type setUp struct {
		synch    ross.Scheduler
		pes, nkp int
	}
	runs := []setUp{{1, 1, 4}, {3, 3, 1}, {6, 1, 4}, {2, 2, 4}, {2, 3, 1}, {3, 1, 1}, {3, 1, 4}, {3, 2, 2}, {3, 4, 3}}
	for _, warmUp := range []float64{0, 7.5} {
		want := ""
		for _, saving := range []ross.Saving{ross.SaveByDelta, ross.SaveByLog, ross.SaveByReverse, ross.SaveNever} {
			for _, run := range testlevel.Pick(runs, runs[:4], runs[:2]) {
				t.Run(fmt.Sprintf("warm-up=%g/saving=%v/synch=%d/pes=%d/nkp=%d", warmUp, saving, run.synch, run.pes, run.nkp), func(t *testing.T) {
					out := rosstest.Run(t, shopping(run.synch, run.pes, run.nkp, warmUp), shops(saving))
					got := tableOf(t, out.Simulation)
					if want == "" {
						want = got
					}
					require.Equal(t, want, got)
				})
			}
		}
	}
}

func TestNothingIsRecordedIfAllIsUndone(t *testing.T) {
	out := rosstest.Run(t, shopping(ross.OptimisticDebug, 1, 4, 0), shops(ross.SaveByReverse))
	s := ross.StateOf[shop](out.LP(0))
	require.Zero(t, s.Waiting.Count())
	require.Equal(t, 1.0, s.Busy.Value(), "Init has set it")
}

func TestARestartGoesOnWithTheStatistics(t *testing.T) {
	configure := func(synch ross.Scheduler, pes int, end float64) func(*ross.Config) {
		return func(c *ross.Config) {
			*c = shopping(synch, pes, 3, 4)
			c.End = end
		}
	}
	for _, saving := range []ross.Saving{ross.SaveByDelta, ross.SaveByReverse} {
		whole := rosstest.RunLeg(t, rosstest.Leg{Configure: configure(1, 1, 30)}, shops(saving))
		want := tableOf(t, whole)
		for i, pes := range []int{1, 2, 3} {
			name := filepath.Join(t.TempDir(), "cp")
			rosstest.RunLeg(t, rosstest.Leg{To: name, Configure: configure(3, 4-pes, 13)}, shops(saving))
			rest := rosstest.RunLeg(t, rosstest.Leg{From: name, Mode: ross.LoadInit, Configure: configure(3, pes, 30)}, shops(saving))
			require.Equal(t, want, tableOf(t, rest), "%d", i)
			require.Equal(t, whole.Stats().StateDigest, rest.Stats().StateDigest)
		}
	}
}

func TestStatisticsAreNoPartOfTheState(t *testing.T) {
	cfg := shopping(1, 1, 4, 0)
	plain := rosstest.Run(t, cfg, shops(ross.SaveByDelta))
	cfg.WarmUp = 20
	warm := rosstest.Run(t, cfg, shops(ross.SaveByDelta))
	require.Equal(t, plain.Stats().Digest, warm.Stats().Digest)
	require.Equal(t, plain.Stats().StateDigest, warm.Stats().StateDigest)
	require.NotEqual(t, tableOf(t, plain.Simulation), tableOf(t, warm.Simulation))
}
