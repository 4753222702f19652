// This file owns the check of what a network states about its links.

package topology

import "math"

// OneWay is a network with links in one direction. Without this declaration, the link of a port has to
// lead both ways, so that Link of its other end leads back to it.
type OneWay interface {
	Network
	// Source returns the port whose link leads to a port: Link of it returns that port. A port from which no
	// link leads is its own Link, and one to which no link leads is its own Source.
	Source(router, port int) (from, fromPort int)
}

// Opposite returns the class of a link that leads both ways, seen from its other end.
func (c Class) Opposite() Class {
	switch c {
	case Up:
		return Down
	case Down:
		return Up
	}
	return c
}

// Check looks at every port of a network and returns an error that wraps [ErrShape] about the first one that
// is wrong: if Link or Source leads to a router or port that does not exist; if the class does not exist; if the
// link does not lead back, to the same port and with the same class, or Up for Down;
// or, in a [OneWay] network, if Source is not the reverse of Link. A port whose link leads to itself, as
// at the edge of a mesh, is right. It calls Link twice for each port, and keeps nothing.
func Check(n Network) error {
	routers := n.Routers()
	if routers < 1 || routers > math.MaxInt32 {
		return shapeError("%T: %d routers: there must be 1 to 2^31-1", n, routers)
	}
	way, one := n.(OneWay)
	for r := range routers {
		ports, terminals := n.Ports(r), n.Terminals(r)
		if ports < 0 || terminals < 0 {
			return shapeError("%T: router %d has %d ports and %d terminals: neither may be below 0", n, r, ports, terminals)
		}
		for port := range ports {
			to, toPort, class, err := linkOf(n, r, port)
			if err != nil {
				return err
			}
			if one {
				if err := checkSource(way, r, port, to, toPort); err != nil {
					return err
				}
				continue
			}
			back, backPort, backClass, err := linkOf(n, to, toPort)
			if err != nil {
				return err
			}
			if back != r || backPort != port {
				return shapeError(
					"%T: the link of router %d, port %d leads to router %d, port %d, but the link of that one to router %d, port %d: "+
						"Link(Link(r, p)) must be (r, p); if the link leads one way only, give the network the method Source of topology.OneWay",
					n, r, port, to, toPort, back, backPort)
			}
			if (to != r || toPort != port) && backClass != class.Opposite() {
				return shapeError(
					"%T: the link of router %d, port %d to router %d, port %d is %v, but seen from there %v: must be %v",
					n, r, port, to, toPort, class, backClass, class.Opposite())
			}
		}
	}
	return nil
}

// linkOf returns the link of a port, and an error if there is no such link.
func linkOf(n Network, router, port int) (to, toPort int, class Class, err error) {
	to, toPort, class = n.Link(router, port)
	err = leads(n, "", router, port, to, toPort)
	if err == nil && class > Down {
		err = shapeError("%T: the link of router %d, port %d has the class %d: must be Local, Global, Up or Down", n, router,
			port, class)
	}
	return to, toPort, class, err
}

// leads returns an error if there is no such router or port at the other end of a port. reverse is the name of the
// method that is not Link.
func leads(n Network, reverse string, router, port, to, toPort int) error {
	what := "the link of router %d, port %d leads to"
	if reverse != "" {
		what = reverse + " of router %d, port %d is"
	}
	if to < 0 || to >= n.Routers() {
		return shapeError("%T: "+what+" router %d: there are routers 0 to %d", n, router, port, to, n.Routers()-1)
	}
	if ports := n.Ports(to); toPort < 0 || toPort >= ports {
		return shapeError("%T: "+what+" router %d, port %d: it has %d ports, counted from 0", n, router, port, to, toPort,
			ports)
	}
	return nil
}

// checkSource checks that Source leads from the end of a port's link to the port, and Link from what Source returns for
// the port to the port. to, toPort is the end of its link.
func checkSource(n OneWay, router, port, to, toPort int) error {
	if to != router || toPort != port {
		from, fromPort := n.Source(to, toPort)
		if err := leads(n, "Source", to, toPort, from, fromPort); err != nil {
			return err
		}
		if from != router || fromPort != port {
			return shapeError(
				"%T: the link of router %d, port %d leads to router %d, port %d, but Source of that one is router %d, port %d: "+
					"Source(Link(r, p)) must be (r, p), and no two links may lead to one port",
				n, router, port, to, toPort, from, fromPort)
		}
	}
	from, fromPort := n.Source(router, port)
	if err := leads(n, "Source", router, port, from, fromPort); err != nil {
		return err
	}
	if to, toPort, _ = n.Link(from, fromPort); (from != router || fromPort != port) && (to != router || toPort != port) {
		return shapeError(
			"%T: Source of router %d, port %d is router %d, port %d, whose link leads to router %d, port %d: Link(Source(r, p)) must be (r, p)",
			n, router, port, from, fromPort, to, toPort)
	}
	return nil
}
