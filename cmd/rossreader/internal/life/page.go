// This file owns what a page has: the data of LPs, as its script finds them, and the page around them.

package life

import (
	_ "embed"
	"html/template"
	"io"

	"github.com/ross-go/ross/cmd/rossreader/internal/sheet"
)

var (
	//go:embed life.html
	lifeHTML string
	//go:embed life.css
	lifeCSS string
	//go:embed life.js
	lifeJS string
	//go:embed draw.js
	drawJS string
	//go:embed lanes.js
	lanesJS string
)

// scene is the data of a page.
type scene struct {
	Title   string   `json:"title"`
	From    float64  `json:"from"` // virtual times that the page shows at first
	To      float64  `json:"to"`
	LPs     []*life  `json:"lps"`
	Words   []string `json:"words"` // texts that data name by their places
	Notes   []string `json:"notes"`
	Unread  []unread `json:"unread"`
	Unknown int      `json:"unknown"` // number of lines that were not understood

	words map[string]int
}

// life is an LP.
type life struct {
	ID    uint64 `json:"id"`
	Label string `json:"label"`
	Name  string `json:"name"`
	Type  string `json:"type"`

	From float64 `json:"from"` // from when to when its state is known, apart from gaps
	To   float64 `json:"to"`
	Gaps []span  `json:"gaps"`
	Ends string  `json:"ends"` // why nothing is known after To
	Text bool    `json:"text"` // there is a text of it

	In        arrivals `json:"in"`
	Out       sends    `json:"out"`
	Timers    timers   `json:"timers"`
	Fields    []field  `json:"fields"`
	Stats     []figure `json:"stats"`
	Processes []worker `json:"processes"`
	Quiet     []string `json:"quiet"` // fields that other LPs of the type have changed

	TraceIn  arrivals `json:"traceIn"` // from the event trace
	TraceOut sends    `json:"traceOut"`
	Samples  []field  `json:"samples"`

	listed map[string]*field
}

// arrivals are events of an LP, in order, as columns.
type arrivals struct {
	At   []float64 `json:"at"`
	What []int     `json:"what"` // type of the message, in Words
	By   []int     `json:"by"`   // sender, in Words
	Sent []float64 `json:"sent"`
	Text []string  `json:"text"` // the whole block, or the payload
}

// sends are events that an LP has sent, and timers that it has set, as columns.
type sends struct {
	At   []float64 `json:"at"`
	Due  []any     `json:"due"`  // a number, or +Inf as a text
	To   []int     `json:"to"`   // receiver, in Words
	What []int     `json:"what"` // type of the message, in Words
	Text []string  `json:"text"` // the payload; of a text, see By
	By   []int     `json:"by"`   // the event in arrivals that has sent it, and the line of its text; empty in a trace
	Line []int     `json:"line"`
}

// timers are those that an LP has set, as columns.
type timers struct {
	Name []string   `json:"name"`
	Set  []*float64 `json:"set"` // null: before the text begins
	Due  []any      `json:"due"`
	End  []*float64 `json:"end"` // null: not known
	How  []string   `json:"how"` // fired, cancelled, or ""
	Text []string   `json:"text"`
}

// field is a field over time: what it is from At on. Values are numbers, true, false, texts, or null, which is unknown.
type field struct {
	Path  string    `json:"path"`
	Group string    `json:"group"`
	Kind  string    `json:"kind"` // number, bool, count, resource or text
	At    []float64 `json:"at"`
	Value []any     `json:"value"`
	// what came into a list (1), left it (0), or is another value now (2); Key is "" in lists without keys
	When []float64 `json:"when,omitempty"`
	What []int     `json:"what,omitempty"`
	Key  []string  `json:"key,omitempty"`
	Item []string  `json:"item,omitempty"`
	Cut  bool      `json:"cut,omitempty"` // some that came or left are not shown
}

// figure is a statistic: what it was given.
type figure struct {
	Path  string    `json:"path"`
	Kind  string    `json:"kind"` // value, count, level, or change: a level whose changes are known, but not its value
	At    []float64 `json:"at"`
	Value []any     `json:"value"`
}

// worker is a process: what it did from At on.
type worker struct {
	Name string    `json:"name"`
	From *float64  `json:"from"` // null: before the text begins
	To   *float64  `json:"to"`   // null: not known, or not before the end
	At   []float64 `json:"at"`
	Does []string  `json:"does"`
}

// word returns the place of a text in Words.
func (s *scene) word(text string) int {
	n, ok := s.words[text]
	if !ok {
		n = len(s.Words)
		if s.words == nil {
			s.words = map[string]int{}
		}
		s.words[text] = n
		s.Words = append(s.Words, text)
	}
	return n
}

// write writes the page.
func (s *scene) write(w io.Writer, subtitle string) error {
	return sheet.Page{Title: s.Title, Subtitle: subtitle, Body: template.HTML(lifeHTML), CSS: lifeCSS,
		JS: drawJS + lanesJS + lifeJS, Data: s}.Write(w)
}
