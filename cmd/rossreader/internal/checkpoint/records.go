// This file compares LPs and events, field by field.

package checkpoint

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/rio"
	"github.com/ross-go/ross/rng"
)

// lister lists differences.
type lister []string

// add compares values by their text, which differs if their bits do.
func (l *lister) add(what string, a, b any) {
	if a, b := text(a), text(b); a != b {
		*l = append(*l, what+" "+a+" | "+b)
	}
}

func (l lister) String() string { return strings.Join(l, "; ") }

func text(v any) string {
	switch v := v.(type) {
	case float64:
		return cli.FormatFloat(v, 64)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case string:
		return orNone(v)
	}
	return fmt.Sprint(v)
}

// digests reports whether digests are compared: not if only one run kept them.
func (d *differ) digests() bool { return d.side[A].info.Digests == d.side[B].info.Digests }

// lpText describes how LPs of A and B differ.
func (d *differ) lpText(a, b *rio.LP) string {
	l := lister{}
	l.add("type", d.typeName(A, a.Type), d.typeName(B, b.Type))
	l.add("last event at", a.Now, b.Now)
	l.add("suspended", suspension(a), suspension(b))
	l.add("ends the run at", a.StopAt, b.StopAt)
	l.add("critical path", a.CriticalPath, b.CriticalPath)
	if d.digests() {
		l.add("digest", fmt.Sprintf("%016x", a.Digest), fmt.Sprintf("%016x", b.Digest))
	}
	l.addStreams(a.Streams, b.Streams)
	l.add("engine's stream", generator(a.Core), generator(b.Core))
	l.addState(a.State, b.State)
	return l.String()
}

func (d *differ) typeName(which int, t uint32) string {
	if t = d.side[which].typeOf(t); uint64(t) < uint64(len(d.types)) {
		return d.types[t]
	}
	return text(t)
}

func suspension(lp *rio.LP) string {
	if !lp.Suspended && lp.Code == 0 {
		return "no"
	}
	return fmt.Sprintf("%s with code %d", text(lp.Suspended), lp.Code)
}

// addStreams adds the first stream that differs, and how many more do.
func (l *lister) addStreams(a, b []rng.StreamState) {
	l.add("streams", len(a), len(b))
	differ, before := 0, len(*l)
	for i := range min(len(a), len(b)) {
		a, b := stream(&a[i]), stream(&b[i])
		if a == b {
			continue
		}
		if differ++; differ == 1 {
			l.add(fmt.Sprintf("stream %d", i), a, b)
		}
	}
	if differ > 1 {
		(*l)[before] += fmt.Sprintf(" (and %d streams more)", differ-1)
	}
}

func generator(st rng.State) string { return fmt.Sprintf("%v after %d draws", st.C, st.Count) }

func stream(st *rng.StreamState) string {
	s := generator(st.State)
	if st.HasSpare || math.Float64bits(st.Spare) != 0 || st.SpareAt != 0 {
		s += fmt.Sprintf(", normal value %s of draw %d", text(st.Spare), st.SpareAt)
		if !st.HasSpare {
			s += " not to be used"
		}
	}
	return s
}

// addState adds the first byte at which states differ, and their lengths.
func (l *lister) addState(a, b []byte) {
	if slices.Equal(a, b) {
		return
	}
	at, end := 0, min(len(a), len(b))
	for at < end && a[at] == b[at] {
		at++
	}
	*l = append(*l, fmt.Sprintf("state from byte %d on, lengths %d | %d", at, len(a), len(b)))
}

// clone returns a copy of an LP that shares no memory with it.
func clone(lp *rio.LP) rio.LP {
	c := *lp
	c.Streams, c.State = slices.Clone(lp.Streams), slices.Clone(lp.State)
	return c
}

// onlyEvent is an event that is in only one checkpoint, or more often in one.
type onlyEvent struct {
	rio.Event // Own is all of the lineage
	which     int
	times     uint64
}

