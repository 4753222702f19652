// This file owns the lines of a block: their kinds, and their parts.

package life

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// kinds are those of lines. The kind is padded to width.
var kinds = map[string]func(text string) bool{
	"order":    func(string) bool { return true },
	"received": func(string) bool { return true },
	"from":     func(text string) bool { _, ok := parseFrom(text); return ok },
	"ignored":  func(string) bool { return true },
	"changed":  func(text string) bool { return parseChange(text).how != changeUnknown },
	"added":    func(string) bool { return true },
	"removed":  func(string) bool { return true },
	"began":    func(text string) bool { _, _, ok := parseThing(text); return ok },
	"goes on":  func(text string) bool { _, _, ok := parseThing(text); return ok },
	"ended": func(text string) bool {
		_, _, ok := parseThing(text)
		return ok || strings.HasPrefix(text, "the run, ")
	},
	"drew":      func(string) bool { return true },
	"sent":      func(text string) bool { _, ok := parseSend(text); return ok },
	"set":       func(text string) bool { _, ok := parseSend(text); return ok },
	"cancelled": func(text string) bool { return strings.HasPrefix(text, "timer ") },
	"recorded":  func(text string) bool { _, ok := parseRecording(text); return ok },
	"suspended": func(string) bool { return true },
}

// width is that of a kind.
const width = 10

// parseLine reads a line of a block, which begins with two spaces.
func parseLine(text string) (l line, ok bool) {
	text = text[2:]
	if len(text) < width {
		return line{}, false
	}
	l = line{strings.TrimRight(text[:width], " "), text[width:]}
	check := kinds[l.kind]
	return l, check != nil && check(l.text)
}

// String returns the line as it was.
func (l line) String() string {
	if l.kind == "" {
		return l.text
	}
	return "  " + l.kind + strings.Repeat(" ", width-len(l.kind)) + l.text
}

// from is where an event comes from.
type from struct {
	name  string // of the sender, as the text has it
	timer string // such as 1.2, or ""
	sent  float64
}

// parseFrom reads: LP 0 "door", sent at 12.25, or itself, timer 1.1, sent at 1.
func parseFrom(text string) (f from, ok bool) {
	at := strings.LastIndex(text, ", sent at ")
	if at < 0 {
		return f, false
	}
	sent, err := strconv.ParseFloat(text[at+len(", sent at "):], 64)
	if err != nil || !finite(sent) {
		return f, false
	}
	f.sent, f.name = sent, text[:at]
	rest := strings.TrimPrefix(f.name, "itself")
	if _, _, after, isLP := parseName(f.name); isLP {
		rest = after
	}
	if timer, is := strings.CutPrefix(rest, ", timer "); is {
		f.name, f.timer = strings.TrimSuffix(f.name, rest), timer
	}
	return f, true
}

// send is an event that was sent, or a timer that was set.
type send struct {
	to       string // an LP as the text has it, itself, or timer 1.3
	due      float64
	delay    float64
	priority string // "" is the default
	late     bool   // not before the end of the run
	message  string
}

var sendForm = regexp.MustCompile(`^ for (\S+), delay (\S+?)(?:, priority (\S+?))?(, not before the end of the run)?: (.*)$`)

// parseSend reads: LP 4 "exit" for 13.1, delay 0.6: main.leave{Customer:7}.
func parseSend(text string) (s send, ok bool) {
	rest, self := strings.CutPrefix(text, "itself")
	if timer, is := strings.CutPrefix(text, "timer "); is {
		rest = strings.TrimLeft(timer, "0123456789.")
	} else if !self {
		_, _, after, isLP := parseName(text)
		if rest = after; !isLP {
			// an id that is below 0 names no LP
			if rest, ok = strings.CutPrefix(text, "LP -"); !ok {
				return s, false
			}
			rest = strings.TrimLeft(rest, "0123456789")
		}
	}
	m := sendForm.FindStringSubmatch(rest)
	if m == nil {
		return s, false
	}
	var err, err2 error
	s = send{to: strings.TrimSuffix(text, rest), priority: m[3], late: m[4] != "", message: m[5]}
	s.due, err = strconv.ParseFloat(m[1], 64)
	s.delay, err2 = strconv.ParseFloat(m[2], 64)
	return s, err == nil && err2 == nil && !math.IsNaN(s.due) && !math.IsNaN(s.delay)
}

// messageName returns the name of a message's type: what is before its fields.
func messageName(text string) string {
	depth, from := 0, 0
	if strings.HasPrefix(text, "struct {") { // a type without a name
		if from = strings.Index(text, "}"); from < 0 {
			return text
		}
	}
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == '{' && depth == 0 && i > 0:
			return text[:i]
		}
	}
	return text
}

// changeHow is what has changed.
type changeHow uint8

const (
	changeUnknown changeHow = iota
	changeValue             // a field
	changeCount             // the number of values of a container or a block
	changeFreed             // a block was freed
	changeMore              // of values of a list that are not shown
	changeAll               // fields of a state that are not shown
)

