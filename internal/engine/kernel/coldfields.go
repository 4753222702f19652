// This file owns the cold fields of LPs, stored as arrays: by LP.Index, and only those that the run needs, so that an
// LP of a large run takes no more memory than its events touch.

package kernel

import (
	"time"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/rng"
)

// coldFields is what the LPs of a process have besides the structs LP. Each slice is nil if no LP has
// anything in it, and otherwise has an entry for each LP, analysis LPs included.
type coldFields struct {
	kind    *Type   // of all LPs, nil if they have several
	kinds   []*Type // otherwise: by entry of kindOf
	kindOf  []uint16
	flags   []uint8
	more    []rng.Stream // streams 1, 2, ... of each LP of the model
	streams int          // how many of them each LP has
	digests []uint64     // of committed events
	times   []lpTime
	extras  []*Extra
	spent   []KindTime // by Message.ID, of the events that this PE handled; not shared
	_       [48]byte
}

// coldSize keeps the offsets of what follows in a PE the same modulo two cache lines.
const coldSize = 256

var _ [0]struct{} = [unsafe.Sizeof(coldFields{}) - coldSize]struct{}{}

// Flags of LPs.
const (
	flagSpecial   = 1 << iota // its events take more than calling the handler
	flagSuspended             // its events are ignored
)

// lpTime is what was measured of the events of an LP.
type lpTime struct {
	seconds float32 // spent in its handler by the events that were timed
	timed   uint32  // number of events that were timed
}

// KindTime is what was measured of the events with a type of message.
type KindTime struct {
	Seconds float64 // that handling those took that were timed
	Timed   uint64  // number of events that were timed
}

// Spent returns what was measured on the PE, by Message.ID. One in some events is timed, whatever its message is.
func (pe *PE) Spent() []KindTime { return pe.cold.spent }

// LPBytes returns the bytes that are charged for each LP: itself, its streams, a state as large as
// the largest, and its cold fields.
func (r *Run) LPBytes() uint64 {
	n := r.Sizes().TotalLP + 1 // its flags
	if r.Set.SamplesVT() || len(r.Types) > 1 {
		n += 2
	}
	if r.Set.Digest {
		n += 8
	}
	if r.Set.Dir != "" {
		n += uint64(unsafe.Sizeof(lpTime{}))
	}
	return n
}

// makeCold makes the cold fields of the LPs of the process. All PEs share it: each
// touches only what belongs to LPs that it handles.
func (pe *PE) makeCold() {
	s := pe.Run
	if pe.ID != s.Base {
		pe.cold = s.PEs[0].cold
		pe.cold.spent = make([]KindTime, len(s.Messages))
		return
	}
	pe.cold.spent = make([]KindTime, len(s.Messages))
	b, n := &pe.cold, len(s.lps)
	b.flags = make([]uint8, n)
	if s.types != nil {
		b.kindOf, b.kinds = s.types, append(append([]*Type(nil), s.Types...), s.Analysis)
	} else {
		b.kind = s.Types[0]
	}
	if b.streams = int(s.Set.Streams.PerLP) - 1; b.streams > 0 {
		b.more = make([]rng.Stream, n*b.streams)
	}
	if s.Set.Digest {
		b.digests = make([]uint64, n)
	}
	if s.Set.Dir != "" {
		b.times = make([]lpTime, n)
	}
}

// Type returns the type of the LP.
func (lp *LP) Type() *Type {
	b := &lp.PE.cold
	if b.kind != nil {
		return b.kind
	}
	return b.kinds[b.kindOf[lp.Index()]]
}

// More returns the streams 1, 2, ... of the LP.
func (lp *LP) More() []rng.Stream {
	b := &lp.PE.cold
	if len(b.more) == 0 {
		return nil
	}
	from := int(lp.Index()) * b.streams
	return b.more[from : from+b.streams : from+b.streams]
}

// Special reports whether the LP's events take more than calling the handler.
func (lp *LP) Special() bool { return lp.PE.cold.flags[lp.Index()]&flagSpecial != 0 }

// Suspended reports whether the LP's events are ignored.
func (lp *LP) Suspended() bool { return lp.PE.cold.flags[lp.Index()]&flagSuspended != 0 }

// setFlag sets or clears a flag. A flag that has its value already is not written, so that the
// memory of flags that are never set is not touched.
func (lp *LP) setFlag(flag uint8, on bool) {
	f := &lp.PE.cold.flags[lp.Index()]
	if want := *f &^ flag; on {
		*f = want | flag
	} else if want != *f {
		*f = want
	}
}

// Digest returns the digest of the LP's committed events, 0 in a run without digests.
func (lp *LP) Digest() uint64 {
	if d := lp.PE.cold.digests; d != nil {
		return d[lp.Index()]
	}
	return 0
}

// SetDigest replaces the digest of the LP's committed events, in a run with digests.
func (lp *LP) SetDigest(digest uint64) {
	if d := lp.PE.cold.digests; d != nil {
		d[lp.Index()] = digest
	}
}

// Charge adds the time since begin, in which the LP has handled an event, to the time that such events take, and, in
// a run that reports it, to that of the LP. kind is the Message.ID of the event, or NoKind.
func (lp *LP) Charge(begin time.Time, kind int) {
	b, i := &lp.PE.cold, lp.Index()
	seconds := meter.Since(begin) - meter.ClockCost()
	if uint(kind) < uint(len(b.spent)) {
		t := &b.spent[kind]
		t.Seconds += seconds
		t.Timed++
	}
	if int(i) < len(b.times) {
		t := &b.times[i]
		t.seconds += float32(seconds)
		t.timed++
	}
	lp.PE.Phases.Firsts.Weigh(meter.SampleEvery)
}

// Timed returns the number of the LP's events that were timed, and the seconds they took.
func (lp *LP) Timed() (events uint32, seconds float64) {
	b, i := &lp.PE.cold, lp.Index()
	if int(i) >= len(b.times) {
		return 0, 0
	}
	return b.times[i].timed, float64(b.times[i].seconds)
}

// extra returns what few LPs have, nil if this one has nothing of it.
func (lp *LP) extra() *Extra {
	if x := lp.PE.cold.extras; x != nil {
		return x[lp.Index()]
	}
	return nil
}

// more returns the part of lp that few LPs have, which it makes if necessary.
func (lp *LP) more() *Extra {
	b := &lp.PE.cold
	if b.extras == nil {
		b.extras = lp.PE.Run.extrasOfAll()
	}
	x := &b.extras[lp.Index()]
	if *x == nil {
		*x = &Extra{}
	}
	return *x
}
