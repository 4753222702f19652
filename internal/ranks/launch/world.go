// This file owns World: what the ranks send each other outside of the loop, through a channel of words between each two
// of them, and the operations of all ranks that are made of it.

package launch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/transport"
	"github.com/ross-go/ross/internal/ranks/world"
	"github.com/ross-go/ross/internal/sys/mem"
)

// World is the ranks of a run that one process has started. Connect makes one.
type World struct {
	s       *session
	number  uint64                   // of the worlds of the session
	out     []transport.StreamWriter // to each rank; that to itself is not used
	in      []transport.StreamReader // from each rank
	boxes   []world.Mailbox          // those that package world has made
	wakes   atomic.Pointer[wakes]    // nil while there are no mailboxes
	lock    sync.Mutex
	parts   []part
	closing atomic.Bool
	chunks  [][]uint64 // for each rank what is put into its channel at a time; nil before something is sent there
	next    int        // the rank that Next looks at first
}

var _ world.World = (*World)(nil)

// part is a part of the memory that the world uses.
type part struct {
	at    int64
	words []uint64
}

// channelWords is the length of the channel between two ranks: 8 KiB.
const channelWords = 1024

// baseWords is the memory of a world without mailboxes: first what the two ends of each channel share, then the
// channels.
func baseWords(size int) int { return size * size * (transport.StreamControl + channelWords) }

// channel returns the memory of the channel from one of n ends to another one.
func channel(memory []uint64, from, to, n, words int) (control, ring []uint64) {
	i := to*n + from
	return memory[i*transport.StreamControl:][:transport.StreamControl],
		memory[n*n*transport.StreamControl+i*words:][:words]
}

// connect makes the ends of the channels.
func (w *World) connect(base []uint64) {
	n := w.s.size
	for rank := range n {
		w.out = append(w.out, transport.NewStreamWriter(channel(base, w.s.rank, rank, n, channelWords)))
		w.in = append(w.in, transport.NewStreamReader(channel(base, rank, w.s.rank, n, channelWords)))
	}
	w.chunks = make([][]uint64, n)
}

// keep notes a part of the memory, for Close.
func (w *World) keep(at int64, words []uint64) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.parts = append(w.parts, part{at, words})
}

// Rank returns the number of this rank.
func (w *World) Rank() int { return w.s.rank }

// Size returns the number of ranks.
func (w *World) Size() int { return w.s.size }

// What ranks call together, so that one finds out that another one calls something else.
const (
	callSend = iota
	callBarrier
	callBcast
	callGather
	callReduce
	callClose
	callBits = 8
)

var callNames = [...]string{callSend: "Send or Receive", callBarrier: "Barrier", callBcast: "Bcast",
	callGather: "AllGather", callReduce: "AllReduce", callClose: "Close"}

// send sends bytes to another rank: a word with their number and the call, and the bytes, in as many messages as they
// need.
func (w *World) send(call uint64, data []byte, to int) error {
	if err := w.usable(to); err != nil {
		return err
	}
	o := &w.out[to]
	if w.chunks[to] == nil {
		w.chunks[to] = make([]uint64, o.Longest())
	}
	chunk := w.chunks[to]
	chunk[0] = uint64(len(data))<<callBits | call
	for at := 1; ; at = 0 {
		n := copy(bytesOf(chunk[at:]), data)
		words := chunk[:at+(n+7)/8]
		data = data[n:]
		if !o.Room(len(words)) {
			if err := w.s.await(func() bool { return o.Room(len(words)) }); err != nil {
				return err
			}
		}
		o.Put(words)
		w.s.ring(to)
		if len(data) == 0 {
			return nil
		}
	}
}

