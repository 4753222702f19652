// This file owns the map of a model: nodes, links and values, and what is wrong with one.

package places

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Version is the version of the file. Members that are added later do not change it.
const Version = 1

// ErrMap is wrapped by errors about maps that cannot be drawn.
var ErrMap = errors.New("places: unusable map")

// Arrangement says how nodes without coordinates are arranged.
type Arrangement string

// Arrangements.
const (
	ByLinks Arrangement = ""       // linked nodes near each other; many nodes in a circle
	Grid    Arrangement = "grid"   // in a grid of Map.Lengths; more than two dimensions are unfolded
	Groups  Arrangement = "groups" // the groups in a circle, and the nodes of each in a small one
	Layers  Arrangement = "layers" // by Node.Layer, from the bottom to the top
	Circle  Arrangement = "circle" // all in one circle, in their order
)

// Map says where the LPs of a model are, how they are joined, and what is known of the links.
type Map struct {
	Version  int         `json:"version"`         // Version; Write sets it
	Title    string      `json:"title,omitempty"` // of the picture, such as "dragonfly:8,4,4, minimal"
	TimeUnit string      `json:"time_unit,omitempty"`
	Arrange  Arrangement `json:"arrange,omitempty"`
	// Lengths are those of the dimensions of a Grid. Nodes without At are in the order in which the first
	// coordinate changes fastest.
	Lengths []int   `json:"lengths,omitempty"`
	Nodes   []Node  `json:"nodes"`
	Links   []Link  `json:"links"`
	Values  []Value `json:"values,omitempty"` // the first one is shown first
}

// Node is an LP.
type Node struct {
	LP   uint64 `json:"lp"`
	Name string `json:"name"`           // "": the label of the LP, or its number
	Kind string `json:"kind,omitempty"` // such as "router"
	// Group is the group to which the node belongs, counted from 1; 0: none. In a large network the reader draws each
	// group as one mark.
	Group int `json:"group,omitempty"`
	Layer int `json:"layer,omitempty"` // of Layers, from 0, which is the lowest
	// At is the LP of a node next to which this one is drawn, such as the router of a terminal; nil: none.
	At *uint64 `json:"at,omitempty"`
	// X and Y are coordinates in any unit, Y upwards; nil: the reader finds a place. Either all nodes without
	// At have them or none.
	X *float64 `json:"x,omitempty"`
	Y *float64 `json:"y,omitempty"`
}

// Link leads from one node to another, in one direction. There may be several between two nodes.
type Link struct {
	From  uint64 `json:"from"` // LPs
	To    uint64 `json:"to"`
	Class string `json:"class,omitempty"` // such as "global"
	// Capacity is what the link can carry in a unit of virtual time, in the unit of the field of a Value with Per
	// Capacity; 0: not known.
	Capacity float64 `json:"capacity,omitempty"`
	// Room is the room of the buffer of the link, in the unit of the field of a Value with Per Room; 0: not known.
	Room float64 `json:"room,omitempty"`
	// Index is the place of the link in the arrays of the samples of From.
	Index int `json:"index,omitempty"`
}

// Ratio is what a value is divided by.
type Ratio string

// Ratios. Values with Capacity and Room are shares, which are shown in percent. So are those with Time whose unit is
// Map.TimeUnit: the share of time for which something was so. Others with Time are rates, such as packets/ns.
const (
	Absolute Ratio = ""         // nothing
	Capacity Ratio = "capacity" // the capacity of the link, by the length of the interval
	Room     Ratio = "room"     // the room of the link
	Time     Ratio = "time"     // the length of the interval
)

// Value is something that samples at virtual times have for each link.
type Value struct {
	Name  string `json:"name"`           // in options and files, such as "load": letters, digits and underscores
	Title string `json:"title"`          // in the picture, such as "Load of the link"
	Field string `json:"field"`          // of ross.Type.PointLayout
	Unit  string `json:"unit,omitempty"` // of the field
	// Counts says that the field counts from the beginning of the run: the value of an interval is the increase in it.
	Counts bool  `json:"counts,omitempty"`
	Per    Ratio `json:"per,omitempty"`
}

