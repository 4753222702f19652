// This file owns what Processes say of themselves, in the words of a modeller: for --watch, for errors of the checks of
// rollback, and at the end of a run.

package proc

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/output/deep"
	"github.com/ross-go/ross/internal/output/held"
)

// faceOf returns an LP of the engine as models see it: both types have the same layout.
func faceOf(k *kernel.LP) *ross.LP { return (*ross.LP)(unsafe.Pointer(k)) }

// Held is for reports of the engine: it returns the processes in the order of their numbers.
func (ps *Processes) Held(k *kernel.LP, over held.Ending) (all []held.Thing) {
	queues := ps.queues(k)
	waits := ps.waitsOf(queues)
	for h, pr := range ps.all() {
		at := waits[pidOf(h, pr.serial)]
		t := held.Thing{Kind: nameOf(pr.kind), Number: uint64(pr.serial), Does: pr.does(at), At: ps.placeOf(h, pr),
			Since: pr.since, By: ps.holder(at)}
		if code := codes.find(pr.kind); over == held.NotYet && code != nil {
			frame := pr.frame()
			code.frame().variables(func(name string, typ reflect.Type, off uintptr) {
				t.Locals = append(t.Locals, held.Local{Name: name, Type: typ, At: unsafe.Add(frame, off)})
			})
		}
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b held.Thing) int { return int(a.Number) - int(b.Number) })
	if over != held.NotYet {
		all = ps.stuck(k, all, queues, waits, over == held.Dry)
	}
	return all
}

// Began is for reports of the engine: it returns the number of processes that have begun at the LP, or arrived.
func (ps *Processes) Began() uint64 { return uint64(ps.serial) }

// holder names the first process that has what another one waits for, or returns "".
func (ps *Processes) holder(q waitsAt) string {
	if q.filled == nil || len(q.has) == 0 {
		return ""
	}
	id := q.has[0].PID
	pr := ps.find(id)
	if pr == nil {
		return ""
	}
	return ps.nameAt(id, pr)
}

// nameAt names a process, and where it is.
func (ps *Processes) nameAt(id PID, pr *process) string {
	return nameFor(id, pr.kind) + places(ps.placeOf(id.handle(), pr))
}

// does returns what a process does, of what it waits for.
func (pr *process) does(q waitsAt) string {
	what := pr.wait.String()
	switch {
	case q.filled == nil || pr.wait == forSeveral:
		return what
	case pr.wait == forService && q.served:
		return "is served at " + q.path
	case pr.wait == forService:
		return "is interrupted at " + q.path
	case pr.wait == forSignal:
		return "waits for signal " + q.path
	case pr.wait == forMail || pr.wait == forRoom:
		return what + " in " + q.path
	}
	return what + " of " + q.path
}

// placeOf returns where in the source a process is, or "" if that is not known.
func (ps *Processes) placeOf(h container.Handle, pr *process) string {
	if code := codes.find(pr.kind); code != nil {
		return code.frame().place(pr.frame())
	}
	if ps.run != nil {
		if c := ps.run.routines[routine{ps, h}]; c != nil {
			return c.place()
		}
	}
	return ""
}

// inTable is how a difference in the record of a process is called by the engine.
var inTable = regexp.MustCompile(`\.table\[(\d+)\]\.(.*)$`)

// inWords is how a difference in a frame is called there.
var inWords = regexp.MustCompile(`^(words|more)\[(\d+)\]$`)

// Name is for errors of the engine: it names process, line and variable in place of what is in memory.
func (ps *Processes) Name(_ *kernel.LP, d *deep.Difference) {
	m := inTable.FindStringSubmatch(d.Path)
	if m == nil {
		switch d.Path[strings.LastIndexByte(d.Path, '.')+1:] {
		case "serial":
			d.Path = "the number of processes that were started"
		case "living":
			d.Path = "the number of processes that live"
		case "left":
			d.Path = "the set of processes that have travelled away"
		}
		return
	}
	i, _ := strconv.Atoi(m[1])
	h := container.Handle(i + 1)
	pr := ps.record(h)
	if pr.serial == 0 {
		return
	}
	who := "process " + ps.nameAt(pidOf(h, pr.serial), pr)
	code := codes.find(pr.kind)
	w := inWords.FindStringSubmatch(m[2])
	if w == nil || code == nil {
		what := m[2][strings.LastIndexByte(m[2], '.')+1:]
		if meaning := meanings[what]; meaning != "" {
			what = meaning
		}
		d.Path = what + " of " + who
		return
	}
	n, _ := strconv.Atoi(w[2])
	ps.nameLocal(d, code, uintptr(n)*8, who)
}

// meanings are what changes in a process, by the names of the engine.
var meanings = map[string]string{
	"epoch": "the number of waits", "wait": "what it waits for", "why": "what has ended the last wait",
	"value": "what the wait has brought", "timer": "the timer of the wait", "since": "when the wait began",
	"cause": "the cause of an interruption", "flags": "the interruption or end that waits",
}

// nameLocal names the variables in a word of a frame, and gives their values.
func (ps *Processes) nameLocal(d *deep.Difference, code *Code, off uintptr, who string) {
	was, err := strconv.ParseUint(d.Before, 10, 64)
	now, err2 := strconv.ParseUint(d.After, 10, 64)
	l := code.frame()
	if err != nil || err2 != nil {
		return
	}
	var before, after [8]byte
	binary.NativeEndian.PutUint64(before[:], was)
	binary.NativeEndian.PutUint64(after[:], now)
	d.Path = "the place of " + who
	if l.pc == off {
		return
	}
	l.variables(func(name string, t reflect.Type, at uintptr) {
		end := at + t.Size()
		from, to := max(at, off), min(end, off+8)
		if from >= to || string(before[from-off:to-off]) == string(after[from-off:to-off]) {
			return
		}
		d.Path = fmt.Sprintf("%s of %s", name, who)
		if at >= off && end <= off+8 {
			d.Before, d.After = valueAt(t, &before[at-off]), valueAt(t, &after[at-off])
		}
	})
}

// valueAt returns the text of a number or a boolean.
func valueAt(t reflect.Type, p *byte) string {
	var b strings.Builder
	float := func(f float64, bits int) { b.WriteString(strconv.FormatFloat(f, 'g', -1, bits)) }
	if !deep.WriteBasic(&b, reflect.NewAt(t, unsafe.Pointer(p)).Elem(), float) {
		return fmt.Sprintf("%x", unsafe.Slice(p, t.Size()))
	}
	return b.String()
}

// Ran is for errors of the engine: it says which processes have gone on in the last event, and from where.
func (ps *Processes) Ran(k *kernel.LP) string {
	if ps.run == nil || ps.run.ps != ps || len(ps.run.ran) == 0 {
		return ""
	}
	var texts []string
	for _, t := range ps.run.ran[:min(len(ps.run.ran), 3)] {
		texts = append(texts, t.String())
	}
	if n := len(ps.run.ran) - len(texts); n > 0 {
		texts = append(texts, fmt.Sprintf("%d more", n))
	}
	return "process " + strings.Join(texts, ", ")
}

// trip is that a process has gone on, from a place.
type trip struct {
	id    PID
	kind  uint64
	place string
}

// String says which process, and from where.
func (t trip) String() string {
	return nameFor(t.id, t.kind) + " from " + cmp.Or(t.place, "its beginning")
}
