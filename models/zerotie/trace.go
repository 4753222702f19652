// What zerotie adds to the event trace.

package main

import (
	"encoding/binary"
	"math"

	"github.com/ross-go/ross"
)

// trace writes hop as an int32 and priority as a float32.
func trace(_ *ross.LP, _ ross.TraceKind, m *msg, buf []byte) bool {
	binary.LittleEndian.PutUint32(buf, uint32(m.hop))
	binary.LittleEndian.PutUint32(buf[4:], math.Float32bits(m.priority))
	return true
}