// receive returns the bytes that another rank sends in the same call.
func (w *World) receive(call uint64, from int) ([]byte, error) {
	if err := w.usable(from); err != nil {
		return nil, err
	}
	in := &w.in[from]
	var data []byte
	for at, left := 1, 0; ; at = 0 {
		if err := w.s.await(in.Look); err != nil {
			return nil, err
		}
		words, _, _ := in.Next()
		if at == 1 {
			if other := words[0] & (1<<callBits - 1); other != call {
				return nil,
					fmt.Errorf(
						"ross: ranks: rank %d calls %s, and rank %d calls %s at the same time: let all ranks make the same calls in the same order",
						w.s.rank, callNames[call], from, callNames[min(other, callClose)])
			}
			left = int(words[0] >> callBits)
			data = make([]byte, 0, left)
		}
		n := min(left, 8*len(words[at:]))
		data = append(data, bytesOf(words[at:])[:n]...)
		left -= n
		in.Take()
		w.s.ring(from)
		if left == 0 {
			return data, nil
		}
	}
}

// usable returns an error if nothing can be exchanged with a rank.
func (w *World) usable(rank int) error {
	switch {
	case w.closing.Load():
		return mpi.ErrClosed
	case rank < 0 || rank >= w.s.size || rank == w.s.rank:
		return fmt.Errorf("ross: ranks: rank %d: not one of the others of rank %d: give another one, 0 to %d", rank, w.s.rank,
			w.s.size-1)
	}
	return w.s.lost()
}

// bytesOf returns the memory of words as bytes.
func bytesOf(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))
}

// Send sends bytes to another rank, which calls Receive. It returns before that if they fit into the channel. Several
// goroutines may call it, each for other ranks.
func (w *World) Send(data []byte, to int) error { return w.send(callSend, data, to) }

// Receive waits for the next bytes that a rank sends to this one.
func (w *World) Receive(from int) ([]byte, error) { return w.receive(callSend, from) }

// Next is Receive of the next bytes that any other rank sends to this one, and returns which rank that is. Without wait
// it returns rank -1 if there are none. If all others call something else, it is an error. One goroutine calls it at a
// time, and none calls Receive meanwhile.
func (w *World) Next(wait bool) (from int, data []byte, err error) {
	if w.closing.Load() {
		return -1, nil, mpi.ErrClosed
	}
	look := func() bool {
		elsewhere := 0
		for i := range w.s.size {
			from = (w.next + i) % w.s.size
			if in := &w.in[from]; from != w.s.rank && in.Look() {
				words, _, _ := in.Next()
				if words[0]&(1<<callBits-1) == callSend {
					return true
				}
				elsewhere++
			}
		}
		return elsewhere == w.s.size-1
	}
	if !look() {
		if !wait {
			return -1, nil, w.s.lost()
		}
		if err := w.s.await(look); err != nil {
			return -1, nil, err
		}
	}
	if from == w.s.rank { // nobody sends
		from = (from + 1) % w.s.size
	}
	w.next = from + 1
	data, err = w.Receive(from)
	return from, data, err
}

