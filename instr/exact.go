// This file owns the exact block: what ends the records of a trace that names causes, and its bytes.

package instr

import (
	"encoding/binary"
	"math"
)

const (
	// ExactSize is the size of the exact block in bytes.
	ExactSize = 48
	// ExactLayout is the layout of the exact block, as RunInfo.Exact has it.
	ExactLayout = "exact_send:f64,exact_recv:f64,exact_tie:f64,exact_stream:u32[4],exact_draws:u32,exact_message:u16," +
		"exact_what:u8,_:x1"
	// UnknownDraws is the number of draws of an event whose draws are not known.
	UnknownDraws = math.MaxUint32
)

// ExactWhat says what a record of an exact trace is about.
type ExactWhat uint8

// What records are about.
const (
	ExactHandled ExactWhat = iota // an event was handled, or committed, as the trace was asked for
	ExactUndone                   // the newest execution of the event was undone
	ExactLate                     // the event came late and caused a rollback
)

// Exact is the block that ends the payload of each record of an event trace with --trace-exact, behind what the
// model wrote. With it a reader finds the cause of an event without doubt: an event is known by its sender, receiver,
// times and Tie, and each Tie is one of the Draws numbers that the sender's stream (package rng) gives from Stream on.
type Exact struct {
	SendTS, RecvTS float64 // virtual times of the record, in full
	Tie            float64 // the tie-breaker that the sender drew for this event
	// Stream is the state of the receiver's stream of tie-breakers before the event, and Draws the number of draws
	// while it was handled: one for each send, also of those that were not delivered.
	Stream  [4]uint32
	Draws   uint32
	Message uint16 // place in RunInfo.Messages
	What    ExactWhat
}

// PutExact writes a block into the first ExactSize bytes of dst.
func PutExact(dst []byte, x *Exact) {
	dst, put := dst[:ExactSize], binary.LittleEndian.PutUint64
	put(dst[0:], math.Float64bits(x.SendTS))
	put(dst[8:], math.Float64bits(x.RecvTS))
	put(dst[16:], math.Float64bits(x.Tie))
	put(dst[24:], uint64(x.Stream[0])|uint64(x.Stream[1])<<32)
	put(dst[32:], uint64(x.Stream[2])|uint64(x.Stream[3])<<32)
	put(dst[40:], uint64(x.Draws)|uint64(x.Message)<<32|uint64(x.What)<<48)
}

// GetExact reads the block at the end of a payload. It reports whether the payload is long enough.
func GetExact(payload []byte) (x Exact, ok bool) {
	if len(payload) < ExactSize {
		return x, false
	}
	b, get := payload[len(payload)-ExactSize:], binary.LittleEndian.Uint64
	x.SendTS, x.RecvTS = math.Float64frombits(get(b[0:])), math.Float64frombits(get(b[8:]))
	x.Tie = math.Float64frombits(get(b[16:]))
	for i := range x.Stream {
		x.Stream[i] = binary.LittleEndian.Uint32(b[24+4*i:])
	}
	last := get(b[40:])
	x.Draws, x.Message, x.What = uint32(last), uint16(last>>32), ExactWhat(last>>48)
	return x, true
}
