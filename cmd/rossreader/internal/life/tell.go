// This file owns the way from blocks to a life: events, fields, statistics, timers and processes.

package life

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// knownUntil returns up to when the state of an LP is known, and why not longer.
func (h *texts) knownUntil(t *teller) (to float64, why string) {
	last := t.blocks[len(t.blocks)-1].at
	switch s := t.of; {
	case s.limited:
		return max(last, s.knows), "the watch reached its limit of lines (--watch-limit)"
	case h.over && !math.IsInf(min(h.end, h.stops), 0):
		return max(min(h.end, h.stops), last), "the run ended"
	case h.over:
		return last, "the text has no later event of it, and the run has no end time"
	case s.ranks == 1:
		return max(last, s.last), "the text ends"
	}
	return last, "the text ends"
}

// tell returns the life of an LP.
func (h *texts) tell(page *scene, t *teller) *life {
	l := &life{ID: t.id, Label: t.label, Name: lpName(t.id, t.label), Type: t.typ, Text: true, listed: map[string]*field{}}
	n := &narrator{
		page: page, life: l, stops: math.Inf(1), mentions: map[string][]mention{}, parts: map[string][]moment{},
		items: map[string]*field{}, entries: map[string][]mention{}, figures: map[string]int{}, timers: map[string]int{},
		workers: map[string]int{},
	}
	for _, b := range t.blocks { // Lines[1] may be a list, or a value of the list Lines
		for _, line := range b.lines {
			if c := parseChange(line.text); line.kind == "changed" && (c.how == changeCount || c.how == changeFreed) {
				n.list(c.path)
			}
		}
	}
	for i, b := range t.blocks {
		n.event(i, b)
	}
	l.To, l.Ends = h.knownUntil(t)
	if n.stops <= l.To && !math.IsInf(n.stops, 0) {
		l.To, l.Ends = n.stops, "it ended the run"
	}
	n.restarted = strings.Contains(t.of.command, " --io-restart")
	n.watched(h.watched(t))
	n.fields()
	n.levels()
	return l
}

// lpName returns how texts name an LP.
func lpName(id uint64, label string) string {
	if label == "" {
		return fmt.Sprintf("LP %d", id)
	}
	return fmt.Sprintf("LP %d %q", id, label)
}

// narrator makes the life of an LP.
type narrator struct {
	page     *scene
	life     *life
	order    []string // paths of fields, in the order of their first mention
	mentions map[string][]mention

	all     []moment            // of all fields of the state
	parts   map[string][]moment // of what is in a path
	items   map[string]*field
	entries map[string][]mention // of values with keys: when they came and left
	figures map[string]int
	hows    [][]string // of each recording of a statistic
	timers  map[string]int
	workers map[string]int
	gaps    []moment
	stops   float64

	restarted bool // the run began with a checkpoint
}

// event takes the block about an event.
func (n *narrator) event(i int, b *block) {
	l, text := n.life, strings.Builder{}
	what, by, sent := "", from{name: "?", sent: b.at}, b.at
	counted := map[string]bool{} // lists whose numbers of values are in this block
	for _, line := range b.lines {
		if c := parseChange(line.text); line.kind == "changed" && c.how == changeCount {
			counted[c.path] = true
		}
	}
	for k, line := range b.lines {
		if text.Len() > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(line.String())
		switch line.kind {
		case "received":
			what = messageName(line.text)
		case "from":
			by, _ = parseFrom(line.text)
			sent = by.sent
			if by.timer != "" {
				n.timerEnds(by.timer, b.at, "fired")
			}
		case "changed":
			n.changed(i, b.at, parseChange(line.text))
		case "added", "removed":
			n.item(i, b.at, line, counted)
		case "sent", "set":
			s, _ := parseSend(line.text)
			if line.kind == "set" {
				n.timerSet(s, b.at)
			}
			o := &l.Out
			o.At, o.Due, o.To = append(o.At, b.at), append(o.Due, number(s.due)), append(o.To, n.page.word(s.to))
			o.What, o.Line, o.By = append(o.What, n.page.word(messageName(s.message))), append(o.Line, k), append(o.By, i)
		case "cancelled":
			n.timerEnds(strings.TrimPrefix(line.text, "timer "), b.at, "cancelled")
		case "recorded":
			n.recorded(b.at, line.text)
		case "began", "goes on", "ended":
			n.process(b.at, line)
		}
	}
	in := &l.In
	in.At, in.What, in.By = append(in.At, b.at), append(in.What, n.page.word(what)), append(in.By, n.page.word(by.name))
	in.Sent, in.Text = append(in.Sent, sent), append(in.Text, strings.ToValidUTF8(text.String(), "�"))
}

// mention notes what a field was before an event and after it.
func (n *narrator) mention(path string, m mention) {
	if n.mentions[path] == nil {
		n.order = append(n.order, path)
	}
	n.mentions[path] = append(n.mentions[path], m)
}

// part notes that what is in a path may have changed.
func (n *narrator) part(path string, i int, at float64, soft bool) {
	key := plainPath(path)
	n.parts[key] = append(n.parts[key], moment{float64(i), at, at, soft})
}

