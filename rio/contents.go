// This file owns Contents, which decodes the records of a partition.

package rio

import (
	"fmt"
	"math"

	"github.com/ross-go/ross/rng"
)

// Contents are the records of a partition. One goroutine at a time may use them. They are checked
// as they are decoded: lengths, gids and types; times must be finite, priorities and tie-breakers
// in [0, 1], and states of generators valid. An error is final.
type Contents struct {
	file        string // for errors
	entry       Entry
	data        []byte
	at          int // in data
	firstGID    uint64
	jobLPs      uint64
	types       uint32
	streamsEach uint32
	lps, events uint64 // not yet returned
	streams     []rng.StreamState
	lineage     []float64
	orig        *original
	sizes       []uint64 // sizes of states, for ROSS's own checkpoints
	err         error
}

// NextLP sets lp to the next LP; it returns false after the last. The slices of lp point into the
// contents or are reused by the next call.
func (c *Contents) NextLP(lp *LP) (bool, error) {
	if c.err != nil {
		return false, c.err
	}
	if c.lps == 0 {
		return false, nil
	}
	at := c.at
	c.lps--
	var err error
	if c.orig != nil {
		err = c.originalLP(lp)
	} else {
		err = c.lp(lp)
	}
	if err != nil {
		return false, c.fail(at, "LP", c.entry.LPs-c.lps-1, err)
	}
	lp.GID += c.firstGID
	return true, nil
}

// NextEvent sets e to the next event; it returns false after the last. LPs that NextLP has not
// returned are skipped. The slices of e are valid until the next call.
func (c *Contents) NextEvent(e *Event) (bool, error) {
	var skipped LP
	for c.lps > 0 {
		if _, err := c.NextLP(&skipped); err != nil {
			return false, err
		}
	}
	if c.err != nil {
		return false, c.err
	}
	if c.events == 0 {
		if c.at != len(c.data) {
			return false, c.fail(c.at, "end", 0, fmt.Errorf("expected none, found %d bytes", len(c.data)-c.at))
		}
		return false, nil
	}
	at := c.at
	c.events--
	var err error
	if c.orig != nil {
		err = c.originalEvent(e)
	} else {
		err = c.event(e)
	}
	if err != nil {
		return false, c.fail(at, "event", c.entry.Events-c.events-1, err)
	}
	e.Src += c.firstGID
	e.Dst += c.firstGID
	return true, nil
}

// Lineage returns all tie-breakers of the event that NextEvent returned last; they are valid until
// the next call. Events of ROSS's own checkpoints have none.
func (c *Contents) Lineage() []float64 { return c.lineage }

func (c *Contents) fail(at int, what string, n uint64, err error) error {
	where := "byte"
	if c.entry.Compressed {
		where = "decompressed byte"
	}
	c.err = damaged(c.file, c.entry.Offset, "partition %d: %s %d: %s %d: %v", c.entry.Part, where, at, what, n, err)
	return c.err
}

// take returns the next n bytes, and fails if there are fewer.
func (c *Contents) take(n uint64) ([]byte, error) {
	if rest := uint64(len(c.data) - c.at); n > rest {
		return nil, fmt.Errorf("expected %d bytes more, found %d", n, rest)
	}
	b := c.data[c.at : c.at+int(n) : c.at+int(n)]
	c.at += int(n)
	return b, nil
}

func double(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }

func state(b []byte) (st rng.State) {
	_ = b[23]
	for i := range st.C {
		st.C[i] = order.Uint32(b[4*i:])
	}
	st.Count = order.Uint64(b[16:])
	return st
}

func (c *Contents) lp(lp *LP) error {
	b, err := c.take(lpHead)
	if err != nil {
		return err
	}
	*lp = LP{
		GID: order.Uint64(b[0:]), Type: order.Uint32(b[16:]), Suspended: b[20]&flagSuspended != 0,
		Code: int64(order.Uint64(b[24:])), Now: double(b[32:]), Digest: order.Uint64(b[40:]),
		CriticalPath: order.Uint32(b[48:]), Core: state(b[56:]),
	}
	size, streams, flags := order.Uint64(b[8:]), order.Uint32(b[52:]), b[20]
	switch {
	case lp.GID >= c.jobLPs:
		return fmt.Errorf("gid %d, there are %d", lp.GID, c.jobLPs)
	case lp.Type >= c.types:
		return fmt.Errorf("type %d, there are %d", lp.Type, c.types)
	case streams != c.streamsEach:
		return fmt.Errorf("expected %d streams, found %d", c.streamsEach, streams)
	case !finite(lp.Now):
		return fmt.Errorf("%v is not a time", lp.Now)
	case lp.Core != rng.State{} && !lp.Core.Valid():
		return fmt.Errorf("%v is not a state of the engine's generator", lp.Core.C)
	}
	if b, err = c.take(uint64(streams) * streamSize); err != nil {
		return err
	}
	if lp.Streams, err = c.readStreams(b); err != nil {
		return err
	}
	if lp.State, err = c.take(size); err != nil || flags&(flagTimers|flagStopAt) == 0 {
		return err
	}
	return c.lpRest(lp, flags)
}

