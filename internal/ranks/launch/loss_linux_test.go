// This file pins what ranks learn when one of them is gone, and that who sleeps wakes for it.

package launch

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/world"
)

// TestARankThatIsGoneEndsWhateverWaitsForIt has rank 1 end at different times of the others' calls.
func TestARankThatIsGoneEndsWhateverWaitsForIt(t *testing.T) {
	for name, wait := range map[string]func(w *World) error{
		"Barrier": (*World).Barrier,
		"Receive": func(w *World) error { _, err := w.Receive(1); return err },
		"Send": func(w *World) error {
			for {
				if err := w.Send(make([]byte, 50000), 1); err != nil {
					return err
				}
			}
		},
		"Close": (*World).Close,
		"open": func(w *World) error {
			_ = w.Close() // rank 0 may know already
			next, err := w.s.open()
			if err == nil { // rank 0 has been there
				err = next.Barrier()
			}
			return err
		},
		"Reduction": func(w *World) error {
			r, err := w.Reduction()
			if err != nil {
				return err
			}
			if err = r.Start(&mpi.Record{}); err == nil {
				for done := false; !done && err == nil; {
					_, done, err = r.Test()
				}
			}
			return err
		},
		"Poll": func(w *World) error {
			boxes, err := w.Mailboxes(1)
			if err != nil {
				return err
			}
			boxes[0].Post(1, 0, make([]uint64, 1<<20)) // rank 1 never takes it
			for err == nil {
				_, err = boxes[0].Poll(func(int, []uint64) {})
			}
			return err
		},
	} {
		for _, c := range []struct {
			how, status, code int
			says              string
		}{
			{dies, 9, 137, "ross: ranks: rank 1 has been ended by signal 9 (killed)"},
			{exits, 3, 3, "ross: ranks: rank 1 has ended with exit status 3"},
			{exits, 0, 1, "ross: ranks: rank 1 has ended, with exit status 0"},
		} {
			t.Run(fmt.Sprint(name, " ", c.says[20:]), func(t *testing.T) {
				all, ws := worlds(t, 3)
				var group sync.WaitGroup
				errs := make([]error, 3)
				for _, s := range all {
					group.Go(func() {
						w := ws[s.rank]
						if s.rank == 1 {
							switch name { // it takes part in what comes before
							case "Reduction":
								_, _ = w.Reduction()
							case "Poll":
								_, _ = w.Mailboxes(1)
							case "open":
								_ = w.Close()
							}
							all[0].hasEnded(1, c.how, c.status)
							return
						}
						if errs[s.rank] = wait(w); s.rank == 2 {
							all[0].hasEnded(2, exits, 1)
						}
					})
				}
				group.Wait()
				for _, rank := range []int{0, 2} {
					var l *Loss
					require.ErrorAs(t, errs[rank], &l)
					require.ErrorContains(t, l, c.says)
					require.Equal(t, c.code, l.Code())
					require.Equal(t, rank == 0, l.Tells())
				}
			})
		}
	}
}

// TestOneRankTellsThatTheFirstIsGone has the others find out by themselves.
func TestOneRankTellsThatTheFirstIsGone(t *testing.T) {
	all, ws := worlds(t, 4)
	var lock sync.Mutex
	tell := 0
	onAll(all, func(s *session) {
		w := ws[s.rank]
		if s.rank == 0 {
			return
		}
		s.lose(Loss{Rank: 0, how: vanishes}) // as at the end of its pipe
		var l *Loss
		assert.ErrorAs(t, w.Barrier(), &l)
		assert.ErrorContains(t, l, "rank 0, which has started the others, is gone")
		assert.Equal(t, 1, l.Code())
		lock.Lock()
		defer lock.Unlock()
		if l.Tells() {
			tell++
			assert.True(t, l.Tells(), "as often as it is asked")
		}
	})
	require.Equal(t, 1, tell)
}

// TestAnAbortIsAnErrorOfAllAndReturns has a rank end the run for its own reason, which it prints itself.
func TestAnAbortIsAnErrorOfAllAndReturns(t *testing.T) {
	all, ws := worlds(t, 3)
	onAll(all, func(s *session) {
		w := ws[s.rank]
		if s.rank == 2 {
			assert.NoError(t, w.Abort(7))
		}
		var l *Loss
		assert.ErrorAs(t, w.Barrier(), &l)
		assert.Equal(t, []int{2, 7, 7}, []int{l.Rank, l.Status, l.Code()})
		assert.ErrorContains(t, l, "rank 2 has ended the run: see what it has printed")
		assert.False(t, l.Tells())
	})
}

func TestTheFirstRankSaysThatAnotherHasEndedBadlyAfterTheRun(t *testing.T) {
	for _, excused := range []bool{false, true} {
		_, all := sessions(t, 2)
		var group sync.WaitGroup
		for _, s := range all {
			group.Go(func() {
				w := open(t, s)
				if excused {
					w.Excuse()
				}
				err := w.Close()
				switch {
				case s.rank == 1:
					assert.NoError(t, err)
					all[0].hasEnded(1, exits, 2)
				case excused:
					assert.NoError(t, err)
				default:
					assert.ErrorContains(t, err, "rank 1 has ended with exit status 2")
				}
			})
		}
		group.Wait()
	}
}

// TestWhoSleepsForGVTWakesForAFullRingAndForALoss has rank 0 send until there is no room, and go on when there is some.
func TestWhoSleepsForGVTWakesForAFullRingAndForALoss(t *testing.T) {
	never := func() bool { return false }
	_, all := sessions(t, 2)
	onAll(all, func(s *session) {
		w := open(t, s)
		boxes, err := w.Mailboxes(1)
		assert.NoError(t, err)
		m := boxes[0].(world.Sleeper)
		if s.rank == 0 {
			words := make([]uint64, 100)
			for m.Room(1, 0) {
				assert.True(t, m.Post(1, 0, words))
			}
			for !m.Room(1, 0) {
				runtime.Gosched()
			}
			assert.NoError(t, w.Abort(1))
			return
		}
		assert.True(t, m.Sleep(never, false, -1))
		came := 0
		_, err = m.Poll(func(int, []uint64) { came++ })
		assert.NoError(t, err)
		assert.Greater(t, came, 10, "it has slept until the ring was full")
		for s.lost() == nil { // the ring may be full once more, if the other rank was still posting
			assert.True(t, m.Sleep(never, false, -1))
			_, err = m.Poll(func(int, []uint64) {})
			assert.NoError(t, err)
		}
		m.Wake()
	})
}