func (n *narrator) changed(i int, at float64, c change) {
	switch c.how {
	case changeValue:
		n.mention(c.path, mention{i, at, c.before, c.after})
		n.part(c.path, i, at, false)
		n.inside(at, c.path)
	case changeCount:
		n.list(c.path)
		n.mention(c.path, mention{i, at, c.before, c.after})
		n.part(c.path, i, at, c.after != "0")
	case changeFreed:
		n.list(c.path)
		n.mention(c.path, mention{i, at, c.before, c.after})
		n.part(c.path, i, at, false)
	case changeMore:
		n.list(c.path).Cut = true
		n.part(c.path, i, at, false)
	case changeAll:
		n.all = append(n.all, moment{pos: float64(i), from: at, to: at})
	}
}

func (n *narrator) timerSet(s send, at float64) {
	t := &n.life.Timers
	name := strings.TrimPrefix(s.to, "timer ")
	n.timers[name] = len(t.Name)
	t.Name, t.Set, t.Due = append(t.Name, name), append(t.Set, &at), append(t.Due, number(s.due))
	t.End, t.How, t.Text = append(t.End, nil), append(t.How, ""), append(t.Text, s.message)
}

func (n *narrator) timerEnds(name string, at float64, how string) {
	t := &n.life.Timers
	i, known := n.timers[name]
	if !known {
		i = len(t.Name)
		t.Name, t.Set, t.Due = append(t.Name, name), append(t.Set, nil), append(t.Due, nil)
		t.End, t.How, t.Text = append(t.End, nil), append(t.How, ""), append(t.Text, "")
	}
	t.End[i], t.How[i] = &at, how
	delete(n.timers, name)
}

func (n *narrator) recorded(at float64, text string) {
	r, _ := parseRecording(text)
	i, known := n.figures[r.path]
	if !known {
		i = len(n.life.Stats)
		n.figures[r.path] = i
		n.life.Stats = append(n.life.Stats, figure{Path: r.path})
		n.hows = append(n.hows, nil)
	}
	f := &n.life.Stats[i]
	f.At, f.Value = append(f.At, at), append(f.Value, number(r.x))
	n.hows[i] = append(n.hows[i], r.how)
}

// number returns a number that JSON can hold, or its text.
func number(x float64) any { return value(strconv.FormatFloat(x, 'g', -1, 64)) }

func (n *narrator) process(at float64, l line) {
	if when, ends := endOfRun(l, at); ends {
		n.stops = min(n.stops, when)
		return
	}
	name, does, _ := parseThing(l.text)
	i, known := n.workers[name]
	if !known {
		i = len(n.life.Processes)
		n.workers[name] = i
		n.life.Processes = append(n.life.Processes, worker{Name: name})
	}
	w := &n.life.Processes[i]
	switch l.kind {
	case "began":
		w.From = &at
	case "ended":
		w.To = &at
		delete(n.workers, name)
		return
	}
	w.At, w.Does = append(w.At, at), append(w.Does, does)
}

// watched notes when the LP was not watched.
func (n *narrator) watched(spans []span) {
	l := n.life
	first, last := spans[0], spans[len(spans)-1]
	if last.To < l.To {
		l.To, l.Ends = last.To, "it was watched no longer"
	}
	switch {
	case n.restarted:
		l.From = max(first.From, l.In.At[0])
	case math.IsInf(first.From, -1):
		l.From = min(0, l.In.At[0])
	default:
		l.From = min(first.From, l.In.At[0])
	}
	for i := 1; i < len(spans); i++ {
		gap := span{spans[i-1].To, spans[i].From}
		if gap.From >= l.To {
			break
		}
		l.Gaps = append(l.Gaps, gap)
		pos := sort.Search(len(l.In.At), func(k int) bool { return l.In.At[k] > gap.From })
		n.gaps = append(n.gaps, moment{pos: float64(pos) - 0.5, from: gap.From, to: gap.To})
	}
}

// fields makes the courses of all fields.
func (n *narrator) fields() {
	for _, path := range n.order {
		moments := slices.Concat(n.gaps, n.all)
		if n.items[path] != nil {
			moments = slices.Clone(n.gaps) // the number of values is always shown
		}
		parents(path, func(parent string) { moments = append(moments, n.parts[parent]...) })
		mentions := n.mentions[path]
		if n.items[path] == nil {
			mentions = slices.Concat(mentions, n.entries[path])
			sort.SliceStable(mentions, func(i, k int) bool { return mentions[i].event < mentions[k].event })
		} else {
			for _, m := range n.entries[path] { // how many values are in a list that comes is not in the text
				moments = append(moments, moment{pos: float64(m.event), from: m.at, to: m.at})
			}
		}
		own := map[float64]bool{}
		for _, m := range mentions {
			own[float64(m.event)] = true
		}
		moments = slices.DeleteFunc(moments, func(m moment) bool { return own[m.pos] })
		sort.SliceStable(moments, func(i, k int) bool { return moments[i].pos < moments[k].pos })
		steps := course(mentions, moments, n.life.From)
		n.life.Fields = append(n.life.Fields, n.shown(path, steps)...)
	}
	for _, path := range sortedKeys(n.items) { // lists whose number of values never changed
		if n.mentions[path] == nil {
			f := *n.items[path]
			f.Group, f.Kind, f.At, f.Value = groupOf(path), "count", []float64{n.life.From}, []any{nil}
			n.life.Fields = append(n.life.Fields, f)
		}
	}
}

