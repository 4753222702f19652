// This file owns the text about an event: what an LP is before its handler is called, and what is different afterwards.

package watch

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"strings"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/output/deep"
	"github.com/ross-go/ross/internal/output/held"
	"github.com/ross-go/ross/internal/sys/plain"
	"github.com/ross-go/ross/rng"
)

// mostDraws is the number of draws of a stream that are shown.
const mostDraws = 8

// block is the text about an event.
type block struct{ strings.Builder }

// line adds a line of a kind.
func (b *block) line(kind, format string, args ...any) {
	fmt.Fprintf(b, "  %-10s", kind)
	fmt.Fprintf(b, format, args...)
	b.WriteByte('\n')
}

// cut finds in texts that were cut, and may lack a quote, what would be mistaken for an end of a path or a value.
var cut = strings.NewReplacer(" -> ", " → ", ": ", ":")

// changed adds a line about a value that is another one now. Outside of quotes, its first arrow is that of the line.
func changed(b interface {
	line(kind, format string, args ...any)
}, path, before, after string) {
	if strings.Contains(path, "…") {
		path = cut.Replace(path)
	}
	for _, text := range []*string{&before, &after} {
		if strings.HasPrefix(*text, "…") || strings.HasSuffix(*text, "…") {
			*text = strings.ReplaceAll(*text, " -> ", " → ")
		}
	}
	b.line("changed", "%s: %s -> %s", path, before, after)
}

// viewer makes the texts about an LP. It implements kernel.Viewer.
type viewer struct {
	m      *memory
	state  *deep.Copier
	root   string // what paths in the state begin with
	places []plain.Place
	held   []held.Field
	brief  []held.Brevity
}

// newViewer returns a viewer for LPs of a type. Each LP has its own, since several PEs use them at the same time.
func newViewer(r *kernel.Run, t *kernel.Type) *viewer {
	m := newMemory(r.BlockElem)
	state := t.Check.State
	return &viewer{
		m: m, state: deep.NewCopierWithout(m.skips, state, r.Opaque...),
		root: cmp.Or(state.Name(), state.String()), places: m.places(state), held: held.Fields(state),
		brief: held.Brevities(state),
	}
}

// look is an LP before an event.
type look struct {
	v         *viewer
	lp        *kernel.LP
	state     deep.Snapshot
	contents  *contents // nil: it leads to nothing
	things    []thing   // that fields hold by their own account
	brief     []string  // what fields say of themselves
	streams   []rng.StreamState
	waiting   []uint64 // timers
	timer     uint64   // that the event is the event of
	stops     int
	stopAt    float64
	suspended bool
}

// View implements kernel.Viewer.
func (v *viewer) View(lp *kernel.LP, e *event.Event) (after func(s *kernel.Sighting) string) {
	b := v.begin(lp, e)
	l := &look{v: v, lp: lp, state: v.state.Copy(lp.State), waiting: lp.Timers().Waiting(), timer: lp.PE.TimerOf(e),
		stops: len(lp.PE.Stops.Events), stopAt: lp.StopsAt(), suspended: lp.Suspended()}
	l.things, l.brief = v.things(lp), v.briefs(lp)
	if len(v.places) > 0 {
		l.contents = v.m.take(lp, v.places, v.root, true)
	}
	for i := 0; lp.Stream(i) != nil; i++ {
		l.streams = append(l.streams, lp.Stream(i).State())
	}
	return func(s *kernel.Sighting) string {
		if s.Ignored {
			b.line("ignored", "the LP is suspended, with code %d", lp.Code())
		} else {
			l.after(b, s)
		}
		return b.String()
	}
}

// begin writes what event it is.
func (v *viewer) begin(lp *kernel.LP, e *event.Event) *block {
	b, pe := new(block), lp.PE
	m, sig := pe.MessageOf(e), pe.SignatureOf(e)
	fmt.Fprintf(b, "Watch: %s (%s) at %s\n", lp.Name(), lp.Type().Name, number(e.Time))
	var ties []string
	for _, tie := range sig.Ties {
		ties = append(ties, number(tie))
	}
	b.line("order", "priority %s, tie-breakers %s", number(sig.Priority), strings.Join(ties, " "))
	b.line("received", "%s", m.Name+text(nil, nil, m.Go, pe.Arena.Sent(e)))
	from := pe.Run.NameOf(e.Src)
	if e.Src == lp.ID {
		from = "itself"
	}
	if timer := pe.TimerOf(e); timer != 0 {
		from += ", timer " + timerName(timer)
	}
	b.line("from", "%s, sent at %s", from, number(e.SendTime))
	return b
}

