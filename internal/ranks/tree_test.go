// Combining along a tree: results for all numbers of ranks, and what a rank of 4,096 holds.

package ranks_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/world"
	"github.com/ross-go/ross/internal/world/worldtest"
)

// counted is a world that counts the bytes that its rank is given.
type counted struct {
	world.World
	bytes, most, gathers atomic.Int64 // in all, in one call, and the calls that give what all ranks have
}

func (w *counted) got(n int) {
	w.bytes.Add(int64(n))
	w.most.Store(max(w.most.Load(), int64(n)))
}

func (w *counted) Receive(from int) ([]byte, error) {
	b, err := w.World.Receive(from)
	w.got(len(b))
	return b, err
}

func (w *counted) Bcast(data []byte, root int) ([]byte, error) {
	b, err := w.World.Bcast(data, root)
	w.got(len(b))
	return b, err
}

func (w *counted) AllGather(own []byte) ([][]byte, error) {
	w.gathers.Add(1)
	return w.World.AllGather(own)
}

func (w *counted) AllReduceInt64(op mpi.Op, values []int64) error {
	w.got(8 * len(values))
	return w.World.AllReduceInt64(op, values)
}

// onRanks runs body on n ranks, and returns their worlds.
func onRanks(t *testing.T, n int, body func(w *counted) error) []*counted {
	c := worldtest.New(n, 1, 0)
	worlds, errs := make([]*counted, n), make([]error, n)
	var all sync.WaitGroup
	for rank := range n {
		worlds[rank] = &counted{World: c.Rank(rank)}
		all.Go(func() { errs[rank] = body(worlds[rank]) })
	}
	all.Wait()
	require.NoError(t, errors.Join(errs...))
	return worlds
}

func TestTreesCombineInTheOrderOfRanks(t *testing.T) {
	for n := 1; n <= 19; n++ {
		want := ""
		for rank := range n {
			want += fmt.Sprint(rank, ";")
		}
		onRanks(t, n, func(w *counted) error {
			rank := w.Rank()
			text := fmt.Sprint(rank, ";")
			own := text
			got, err := ranks.Fold(w, &own, func(to, more *string) { *to += *more })
			if err != nil || *got != want {
				return fmt.Errorf("Fold on rank %d of %d: %v, %w", rank, n, got, err)
			}
			before := []int64{int64(rank), 1}
			if err := ranks.Before(w, before); err != nil || !slices.Equal(before, []int64{int64(rank * (rank - 1) / 2), int64(rank)}) {
				return fmt.Errorf("Before on rank %d of %d: %v, %w", rank, n, before, err)
			}
			list := ""
			err = ranks.Collect(w, []byte(text), func(_ int, b []byte) error { list += string(b); return nil })
			if err != nil || rank == 0 && list != want {
				return fmt.Errorf("Collect on rank %d of %d: %q, %w", rank, n, list, err)
			}
			return nil
		})
	}
}

// TestARankHoldsNothingForEachOfManyRanks has 4,096 ranks agree that they are alike, combine
// figures, and add up sizes, and compares what a rank is given with that of 64 ranks.
func TestARankHoldsNothingForEachOfManyRanks(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	type figures struct{ Events [100]uint64 }
	most := func(n int) (most, sum int64) {
		for _, w := range onRanks(t, n, func(w *counted) error {
			if err := ranks.Check(w, options("a", "same")); err != nil {
				return err
			}
			if err := ranks.Agree(w, nil, 0); err != nil {
				return err
			}
			own := &figures{}
			own.Events[99] = 1
			all, err := ranks.Fold(w, own, func(to, more *figures) { to.Events[99] += more.Events[99] })
			if err == nil && all.Events[99] != uint64(n) {
				err = fmt.Errorf("%d of %d", all.Events[99], n)
			}
			return errors.Join(err, ranks.Before(w, make([]int64, 3)))
		}) {
			require.Zero(t, w.gathers.Load())
			most, sum = max(most, w.most.Load()), max(sum, w.bytes.Load())
		}
		return most, sum
	}
	atOnce, inAll := most(4096)
	fewAtOnce, few := most(64)
	t.Logf("4,096 ranks: %d bytes at once, %d in all; 64: %d, %d", atOnce, inAll, fewAtOnce, few)
	require.LessOrEqual(t, atOnce, fewAtOnce+16)
	require.LessOrEqual(t, inAll, 3*few, "it grows with the number of stages, 12 and 6")
}