// countEvents evaluates the counts.
func (d *differ) countEvents() {
	d.eventLines = uint64(len(d.counts))
	for _, n := range d.counts {
		if n > 0 {
			d.eventCount[A] += uint64(n)
		} else {
			d.eventCount[B] += uint64(-n)
		}
	}
}

// find reads the events that are only in one side, and keeps the least ones, which will be printed.
func (d *differ) find(which int) error {
	s := d.side[which]
	room := d.most - len(d.run) - len(d.only) - len(d.first)
	if d.eventCount[which] == 0 || room <= 0 {
		return nil
	}
	err := s.each(func(r *rio.Contents) error {
		h := d.hasher(s)
		return h.eachEvent(r, func(lineage []float64) {
			if d.eventSums[h.event.Dst] == 0 {
				return
			}
			key := eventKey{h.event.Dst, h.ofEvent(lineage)}
			d.lock.Lock()
			defer d.lock.Unlock()
			n := d.counts[key]
			if which == B {
				n = -n
			}
			if n <= 0 {
				return
			}
			delete(d.counts, key) // the next one is the same
			e := onlyEvent{Event: h.event, which: which, times: uint64(n)}
			e.Own, e.Msg = slices.Clone(lineage), slices.Clone(h.event.Msg)
			if d.found = append(d.found, e); len(d.found)/2-32 > room {
				d.trim(room)
			}
		})
	})
	d.trim(room)
	return err
}

// trim leaves the least.
func (d *differ) trim(room int) {
	slices.SortFunc(d.found, inOrder)
	kept := min(len(d.found), room)
	clear(d.found[kept:])
	d.found = d.found[:kept]
}

// inOrder compares events for the order in which they are printed: by destination, time, priority
// and tie-breakers; the remaining fields make the order the same in every run.
func inOrder(a, b onlyEvent) int {
	return cmp.Or(
		cmp.Compare(a.Dst, b.Dst), cmp.Compare(a.Recv, b.Recv), cmp.Compare(a.Priority, b.Priority),
		slices.Compare(a.Own, b.Own),
		cmp.Compare(a.which, b.which), cmp.Compare(a.Send, b.Send), cmp.Compare(a.Src, b.Src), cmp.Compare(a.Bits, b.Bits),
		cmp.Compare(a.CriticalPath, b.CriticalPath), cmp.Compare(a.Type, b.Type), bytes.Compare(a.Msg, b.Msg),
	)
}

func (d *differ) eventText(e *onlyEvent) string {
	s := fmt.Sprintf(
		"event only in %s: for %s at %s, priority %s, tie-breakers %s, from %s at %s, type %s, bits %08x, critical path %d, %s",
		letter(e.which), d.name(e.Dst), text(e.Recv), text(e.Priority), lineageText(e.Own), d.name(e.Src), text(e.Send),
		d.typeName(e.which, e.Type), e.Bits, e.CriticalPath, messageText(e.Msg))
	if e.times > 1 {
		s += fmt.Sprintf(", %d times", e.times)
	}
	return s
}

// Limits on the printed part of messages and lineages. A checksum stands for the rest.
const (
	shownBytes = 32
	shownTies  = 4
)

func messageText(msg []byte) string {
	switch n := len(msg); {
	case n == 0:
		return "no message"
	case n <= shownBytes:
		return fmt.Sprintf("message %x", msg)
	default:
		return fmt.Sprintf("message %x... of %d bytes, CRC-32 %08x", msg[:shownBytes], n, crc32.ChecksumIEEE(msg))
	}
}

func lineageText(ties []float64) string {
	if len(ties) == 0 {
		return "none"
	}
	var parts []string
	for _, tie := range ties {
		parts = append(parts, text(tie))
	}
	if n := len(parts); n > shownTies {
		all := strings.Join(parts, " ")
		return fmt.Sprintf("%s ... of %d, CRC-32 %08x", strings.Join(parts[:shownTies], " "), n,
			crc32.ChecksumIEEE([]byte(all)))
	}
	return strings.Join(parts, " ")
}
