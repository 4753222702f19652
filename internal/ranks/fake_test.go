// A world whose ranks are goroutines. It fails where MPI would hang or mix things up:
// ranks that do not all call the same thing, or of which one is gone.

package ranks_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/internal/ranks"
)

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

// errMPI is what a fake that fails says.
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

// meet gives bytes to all ranks, and returns those of all. call says what is called:
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

// Send and Receive are not part of what these tests try: those of trees are in tree_test.go.
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

var _ ranks.World = (*rank)(nil)

// swapped is a word as a machine of the other byte order reads it.
func swapped(word int64) int64 { return int64(bits.ReverseBytes64(uint64(word))) }
