// This file compares two LPs.

package checkpoint

import (
	"fmt"
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
