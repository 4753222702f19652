//go:build mpi && cgo && !purego

// This file owns the blocking operations, which all ranks call: Barrier, Bcast, Gather, AllGather and
// AllReduce; and Send and Receive between two ranks. On MPI_COMM_WORLD the first are empi's, except
// AllGatherBytes, which empi lacks. empi cannot use a communicator that it has not made, so csrc has the
// same operations.

package mpi

import (
	"fmt"
	"math"
	"unsafe"

	empi "github.com/emer/empi/v2/mpi"
)

// collective has the blocking operations. Buffers are not empty, and lengths are the same
// on all ranks.
type collective interface {
	barrier() error
	bcast(data []byte, root int) error
	gather(all, own []byte) error // at rank 0
	allGather(all, own []byte) error
	reduceInt64(op Op, values []int64) error
	reduceFloat64(op Op, values []float64) error
}

type empiCollective struct{ *empi.Comm }

var empiOps = [...]empi.Op{Sum: empi.OpSum, Min: empi.OpMin, Max: empi.OpMax}

func (e empiCollective) barrier() error                    { return wrapped(e.Barrier()) }
func (e empiCollective) bcast(data []byte, root int) error { return wrapped(e.BcastU8(root, data)) }
func (e empiCollective) gather(all, own []byte) error      { return wrapped(e.GatherU8(0, all, own)) }
func (e empiCollective) allGather(all, own []byte) error   { return wrapped(e.AllGatherU8(all, own)) }

func (e empiCollective) reduceInt64(op Op, values []int64) error {
	return wrapped(e.AllReduceI64(empiOps[op], values, append([]int64(nil), values...)))
}

func (e empiCollective) reduceFloat64(op Op, values []float64) error {
	return wrapped(e.AllReduceF64(empiOps[op], values, append([]float64(nil), values...)))
}

// wrapped adds our name; empi's text has the call and MPI's message.
func wrapped(err error) error {
	if err != nil {
		err = fmt.Errorf(
			"ross: collective operation: %w: another rank may be gone: end the run, and see what mpirun and other ranks say",
			err)
	}
	return err
}

type ownCollective struct{ *World }

func (o ownCollective) barrier() error { return o.errorOf("MPI_Barrier", o.c.Barrier()) }

func (o ownCollective) bcast(data []byte, root int) error {
	return o.errorOf("MPI_Bcast", o.c.Bcast(data, root))
}

func (o ownCollective) gather(all, own []byte) error {
	return o.errorOf("MPI_Gather", o.c.Gather(all, own))
}

func (o ownCollective) allGather(all, own []byte) error {
	return o.errorOf("MPI_Allgather", o.c.AllGather(all, own))
}

func (o ownCollective) reduceInt64(op Op, values []int64) error {
	return o.errorOf("MPI_Allreduce", o.c.AllReduceInt64(values, int(op)))
}

func (o ownCollective) reduceFloat64(op Op, values []float64) error {
	return o.errorOf("MPI_Allreduce", o.c.AllReduceFloat64(values, int(op)))
}

// Barrier returns when all ranks have called it.
func (w *World) Barrier() error {
	if w.closed.Load() {
		return ErrClosed
	}
	return w.blocking.barrier()
}

// Bcast returns the bytes of the root to all; data of the others is ignored. At most 2 GiB.
func (w *World) Bcast(data []byte, root int) ([]byte, error) {
	if w.closed.Load() {
		return nil, ErrClosed
	}
	if err := w.exists(root); err != nil {
		return nil, err
	}
	n := []int64{int64(len(data))}
	if err := w.blocking.bcast(bytesOf(n), root); err != nil {
		return nil, err
	}
	if n[0] > math.MaxInt32 {
		return nil, tooLong("Bcast", n[0])
	}
	if w.Rank() != root {
		data = make([]byte, n[0])
	}
	if n[0] == 0 {
		return data, nil
	}
	return data, w.blocking.bcast(data, root)
}

// Gather returns the bytes of all ranks, by rank, to rank 0, and nil to the others. Lengths
// may differ. The number of ranks times the longest is at most 2 GiB, and rank 0 needs
// memory for it.
func (w *World) Gather(data []byte) ([][]byte, error) {
	return w.collect(data, w.Rank() == 0, collective.gather)
}

// AllGather is Gather with the result on all ranks.
func (w *World) AllGather(data []byte) ([][]byte, error) {
	return w.collect(data, true, collective.allGather)
}

