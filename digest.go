// This file owns the digest of the committed events: one number that is equal
// for runs that committed the same events, in every mode, on any number of
// PEs.

package ross

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"

	"github.com/ross-go/ross/internal/event"
)

// digestEvent mixes a committed event into its LP's digest. Events of one LP
// are mixed in order; Simulation.digest then adds the LPs up, so that the
// order between LPs, which has no meaning, has no effect. Of the tie-breakers of
// a chain without delay it takes the first, the event's own and their number:
// those between are the own ones of the events before it, and a chain of n
// would cost n * n else.
//
// The message of an event that a suspended LP ignores is left out: its handler may have
// written to it before a rollback, or not.
func (pe *PE) digestEvent(lp *LP, e *event.Event, ran bool) {
	h := mix(lp.digest, math.Float64bits(e.Time))
	h = mix(h, e.Src)
	h = mix(h, math.Float64bits(e.Prio))
	h = mix(h, math.Float64bits(e.Tie))
	if e.Lineage != 0 {
		h = mix(h, math.Float64bits(pe.arena.Lines.Tie(e.Lineage)))
		h = mix(h, uint64(pe.arena.Lines.Len(e.Lineage)))
	}
	msg, spans := event.Payload(e), lp.typ.spans
	if !ran {
		spans = nil
	}
	for _, s := range spans {
		h = mixBytes(h, unsafe.Slice((*byte)(unsafe.Add(msg, s.off)), s.size))
	}
	lp.digest = h
}

// digest combines the LPs.
func (s *Simulation) digest() uint64 {
	var sum uint64
	for _, pe := range s.pes {
		for i := range pe.lpSlab {
			lp := &pe.lpSlab[i]
			if lp.digest != 0 {
				sum += mix(lp.digest, uint64(lp.id))
			}
		}
	}
	return sum
}

func mix(h, x uint64) uint64 {
	hi, lo := bits.Mul64(h^x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo + bits.RotateLeft64(h, 29)
}

func mixBytes(h uint64, b []byte) uint64 {
	for len(b) >= 8 {
		h = mix(h, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	if len(b) > 0 {
		var last [8]byte
		copy(last[:], b)
		h = mix(h, binary.LittleEndian.Uint64(last[:]))
	}
	return h
}
