// Package statistic holds the data of the statistics of package stats, without their API: what
// a field of a state remembers, how an observation changes it, how it is stored in a
// checkpoint, and how those of many LPs become a table.
//
// # Types
//
//	Counter, Tally, Level   data in the state of an LP
//	Histogram, Series       data in the state, and more in a Store
//	Op                      what a recording does
//	Field                   a statistic in the state of an LP type
//	Store                   what the statistics of a PE have outside of the states
//	Hidden                  statistics that a handler must not read, while it runs
//	Table, Row              the result
//
// The data in a state holds no Go pointers, so that the state can be saved by deltas. A
// Histogram and a Series therefore have the number of their entry in the Store of their PE.
//
// # Equal bits everywhere
//
// [Store.Apply] is called with the observations of a field in the order of the LP's committed
// events, which is the same in every scheduler. Products are converted explicitly, because a
// compiler may otherwise fuse them with a sum in one place and not in another. Between LPs
// there is no order on which all layouts agree, so what is added up over LPs is added up
// exactly ([Sum]), and rounded once.
package statistic
