// This file owns the tests of what a ticket tells in each state of a customer, computed by hand.

package resource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	. "github.com/ross-go/ross/resource"
)

// counter is a state with servers whose customers have letters.
type counter struct {
	S   Servers[byte]
	Who [8]Ticket // by letter, A first
	Sum uint64    // of what was said
}

// scene is what happens at a time, and what all tickets say then.
type scene struct {
	at   float64
	do   func(s *counter, lp *ross.LP)
	want string
}

type (
	turn  struct{ K int32 }
	ended struct{}
)

// comes has a customer come.
func (s *counter) comes(lp *ross.LP, who byte, priority float64) Outcome {
	t, o, _ := s.S.Preempt(lp, who, priority)
	*ross.Write(lp, &s.Who[who-'A']) = t
	return o
}

func (s *counter) serve(lp *ross.LP, who byte, time float64) {
	Serve(lp, &s.S, s.Who[who-'A'], time, ended{})
}

// waits has a customer have patience.
func (s *counter) waits(lp *ross.LP, who byte, time float64) {
	Patience(lp, &s.S, s.Who[who-'A'], time, ended{})
}

func (s *counter) letter(lp *ross.LP, t Ticket) string {
	if c := s.S.Get(lp, t); c != nil {
		return string(*c)
	}
	return "-"
}

