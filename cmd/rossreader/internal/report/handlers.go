// This file owns the flame graph: where the time of the PEs went, and of that in events, by types of LPs and of
// messages.

package report

import (
	"cmp"
	"slices"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/output/findings"
)

// frame is a part of a flame graph: what is below it, at the next level, are parts of it.
type frame struct {
	Level   int    `json:"level"` // 0: the whole
	From    num    `json:"from"`  // percent of the whole
	To      num    `json:"to"`
	Name    string `json:"name"`
	Seconds num    `json:"seconds"` // of all PEs
	Text    string `json:"text"`    // what else is known of it
	Class   string `json:"class"`   // of level 1: as in the bar
}

// handlers is the flame graph.
func (f *figures) handlers() chart {
	c := chart{
		ID: "handlers", Title: "Time by handler", Kind: flameKind,
		Absent: "The run has not timed events by their messages: versions since 0.1.0 write it into " + instr.RunName + ".",
		Note: "Where the time of all PEs went, and below it, of the time in events, the types of LPs and of their messages. " +
			"One in some events is timed, whatever its message is, with the event queue and what is recorded to undo it. Click on a part to enlarge it.",
		X: axis{Name: "time of all PEs (%)", Unit: "%"},
	}
	parts, r := f.pays(), f.result()
	if info := f.run.Info; info != nil && info.PEs == 1 &&
		info.Synch != findings.SynchSequential && info.Synch <= findings.SynchRealTime {
		c.Absent = "Events are not timed by their messages where a parallel run has one PE: use more (--pes), or --synch=1."
	}
	timed := 0.0
	if r != nil {
		for _, h := range r.Handlers {
			timed += h.Seconds
		}
	}
	if !c.have(len(parts) > 0 && timed > 0) {
		return c
	}
	all := 0.0
	for _, p := range parts {
		all += p.Seconds
	}
	add := func(level int, from, seconds float64, name, text string) {
		c.Frames = append(c.Frames, frame{Level: level, From: num(100 * from / all), To: num(100 * (from + seconds) / all),
			Name: name, Seconds: num(seconds), Text: text})
	}
	add(0, 0, all, "all PEs", "")
	at := 0.0
	for _, p := range parts {
		if p.Seconds > 0 {
			add(1, at, p.Seconds, p.Label, "")
			c.Frames[len(c.Frames)-1].Class = p.Class()
		}
		if p.Name == onEvents {
			f.addHandlers(add, at, p.Seconds/timed)
		}
		at += p.Seconds
	}
	levels := 0
	for _, one := range c.Frames {
		levels = max(levels, one.Level+1)
	}
	c.Rows = []string{"time of the PEs", "activity", "type of LPs", "type of message"}[:levels]
	return c
}

// addHandlers adds the types of LPs and their messages from a place on, those that took most first. scale is the time
// of all events to that of those that were timed.
func (f *figures) addHandlers(add func(level int, from, seconds float64, name, text string), at, scale float64) {
	byType, events := map[string]float64{}, uint64(0)
	list := slices.Clone(f.result().Handlers)
	for _, h := range list {
		byType[h.Type] += h.Seconds
		events += h.Timed
	}
	slices.SortFunc(list, func(a, b instr.RunHandler) int {
		return cmp.Or(cmp.Compare(byType[b.Type], byType[a.Type]), cmp.Compare(a.Type, b.Type),
			cmp.Compare(b.Seconds, a.Seconds), cmp.Compare(a.Message, b.Message))
	})
	for i, h := range list {
		if i == 0 || list[i-1].Type != h.Type {
			add(2, at, byType[h.Type]*scale, h.Type, "")
		}
		text := short(100*float64(h.Timed)/float64(max(events, 1))) + " % of the events, " +
			secondsText(h.Seconds/float64(max(h.Timed, 1))) + " each, of " + grouped(h.Timed) + " that were timed"
		add(3, at, h.Seconds*scale, h.Message, text)
		at += h.Seconds * scale
	}
}
