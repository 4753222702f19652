// This file pins what the checks of rollback see besides states: memory of Alloc, Commit, messages that are
// written too late; and what --synch=4 accepts and finds.

package check_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
)

// How the check of rollback finds and compares memory of Alloc.

// ring is a state that leads to its blocks in all ways: in an array, in an
// embedded struct, twice, and round in a circle.
type (
	ring struct {
		rope
		Ends  [2]ross.Block[knot]
		Other [3]int64
		Dead  ross.Block[int64] // given back
		Spare ross.Block[int64] // never had
	}
	rope struct{ Start ross.Block[knot] }
	knot struct {
		Next  ross.Block[knot]
		Color int64
	}
)

// rings returns a type whose LP 0 handles one event.
func rings(event func(s *ring, lp *ross.LP), reverse func(s *ring)) ross.LPType {
	return ross.Type[ring]{
		Name: "ring",
		Init: func(s *ring, lp *ross.LP) {
			s.Start, s.Ends[1] = ross.Alloc[knot](lp, 1), ross.Alloc[knot](lp, 2)
			s.Start.Of(lp)[0].Next = s.Ends[1]
			s.Ends[1].Of(lp)[1].Next = s.Start
			s.Ends[0] = s.Start
			s.Dead = ross.Alloc[int64](lp, 4)
			ross.Free(lp, s.Dead)
			if lp.ID() == 0 {
				ross.Send(lp, 0, 1, word{})
			}
		},
		Event: ross.On(func(s *ring, lp *ross.LP, _ *word) { event(s, lp) }).Reverse(
			func(s *ring, _ *ross.LP, _ *word) { reverse(s) }),
	}
}

func TestCheckFollowsBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		event   func(s *ring, lp *ross.LP)
		reverse func(s *ring)
		want    string // difference; "" for none
	}{
		"nothing": {func(*ring, *ross.LP) {}, func(*ring) {}, ""},
		"in an array": {
			func(s *ring, lp *ross.LP) { s.Ends[1].Of(lp)[1].Color = 3 }, func(*ring) {},
			"ring.Ends[1][1].Color at 3, it was 0 before",
		},
		"in an embedded struct, once": {
			func(s *ring, lp *ross.LP) { s.Ends[0].Of(lp)[0].Color = 3 }, func(*ring) {},
			"ring.rope.Start[0].Color at 3, it was 0 before",
		},
		"a block in a block that is another one": {
			func(s *ring, lp *ross.LP) { s.Ends[1].Of(lp)[0].Next = s.Start }, func(*ring) {},
			"ring.Ends[1][0].Next.at at 1, it was 0 before; ring.Ends[1][0].Next.n at 1, it was 0 before",
		},
		"a block that is given back and not forgotten": {
			func(s *ring, lp *ross.LP) {
				s.Spare = ross.Alloc[int64](lp, 8)
				s.Spare.Of(lp)[0] = 1
				ross.Free(lp, s.Spare)
			},
			func(s *ring) { s.Spare = ross.Block[int64]{} }, "",
		},
		"a new block": {
			func(s *ring, lp *ross.LP) { s.Spare = ross.Alloc[int64](lp, 8); s.Spare.Of(lp)[7] = 2 },
			func(s *ring) { s.Spare = ross.Block[int64]{} }, "",
		},
		"a block that stays in the state": {
			func(s *ring, lp *ross.LP) { s.Spare = ross.Alloc[int64](lp, 8) }, func(*ring) {},
			"ring.Spare.at at 18446744073709551615, it was 0 before; ring.Spare.n at 8, it was 0 before",
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := rosstest.Try(t, rosstest.Checking(6), rings(c.event, c.reverse))
			if c.want == "" {
				require.NoError(t, out.Err)
				return
			}
			require.EqualError(t, out.Err, "ross: LP 0 (ring) at time 1: Reverse of the event that LP 0 sent at time 0 left "+
				c.want+undoFix)
		})
	}
}

// hidden is state that nothing rolls back.
var hidden atomic.Int64

// TestCheckComparesValuesOfBlocksUpToALimit has more values differ than an error
// should name.
func TestCheckComparesValuesOfBlocksUpToALimit(t *testing.T) {
	hidden.Store(0)
	out := rosstest.Try(t, rosstest.Checking(6), rings(func(s *ring, lp *ross.LP) {
		s.Spare = ross.Alloc[int64](lp, 100)
		ross.Send(lp, 1, 1, word{})
		for i := range s.Spare.Of(lp) {
			s.Spare.Of(lp)[i] = hidden.Add(1)
		}
	}, func(s *ring) { s.Spare = ross.Block[int64]{} }))
	require.ErrorContains(t, out.Err, "left ring.Spare[0] at 101, it was 1 after the first call; ring.Spare[1] at 102,")
	require.ErrorContains(t, out.Err, "ring.Spare[19] at 120, it was 20 after the first call: bad rollback")
}

