// Reductions and broadcasts.

//go:build mpi && cgo && !purego

package mpi_test

import (
	"bytes"
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
		rec.Key[i] = []uint64{0, 1, 1 << 63, 1<<64 - 1}[r.IntN(2)+2*(round%2)]
	}
	for i := range rec.Payload {
		rec.Payload[i] = r.Uint64()
	}
	return rec
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
			all.Key, all.Payload, all.Rank = rec.Key, rec.Payload, rec.Rank
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
		rec := recordOf(s.done, s.w.Rank())
		rec.Rank = 77
		if !assert.NoError(t, s.r.Start(&rec)) {
			return true
		}
		s.open = true
		return false
	}
	rec, done, err := s.r.Test()
	if !assert.NoError(t, err) {
		return true
	}
	if done {
		assert.Equal(t, combined(s.done, s.w.Size()), *rec, "round %d", s.done)
		s.open = false
		s.done++
	}
	return s.done == manyRounds
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