func sortedKeys[V any](m map[string]V) (all []string) {
	for key := range m {
		all = append(all, key)
	}
	slices.Sort(all)
	return all
}

// shown returns the fields that steps are shown as: one, or those of a resource.
func (n *narrator) shown(path string, steps []step) []field {
	f := field{Path: path, Group: groupOf(path)}
	if items := n.items[path]; items != nil {
		f.When, f.What, f.Key, f.Item, f.Cut, f.Kind = items.When, items.What, items.Key, items.Item, items.Cut, "count"
	} else if parts := resource(path, steps); parts != nil {
		return parts
	}
	bools, numbers := true, true
	for _, s := range steps {
		f.At = append(f.At, s.at)
		if !s.known {
			f.Value = append(f.Value, nil)
			continue
		}
		v := value(s.value)
		_, isBool := v.(bool)
		_, isNumber := numeral(s.value)
		bools, numbers = bools && isBool, numbers && (isNumber || s.value == "absent" || s.value == "nil")
		f.Value = append(f.Value, v)
	}
	switch {
	case f.Kind != "":
	case bools:
		f.Kind = "bool"
	case numbers:
		f.Kind = "number"
	default:
		f.Kind = "text"
		f.Value = f.Value[:0]
		for _, s := range steps {
			if s.known {
				f.Value = append(f.Value, s.value)
			} else {
				f.Value = append(f.Value, nil)
			}
		}
		if lengths := lengthsOf(f, steps); lengths != nil {
			return []field{f, *lengths}
		}
	}
	return []field{f}
}

// lengthsOf returns how long a slice of Go was: len 2: [4 5].
func lengthsOf(f field, steps []step) *field {
	g := &field{Path: "len(" + f.Path + ")", Group: f.Group, Kind: "count", At: f.At}
	for _, s := range steps {
		length, _, ok := strings.Cut(strings.TrimPrefix(s.value, "len "), ": ")
		x, err := strconv.ParseFloat(length, 64)
		switch {
		case !s.known:
			g.Value = append(g.Value, nil)
		case !ok || err != nil || !strings.HasPrefix(s.value, "len "):
			return nil
		default:
			g.Value = append(g.Value, x)
		}
	}
	return g
}

// resource returns the parts of what a resource says of itself, nil for other values.
func resource(path string, steps []step) (all []field) {
	at := map[string]int{}
	for _, s := range steps {
		if !s.known {
			continue
		}
		names, _, ok := brief(s.value)
		if !ok {
			return nil
		}
		for _, name := range names {
			if _, known := at[name]; !known {
				at[name] = len(all)
				all = append(all, field{Path: path + " " + name, Group: groupOf(path), Kind: "resource"})
			}
		}
	}
	for _, s := range steps {
		names, values, _ := brief(s.value)
		now := make([]any, len(all))
		for i := range now {
			if s.known {
				now[i] = 0.0 // what is left out is 0: 1 out of order
			}
		}
		if s.known {
			for i, name := range names {
				now[at[name]] = value(values[i])
			}
		}
		for i := range all {
			f := &all[i]
			if k := len(f.Value); k == 0 || f.Value[k-1] != now[i] {
				f.At, f.Value = append(f.At, s.at), append(f.Value, now[i])
			}
		}
	}
	return all
}

// levels gives statistics their kinds, and levels their values.
func (n *narrator) levels() {
	for i := range n.life.Stats {
		f, hows := &n.life.Stats[i], n.hows[i]
		set := slices.Contains(hows, "set")
		switch {
		case !set && !slices.Contains(hows, "by"):
			f.Kind = hows[0]
			continue
		case set:
			f.Kind = "level"
		default:
			f.Kind = "change"
		}
		given, at := f.Value, f.At
		f.At, f.Value = []float64{n.life.From}, []any{nil}
		now, known, gap := 0.0, !set, 0
		if known {
			f.Value[0] = 0.0
		}
		lose := func(until float64) {
			for ; gap < len(n.life.Gaps) && n.life.Gaps[gap].From < until; gap++ {
				known = false
				f.At, f.Value = append(f.At, n.life.Gaps[gap].From), append(f.Value, nil)
			}
		}
		for k := range given {
			lose(at[k])
			x, _ := numeral(fmt.Sprint(given[k]))
			if hows[k] == "set" {
				now, known = x, true
			} else {
				now += x
			}
			if known {
				f.At, f.Value = append(f.At, at[k]), append(f.Value, number(now))
			}
		}
		lose(n.life.To)
	}
}
