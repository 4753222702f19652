// This file owns the pages: the excerpt that a file has, what it leaves out, and the frame of both kinds.

package events

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/sheet"
)

var (
	//go:embed events.html
	bodyHTML string
	//go:embed events.css
	looksCSS string
	//go:embed source.js
	sourceJS string
	//go:embed chart.js
	chartJS string
)

// choice says which events a page in a file has.
type choice struct {
	lps      []string // ids or names; none: all
	from, to float64  // stretch of virtual time; NaN: from the beginning, to the end
	most     int      // events, without those of the path of the last one
}

// excerpt is what a page in a file has of a trace. Its slices have a place for each event.
type excerpt struct {
	Events  []*mark   `json:"events"`
	Causes  []int     `json:"causes"`  // entries
	Fits    []int     `json:"fits"`    // events that fit as the cause
	Effects []int     `json:"effects"` // numbers of them in the whole trace, -1: they are all in the page
	Reals   []float64 `json:"reals"`   // seconds since the run began
	Lanes   [][4]any  `json:"lanes"`   // lane, name, events in the whole trace, type
	From    *float64  `json:"from"`    // the stretch that is whole; nil: all of it
	To      *float64  `json:"to"`
}

// pageData is what the script of a page gets.
type pageData struct {
	About   *about   `json:"about"`
	Text    string   `json:"text"`    // above the chart; {{}} are around commands
	Excerpt *excerpt `json:"excerpt"` // nil: it asks the server
}

// writePage writes a page.
func writePage(w io.Writer, t *Trace, d *pageData) error {
	return sheet.Page{Title: "Events of " + title(t.path), Body: template.HTML(bodyHTML), CSS: looksCSS, JS: sourceJS + chartJS,
		Data: d, Served: d.Excerpt == nil}.Write(w)
}

// title returns how a page calls a trace: its folder, or its name if it has none.
func title(path string) string {
	if dir := filepath.Base(filepath.Dir(path)); dir != "." && dir != string(filepath.Separator) {
		return dir
	}
	return filepath.Base(path)
}

// kindText says what a trace can know.
func (t *Trace) kindText(a *about) string {
	text := ""
	switch {
	case !t.exact:
		text = " Times are rounded to 24 bits, and causes are found by LP and time, so they may be wrong where an LP has several events at one time: a run with {{--trace-exact=1}} has exact ones."
		if a.All {
			text += " The trace has all executions, and does not say which of them were undone."
		}
	case a.All:
		text = fmt.Sprintf(" The trace has executions that were undone as well; %s never committed.", plural(int(t.undone), "event"))
	}
	if a.Late {
		text += " The trace has only events that came late and caused a rollback (--event-trace=2), so most causes are not in it."
	}
	return text
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return grouped(n) + " " + what + "s"
}

// grouped returns a number with commas, as people read it.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// excerpt returns what a page in a file has, and the text above it.
func (t *Trace) excerpt(c *choice) (*excerpt, string, error) {
	lanes, err := t.chosenLanes(c.lps)
	if err != nil {
		return nil, "", err
	}
	from, to := c.from, c.to
	if math.IsNaN(from) {
		from = math.Inf(-1)
	}
	if math.IsNaN(to) {
		to = math.Inf(1)
	}
	count := t.count(lanes, from, to)
	if count == 0 {
		return nil, "", fmt.Errorf("ross: events: %s: no event of these LPs in this stretch: the trace goes from %s to %s", t.path,
			text(t.from), text(t.to))
	}
	shortened := count > c.most
	if shortened {
		from, to = t.shorten(lanes, from, to, c)
	}
	ids, last := []int{}, none
	for _, lane := range lanes {
		first, end := t.between(lane, from, to)
		for i := first; i < end && len(ids) < c.most; i++ {
			ids = append(ids, i)
			if last == none || t.entries[i].recv >= t.entries[last].recv {
				last = i
			}
		}
	}
	path, _, err := t.wayBack(last)
	if err != nil {
		return nil, "", err
	}
	inside := len(ids)
	ids = append(ids, path...)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	x, err := t.collect(ids)
	if err != nil {
		return nil, "", err
	}
	if len(ids) == len(t.entries) {
		return x, fmt.Sprintf("All %s of %s.", plural(len(ids), "event"), plural(len(t.lps), "LP")), nil
	}
	begin, finish := max(from, t.from), min(to, t.to)
	x.From, x.To = &begin, &finish
	return x, t.leftOut(c, len(lanes), inside, count, len(ids)-inside, begin, finish, shortened), nil
}

