// This file pins what --synch=6 sees of Commit, and of messages that are written after
// the handler that sent them.

package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
)

// clerk is a state that Commit changes.
type clerk struct {
	Handled, Committed, Copy int64
	Log                      []int64
	Seen                     map[int64]int64
}

// flatClerk is one without pointers, for the engine to save, with memory.
type flatClerk struct {
	Handled, Committed, Copy int64
	Tally                    ross.Block[int64]
}

// clerks returns a type whose LPs send themselves and LP 2 events.
func clerks[S any](saving ross.Saving, event, reverse, commit func(s *S, lp *ross.LP)) ross.Type[S, word] {
	t := ross.Type[S, word]{
		Name: "clerk", Saving: saving,
		Init: func(s *S, lp *ross.LP) {
			if f, ok := any(s).(*flatClerk); ok {
				f.Tally = ross.Alloc[int64](lp, 4)
			}
			ross.Send(lp, lp.ID(), 1, word{})
		},
		Event: func(s *S, lp *ross.LP, _ *ross.Bits, _ *word) {
			event(s, lp)
			ross.Send(lp, lp.ID(), 1, word{})
		},
		Commit: func(s *S, lp *ross.LP, _ *ross.Bits, _ *word) { commit(s, lp) },
	}
	if reverse != nil {
		t.Reverse = func(s *S, lp *ross.LP, _ *ross.Bits, _ *word) { reverse(s, lp) }
	}
	return t
}

func count(s *clerk, _ *ross.LP)   { s.Handled++ }
func uncount(s *clerk, _ *ross.LP) { s.Handled-- }

func TestCheckFindsCommitThatChangesWhatEventUses(t *testing.T) {
	flat := func(s *flatClerk, _ *ross.LP) { s.Handled++ }
	saves := func(s *flatClerk, lp *ross.LP) { ross.Save(lp, s); s.Handled++ }
	for name, c := range map[string]struct {
		model ross.LPType
		want  string // "": nothing is wrong
	}{
		"statistics of its own": {clerks(0, count, uncount, func(s *clerk, lp *ross.LP) {
			s.Committed++
			s.Log = append(s.Log, int64(lp.Now()))
			if s.Seen == nil {
				s.Seen = map[int64]int64{}
			}
			s.Seen[int64(lp.Now())%3]++
		}), ""},
		"statistics beside deltas": {clerks(0, flat, nil, func(s *flatClerk, lp *ross.LP) { s.Committed++; s.Tally.Of(lp)[1]++ }), ""},
		"statistics that Save leaves alone": {clerks(ross.SaveByLog, func(s *flatClerk, lp *ross.LP) { ross.Save(lp, &s.Handled); s.Handled++ }, nil,
			func(s *flatClerk, _ *ross.LP) { s.Committed++ }), ""},
		"read for a send": {clerks(0, func(s *clerk, lp *ross.LP) {
			s.Handled++
			ross.Send(lp, 2, 0.5+float64(s.Committed), word{N: s.Committed})
		}, uncount, func(s *clerk, _ *ross.LP) { s.Committed++ }), "Sends[0].Time at 2, it was 3 with Commit"},
		"copied": {clerks(0, func(s *clerk, _ *ross.LP) { s.Copy = s.Committed }, func(s *clerk, _ *ross.LP) { s.Copy = max(s.Committed-1, 0) },
			func(s *clerk, _ *ross.LP) { s.Committed++ }), "clerk.Copy at 0, it was 1 with Commit"},
		"read for a draw": {clerks(0, func(s *clerk, lp *ross.LP) { s.Handled++; lp.RNG().Skip(s.Committed) }, uncount,
			func(s *clerk, _ *ross.LP) { s.Committed++ }), "RNG() at draw 0, it was draw 1 with Commit"},
		"of what Event computes with": {clerks(0, func(s *clerk, _ *ross.LP) { s.Handled = 2*s.Handled + 1 }, func(s *clerk, _ *ross.LP) { s.Handled /= 2 },
			func(s *clerk, _ *ross.LP) { s.Handled += 100 }), "clerk.Handled at 3, it was 203 with Commit"},
		"a count that both change":     {clerks(0, count, uncount, func(s *clerk, _ *ross.LP) { s.Handled -= 100 }), ""},
		"the same count beside deltas": {clerks(0, flat, nil, func(s *flatClerk, _ *ross.LP) { s.Handled -= 100 }), "flatClerk.Handled at"},
		"what only Reverse needs": {clerks(0, func(s *clerk, lp *ross.LP) { s.Log = append(s.Log, int64(lp.Now())) },
			func(s *clerk, _ *ross.LP) { s.Log = s.Log[:len(s.Log)-1] },
			func(s *clerk, _ *ross.LP) { s.Log = append([]int64(nil), s.Log[1:]...) }), ""},
		"what grows and is read": {clerks(0, func(s *clerk, lp *ross.LP) {
			s.Log = append(s.Log, int64(lp.Now()))
			ross.Send(lp, 2, 0.5+float64(len(s.Log)), word{})
		}, func(s *clerk, _ *ross.LP) { s.Log = s.Log[:len(s.Log)-1] },
			func(s *clerk, _ *ross.LP) { s.Log = append([]int64(nil), s.Log[1:]...) }), "Sends[0].Time at"},
		"of what Event sets": {clerks(ross.SaveByDelta, func(s *flatClerk, _ *ross.LP) { s.Handled = 7 }, nil,
			func(s *flatClerk, _ *ross.LP) { s.Handled = 0 }), "flatClerk.Handled changed, which Commit also changes"},
		"of what Save notes": {clerks(ross.SaveByLog, saves, nil, func(s *flatClerk, _ *ross.LP) { s.Committed++ }),
			"a value recorded by Save that Commit changes and a rollback would restore"},
		"read from a block": {clerks(0, func(s *flatClerk, lp *ross.LP) { s.Copy = s.Tally.Of(lp)[2] }, nil,
			func(s *flatClerk, lp *ross.LP) { s.Tally.Of(lp)[2]++ }), "flatClerk.Copy at 0, it was 1 with Commit"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := rosstest.Checking(6)
			cfg.End = 10
			out := rosstest.Try(t, cfg, c.model)
			if c.want == "" {
				require.NoError(t, out.Err)
				want := rosstest.Run(t, rosstest.Checking(1), c.model)
				got := rosstest.Run(t, rosstest.Checking(6), c.model)
				require.Equal(t, *want.Stats().StateDigest, *got.Stats().StateDigest)
				return
			}
			require.ErrorIs(t, out.Err, ross.ErrReverse)
			require.ErrorContains(t, out.Err, c.want)
			require.ErrorContains(t, out.Err, "as if Commit had not run for the event before")
		})
	}
}

