// This file pins that --synch=6 accepts what is undone, and leaves nothing behind.

package ross_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/report"
)

// till is a state with a part of every kind; job hangs on it.
type (
	till struct {
		Balance int64
		Queue   []*job
		Names   map[string]job
		Coins   ross.Block[job]
		More    ross.Block[ross.Block[job]]
	}
	job struct{ Weight int64 }
)

// TestCheckAcceptsWhatIsUndone has an event do all that can be undone, by each
// kind of saving.
func TestCheckAcceptsWhatIsUndone(t *testing.T) {
	type flat struct {
		Count int64
		Coins ross.Block[job]
		Kept  ross.Block[ross.Block[job]]
	}
	handle := func(save bool) func(s *flat, lp *ross.LP, bits *ross.Bits, m *word) {
		keep := func(lp *ross.LP, p *int64) {
			if save {
				ross.Save(lp, p)
			}
		}
		return func(s *flat, lp *ross.LP, bits *ross.Bits, m *word) {
			bits.Set(3)
			keep(lp, &s.Count)
			s.Count += lp.RNG().Integer(0, 9)
			lp.Stream(1).Normal01()
			if s.Coins.Len() == 0 || lp.RNG().Unif() < 0.3 {
				if save {
					ross.Save(lp, &s.Coins)
				}
				ross.Free(lp, s.Coins)
				s.Coins = ross.Alloc[job](lp, int(lp.RNG().Integer(1, 5)))
			}
			coins := s.Coins.Of(lp)
			keep(lp, &coins[0].Weight)
			coins[0].Weight++
			keep(lp, &m.N)
			m.N++
			lp.Printf("%d ", m.N)
			ross.Send(lp, rosstest.Anywhere(lp)%4, lp.RNG().Exponential(1), *m)
			if m.N%5 == 0 {
				ross.SendPriority(lp, lp.ID(), 0, 1, word{N: -5})
			}
		}
	}
	models := map[string]ross.LPType{}
	for _, saving := range []ross.Saving{ross.SaveByLog, ross.SaveByDelta, ross.SaveNever} {
		event := handle(saving == ross.SaveByLog)
		models[saving.String()] = ross.Type[flat, word]{
			Saving: saving,
			Init:   func(_ *flat, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), word{N: 1}) },
			Event: func(s *flat, lp *ross.LP, bits *ross.Bits, m *word) {
				if m.N >= 0 {
					event(s, lp, bits, m)
				}
			},
		}
	}
	models["Reverse"] = ross.Type[till, word]{
		Init: func(s *till, lp *ross.LP) {
			s.Balance, s.Queue, s.Names = 100, []*job{{1}, {2}}, map[string]job{"a": {1}}
			s.Coins, s.More = ross.Alloc[job](lp, 3), ross.Alloc[ross.Block[job]](lp, 2)
			s.More.Of(lp)[1] = ross.Alloc[job](lp, 2)
			if lp.ID() == 1 {
				ross.Send(lp, 3, 1.5, word{N: 7})
			}
		},
		Event: func(s *till, lp *ross.LP, bits *ross.Bits, m *word) {
			s.Balance++
			s.Queue = append(s.Queue, &job{lp.RNG().Integer(0, 5)})
			s.Names["b"] = job{2}
			lp.Printf("%d ", m.N)
			ross.Send(lp, lp.ID(), lp.Stream(1).Unif(), word{N: 7})
		},
		Reverse: func(s *till, lp *ross.LP, bits *ross.Bits, m *word) {
			s.Balance--
			s.Queue = s.Queue[:len(s.Queue)-1]
			if len(s.Queue) == 2 {
				delete(s.Names, "b")
			}
			lp.RNG().Reverse() // by hand, as models of ROSS do; Stream(1) is the engine's
		},
		Check: &ross.Checker[till]{Message: true},
	}
	for name, model := range models {
		t.Run(name, func(t *testing.T) {
			want := rosstest.Run(t, rosstest.Checking(1), model)
			got := rosstest.Run(t, rosstest.Checking(6), model)
			require.Greater(t, got.Net(), 100)
			require.Equal(t, want.Net(), got.Net())
			require.Equal(t, *want.Stats().Digest, *got.Stats().Digest)
			require.Equal(t, want.Stats().EventsPastEnd, got.Stats().EventsPastEnd)
			require.Equal(t, printed(want.Report), printed(got.Report))
			require.NotEmpty(t, printed(got.Report))
			require.NoError(t, got.CheckPools())
			require.Zero(t, got.LiveEvents())
			undone := uint64(got.Net())
			if name == "never" {
				undone = 0
			}
			require.Equal(t, undone, got.Stats().EventsRolledBack)
			require.Equal(t, fmt.Sprint(undone), got.Figure("Events Rolled Back and Compared"))
			require.Equal(t, want.Figure("Events Pending, Most at Once"), got.Figure("Events Pending, Most at Once"))
		})
	}
}

// printed returns what a model printed: numbers, on the lines between start and
// end of the run.
func printed(printed string) string {
	_, after, _ := strings.Cut(printed, "SIMULATION ***\n\n")
	before, _, _ := strings.Cut(after, report.EndLine)
	return progressLine.ReplaceAllString(before, "")
}

var progressLine = regexp.MustCompile(`(?m)GVT #.*\n.*\n`)

// TestMessageMayBeScratch has Event leave in the message what Reverse needs, and
// then something that makes a difference.
func TestMessageMayBeScratch(t *testing.T) {
	type note struct{ Amount, Old int64 }
	model := func(event func(s *job, m *note)) ross.LPType {
		return ross.Type[job, note]{
			Name:    "scratch",
			Init:    func(_ *job, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, note{Amount: 5}) },
			Event:   func(s *job, _ *ross.LP, _ *ross.Bits, m *note) { event(s, m) },
			Reverse: func(s *job, _ *ross.LP, _ *ross.Bits, m *note) { s.Weight = m.Old },
		}
	}
	for _, synch := range []int{4, 6} {
		rosstest.Run(t, rosstest.Checking(synch), model(func(s *job, m *note) { m.Old, s.Weight = s.Weight, s.Weight+m.Amount }))
	}
	cfg := rosstest.Checking(6)
	cfg.NLP = 1
	out := rosstest.Try(t, cfg, model(func(s *job, m *note) { m.Old, s.Weight, m.Amount = s.Weight, s.Weight+m.Amount, 6 }))
	require.ErrorContains(t, out.Err, "Event, called again after the rollback of the event that LP 0 sent at time 0, "+
		"left job.Weight at 6, it was 5 after the first call")
}