// after writes what the event did.
func (l *look) after(b *block, s *kernel.Sighting) {
	l.changes(b)
	for i, before := range l.streams {
		l.draws(b, i, before)
	}
	for i := range s.Sends {
		l.send(b, &s.Sends[i])
	}
	l.cancelled(b, s)
	for _, r := range s.Recordings {
		b.line("recorded", "%s", recorded(l.lp.Type().Figures, r))
	}
	if len(l.lp.PE.Stops.Events) > l.stops {
		b.line("ended", "the run, after this event")
	}
	if at := l.lp.StopsAt(); at != l.stopAt {
		b.line("ended", "the run, at %s", number(at))
	}
	if l.lp.Suspended() && !l.suspended {
		b.line("suspended", "itself, with code %d", l.lp.Code())
	}
}

// changes writes what is different in the state.
func (l *look) changes(b *block) {
	found := l.v.state.Diff(l.state, l.lp.State)
	for _, d := range found {
		changed(b, strings.Replace(d.Path, l.v.root+".", "", 1), d.Before, d.After)
	}
	if len(found) == deep.MaxDifferences {
		b.line("changed", "and perhaps more: the first %d are shown", len(found))
	}
	for i, now := range l.v.briefs(l.lp) {
		if was := l.brief[i]; was != now {
			changed(b, l.v.brief[i].Path, was, now)
		}
	}
	compareThings(b, l.things, l.v.things(l.lp))
	if l.contents != nil {
		l.v.m.compare(b, l.lp, l.contents, l.v.m.take(l.lp, l.v.places, l.v.root, false))
	}
}

// draws writes what was drawn from stream i, as numbers from 0 to 1, from which distributions are made.
func (l *look) draws(b *block, i int, before rng.StreamState) {
	after := l.lp.Stream(i).State()
	if after == before {
		return
	}
	var g rng.CLCG4
	g.SetState(before.State)
	if after.State == before.State {
		b.line("drew", "a number that stream %d had kept", i)
		return
	}
	n := int64(after.Count - before.Count)
	if g.Skip(max(n, 0)); n <= 0 || g.State() != after.State {
		b.line("drew", "stream %d set from draw %d to draw %d", i, before.Count, after.Count)
		return
	}
	g.SetState(before.State)
	values := ""
	for range min(n, mostDraws) {
		values += " " + number(g.Unif())
	}
	if n > mostDraws {
		values += " …"
	}
	b.line("drew", "%d from stream %d:%s", n, i, values)
}

// send writes a send, or a timer that was set.
func (l *look) send(b *block, s *kernel.SentWatched) {
	kind, to := "sent", l.lp.PE.Run.NameOf(s.Dst)
	switch {
	case s.Timer != 0:
		kind, to = "set", "timer "+timerName(s.Timer)
	case s.Dst == l.lp.ID:
		to = "itself"
	}
	what := fmt.Sprintf("%s for %s, delay %s", to, number(s.Time), number(s.Delay))
	if s.Priority != kernel.DefaultPriority {
		what += ", priority " + number(s.Priority)
	}
	if s.PastEnd {
		what += ", not before the end of the run"
	}
	name, t := l.message(s.Word)
	if s.Message != nil && !s.PastEnd { // checkpoints keep messages that no event of this run has
		name += text(nil, nil, t, s.Message)
	}
	b.line(kind, "%s: %s", what, name)
}

// message returns the name and the type of the message that a word identifies.
func (l *look) message(word unsafe.Pointer) (string, reflect.Type) {
	for _, m := range l.lp.PE.Run.Messages {
		if m.Word == word {
			return m.Name, m.Go
		}
	}
	return "a message that the LP does not receive", nil
}

// cancelled writes which timers were cancelled, first those that waited before the event.
func (l *look) cancelled(b *block, s *kernel.Sighting) {
	all := l.waiting
	for i := range s.Sends {
		if t := s.Sends[i].Timer; t != 0 {
			all = append(all, t)
		}
	}
	for _, timer := range all {
		if timer != l.timer && !l.lp.Armed(timer) {
			b.line("cancelled", "timer %s", timerName(timer))
		}
	}
}

// timerName returns how texts name a timer: its slot among the timers of the LP, and how often the slot was used.
func timerName(timer uint64) string { return fmt.Sprintf("%d.%d", uint32(timer), timer>>32) }

// recorded returns what a statistic was given.
func recorded(fields []statistic.Field, r kernel.Recording) string {
	name := "a statistic"
	for i := range fields {
		if fields[i].Off == r.Off {
			name = fields[i].Path
		}
	}
	x := number(math.Float64frombits(r.Word))
	switch r.Op {
	case statistic.OpCount:
		return fmt.Sprintf("%s: +%d", name, r.Word)
	case statistic.OpSet:
		return fmt.Sprintf("%s: set to %s", name, x)
	case statistic.OpShift: // "by" tells it from a number that is counted, and from one that is below 0
		if math.Float64frombits(r.Word) >= 0 && !strings.HasPrefix(x, "+") {
			x = "+" + x
		}
		return fmt.Sprintf("%s: by %s", name, x)
	}
	return fmt.Sprintf("%s: %s", name, x)
}
