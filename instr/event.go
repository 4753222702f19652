// This file owns the event record: its fields and its bytes.

package instr

import (
	"encoding/binary"
	"errors"
	"math"
)

// MaxPayload is the largest payload of a record in bytes. Models add some tens of
// bytes; a size above this one means that the file is damaged or holds something else.
const MaxPayload = 1 << 24

// ErrPayloadSize is wrapped by the errors of a reader about a payload larger than
// [MaxPayload].
var ErrPayloadSize = errors.New("payload is larger than 16 MiB")

// EventSize is the size of an event's record in bytes, without its payload.
const EventSize = 24

// Event is one record of the event trace (st_event_trace in ROSS).
type Event struct {
	Src     uint32  // LP that sent the event: the low 32 bits of its id
	Dest    uint32  // LP that received it, likewise
	SendTS  float32 // virtual time at which it was sent
	RecvTS  float32 // virtual time at which it takes effect
	RealTS  float32 // seconds since the run started; the original writes cycles / --clock-rate
	Payload []byte  // the model's own data, nil if none; at most MaxPayload bytes
}

// AppendEvent appends the record and the payload of an event: EventSize bytes plus the
// payload.
func AppendEvent(dst []byte, e *Event) []byte {
	at := len(dst)
	dst = append(dst, make([]byte, EventSize)...)
	putEvent(dst[at:], e.Src, e.Dest, e.SendTS, e.RecvTS, e.RealTS, len(e.Payload))
	return append(dst, e.Payload...)
}

// PutEvent writes the record and the payload of an event into dst, the result of
// [Buffer.Reserve], which has EventSize bytes plus the payload. It stores the low 32 bits of
// the ids, and the nearest float32 of the times. It is AppendEvent for the event loop, which
// has the values in registers and need not make an Event.
func PutEvent(dst []byte, src, dest uint64, send, recv, real float64, payload []byte) {
	putEvent(dst, uint32(src), uint32(dest), float32(send), float32(recv), float32(real), len(payload))
	copy(dst[EventSize:], payload)
}

// putEvent writes a record of EventSize bytes, two fields at a time.
func putEvent(dst []byte, src, dest uint32, send, recv, real float32, payload int) {
	dst = dst[:EventSize]
	put := func(at int, low, high uint32) { binary.LittleEndian.PutUint64(dst[at:], uint64(low)|uint64(high)<<32) }
	put(0, src, dest)
	put(8, math.Float32bits(send), math.Float32bits(recv))
	put(16, math.Float32bits(real), uint32(payload))
}
