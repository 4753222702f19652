// This file owns what a page asks for: what some lanes have in a stretch of time, one event with its causes and
// effects, and lanes by name. The members of the answers are those that the script of the page knows.

package events

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// about is what a page knows of the whole trace.
type about struct {
	File     string   `json:"file"`
	Events   int      `json:"events"`
	Undone   int      `json:"undone"` // of them without an execution that stayed
	Lanes    int      `json:"lanes"`
	From     float64  `json:"from"`
	To       float64  `json:"to"`
	Exact    bool     `json:"exact"`
	All      bool     `json:"all"`   // it has all executions, so that events may have been undone
	Late     bool     `json:"late"`  // it has only events that caused rollbacks
	Named    bool     `json:"named"` // LPs have names
	Kinds    []string `json:"kinds"`
	Overview []int    `json:"overview"` // events of all lanes by time, in equal parts
	Last     int      `json:"last"`     // the event received last
}

// overviewParts is the number of parts of the overview.
const overviewParts = 400

func (t *Trace) about() *about {
	a := &about{File: t.path, Events: len(t.entries), Undone: int(t.undone), Lanes: len(t.lps), From: t.from, To: t.to,
		Exact: t.exact, Named: len(t.names) > 0, Kinds: append([]string{}, t.kinds...), Overview: make([]int, overviewParts)}
	if t.info != nil {
		trace := t.info.Options["event-trace"]
		a.All, a.Late = trace == "1" && t.info.Scheduler != "sequential" && t.info.Scheduler != "conservative", trace == "2"
	}
	for i := range t.entries {
		e := &t.entries[i]
		if a.Overview[part(e.recv, t.from, t.to, overviewParts)]++; e.recv >= t.entries[a.Last].recv {
			a.Last = i
		}
	}
	return a
}

// part returns in which of n equal parts of a stretch a time is.
func part(at, from, to float64, n int) int {
	if !(to > from) {
		return 0
	}
	return min(max(int((at-from)/(to-from)*float64(n)), 0), n-1)
}

// mark is an event as the chart has it: a list in JSON, which takes a third of the bytes of an object.
type mark struct {
	id         int // entry
	recv, send float64
	lane, src  int
	kind       int
	undone     int
	stayed     bool
	fields     []string // "name=value", if asked for
}

func (m *mark) MarshalJSON() ([]byte, error) {
	b := append(strconv.AppendInt([]byte{'['}, int64(m.id), 10), ',')
	b = strconv.AppendFloat(b, m.recv, 'g', -1, 64)
	b = strconv.AppendFloat(append(b, ','), m.send, 'g', -1, 64)
	for _, n := range []int{m.lane, m.src, m.kind, m.undone, map[bool]int{true: 1}[m.stayed]} {
		b = strconv.AppendInt(append(b, ','), int64(n), 10)
	}
	if m.fields != nil {
		text, err := jsonOf(m.fields)
		if err != nil {
			return nil, err
		}
		b = append(append(b, ','), text...)
	}
	return append(b, ']'), nil
}

// mark returns an event as the chart has it.
func (t *Trace) mark(i, lane int, withFields bool) (*mark, error) {
	e := &t.entries[i]
	m := &mark{id: i, recv: e.recv, send: e.send, lane: lane, src: int(e.src), undone: e.undone(), stayed: e.stayed()}
	payload, x, err := t.record(e)
	if err != nil {
		return nil, err
	}
	if m.kind = t.kind(lane, &x); withFields {
		names, texts := t.fieldsOf(lane, payload)
		m.fields = []string{}
		for k, name := range names {
			m.fields = append(m.fields, name+"="+texts[k])
		}
	}
	return m, nil
}

// seen is what a lane has in a stretch: marks, or counts of columns if there are too many.
type seen struct {
	Lane   int     `json:"lane"`
	Name   string  `json:"name"`
	N      int     `json:"n"`
	Marks  []*mark `json:"marks,omitempty"`
	Counts []int   `json:"counts,omitempty"`
}

// stretch is a stretch of virtual time: from base+a to base+b. The offsets keep what the sums would lose to rounding.
type stretch struct{ base, a, b float64 }

// place returns where a time is in the stretch: 0 at its beginning, 1 at its end.
func (s *stretch) place(at float64) float64 { return (at - s.base - s.a) / (s.b - s.a) }

// view returns what lanes have in a stretch. Lanes with more than most events have counts of columns.
func (t *Trace) view(lanes []int, s stretch, columns, most int, withFields bool) ([]*seen, error) {
	all := []*seen{}
	for _, lane := range lanes {
		v := &seen{Lane: lane, Name: t.name(lane)}
		first, end := t.in(lane, s)
		if v.N = end - first; v.N > most {
			v.Counts = make([]int, columns)
			for i := first; i < end; i++ {
				v.Counts[min(max(int(s.place(t.entries[i].recv)*float64(columns)), 0), columns-1)]++
			}
		} else {
			for i := first; i < end; i++ {
				m, err := t.mark(i, lane, withFields)
				if err != nil {
					return nil, err
				}
				v.Marks = append(v.Marks, m)
			}
		}
		all = append(all, v)
	}
	return all, nil
}