func TestCheckFindsMessagesThatAreWrittenTooLate(t *testing.T) {
	type keeper struct{ Sent *word }
	var sent *word
	model := func(late bool, init bool) ross.LPType {
		send := func(lp *ross.LP) {
			sent = ross.NewEvent[word](lp, 3, 5)
			sent.N = 7
		}
		return ross.Type[keeper, word]{
			Name: "late", Reverse: func(*keeper, *ross.LP, *ross.Bits, *word) {},
			Init: func(_ *keeper, lp *ross.LP) {
				if lp.ID() == 1 {
					if init {
						send(lp)
					}
					ross.Send(lp, 1, 1, word{N: 1})
					ross.Send(lp, 1, 2, word{N: 2})
				}
			},
			Event: func(_ *keeper, lp *ross.LP, _ *ross.Bits, m *word) {
				switch {
				case m.N == 1 && !init:
					send(lp)
				case m.N == 2 && late:
					sent.N = 8
				}
			},
		}
	}
	for _, init := range []bool{false, true} {
		for _, digest := range []bool{false, true} {
			cfg := rosstest.Checking(6)
			cfg.Digest = digest
			rosstest.Run(t, cfg, model(false, init))
			out := rosstest.Try(t, cfg, model(true, init))
			require.ErrorIs(t, out.Err, ross.ErrReverse)
			require.ErrorContains(t, out.Err, "ross: LP 1 (late) at time 2: a pointer from NewEvent, kept after the handler at time "+
				map[bool]string{true: "0", false: "1"}[init]+" had sent LP 3 an event for time "+map[bool]string{true: "5", false: "6"}[init]+
				", left Message.N at 8, it was 7 when the handler returned: bad rollback: fill the message before the handler returns")
		}
	}
}