// A Block which a state keeps after it was freed stays a freed one for the
// check of rollback, whoever uses its memory again.

// attic is a state that keeps Blocks it has freed.
type attic struct {
	Stale [4]ross.Block[int64]
	Fresh ross.Block[int64]
	Inner ross.Block[ross.Block[int64]]
	Turns int64
}

const attics = 2

// hoarders returns a type whose LPs send each other events, and use each other's memory again.
func hoarders(saving ross.Saving) ross.Type[attic] {
	return ross.Type[attic]{
		Name: "attic", Saving: saving,
		Init: func(s *attic, lp *ross.LP) {
			s.Inner = ross.Alloc[ross.Block[int64]](lp, 2)
			ross.Send(lp, lp.ID(), 1, word{})
		},
		Event: ross.On(func(s *attic, lp *ross.LP, _ *word) {
			ross.Save(lp, s)
			s.Turns++
			if old := s.Fresh; old.Len() > 0 {
				ross.Free(lp, old)
				if s.Turns%64 < 8 { // so that the use counts of an address come round again
					s.Stale[s.Turns%4] = old
				}
				in := s.Inner.Of(lp)
				ross.Save(lp, &in[s.Turns%2])
				in[s.Turns%2] = old
			}
			s.Fresh = ross.Alloc[int64](lp, 4)
			s.Fresh.Of(lp)[0] = s.Turns
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, attics-1)), lp.RNG().Exponential(1), word{})
		}),
	}
}

func TestFreedBlocksInAStateAreNoDifference(t *testing.T) {
	savings := []ross.Saving{ross.SaveByDelta, ross.SaveByLog}
	for _, saving := range testlevel.Pick(savings, savings[:1], savings[:1]) {
		for _, synch := range []int{4, 6} {
			cfg := rosstest.Checking(synch)
			cfg.NLP, cfg.End = attics, 1000
			out := rosstest.Try(t, cfg, hoarders(saving))
			require.NoError(t, out.Err)
			require.Contains(t, out.Report, "Events Rolled Back and Compared")
		}
	}
}

