// Package interconnect simulates interconnection networks: routers with buffers, links with bandwidth,
// latency, virtual channels and credits, and the interfaces of the terminals. Package topology has the
// shapes and the routes, package workload has traffic.
//
// # A model with a network
//
// The network brings the LP type of its routers. Terminals are LPs of the model, with a [NIC] in their
// state and the handlers of [Handlers] as well as their own:
//
//	n, err := interconnect.New(interconnect.Defaults(topology.NewMinimal(torus)))
//	n.Place(&cfg)                        // number of LPs, types, mapping, lookahead
//	sim, err := ross.New(cfg)
//	sim.Define(n.Router(), ross.Type[host]{
//		Saving: ross.SaveByLog,
//		Event:  ross.Events(interconnect.Handlers(n, nicOf, (*host).deliver), ross.On((*host).timeout)),
//	})
//
//	h.NIC.Send(n, lp, to, bytes, tag)    // in a handler of a terminal
//
// Times are nanoseconds, sizes bytes, and bandwidths bytes in a nanosecond, that is GB/s. The LPs 0, 1,
// and so on are the routers, and those after them the terminals ([Network.LP]).
//
// # What a message goes through
//
// The NIC cuts it into packets of at most Config.PacketBytes, and a packet counts as whole flits of
// Config.FlitBytes. For each packet and router:
//
//	link       a flit takes FlitBytes/Bandwidth to leave, and Latency to come
//	input      a buffer for each virtual channel of the link; the route is found, which takes Delay
//	output     a buffer for each virtual channel (Packets); the channels take turns on the link
//	credit     when a flit has left the input, a credit goes back, and takes the Latency of the link
//
// Nothing is sent without credits for it, so no buffer overflows, and what finds no room waits where it
// is. Terminals take all that comes. A message has come when the last flit of its last packet has.
//
// A message alone in the network takes, with F flits in one packet,
//
//	sum over its links of (Latency + FlitBytes/Bandwidth) + routers * Delay +
//		(F-1) * FlitBytes/Bandwidth of the slowest link
//
// in all granularities. The tests compare that with every shape.
//
// # Granularity
//
// [Messages] is the fastest: an event for each link, and neither packets nor credits. A message waits
// for links, but never for buffers, so that there is no congestion that spreads from a full link.
// [Packets] has two to three events for each link. Packets are sent on when their heads have come
// (virtual cut-through), if there is room for all of them. [Flits] has as many for each flit. Packets
// hold virtual channels while they stretch over several routers, and those of a link take turns flit by
// flit. At low load all three agree; the nearer a network is to saturation, the more the order of
// granularities matters.
//
// In the default settings a packet has 16 flits, and a run with Flits takes about 14 times as long as
// one with Packets.
//
// # Lookahead and mapping
//
// [Network.Place] has terminals on the PE of their router. What goes to another PE then goes over a link
// between routers, and takes at least its latency: [Network.Lookahead] is computed from the links that
// there are, and set. So conservative runs (--synch=2) need no thought, and with links of some ten
// nanoseconds they are often the fastest. A mapping of the model's own can be set after Place.
//
// # Shapes and routings of your own
//
// [New] refuses a network whose links do not lead back ([topology.Check]), unless it is a
// [topology.OneWay]. What a routing returns is checked where it is used: a port or virtual channel that
// there is not, a packet that leaves the network at another router than its terminal's, and a packet that
// has taken Config.MaxHops links end the run with a [ross.ModelError] that wraps [ErrConfig] and names the
// packet. Packets that wait for one another in a circle are found in what the run leaves
// ([Network.Deadlock]).
//
// # Undoing
//
// Routers and NICs save what they change with ross.Save, and keep packets in a container.Slab. Undoing
// an event costs what it changed, some ten to hundred bytes, however large the router is.
//
// # Design
//
// One LP for each router, rather than one for each port: the allocation of a router's outputs needs the
// state of all, and events between ports would cost more than what they share. The crossbar moves any
// number of packets at once; what limits a router are its links, buffers and the order of its inputs. So
// its throughput under uniform traffic is that of the busiest link, within a few percent if buffers are
// large. An event that is only bookkeeping is avoided: a link that gets free reports it only if something
// waits for it, and terminals return no credits.
package interconnect
