// This file pins the names of LP types to which the model gives none, and that checkpoints of versions
// that named them otherwise can be loaded and added to.

package checkpoint_test

import (
	html "html/template"
	"path/filepath"
	"testing"
	text "text/template"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/rio"
)

// Walker has a name that another package has as well.
type Walker struct{ N int64 }

type (
	left  struct{ N int64 }
	right struct{ N int64 }
)

// walkers returns a model of one type with two messages, which may be given a name.
func walkers(name string) ross.LPType {
	return ross.Type[Walker, ross.None]{
		Name: name,
		Init: func(_ *Walker, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, left{}) },
		On: []ross.Handler[Walker]{
			ross.On(func(s *Walker, lp *ross.LP, _ *ross.None, m *left) {
				s.N += m.N
				ross.Send(lp, lp.ID(), 1, right{lp.RNG().Integer(0, 9)})
			}),
			ross.On(func(s *Walker, lp *ross.LP, _ *ross.None, m *right) {
				s.N -= m.N
				ross.Send(lp, lp.ID(), 1, left{lp.RNG().Integer(0, 9)})
			}),
		},
	}
}

// idle returns a type whose LPs do nothing.
func idle[S any](name string) ross.LPType {
	return ross.Type[S, tick]{Name: name, Saving: ross.SaveNever, Event: func(*S, *ross.LP, *ross.Bits, *tick) {}}
}

// namesOf returns the names of types in a model of one LP of each.
func namesOf(t *testing.T, types ...ross.LPType) (all []string) {
	cfg := rosstest.Small()
	cfg.NLP, cfg.NKP = uint64(len(types)), 1
	cfg.TypeMap = func(gid ross.LPID) int { return int(gid) }
	sim, _ := rosstest.Define(t, cfg, types...)
	for gid := range ross.LPID(cfg.NLP) {
		all = append(all, sim.LP(gid).TypeName())
	}
	require.NoError(t, sim.Close())
	return all
}

func TestATypeHasTheNameOfItsStateUnlessOthersHaveItToo(t *testing.T) {
	require.Equal(t, []string{"Walker", "uint64", "struct {}"}, namesOf(t, walkers(""), idle[uint64](""), idle[struct{}]("")))
	require.Equal(t, []string{"checkpoint_test.Walker", "rosstest.Walker", "left"}, namesOf(t, walkers(""), idle[rosstest.Walker](""), idle[left]("")))
	require.Equal(t, []string{"checkpoint_test.Walker", "Walker"}, namesOf(t, walkers(""), idle[rosstest.Walker]("Walker")), "a given name stays")
	require.Equal(t, []string{"checkpoint_test.Walker", "Walker"}, namesOf(t, walkers(""), idle[Walker]("Walker")))
	require.Equal(t, []string{"Walker", "Walker"}, namesOf(t, walkers(""), idle[Walker]("")), "as before: of the same state")
	require.Equal(t, []string{"html/template.Template", "text/template.Template"}, namesOf(t, idle[html.Template](""), idle[text.Template]("")))
}

func TestCheckpointsWithFormerNamesCanBeLoadedAndAddedTo(t *testing.T) {
	const former = "checkpoint_test.Walker"
	dir := t.TempDir()
	whole := rosstest.RunLeg(t, rosstest.Leg{Configure: rosstest.Walk(4, 20)}, walkers(""))
	for _, name := range []string{former, ""} {
		cp := filepath.Join(dir, "cp"+name)
		rosstest.RunLeg(t, rosstest.Leg{To: cp, Configure: rosstest.Walk(4, 7)}, walkers(name))
		rest := rosstest.RunLeg(t, rosstest.Leg{From: cp, Mode: ross.LoadInit, Configure: rosstest.Walk(4, 20)}, walkers(""))
		require.Equal(t, whole.Stats().Digest, rest.Stats().Digest)
		require.Equal(t, whole.Stats().StateDigest, rest.Stats().StateDigest)

		sim := rosstest.RunLeg(t, rosstest.Leg{Configure: rosstest.Walk(2, 7)}, walkers(""))
		sim.AppendingJob()
		require.NoError(t, sim.StoreCheckpoint(cp, ross.ByFormula))
		require.NoError(t, rio.Verify(cp))
		stored, err := rio.Open(cp)
		require.NoError(t, err)
		want := []string{"Walker", "message checkpoint_test.right of Walker"}
		if name != "" {
			want = []string{former, "message checkpoint_test.right of " + former}
		}
		for i, typ := range stored.Info().Types {
			require.Equal(t, want[i], typ.Name)
		}
		require.NoError(t, stored.Close())
		both := rosstest.RunLeg(t, rosstest.Leg{From: cp, Mode: ross.LoadInit, Configure: rosstest.Walk(6, 20)}, walkers(""))
		require.Equal(t, *ross.StateOf[Walker](whole.LP(3)), *ross.StateOf[Walker](both.LP(3)))
	}
}
