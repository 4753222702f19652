// This file pins the exchange of lists and texts, and the tree; it has a world whose ranks are goroutines.

package ranks

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/world"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// Lists and texts of all ranks.

var worlds = []int{1, 2, 3, 5}

// randomBytes are bytes of any value.
func randomBytes(r *rand.Rand, n int) []byte {
	list := make([]byte, n)
	for i := range list {
		list[i] = byte(r.Uint32())
	}
	return list
}

func TestListsOfAnyLengthReachAllRanks(t *testing.T) {
	seed := testrand.Seed(t)
	r := rand.New(rand.NewPCG(seed, 0))
	const head, block = 16, 7
	for _, n := range worlds {
		for range 50 {
			want := make([][]byte, n)
			for i := range want {
				want[i] = randomBytes(r, []int{0, 1, r.IntN(head), head, head + 1, head + block,
					head + r.IntN(10*block)}[r.IntN(7)])
			}
			errs := errorsOf(t, newRanks(n), func(w *rank) error {
				got, err := allGatherBytes(w, want[w.number], head, block)
				assert.Len(t, got, n)
				for i := range got {
					assert.True(t, bytes.Equal(want[i], got[i]), "list %d at rank %d", i, w.number)
				}
				return err
			})
			require.Equal(t, make([]error, n), errs)
		}
	}
}

// One long list does not make the others long.
func TestALongListCostsMemoryOnce(t *testing.T) {
	const long = 1 << 20
	all := newRanks(5)
	errs := errorsOf(t, all, func(w *rank) error {
		var own []byte
		if w.number == 3 {
			own = bytes.Repeat([]byte{7}, long)
		}
		got, err := AllGatherBytes(w, own)
		assert.Len(t, got[3], long)
		assert.Empty(t, got[0])
		assert.Less(t, w.padded, long/4)
		got[w.number] = append(got[w.number][:0], 1)
		return err
	})
	require.Equal(t, make([]error, 5), errs)
}

func TestTheTextOfRank0ReachesAllRanks(t *testing.T) {
	for _, text := range []string{"", "stats-output-17", "\xff\x00\n", strings.Repeat("long ", 1<<18)} {
		for _, n := range worlds {
			errs := errorsOf(t, newRanks(n), func(w *rank) error {
				own := "another"
				if w.number == 0 {
					own = text
				}
				err := Share(w, &own)
				assert.True(t, own == text)
				return err
			})
			require.Equal(t, make([]error, n), errs)
		}
	}
}

// Whatever call of MPI fails, its error comes back.
func TestErrorsOfMPIComeBackWrapped(t *testing.T) {
	big := strings.Repeat("x", 10000)
	bodies := map[string]func(w *rank) error{
		"AllGatherBytes": func(w *rank) error { _, err := AllGatherBytes(w, []byte(big)); return err },
		"Share":          func(w *rank) error { text := big; return Share(w, &text) },
		"Agree":          func(w *rank) error { return Agree(w, ownError(w.number, 1), 3) },
		"Check":          func(w *rank) error { return Check(w, options("--nlp", w.number)) },
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			calls := newRanks(2)
			errorsOf(t, calls, body)
			for at := 1; at <= calls[0].made; at++ {
				all := newRanks(2)
				all[1].failsAt = at
				for number, err := range errorsOf(t, all, body) {
					require.ErrorIs(t, err, errMPI, "call %d", at)
					require.True(t, ShouldPrint(err), "nothing was agreed")
					require.Regexp(t, `ross: .*ranks: [a-z ]+: MPI_Fake: rank 1: cable cut: another rank may be gone: end the run`,
						err.Error())
					require.Equal(t, 1, strings.Count(err.Error(), "ross: "))
					if name == "Agree" && number == 1 {
						require.ErrorIs(t, err, errOwn, "call %d", at)
					}
				}
			}
		})
	}
}

// Combining along a tree: results for all numbers of ranks, and what a rank of 4,096 holds.

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
			got, err := Fold(w, &own, func(to, more *string) { *to += *more })
			if err != nil || *got != want {
				return fmt.Errorf("Fold on rank %d of %d: %v, %w", rank, n, got, err)
			}
			before := []int64{int64(rank), 1}
			if err := Before(w, before); err != nil ||
				!slices.Equal(before, []int64{int64(rank * (rank - 1) / 2), int64(rank)}) {
				return fmt.Errorf("Before on rank %d of %d: %v, %w", rank, n, before, err)
			}
			list := ""
			err = Collect(w, []byte(text), func(_ int, b []byte) error { list += string(b); return nil })
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
			if err := Check(w, options("a", "same")); err != nil {
				return err
			}
			if err := Agree(w, nil, 0); err != nil {
				return err
			}
			own := &figures{}
			own.Events[99] = 1
			all, err := Fold(w, own, func(to, more *figures) { to.Events[99] += more.Events[99] })
			if err == nil && all.Events[99] != uint64(n) {
				err = fmt.Errorf("%d of %d", all.Events[99], n)
			}
			return errors.Join(err, Before(w, make([]int64, 3)))
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

// A world whose ranks are goroutines. It fails where MPI would hang or mix things up:
// ranks that do not all call the same thing, or without one that is gone.

// meeting is where the ranks of a world meet.
type meeting struct {
	sync.Mutex
	*round
	size, gone int
}

// round is one call of all ranks.
type round struct {
	calls   []string
	given   [][]byte
	waiting int
	err     error
	done    chan struct{}
}

// rank is one of them.
type rank struct {
	*meeting
	number  int
	order   binary.ByteOrder // of its words in memory; MPI sends them as they are
	made    int              // calls
	failsAt int              // the call that fails, counted from 1; 0: none
	most    int              // the most bytes that a call gave it
	padded  int              // the most that AllGather filled up
}

