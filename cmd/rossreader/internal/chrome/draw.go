// This file draws the records of a run, and the arrows between events.

package chrome

import (
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/instr"
)

// The approximate number of trace events for a sample.
const (
	perPESample = 12
	perPEEnd    = 2 + int(survey.NumParts) // counters that end with the last sample of a PE
	perKPSample = 2
)

// thinning is the part of a run that is drawn.
type thinning struct {
	samples uint64 // number of samples of a PE or a KP that become one
	events  uint64 // one in this many records of the event trace is drawn
}

// thin keeps a drawing below most events, 0 being no limit.
func thin(run *survey.Run, most uint64) thinning {
	t := thinning{1, 1}
	if most == 0 {
		return t
	}
	samples, events := uint64(0), run.Sources[instr.Trace].Events
	for _, c := range engine {
		samples += perPESample*run.Sources[c].PE + perKPSample*run.Sources[c].KP
	}
	if samples+events <= most {
		return t
	}
	if forSamples := max(most/2, most-min(events, most)); samples > forSamples {
		t.samples = ceil(samples, forSamples)
		samples = forSamples
	}
	t.events = max(ceil(events, most-min(samples, most)), 1)
	return t
}

// ceil returns the number of groups of at most the given size.
func ceil(n, many uint64) uint64 { return (n + max(many, 1) - 1) / max(many, 1) }

// drawing is a drawing in progress.
type drawing struct {
	*layout
	clock  clock
	thin   thinning
	last   map[place]int64 // end of the previous event, by track
	arrows *arrows         // nil: none are drawn
	text   []byte
}

// drawn counts what a drawing has.
type drawn struct {
	thinning
	count uint64 // events, without arrows
	arrows
}

// draw writes the run as JSON, and returns what it has.
func draw(run *survey.Run, out io.Writer, o *options) (drawn, error) {
	enc := &encoder{out: out}
	t := thin(run, o.most)
	enc.open(about(run, t))
	sources := append([]instr.Content{instr.Trace}, engine...)
	d := &drawing{layout: newLayout(run, enc), clock: clock(run.Begin(sources...)), thin: t, last: map[place]int64{}}
	d.arrows = newArrows(enc, !o.noArrows)
	for _, c := range engine {
		if err := d.samples(c); err != nil {
			return drawn{}, err
		}
	}
	if err := d.events(); err != nil {
		return drawn{}, err
	}
	err := enc.close()
	return drawn{t, enc.count, *d.arrows}, err
}

func about(run *survey.Run, t thinning) map[string]string {
	var names []string
	for _, f := range run.Files {
		names = append(names, filepath.Base(f.Path))
	}
	about := map[string]string{"files": strings.Join(names, ", ")}
	if !run.FromStart {
		about["time"] = "cycles of the processor / --clock-rate, since the first record"
	}
	if t.samples > 1 {
		about["samples"] = fmt.Sprintf("%d in a row are drawn as one", t.samples)
	}
	if t.events > 1 {
		about["events"] = fmt.Sprintf("1 of %d is drawn", t.events)
	}
	return about
}

// group is several successive samples that are drawn as one.
type group struct {
	sum survey.Sample
	n   uint64
}

func (d *drawing) samples(c instr.Content) error {
	groups := map[trackOf]*group{}
	err := d.run.Samples(c, func(s *survey.Sample) {
		key := trackOf{c, s.KP, s.IsKP}
		g := groups[key]
		if g == nil {
			g = new(group)
			groups[key] = g
		}
		if g.n == 0 {
			g.sum = *s
		} else {
			g.sum.Add(s)
		}
		if g.n++; g.n == d.thin.samples {
			d.sample(c, key, &g.sum)
			g.n = 0
		}
	})
	for _, key := range slices.SortedFunc(maps.Keys(groups),
		func(a, b trackOf) int { return d.tracks[a].tid - d.tracks[b].tid }) {
		g := groups[key]
		if g.n > 0 {
			d.sample(c, key, &g.sum)
		}
		if !key.isKP {
			d.counter("event rate"+d.label[c], "events/s", d.tracks[key], d.clock.ticks(g.sum.To), 0)
			for part := range survey.NumParts {
				d.counter(part.String()+", share of the time"+d.label[c], "percent", d.tracks[key], d.clock.ticks(g.sum.To), 0)
			}
			d.counter("rest of the time"+d.label[c], "percent", d.tracks[key], d.clock.ticks(g.sum.To), 0)
		}
	}
	return err
}

func (d *drawing) sample(c instr.Content, key trackOf, s *survey.Sample) {
	at := d.tracks[key]
	from, to := d.clock.ticks(s.From), d.clock.ticks(s.To)
	if s.IsKP {
		d.kpSample(at, s, from, to, c)
		return
	}
	if from < to {
		d.activity(at, s, from, to, d.label[c])
		d.counter("event rate"+d.label[c], "events/s", at, from, float64(s.Processed)/(s.To-s.From))
		if s.Processed > 0 {
			d.counter("efficiency"+d.label[c], "percent", at, from, s.Efficiency())
		}
	}
	d.counter("queue size"+d.label[c], "events", at, to, s.Queue)
	d.counter("GVT"+d.label[c], "GVT", at, to, s.GVT)
}

