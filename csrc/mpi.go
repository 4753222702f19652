// The Go side of the boundary for MPI (mpi_world.h and the headers above it): one thin
// function per C function. Words and bytes to be sent may lie in the Go heap: C copies
// them, or no longer uses them when it returns. What is received lies in C memory.
//
// Go's build cache does not depend on the output of pkg-config. To change from one MPI
// to another, use make mpi MPI=..., which keeps their builds apart, or call go clean
// -cache. A mixture of both crashes in Start.

//go:build mpi && cgo && !purego

package csrc

/*
#cgo pkg-config: ompi
#cgo noescape ross_mpi_room
#cgo nocallback ross_mpi_room
#cgo noescape ross_mpi_post
#cgo nocallback ross_mpi_post
#cgo noescape ross_mpi_buffer
#cgo nocallback ross_mpi_buffer
#cgo noescape ross_mpi_post_buffer
#cgo nocallback ross_mpi_post_buffer
#cgo noescape ross_mpi_idle
#cgo nocallback ross_mpi_idle
#cgo noescape ross_mpi_poll
#cgo nocallback ross_mpi_poll
#cgo noescape ross_mpi_reduction_start
#cgo nocallback ross_mpi_reduction_start
#cgo noescape ross_mpi_reduction_start_words
#cgo nocallback ross_mpi_reduction_start_words
#cgo noescape ross_mpi_reduction_test
#cgo nocallback ross_mpi_reduction_test
#cgo noescape ross_mpi_broadcast_start
#cgo nocallback ross_mpi_broadcast_start
#cgo noescape ross_mpi_broadcast_test
#cgo nocallback ross_mpi_broadcast_test
#include "mpi_mailbox.h"
#include "mpi_reduce.h"
#include "mpi_shared.h"
#include "mpi_world.h"
*/
import "C"

import "unsafe"

// MPIMailboxes is how many mailboxes a rank can have, MPIWords the most words of a
// message that needs no buffer of its own, MPIKey the words in the key of a record, and
// MPIList the most words of a list.
const (
	MPIMailboxes = C.ROSS_MPI_MAILBOXES
	MPIWords     = C.ROSS_MPI_WORDS
	MPIKey       = C.ROSS_MPI_KEY
	MPIList      = C.ROSS_MPI_LIST
)

// MPIState reports whether MPI has been initialized and finalized, and its thread
// level: 0 single to 3 multiple.
func MPIState() (initialized, finalized bool, level int) {
	var i, f, l C.int
	C.ross_mpi_state(&i, &f, &l)
	return i != 0, f != 0, int(l)
}

// MPIInit initializes MPI with a thread level, and MPIFinalize ends it.
func MPIInit(level int) int { return int(C.ross_mpi_init(C.int(level))) }
func MPIFinalize() int      { return int(C.ross_mpi_finalize()) }

// MPIAbort ends all ranks of the program. Any thread may call it at any time.
func MPIAbort(code int) int { return int(C.ross_mpi_abort(C.int(code))) }

// MPIKeepingSignals calls f, and restores the signal handlers that f changed.
func MPIKeepingSignals(f func()) {
	C.ross_mpi_signals(1)
	f()
	C.ross_mpi_signals(0)
}

// MPIReturningErrors calls f. During the call, and on communicators that f derives from
// MPI_COMM_WORLD, errors that would end the program are returned instead.
func MPIReturningErrors(f func()) {
	C.ross_mpi_errors(1)
	f()
	C.ross_mpi_errors(0)
}

// MPIErrorText returns the text of an error code.
func MPIErrorText(code int) string {
	text := make([]byte, 1024)
	p := (*C.char)(unsafe.Pointer(unsafe.SliceData(text)))
	C.ross_mpi_error_text(C.int64_t(code), p, C.int(len(text)))
	return C.GoString(p)
}

// MPIFault is the first error of an object; Code is 0 if there was no error.
type MPIFault struct {
	Code int
	Call string
}

func faultOf(f *C.ross_mpi_fault) MPIFault {
	if f.code == 0 {
		return MPIFault{}
	}
	return MPIFault{Code: int(f.code), Call: C.GoString(f.call)}
}