// LP returns a pointer to a number of an LP, for Node.At.
func LP(id uint64) *uint64 { return &id }

// Check returns what is wrong with a map: nodes with the same LP, links or At that lead to an LP without a node,
// coordinates that only some nodes have, lengths that do not fit, and values without a name or field. Its errors wrap
// [ErrMap].
func (m *Map) Check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{ErrMap}, args...)...)
	}
	if m.Version < 0 || m.Version > Version {
		return bad("version %d: this program knows 1 to %d: use a newer one", m.Version, Version)
	}
	if !slices.Contains([]Arrangement{ByLinks, Grid, Groups, Layers, Circle}, m.Arrange) {
		return bad("arrangement %q: give grid, groups, layers, circle or nothing", m.Arrange)
	}
	known, of, with := make(map[uint64]bool, len(m.Nodes)), 0, 0
	for i := range m.Nodes {
		n := &m.Nodes[i]
		if known[n.LP] {
			return bad("LP %d has two nodes: give it one", n.LP)
		}
		known[n.LP] = true
		if n.Group < 0 || n.Layer < 0 {
			return bad("the node of LP %d has the group %d and the layer %d: neither may be below 0", n.LP, n.Group, n.Layer)
		}
		if (n.X == nil) != (n.Y == nil) || n.X != nil && !(finite(*n.X) && finite(*n.Y)) {
			return bad("the node of LP %d has no two finite coordinates: give both or none", n.LP)
		}
		if n.At == nil {
			if of++; n.X != nil {
				with++
			}
		}
	}
	if with != 0 && with != of {
		return bad("%d of %d nodes have coordinates: give them to all nodes without At, or to none", with, of)
	}
	if err := m.checkEnds(known, bad); err != nil {
		return err
	}
	if m.Arrange == Grid && with == 0 {
		product := 1
		for _, l := range m.Lengths {
			if l < 1 || l > math.MaxInt32/product {
				return bad("lengths %v: each must be at least 1", m.Lengths)
			}
			product *= l
		}
		if len(m.Lengths) == 0 || product != of {
			return bad("a grid of lengths %v for %d nodes: their product must be the number of nodes without At", m.Lengths, of)
		}
	}
	return m.checkValues(bad)
}

// checkEnds looks at what leads to nodes.
func (m *Map) checkEnds(known map[uint64]bool, bad func(string, ...any) error) error {
	attached := map[uint64]bool{}
	for i := range m.Nodes {
		if n := &m.Nodes[i]; n.At != nil {
			attached[n.LP] = true
		}
	}
	for i := range m.Nodes {
		if n := &m.Nodes[i]; n.At != nil && (!known[*n.At] || attached[*n.At]) {
			return bad("the node of LP %d is at LP %d: that must be a node without At", n.LP, *n.At)
		}
	}
	for i := range m.Links {
		l := &m.Links[i]
		for _, end := range [2]uint64{l.From, l.To} {
			if !known[end] {
				return bad("a link leads from LP %d to LP %d, and LP %d has no node: give it one", l.From, l.To, end)
			}
		}
		if !(l.Capacity >= 0 && finite(l.Capacity)) || !(l.Room >= 0 && finite(l.Room)) || l.Index < 0 {
			return bad("the link from LP %d to LP %d has the capacity %g, the room %g and the index %d: none may be below 0",
				l.From, l.To, l.Capacity, l.Room, l.Index)
		}
	}
	return nil
}

func (m *Map) checkValues(bad func(string, ...any) error) error {
	names := map[string]bool{}
	for _, v := range m.Values {
		switch {
		case !isName(v.Name) || names[v.Name]:
			return bad("a value is called %q: give each a name of its own, of letters, digits and underscores", v.Name)
		case v.Field == "":
			return bad("the value %s has no field: name one of ross.Type.PointLayout", v.Name)
		case !slices.Contains([]Ratio{Absolute, Capacity, Room, Time}, v.Per):
			return bad("the value %s is per %q: give capacity, room, time or nothing", v.Name, v.Per)
		}
		names[v.Name] = true
	}
	return nil
}

func isName(s string) bool {
	for _, c := range []byte(s) {
		if letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'; !letter && (c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
