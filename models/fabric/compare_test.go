// The model and its version without the packages: the same events and statistics, fewer lines,
// and the speed.

package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/stats"
)

func byHand(end float64) func(p *params) []ross.LPType {
	return func(p *params) []ross.LPType { return []ross.LPType{handRouterType(p, end), handHostType(p)} }
}

func TestVersionByHandComputesTheSameStatistics(t *testing.T) {
	const end = 800
	var want handTotals
	modeltest.Schedulers(func(synch, pes int) {
		configure := func(p *params, cfg *ross.Config) {
			cfg.Synch, cfg.PEs, cfg.NKP, cfg.End = ross.Scheduler(synch), pes, 2, end
			p.dims, p.hosts, p.buffer, p.load, p.timeout, p.loss = "4x3", 2, 2, 0.8, 150, 0.05
		}
		sim, hand := simulation(t, model, configure), simulation(t, byHand(end), configure)
		st, handSt := sim.Stats(), hand.Stats()
		require.Equal(t, st.NetEvents(), handSt.NetEvents())
		table, err := stats.Collect(sim)
		require.NoError(t, err)
		var got handTotals
		for id := range hand.TotalLPs() {
			lp := hand.LP(ross.LPID(id))
			if r := ross.StateOf[handRouter](lp); r != nil {
				got.addRouter(r, end, 12)
			} else {
				got.addHost(ross.StateOf[handHost](lp))
			}
		}
		requireSame(t, table, &got)
		if want.Latency.N == 0 {
			want = got
		}
		require.Equal(t, want, got)
		require.NoError(t, sim.Close())
		require.NoError(t, hand.Close())
	})
}

// requireSame compares the statistics of both versions.
func requireSame(t *testing.T, table *stats.Table, hand *handTotals) {
	t.Helper()
	row := func(group, name string) stats.Row {
		r, ok := table.Row(group, name)
		require.True(t, ok, name)
		return r
	}
	for name, tally := range map[string]*modeltest.Tally{"latency": &hand.Latency, "hops": &hand.Hops} {
		r := row("host", name)
		tally.Same(t, name, r.Count, r.Mean, r.StdDev, r.Least, r.Greatest)
	}
	latency := row("host", "latency")
	for _, q := range []float64{0.1, 0.5, 0.9, 0.99} {
		require.InDelta(t, hand.quantile(q), latency.Quantile(q), binWidth/2+latency.Quantile(q)/128, "quantile %g", q)
	}
	buffered := row("router", "packets in buffers")
	hand.Buffered.Same(t, "packets in buffers", buffered.Mean, buffered.NonZero, buffered.Greatest)
	throughput := row("host", "throughput")
	require.NotEmpty(t, throughput.Course)
	for i, interval := range throughput.Course {
		require.EqualValues(t, hand.Arrived[i], interval.Count)
		require.Equal(t, float64(hand.Flits[i]), interval.Sum)
	}
	require.Equal(t, hand.Passed, row("router", "packets passed on").Count)
	for name, n := range map[string]uint64{"packets damaged": hand.Damaged, "packets sent again": hand.Resent, "answers to duplicates": hand.Duplicates} {
		require.Positive(t, n, name)
		require.Equal(t, n, row("host", name).Count, name)
	}
}

func TestModelIsMuchShorterThanByHand(t *testing.T) {
	testlevel.Once(t, "lengths of files")
	model, hand := modeltest.Lines(t, "router.go", "host.go"), modeltest.Lines(t, "byhand_test.go", modeltest.ByHand)
	require.Less(t, model*100, hand*60, "%d and %d lines", model, hand)
}

func BenchmarkFabric(b *testing.B) {
	const end = 200
	modeltest.Versions(b, func(b *testing.B, hand bool, synch, pes int) float64 {
		types := model
		if hand {
			types = byHand(end)
		}
		sim := simulation(b, types, func(_ *params, cfg *ross.Config) { cfg.Synch, cfg.PEs, cfg.End = ross.Scheduler(synch), pes, end })
		st := sim.Stats()
		require.NoError(b, sim.Close())
		return st.EventRate()
	})
}
