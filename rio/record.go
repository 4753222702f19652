// This file owns the records of LPs and events: what they hold and their bytes.

package rio

import "github.com/ross-go/ross/rng"

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
	Core         rng.State         // of the engine's own stream, which tie-breakers come from
	State        []byte
}

// Event is the record of a pending event. The tie-breakers of its lineage are the first
// Shared of those of the event before it in the partition, and Own after them; at least
// one in all.
type Event struct {
	Src, Dst             uint64  // gids
	Recv, Send, Priority float64 // virtual times, and 0 to 1
	Bits, CriticalPath   uint32
	Type                 uint32 // of Dst, index into Info.Types
	Shared               uint32 // 0 in the first event of a partition
	Own                  []float64
	Msg                  []byte
}

// AppendLP appends the record of an LP to b. It does not allocate if b has room for LPSize
// more bytes.
func AppendLP(b []byte, lp *LP) []byte { return b }

// AppendEvent appends the record of an event to b. It does not allocate if b has room for
// EventSize more bytes.
func AppendEvent(b []byte, e *Event) []byte { return b }

// LPSize returns how many bytes AppendLP adds for an LP with so many streams and so many bytes
// of state.
func LPSize(streams, state int) int { return 0 }

// EventSize returns how many bytes AppendEvent adds for an event with so many tie-breakers of
// its own and so many bytes of message.
func EventSize(own, msg int) int { return 0 }
