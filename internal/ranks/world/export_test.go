// What the tests look at.

package world

import (
	"unsafe"

	"github.com/ross-go/ross/internal/ranks/transport"
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

// Parts returns all that a segment is divided into: for each mailbox its words of news, after that of sleep, its
// meetings and rings; and the records.
func (r *Rings) Parts(segment []uint64) (news, meetings, rings [][]uint64, records []uint64) {
	for box := range r.Mailboxes {
		news = append(news, unsafe.Slice((*uint64)(unsafe.Pointer(r.sleep(segment, box))), lineWords))
		for i := range r.newsWords() {
			news = append(news, segment[box*r.block()+firstNews+i*lineWords:][:lineWords])
		}
		for i := range r.in() {
			control, ring := r.ring(segment, box, i)
			meetings, rings = append(meetings, control[:transport.StreamControl]), append(rings, ring)
		}
	}
	return news, meetings, rings, r.records(segment)
}
