// This file pins World by ranks that are goroutines of one process, with memory of the Go heap, where the race detector
// sees it.

package launch

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/world"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// heap is memory of the Go heap. Ranks sleep on its words as on those of a file.
type heap struct {
	lock  sync.Mutex
	parts map[int64][]uint64
	freed map[int64]int
	size  int64
	most  int64 // what grow allows; 0: all
}

func (h *heap) grow(bytes int64) error {
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.most > 0 && bytes > h.most {
		return errors.New("no more")
	}
	h.size = bytes
	return nil
}

func (h *heap) part(at int64, words int) ([]uint64, error) {
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.parts[at] == nil {
		h.parts[at] = make([]uint64, words)
	}
	if len(h.parts[at]) != words {
		return nil, fmt.Errorf("%d words at %d, which has %d", words, at, len(h.parts[at]))
	}
	return h.parts[at], nil
}

func (h *heap) provide(int64, int) error { return nil }
func (h *heap) drop([]uint64)            {}

func (h *heap) free(at int64, words int) {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.freed[at] += words
	clear(h.parts[at]) // as the system does: nobody may read it any more
}

// sessions returns those of n ranks.
func sessions(t testing.TB, n int) (*heap, []*session) {
	h := &heap{parts: map[int64][]uint64{}, freed: map[int64]int{}}
	all := make([]*session, n)
	for rank := range all {
		head, err := h.part(0, headWords(n))
		require.NoError(t, err)
		all[rank] = &session{rank: rank, size: n, mem: h, head: head, end: int64(8 * headWords(n))}
	}
	return h, all
}

// onAll calls a function for each rank, each in its own goroutine. The process of a rank ends when the function has
// returned.
func onAll(all []*session, f func(s *session)) {
	var group sync.WaitGroup
	for _, s := range all {
		group.Go(func() {
			f(s)
			if s.rank > 0 {
				all[0].hasEnded(s.rank, exits, 0)
			}
		})
	}
	group.Wait()
}

// open returns the next world of a rank.
func open(t testing.TB, s *session) *World {
	w, err := s.open()
	assert.NoError(t, err)
	return w
}

// worlds returns the worlds of all ranks, when all have it.
func worlds(t testing.TB, n int) (all []*session, ws []*World) {
	_, all = sessions(t, n)
	ws = make([]*World, n)
	var group sync.WaitGroup
	for _, s := range all {
		group.Go(func() { ws[s.rank] = open(t, s) })
	}
	group.Wait()
	return all, ws
}

