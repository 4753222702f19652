// This file is the package documentation: what a model says of its places, and the file with them.

// Package places lets a model say where its LPs are and how they are joined, so that `rossreader network` can draw what
// goes on in it over virtual time: routers and links, machines and conveyors, airports and routes.
//
// # Saying where LPs are
//
// A model makes a [Map] of nodes and links, and writes it when its LPs are defined:
//
//	Build: func(sim *ross.Simulation) error {
//		if err := sim.Define(station.Type(), ...); err != nil {
//			return err
//		}
//		return places.Write(sim, m)
//	}
//
// [Write] puts it next to the other files of the run, as ross-stats-places.json, or with the prefix of
// --stats-prefix. It does so only if the run collects what can be drawn, see below; [Wanted] knows that before the map
// is made.
//
// A node is an LP. A link leads from one node to another, in one direction: what leads both ways are two
// links. An LP without a node is not drawn. Coordinates are not necessary: the reader finds places for nodes that
// have none, as [Map.Arrange] says.
//
// # What is drawn
//
// With a map alone, a run with --event-trace=3 has enough: the reader counts the committed events that each link
// carried, from its sender to its receiver.
//
// A model that knows more of its links records it, in the samples that its LPs give at virtual times
// ([ross.Type.Point], --model-stats=3). These are committed values, the same with every scheduler. A
// [Value] says which field of [ross.Type.PointLayout] it is, and how to show it. If the field is an array, such as
// sent:u64[8], a link has the element [Link.Index] of the samples of the node that it leads away from.
//
//	Values: []places.Value{
//		{Name: "load", Title: "Load", Field: "sent", Counts: true, Per: places.Capacity},
//		{Name: "queue", Title: "Waiting", Field: "waiting", Unit: "parcels"},
//	}
//
// A field that counts from the beginning of the run, such as the bytes that have been sent, needs no
// ReversePoint: the reader takes the differences. A field that does not count is shown as it was at the end of
// each interval.
//
// # The file
//
// It is JSON, an object with the members of [Map], so that other programs can write it as well. LPs are
// numbers. [Read] reads it, and refuses one in which links lead to LPs without a node.
package places
