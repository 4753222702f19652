// Reductions and broadcasts.

//go:build mpi && cgo && !purego

package mpi_test

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/mpi"
)

func TestGoAndCShareOneRecord(t *testing.T) {
	typ := reflect.TypeFor[mpi.Record]()
	goSide := []uint32{uint32(typ.Size())}
	for i := range typ.NumField() {
		goSide = append(goSide, uint32(typ.Field(i).Offset))
	}
	require.Equal(t, csrc.MPILayout(), goSide)
}

// recordOf is the record of a rank in a round, with keys that often agree in the
// first words and are sometimes equal.
func recordOf(round, rank int) mpi.Record {
	r := rand.New(rand.NewPCG(uint64(round), uint64(rank)))
	rec := mpi.Record{Balance: r.Int64() >> 8, Flags: 1 << r.IntN(64), Rank: uint64(rank)}
	if r.IntN(2) == 0 {
		rec.Balance = -rec.Balance
	}
	for i := range rec.Counters {
		rec.Counters[i] = r.Uint64()
	}
	for i := range rec.Key {
		rec.Key[i] = someWord(r, round)
	}
	return rec
}

// someWord is one of two, of which the sign bit tells that they are unsigned.
func someWord(r *rand.Rand, round int) uint64 {
	return []uint64{0, 1, 1 << 63, 1<<64 - 1}[r.IntN(2)+2*(round%2)]
}

// combined is what a reduction is to give.
func combined(round, ranks int) mpi.Record {
	all := recordOf(round, 0)
	for rank := 1; rank < ranks; rank++ {
		rec := recordOf(round, rank)
		all.Balance += rec.Balance
		all.Flags |= rec.Flags
		for i := range rec.Counters {
			all.Counters[i] += rec.Counters[i]
		}
		if slices.Compare(rec.Key[:], all.Key[:]) < 0 {
			all.Key, all.Rank = rec.Key, rec.Rank
		}
	}
	return all
}

// rounds does reductions, a step at a time.
type rounds struct {
	w    *mpi.World
	r    *mpi.Reduction
	done int
	open bool
}

const manyRounds = 100

func newRounds(w *mpi.World, r *mpi.Reduction) *rounds { return &rounds{w: w, r: r} }

// step starts a round or tests it, and reports whether all are done.
func (s *rounds) step(t *testing.T) bool {
	if !s.open {
		s.open = assert.NoError(t, s.start())
		return !s.open
	}
	want, got, done, err := s.test()
	if !assert.NoError(t, err) {
		return true
	}
	if done {
		assert.Equal(t, want, got, "round %d", s.done)
		s.open = false
		s.done++
	}
	return s.done == manyRounds
}

// lists reports whether the round is one of lists, of s.done words.
func (s *rounds) lists() bool { return s.done%3 == 1 }

func (s *rounds) start() error {
	if s.lists() {
		return s.r.StartWords(wordsOf(s.done, s.w.Rank(), s.done))
	}
	rec := recordOf(s.done, s.w.Rank())
	rec.Rank = 77 // does not count
	return s.r.Start(&rec)
}

func (s *rounds) test() (want, got any, done bool, err error) {
	if s.lists() {
		words, done, err := s.r.TestWords()
		return leastWords(s.done, s.w.Size(), s.done), words, done, err
	}
	rec, done, err := s.r.Test()
	return combined(s.done, s.w.Size()), *cmp.Or(rec, &mpi.Record{}), done, err
}

func TestReductionsCombineTheRecordsOfAllRanks(t *testing.T) {
	onRanks(t, []int{1, 2, 3, 4}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		r, err := w.Reduction()
		require.NoError(t, err)
		s := newRounds(w, r)
		for !s.step(t) && !t.Failed() {
			pause()
		}
		require.Greater(t, r.Calls(), uint64(2*manyRounds))
		rec := recordOf(0, w.Rank())
		require.NoError(t, r.Start(&rec))
		require.ErrorContains(t, r.Start(&rec), "the last one is under way")
		got, err := r.Wait()
		require.NoError(t, err)
		require.Equal(t, combined(0, w.Size()), *got)
		require.NoError(t, w.Close())
		require.ErrorIs(t, r.Start(&rec), mpi.ErrClosed)
		_, _, err = r.Test()
		require.ErrorIs(t, err, mpi.ErrClosed)
	})
}

// wordsOf is the list of a rank in a round: long lists agree in most words.
func wordsOf(round, rank, n int) []uint64 {
	all, own := rand.New(rand.NewPCG(seed, uint64(round))), rand.New(rand.NewPCG(uint64(round), uint64(rank)))
	words := make([]uint64, n)
	from := all.IntN(n)
	for i := range words {
		words[i] = someWord(all, round)
		if i >= from {
			words[i] = someWord(own, round)
		}
	}
	return words
}