// MPIWorld is the duplicate of a communicator.
type MPIWorld struct{ w *C.ross_mpi_world }

// NewMPIWorld duplicates the communicator with the Fortran handle, or MPI_COMM_WORLD if
// it is nil. ok is false if there is not enough memory.
func NewMPIWorld(handle *int32) (w MPIWorld, ok bool) {
	if handle == nil {
		w.w = C.ross_mpi_world_new(0, 0)
	} else {
		w.w = C.ross_mpi_world_new(1, C.int32_t(*handle))
	}
	return w, w.w != nil
}

// Free is collective; everything else made from the world must be freed first.
func (w MPIWorld) Free()           { C.ross_mpi_world_free(w.w) }
func (w MPIWorld) Fault() MPIFault { return faultOf(&w.w.fault) }
func (w MPIWorld) Rank() int       { return int(w.w.rank) }
func (w MPIWorld) Size() int       { return int(w.w.size) }
func (w MPIWorld) Barrier() int    { return int(C.ross_mpi_barrier(w.w)) }

// Split returns the Fortran handle of a new communicator.
func (w MPIWorld) Split(color, key int) (handle int32, code int) {
	var h C.int32_t
	code = int(C.ross_mpi_split(w.w, C.int(color), C.int(key), &h))
	return int32(h), code
}

// Node returns the number of this rank among those on its machine, and how many they are.
func (w MPIWorld) Node() (rank, size, code int) {
	var r, s C.int
	code = int(C.ross_mpi_node(w.w, &r, &s))
	return int(r), int(s), code
}

// Bcast sends the bytes of the root to all ranks.
func (w MPIWorld) Bcast(data []byte, root int) int {
	return int(C.ross_mpi_bcast(w.w, pointer(data), C.int64_t(len(data)), C.int(root)))
}

// Gather collects the same number of bytes of each rank at rank 0, AllGather at all ranks.
func (w MPIWorld) Gather(all, own []byte) int {
	return int(C.ross_mpi_gather(w.w, pointer(all), pointer(own), C.int64_t(len(own))))
}
func (w MPIWorld) AllGather(all, own []byte) int {
	return int(C.ross_mpi_allgather(w.w, pointer(all), pointer(own), C.int64_t(len(own))))
}

// AllGatherV collects bytes of different lengths at all ranks; offsets are positions in
// all.
func (w MPIWorld) AllGatherV(all []byte, lengths, offsets []int32, own []byte) int {
	return int(C.ross_mpi_allgatherv(w.w, pointer(all), (*C.int)(unsafe.SliceData(lengths)),
		(*C.int)(unsafe.SliceData(offsets)), pointer(own)))
}

// Send and Receive pass bytes from one rank to another, and block. Both sides give the same number of bytes.
func (w MPIWorld) Send(data []byte, to int) int {
	return int(C.ross_mpi_send(w.w, pointer(data), C.int64_t(len(data)), C.int(to)))
}
func (w MPIWorld) Receive(data []byte, from int) int {
	return int(C.ross_mpi_receive(w.w, pointer(data), C.int64_t(len(data)), C.int(from)))
}

// AllReduceInt64 combines values: op 0 sum, 1 min, 2 max.
func (w MPIWorld) AllReduceInt64(values []int64, op int) int {
	return int(C.ross_mpi_allreduce(w.w, pointer(values), C.int64_t(len(values)), 0, C.int(op)))
}
func (w MPIWorld) AllReduceFloat64(values []float64, op int) int {
	return int(C.ross_mpi_allreduce(w.w, pointer(values), C.int64_t(len(values)), 1, C.int(op)))
}