// says returns what the tickets of all customers say: whether one is there, is served (and not in the batch of another
// one), when he came, what is left, and who is in the batch.
func (s *counter) says(lp *ross.LP) string {
	var all []string
	for i, t := range s.Who {
		if t == 0 {
			continue
		}
		text := string(rune('A'+i)) + ":"
		if s.S.Get(lp, t) == nil {
			text += " gone"
		}
		if served := s.S.Served(lp, t) != nil; served {
			text += " served"
		}
		if s.S.Serves(lp, t) != (s.S.Served(lp, t) != nil) || (s.S.Edit(lp, t) == nil) != (s.S.Get(lp, t) == nil) {
			text += " ?"
		}
		text += fmt.Sprintf(" %g", s.S.Came(lp, t))
		if left, again := s.S.Left(lp, t); again {
			text += fmt.Sprintf(" left %g", left)
		} else if left != 0 {
			text += " ?"
		}
		batch := ""
		for mate := range s.S.Batch(lp, t) {
			batch += s.letter(lp, mate)
		}
		if batch != "" {
			text += " " + batch
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// perform plays scenes under several schedulers and ways to undo. All leave the same.
func perform(t *testing.T, rules Rules, scenes []scene) {
	t.Helper()
	var want uint64
	for i, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic, ross.RollbackCheck} {
		for _, saving := range savings {
			said := make([]string, len(scenes))
			turns, ends := ross.On(func(s *counter, lp *ross.LP, m *turn) {
				scenes[m.K].do(s, lp)
				said[m.K] = s.says(lp)
				*ross.Write(lp, &s.Sum) = s.Sum*31 + uint64(len(said[m.K]))
			}), ross.On(func(*counter, *ross.LP, *ended) {})
			if saving == ross.SaveByReverse {
				turns, ends = turns.Reverse(func(*counter, *ross.LP, *turn) {}), ends.Reverse(func(*counter, *ross.LP, *ended) {})
			}
			cfg := rosstest.Small()
			cfg.Synch, cfg.NLP, cfg.NKP = synch, 1, 1
			out := rosstest.Run(t, cfg, ross.Type[counter]{Name: "counter", Saving: saving, Event: ross.Events(turns, ends),
				Init: func(s *counter, lp *ross.LP) {
					s.S.Open(lp, rules)
					for k := range scenes {
						ross.Send(lp, lp.ID(), scenes[k].at, turn{int32(k)})
					}
				}})
			for k, s := range scenes {
				require.Equal(t, s.want, said[k], "%v, %v: scene %d, at %g", synch, saving, k, s.at)
			}
			if i == 0 {
				want = *out.Summary().StateDigest
			}
			require.Equal(t, want, *out.Summary().StateDigest, "%v, %v", synch, saving)
			require.NoError(t, out.Close())
		}
	}
}

func TestTicketsTellWhatIsSoInEachState(t *testing.T) {
	perform(t, Rules{Servers: 1, Order: Preemptive}, []scene{
		{1, func(s *counter, lp *ross.LP) { s.comes(lp, 'A', 2); s.serve(lp, 'A', 10) }, "A: served 1 A"},
		// A needs 10 from 1 on, so 7 are left at 4.
		{4, func(s *counter, lp *ross.LP) { s.comes(lp, 'B', 1); s.serve(lp, 'B', 20) }, "A: 1 left 7; B: served 4 B"},
		{5, func(s *counter, lp *ross.LP) { s.waits(lp, 'A', 3) }, "A: 1 left 7; B: served 4 B"},
		{6, func(s *counter, lp *ross.LP) { s.comes(lp, 'C', 3); s.waits(lp, 'C', 90) }, "A: 1 left 7; B: served 4 B; C: 6"},
		// The patience of A has ended at 8, and he goes on waiting.
		{9, func(*counter, *ross.LP) {}, "A: 1 left 7; B: served 4 B; C: 6"},
		{10, func(s *counter, lp *ross.LP) { s.S.SetServers(lp, 0) }, "A: 1 left 7; B: served 4 B; C: 6"},
		// B needs 20 from 4 on.
		{11, func(s *counter, lp *ross.LP) { s.S.Evict(lp); s.S.Evict(lp); s.waits(lp, 'B', 50) },
			"A: 1 left 7; B: 4 left 13; C: 6"},
		{12, func(s *counter, lp *ross.LP) { s.S.SetServers(lp, 2); s.S.Next(lp) },
			"A: 1 left 7; B: served 4 left 13 B; C: 6"},
		{12.25, func(s *counter, lp *ross.LP) { s.serve(lp, 'B', 13); s.S.Next(lp) },
			"A: served 1 left 7 A; B: served 4 B; C: 6"},
		{12.5, func(s *counter, lp *ross.LP) { s.serve(lp, 'A', 7) }, "A: served 1 A; B: served 4 B; C: 6"},
		{13, func(s *counter, lp *ross.LP) { s.waits(lp, 'A', 1) }, "A: served 1 A; B: served 4 B; C: 6"}, // he does not wait
		{15, func(s *counter, lp *ross.LP) { s.S.Interrupt(lp, s.Who[0]) }, "A: 1 left 4.5; B: served 4 B; C: 6"},
		{16, func(s *counter, lp *ross.LP) { s.S.Renege(lp, s.Who[0]) }, "A: gone 0; B: served 4 B; C: 6"},
		{17, func(s *counter, lp *ross.LP) { s.S.Next(lp); s.serve(lp, 'C', 5) }, "A: gone 0; B: served 4 B; C: served 6 C"},
		{18, func(s *counter, lp *ross.LP) { s.comes(lp, 'D', 1); *ross.Write(lp, &s.Who[4]) = 77<<32 | 5 },
			"A: gone 0; B: served 4 B; C: 6 left 4; D: served 18 D; E: gone 0"},
		{25, func(s *counter, lp *ross.LP) { s.S.Release(lp, s.Who[1]) },
			"A: gone 0; B: gone 0; C: served 6 left 4 C; D: served 18 D; E: gone 0"},
	})
}

func TestTicketsOfABatchTellWhatIsSo(t *testing.T) {
	for _, order := range []Order{FIFO, ByPriority, Preemptive} {
		perform(t, Rules{Servers: 1, Order: order, Batch: 3}, []scene{
			{0, func(s *counter, lp *ross.LP) { s.comes(lp, 'A', 0); s.serve(lp, 'A', 2) }, "A: served 0 A"},
			{1, func(s *counter, lp *ross.LP) {
				for who := byte('B'); who < 'F'; who++ {
					s.comes(lp, who, 0)
					s.waits(lp, who, 90)
				}
			}, "A: served 0 A; B: 1; C: 1; D: 1; E: 1"},
			{2, func(s *counter, lp *ross.LP) { s.S.Release(lp, s.Who[0]); s.serve(lp, 'B', 10) },
				"A: gone 0; B: served 1 BCD; C: 1 CBD; D: 1 DBC; E: 1"},
			{5, func(s *counter, lp *ross.LP) { s.S.SetServers(lp, 0); s.S.Evict(lp); s.waits(lp, 'C', 90) },
				"A: gone 0; B: 1 left 7; C: 1 left 7; D: 1 left 7; E: 1"},
			{6, func(s *counter, lp *ross.LP) { s.S.Renege(lp, s.Who[1]) },
				"A: gone 0; B: gone 0; C: 1 left 7; D: 1 left 7; E: 1"},
			{7, func(s *counter, lp *ross.LP) { s.S.SetServers(lp, 1); s.S.Next(lp) },
				"A: gone 0; B: gone 0; C: served 1 left 7 CDE; D: 1 left 7 DCE; E: 1 ECD"},
			{8, func(s *counter, lp *ross.LP) { s.serve(lp, 'C', 7) },
				"A: gone 0; B: gone 0; C: served 1 CDE; D: 1 DCE; E: 1 ECD"},
			{9, func(s *counter, lp *ross.LP) { // those in the batch of C neither leave nor wait
				s.S.Renege(lp, s.Who[3])
				s.waits(lp, 'D', 1)
			}, "A: gone 0; B: gone 0; C: served 1 CDE; D: 1 DCE; E: 1 ECD"},
			{15, func(s *counter, lp *ross.LP) { s.S.Release(lp, s.Who[2]) },
				"A: gone 0; B: gone 0; C: gone 0; D: gone 0; E: gone 0"},
		})
	}
}

// TestLeaveTellsWhoWaits has tickets of a Store and of a Level in each state: of one who waits, has left, has been
// served, has a place that another one had, and of nobody.
func TestLeaveTellsWhoWaits(t *testing.T) {
	var got []string
	note := func(who uint32, ok bool) { got = append(got, fmt.Sprint(who, ok)) }
	rosstest.Run(t, rosstest.Small(), once(nothing, func(s *yard, lp *ross.LP) {
		get := func(who uint32) Ticket { _, t, _, _, _ := s.Parts.Get(lp, who); return t }
		a, b := get(1), get(2)
		note(s.Parts.Leave(lp, a))
		note(s.Parts.Leave(lp, a))
		c := get(3) // in the place of a
		note(s.Parts.Leave(lp, a))
		s.Parts.Put(lp, 9, 9) // for b
		note(s.Parts.Leave(lp, b))
		note(s.Parts.Leave(lp, c))
		s.Unused.Open(lp, Limits{Capacity: 1})
		s.Unused.Put(lp, 4, 4)
		d, _, _, _ := s.Unused.Put(lp, 5, 5)
		e, _, _, _ := s.Unused.Put(lp, 6, 6)
		s.Unused.Get(lp, 7) // d has room
		note(s.Unused.Leave(lp, d))
		note(s.Unused.Leave(lp, e))
		note(s.Unused.Leave(lp, 0))
		f, _ := s.Tank.Get(lp, 1, 6) // there are 5 of 10
		g, _ := s.Tank.Put(lp, 2, 6)
		h, _ := s.Tank.Put(lp, 3, 1) // after g
		note(s.Tank.Leave(lp, f))
		note(s.Tank.Leave(lp, g))
		who, amount, ok := s.Tank.Next(lp)
		got = append(got, fmt.Sprint(who, amount, ok))
		for _, t := range []Ticket{f, g, h, 0, 1 << 31, 5<<32 | 1} {
			note(s.Tank.Leave(lp, t))
		}
	}))
	require.Equal(t, []string{"1 true", "0 false", "0 false", "0 false", "3 true", "0 false", "6 true", "0 false",
		"1 true", "2 true", "3 1 true", "0 false", "0 false", "0 false", "0 false", "0 false", "0 false"}, got)
}
