// Package event holds the events of a PE: their layout, which C shares, the
// arena they live in, and the order they have.
//
// An event is a fixed slot outside the Go heap, named by a 32-bit index. The
// pending-event set (package pq) never looks at events while their keys
// differ: a Key is the time's bits, a prefix of priority and tie-breaker, and
// the index. The order of events whose keys agree is Compare, the signature of
// ROSS (McGlohon and Carothers, "Unbiased deterministic total ordering of
// parallel simulations with simultaneous events", WSC 2021): receive time,
// then priority, then the lineage of random tie-breakers.
package event