// in returns the entries of a lane in a stretch. Its ends may lie between the numbers that times can be.
func (t *Trace) in(lane int, s stretch) (first, end int) {
	from, to := s.base+s.a, s.base+s.b
	first, end = t.between(lane, from, to)
	for first > int(t.start[lane]) && s.place(t.entries[first-1].recv) >= 0 {
		first--
	}
	for first < end && s.place(t.entries[first].recv) < 0 {
		first++
	}
	for end < int(t.start[lane+1]) && s.place(t.entries[end].recv) <= 1 {
		end++
	}
	for end > first && s.place(t.entries[end-1].recv) > 1 {
		end--
	}
	return first, end
}

// story is an event with its fields, effects, and the way back to its first cause.
type story struct {
	Event   *mark       `json:"event"`
	Type    string      `json:"type"`   // of the LP, "" if it is not known
	Fields  [][2]string `json:"fields"` // names and values
	Real    float64     `json:"real"`   // seconds since the run began
	Fit     int         `json:"fit"`    // events that fit as its cause
	Effects []*mark     `json:"effects"`
	More    int         `json:"more"`   // effects beyond these
	Path    []*mark     `json:"path"`   // the event, its cause, and so on
	Longer  bool        `json:"longer"` // the path goes on
	Names   [][2]any    `json:"names"`  // lanes and names of all LPs that it names
	Before  int         `json:"before"` // the event before it on its lane, none if it is the first
	After   int         `json:"after"`  // the one after it
}

// mostEffects is the largest number of effects of a story.
const mostEffects = 500

// story returns what is known about event i.
func (t *Trace) story(i int) (*story, error) {
	if i < 0 || i >= len(t.entries) {
		return nil, fmt.Errorf("rossreader: event %d: the trace has 0 to %d", i, len(t.entries)-1)
	}
	lane := t.laneAt(i)
	s := &story{Before: none, After: none, Fields: [][2]string{}, Effects: []*mark{}}
	payload, _, err := t.record(&t.entries[i])
	if err != nil {
		return nil, err
	}
	names, texts := t.fieldsOf(lane, payload)
	for k, name := range names {
		s.Fields = append(s.Fields, [2]string{name, texts[k]})
	}
	if of := t.typeOf(lane); of != nil {
		s.Type = of.name
	}
	if s.Real, err = t.realTime(i); err != nil {
		return nil, err
	}
	if i > int(t.start[lane]) {
		s.Before = i - 1
	}
	if i+1 < int(t.start[lane+1]) {
		s.After = i + 1
	}
	if _, s.Fit, err = t.cause(i); err != nil {
		return nil, err
	}
	effects, err := t.effects(i)
	if err != nil {
		return nil, err
	}
	if s.More = len(effects) - mostEffects; s.More > 0 {
		effects = effects[:mostEffects]
	}
	s.More = max(s.More, 0)
	path, longer, err := t.wayBack(i)
	if err != nil {
		return nil, err
	}
	s.Longer = longer
	if s.Path, err = t.marks(path); err != nil {
		return nil, err
	}
	if s.Effects, err = t.marks(effects); err != nil {
		return nil, err
	}
	s.Event = s.Path[0]
	t.addNames(s)
	return s, nil
}

// realTime returns the real time of the record of entry i, in seconds since the run began.
func (t *Trace) realTime(i int) (float64, error) {
	var b [4]byte
	e := &t.entries[i]
	if _, err := t.file.ReadAt(b[:], e.offset()+16); err != nil {
		return 0, t.changed(e, err)
	}
	real := float64(math.Float32frombits(binary.LittleEndian.Uint32(b[:])))
	if math.IsNaN(real) || math.IsInf(real, 0) {
		real = 0
	}
	return real, nil
}

// addNames adds the names of all LPs of a story.
func (t *Trace) addNames(s *story) {
	named := map[int]bool{}
	for _, marks := range [][]*mark{s.Path, s.Effects} {
		for _, m := range marks {
			for _, lane := range []int{m.lane, m.src} {
				if !named[lane] {
					named[lane] = true
					s.Names = append(s.Names, [2]any{lane, t.name(lane)})
				}
			}
		}
	}
}

// marks returns entries as the chart has them.
func (t *Trace) marks(of []int) ([]*mark, error) {
	all := []*mark{}
	for _, i := range of {
		m, err := t.mark(i, t.laneAt(i), false)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// lane is an LP that was found.
type lane struct {
	Lane int    `json:"lane"`
	Name string `json:"name"`
	N    int    `json:"n"` // events
}

// search returns the first lanes whose id or name has a text, those whose id is the text first.
func (t *Trace) search(text string, most int) []lane {
	found := []lane{}
	add := func(k int) { found = append(found, lane{k, t.name(k), len(t.lane(k))}) }
	exact := -1
	if id, err := strconv.ParseUint(text, 10, 32); err == nil {
		if exact = t.laneOf(uint32(id)); exact >= 0 {
			add(exact)
		}
	}
	text = strings.ToLower(text)
	for k := range t.lps {
		if len(found) >= most {
			break
		}
		if k != exact && strings.Contains(strings.ToLower(t.name(k)), text) {
			add(k)
		}
	}
	return found
}

// find returns the lane of an LP that a command line or an address names, by id or name, -1 if there is none.
func (t *Trace) find(text string) int {
	if id, err := strconv.ParseUint(text, 10, 32); err == nil {
		if k := t.laneOf(uint32(id)); k >= 0 {
			return k
		}
	}
	for id, name := range t.names {
		if name == text && id == uint64(uint32(id)) {
			return t.laneOf(uint32(id))
		}
	}
	return -1
}
