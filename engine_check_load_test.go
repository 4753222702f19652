// This file pins that --synch=6 commits what a sequential run does, and that
// --synch=4 takes all of it back, for loads with many ties and long chains.

package ross

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/pq"
)

func TestCheckCommitsWhatASequentialRunDoes(t *testing.T) {
	for name, l := range loads {
		want := plainDigest(t, name)
		for _, impl := range testlevel.Pick(pq.Impls(), pq.Impls(), []string{""}) {
			t.Run(name+"/pq="+impl, func(t *testing.T) {
				require.Equal(t, want, l().digest(t, func(c *Config) { c.Synch, c.PQ = 6, impl }))
			})
		}
	}
}

func TestDebugTakesLoadsBack(t *testing.T) {
	for name, l := range loads {
		t.Run(name, func(t *testing.T) {
			cfg := DefaultConfig()
			cfg.NLP, cfg.End, cfg.Synch, cfg.MaxMemory = loadLPs, l().end, 4, 150<<20
			sim, err := New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(l().lpType()))
			require.NoError(t, sim.Run(t.Context()))
			st := sim.Stats()
			require.Greater(t, st.EventsRolledBack, uint64(10000*loadStart-2000*loadStart))
			require.Zero(t, st.NetEvents())
			require.NoError(t, sim.CheckPools())
			require.EqualValues(t, loadLPs*loadStart, sim.LiveEvents()+st.EventsPastEnd)
		})
	}
}
