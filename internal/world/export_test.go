// What the tests look at.

package world

import "github.com/ross-go/ross/internal/transport"

var (
	Touched   = touched
	ErrNoNote = errNoNote
)

const (
	MostRing  = mostRing
	LeastRing = leastRing
	MostBytes = mostBytes
)

// Parts returns all that a segment is divided into: for each mailbox its bells, meetings
// and rings.
func (r *Rings) Parts(segment []uint64) (bells, meetings, rings [][]uint64) {
	for box := range r.Mailboxes {
		for i := range r.bells() {
			bells = append(bells, segment[box*r.block()+i*lineWords:][:lineWords])
		}
		for i := range r.in() {
			control, ring := r.ring(segment, box, i)
			meetings, rings = append(meetings, control[:transport.StreamControl]), append(rings, ring)
		}
	}
	return bells, meetings, rings
}