func pointer[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// MPIMailbox is a mailbox of this rank. One goroutine uses it at a time.
type MPIMailbox struct{ m *C.ross_mpi_mailbox }

// NewMPIMailbox is collective; ok is false if there is not enough memory.
func NewMPIMailbox(w MPIWorld, i int) (m MPIMailbox, ok bool) {
	m.m = C.ross_mpi_mailbox_new(w.w, C.int(i))
	return m, m.m != nil
}

// Free returns the final counts.
func (m MPIMailbox) Free() MPIMailbox {
	left := C.ross_mpi_mailbox_free(m.m)
	return MPIMailbox{&left}
}

func (m MPIMailbox) Fault() MPIFault       { return faultOf(&m.m.fault) }
func (m MPIMailbox) Failed() bool          { return m.m.fault.code != 0 }
func (m MPIMailbox) Sent() uint64          { return uint64(m.m.sent) }
func (m MPIMailbox) Received() uint64      { return uint64(m.m.received) }
func (m MPIMailbox) WordsSent() uint64     { return uint64(m.m.words_sent) }
func (m MPIMailbox) WordsReceived() uint64 { return uint64(m.m.words_received) }
func (m MPIMailbox) Calls() uint64         { return uint64(m.m.calls) }

// Idle reports whether MPI has finished everything that was posted: 1, 0, or -1 for a
// fault.
func (m MPIMailbox) Idle() int { return int(C.ross_mpi_idle(m.m)) }

// Room reports whether Post would accept a message: 1, 0, or -1 for a fault.
func (m MPIMailbox) Room(rank, mailbox int) int {
	return int(C.ross_mpi_room(m.m, C.int(rank), C.int(mailbox)))
}

// Post sends a message: 1 sent, 0 no room, -1 fault.
func (m MPIMailbox) Post(rank, mailbox int, words []uint64) int {
	return int(C.ross_mpi_post(m.m, C.int(rank), C.int(mailbox),
		(*C.uint64_t)(unsafe.SliceData(words)), C.int64_t(len(words))))
}

// Buffer returns the words that the next PostBuffer sends, nil if no buffer is free.
func (m MPIMailbox) Buffer() *[MPIWords]uint64 {
	p := m.m.buffer
	if p == nil {
		p = C.ross_mpi_buffer(m.m)
	}
	return (*[MPIWords]uint64)(unsafe.Pointer(p))
}

// HasBuffer reports whether there is something for PostBuffer.
func (m MPIMailbox) HasBuffer() bool { return m.m.buffer != nil }

// PostBuffer sends the first n words of the buffer: 1 sent, 0 no room, -1 fault.
func (m MPIMailbox) PostBuffer(rank, mailbox, n int) int {
	return int(C.ross_mpi_post_buffer(m.m, C.int(rank), C.int(mailbox), C.int64_t(n)))
}

// Poll returns how many messages have arrived, -1 for a fault.
func (m MPIMailbox) Poll() int { return int(C.ross_mpi_poll(m.m)) }

// Arrival returns message i of the last Poll, valid until the next.
func (m MPIMailbox) Arrival(i int) (rank int, words []uint64) {
	a := &m.m.arrival[i]
	return int(a.rank), unsafe.Slice((*uint64)(a.words), int(a.n))
}

// Sender returns the mailbox that posted it.
func (m MPIMailbox) Sender(i int) int { return int(m.m.arrival[i].mailbox) }

// MPIReduction is an all-reduce of a ross_mpi_record, or of a list of words.
type MPIReduction struct{ r *C.ross_mpi_reduction }

// NewMPIReduction is collective; ok is false if there is not enough memory.
func NewMPIReduction(w MPIWorld) (r MPIReduction, ok bool) {
	r.r = C.ross_mpi_reduction_new(w.w)
	return r, r.r != nil
}

// Free returns the final counts.
func (r MPIReduction) Free() MPIReduction {
	left := C.ross_mpi_reduction_free(r.r)
	return MPIReduction{&left}
}

func (r MPIReduction) Fault() MPIFault     { return faultOf(&r.r.fault) }
func (r MPIReduction) Calls() uint64       { return uint64(r.r.calls) }
func (r MPIReduction) In() unsafe.Pointer  { return unsafe.Pointer(&r.r.in) }
func (r MPIReduction) Out() unsafe.Pointer { return unsafe.Pointer(&r.r.out) }
func (r MPIReduction) Start() int          { return int(C.ross_mpi_reduction_start(r.r)) }
func (r MPIReduction) Test() int           { return int(C.ross_mpi_reduction_test(r.r)) }
func (r MPIReduction) Wait() int           { return int(C.ross_mpi_reduction_wait(r.r)) }

// StartWords starts a reduction of lists of 1 to MPIList words.
func (r MPIReduction) StartWords(words []uint64) int {
	return int(C.ross_mpi_reduction_start_words(r.r, (*C.uint64_t)(unsafe.SliceData(words)), C.int64_t(len(words))))
}

// Words returns the least list, nil before the first. ok is false if ranks gave
// different numbers of words.
func (r MPIReduction) Words() (words []uint64, ok bool) {
	least := (*uint64)(r.r.least)
	if least == nil {
		return nil, true
	}
	n := int(*least)
	return unsafe.Slice(least, n+1)[1:], n > 0
}

// MPIBroadcast is a broadcast of bytes.
type MPIBroadcast struct{ b *C.ross_mpi_broadcast }

// NewMPIBroadcast is collective; ok is false if there is not enough memory.
func NewMPIBroadcast(w MPIWorld) (b MPIBroadcast, ok bool) {
	b.b = C.ross_mpi_broadcast_new(w.w)
	return b, b.b != nil
}

// Free returns the final counts.
func (b MPIBroadcast) Free() MPIBroadcast {
	left := C.ross_mpi_broadcast_free(b.b)
	return MPIBroadcast{&left}
}

func (b MPIBroadcast) Fault() MPIFault { return faultOf(&b.b.fault) }
func (b MPIBroadcast) Calls() uint64   { return uint64(b.b.calls) }
func (b MPIBroadcast) Test() int       { return int(C.ross_mpi_broadcast_test(b.b)) }

// Start sends data if this is the root, and takes part otherwise.
func (b MPIBroadcast) Start(root int, data []byte) int {
	return int(C.ross_mpi_broadcast_start(b.b, C.int(root), pointer(data), C.int64_t(len(data))))
}

// Data returns what was broadcast, when it is done; valid until the next Start.
func (b MPIBroadcast) Data() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(b.b.data)), int(b.b.n))
}

