// This file pins LPs that are special only now and then, because they have one stream and save by
// Reverse or by log: while they are suspended, and while the stream keeps a normal value.

package ross

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
)

const (
	quitterLPs = 24
	quitterEnd = 30
)

// quitter is a state, and stint a message in which Event notes what Reverse has to undo.
type (
	quitter struct{ Handled, Sum int64 }
	stint   struct{ Tag, Added int64 }
)

// quitters returns types of LPs that suspend themselves after some events: one of four so that Reverse
// is called for the last one, and another so that it is not.
func quitters(finals []string) []LPType {
	step := func(s *quitter, lp *LP, m *stint) {
		if s.Handled == 12 && lp.ID()%4 == 1 {
			lp.Suspend(false, 7) // nothing has changed, and Reverse is not called
			return
		}
		m.Added = int64(1000 * lp.RNG().Normal01())
		if m.Tag%3 == 0 {
			m.Added += int64(1000 * lp.RNG().Normal01()) // nothing is kept
		}
		s.Handled++
		s.Sum += m.Added
		if s.Handled == 12 && lp.ID()%4 == 2 {
			lp.Suspend(true, 9)
			return
		}
		Send(lp, LPID(lp.RNG().Integer(0, quitterLPs-1)), 0.05+lp.RNG().Exponential(1), stint{Tag: m.Tag + 1})
	}
	of := func(name string, saving Saving) Type[quitter, stint] {
		return Type[quitter, stint]{
			Name: name, Saving: saving,
			Init: func(_ *quitter, lp *LP) {
				for i := range int64(4) {
					Send(lp, lp.ID(), lp.RNG().Exponential(1), stint{Tag: i})
				}
			},
			Final: func(s *quitter, lp *LP) {
				code, suspended := lp.Suspended()
				finals[lp.ID()] = fmt.Sprint(*s, code, suspended, lp.RNG().State())
			},
		}
	}
	reverse := of("reverse", SaveByReverse)
	reverse.Event = func(s *quitter, lp *LP, _ *Bits, m *stint) { step(s, lp, m) }
	reverse.Reverse = func(s *quitter, _ *LP, _ *Bits, m *stint) {
		s.Handled--
		s.Sum -= m.Added
	}
	log := of("log", SaveByLog)
	log.Event = func(s *quitter, lp *LP, _ *Bits, m *stint) {
		Save(lp, s)
		step(s, lp, m)
	}
	return []LPType{reverse, log}
}

// quitOn spreads the LPs over PEs, with few in each KP, so that some KPs have no special LP.
func quitOn(pes int) func(*Config) {
	return func(c *Config) {
		c.NLP, c.NKP, c.End, c.Digest = quitterLPs/uint64(pes), 8, quitterEnd, true
		c.TypeMap = func(gid LPID) int { return int(gid / 4 % 2) }
		if pes > 1 {
			c.Synch, c.PEs = 3, pes
		}
	}
}

func TestLPsAreSpecialWhileTheyHaveTo(t *testing.T) {
	finals := make([]string, quitterLPs)
	want, _ := runLeg(t, leg{configure: quitOn(1)}, quitters(finals)...)
	suspended := 0
	for _, final := range finals {
		if strings.Contains(final, "true") {
			suspended++
		}
	}
	require.Greater(t, suspended, quitterLPs/4)
	for _, pes := range []int{1, 2, 3} {
		for range 3 {
			modeltest.Watch(t)
			got := make([]string, quitterLPs)
			digest, _ := runLeg(t, leg{configure: func(c *Config) {
				quitOn(pes)(c)
				c.Synch, c.GVTInterval = 3, 4
				c.knobs.disturb = harass(t, pes, 0.3)
			}}, quitters(got)...)
			require.Equal(t, finals, got, "%d PEs", pes)
			require.Equal(t, want, digest, "%d PEs", pes)
		}
	}
}

// TestLoadedLPsAreSpecialWhileTheyHaveTo goes on from a checkpoint with LPs that are suspended.
func TestLoadedLPsAreSpecialWhileTheyHaveTo(t *testing.T) {
	finals := make([]string, quitterLPs)
	want, _ := runLeg(t, leg{configure: quitOn(1)}, quitters(finals)...)
	for _, pes := range []int{1, 2} {
		modeltest.Watch(t)
		cp, got := filepath.Join(t.TempDir(), "quit"), make([]string, quitterLPs)
		runLeg(t, leg{to: cp, configure: func(c *Config) {
			quitOn(pes)(c)
			c.End = quitterEnd / 6
		}}, quitters(got)...)
		suspended := strings.Count(strings.Join(got, "\n"), "true")
		require.Greater(t, suspended, quitterLPs/8)
		digest, _ := runLeg(t, leg{from: cp, mode: LoadInit, configure: func(c *Config) {
			quitOn(3 - pes)(c)
			c.Synch = 3
		}}, quitters(got)...)
		require.Equal(t, finals, got)
		require.Equal(t, want, digest)
	}
}
