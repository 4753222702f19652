// This file owns the page: the parts of the picture, and the data that its script gets.

package network

import (
	_ "embed" // the page
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/sheet"
	"github.com/ross-go/ross/program/parts/places"
)

var (
	//go:embed network.html
	networkHTML string
	//go:embed network.css
	networkCSS string
	//go:embed model.js
	modelJS string
	//go:embed draw.js
	drawJS string
	//go:embed network.js
	networkJS string
)

// picture is the data of the page.
type picture struct {
	Nodes   nodes    `json:"nodes"`
	Links   links    `json:"links"`
	Kinds   []string `json:"kinds"`   // of nodes
	Classes []string `json:"classes"` // of links
	Values  []value  `json:"values"`
	Value   int      `json:"value"` // that is shown first
	Unit    string   `json:"unit"`  // of virtual time
	Name    string   `json:"name"`  // of files that the page stores
	Live    bool     `json:"live"`
	Chunk   chunk    `json:"chunk"`
}

// nodes are the nodes of the map, column by column.
type nodes struct {
	LP    []uint64  `json:"lp"`
	Name  []string  `json:"name"`
	Kind  []int     `json:"kind"`  // in Kinds
	Group []int     `json:"group"` // 0: none
	At    []int     `json:"at"`    // node, -1: none
	X     []float64 `json:"x"`
	Y     []float64 `json:"y"`
}

// links are the links of the map, column by column.
type links struct {
	From     []int     `json:"from"` // nodes
	To       []int     `json:"to"`
	Class    []int     `json:"class"` // in Classes
	Capacity []float64 `json:"capacity"`
	Room     []float64 `json:"room"`
	// units of capacity and room, "" if they are not known
	CapacityUnit string `json:"capacity_unit"`
	RoomUnit     string `json:"room_unit"`
}

// value is a value as the page shows it.
type value struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Unit  string `json:"unit"`  // after a number, "" for none
	Share bool   `json:"share"` // from 0 to 1, shown in percent
	About string `json:"about"`
}

// place returns the place of a word in a list, to which it is added if it is new.
func place(list *[]string, word string) int {
	i := slices.Index(*list, word)
	if i < 0 {
		i = len(*list)
		*list = append(*list, word)
	}
	return i
}

// page returns the page with the frames so far.
func (s *source) page(shown int, live bool) (sheet.Page, error) {
	c, err := s.chunk(0)
	if err != nil {
		return sheet.Page{}, err
	}
	p := picture{Value: shown, Unit: s.m.TimeUnit, Live: live, Chunk: c, Name: s.info.Model}
	at, index := arrange(s.m), map[uint64]int{}
	for i := range s.m.Nodes {
		index[s.m.Nodes[i].LP] = i
	}
	for i := range s.m.Nodes {
		n, next := &s.m.Nodes[i], -1
		if n.At != nil {
			next = index[*n.At]
		}
		kind := n.Kind
		if kind == "" {
			kind = "node"
		}
		d := &p.Nodes
		d.LP, d.Name, d.Kind = append(d.LP, n.LP), append(d.Name, n.Name), append(d.Kind, place(&p.Kinds, kind))
		d.Group, d.At = append(d.Group, n.Group), append(d.At, next)
		d.X, d.Y = append(d.X, at[i].x), append(d.Y, at[i].y)
	}
	for i := range s.m.Links {
		l, d := &s.m.Links[i], &p.Links
		class := l.Class
		if class == "" {
			class = "link"
		}
		d.From, d.To = append(d.From, s.links[i].from), append(d.To, s.links[i].to)
		d.Class = append(d.Class, place(&p.Classes, class))
		d.Capacity, d.Room = append(d.Capacity, l.Capacity), append(d.Room, l.Room)
	}
	for i := range s.values {
		v := &s.values[i]
		p.Values = append(p.Values, s.shown(v))
		switch v.Per {
		case places.Capacity:
			p.Links.CapacityUnit = strings.TrimSuffix(v.Unit+"/"+s.m.TimeUnit, "/")
		case places.Room:
			p.Links.RoomUnit = v.Unit
		}
	}
	title := s.m.Title
	if title == "" {
		title = s.info.Model
	}
	return sheet.Page{
		Title: title, Subtitle: s.subtitle(), Body: template.HTML(networkHTML), CSS: networkCSS,
		JS: modelJS + drawJS + networkJS, Data: p, Served: live,
	}, nil
}

// shown returns how a value is shown.
func (s *source) shown(v *places.Value) value {
	shown := value{Name: v.Name, Title: v.Title, Unit: v.Unit}
	if shown.Title == "" {
		shown.Title = v.Name
	}
	when := "at the end of the interval"
	if v.Counts || s.traced {
		when = "in the interval"
	}
	switch {
	case v.Per == places.Capacity:
		shown.Share, shown.About = true, "share of what the link can carry, "+when
	case v.Per == places.Room:
		shown.Share, shown.About = true, "share of the room behind the link, "+when
	case v.Per == places.Time && v.Unit == s.m.TimeUnit:
		shown.Share, shown.About = true, "share of the time, "+when
	case v.Per == places.Time:
		shown.Unit, shown.About = strings.TrimSuffix(v.Unit+"/"+s.m.TimeUnit, "/"), "mean rate, "+when
	case s.traced:
		shown.About = "committed events for the receiver that the sender has sent, " + when
	default:
		shown.About = when
	}
	if shown.Share {
		shown.Unit = "%"
	}
	return shown
}

// subtitle says what ran.
func (s *source) subtitle() string {
	text := fmt.Sprintf("%s; %s, PEs: %d", strings.Join(s.info.Command, " "), s.info.Scheduler, s.info.PEs)
	if s.info.Ranks > 1 {
		text += fmt.Sprintf(", ranks: %d", s.info.Ranks)
	}
	return text
}

// note says what is left out, "" if that is nothing.
func (s *source) note() string {
	var notes []string
	if s.missing > 0 {
		notes = append(notes, fmt.Sprintf("%d intervals are left out because samples of some LPs are missing", s.missing))
	}
	if s.traced {
		notes = append(notes, "Links show the events of the trace, since the run has no samples of links (--model-stats=3)")
		if s.outside > 0 {
			notes = append(notes, fmt.Sprintf("%d events between LPs without a link are not shown", s.outside))
		}
	}
	return strings.Join(notes, ". ")
}