// What --synch=6 sees of Commit, and of messages that are written after
// the handler that sent them.

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
func clerks[S any](saving ross.Saving, event, reverse, commit func(s *S, lp *ross.LP)) ross.Type[S] {
	t := ross.Type[S]{
		Name: "clerk", Saving: saving,
		Init: func(s *S, lp *ross.LP) {
			if f, ok := any(s).(*flatClerk); ok {
				f.Tally = ross.Alloc[int64](lp, 4)
			}
			ross.Send(lp, lp.ID(), 1, word{})
		},
		Event: ross.On(func(s *S, lp *ross.LP, _ *word) {
			event(s, lp)
			ross.Send(lp, lp.ID(), 1, word{})
		}).Commit(func(s *S, lp *ross.LP, _ *word) { commit(s, lp) }),
	}
	if reverse != nil {
		t.Event = t.Event.(ross.EventHandler[S, word]).Reverse(func(s *S, lp *ross.LP, _ *word) { reverse(s, lp) })
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
		"statistics with deltas": {
			clerks(0, flat, nil, func(s *flatClerk, lp *ross.LP) { s.Committed++; s.Tally.Of(lp)[1]++ }), ""},
		"statistics that Save leaves alone": {
			clerks(ross.SaveByLog, func(s *flatClerk, lp *ross.LP) { ross.Save(lp, &s.Handled); s.Handled++ }, nil,
				func(s *flatClerk, _ *ross.LP) { s.Committed++ }), ""},
		"read for a send": {clerks(0, func(s *clerk, lp *ross.LP) {
			s.Handled++
			ross.Send(lp, 2, 0.5+float64(s.Committed), word{N: s.Committed})
		}, uncount, func(s *clerk, _ *ross.LP) { s.Committed++ }), "Sends[0].Time at 2, it was 3 with Commit"},
		"copied": {clerks(0, func(s *clerk, _ *ross.LP) { s.Copy = s.Committed },
			func(s *clerk, _ *ross.LP) { s.Copy = max(s.Committed-1, 0) },
			func(s *clerk, _ *ross.LP) { s.Committed++ }), "clerk.Copy at 0, it was 1 with Commit"},
		"read for a draw": {clerks(0, func(s *clerk, lp *ross.LP) { s.Handled++; lp.RNG().Skip(s.Committed) }, uncount,
			func(s *clerk, _ *ross.LP) { s.Committed++ }), "RNG() at draw 0, it was draw 1 with Commit"},
		"of what Event computes with": {clerks(0, func(s *clerk, _ *ross.LP) { s.Handled = 2*s.Handled + 1 },
			func(s *clerk, _ *ross.LP) { s.Handled /= 2 },
			func(s *clerk, _ *ross.LP) { s.Handled += 100 }), "clerk.Handled at 3, it was 203 with Commit"},
		"a count that both change": {clerks(0, count, uncount, func(s *clerk, _ *ross.LP) { s.Handled -= 100 }), ""},
		"the same count with deltas": {clerks(0, flat, nil, func(s *flatClerk, _ *ross.LP) { s.Handled -= 100 }),
			"flatClerk.Handled at"},
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
				require.Equal(t, *want.Summary().StateDigest, *got.Summary().StateDigest)
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
		return ross.Type[keeper]{
			Name: "late",
			Init: func(_ *keeper, lp *ross.LP) {
				if lp.ID() == 1 {
					if init {
						send(lp)
					}
					ross.Send(lp, 1, 1, word{N: 1})
					ross.Send(lp, 1, 2, word{N: 2})
				}
			},
			Event: ross.On(func(_ *keeper, lp *ross.LP, m *word) {
				switch {
				case m.N == 1 && !init:
					send(lp)
				case m.N == 2 && late:
					sent.N = 8
				}
			}).Reverse(func(*keeper, *ross.LP, *word) {}),
		}
	}
	for _, init := range []bool{false, true} {
		for _, digest := range []bool{false, true} {
			cfg := rosstest.Checking(6)
			cfg.Digest = digest
			rosstest.Run(t, cfg, model(false, init))
			out := rosstest.Try(t, cfg, model(true, init))
			require.ErrorIs(t, out.Err, ross.ErrReverse)
			require.ErrorContains(t, out.Err,
				"ross: LP 1 (late) at time 2: a pointer from NewEvent, kept after the handler at time "+
					map[bool]string{true: "0", false: "1"}[init]+" had sent LP 3 an event for time "+
					map[bool]string{true: "5", false: "6"}[init]+
					", left Message.N at 8, it was 7 when the handler returned: bad rollback: fill the message before the handler returns")
		}
	}
}

// What --synch=4 accepts, and how it reports what its rollback
// leaves behind.

const (
	allUndone = "ross: LP 3 (till) at time 0: the rollback of all events (1) left "
	debugFix  = ": bad rollback: use --synch=6 to find the event that is not undone"
)

func TestDebugNamesWhatRollbackLeavesBehind(t *testing.T) {
	for name, c := range map[string]struct {
		event handlers
		want  string
	}{
		"a field": {
			func(s *till, _ *ross.LP, _ *ross.Bits, _ *word) { s.Balance -= 10 },
			allUndone + "till.Balance at 90, it was 100 after Init" + debugFix,
		},
		"an element behind a pointer": {
			func(s *till, _ *ross.LP, _ *ross.Bits, _ *word) { s.Queue[1].Weight++ },
			allUndone + "till.Queue[1].Weight at 3, it was 2 after Init" + debugFix,
		},
		"a value in a block": {
			func(s *till, lp *ross.LP, _ *ross.Bits, _ *word) { s.Coins.Of(lp)[2].Weight = 4 },
			allUndone + "till.Coins[2].Weight at 4, it was 0 after Init" + debugFix,
		},
		"the message of an event": {
			func(_ *till, _ *ross.LP, _ *ross.Bits, m *word) { m.N++ },
			allUndone + "Pending.Message.N at 8, it was 7 after Init" + debugFix,
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := rosstest.Try(t, rosstest.Checking(4), tills(c.event, nothing))
			require.EqualError(t, out.Err, c.want)
			require.ErrorIs(t, out.Err, ross.ErrReverse)
		})
	}
}

func TestDebugTellsHowManyLPsDiffer(t *testing.T) {
	model := rosstest.Forever(rosstest.NoTick)
	wrong := ross.Type[job]{
		Name:  "wrong",
		Init:  func(_ *job, lp *ross.LP) { model.Init(nil, lp) },
		Event: ross.On(func(s *job, lp *ross.LP, _ *word) { s.Weight++ }).Reverse(func(*job, *ross.LP, *word) {}),
	}
	out := rosstest.Try(t, rosstest.Checking(4), wrong)
	require.EqualError(t, out.Err,
		"ross: LP 0 (wrong) at time 0: the rollback of all events (4), which left 3 more LPs different, "+
			"left job.Weight at 1, it was 0 after Init"+debugFix)
}

