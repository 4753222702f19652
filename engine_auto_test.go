// Runs that choose their scheduler while they go on commit what a sequential run commits, however
// often they change it.

package ross

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/effort"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/report"
)

// changing makes a run change its scheduler all the time, and undoes much of what is optimistic.
func changing(t testing.TB, c *Config, pes int) {
	c.Synch, c.PEs = Auto, pes
	c.knobs.Probe = time.Duration(10+rand.IntN(200)) * time.Microsecond
	c.knobs.disturb = harass(t, pes, 0.2)
}

// chosen returns what the report says about the scheduler that was chosen.
func chosen(t testing.TB, st report.Stats) string {
	t.Helper()
	for _, f := range st.Extra {
		if f.Label == "Scheduler Chosen" {
			return f.Value
		}
	}
	t.Fatal("the report does not say which scheduler was chosen")
	return ""
}

func TestARunThatChangesItsSchedulerCommitsWhatASequentialOneDoes(t *testing.T) {
	for name, l := range loads {
		want := plainDigest(t, name)
		for _, pes := range effort.Pick([]int{2, 3, 8}, []int{3}, []int{3}) {
			for _, kind := range []mapping.Kind{mapping.Linear, mapping.RoundRobin} {
				t.Run(fmt.Sprintf("%s/pes=%d/%v", name, pes, kind), func(t *testing.T) {
					modeltest.Watch(t)
					for range effort.Times(2, 1) {
						require.Equal(t, want, l().digest(t, func(c *Config) {
							onPEs(pes)(c)
							if kind == mapping.RoundRobin {
								c.Mapping, c.TotalLPs, c.Custom.PE = kind, loadLPs, nil
							}
							changing(t, c, pes)
							c.ConsLookahead = map[string]float64{"spread": 0.1, "tied": 0}[name]
						}))
					}
				})
			}
		}
	}
}

func TestAllWaysToUndoSurviveAChangeOfTheScheduler(t *testing.T) {
	for _, never := range []bool{false, true} {
		want, _ := cook(t, never, kitchenEnd, nil)
		tried := map[string]bool{}
		for _, pes := range effort.Pick([]int{2, 3, 4}, []int{2, 3}, []int{2}) {
			for range effort.Times(20, 4) {
				got, sim := cook(t, never, kitchenEnd, func(c *Config) {
					c.NLP, c.TotalLPs = 1, kitchenLPs
					changing(t, c, pes)
					c.ConsLookahead = 0
				})
				require.Equal(t, want.digest, got.digest)
				require.Equal(t, want.states, got.states)
				require.Equal(t, want.events, got.events)
				require.Equal(t, want.finals, got.finals)
				require.Equal(t, want.commits, got.commits)
				require.Equal(t, want.lines, got.lines)
				tried[chosen(t, sim.Stats())] = true
				require.NoError(t, sim.Close())
			}
		}
		require.Greater(t, len(tried), 1, "the runs have changed their schedulers")
	}
}

func TestStatisticsSurviveAChangeOfTheScheduler(t *testing.T) {
	want := measure(t, 1, func(c *Config) {})
	for _, pes := range []int{2, 4} {
		for range effort.Times(5, 2) {
			require.Equal(t, want, measure(t, 1, func(c *Config) {
				changing(t, c, pes)
				c.ConsLookahead = 0.1
			}))
		}
	}
}

func TestErrorsAreThoseOfASequentialRunWhileTheSchedulerChanges(t *testing.T) {
	for name, fail := range map[string]func(lp *LP){
		"error": func(lp *LP) { Send(lp, lp.ID(), -1, order8{}) },
		"panic": func(*LP) { panic("enough") },
	} {
		for _, at := range []LPID{0, 63} {
			model := func() LPType {
				return Type[gauge, order8]{
					Name:   "failing",
					Saving: SaveByDelta,
					Init:   func(_ *gauge, lp *LP) { Send(lp, lp.ID(), lp.RNG().Unif(), order8{}) },
					Event: func(s *gauge, lp *LP, _ *Bits, m *order8) {
						if m.Tag > 200 && lp.ID() == at {
							fail(lp)
							return
						}
						Send(lp, LPID(lp.RNG().Integer(0, 63)), 0.1+lp.RNG().Exponential(1), order8{m.Tag + 1})
					},
				}
			}
			try := func(t *testing.T, configure func(*Config)) error {
				cfg := DefaultConfig()
				cfg.TotalLPs, cfg.End, cfg.ConsLookahead = 64, 1e6, 0.1
				configure(&cfg)
				sim, err := New(cfg)
				require.NoError(t, err)
				defer sim.Close()
				require.NoError(t, sim.Define(model()))
				return sim.Run(t.Context())
			}
			t.Run(fmt.Sprintf("%s/LP %d", name, at), func(t *testing.T) {
				modeltest.Watch(t)
				var want, got *ModelError
				require.ErrorAs(t, try(t, func(*Config) {}), &want)
				for range effort.Times(20, 4) {
					require.ErrorAs(t, try(t, func(c *Config) { changing(t, c, 2) }), &got)
					require.Equal(t, want.LP, got.LP)
					require.Equal(t, want.Time, got.Time)
				}
			})
		}
	}
}
