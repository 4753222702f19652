// This file owns the tests of runs: a model on a graph does the same with every mapping, and goes on
// from a checkpoint with another one.

package partition

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/models/rosstest"
)

// walk is a model of walkers on a graph: each event goes on to a random neighbour.
type walk struct {
	first []int
	to    []uint32
}

// place is the state of an LP: a hash of all that came, in order. A message is a walker.
type place struct{ Hash uint64 }
type walker struct{ Steps uint64 }

// ahead is the least delay.
const ahead = 0.25

func (w walk) model() ross.Type[place, walker] {
	return ross.Type[place, walker]{
		Name:   "place",
		Saving: ross.SaveByDelta,
		Init: func(_ *place, lp *ross.LP) {
			for range 2 {
				w.step(lp, walker{})
			}
		},
		Event: func(p *place, lp *ross.LP, _ *ross.Bits, m *walker) {
			p.Hash = p.Hash*6364136223846793005 + m.Steps + uint64(lp.Now()*4096)
			w.step(lp, walker{m.Steps + 1})
		},
	}
}

func (w walk) step(lp *ross.LP, m walker) {
	row := w.to[w.first[lp.ID()]:w.first[lp.ID()+1]]
	to := row[lp.RNG().Integer(0, int64(len(row))-1)]
	ross.Send(lp, ross.LPID(to), ahead+lp.RNG().Exponential(1), m)
}

// mappings set the mapping of a run of the LPs of a graph.
func mappings(g *Graph) map[string]func(*ross.Config) {
	return map[string]func(*ross.Config){
		"linear":      func(c *ross.Config) { c.Mapping = mapping.Linear },
		"round robin": func(c *ross.Config) { c.Mapping = mapping.RoundRobin },
		"partition":   func(c *ross.Config) { c.Mapping, c.Custom = mapping.Custom, g.Funcs(Options{}) },
	}
}

func TestRunsAreTheSameWithEveryMapping(t *testing.T) {
	g := torus(t, rand.New(rand.NewPCG(1, 1)).Perm(144), 12, 12)
	model := walk{g.first, g.to}.model()
	run := func(set func(*ross.Config), synch ross.Scheduler, pes int) (string, *ross.Simulation) {
		sim := rosstest.RunLeg(t, rosstest.Leg{Configure: func(c *ross.Config) {
			c.TotalLPs, c.End, c.Synch, c.PEs, c.NKP, c.ConsLookahead = g.LPs(), 40, synch, pes, 3, ahead
			c.Balance = "off" // otherwise events between PEs that share a processor stay on one PE
			set(c)
		}}, model)
		st := sim.Stats()
		return fmt.Sprintf("%016x %016x", *st.Digest, *st.StateDigest), sim
	}
	want, _ := run(mappings(g)["linear"], 1, 1)
	for name, set := range mappings(g) {
		got, _ := run(set, 1, 1)
		require.Equal(t, want, got, name)
		for _, pes := range testlevel.Pick([]int{1, 2, 4}, []int{4}, []int{2}) {
			for _, synch := range []ross.Scheduler{2, 3} {
				got, sim := run(set, synch, pes)
				require.Equal(t, want, got, "%s, --synch=%d --pes=%d", name, synch, pes)
				if name != "partition" || pes == 1 {
					continue
				}
				q, err := g.Quality(mustMap(mapping.NewCustom(uint64(pes), g.LPs(), 3, g.Funcs(Options{}))))
				require.NoError(t, err)
				st := sim.Stats()
				share := float64(st.SendLocRemote) / float64(st.NetEvents())
				require.InDelta(t, q.Share(), share, 0.03, "the share that was promised")
			}
		}
	}
}

func TestCheckpointsGoOnWithAnotherMapping(t *testing.T) {
	g := torus(t, rand.New(rand.NewPCG(1, 1)).Perm(64), 8, 8)
	model := walk{g.first, g.to}.model()
	leg := func(from, to string, end float64, name string, synch ross.Scheduler, pes int) string {
		sim := rosstest.RunLeg(t, rosstest.Leg{From: from, To: to, Mode: ross.LoadInit, Configure: func(c *ross.Config) {
			c.TotalLPs, c.End, c.Synch, c.PEs, c.NKP, c.ConsLookahead = g.LPs(), end, synch, pes, 3, ahead
			mappings(g)[name](c)
		}}, model)
		st := sim.Stats()
		return fmt.Sprintf("%016x %016x", *st.Digest, *st.StateDigest)
	}
	want := leg("", "", 30, "linear", 1, 1)
	for i, c := range testlevel.Pick([][2]int{{1, 2}, {4, 3}, {3, 4}, {2, 1}}, [][2]int{{4, 3}}, [][2]int{{2, 3}}) {
		file := filepath.Join(t.TempDir(), fmt.Sprint(i))
		names := []string{"partition", "linear"}
		if i%2 == 1 {
			slices.Reverse(names)
		}
		leg("", file, 15, names[0], 3, c[0])
		require.Equal(t, want, leg(file, "", 30, names[1], 2, c[1]), "%s on %d PEs, then %s on %d", names[0], c[0], names[1], c[1])
		require.Equal(t, want, leg(file, "", 30, "partition", 3, c[1]))
	}
}
