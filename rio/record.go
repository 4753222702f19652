// This file owns the records of LPs and events, and their encoding.

package rio

import (
	"encoding/binary"
	"math"

	"github.com/ross-go/ross/rng"
)

// LP is the record of an LP.
type LP struct {
	GID          uint64
	Type         uint32 // index into Info.Types
	Suspended    bool
	Code         int64             // why it is suspended
	Now          float64           // virtual time of its last event
	Digest       uint64            // of its committed events
	CriticalPath uint32            // length of the longest chain of events that ends here
	Streams      []rng.StreamState // at least one
	Core         rng.State         // of the engine's own stream, from which tie-breakers are drawn; zero if unknown
	State        []byte
	Timers       []byte  // of the engine, empty if the LP has none
	StopAt       float64 // virtual time at which the LP ends the run; 0: it does not
}

// Event is the record of a pending event. The tie-breakers of its lineage are the first Shared
// tie-breakers of the previous event in the partition, then Own; there is at least one.
type Event struct {
	Src, Dst             uint64  // gids
	Recv, Send, Priority float64 // virtual times, and 0 to 1
	Bits, CriticalPath   uint32
	Type                 uint32 // of Dst, index into Info.Types
	Shared               uint32 // 0 in the first event of a partition
	Own                  []float64
	Msg                  []byte
}

// Bytes of records without their parts of variable length.
const (
	lpHead     = 80
	streamSize = 44
	eventHead  = 68
)

// Bits of an LP's and a stream's flags.
const (
	flagSuspended = 1
	flagTimers    = 2
	flagStopAt    = 4
	flagSpare     = 1
)

var order = binary.LittleEndian

// LPSize returns how many bytes AppendLP adds for an LP with the given numbers of streams and
// of bytes of state. Timers take 8 bytes more than there are, if there are any, and StopAt 8
// unless it is 0.
func LPSize(streams, state int) int { return lpHead + streams*streamSize + state }

// EventSize returns how many bytes AppendEvent adds for an event with the given numbers of own
// tie-breakers and of bytes of message.
func EventSize(own, msg int) int { return eventHead + own*8 + msg }

// AppendLP appends the record of an LP to b. It does not allocate if b has room for LPSize
// more bytes.
func AppendLP(b []byte, lp *LP) []byte {
	var h [lpHead]byte
	order.PutUint64(h[0:], lp.GID)
	order.PutUint64(h[8:], uint64(len(lp.State)))
	order.PutUint32(h[16:], lp.Type)
	if lp.Suspended {
		h[20] = flagSuspended
	}
	if len(lp.Timers) > 0 {
		h[20] |= flagTimers
	}
	if lp.StopAt != 0 {
		h[20] |= flagStopAt
	}
	order.PutUint64(h[24:], uint64(lp.Code))
	order.PutUint64(h[32:], math.Float64bits(lp.Now))
	order.PutUint64(h[40:], lp.Digest)
	order.PutUint32(h[48:], lp.CriticalPath)
	order.PutUint32(h[52:], uint32(len(lp.Streams)))
	putState(h[56:], lp.Core)
	b = append(b, h[:]...)
	for i := range lp.Streams {
		b = appendStream(b, &lp.Streams[i])
	}
	b = append(b, lp.State...)
	if len(lp.Timers) > 0 {
		b = order.AppendUint64(b, uint64(len(lp.Timers)))
		b = append(b, lp.Timers...)
	}
	if lp.StopAt != 0 {
		b = order.AppendUint64(b, math.Float64bits(lp.StopAt))
	}
	return b
}

func appendStream(b []byte, st *rng.StreamState) []byte {
	var h [streamSize]byte
	putState(h[0:], st.State)
	order.PutUint64(h[24:], math.Float64bits(st.Spare))
	order.PutUint64(h[32:], st.SpareAt)
	if st.HasSpare {
		h[40] = flagSpare
	}
	return append(b, h[:]...)
}

// putState writes the 24 bytes of a generator's state.
func putState(b []byte, st rng.State) {
	_ = b[23]
	for i, c := range st.C {
		order.PutUint32(b[4*i:], c)
	}
	order.PutUint64(b[16:], st.Count)
}

// AppendEvent appends the record of an event to b. It does not allocate if b has room for
// EventSize more bytes.
func AppendEvent(b []byte, e *Event) []byte {
	var h [eventHead]byte
	order.PutUint64(h[0:], e.Src)
	order.PutUint64(h[8:], e.Dst)
	order.PutUint64(h[16:], math.Float64bits(e.Recv))
	order.PutUint64(h[24:], math.Float64bits(e.Send))
	order.PutUint64(h[32:], math.Float64bits(e.Priority))
	order.PutUint64(h[40:], uint64(len(e.Msg)))
	order.PutUint32(h[48:], e.Bits)
	order.PutUint32(h[52:], e.CriticalPath)
	order.PutUint32(h[56:], e.Type)
	order.PutUint32(h[60:], e.Shared)
	order.PutUint32(h[64:], uint32(len(e.Own)))
	b = append(b, h[:]...)
	for _, tie := range e.Own {
		b = order.AppendUint64(b, math.Float64bits(tie))
	}
	return append(b, e.Msg...)
}
