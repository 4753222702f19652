// This file owns the reading of a text: its blocks, what it says about itself, and what is in it besides.

package life

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// texts is what the texts of a run say.
type texts struct {
	lps    map[uint64]*teller
	order  []uint64 // ids, in the order in which the texts have them
	only   []item   // what is watched; empty: the named LPs all the time
	end    float64  // of the run, +Inf if no text says so
	stops  float64  // when an LP ended the run, +Inf if none did
	over   bool     // a text has the report on the whole run
	unread []unread // the first lines that were not understood
	lost   int      // number of all such lines
}

// teller is an LP and the blocks about it.
type teller struct {
	id       uint64
	label    string
	typ      string
	blocks   []*block
	of       *stream
	source   string // the file with its blocks
	repeated string // a second file with its blocks
}

// block is the text about an event.
type block struct {
	at    float64
	lines []line
}

// line is a line of a block.
type line struct{ kind, text string }

// unread is a line that was not understood.
type unread struct {
	Where string `json:"where"` // file and number of the line
	Text  string `json:"text"`
}

// mostUnread is the number of such lines that a page shows.
const mostUnread = 200

// stream is what one process has written.
type stream struct {
	file    string
	ranks   int
	block   *block // the lines that follow are its
	last    float64
	limited bool    // the limit of lines was reached
	knows   float64 // virtual time of the last block before that
	command string
	end     float64 // as the report rounds it
	exact   float64 // as it does not round it
	model   float64 // when the model ended it
	over    bool
}

func newTexts() *texts {
	return &texts{lps: map[uint64]*teller{}, end: math.Inf(1), stops: math.Inf(1)}
}

// tag is what mpirun --tag-output puts before a line.
var tag = regexp.MustCompile(`^\[[0-9]+,[0-9]+\]<std[a-z]+>: ?`)

// read reads the text of a file.
func (h *texts) read(name string, r io.Reader) error {
	in := bufio.NewReaderSize(r, 1<<16)
	streams := map[string]*stream{}
	for n := 1; ; n++ {
		text, err := in.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("ross: life: %s: %w: name a file that can be read", name, err)
		}
		if text == "" {
			break
		}
		text, whole := strings.CutSuffix(text, "\n")
		text = strings.TrimSuffix(text, "\r")
		of := tag.FindString(text)
		s := streams[of]
		if s == nil {
			s = &stream{file: name, ranks: 1, last: math.Inf(-1), end: math.Inf(1), exact: math.Inf(1), model: math.Inf(1)}
			streams[of] = s
		}
		where := fmt.Sprintf("%s:%d", name, n)
		if text = text[len(of):]; whole || !strings.HasPrefix(text, "  ") || s.block == nil {
			h.line(s, where, text)
		} else {
			h.miss(where, text) // half a line of a run that was killed
		}
		if err != nil {
			break
		}
	}
	for _, s := range streams {
		h.ended(s)
	}
	return nil
}

// miss notes a line that is not understood.
func (h *texts) miss(where, text string) {
	if h.lost++; len(h.unread) < mostUnread {
		h.unread = append(h.unread, unread{where, strings.ToValidUTF8(text, "�")})
	}
}

// line takes a line.
func (h *texts) line(s *stream, where, text string) {
	if s.block != nil && strings.HasPrefix(text, "  ") {
		l, ok := parseLine(text)
		if !ok {
			h.miss(where, text)
			l = line{"", text}
		}
		s.block.lines = append(s.block.lines, l)
		if at, ends := endOfRun(l, s.block.at); ends {
			h.stops = min(h.stops, at)
		}
		return
	}
	s.block = nil
	rest, ours := strings.CutPrefix(text, "Watch: ")
	switch {
	case !ours:
		s.report(text)
	case strings.HasPrefix(rest, "LP "):
		if !h.begin(s, rest) {
			h.miss(where, text)
		}
	case strings.HasPrefix(rest, "only "):
		only, ok := parseItems(rest[len("only "):])
		if !ok {
			h.miss(where, text)
		}
		h.only = append(h.only, only...)
	case strings.HasPrefix(rest, "ended after "):
		s.limited, s.knows = true, s.last
	default:
		h.miss(where, text)
	}
}

var header = regexp.MustCompile(`^ \((.*)\) at (\S+)$`)

// begin begins a block: LP 3 "desk 3" (desk) at 12.5.
func (h *texts) begin(s *stream, text string) bool {
	id, label, rest, ok := parseName(text)
	m := header.FindStringSubmatch(rest)
	if !ok || m == nil {
		return false
	}
	at, err := strconv.ParseFloat(m[2], 64)
	if err != nil || !finite(at) {
		return false
	}
	t := h.lps[id]
	if t == nil {
		t = &teller{id: id, label: label, typ: m[1], of: s, source: s.file}
		h.lps[id] = t
		h.order = append(h.order, id)
	}
	if t.source != s.file {
		t.repeated = s.file
	}
	t.of = s
	s.block, s.last = &block{at: at}, at
	if s.limited {
		s.knows = math.Inf(-1) // there are several ranks in this text: it is not known which of them has ended
	}
	t.blocks = append(t.blocks, s.block)
	return true
}

