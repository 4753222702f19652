// This file owns the errors about routes that lead nowhere. Each ends the run.

package interconnect

import (
	"fmt"

	"github.com/ross-go/ross"
)

// describe names a packet, for errors.
func (n *Network) describe(p *packet) string {
	return fmt.Sprintf("a packet of message %d from terminal %d to terminal %d (at router %d), sent at %g ns",
		p.Number, p.From, p.To, n.routerOf[p.To], p.Sent)
}

// noWay fails because a routing has returned a port or virtual channel that there is not.
func (n *Network) noWay(lp *ross.LP, p *packet, port, channel, links int) {
	if port < 0 || port >= links {
		lp.Fail(fmt.Errorf(
			"%w: %T sends %s, through port %d of router %d, whose ports are %s: correct its method Next, or the Minimal of its network",
			ErrConfig, n.Routing, n.describe(p), port, lp.ID(), numbers(links)))
		return
	}
	lp.Fail(fmt.Errorf(
		"%w: %T sends %s, on channel %d of port %d of router %d, whose channels are %s: correct its method Next, or Channels",
		ErrConfig, n.Routing, n.describe(p), channel, port, lp.ID(), numbers(int(n.channels))))
}

// numbers returns the range of n numbers.
func numbers(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprintf("0 to %d", n-1)
}

// elsewhere fails because a routing has a packet leave the network at a router that has not its terminal.
func (n *Network) elsewhere(lp *ross.LP, p *packet) {
	lp.Fail(fmt.Errorf(
		"%w: %T has %s, leave the network at router %d: its method Next must return a port until the packet is at its router",
		ErrConfig, n.Routing, n.describe(p), lp.ID()))
}

// astray fails because a packet has taken as many links as it may.
func (n *Network) astray(lp *ross.LP, p *packet) {
	lp.Fail(fmt.Errorf(
		"%w: %T leads %s, over %d links, and it has not come: the route has no end, which topology.Cycle shows, or Config.MaxHops (--max-hops) is too small for it",
		ErrConfig, n.Routing, n.describe(p), p.Hops))
}