// collect gathers lengths, then bytes padded to the longest.
func (w *World) collect(data []byte, result bool, gather func(c collective, all, own []byte) error) ([][]byte, error) {
	if w.closed.Load() {
		return nil, ErrClosed
	}
	lengths, err := w.lengths(data)
	if err != nil {
		return nil, err
	}
	longest := int64(1)
	for _, n := range lengths {
		longest = max(longest, n)
	}
	if longest > math.MaxInt32/int64(len(lengths)) {
		return nil, tooLong("Gather", longest)
	}
	own := make([]byte, longest)
	copy(own, data)
	all := own[:1] // ignored on ranks without a result
	if result {
		all = make([]byte, longest*int64(len(lengths)))
	}
	if err := gather(w.blocking, all, own); err != nil || !result {
		return nil, err
	}
	parts := make([][]byte, len(lengths))
	for i, n := range lengths {
		at := int64(i) * longest
		parts[i] = all[at : at+n : at+n]
	}
	return parts, nil
}

// AllGatherBytes is AllGather for lengths that differ much: nothing is padded, so all
// lengths together may be 2 GiB.
func (w *World) AllGatherBytes(own []byte) ([][]byte, error) {
	if w.closed.Load() {
		return nil, ErrClosed
	}
	all, err := w.lengths(own)
	if err != nil {
		return nil, err
	}
	lengths, offsets, sum := make([]int32, len(all)), make([]int32, len(all)), int64(0)
	for i, n := range all {
		if sum+n > math.MaxInt32 {
			return nil, tooLong("AllGatherBytes", sum+n)
		}
		lengths[i], offsets[i] = int32(n), int32(sum)
		sum += n
	}
	data := make([]byte, sum)
	code := w.c.AllGatherV(data, lengths, offsets, own)
	if err := w.errorOf("MPI_Allgatherv", code); err != nil {
		return nil, err
	}
	parts := make([][]byte, len(all))
	for i, at := range offsets {
		parts[i] = data[at : at+lengths[i] : at+lengths[i]]
	}
	return parts, nil
}

// lengths returns the lengths of the bytes of all ranks.
func (w *World) lengths(own []byte) ([]int64, error) {
	lengths := make([]int64, w.Size())
	return lengths, w.blocking.allGather(bytesOf(lengths), bytesOf([]int64{int64(len(own))}))
}

// AllReduceInt64 combines each of the values over all ranks, in place.
func (w *World) AllReduceInt64(op Op, values []int64) error {
	if err := w.reducible(op); err != nil || len(values) == 0 {
		return err
	}
	return w.blocking.reduceInt64(op, values)
}

// AllReduceFloat64 is AllReduceInt64 for numbers that need not be whole. Sums can
// differ in the last bits with the number of ranks.
func (w *World) AllReduceFloat64(op Op, values []float64) error {
	if err := w.reducible(op); err != nil || len(values) == 0 {
		return err
	}
	return w.blocking.reduceFloat64(op, values)
}

func (w *World) reducible(op Op) error {
	if w.closed.Load() {
		return ErrClosed
	}
	if op < Sum || op > Max {
		return fmt.Errorf("ross: reduce: operation %d: use Sum, Min or Max", int(op))
	}
	return nil
}

func (w *World) exists(rank int) error {
	if rank < 0 || rank >= w.Size() {
		return fmt.Errorf("ross: MPI: there is no rank %d: ranks are 0 to %d", rank, w.Size()-1)
	}
	return nil
}

func tooLong(what string, n int64) error {
	return fmt.Errorf("ross: %s: %d bytes are more than MPI takes at once: use parts", what, n)
}

// bytesOf returns the memory of numbers.
func bytesOf(values []int64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*8)
}

// Send and Receive, which pass bytes between two ranks and block.

// mostPiece is the most bytes that one call of MPI passes.
const mostPiece = 1 << 30

// Send sends bytes to another rank, which calls Receive meanwhile. Do not use Send while a mailbox
// or a Reduction waits for something that this rank has to do: it may block until the receiver
// has come.
func (w *World) Send(data []byte, to int) error {
	if err := w.reaches(to); err != nil {
		return err
	}
	err := w.errorOf("MPI_Send", w.c.Send(bytesOf([]int64{int64(len(data))}), to))
	for err == nil && len(data) > 0 {
		n := min(len(data), mostPiece)
		err = w.errorOf("MPI_Send", w.c.Send(data[:n], to))
		data = data[n:]
	}
	return err
}

// Receive returns the next bytes that another rank sends to this one.
func (w *World) Receive(from int) ([]byte, error) {
	if err := w.reaches(from); err != nil {
		return nil, err
	}
	n := []int64{0}
	if err := w.errorOf("MPI_Recv", w.c.Receive(bytesOf(n), from)); err != nil {
		return nil, err
	}
	data := make([]byte, n[0])
	for at := 0; at < len(data); at += mostPiece {
		if err := w.errorOf("MPI_Recv", w.c.Receive(data[at:min(at+mostPiece, len(data))], from)); err != nil {
			return nil, err
		}
	}
	return data, nil
}

func (w *World) reaches(rank int) error {
	if w.closed.Load() {
		return ErrClosed
	}
	return w.exists(rank)
}