// MPIShared is memory that the ranks of a machine share.
type MPIShared struct{ s *C.ross_mpi_shared }

// NewMPIShared is collective; ok is false if there is not enough memory.
func NewMPIShared(w MPIWorld) (s MPIShared, ok bool) {
	s.s = C.ross_mpi_shared_new(w.w)
	return s, s.s != nil
}

// Allocate is collective on the machine, as is Free.
func (s MPIShared) Allocate(bytes int) bool {
	return C.ross_mpi_shared_allocate(s.s, C.int64_t(bytes)) != 0
}

// Free unmaps the memory if all ranks of the machine have allocated it.
func (s MPIShared) Free(whole bool) {
	n := C.int(0)
	if whole {
		n = 1
	}
	C.ross_mpi_shared_free(s.s, n)
}

func (s MPIShared) Fault() MPIFault { return faultOf(&s.s.fault) }
func (s MPIShared) Rank() int       { return int(s.s.rank) }

// Ranks returns the ranks of this machine.
func (s MPIShared) Ranks() []int32 {
	return unsafe.Slice((*int32)(s.s.ranks), int(s.s.size))
}

// Segment returns the first words of a rank's segment.
func (s MPIShared) Segment(i, words int) []uint64 {
	at := unsafe.Slice(s.s.segments, int(s.s.size))[i]
	return unsafe.Slice((*uint64)(at), words)
}

// MPISharedRoom returns how many bytes are available for such memory, if the system reports it.
func MPISharedRoom() int64 { return int64(C.ross_mpi_shared_room()) }

// MPILayout is Layout for ross_mpi_record.
func MPILayout() []uint32 {
	var all []uint32
	for i := C.uint32_t(0); ; i++ {
		x := uint32(C.ross_mpi_layout(i))
		if x == 1<<32-1 {
			return all
		}
		all = append(all, x)
	}
}
