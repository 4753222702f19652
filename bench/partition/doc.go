// Package partition measures what mappings of package mapping/partition gain: PHOLD on a graph, where
// each event goes on to a random neighbour, with the linear, the round-robin and the partitioned
// mapping.
//
// It has one benchmark, whose table is in bench/README.md.
package partition