// collect returns, on rank 0, the bytes of all ranks in one call.
func (w *World) collect(call uint64, own []byte) (all [][]byte, err error) {
	if w.s.rank > 0 {
		return nil, w.send(call, own, 0)
	}
	all = [][]byte{own}
	for rank := 1; rank < w.s.size; rank++ {
		b, err := w.receive(call, rank)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// spread returns the bytes of a rank to all of them.
func (w *World) spread(call uint64, data []byte, root int) ([]byte, error) {
	if w.s.rank != root {
		return w.receive(call, root)
	}
	for rank := range w.s.size {
		if rank != root {
			if err := w.send(call, data, rank); err != nil {
				return nil, err
			}
		}
	}
	return data, nil
}

// Barrier returns when all ranks have called it.
func (w *World) Barrier() error {
	_, err := w.collect(callBarrier, nil)
	if err == nil {
		_, err = w.spread(callBarrier, nil, 0)
	}
	return err
}

// Bcast returns the bytes of the root to all ranks.
func (w *World) Bcast(data []byte, root int) ([]byte, error) {
	if root < 0 || root >= w.s.size {
		return nil, fmt.Errorf("ross: ranks: Bcast from rank %d: there are %d ranks: give one of them", root, w.s.size)
	}
	return w.spread(callBcast, data, root)
}

// AllGather returns the bytes of all ranks to all of them. Lengths may differ.
func (w *World) AllGather(own []byte) ([][]byte, error) {
	all, err := w.collect(callGather, own)
	if err != nil {
		return nil, err
	}
	var whole []byte // each with its length
	for _, b := range all {
		whole = append(binary.LittleEndian.AppendUint64(whole, uint64(len(b))), b...)
	}
	if whole, err = w.spread(callGather, whole, 0); err != nil {
		return nil, err
	}
	all = make([][]byte, 0, w.s.size)
	for range w.s.size {
		n := binary.LittleEndian.Uint64(whole)
		all = append(all, whole[8:8+n:8+n])
		whole = whole[8+n:]
	}
	return all, nil
}

// AllReduceInt64 combines the values of all ranks, which give as many.
func (w *World) AllReduceInt64(op mpi.Op, values []int64) error {
	own := make([]byte, 0, 8*len(values))
	for _, v := range values {
		own = binary.LittleEndian.AppendUint64(own, uint64(v))
	}
	all, err := w.collect(callReduce, own)
	if err != nil {
		return err
	}
	for rank, b := range all {
		if len(b) != len(own) {
			return fmt.Errorf(
				"ross: ranks: AllReduce: rank %d gives %d values, and rank 0 %d: let all ranks make the same calls in the same order", rank, len(b)/8, len(values))
		}
		world.Combine(op, values, b, rank == 0)
	}
	for i, v := range values {
		binary.LittleEndian.PutUint64(own[8*i:], uint64(v))
	}
	if own, err = w.spread(callReduce, own, 0); err != nil {
		return err
	}
	if len(own) != 8*len(values) {
		return fmt.Errorf(
			"ross: ranks: AllReduce: rank 0 gives %d values, and rank %d %d: let all ranks make the same calls in the same order", len(own)/8, w.s.rank, len(values))
	}
	for i := range values {
		values[i] = int64(binary.LittleEndian.Uint64(own[8*i:]))
	}
	return nil
}

// shared returns parts of the memory that rank 0 has allocated for all, each of as many words as rank 0 says, and where
// they are. All ranks have an error, or none.
func (w *World) shared(words ...int) (parts []part, err error) {
	list := make([]byte, 0, 16*len(words))
	if w.s.rank == 0 {
		for _, n := range words {
			at, failed := w.s.allocate(n)
			err = errors.Join(err, failed)
			list = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(list, uint64(at)), uint64(n))
		}
	}
	list, lost := w.Bcast(list, 0)
	for ; lost == nil && err == nil && len(list) > 0; list = list[16:] {
		p := part{at: int64(binary.LittleEndian.Uint64(list))}
		if p.words, err = w.s.mem.part(p.at, int(binary.LittleEndian.Uint64(list[8:]))); err == nil {
			parts = append(parts, p)
			w.keep(p.at, p.words)
		}
	}
	if lost != nil {
		return nil, lost
	}
	return parts, w.agree(err)
}

// agree returns an error on all ranks if one of them has an error.
func (w *World) agree(err error) error {
	good := []int64{1}
	if err != nil {
		good[0] = 0
	}
	lost := w.AllReduceInt64(mpi.Min, good)
	switch {
	case err != nil:
		return fmt.Errorf("ross: ranks: share memory: rank %d: %w: use fewer ranks, or fewer PEs", w.s.rank, err)
	case lost == nil && good[0] == 0:
		return errors.New("ross: ranks: share memory: another rank has none: use fewer ranks, or fewer PEs")
	}
	return lost
}

// Mailboxes makes the mailboxes of this rank: rings in memory, as between the ranks of a machine under MPI, and lanes
// for what is too long for them.
func (w *World) Mailboxes(n int) ([]world.Mailbox, error) {
	if err := w.sameNumber(n); err != nil {
		return nil, err
	}
	size := w.s.size
	r := &world.Rings{Own: w.s.rank, Mailboxes: n, Tells: true, Lost: func() bool { return w.s.lost() != nil }}
	for rank := range size {
		r.Ranks = append(r.Ranks, rank)
	}
	words, err := w.Bcast(binary.LittleEndian.AppendUint64(nil, uint64(ringWords(size, n))), 0)
	if err != nil {
		return nil, err
	}
	if r.Words = int(binary.LittleEndian.Uint64(words)); r.Words == 0 {
		return nil,
			fmt.Errorf(
				"ross: ranks: there is not enough free memory for channels between %d ranks of %d PEs: use fewer ranks, or fewer PEs", size, n)
	}
	ends, segment := size*n, roundUp(r.SegmentWords(), grain/8)
	parts, err := w.shared(size*segment, ends*ends*(transport.StreamControl+laneWords))
	if err != nil {
		return nil, err
	}
	var segments [][]uint64
	for rank := range size {
		segments = append(segments, parts[0].words[rank*segment:][:r.SegmentWords()])
	}
	own := w.s.rank * segment
	if err = w.s.mem.provide(parts[0].at+int64(8*own), segment); err == nil {
		r.Prepare(segments[w.s.rank])
	}
	if err := w.agree(err); err != nil {
		return nil, err
	}
	carriers := make([]world.Carrier, n)
	for i := range carriers {
		carriers[i] = newLanes(w, i, n, parts[1].words)
	}
	w.boxes = r.Connect(size, carriers, segments)
	w.wakes.Store(&wakes{firsts: r.Wakes(segments, false), all: r.Wakes(segments, true)})
	return slices.Clone(w.boxes), nil
}

// sameNumber returns an error unless all ranks make as many mailboxes, for the first time.
func (w *World) sameNumber(n int) error {
	if w.boxes != nil {
		return errors.New("ross: ranks: make mailboxes: they exist: make them once")
	}
	both := []int64{int64(n), -int64(n)}
	if err := w.AllReduceInt64(mpi.Min, both); err != nil {
		return err
	}
	if both[0] != -both[1] {
		return fmt.Errorf("ross: make mailboxes: ranks have %d to %d, rank %d has %d: use as many PEs in each", both[0],
			-both[1], w.s.rank, n)
	}
	return nil
}

// leastRing is the length of rings that take more than package world would like: 4 KiB.
const leastRing = 512

// ringWords returns the length of rings, 0 if there is no memory for them.
func ringWords(ranks, mailboxes int) int {
	free := int64(min(mem.Available(), 1<<62))
	if words := world.RingWords(ranks, mailboxes, free/16); words > 0 {
		return words
	}
	r := world.Rings{Ranks: make([]int, ranks), Mailboxes: mailboxes, Words: leastRing}
	if int64(ranks)*int64(r.SegmentWords())*8 > free/4 {
		return 0
	}
	return leastRing
}

// Abort ends the run on all ranks: whatever they wait for is an error from now on, on this rank as well. It returns.
func (w *World) Abort(code int) error {
	if w.closing.Load() {
		return mpi.ErrClosed
	}
	w.s.lose(Loss{Rank: w.s.rank, how: givesUp, Status: code})
	return nil
}

// Excuse notes that all ranks know of an error, so that Close takes it for no other one when a process ends with a
// status that is not 0.
func (w *World) Excuse() { w.s.excused.Store(true) }

// Close ends the use of the world; all ranks call it. On rank 0 it also waits until the others have ended, or have come
// to their next world, and returns an error if one of them has ended badly. After a loss it waits for nothing else.
func (w *World) Close() error {
	if w.closing.Load() {
		return nil
	}
	err := w.Barrier()
	if err == nil {
		_, err = w.collect(callClose, nil) // then the others no longer read what rank 0 frees
	}
	if w.closing.Swap(true) {
		return nil
	}
	for _, m := range w.boxes {
		world.Detach(m)
	}
	w.s.worlds.Delete(w)
	w.lock.Lock()
	w.wakes.Store(nil)
	for _, p := range w.parts {
		if w.s.mem.drop(p.words); w.s.rank == 0 && err == nil {
			w.s.mem.free(p.at, len(p.words))
		}
	}
	w.out, w.in, w.parts = nil, nil, nil
	w.lock.Unlock()
	w.s.of(w.s.rank, closed).Add(1)
	w.s.ringAll()
	if w.s.rank == 0 && !w.s.inWorld() {
		err = errors.Join(err, w.s.awaitOthers())
	}
	return err
}