// change is a line about a change.
type change struct {
	how           changeHow
	path          string
	before, after string
}

var (
	countForm = regexp.MustCompile(`^([0-9]+) -> ([0-9]+) values$`)
	moreForm  = regexp.MustCompile(`^and [0-9]+ more of its values$`)
	freedForm = regexp.MustCompile(`^freed, with ([0-9]+) values$`)
)

// parseChange reads: Busy: false -> true.
func parseChange(text string) (c change) {
	if strings.HasPrefix(text, "and perhaps more: ") {
		return change{how: changeAll}
	}
	path, rest, ok := cutPath(text)
	if !ok {
		return c
	}
	if m := countForm.FindStringSubmatch(rest); m != nil {
		return change{changeCount, path, m[1], m[2]}
	}
	if m := freedForm.FindStringSubmatch(rest); m != nil {
		return change{changeFreed, path, m[1], "freed"}
	}
	if moreForm.MatchString(rest) {
		return change{how: changeMore, path: path}
	}
	before, after, ok := cutArrow(rest)
	if !ok {
		return c
	}
	return change{changeValue, path, before, after}
}

// cutPath cuts the path of a field from what follows a colon and a space. A key that was cut has no second quote.
func cutPath(text string) (path, rest string, ok bool) {
	for i := 0; i < len(text); {
		switch {
		case strings.HasPrefix(text[i:], ": "):
			return text[:i], text[i+2:], i > 0
		case text[i] == '"':
			n := quoted(text[i:])
			if end := strings.Index(text[i:], "…]"); end > 0 && (n == 0 || end < n && !strings.Contains(text[i:i+end], ": ")) {
				n = end
			}
			i += max(n, 1)
		default:
			i++
		}
	}
	return "", "", false
}

// quoted returns the length of a text in quotes, 0 if it has no end.
func quoted(text string) int {
	q, err := strconv.QuotedPrefix(text)
	if err != nil {
		return 0
	}
	return len(q)
}

const arrow = " -> "

// cutArrow cuts a value before from the one after.
func cutArrow(text string) (before, after string, ok bool) {
	first := ""
	for at := 0; ; at += len(arrow) {
		n := strings.Index(text[at:], arrow)
		if n < 0 {
			return first, strings.TrimPrefix(strings.TrimPrefix(text, first), arrow), first != "" && at > 0
		}
		at += n
		if first == "" {
			first = text[:at]
		}
		if isValue(text[:at]) && isValue(text[at+len(arrow):]) {
			return text[:at], text[at+len(arrow):], true
		}
	}
}

// isValue reports whether a text may be a value: arrows are in quotes, and not in a text that was cut.
func isValue(text string) bool {
	if strings.HasPrefix(text, "…") || strings.HasSuffix(text, "…") {
		return !strings.Contains(text, arrow)
	}
	for i := 0; i < len(text); {
		switch {
		case strings.HasPrefix(text[i:], arrow):
			return false
		case text[i] == '"':
			n := quoted(text[i:])
			if n == 0 {
				return false
			}
			i += n
		default:
			i++
		}
	}
	return true
}

// endOfRun returns when a line ends the run, if it does: "the run, after this event", or "the run, at 4.5".
func endOfRun(l line, now float64) (at float64, ends bool) {
	when, is := strings.CutPrefix(l.text, "the run, ")
	if !is || l.kind != "ended" {
		return 0, false
	}
	if later, is := strings.CutPrefix(when, "at "); is {
		if x, err := strconv.ParseFloat(later, 64); err == nil && finite(x) {
			return max(x, now), true
		}
	}
	return now, true
}

// parseThing reads what a process does: Bank.customer #17: bank.go:34, sleeps since 83.2.
func parseThing(text string) (name, does string, ok bool) {
	at := strings.Index(text, " #")
	if at < 0 {
		return "", "", false
	}
	n := strings.Index(text[at:], ": ")
	if n < 0 {
		return "", "", false
	}
	return text[:at+n], text[at+n+2:], true
}

// recording is what a statistic was given.
type recording struct {
	path string
	how  string // count, set, by or value
	x    float64
}

// parseRecording reads: Waiting: 0.5.
func parseRecording(text string) (r recording, ok bool) {
	at := strings.LastIndex(text, ": ")
	if at <= 0 {
		return r, false
	}
	value := text[at+2:]
	r = recording{path: text[:at], how: "value"}
	if x, is := strings.CutPrefix(value, "set to "); is {
		r.how, value = "set", x
	} else if x, is := strings.CutPrefix(value, "by "); is {
		r.how, value = "by", x
	} else if n, is := strings.CutPrefix(value, "+"); is && n != "Inf" {
		r.how, value = "count", n
	}
	x, err := strconv.ParseFloat(value, 64)
	r.x = x
	return r, err == nil
}

// cutItem cuts the path of a list from a value that came or went: Queue: {Customer:7}, or Set[3].
func cutItem(text string) (path, value string) {
	if path, value, ok := cutPath(text); ok {
		return path, value
	}
	return text, ""
}