// leastWords is what a reduction of lists is to give.
func leastWords(round, ranks, n int) []uint64 {
	least := wordsOf(round, 0, n)
	for rank := 1; rank < ranks; rank++ {
		if words := wordsOf(round, rank, n); slices.Compare(words, least) < 0 {
			least = words
		}
	}
	return least
}

func TestListsOfAnyLengthAreCombinedToTheLeast(t *testing.T) {
	lengths := []int{1, 2, 3, 17, 64, 65, 1000, mpi.ListWords, 5, mpi.ListWords - 1, mpi.ListWords/2 + 1, 1}
	onRanks(t, []int{1, 2, 3, 4}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		r, err := w.Reduction()
		require.NoError(t, err)
		none, done, err := r.TestWords()
		require.NoError(t, err)
		require.True(t, done)
		require.Empty(t, none, "none was started")
		for round := range 6 * len(lengths) {
			n := lengths[round%len(lengths)]
			want := leastWords(round, w.Size(), n)
			own := wordsOf(round, w.Rank(), n)
			require.NoError(t, r.StartWords(own))
			clear(own) // a copy was sent
			got, done, err := r.TestWords()
			for ; !done; got, done, err = r.TestWords() {
				require.NoError(t, err)
				pause()
			}
			require.NoError(t, err)
			require.True(t, slices.Equal(want, got), "round %d, %d words", round, n)
			if round%5 == 0 {
				rec := recordOf(round, w.Rank())
				require.NoError(t, r.Start(&rec))
				got, err := r.Wait()
				require.NoError(t, err)
				require.Equal(t, combined(round, w.Size()), *got)
			}
		}
	})
}

func TestMistakesWithListsOfWordsAreErrors(t *testing.T) {
	onRanks(t, []int{2}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		r, err := w.Reduction()
		require.NoError(t, err)
		require.ErrorContains(t, r.StartWords(nil), "a list has 1 to 65536")
		require.ErrorContains(t, r.StartWords(make([]uint64, mpi.ListWords+1)), "a list has 1 to 65536")
		require.NoError(t, r.StartWords(make([]uint64, 5+w.Rank())))
		require.ErrorContains(t, r.StartWords(make([]uint64, 5)), "the last one is under way")
		require.ErrorContains(t, r.Start(&mpi.Record{}), "the last one is under way")
		_, _, err = r.Test()
		require.ErrorContains(t, err, "another kind is under way")
		for err = nil; err == nil; pause() {
			var done bool
			_, done, err = r.TestWords()
			require.False(t, done)
		}
		require.ErrorContains(t, err, "different numbers of words")
		require.NoError(t, r.Start(&mpi.Record{Key: [mpi.KeyWords]uint64{1}}))
		_, _, err = r.TestWords()
		require.ErrorContains(t, err, "another kind is under way")
		_, err = r.Wait()
		require.NoError(t, err)
		require.NoError(t, w.Close())
		require.ErrorIs(t, r.StartWords([]uint64{1}), mpi.ErrClosed)
		_, _, err = r.TestWords()
		require.ErrorIs(t, err, mpi.ErrClosed)
	})
}

func TestBroadcastsOfAnyLengthReachAllRanks(t *testing.T) {
	onRanks(t, []int{1, 2, 3, 4}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		b, err := w.Broadcast()
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(seed, 0))
		lengths := []int{0, 1, 255, 256, 257, 100000, 3, 0, 70000}
		for i, n := range lengths {
			root := i % w.Size()
			want := make([]byte, n)
			for k := range want {
				want[k] = byte(r.Uint32())
			}
			data := want
			if w.Rank() != root {
				data = []byte("not the root's")
			}
			require.NoError(t, b.Start(root, data))
			require.ErrorContains(t, b.Start(root, data), "the last one is under way")
			got, done, err := b.Test()
			for ; !done; got, done, err = b.Test() {
				require.NoError(t, err)
				pause()
			}
			require.NoError(t, err)
			require.True(t, bytes.Equal(want, got), "%d bytes from %d, seed %d", n, root, seed)
		}
		require.ErrorContains(t, b.Start(-1, nil), "there is no rank -1")
		require.GreaterOrEqual(t, b.Calls(), uint64(2*len(lengths)))
		require.NoError(t, w.Close())
		require.ErrorIs(t, b.Start(0, nil), mpi.ErrClosed)
		_, _, err = b.Test()
		require.ErrorIs(t, err, mpi.ErrClosed)
	})
}
