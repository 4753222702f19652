// This file pins that the number of LPs need not be a multiple of the number of PEs: with any
// mapping, scheduler and number of ranks, a model of Config.TotalLPs LPs commits the same events.

package ross

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/mapping"
)

func TestAnyNumberOfLPsRunsOnAnyNumberOfPEs(t *testing.T) {
	modeltest.Watch(t)
	for _, lps := range []uint64{1, 7, 26} {
		sized := func(kind mapping.Kind) func(*Config) {
			return func(c *Config) { c.TotalLPs, c.Mapping, c.NLP, c.NKP = lps, kind, 0, 3 }
		}
		want := *spread(t, lps, 1, 1, 1, sized(mapping.Linear), gossip(lps))[0].Stats().Digest
		for _, kind := range []mapping.Kind{mapping.Linear, mapping.RoundRobin} {
			for _, on := range []struct{ ranks, pes, synch int }{{1, 1, 6}, {1, 2, 3}, {1, 3, 2}, {1, 4, 3}, {2, 1, 3}, {2, 2, 2}, {3, 2, 3}} {
				if testlevel.Is(testlevel.Few) && on.ranks*on.pes != 4 {
					continue
				}
				t.Run(fmt.Sprintf("lps=%d/%v/ranks=%d/pes=%d/synch=%d", lps, kind, on.ranks, on.pes, on.synch), func(t *testing.T) {
					sims := spread(t, lps, on.ranks, on.pes, on.synch, sized(kind), gossip(lps))
					for _, sim := range sims {
						require.Equal(t, want, *sim.Stats().Digest)
						require.Equal(t, lps, sim.Stats().TotalLPs)
					}
					requirePlaces(t, sims)
				})
			}
		}
	}
}

// The kitchen does everything that an event can do.
func TestUnevenPEsUndoEverything(t *testing.T) {
	want, _ := cook(t, false, 4, nil)
	for _, kind := range []mapping.Kind{mapping.Linear, mapping.RoundRobin} {
		got, sim := cook(t, false, 4, func(c *Config) {
			c.Synch, c.PEs, c.NKP, c.Mapping, c.TotalLPs = 3, 5, 2, kind, kitchenLPs
			c.GVTInterval = 1
		})
		require.Equal(t, want, got, kind)
		require.NotEqual(t, sim.PE(0).NumLPs(), sim.PE(4).NumLPs())
	}
}

func TestSamplesAndStatsOfUnevenPEs(t *testing.T) {
	dir := t.TempDir()
	const lps = 7
	spread(t, lps, 1, 3, 3, func(c *Config) {
		c.TotalLPs, c.EngineStats, c.LPData, c.NumGVT, c.StatsPath, c.Dir = lps, 1, 1, 1, filepath.Join(dir, "stats"), dir
	}, gossip(lps))
	seen := map[uint64]bool{}
	for _, r := range modeltest.Records(t, filepath.Join(dir, "stats"), instr.GVTSuffix) {
		if r.Kind == instr.KindLP {
			seen[uint64(r.LP.LP)] = true
		}
	}
	require.Len(t, seen, lps)
	for pe, n := range []int{3, 2, 2} {
		require.Regexp(t, fmt.Sprintf(`^([^\n]+\n){%d,%d}$`, n, n+2), modeltest.Content(t, dir, "ross_all_lp_stats", fmt.Sprintf("pe_%d.txt", pe)))
	}
}

func TestPEsThatTheSizeLeavesEmptyAreHinted(t *testing.T) {
	for _, kind := range []mapping.Kind{mapping.Linear, mapping.RoundRobin} {
		hints, _ := hinted(t, 1, func(c *Config) {
			c.Synch, c.PEs, c.End, c.TotalLPs, c.Mapping = 3, 4, 10, 2, kind
		}, gossip(2))
		require.Equal(t, []string{"PEs 2 to 3 have no LPs: the run has 2 LPs for 4 PEs; use fewer PEs"}, hints)
	}
}

func TestNumberOfLPsOnTheCommandLine(t *testing.T) {
	for _, c := range []struct {
		args     []string
		standard uint64 // Config.TotalLPs before the options
		total    uint64 // on 3 PEs
		err      string
	}{
		{nil, 0, 24, ""},
		{nil, 10, 10, ""},
		{[]string{"--nlp=5"}, 0, 15, ""},
		{[]string{"--nlp=5"}, 10, 15, ""},
		{[]string{"--lps=5"}, 0, 5, ""},
		{[]string{"--lps=5"}, 10, 5, ""},
		{[]string{"--lps=0"}, 10, 24, ""},
		{[]string{"--lps=0", "--nlp=2"}, 10, 6, ""},
		{[]string{"--nlp=2", "--lps=5", "--lps=7"}, 0, 0, "ross: options --nlp=2 and --lps=7: the first is the number of LPs on each PE, the second that on all PEs together; give one of them"},
		{[]string{"--lps=6", "--nlp=2"}, 0, 0, "ross: options --nlp=2 and --lps=6: the first is the number of LPs on each PE, the second that on all PEs together; give one of them"},
		{[]string{"--nlp=0"}, 10, 0, "ross: option --nlp=0: out of range; give 1 or more"},
	} {
		t.Run(fmt.Sprint(c.args, c.standard), func(t *testing.T) {
			cfg := DefaultConfig()
			cfg.PEs, cfg.Synch, cfg.TotalLPs = 3, 3, c.standard
			o := NewOptions("sizes")
			cfg.RegisterLPs(o.Group("Sizes"))
			cfg.Register(o)
			_, err := o.Parse(c.args)
			if c.err != "" {
				require.EqualError(t, err, c.err)
				require.ErrorIs(t, err, ErrUsage)
				return
			}
			require.NoError(t, err)
			sim, err := New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.Equal(t, c.total, sim.TotalLPs())
			require.NoError(t, sim.Define(gossip(c.total)))
			require.Equal(t, c.total, sim.TotalLPs())
		})
	}
	cfg := DefaultConfig()
	cfg.TotalLPs = 1 << 40
	sim, err := New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.EqualError(t, sim.Define(gossip(8)), "ross: mapping shape: --lps=1099511627776: give 1 to 4294967295 LPs on all PEs together")
}
