// This file owns the settings of a network.

package interconnect

import (
	"errors"
	"fmt"
	"math"

	"github.com/ross-go/ross/models/network/topology"
)

// ErrConfig is wrapped by errors about settings that do not make a network.
var ErrConfig = errors.New("interconnect: unusable setting")

// Granularity is what travels as one event.
type Granularity uint8

// Granularities, from the fastest to the most exact.
const (
	// Messages travel whole. Each takes one event for each link, and waits for a link as long as it
	// must: buffers are unlimited, so nothing is ever held up by what is ahead of it elsewhere.
	Messages Granularity = iota
	// Packets travel whole, with virtual cut-through (Kermani and Kleinrock 1979): a packet is sent on
	// when its head has come, if there is room for all of it.
	Packets
	// Flits travel one by one, with virtual-channel flow control (Dally 1992): packets stretch over
	// several routers, and each holds a virtual channel until its last flit has left.
	Flits
)

var granularities = [...]string{"messages", "packets", "flits"}

// String returns the name.
func (g Granularity) String() string {
	if int(g) < len(granularities) {
		return granularities[g]
	}
	return fmt.Sprintf("Granularity(%d)", uint8(g))
}

// ParseGranularity returns the granularity of a name: messages, packets or flits.
func ParseGranularity(name string) (Granularity, error) {
	for g, known := range granularities {
		if name == known {
			return Granularity(g), nil
		}
	}
	return 0, fmt.Errorf("%w: granularity %q: give messages, packets or flits", ErrConfig, name)
}

// Link is a kind of link.
type Link struct {
	Latency   float64 // ns that a bit takes; credits take as long, back. Above 0 for links of routers
	Bandwidth float64 // bytes in a ns, which is GB/s; above 0
	Buffer    int     // bytes of each virtual channel of the input at its end; not used by [Messages]
}

// Config has the settings of a network. [Defaults] returns those of a machine of today.
type Config struct {
	// Routing has the shape and the ways of packets.
	Routing topology.Routing
	// Adaptive lets the first router of a packet choose between the minimal way and the one of a
	// *topology.Valiant, which Routing must then be, by the lengths of its own queues (UGAL-L).
	Adaptive bool
	// Threshold is by how many flits the queue of the minimal way, times its links, may be longer
	// than that of the other one before an adaptive packet takes that one.
	Threshold int

	Granularity Granularity
	Links       [4]Link // between routers, by topology.Class
	Terminal    Link    // between a router and a terminal

	FlitBytes   int     // of a flit, which is also the unit of buffers
	PacketBytes int     // of a packet at most; not used by Messages
	Delay       float64 // ns from when the head of a packet is in a router to when it may leave
	Output      int     // bytes of each virtual channel of an output of a router, only for Packets

	// MaxHops is how many links a packet may take, with those to terminals, 2 to 2^31-1: one that has taken
	// them and has not come ends the run with an error, since its route may have no end. 0 is ten times the
	// links by which routers reach one another (by way of the first router) and 100; the routings of package
	// topology take at most twice those links.
	MaxHops int

	// Record has routers and terminals give samples at virtual times (--model-stats=3) of what their links carry
	// and what waits for them: see [PointLayout]. It costs nothing if it is false, the default.
	Record bool
}

