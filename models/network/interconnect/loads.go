// This file owns the loads of links, and their heat map.

package interconnect

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/ross-go/ross"
)

// Loads are the loads of the links of a network: the share of the time, 0 to 1, for which each was sending.
type Loads struct {
	net   *Network
	ports [][]float32 // by router
}

// Loads returns the loads of all links from the beginning until a virtual time, after Run. In a run of
// several ranks all call it. What a link began to send before that time counts.
func (n *Network) Loads(sim *ross.Simulation, until float64) (*Loads, error) {
	if !(until > 0 && !math.IsInf(until, 1)) {
		return nil, fmt.Errorf("%w: loads until %g ns: give a time above 0", ErrConfig, until)
	}
	ports, err := ross.Gather(sim, func(lp *ross.LP, r *router) []float32 {
		at := int(lp.ID())
		links := n.net.Ports(at)
		of := make([]float32, 0, r.Links.Len())
		for port, l := range r.Links.Of(lp) {
			k := n.across(at, links, uint16(port)).kind
			of = append(of, float32(min(1, float64(l.Sent)*k.flit/until)))
		}
		return of
	})
	return &Loads{n, ports}, err
}

// Of returns the load of what a router sends through a port. The ports to its terminals are those after
// the ones to routers.
func (l *Loads) Of(router, port int) float64 { return float64(l.ports[router][port]) }

// class returns the name of the class of a port's link, or "" if it leads to the router itself.
func (l *Loads) class(router, port int) string {
	links := l.net.net.Ports(router)
	if port >= links {
		return className(terminal)
	}
	to, _, class := l.net.net.Link(router, port)
	if to == router {
		return ""
	}
	return className(class)
}

// WriteText writes the number of links of each class, with their mean and greatest load, and a heat
// map.
func (l *Loads) WriteText(to io.Writer) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "%-22s %10s %10s %10s\n", "links", "number", "mean load", "greatest")
	for class := range classes {
		count, sum, greatest, where := 0, 0.0, 0.0, [2]int{}
		for router, ports := range l.ports {
			for port, load := range ports {
				if l.class(router, port) != className(class) {
					continue
				}
				count++
				sum += float64(load)
				if float64(load) > greatest {
					greatest, where = float64(load), [2]int{router, port}
				}
			}
		}
		if count == 0 {
			continue
		}
		fmt.Fprintf(w, "%-22s %10d %10.4f %10.4f", className(class), count, sum/float64(count), greatest)
		if greatest > 0 {
			fmt.Fprintf(w, "  router %d, port %d", where[0], where[1])
		}
		fmt.Fprintln(w)
	}
	l.heatMap(w)
	return w.Flush()
}

// Sizes of the heat map.
const (
	mapRows    = 32
	mapColumns = 96
)

// shades stand for loads from 0 on, each for a tenth.
const shades = " .:-=+*#%@"

// heatMap draws the loads: routers from the top to the bottom, ports from the left to the right. A
// character is the greatest load of what it stands for.
func (l *Loads) heatMap(w io.Writer) {
	columns := 0
	for _, ports := range l.ports {
		columns = max(columns, len(ports))
	}
	tall, wide := (len(l.ports)+mapRows-1)/mapRows, (columns+mapColumns-1)/mapColumns
	fmt.Fprintf(w, "\nheat map: a line for every %d routers, a column for every %d ports, the greatest load of these:\n",
		tall, wide)
	fmt.Fprintf(w, "from %q, below 0.1, to %q, 0.9 and more\n\n", shades[:1], shades[len(shades)-1:])
	for first := 0; first < len(l.ports); first += tall {
		line := make([]float32, (columns+wide-1)/wide)
		for _, ports := range l.ports[first:min(first+tall, len(l.ports))] {
			for port, load := range ports {
				line[port/wide] = max(line[port/wide], load)
			}
		}
		var text strings.Builder
		for _, load := range line {
			text.WriteByte(shades[min(int(load*float32(len(shades))), len(shades)-1)])
		}
		fmt.Fprintf(w, "%7d |%s|\n", first, text.String())
	}
}

// WriteCSV writes a line for each link that leads away from a router: router, port, class, the router or
// terminal at its other end, and the load.
func (l *Loads) WriteCSV(to io.Writer) error {
	w := bufio.NewWriter(to)
	fmt.Fprintln(w, "router,port,class,to,load")
	for router, ports := range l.ports {
		links := l.net.net.Ports(router)
		for port, load := range ports {
			class := l.class(router, port)
			if class == "" {
				continue
			}
			other := int(l.net.first[router]) + port - links
			if port < links {
				other, _, _ = l.net.net.Link(router, port)
			}
			fmt.Fprintf(w, "%d,%d,%s,%d,%g\n", router, port, class, other, load)
		}
	}
	return w.Flush()
}
