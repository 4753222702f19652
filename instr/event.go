// This file owns the event record: its fields and its bytes.

package instr

import (
	"encoding/binary"
	"errors"
	"math"
)

// MaxPayload is the largest payload of a record in bytes. Models add some tens of
// bytes; a size above this one means that the file is damaged or no event trace.
const MaxPayload = 1 << 24

// ErrPayloadSize is wrapped by the errors of writer and reader about a payload
// larger than [MaxPayload].
var ErrPayloadSize = errors.New("payload is larger than 16 MiB")

// headerSize is the length in bytes of a record without its payload.
const headerSize = 24

// Event is one record of the event trace (st_event_trace in ROSS).
type Event struct {
	Src     uint32  // LP that sent the event: the low 32 bits of its id
	Dest    uint32  // LP that received it, likewise
	SendTS  float32 // virtual time at which it was sent
	RecvTS  float32 // virtual time at which it takes effect
	RealTS  float32 // seconds since the run started; the original writes cycles / --clock-rate
	Payload []byte  // the model's own data, nil if none
}

// appendRecord goes field by field: with a header put together on the stack first it
// takes nearly twice the time.
func appendRecord(dst []byte, e *Event) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, e.Src)
	dst = binary.LittleEndian.AppendUint32(dst, e.Dest)
	dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(e.SendTS))
	dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(e.RecvTS))
	dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(e.RealTS))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(e.Payload)))
	return append(dst, e.Payload...)
}
