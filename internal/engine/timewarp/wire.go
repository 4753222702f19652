// This file owns the format of messages between PEs of different ranks. It is written here only: others use
// the names.
//
// A message is
//
//	word 0      round of GVT in which it was sent << 32 | PE that sent it
//	then        entries, in the order of sending: anti-messages (wireAnti | id) and events
//
// and an event is
//
//	words 0-4   time, tie-breaker, time of sending, sender, priority, as in event.Event
//	word 5      1 << 32 if there is a lineage | which LP of its process the receiver is
//	word 6      number of the kernel.Message << 32 | id by which an anti-message names it, 0 if
//	            none can
//	lineage     if any: number of tie-breakers in common with the last one sent there << 32 |
//	            number of tie-breakers that follow; these
//	payload     whole words
//
// An event of PHOLD takes 64 bytes.

package timewarp

import (
	"math"

	"github.com/ross-go/ross/internal/engine/event"
)

const (
	wireAnti    = 1 << 63 // of an anti-message; the first word of an event is a time, which is not negative
	wireLineage = 1 << 32 // in word wireDst
	wireDst     = 5
	wireType    = 6
	headWords   = event.Size / 8
)

// wireHead returns the first word of a message.
func wireHead(round uint32, from uint64) uint64 { return uint64(round)<<32 | from }

// wireRound and wireFrom return what the first word of a message states.
func wireRound(head uint64) uint32 { return uint32(head >> 32) }
func wireFrom(head uint64) uint32  { return uint32(head) }

// entry is the words of a message from an entry on.
type entry []uint64

// anti returns the id of the event that an anti-message names, if the entry is one. It takes one word.
func (e entry) anti() (id uint32, ok bool) { return uint32(e[0]), e[0]&wireAnti != 0 }

// dst returns which LP of its process the receiver is.
func (e entry) dst() uint32 { return uint32(e[wireDst]) }

// id returns the number by which an anti-message names the event; 0: none can.
func (e entry) id() uint32 { return uint32(e[wireType]) }

// messageType returns the number of the kernel.Message.
func (e entry) messageType() uint16 { return uint16(e[wireType] >> 32) }

// lineage returns how many tie-breakers the lineage has in common with the last one sent there, and those that
// follow. n is the number of words up to the payload.
func (e entry) lineage() (same uint32, ties []uint64, n int, ok bool) {
	if e[wireDst]&wireLineage == 0 {
		return 0, nil, headWords, false
	}
	count := int(uint32(e[headWords]))
	n = headWords + 1 + count
	return uint32(e[headWords] >> 32), e[headWords+1 : n], n, true
}

// address writes the receiver of an event, the number of its type, and its id.
func (e entry) address(dst uint32, kind uint16, id uint32) {
	e[wireDst], e[wireType] = uint64(dst), uint64(kind)<<32|uint64(id)
}

// setLineage states that a lineage follows, whose word is e[headWords].
func (e entry) setLineage(same uint32, count int) {
	e[wireDst] |= wireLineage
	e[headWords] = uint64(same)<<32 | uint64(count)
}

// signature returns the event's signature without the lineage, and its receiver.
func (e entry) signature() event.Event {
	return event.Event{Time: math.Float64frombits(e[0]), Tie: math.Float64frombits(e[1]),
		SendTime: math.Float64frombits(e[2]),
		Src:      e[3], Prio: math.Float64frombits(e[4]), Dst: e.dst()}
}

// length returns the number of words of the event.
func (pe *PE) length(e entry) int {
	_, _, n, _ := e.lineage()
	return n + int(pe.Run.Messages[e.messageType()].Size+7)/8
}
