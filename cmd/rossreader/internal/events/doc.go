// This file is the package documentation: what the index of a trace is, how a cause is found, and what a page has.

// Package events is `rossreader events`: it shows an event trace as a sequence chart, with a lane for each LP,
// virtual time from left to right, and an arrow for each message.
//
// # The index
//
// A [Trace] has 32 bytes for each event, ordered by receiver and time of receipt: when it was sent and received, who
// sent it, where its record is in the file, and how often it was undone. So a stretch of a lane is found by two binary
// searches, and counts of events are differences of places. All else is read from the file when it is asked for. A
// second order, by sender and time of sending, is in the same 32 bytes.
//
// # Causes
//
// The cause of an event is an event of its sender, received at the time at which this one was sent. In a trace
// with exact blocks (--trace-exact) it is the one that drew the tie-breaker of the event: the block has the state
// of the stream from which the sender drew, so that its draws are made again. Nothing else can draw this number at this
// time, also if many events have equal times and no delay. Other traces have times of 24 bits and no draws: if several
// events fit, the last one that was recorded before is taken, and the page says that others fit as well.
//
// Events of Init and PreRun have no cause.
//
// # Undone executions
//
// An exact trace of all executions (--event-trace=1) has a record for each that was undone. All records of an event are
// one entry: it has stayed if its last execution was not undone.
//
// # Pages
//
// A page in a file has the events of some LPs in a stretch of virtual time, and counts of all others. A page of a
// server asks for what it shows, whatever the size of the trace. Both have one script, which asks a source: one that
// has the events of the file, or one that asks the server.
package events
