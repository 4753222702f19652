// What the tests look at.

package world

import (
	"unsafe"

	"github.com/ross-go/ross/internal/transport"
)

var (
	Touched   = touched
	ErrNoNote = errNoNote
)

const (
	MostRing  = mostRing
	LeastRing = leastRing
	MostBytes = mostBytes
)

// Parts returns all that a segment is divided into: for each mailbox its bells, after its door, its meetings and rings;
// and the records.
func (r *Rings) Parts(segment []uint64) (bells, meetings, rings [][]uint64, records []uint64) {
	for box := range r.Mailboxes {
		door := unsafe.Slice((*uint64)(unsafe.Pointer(r.door(segment, box))), lineWords)
		bells = append(bells, door)
		for i := range r.bells() {
			bells = append(bells, segment[box*r.block()+firstBell+i*lineWords:][:lineWords])
		}
		for i := range r.in() {
			control, ring := r.ring(segment, box, i)
			meetings, rings = append(meetings, control[:transport.StreamControl]), append(rings, ring)
		}
	}
	return bells, meetings, rings, r.records(segment)
}