// lpRest decodes what only some LPs have.
func (c *Contents) lpRest(lp *LP, flags byte) error {
	if flags&flagTimers != 0 {
		b, err := c.take(8)
		if err == nil {
			lp.Timers, err = c.take(order.Uint64(b))
		}
		if err != nil {
			return err
		}
	}
	if flags&flagStopAt != 0 {
		b, err := c.take(8)
		if err != nil {
			return err
		}
		if lp.StopAt = double(b); !(lp.StopAt > 0) || !finite(lp.StopAt) {
			return fmt.Errorf("%v is not a time at which a run ends", lp.StopAt)
		}
	}
	return nil
}

func (c *Contents) readStreams(b []byte) ([]rng.StreamState, error) {
	c.streams = c.streams[:0]
	for ; len(b) > 0; b = b[streamSize:] {
		st := rng.StreamState{
			State: state(b), Spare: double(b[24:]), SpareAt: order.Uint64(b[32:]), HasSpare: b[40]&flagSpare != 0,
		}
		if !st.Valid() {
			return nil, fmt.Errorf("stream %d: %v is not a state of a generator", len(c.streams), st.C)
		}
		if math.IsNaN(st.Spare) {
			return nil, fmt.Errorf("stream %d: the normal value is not a number", len(c.streams))
		}
		c.streams = append(c.streams, st)
	}
	return c.streams, nil
}

func (c *Contents) event(e *Event) error {
	b, err := c.take(eventHead)
	if err != nil {
		return err
	}
	*e = Event{
		Src: order.Uint64(b[0:]), Dst: order.Uint64(b[8:]), Recv: double(b[16:]), Send: double(b[24:]),
		Priority: double(b[32:]), Bits: order.Uint32(b[48:]), CriticalPath: order.Uint32(b[52:]),
		Type: order.Uint32(b[56:]), Shared: order.Uint32(b[60:]),
	}
	msg, own := order.Uint64(b[40:]), order.Uint32(b[64:])
	if err := c.checkEvent(e); err != nil {
		return err
	}
	if e.Type >= c.types {
		return fmt.Errorf("type %d, there are %d", e.Type, c.types)
	}
	if uint64(e.Shared) > uint64(len(c.lineage)) || e.Shared == 0 && own == 0 {
		return fmt.Errorf("%d tie-breakers of the %d before, and %d", e.Shared, len(c.lineage), own)
	}
	if b, err = c.take(uint64(own) * 8); err != nil {
		return err
	}
	c.lineage = c.lineage[:e.Shared]
	for ; len(b) > 0; b = b[8:] {
		tie := double(b)
		if !(tie >= 0 && tie <= 1) {
			return fmt.Errorf("%v is not a tie-breaker", tie)
		}
		c.lineage = append(c.lineage, tie)
	}
	e.Own = c.lineage[e.Shared:]
	e.Msg, err = c.take(msg)
	return err
}

// checkEvent checks the fields that events have in both our checkpoints and ROSS's own.
func (c *Contents) checkEvent(e *Event) error {
	switch {
	case e.Src >= c.jobLPs || e.Dst >= c.jobLPs:
		return fmt.Errorf("from gid %d to %d, there are %d", e.Src, e.Dst, c.jobLPs)
	case !finite(e.Send) || !finite(e.Recv) || e.Recv < e.Send:
		return fmt.Errorf("sent at %v for %v, expected times in this order", e.Send, e.Recv)
	case !(e.Priority >= 0 && e.Priority <= 1):
		return fmt.Errorf("priority %v, expected 0 to 1", e.Priority)
	}
	return nil
}
