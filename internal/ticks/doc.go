// Package ticks is a clock for reading the time of each event: it reads the processor's
// counter, which takes a fraction of the time of time.Now.
//
// [Now] returns the counter: of unknown frequency, from an unknown start. A [Clock] converts
// it into seconds since the start of a run. [Clock.Tune] measures the frequency by comparing
// the counter with the system clock, over the longest possible time: from the start of the
// program to the present.
//
//	clock := ticks.NewClock(start)     // one for each goroutine
//	at := clock.Seconds(ticks.Now())   // in the event loop
//	clock.Tune()                       // now and then, for example once in a round of GVT
//
// # Which counter
//
// On amd64 it is the time-stamp counter, if the processor reports (CPUID 8000_0007h) that
// its rate is the same in all power states; on arm64 the virtual counter of the generic
// timer, whose rate is always constant. Elsewhere, and with the build tag purego, it is the
// system's clock in nanoseconds. The kernel synchronizes the processors of a machine; where
// that fails, a clock stands still for a while rather than go back.
//
// Reading the counter is not ordered with other instructions: the processor may read it some
// nanoseconds early or late.
//
// # Costs
//
// Nanoseconds in a virtual machine on a busy host: Now 31, Clock.Seconds(Now()) 45,
// time.Since 70, time.Now 130, Clock.Tune 700.
//
// `go test -run '^$' -bench . ./internal/ticks`
package ticks
