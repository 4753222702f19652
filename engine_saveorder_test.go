// This file pins what Save does in types that the engine or Reverse undoes as well.

package ross

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// dial is a state of which an event changes some fields twice, some by Save.
type dial struct {
	A, B, Hand int64
	Turns      [4]int64
	Last       float64
	Shelf      Block[int64]
}

const (
	dialLPs = 8
	dialEnd = 40
)

// dials returns a model whose events call Save in a type that is undone in another way.
// All of it is right: a field that Reverse undoes is not saved, and the other way round.
func dials(saving Saving) Type[dial, word24] {
	event := func(s *dial, lp *LP, _ *Bits, m *word24) {
		s.A++
		if saving == SaveByDelta {
			if s.A == 3 {
				Save(lp, &s.A) // after a change: the engine undoes both
				s.A = 0
			}
			s.B += m.Tag
			Save(lp, &s.B)
			s.B %= 1000
			Save(lp, s)
			m.Was++
			Save(lp, &m.Was)
			m.Was *= 2
			shelf := s.Shelf.Of(lp)
			shelf[0]++
			Save(lp, &shelf[0])
			shelf[0] = -shelf[0]
		}
		Save(lp, &s.Hand)
		s.Hand = (s.Hand + m.Tag) % 4
		s.Turns[s.Hand]++ // Reverse finds Hand as it is now
		Save(lp, &s.Last)
		s.Last = lp.Now()
		Save(lp, &m.Was)
		m.Was = s.Hand
		var nobody struct{}
		Save(lp, &nobody)
		Send(lp, LPID(lp.RNG().Integer(0, dialLPs-1)), lp.RNG().Exponential(1), word24{Tag: m.Tag*5%97 + 1})
	}
	t := Type[dial, word24]{
		Name: "dial", Saving: saving, Event: event,
		Init: func(s *dial, lp *LP) {
			s.Shelf = Alloc[int64](lp, 2)
			for i := range int64(3) {
				Send(lp, lp.ID(), lp.RNG().Exponential(1), word24{Tag: i + 1})
			}
		},
		Check: &Checker[dial]{Message: true},
	}
	if saving == SaveByReverse {
		t.Reverse = func(s *dial, _ *LP, _ *Bits, m *word24) {
			s.A--
			s.Turns[m.Was]-- // which is s.Hand, as Event left both
			if m.Was != s.Hand {
				panic("Reverse does not find what Event left")
			}
		}
	}
	return t
}

type word24 struct{ Tag, Was, Now int64 }

// turn runs a model of 8 LPs and returns the digest and the states at the end.
func turn(t *testing.T, model Type[dial, word24], configure func(*Config)) (uint64, []string) {
	t.Helper()
	finals := make([]string, dialLPs)
	model.Final = func(s *dial, lp *LP) { finals[lp.ID()] = strings.Split(fmt.Sprintf("%+v", *s), "Shelf")[0] }
	cfg := DefaultConfig()
	cfg.NLP, cfg.NKP, cfg.End, cfg.Digest, cfg.MaxMemory = dialLPs, 4, dialEnd, true, 64<<20
	configure(&cfg)
	cfg.NLP = dialLPs / uint64(max(cfg.PEs, 1))
	sim, err := New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(model))
	require.NoError(t, sim.Run(context.Background()))
	return *sim.Stats().Digest, finals
}

func TestSaveIsRightBesideOtherWaysToUndo(t *testing.T) {
	for _, saving := range []Saving{SaveByDelta, SaveByReverse} {
		t.Run(saving.String(), func(t *testing.T) {
			digest, finals := turn(t, dials(saving), func(c *Config) { c.Synch = 1 })
			for name, configure := range map[string]func(*Config){
				"forced rollbacks, 1 PE":  func(c *Config) { c.Synch, c.knobs.disturb = 3, harass(t, 1, 0.5) },
				"forced rollbacks, 2 PEs": func(c *Config) { c.Synch, c.PEs, c.knobs.disturb = 3, 2, harass(t, 2, 0.3) },
				"every event twice":       func(c *Config) { c.Synch = 6 },
			} {
				got, states := turn(t, dials(saving), configure)
				require.Equal(t, finals, states, name)
				require.Equal(t, digest, got, name)
			}
			_, back := turn(t, dials(saving), func(c *Config) { c.Synch = 4 })
			require.NotEqual(t, finals, back, "nothing was rolled back")
		})
	}
}