// errMPI is the error of a fake that fails.
var errMPI = &mpi.Error{Call: "MPI_Fake", Rank: 1, Code: 7, Text: "cable cut"}

var errLength = errors.New("ross: Gather: more bytes than MPI takes at once: use parts")

// newRanks returns the ranks of a world of n.
func newRanks(n int) []*rank {
	m := &meeting{size: n}
	m.next()
	all := make([]*rank, n)
	for i := range all {
		all[i] = &rank{meeting: m, number: i, order: binary.LittleEndian}
	}
	return all
}

func (m *meeting) next() {
	m.round = &round{calls: make([]string, m.size), given: make([][]byte, m.size), done: make(chan struct{})}
}

// onAll runs body in all ranks, each a goroutine, and returns when all are done.
func onAll(all []*rank, body func(w *rank)) {
	var group sync.WaitGroup
	for _, w := range all {
		group.Go(func() {
			defer w.leave()
			body(w)
		})
	}
	group.Wait()
}

// errorsOf is onAll with what each rank returns. All have made the same calls then.
func errorsOf(t testing.TB, all []*rank, body func(w *rank) error) []error {
	t.Helper()
	errs := make([]error, len(all))
	onAll(all, func(w *rank) { errs[w.number] = body(w) })
	for _, w := range all {
		assert.Equal(t, all[0].made, w.made, "calls of rank %d", w.number)
	}
	return errs
}

func (w *rank) leave() {
	w.Lock()
	defer w.Unlock()
	w.gone++
	if w.waiting > 0 {
		w.finish()
	}
}

// meet gives bytes to all ranks, and returns those of all. call states what is called:
// it has to be the same everywhere.
func (w *rank) meet(call string, own []byte) ([][]byte, error) {
	w.made++
	if w.made == w.failsAt {
		call = "fail"
	}
	w.Lock()
	r := w.round
	r.calls[w.number], r.given[w.number] = call, bytes.Clone(own)
	if r.waiting++; r.waiting+w.gone >= w.size {
		w.finish()
	}
	w.Unlock()
	<-r.done
	if r.err != nil {
		return nil, r.err
	}
	all := make([][]byte, w.size)
	total := 0
	for i := range all {
		all[i] = bytes.Clone(r.given[i])
		total += len(all[i])
	}
	w.most = max(w.most, total)
	return all, nil
}

// finish ends a round.
func (m *meeting) finish() {
	r := m.round
	switch first := r.calls[0]; {
	case slices.Contains(r.calls, "fail"):
		r.err = errMPI
	case slices.ContainsFunc(r.calls, func(call string) bool { return call != first }):
		r.err = fmt.Errorf("fake: not all ranks call the same: %q", r.calls)
	}
	close(r.done)
	m.next()
}

func (w *rank) Rank() int { return w.number }
func (w *rank) Size() int { return w.size }

// lengths has the ranks tell the lengths of what they give, in words.
func (w *rank) lengths(call string, n int) ([]int64, error) {
	words := make([]int64, w.size)
	words[w.number] = int64(n)
	return words, w.sum(call, words)
}

func (w *rank) AllGather(data []byte) ([][]byte, error) {
	lengths, err := w.lengths("lengths of AllGather", len(data))
	if err != nil {
		return nil, err
	}
	for _, n := range lengths {
		if n < 0 || n > 1<<31 {
			return nil, errLength
		}
		w.padded = max(w.padded, int(n)*w.size)
	}
	return w.meet("AllGather", data)
}

func (w *rank) Bcast(data []byte, root int) ([]byte, error) {
	if w.number != root {
		data = nil // that of others does not count
	}
	lengths, err := w.lengths(fmt.Sprintf("length of Bcast %d", root), len(data))
	if err != nil {
		return nil, err
	}
	if n := lengths[root]; n < 0 || n > 1<<31 {
		return nil, errLength
	}
	all, err := w.meet(fmt.Sprintf("Bcast %d", root), data)
	if err != nil {
		return nil, err
	}
	return all[root], nil
}

// Send and Receive are not part of what these tests try: those of trees have tests of their own.
func (w *rank) Send([]byte, int) error      { return errMPI }
func (w *rank) Receive(int) ([]byte, error) { return nil, errMPI }

func (w *rank) AllReduceInt64(op mpi.Op, values []int64) error {
	call := fmt.Sprintf("AllReduceInt64 %d of %d", op, len(values))
	if op == mpi.Sum {
		return w.sum(call, values)
	}
	all, err := w.meet(call, w.memory(values))
	for _, memory := range all {
		for i := range values {
			values[i] = max(values[i], w.word(memory, i))
		}
	}
	return err
}

// sum adds up words as this rank sees them in the memory of each.
func (w *rank) sum(call string, values []int64) error {
	all, err := w.meet(call, w.memory(values))
	if err != nil {
		return err
	}
	clear(values)
	for _, memory := range all {
		for i := range values {
			values[i] += w.word(memory, i)
		}
	}
	return nil
}

func (w *rank) memory(values []int64) []byte {
	memory := make([]byte, 8*len(values))
	for i, v := range values {
		w.order.PutUint64(memory[8*i:], uint64(v))
	}
	return memory
}

func (w *rank) word(memory []byte, i int) int64 { return int64(w.order.Uint64(memory[8*i:])) }

var _ World = (*rank)(nil)

// swapped is a word as a machine of the other byte order reads it.
func swapped(word int64) int64 { return int64(bits.ReverseBytes64(uint64(word))) }
