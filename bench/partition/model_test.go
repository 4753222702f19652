// This file owns the benchmark, and the test that what it compares are equal runs.

package partition

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/network/topology"
)

const (
	seed  = 7   // permutes ids
	ahead = 0.1 // lookahead of most links
)

var mappings = []string{"linear", "round", "partition"}

func run(tb testing.TB, p *phold, cfg ross.Config) ross.Summary {
	tb.Helper()
	sim, err := ross.New(cfg)
	require.NoError(tb, err)
	defer sim.Close()
	require.NoError(tb, sim.Define(p.model()))
	require.NoError(tb, sim.Run(context.Background()))
	return sim.Summary()
}

func TestMappingsAreComparedOnEqualRuns(t *testing.T) {
	net, err := topology.NewDragonfly(4, 2, 1)
	require.NoError(t, err)
	for _, seed := range []uint64{0, seed} {
		p := newPHOLD(net, 2, ahead/10, ahead, seed)
		digests, cut := map[uint64]bool{}, map[string]uint64{}
		for _, how := range append(mappings, "kept") {
			cfg, err := p.config(how, 2, 2, 800)
			require.NoError(t, err)
			cfg.Digest = true
			require.Equal(t, how == "kept", cfg.ConsLookahead == ahead)
			st := run(t, p, cfg)
			require.InDelta(t, 800, float64(st.NetEvents()), 200)
			digests[*st.Digest] = true
			cut[how] = st.SendLocRemote
		}
		require.Len(t, digests, 1)
		require.Less(t, 2*cut["partition"], cut["round"])
	}
}

// BenchmarkMapping is run in turns: each time once, several times one after the other. The figures
// are nanoseconds for an event, millions of events per second, events that crossed PEs, and events
// that were rolled back, the latter two for each 100 that were committed.
func BenchmarkMapping(b *testing.B) {
	torus, err := topology.NewTorus([]int{32, 32, 32}, 1)
	require.NoError(b, err)
	dragonfly, err := topology.NewDragonfly(32, 8, 1)
	require.NoError(b, err)
	for _, g := range []struct {
		name   string
		net    topology.Network
		events int
	}{{"torus", torus, 1}, {"dragonfly", dragonfly, 4}} {
		for _, ids := range []string{"natural", "random"} {
			p := newPHOLD(g.net, g.events, ahead, ahead, map[string]uint64{"random": seed}[ids])
			for _, how := range mappings {
				for _, synch := range []ross.Scheduler{2, 3} {
					b.Run(fmt.Sprintf("graph=%s/ids=%s/mapping=%s/synch=%d", g.name, ids, how, synch), func(b *testing.B) {
						p.measure(b, how, synch)
					})
				}
			}
		}
	}
}

// BenchmarkLookahead is the dragonfly with little lookahead inside the groups, in the conservative
// scheduler.
func BenchmarkLookahead(b *testing.B) {
	dragonfly, err := topology.NewDragonfly(32, 8, 1)
	require.NoError(b, err)
	p := newPHOLD(dragonfly, 4, ahead/100, ahead, 0)
	for _, how := range append(mappings, "kept") {
		b.Run("mapping="+how, func(b *testing.B) { p.measure(b, how, 2) })
	}
}

// measure runs the model for at least b.N events on 2 PEs.
func (p *phold) measure(b *testing.B, how string, synch ross.Scheduler) {
	cfg, err := p.config(how, synch, 2, b.N)
	require.NoError(b, err)
	st := run(b, p, cfg)
	n := float64(max(st.NetEvents(), 1))
	b.ReportMetric(st.Runtime*1e9/n, "ns/op")
	b.ReportMetric(n/st.Runtime/1e6, "Mev/s")
	b.ReportMetric(100*float64(st.SendLocRemote)/n, "%remote")
	b.ReportMetric(100*float64(st.EventsRolledBack)/n, "%undone")
}