// Defaults returns settings for a routing:
//
//	Routing      the one that is given
//	Adaptive     false, and Threshold 0
//	Granularity  Packets
//	Links        Latency 10 ns, Bandwidth 25 GB/s, Buffer 8 KiB for each virtual channel
//	             those of topology.Global: 100 ns, 25 GB/s, 16 KiB
//	Terminal     10 ns, 25 GB/s, 8 KiB
//	FlitBytes    32 bytes
//	PacketBytes  512 bytes
//	Delay        50 ns
//	Output       4 KiB for each virtual channel
//	MaxHops      0: what follows from the network
//	Record       false
//
// They are for loads that the network carries. Beyond saturation the buffers fill up from the busiest links backwards,
// and what is accepted falls to much less than at saturation. On a torus of 16 x 16 routers with a terminal each, under
// uniform traffic of 512 bytes and minimal routing, these shares of the bandwidth of the terminals were accepted (from
// 10 to 40 us, and from 100 to 150 us where there is a second number):
//
//	offered                                0.40         0.60         1.00
//	Defaults                               0.40, 0.40   0.17, 0.17   0.15
//	Buffer of 64 KiB                       0.40         0.32         0.24
//	Output of 64 KiB                       0.40         0.40         0.24
//	Buffer and Output of 64 KiB            0.40         0.45, 0.17   0.33
//	Buffer of 1 MiB                        0.40         0.44, 0.44   0.42, 0.42
//	Granularity Messages                   0.40         0.45         0.43, 0.44
//	Terminal.Buffer of 512 bytes                        0.23         0.23, 0.23
//
// A larger Buffer helps as long as it is not full: 1 MiB lasts for these times, and 64 KiB only postpone the fall.
// Messages have no limit of buffers at all. What helps for any time is to offer no more than the network carries, for
// example with a slower link of the terminals: with a Terminal.Bandwidth of 10 GB/s, those that send all the time get
// 8.6 GB/s through, which is 0.34 of 25. Smaller packets, a shorter Delay and [topology.Valiant] do not help.
func Defaults(r topology.Routing) Config {
	local := Link{Latency: 10, Bandwidth: 25, Buffer: 8 << 10}
	c := Config{
		Routing: r, Granularity: Packets, Terminal: local,
		FlitBytes: 32, PacketBytes: 512, Delay: 50, Output: 4 << 10,
	}
	for class := range c.Links {
		c.Links[class] = local
	}
	c.Links[topology.Global] = Link{Latency: 100, Bandwidth: 25, Buffer: 16 << 10}
	return c
}

// check looks for settings that are of no use.
func (c *Config) check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{ErrConfig}, args...)...)
	}
	if c.Routing == nil {
		return bad("Routing is nil: give a routing of package topology")
	}
	if c.Routing.Network() == nil {
		return bad("Routing, a %T, has no network: its method Network returns nil", c.Routing)
	}
	if _, ok := c.Routing.(*topology.Valiant); c.Adaptive && !ok {
		return bad("Adaptive needs a *topology.Valiant as Routing, not a %T", c.Routing)
	}
	if int(c.Granularity) >= len(granularities) {
		return bad("%v: give Messages, Packets or Flits", c.Granularity)
	}
	if c.FlitBytes < 1 || c.FlitBytes > 1<<20 {
		return bad("FlitBytes is %d: must be 1 to 2^20", c.FlitBytes)
	}
	if c.Granularity != Messages && (c.PacketBytes < 1 || c.PacketBytes > 1<<20) {
		return bad("PacketBytes is %d: must be 1 to 2^20", c.PacketBytes)
	}
	if !(c.Delay >= 0 && c.Delay <= maxTime) {
		return bad("Delay is %g: must be 0 to %g ns", c.Delay, float64(maxTime))
	}
	if c.Output < 0 || c.Output > math.MaxInt32 {
		return bad("Output is %d: must be 0 to 2^31-1 bytes", c.Output)
	}
	if c.MaxHops != 0 && (c.MaxHops < 2 || c.MaxHops > math.MaxInt32) {
		return bad("MaxHops is %d: must be 2 to 2^31-1, or 0 for one that follows from the network", c.MaxHops)
	}
	for class := range classes {
		name, l := className(class), c.link(class)
		if !(l.Latency >= 0 && l.Latency <= maxTime) || l.Latency == 0 && class != terminal {
			return bad("Latency of %s links is %g: must be above 0 ns and at most %g", name, l.Latency, float64(maxTime))
		}
		if !(l.Bandwidth > 0 && l.Bandwidth <= maxTime) || !(float64(c.FlitBytes)/l.Bandwidth <= maxTime) {
			return bad("Bandwidth of %s links is %g: must be above 0 GB/s and at most %g", name, l.Bandwidth, float64(maxTime))
		}
		if c.Granularity == Messages {
			continue
		}
		least := c.FlitBytes
		if c.Granularity == Packets {
			least *= (c.PacketBytes + c.FlitBytes - 1) / c.FlitBytes
		}
		if l.Buffer < least || l.Buffer > math.MaxInt32 {
			return bad("Buffer of %s links is %d: must be %d bytes, which %s have, to 2^31-1", name, l.Buffer, least,
				c.Granularity)
		}
	}
	return nil
}

// maxTime is the greatest time of a link or router in ns, 1000 seconds.
const maxTime = 1e12

// Links to terminals have a class of their own here.
const (
	terminal = topology.Down + 1
	classes  = terminal + 1
)

func className(c topology.Class) string {
	if c == terminal {
		return "terminal"
	}
	return c.String()
}

func (c *Config) link(class topology.Class) Link {
	if class == terminal {
		return c.Terminal
	}
	return c.Links[class]
}