// chosenLanes returns the lanes of LPs that are named, all if none is.
func (t *Trace) chosenLanes(lps []string) (lanes []int, err error) {
	for _, name := range lps {
		lane := t.find(name)
		if lane < 0 {
			return nil, cli.Usagef("--lp=%s: no event of this LP in the trace: give ids or names of LPs, with commas between them", name)
		}
		lanes = append(lanes, lane)
	}
	if lps == nil {
		for lane := range t.lps {
			lanes = append(lanes, lane)
		}
	}
	slices.Sort(lanes)
	return slices.Compact(lanes), nil
}

// count returns the number of events of lanes in a stretch.
func (t *Trace) count(lanes []int, from, to float64) (n int) {
	for _, lane := range lanes {
		first, end := t.between(lane, from, to)
		n += end - first
	}
	return n
}

// shorten returns the part of a stretch with as many events as a page has: the last one, or, if only its beginning was
// given, the first.
func (t *Trace) shorten(lanes []int, from, to float64, c *choice) (float64, float64) {
	times := make([]float64, 0, t.count(lanes, from, to))
	for _, lane := range lanes {
		first, end := t.between(lane, from, to)
		for i := first; i < end; i++ {
			times = append(times, t.entries[i].recv)
		}
	}
	slices.Sort(times)
	if math.IsNaN(c.to) && !math.IsNaN(c.from) {
		at := times[c.most]
		if k, _ := slices.BinarySearch(times, at); k > 0 {
			return from, times[k-1]
		}
		return from, at
	}
	at := times[len(times)-c.most-1]
	if k, _ := slices.BinarySearch(times, math.Nextafter(at, math.Inf(1))); k < len(times) {
		return times[k], to
	}
	return at, to
}

// leftOut says what a page does not have, and how to see it.
func (t *Trace) leftOut(c *choice, lanes, inside, chosen, path int, from, to float64, shortened bool) string {
	b := fmt.Sprintf("%s of %s from virtual time %s to %s, of %s in the trace", plural(inside, "event"), plural(lanes, "LP"), text(from),
		text(to), plural(len(t.entries), "event"))
	if path > 0 {
		b += fmt.Sprintf("; and %s outside of it, those of the path that leads to the last one", plural(path, "event"))
	}
	b += "."
	name := t.path
	if shortened {
		more := fmt.Sprintf("rossreader events %s -o events.html --most=%d", quoted(name), chosen)
		if len(c.lps) > 0 {
			more += " --lp=" + quoted(strings.Join(c.lps, ","))
		}
		b += fmt.Sprintf(" Where it is grey, the page lacks events: {{%s}} has all %s that were asked for, {{--from}}, {{--to}} and {{--lp}} choose others,", more, grouped(chosen))
	} else {
		b += " Where it is grey, the page lacks events: {{--from}}, {{--to}} and {{--lp}} choose others,"
	}
	return b + fmt.Sprintf(" and {{rossreader events %s --http=8080}} shows the whole trace.", quoted(name))
}

// quoted returns a word as a shell takes it.
func quoted(word string) string {
	if strings.IndexFunc(word, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-,=+:@", r))
	}) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func text(v float64) string { return cli.FormatFloat(v, 64) }

// collect returns an excerpt of some entries, in ascending order.
func (t *Trace) collect(ids []int) (*excerpt, error) {
	x := &excerpt{}
	whole := len(ids) == len(t.entries)
	lanes := map[int]bool{}
	lane := 0
	for _, i := range ids {
		for int(t.start[lane+1]) <= i {
			lane++
		}
		m, err := t.mark(i, lane, true)
		if err != nil {
			return nil, err
		}
		cause, fit, err := t.cause(i)
		if err != nil {
			return nil, err
		}
		real, err := t.realTime(i)
		if err != nil {
			return nil, err
		}
		effects := -1
		if !whole {
			all, err := t.effects(i)
			if err != nil {
				return nil, err
			}
			effects = len(all)
		}
		lanes[lane], lanes[m.src] = true, true
		x.Events, x.Causes, x.Fits, x.Effects, x.Reals = append(x.Events, m), append(x.Causes, cause), append(x.Fits, fit),
			append(x.Effects, effects), append(x.Reals, real)
	}
	for lane := range t.lps {
		if lanes[lane] {
			of := ""
			if typ := t.typeOf(lane); typ != nil {
				of = typ.name
			}
			x.Lanes = append(x.Lanes, [4]any{lane, t.name(lane), len(t.lane(lane)), of})
		}
	}
	return x, nil
}

func jsonOf(v any) ([]byte, error) { return json.Marshal(v) }
