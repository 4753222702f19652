// This file owns an end for what hangs: for what makes no progress, however fast the machine is.

package testkit

import (
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"
)

// What makes no progress uses less than little of the processors while looks are taken patience
// times. A machine that is busy, or asleep, delays the looks as well.
const (
	look     = time.Second
	patience = 120
	little   = 100 * time.Millisecond // the looks themselves take some
)

// Watch ends the program of a test that hangs: of one that uses no processor for two minutes. A test
// may stop it before its end. What goes round in circles for ever is ended by the -timeout of go test.
func Watch(t testing.TB) (stop func()) {
	stop = watch(processorTime, func() {
		debug.SetTraceback("all")
		panic("the run hangs: " + t.Name())
	})
	t.Cleanup(stop)
	return stop
}

// watch calls hangs when the time that used returns does not grow.
func watch(used func() time.Duration, hangs func()) (stop func()) {
	var stopped atomic.Bool
	var timer atomic.Pointer[time.Timer]
	last, looks := used(), 0
	var next func()
	next = func() {
		now := used()
		if looks++; now-last >= little {
			last, looks = now, 0
		}
		switch {
		case stopped.Load():
		case looks == patience:
			hangs()
		default:
			timer.Store(time.AfterFunc(look, next))
		}
	}
	timer.Store(time.AfterFunc(look, next))
	return func() {
		stopped.Store(true)
		timer.Load().Stop()
	}
}

// Limit returns after how long a test ends processes that do not end by themselves: shortly before go
// test ends the test, so that it can tell what they have printed. How fast the machine is decides nothing,
// since the -timeout of go test is far more than all tests take.
func Limit(t testing.TB) time.Duration {
	if t, is := t.(interface{ Deadline() (time.Time, bool) }); is {
		if end, has := t.Deadline(); has {
			return time.Until(end) * 19 / 20
		}
	}
	return 24 * time.Hour
}

// RankLimit is the limit of a rank that is a test itself: it ends a little earlier, and reports what its
// goroutines do.
func RankLimit(t testing.TB) time.Duration { return Limit(t) * 19 / 20 }