// data returns bytes that a rank sends in a step, as all know them.
func data(seed uint64, step, rank int) []byte {
	r := rand.New(rand.NewPCG(seed, uint64(step)<<16|uint64(rank)))
	most := []int{1, 20, 9000, 60000}[r.IntN(4)]
	b := make([]byte, r.IntN(most))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestNextIsWhatAnyRankHasSentInTheOrderOfEach(t *testing.T) {
	const n, steps = 4, 12
	all, ws := worlds(t, n)
	seed := testrand.Seed(t)
	onAll(all, func(s *session) {
		w := ws[s.rank]
		from, _, err := w.Next(false)
		assert.NoError(t, err)
		assert.Less(t, from, n)
		var sending sync.WaitGroup
		for to := range n {
			if to != s.rank {
				sending.Go(func() { // each to another rank, at the same time
					for step := range steps {
						assert.NoError(t, w.Send(data(seed, step, s.rank), to))
					}
				})
			}
		}
		next := make([]int, n)
		if from >= 0 {
			next[from]++
		}
		for got := next[max(from, 0)]; got < steps*(n-1); got++ {
			from, b, err := w.Next(true)
			assert.NoError(t, err)
			assert.True(t, bytes.Equal(data(seed, next[from], from), b), "message %d of rank %d", next[from], from)
			next[from]++
		}
		sending.Wait()
		assert.NoError(t, w.Close())
		_, _, err = w.Next(true)
		assert.ErrorIs(t, err, mpi.ErrClosed)
	})
}

func TestNextEndsIfNobodyWillSend(t *testing.T) {
	all, ws := worlds(t, 3)
	known := make(chan struct{})
	onAll(all, func(s *session) {
		if s.rank > 0 {
			assert.NoError(t, ws[s.rank].send(callBarrier, nil, 0))
			<-known
			return
		}
		defer close(known)
		_, _, err := ws[0].Next(true)
		assert.ErrorContains(t, err, "rank 0 calls Send or Receive, and rank")
		assert.ErrorContains(t, err, "calls Barrier at the same time")
	})
}

// TestOperationsOfAllRanksGiveWhatTheyAreToGive makes random operations, whose results each rank computes by itself.
func TestOperationsOfAllRanksGiveWhatTheyAreToGive(t *testing.T) {
	seed := testrand.Seed(t)
	for _, n := range []int{2, 3, 5} {
		_, all := sessions(t, n)
		onAll(all, func(s *session) {
			w := open(t, s)
			for step := range testlevel.Times(200, 40) {
				r := rand.New(rand.NewPCG(seed, uint64(step)))
				root, own := r.IntN(n), data(seed, step, s.rank)
				switch r.IntN(5) {
				case 0:
					assert.NoError(t, w.Barrier())
				case 1:
					got, err := w.Bcast(own, root)
					assert.NoError(t, err)
					assert.True(t, bytes.Equal(data(seed, step, root), got))
				case 2:
					lists, err := w.AllGather(own)
					assert.NoError(t, err)
					for rank, list := range lists {
						assert.True(t, bytes.Equal(data(seed, step, rank), list), "step %d, rank %d", step, rank)
					}
				case 3:
					reduces(t, w, mpi.Op(r.IntN(3)), seed, step)
				case 4: // each to the one after it; those that send first and those that receive first alternate
					to, from := (s.rank+1)%n, (s.rank+n-1)%n
					send := func() { assert.NoError(t, w.Send(own, to)) }
					if s.rank > 0 {
						send()
					}
					got, err := w.Receive(from)
					assert.NoError(t, err)
					assert.True(t, bytes.Equal(data(seed, step, from), got))
					if s.rank == 0 {
						send()
					}
				}
			}
			assert.NoError(t, w.Close())
			assert.NoError(t, w.Close(), "closing twice does nothing")
			assert.ErrorIs(t, w.Barrier(), mpi.ErrClosed)
			assert.ErrorIs(t, w.Abort(1), mpi.ErrClosed)
		})
	}
}

func reduces(t *testing.T, w *World, op mpi.Op, seed uint64, step int) {
	values := func(rank int) []int64 {
		r := rand.New(rand.NewPCG(seed, uint64(step)<<16|uint64(rank)))
		v := make([]int64, 1+step%700)
		for i := range v {
			v[i] = int64(r.Uint64()) >> r.IntN(60)
		}
		return v
	}
	want := values(0)
	for rank := 1; rank < w.Size(); rank++ {
		for i, v := range values(rank) {
			want[i] = map[mpi.Op]int64{mpi.Sum: want[i] + v, mpi.Min: min(want[i], v), mpi.Max: max(want[i], v)}[op]
		}
	}
	got := values(w.Rank())
	assert.NoError(t, w.AllReduceInt64(op, got))
	assert.Equal(t, want, got)
}

// TestReductionsAreThoseOfARankThatKnowsAll compares them with what one rank computes from all records.
func TestReductionsAreThoseOfARankThatKnowsAll(t *testing.T) {
	seed := testrand.Seed(t)
	record := func(step, rank int) mpi.Record {
		r := rand.New(rand.NewPCG(seed, uint64(step)<<16|uint64(rank)))
		rec := mpi.Record{Balance: int64(r.IntN(9)) - 4, Flags: r.Uint64() & r.Uint64(), Rank: 99}
		for i := range rec.Counters {
			rec.Counters[i] = r.Uint64()
		}
		for i := range rec.Key { // often equal
			rec.Key[i] = uint64(r.IntN(2))
			if i == 0 {
				rec.Key[i] <<= 63
			}
		}
		return rec
	}
	list := func(step, rank int) []uint64 {
		r := rand.New(rand.NewPCG(seed, uint64(step)<<16|uint64(rank)))
		l := make([]uint64, 1<<(step%17))
		for i := range l {
			l[i] = uint64(r.IntN(2)) << 63
		}
		return l
	}
	for _, n := range []int{2, 3, 6} {
		_, all := sessions(t, n)
		onAll(all, func(s *session) {
			w := open(t, s)
			r, err := w.Reduction()
			assert.NoError(t, err)
			pauses := rand.New(rand.NewPCG(seed, uint64(s.rank)))
			for step := range testlevel.Times(200, 60) {
				for range pauses.IntN(3) {
					runtime.Gosched()
				}
				if step%4 == 3 {
					want := list(step, 0)
					for rank := 1; rank < n; rank++ {
						if l := list(step, rank); slices.Compare(l, want) < 0 {
							want = l
						}
					}
					assert.NoError(t, r.StartWords(list(step, s.rank)))
					got, done, err := r.TestWords()
					for ; !done && err == nil; got, done, err = r.TestWords() {
						runtime.Gosched()
					}
					assert.NoError(t, err)
					assert.Equal(t, want, got)
					continue
				}
				own := record(step, s.rank)
				assert.NoError(t, r.Start(&own))
				assert.EqualValues(t, 99, own.Rank, "it is the caller's")
				want := record(step, 0)
				want.Rank = 0
				for rank := 1; rank < n; rank++ {
					more := record(step, rank)
					want.Balance += more.Balance
					want.Flags |= more.Flags
					for i := range want.Counters {
						want.Counters[i] += more.Counters[i]
					}
					if slices.Compare(more.Key[:], want.Key[:]) < 0 {
						want.Key, want.Rank = more.Key, uint64(rank)
					}
				}
				got, done, err := r.Test()
				for ; !done && err == nil; got, done, err = r.Test() {
					runtime.Gosched()
				}
				assert.NoError(t, err)
				assert.Equal(t, want, *got)
			}
			assert.Zero(t, r.Calls())
			assert.NoError(t, w.Close())
			assert.ErrorIs(t, r.Start(&mpi.Record{}), mpi.ErrClosed)
			_, _, err = r.Test()
			assert.ErrorIs(t, err, mpi.ErrClosed)
		})
	}
}

// TestMessagesOfAnyLengthArriveInOrder has all mailboxes send all others messages. Some are longer than a ring.
// Each begins with its number and who sends it to whom, and goes on with words that follow from these.
func TestMessagesOfAnyLengthArriveInOrder(t *testing.T) {
	seed := testrand.Seed(t)
	for _, c := range []struct{ ranks, boxes, each int }{{2, 1, 400}, {2, 2, 100}, {3, 2, 40}} {
		_, all := sessions(t, c.ranks)
		var done atomic.Int32
		onAll(all, func(s *session) {
			w := open(t, s)
			boxes, err := w.Mailboxes(c.boxes)
			assert.NoError(t, err)
			var peers sync.WaitGroup
			for i, m := range boxes {
				peers.Go(func() { traffic(t, m, s.rank*c.boxes+i, c.ranks, c.boxes, c.each, seed, &done) })
			}
			peers.Wait()
			for _, m := range boxes {
				assert.True(t, m.Near())
			}
			n := boxes[0].Counts()
			want := uint64((c.ranks - 1) * c.boxes * c.each)
			assert.Equal(t, []uint64{want, want}, []uint64{n.Sent, n.Received})
			assert.Less(t, n.Near, n.Sent, "some are long")
			_, err = w.Mailboxes(c.boxes)
			assert.ErrorContains(t, err, "they exist")
			assert.NoError(t, w.Close())
			assert.False(t, boxes[0].Post((s.rank+1)%c.ranks, 0, []uint64{1}))
			assert.False(t, boxes[0].Room((s.rank+1)%c.ranks, 0))
			_, err = boxes[0].Poll(func(int, []uint64) {})
			assert.ErrorIs(t, err, mpi.ErrClosed)
			assert.Equal(t, n, boxes[0].Counts())
		})
	}
}

func traffic(t *testing.T, m world.Mailbox, self, ranks, boxes, each int, seed uint64, done *atomic.Int32) {
	r := rand.New(rand.NewPCG(seed, uint64(self)))
	left, next := map[int]int{}, map[int]int{}
	for to := range ranks * boxes {
		if to/boxes != self/boxes {
			left[to] = each
		}
	}
	await := each * len(left)
	for len(left) > 0 || await > 0 {
		if to := r.IntN(ranks * boxes); left[to] > 0 {
			n := 1 + r.IntN(300)
			if r.IntN(8) == 0 {
				n = 1 + r.IntN(20000)
			}
			words := make([]uint64, n)
			words[0] = uint64(each-left[to])<<32 | uint64(self)<<16 | uint64(to)
			for i := 1; i < n; i++ {
				words[i] = words[i-1]*6364136223846793005 + uint64(n)
			}
			room := m.Room(to/boxes, to%boxes)
			if m.Post(to/boxes, to%boxes, words) {
				if left[to]--; left[to] == 0 {
					delete(left, to)
				}
			} else if !assert.False(t, room, "there was room for %d words", n) {
				return
			}
		}
		_, err := m.Poll(func(rank int, words []uint64) {
			number, from, to := int(words[0]>>32), int(words[0]>>16&0xffff), int(words[0]&0xffff)
			assert.Equal(t, []int{rank, self, next[from]}, []int{from / boxes, to, number})
			for i := 1; i < len(words); i++ {
				if words[i] != words[i-1]*6364136223846793005+uint64(len(words)) {
					assert.Fail(t, "a word is not what was sent", "%d of %d", i, len(words))
					break
				}
			}
			next[from]++
			await--
		})
		if !assert.NoError(t, err) || t.Failed() {
			return
		}
		runtime.Gosched()
	}
	for done.Add(1); done.Load() < int32(ranks*boxes) && !t.Failed(); { // what was posted is on its way
		_, err := m.Poll(func(int, []uint64) {})
		assert.NoError(t, err)
		runtime.Gosched()
	}
}

// TestWorldsOfASessionFollowEachOtherAndLeaveNoMemory opens one after the other, and two at one time.
func TestWorldsOfASessionFollowEachOtherAndLeaveNoMemory(t *testing.T) {
	h, all := sessions(t, 3)
	onAll(all, func(s *session) {
		for i := range 5 {
			w := open(t, s)
			_, err := w.Mailboxes(1 + i%2)
			assert.NoError(t, err)
			_, err = w.Reduction()
			assert.NoError(t, err)
			var second *World
			if i == 2 {
				second = open(t, s)
			}
			got, err := w.Bcast(binary.LittleEndian.AppendUint64(nil, uint64(i)), i%3)
			assert.NoError(t, err)
			assert.EqualValues(t, i, binary.LittleEndian.Uint64(got))
			assert.NoError(t, w.Close())
			if second != nil {
				assert.NoError(t, second.Barrier())
				assert.NoError(t, second.Close())
			}
		}
	})
	for at, part := range h.parts {
		if at > 0 {
			require.Equal(t, len(part), h.freed[at], "a part at %d", at)
		}
	}
	require.Greater(t, len(h.parts), 20)
}

// TestRanksFindTheSameWorldsWhenTheyOpenManyInARow has nothing between two openings for which ranks would wait.
func TestRanksFindTheSameWorldsWhenTheyOpenManyInARow(t *testing.T) {
	const many = 200
	_, all := sessions(t, 3)
	var places [3][many]int64
	onAll(all, func(s *session) {
		var ws []*World
		for i := range many {
			w := open(t, s)
			if w == nil {
				return
			}
			places[s.rank][i] = w.parts[0].at
			ws = append(ws, w)
		}
		for _, w := range ws {
			assert.NoError(t, w.Close())
		}
	})
	for rank := range places {
		require.Equal(t, places[0], places[rank], "rank %d", rank)
	}
}

func TestRanksThatCallDifferentThingsLearnWhich(t *testing.T) {
	all, ws := worlds(t, 2)
	onAll(all, func(s *session) {
		w := ws[s.rank]
		if s.rank == 1 {
			_, err := w.AllGather([]byte("x"))
			assert.Error(t, err)
			return
		}
		err := w.Barrier()
		assert.ErrorContains(t, err, "ross: ranks: rank 0 calls Barrier, and rank 1 calls AllGather at the same time")
		assert.NoError(t, w.Abort(1)) // as package ranks does
	})
	_, all = sessions(t, 2)
	onAll(all, func(s *session) {
		w := open(t, s)
		_, err := w.Mailboxes(2 + s.rank)
		assert.ErrorContains(t, err, "ranks have 2 to 3")
		assert.ErrorContains(t, w.Send(nil, 2), "rank 2: not one of the others")
		assert.ErrorContains(t, w.Send(nil, s.rank), "not one of the others")
		_, err = w.Bcast(nil, 2)
		assert.ErrorContains(t, err, "there are 2 ranks")
	})
}

func TestMemoryThatThereIsNotIsAnErrorOfAllRanks(t *testing.T) {
	for _, what := range []string{"world", "mailboxes"} {
		h, all := sessions(t, 2)
		if h.most = all[0].end; what == "mailboxes" {
			h.most += int64(roundUp(8*baseWords(2), grain))
		}
		onAll(all, func(s *session) {
			w, err := s.open()
			if what == "mailboxes" {
				assert.NoError(t, err)
				_, err = w.Mailboxes(1)
			}
			assert.ErrorContains(t, err, map[int]string{0: "no more: use fewer ranks", 1: "rank"}[s.rank])
		})
	}
	require.Zero(t, ringWords(1024, 1024), "more than there is anywhere")
}

// Example has ranks that are goroutines. In a program, Connect(3) returns the world of each process.
func Example() {
	_, all := sessions(nil, 3)
	onAll(all, func(s *session) {
		w, err := s.open()
		if err != nil {
			fmt.Println(err)
			return
		}
		defer w.Close()
		sum := []int64{int64(w.Rank() + 1)}
		if err := w.AllReduceInt64(mpi.Sum, sum); err == nil && w.Rank() == 0 {
			fmt.Println(sum[0], "on each of", w.Size(), "ranks")
		}
	})
	// Output: 6 on each of 3 ranks
}

// TestWhoSleepsWakesForWhatComes has rank 1 sleep for a message, and for the end of a reduction, for as long as it
// takes: what does not wake it hangs.
func TestWhoSleepsWakesForWhatComes(t *testing.T) {
	const long = -1
	never := func() bool { return false }
	seed := testrand.Seed(t)
	_, all := sessions(t, 2)
	onAll(all, func(s *session) {
		w := open(t, s)
		r, err := w.Reduction()
		assert.NoError(t, err)
		boxes, err := w.Mailboxes(2)
		assert.NoError(t, err)
		pauses := testrand.Of(seed, uint64(s.rank))
		other := 1 - s.rank
		for i := range uint64(testlevel.Times(2000, 300)) {
			for range pauses.IntN(200) {
				runtime.Gosched()
			}
			if s.rank == 1 || i > 0 {
				for came := false; !came; { // ping, pong
					boxes[1].(world.Sleeper).Sleep(never, true, long)
					came, err = boxes[1].Poll(func(rank int, words []uint64) { assert.Equal(t, []uint64{uint64(other)}, words) })
					assert.NoError(t, err)
				}
			}
			assert.True(t, boxes[0].Post(other, 1, []uint64{uint64(s.rank)}))
			assert.NoError(t, r.Start(&mpi.Record{Balance: 1}))
			for done := false; !done && err == nil; {
				var rec *mpi.Record
				if rec, done, err = r.Test(); !done {
					boxes[0].(world.Sleeper).Sleep(func() bool { _, done, _ := r.Test(); return done }, i%2 == 0, long)
				}
				assert.True(t, !done || rec.Balance == 2)
			}
			assert.NoError(t, err)
		}
		assert.True(t, boxes[1].(world.Sleeper).Sleep(func() bool { return true }, false, long))
		assert.NoError(t, w.Close())
		assert.False(t, boxes[1].(world.Sleeper).Sleep(never, true, long))
	})
}