// TestDebugStopsWhereMemoryEnds has a model without an end.
func TestDebugStopsWhereMemoryEnds(t *testing.T) {
	for name, saving := range map[string]ross.Saving{"by Reverse": ross.SaveByReverse, "by deltas": ross.SaveByDelta} {
		t.Run(name, func(t *testing.T) {
			cfg := rosstest.Checking(4)
			cfg.NLP, cfg.End, cfg.MaxMemory = 64, 1e9, 8<<20
			model := rosstest.Chatter(saving)
			handler := ross.On(func(s *rosstest.Sum, lp *ross.LP, m *word) {
				s.N += m.N
				ross.Send(lp, rosstest.Anywhere(lp), lp.RNG().Exponential(1), word{N: 1})
			})
			if saving == ross.SaveByReverse {
				handler = handler.Reverse(func(s *rosstest.Sum, _ *ross.LP, m *word) { s.N -= m.N })
			}
			model.Event = handler
			out := rosstest.Run(t, cfg, model)
			st := out.Summary()
			require.Regexp(t, `Memory limit reached after \d+ events: they are rolled back now`, out.Report)
			require.Greater(t, st.EventsProcessed, uint64(10000))
			require.Zero(t, st.NetEvents())
		})
	}
}

func TestDebugTellsOfTheModelsOwnMistakes(t *testing.T) {
	mine := errors.New("overdrawn")
	out := rosstest.Try(t, rosstest.Checking(4), rosstest.Forever(func(lp *ross.LP) {
		if lp.Now() >= float64(10-lp.ID()) {
			lp.Fail(mine)
		}
	}))
	require.Error(t, out.Err) // forever has no Reverse, and none to need: its state is empty
	require.ErrorIs(t, out.Err, mine)
	require.ErrorContains(t, out.Err, "ross: LP 3 (forever) at time 7: the model gave up: overdrawn")

	out = rosstest.Try(t, rosstest.Checking(4), tills(func(*till, *ross.LP, *ross.Bits, *word) { panic("oh") }, nothing))
	require.ErrorContains(t, out.Err, "ross: LP 3 (till) at time 1.5: panic: oh")
	out = rosstest.Try(t, rosstest.Checking(4), tills(nothing, func(*till, *ross.LP, *ross.Bits, *word) { panic("oh") }))
	require.ErrorContains(t, out.Err, "ross: LP 3 (till) at time 1.5: panic: oh")
}

func TestDebugStopsWithItsContext(t *testing.T) {
	sim, _ := rosstest.Define(t, rosstest.Checking(4), rosstest.Forever(rosstest.NoTick))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, sim.Run(ctx), context.Canceled)
}

func TestDebugRefusesWhatIsNeverUndone(t *testing.T) {
	sim, err := ross.New(rosstest.Checking(4))
	require.NoError(t, err)
	defer sim.Close()
	err = sim.Define(rosstest.Chatter(ross.SaveNever))
	require.EqualError(t, err,
		`ross: LP type "chatter": Saving is SaveNever, and --synch=4 rolls back every event: unusable model: `+
			`use --synch=6, which checks the other types`)
}

func TestDebugWarnsThatNoHookFires(t *testing.T) {
	var log bytes.Buffer
	cfg := rosstest.Checking(4)
	cfg.HookTrigger = ross.HookAt(5)
	cfg.GVTHook = func(*ross.PE, bool) { t.Error("the hook ran") }
	cfg.Log = slog.New(slog.NewTextHandler(&log, nil))
	rosstest.Run(t, cfg, rosstest.Chatter(ross.SaveByReverse))
	require.Contains(t, log.String(), "--synch=4 commits none: it will never fire; use --synch=6")
}

func TestChecksNeedMemoryForCopies(t *testing.T) {
	type large struct{ Room [4 << 20]byte }
	cfg := rosstest.Checking(6)
	cfg.NLP, cfg.MaxMemory = 4, 40<<20
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	err = sim.Define(ross.Type[large]{
		Event: ross.On(func(*large, *ross.LP, *word) {}).Reverse(func(*large, *ross.LP, *word) {}),
	})
	require.ErrorIs(t, err, ross.ErrMemory)
	require.ErrorContains(t, err, "ross: Define: copies of 4 LPs of ")
}
