// This file owns courses: what a field was from when to when, where a text says it.

package life

import (
	"math"
	"sort"
	"strconv"
	"strings"
)

// mention is what the text about an event says of a field.
type mention struct {
	event         int
	at            float64
	before, after string
}

// moment is when a field may have changed although no text says so: an event about which not everything is shown, or a
// stretch in which the LP is not watched.
type moment struct {
	pos      float64 // number of the event; a half less for a stretch before it
	from, to float64 // virtual times
	soft     bool    // it has changed only if the mentions around do not agree
}

// step is a value that holds from a time on.
type step struct {
	at    float64
	value string
	known bool
}

// course returns the steps of a field from start on. Both lists are in order.
func course(mentions []mention, moments []moment, start float64) (steps []step) {
	add := func(at float64, value string, known bool) {
		if n := len(steps); n > 0 && steps[n-1].known == known && steps[n-1].value == value {
			return
		}
		steps = append(steps, step{at, value, known})
	}
	between := func(after, before float64, agree bool) (all []moment) {
		i := sort.Search(len(moments), func(i int) bool { return moments[i].pos > after })
		for ; i < len(moments) && moments[i].pos < before; i++ {
			if !moments[i].soft || !agree {
				all = append(all, moments[i])
			}
		}
		return all
	}
	for i, m := range mentions {
		if i == 0 {
			if gaps := between(math.Inf(-1), float64(m.event), true); len(gaps) == 0 {
				add(start, m.before, true)
			} else {
				add(start, "", false)
				add(gaps[len(gaps)-1].to, m.before, true)
			}
			add(m.at, m.after, true)
			continue
		}
		last := mentions[i-1]
		gaps := between(float64(last.event), float64(m.event), last.after == m.before)
		switch {
		case last.event == m.event:
		case len(gaps) > 0:
			first, end := gaps[0].from, gaps[len(gaps)-1].to
			if first < end {
				add(first, "", false)
			}
			add(end, m.before, true)
		case last.after != m.before: // such as by Commit
			add(last.at, "", false)
			add(m.at, m.before, true)
		}
		add(m.at, m.after, true)
	}
	if n := len(mentions); n > 0 {
		if gaps := between(float64(mentions[n-1].event), math.Inf(1), true); len(gaps) > 0 {
			add(gaps[0].from, "", false)
		}
	}
	return steps
}

// plainPath returns a path without stars: (*Names["a"]).N is behind Names.
func plainPath(path string) string {
	for strings.HasPrefix(path, "(") || strings.HasPrefix(path, "*") {
		if path[0] == '(' {
			if end := strings.IndexByte(path, ')'); end > 0 {
				path = path[:end] + path[end+1:]
			}
		}
		path = path[1:]
	}
	return path
}

// parents calls do for what a path is in: Names["a"] and Names of Names["a"].N.
func parents(path string, do func(parent string)) {
	inner := plainPath(path)
	if inner != path {
		do(inner)
	}
	for i := 1; i < len(inner); i++ {
		switch inner[i] {
		case '.', '[':
			do(inner[:i])
		case '"':
			i += max(quoted(inner[i:])-1, 0)
		}
	}
}

// groupOf returns the first name of a path.
func groupOf(path string) string {
	path = plainPath(path)
	if end := strings.IndexAny(path, ".["); end > 0 {
		return path[:end]
	}
	return path
}

// value returns a text as a number that JSON can hold, as true or false, or as it is.
func value(text string) any {
	switch text {
	case "true":
		return true
	case "false":
		return false
	}
	x, ok := numeral(text)
	if !ok || math.IsNaN(x) || math.IsInf(x, 0) || x == math.Trunc(x) && math.Abs(x) >= 1<<53 {
		return text
	}
	return x
}

// numeral returns a number as texts have it.
func numeral(text string) (x float64, ok bool) {
	if strings.HasPrefix(text, "NaN") {
		return math.NaN(), text == "NaN" || strings.HasPrefix(text, "NaN(0x")
	}
	if text == "" || strings.ContainsAny(text, "xX_pP") {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}

// brief takes apart what a resource says of itself: 2 of 3 busy, 4 wait.
func brief(text string) (names []string, values []string, ok bool) {
	add := func(name, x string) {
		if _, number := numeral(x); !number {
			ok = false
		}
		names, values = append(names, name), append(values, x)
	}
	ok = true
	for _, part := range strings.Split(text, ", ") {
		words := strings.Fields(part)
		switch {
		case len(words) >= 3 && words[1] == "of":
			name := strings.Join(words[3:], " ")
			if name == "" {
				name = "now"
			}
			add(name, words[0])
			add("capacity", words[2])
		case len(words) >= 2:
			name := strings.Join(words[1:], " ")
			if name == "to put" {
				name = "wait to put"
			}
			add(name, words[0])
		default:
			return nil, nil, false
		}
	}
	return names, values, ok
}
