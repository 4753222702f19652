// This file owns what errors say: which run, and what differs first.

package modeltest

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/output/deep"
)

// failure returns the error of a run that has failed.
func (c *checker) failure(o *outcome) error {
	err := o.err
	if !errors.Is(err, ErrModel) {
		err = fmt.Errorf("%w: %w", ErrModel, err)
	}
	return fmt.Errorf("modeltest: %s%s: %w", o.name, c.culprit(o), err)
}

// culprit returns what is probably at fault for the error that ended a run, in parentheses, or "".
func (c *checker) culprit(o *outcome) string {
	var mistake *ross.ModelError
	if o.sim == nil || !errors.As(o.err, &mistake) {
		return ""
	}
	if mistake.Message != "" {
		for _, m := range engineOf(o.sim).Messages {
			if m.To.Name == mistake.Type && m.Name == mistake.Message {
				return " (in " + nameOf(m) + ")"
			}
		}
	}
	if c.seq == nil || o.sim.Config().Synch != ross.RollbackCheck {
		return ""
	}
	// another LP has changed it since its last event
	if strings.HasPrefix(mistake.What, "something other than its events") {
		if all := c.since(uint64(mistake.LP), mistake.Time); len(all) > 0 {
			return " (the change is of one of the events since then, in " + strings.Join(all, ", or in ") + ")"
		}
		return ""
	}
	for _, e := range (*c.seq.seen)[mistake.LP].events {
		if e.time == mistake.Time {
			return " (in " + nameOf(e.msg) + ")"
		}
	}
	return ""
}