var (
	endTime  = regexp.MustCompile(`^\tSimulation End Time +(\S+)$`)
	shortEnd = regexp.MustCompile(`^Run .*, until time (\S+)$`)
	stopTime = regexp.MustCompile(`^\tStopped by the Model at Time +(\S+)$`)
	world    = regexp.MustCompile(`^tw_net_start: Found world size to be ([0-9]+) $`)
	endGiven = regexp.MustCompile(` --?end=(\S+) `)
)

// report takes a line that is not of the watch.
func (s *stream) report(text string) {
	number := func(m []string, into *float64) {
		if x, err := strconv.ParseFloat(m[1], 64); err == nil && !math.IsNaN(x) {
			*into = x
		}
	}
	switch {
	case endTime.MatchString(text):
		number(endTime.FindStringSubmatch(text), &s.end)
	case stopTime.MatchString(text):
		number(stopTime.FindStringSubmatch(text), &s.model)
	case shortEnd.MatchString(text):
		number(shortEnd.FindStringSubmatch(text), &s.exact)
		s.over = true
	case world.MatchString(text):
		s.ranks, _ = strconv.Atoi(world.FindStringSubmatch(text)[1])
	case strings.HasPrefix(text, "*** END SIMULATION ***"):
		s.over = true
	case s.command == "" && strings.Contains(text, " "):
		s.command = text // the first line of a report is the command
		if m := endGiven.FindStringSubmatch(text); m != nil {
			number(m, &s.exact)
		}
	}
}

// ended takes over what a text says about the end of the run.
func (h *texts) ended(s *stream) {
	if !s.over {
		return
	}
	h.over = true
	end := s.exact
	if !math.IsInf(s.end, 0) && math.Abs(end-s.end) > 0.0051 { // the report has two digits of it
		end = s.end
	}
	if end = min(end, s.model); end < h.end {
		h.end = end
	}
}

// parseName reads LP 3 "desk 3" at the beginning of a text.
func parseName(text string) (id uint64, label, rest string, ok bool) {
	text, ok = strings.CutPrefix(text, "LP ")
	if !ok {
		return 0, "", text, false
	}
	n := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if n < 0 {
		n = len(text)
	}
	id, err := strconv.ParseUint(text[:n], 10, 64)
	if err != nil {
		return 0, "", text, false
	}
	if rest = text[n:]; strings.HasPrefix(rest, ` "`) {
		quoted, err := strconv.QuotedPrefix(rest[1:])
		if err != nil {
			return 0, "", text, false
		}
		label, _ = strconv.Unquote(quoted) // QuotedPrefix has looked at it
		rest = rest[1+len(quoted):]
	}
	return id, label, rest, true
}

// item is an LP that is watched, or those with a label, and when.
type item struct {
	id       uint64
	label    string // id counts if it is ""
	from, to float64
}

var itemForm = regexp.MustCompile(`^([0-9]+|"(?:[^"\\]|\\.)*")(?:@([^,]*?)\.\.([^,]*))?(?:,|$)`)

// parseItems reads 7,"station 7"@..2.
func parseItems(text string) (all []item, ok bool) {
	for text != "" {
		m := itemForm.FindStringSubmatch(text)
		if m == nil {
			return all, false
		}
		it := item{from: math.Inf(-1), to: math.Inf(1)}
		var err error
		if m[1][0] == '"' {
			it.label, err = strconv.Unquote(m[1])
		} else {
			it.id, err = strconv.ParseUint(m[1], 10, 64)
		}
		for i, into := range []*float64{&it.from, &it.to} {
			if m[i+2] != "" && err == nil {
				*into, err = strconv.ParseFloat(m[i+2], 64)
			}
		}
		if err != nil || !(it.from <= it.to) || math.IsInf(it.from, 1) || math.IsInf(it.to, -1) {
			return all, false
		}
		all, text = append(all, it), text[len(m[0]):]
	}
	return all, true
}

// span is a stretch of virtual time.
type span struct{ From, To float64 }

// watched returns when an LP is watched.
func (h *texts) watched(t *teller) (all []span) {
	for _, it := range h.only {
		if it.label != "" && it.label == t.label || it.label == "" && it.id == t.id {
			all = append(all, span{it.from, it.to})
		}
	}
	if len(all) == 0 {
		return []span{{math.Inf(-1), math.Inf(1)}}
	}
	slices.SortFunc(all, func(a, b span) int {
		switch {
		case a.From < b.From:
			return -1
		case a.From > b.From:
			return 1
		}
		return 0
	})
	joined := all[:1]
	for _, s := range all[1:] {
		if last := &joined[len(joined)-1]; s.From <= last.To {
			last.To = max(last.To, s.To)
		} else {
			joined = append(joined, s)
		}
	}
	return joined
}
