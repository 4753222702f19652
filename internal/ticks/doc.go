// Package ticks is a clock for those who ask for the time of each event: it reads the
// counter of the processor, which takes a fraction of what time.Now takes.
//
// [Now] returns the counter: of unknown frequency, from an unknown start. A [Clock] turns
// what it returned into seconds since the start of a run. It learns the frequency by
// comparing counter and system clock at [Clock.Tune], over the time between two calls that
// lie apart as far as possible: the start of the program and the present.
//
//	clock := ticks.NewClock(start)     // one for each goroutine
//	at := clock.Seconds(ticks.Now())   // in the event loop
//	clock.Tune()                       // now and then, once in a round of GVT say
//
// # Which counter
//
// On amd64 it is the time-stamp counter, if the processor says (CPUID 8000_0007h) that it
// goes at the same rate in all states of power; on arm64 the virtual counter of the
// generic timer, which always does. Elsewhere, and with the build tag purego, it is the
// system's clock in nanoseconds. The kernel has processors of one machine count alike; where
// that fails a clock stands still for a while rather than go back.
//
// A counter is not read in the order of the program to the instruction: the processor may
// read it some nanoseconds early or late.
//
// # Costs
//
// Nanoseconds in a virtual machine, whose processors are busy with other work as well: Now
// 31, Clock.Seconds(Now()) 45, time.Since 70, time.Now 130, Clock.Tune 700.
//
// `go test -run '^$' -bench . ./internal/ticks`
package ticks
