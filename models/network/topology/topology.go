package topology

import (
	"errors"
	"fmt"
	"iter"
)

// Network is the shape of a network. Its methods may be called by several goroutines at once.
type Network interface {
	// Routers returns the number of routers.
	Routers() int
	// Terminals returns the number of terminals of a router.
	Terminals(router int) int
	// Ports returns the number of ports of a router.
	Ports(router int) int
	// Link returns what is at the other end of a port, and the class of the link. So the neighbours of a
	// router are those of its ports. Links lead both ways: Link of what it returns leads back, with the
	// same class, or Down for Up. A network with others is a OneWay. A port without a link leads to itself.
	Link(router, port int) (other, otherPort int, class Class)
	// Distance returns the least number of links from one router to another.
	Distance(a, b int) int
	// Diameter returns the greatest distance of two routers that have terminals.
	Diameter() int
	// Minimal returns a port that begins a shortest route from one router to another one, or -1 if
	// they are the same. Where there are several, it is always the same one.
	Minimal(at, to int) int
}

// Class is the class of a link.
type Class uint8

// The classes of links.
const (
	Local  Class = iota // within a group, or in a network without groups
	Global              // between groups
	Up                  // away from the terminals, seen from the lower router
	Down                // the same link, seen from the upper router
)

// String returns the name of the class.
func (c Class) String() string {
	if names := [...]string{"local", "global", "up", "down"}; int(c) < len(names) {
		return names[c]
	}
	return fmt.Sprintf("Class(%d)", uint8(c))
}

// ErrShape is wrapped by errors about numbers that make no network.
var ErrShape = errors.New("topology: unusable shape")

// maxRouters is the greatest number of routers.
const maxRouters = 1 << 28

func shapeError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrShape, fmt.Sprintf(format, args...))
}

// Link is a link of a network, seen from one of its ends.
type Link struct {
	From, FromPort int
	To, ToPort     int
	Class          Class
}

// Links returns all links of a network, each once: from the router with the lower number, or, if
// there are several links between two routers or one leads back to its router, from the lower port. Those
// of a [OneWay] network are all from the router that sends.
func Links(n Network) iter.Seq[Link] {
	_, one := n.(OneWay)
	return func(yield func(Link) bool) {
		for r := range n.Routers() {
			for port := range n.Ports(r) {
				to, toPort, class := n.Link(r, port)
				if !one && (to < r || to == r && toPort < port) {
					continue
				}
				if !yield(Link{r, port, to, toPort, class}) {
					return
				}
			}
		}
	}
}

// TotalTerminals returns the number of terminals of a network.
func TotalTerminals(n Network) int {
	sum := 0
	for r := range n.Routers() {
		sum += n.Terminals(r)
	}
	return sum
}

// shape has what most networks have in common: a number of routers with equally many terminals.
type shape struct{ routers, terminals int }

// Routers implements [Network].
func (s shape) Routers() int { return s.routers }

// Terminals implements [Network].
func (s shape) Terminals(int) int { return s.terminals }

// RouterOf returns the router of a terminal, if those of router 0 come first, then those of router
// 1, and so on.
func (s shape) RouterOf(terminal int) int { return terminal / s.terminals }

// newShape checks the number of terminals of each router.
func newShape(routers, terminals int) (shape, error) {
	if terminals < 1 || terminals > 1<<16 {
		return shape{}, shapeError("%d terminals of a router: there must be 1 to 65536", terminals)
	}
	if routers > maxRouters {
		return shape{}, shapeError("%d routers: there may be 2^28", routers)
	}
	return shape{routers, terminals}, nil
}

// nearer returns the first port of a router that leads nearer to another one.
func nearer(n Network, at, to int) int {
	distance := n.Distance(at, to)
	for port := range n.Ports(at) {
		if next, _, _ := n.Link(at, port); n.Distance(next, to) < distance {
			return port
		}
	}
	return -1 // impossible: networks are connected
}