func (d *drawing) counter(name, unit string, at place, ns int64, value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return
	}
	d.enc.begin('C', name, at, ns)
	d.enc.number(unit, value)
	d.enc.end()
}

// activity draws the sample of a PE. Its parts are counters: when in the sample they were is not known.
func (d *drawing) activity(at place, s *survey.Sample, from, to int64, label string) {
	d.enc.begin('X', "sample", at, from)
	d.enc.lasting(to - from)
	d.enc.number("GVT", s.GVT)
	d.counts(s)
	d.enc.count64("aborted", s.Aborted)
	d.enc.count64("network_sends", s.Sends)
	d.enc.end()
	rest := s.Rest() // which scales the parts if necessary
	for part, seconds := range s.Parts {
		d.counter(survey.Part(part).String()+", share of the time"+label, "percent", at, from, 100*seconds/(s.To-s.From))
	}
	d.counter("rest of the time"+label, "percent", at, from, 100*rest/(s.To-s.From))
}

func (d *drawing) counts(s *survey.Sample) {
	d.enc.count64("processed", s.Processed)
	d.enc.count64("rolled_back", s.RolledBack)
	d.enc.count64("primary", s.Primary())
	d.enc.count64("secondary", s.Secondary)
	d.enc.number("efficiency", s.Efficiency())
}

func (d *drawing) kpSample(at place, s *survey.Sample, from, to int64, c instr.Content) {
	if s.Rollbacks > 0 && from < to {
		d.enc.begin('X', "rollbacks", at, from)
		d.enc.lasting(to - from)
		d.counts(s)
		d.enc.end()
	}
	d.counter(fmt.Sprintf("KP %d ahead of GVT%s", s.KP.KP, d.label[c]), "virtual time", at, to, s.Ahead)
}

// eventTicks is the length of the slice of an event. How long it took is not known; an arrow needs a
// slice at each end.
const eventTicks = 1

func (d *drawing) events() error {
	n := uint64(0)
	return d.run.Trace(func(e *instr.Event) {
		if n++; (n-1)%d.thin.events != 0 {
			return
		}
		at := d.ofEvents(e.Dest)
		// The writing of several PEs, and of committed events, may have mixed up the order.
		// Events at the same time, up to the precision of the file, follow each other.
		begin := max(d.clock.ticks(float64(e.RealTS)), d.last[at])
		d.last[at] = begin + eventTicks
		d.text = d.names.Append(append(d.text[:0], "LP "...), uint64(e.Dest))
		d.enc.begin('X', string(d.text), at, begin)
		d.enc.lasting(eventTicks)
		d.enc.count64("source", uint64(e.Src))
		d.enc.single("sent", e.SendTS)
		d.enc.single("received", e.RecvTS)
		d.enc.end()
		d.arrows.see(e, end{at, begin})
	})
}

// mostRemembered bounds the memory, some 100 bytes for each event: an event beyond it has an arrow
// only if the event that sent it is among those remembered.
const mostRemembered = 4_000_000

// moment is the time of an event at its LP. It identifies the event unless an LP has several events
// at one time, up to the precision of the file (32 bits); then it stands for the last one before.
type moment struct {
	lp   uint32
	time uint32 // bits
}

func momentOf(lp uint32, time float32) moment { return moment{lp, math.Float32bits(time)} }

// end is an end of an arrow: the track and the beginning of an event.
type end struct {
	at    place
	begin int64 // ticks
}

// arrows draws an arrow from each event to those that it sent. A trace has for each event who sent
// it, and when: the event that its sender handled at that time. The file may have it after those that
// it sent, if another PE handled it.
type arrows struct {
	enc      *encoder
	on       bool
	seen     map[moment]end
	waiting  map[moment][]end // events whose sender has not been seen
	held     int              // events in seen and waiting
	drawn    uint64
	backward uint64 // arrows left out because the sender has the later real time
	full     bool   // some events could not be remembered
}

func newArrows(enc *encoder, on bool) *arrows {
	return &arrows{enc: enc, on: on, seen: map[moment]end{}, waiting: map[moment][]end{}}
}

// see takes the next event, whose slice has been drawn.
func (a *arrows) see(e *instr.Event, here end) {
	if !a.on {
		return
	}
	cause, self := momentOf(e.Src, e.SendTS), momentOf(e.Dest, e.RecvTS)
	if from, ok := a.seen[cause]; ok {
		a.draw(from, here)
	} else if a.room() {
		a.waiting[cause] = append(a.waiting[cause], here)
	}
	if effects, ok := a.waiting[self]; ok && cause != self {
		for _, to := range effects {
			a.draw(here, to)
		}
		delete(a.waiting, self)
		a.held -= len(effects)
	}
	if _, known := a.seen[self]; known || a.room() {
		a.seen[self] = here
	}
}

// room reports whether another event can be remembered, and counts it.
func (a *arrows) room() bool {
	if a.held >= mostRemembered {
		a.full = true
		return false
	}
	a.held++
	return true
}

func (a *arrows) draw(from, to end) {
	if from.begin > to.begin { // viewers do not draw it
		a.backward++
		return
	}
	a.drawn++
	a.enc.arrow(from.at, from.begin, to.at, to.begin)
}