// since returns the handlers of the events of other LPs that came after the last event of an LP before a time.
func (c *checker) since(lp uint64, until float64) (names []string) {
	last := 0.0
	for _, e := range (*c.seq.seen)[lp].events {
		if e.time < until {
			last = max(last, e.time)
		}
	}
	for id, l := range *c.seq.seen {
		for _, e := range l.events {
			if name := nameOf(e.msg); uint64(id) != lp && e.time >= last && e.time <= until && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// nameOf returns how errors name the handler of a message.
func nameOf(m *kernel.Message) string {
	name := "the handler of " + m.To.Name + " for " + m.Name
	if f := handlerOf(m); f != "" {
		name += ", " + f
	}
	return name
}

// compare returns an error that says what differs between the sequential run and another one, if anything does. On
// ranks, each looks at its LPs, and the first one at results.
func (c *checker) compare(seq, o *outcome) error {
	what, detail := "", ""
	o.at = math.MaxFloat64
	switch {
	case seq.digest != o.digest || o.sim.Clock() == 0 && seq.events != o.events:
		what = "events"
		detail, o.at = firstEvent(seq, o)
	case seq.states != o.states:
		what = "states at the end"
		detail, o.at = firstState(seq, o)
	case seq.table != o.table:
		what = "statistics"
		detail, o.at = firstRow(seq, o)
	case o.sim.Rank() > 0:
		return nil
	case seq.results != o.results:
		what, detail = "results", firstLine(seq.results, o.results)
	case seq.printed != o.printed:
		what, detail = "what Finish prints", firstLine(seq.printed, o.printed)
	default:
		return nil
	}
	return fmt.Errorf("modeltest: %s: %s: not as in the sequential run: %s: %w", o.name, what, detail, ErrModel)
}

// firstRow returns the first line of statistics that differs, and 0, or MaxFloat64 if it is of an LP of another rank.
func firstRow(seq, o *outcome) (text string, at float64) {
	text = firstLine(seq.table, o.table)
	lp := ross.LPID(0)
	if n, _ := fmt.Sscanf(text, `"LP %d`, &lp); n == 1 && o.sim.LP(lp) == nil {
		at = math.MaxFloat64
	}
	return text, at
}

// firstLine returns the first line that differs.
func firstLine(seq, other string) string {
	a, b := strings.Split(seq, "\n"), strings.Split(other, "\n")
	for i := range max(len(a), len(b)) {
		if x, y := lineOf(a, i), lineOf(b, i); x != y {
			return fmt.Sprintf("%q there, %q here", x, y)
		}
	}
	return ""
}

func lineOf(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// firstEvent describes the earliest event that is not the same in two runs, and where it comes from.
// It returns its time as well, MaxFloat64 if there is none.
func firstEvent(seq, o *outcome) (text string, at float64) {
	numbers := fmt.Sprintf("%d events there, %d here", seq.events, o.events)
	if seq.seen == nil || o.seen == nil {
		return numbers, math.MaxFloat64
	}
	lp, i, j, found := 0, 0, 0, math.Inf(1)
	for n := range *seq.seen {
		if o.sim.LP(ross.LPID(n)) == nil {
			continue // another rank has it
		}
		a, b := &(*seq.seen)[n], &(*o.seen)[n]
		skipped := 0
		if clock := o.sim.Clock(); clock > 0 { // it began there
			skipped = max(0, len(a.events)-len(b.events))
		}
		if k := differ(a, b, skipped); k >= 0 {
			if at := min(timeOf(a, k+skipped), timeOf(b, k)); at < found {
				lp, i, j, found = n, k+skipped, k, at
			}
		}
	}
	if math.IsInf(found, 1) {
		return numbers +
				", with the same times, senders and types of messages: messages, or the order of simultaneous events, differ",
			math.MaxFloat64
	}
	a, b := &(*seq.seen)[lp], &(*o.seen)[lp]
	where := fmt.Sprintf("the first event that differs is event %d of %s (%s)", i, engineOf(seq.sim).NameOf(uint64(lp)),
		seq.sim.LP(ross.LPID(lp)).TypeName())
	there, here := "the LP has no more events there", "the LP has no more events here"
	if i < len(a.events) {
		there = "there it is " + a.text(i)
	}
	if j < len(b.events) {
		here = "here it is " + b.text(j)
	}
	from, k := seq.seen, i
	of := a
	if timeOf(b, j) < timeOf(a, i) || i >= len(a.events) {
		from, k, of = o.seen, j, b
	}
	return fmt.Sprintf("%s: %s, %s%s; %s", where, there, here, sender(from, &of.events[k]), numbers), found
}

// timeOf returns the time of event i, and +Inf beyond the last event.
func timeOf(l *lpEvents, i int) float64 {
	if i < len(l.events) {
		return l.events[i].time
	}
	return math.Inf(1)
}

// differ returns the index of the first event of b that is not that of a, from skipped on, or -1.
func differ(a, b *lpEvents, skipped int) int {
	for k := range max(len(a.events)-skipped, len(b.events)) {
		if k+skipped >= len(a.events) || k >= len(b.events) {
			return k
		}
		x, y := &a.events[k+skipped], &b.events[k]
		if x.time != y.time || x.sent != y.sent || x.src != y.src || x.msg.ID != y.msg.ID ||
			string(a.message(k+skipped)) != string(b.message(k)) {
			return k
		}
	}
	return -1
}

// sender says in which event an event was sent.
func sender(all *seen, e *noted) string {
	var handled []*kernel.Message
	for i := range (*all)[e.src].events {
		if s := &(*all)[e.src].events[i]; s.time == e.sent {
			handled = append(handled, s.msg)
		}
	}
	if len(handled) == 0 {
		return ""
	}
	for _, m := range handled[1:] {
		if m != handled[0] {
			return fmt.Sprintf("; LP %d sent it in one of %d events at time %g", e.src, len(handled), e.sent)
		}
	}
	return fmt.Sprintf(
		"; LP %d sent it in an event at time %g, in %s: look for what that depends on besides state, message and streams, and for what is not undone",
		e.src, e.sent, nameOf(handled[0]))
}

// firstState names the first LP whose state differs, the field, and the LP's last event.
// It returns 0 as well, or MaxFloat64 if there is none.
func firstState(seq, o *outcome) (text string, at float64) {
	a, b := engineOf(seq.sim), engineOf(o.sim)
	for id := range uint64(seq.sim.TotalLPs()) {
		x, y := a.LP(id), b.LP(id)
		if y == nil || hashOf(x) == hashOf(y) {
			continue
		}
		t := x.Type()
		text = fmt.Sprintf("%s (%s)", a.NameOf(id), t.Name)
		if d := firstField(reflect.NewAt(t.Check.State, x.State).Elem(), reflect.NewAt(t.Check.State, y.State).Elem(),
			t.Check.State.Name()); d != "" {
			text += ": " + d
		}
		if l := &(*seq.seen)[id]; len(l.events) > 0 {
			last := len(l.events) - 1
			text += fmt.Sprintf("; its last event is %s, in %s", l.text(last), nameOf(l.events[last].msg))
		}
		return text, 0
	}
	return "of no LP after Final, only before it", math.MaxFloat64
}

// hashOf returns a hash of the state of an LP.
func hashOf(lp *kernel.LP) uint64 {
	check := &lp.Type().Check
	if check.Save != nil && check.Digest == nil {
		return 0
	}
	t, p := check.State, lp.State
	if check.Digest != nil {
		part := check.Digest(lp.State)
		t, p = reflect.TypeFor[any](), unsafe.Pointer(&part)
	}
	pe := lp.KP.Home
	return deep.NewHasher(t, deep.Blocks{Elem: pe.Run.BlockElem, At: pe.BlockAt}, pe.Run.Opaque...).Hash(p)
}

// enginePath is the path of package ross.
var enginePath = reflect.TypeFor[ross.LP]().PkgPath()

// firstField returns the path of the first field that differs, with both values, or "".
func firstField(a, b reflect.Value, path string) string {
	switch a.Kind() {
	case reflect.Struct:
		if in := a.Type().PkgPath(); in == enginePath && strings.HasPrefix(a.Type().Name(), "Block[") || in == enginePath+
			"/stats" {
			return "" // the address of memory; and statistics are no part of the state
		}
		for i := range a.NumField() {
			if f := a.Type().Field(i); f.Tag.Get("ross") != "-" {
				if d := firstField(a.Field(i), b.Field(i), path+"."+f.Name); d != "" {
					return d
				}
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range min(a.Len(), b.Len()) {
			if d := firstField(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", path, i)); d != "" {
				return d
			}
		}
		if a.Len() != b.Len() {
			return fmt.Sprintf("%s has %d elements there, %d here", path, a.Len(), b.Len())
		}
	case reflect.Pointer:
		if !a.IsNil() && !b.IsNil() && a.Elem().Kind() != reflect.Pointer && a.Elem().Kind() != reflect.Struct {
			return firstField(a.Elem(), b.Elem(), "*"+path)
		}
	case reflect.Map, reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer:
	default:
		if x, y := fmt.Sprint(a), fmt.Sprint(b); x != y {
			return fmt.Sprintf("%s is %s there, %s here", path, x, y)
		}
	}
	return ""
}
