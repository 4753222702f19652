// Package outside has handlers that depend on more than the seed.
package outside

import (
	crand "crypto/rand"
	"hash/maphash"
	"math/rand"
	randv2 "math/rand/v2"
	"time"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/rng"
)

type state struct {
	N      int64
	At     float64
	Source *randv2.Rand
}

type msg struct{ N int64 }

var wrong = ross.Type[state]{
	Init: func(s *state, _ *ross.LP) {
		s.N = time.Now().UnixNano() // want `time.Now in a handler: real time differs from run to run, and so do results: use lp.Now\(\), the virtual time, and ross.After to wait`
	},
	PreRun: func(s *state, _ *ross.LP) {
		s.N = int64(rand.Intn(3)) // want `rand.Intn in a handler: its draws are neither those of the seed nor undone with the event: draw from lp.RNG\(\)`
	},
	Event: ross.On(event).Reverse(func(s *state, _ *ross.LP, _ *msg) {
		s.At -= time.Since(start).Seconds() // want `time.Since in a handler`
		s.N = 0
	}),
	Point: func(s *state, _ *ross.LP, buf []byte) {
		_, _ = crand.Read(buf) // want `rand.Read in a handler`
	},
}

var start time.Time

func event(s *state, lp *ross.LP, _ *msg) {
	s.At += 1
	s.N = int64(randv2.IntN(3))    // want `rand.IntN in a handler`
	s.N = int64(s.Source.Uint64()) // want `a generator of math/rand/v2 in a handler`
	time.Sleep(time.Millisecond)   // want `time.Sleep in a handler`
	deeper(lp)
}

func deeper(lp *ross.LP) {
	draw := rand.Float64 // want `rand.Float64 in a handler`
	ross.Send(lp, 0, draw(), msg{})
	_ = maphash.MakeSeed() // want `maphash.MakeSeed in a handler`
	//rossvet:ignore
	<-time.After(time.Second) // want `time.After in a handler` `receive from a channel`
}

var right = ross.Type[state]{
	Init: func(s *state, lp *ross.LP) {
		fixed := randv2.New(randv2.NewPCG(1, uint64(lp.ID())))
		s.N = int64(fixed.IntN(7))
	},
	Event: ross.On(func(s *state, lp *ross.LP, _ *msg) {
		s.At = lp.Now() + time.Duration(3).Seconds()
		stream := lp.RNG()
		ross.Send(lp, 0, stream.Exponential(1), msg{N: rng.Choice(stream, []int64{1, 2})})
		measured := time.Now() //rossvet:ignore the time is only logged
		_ = measured
		//rossvet:ignore the time is only logged
		_ = time.Now()
	}).Commit(func(*state, *ross.LP, *msg) { _ = time.Now() }),
	Final: func(s *state, _ *ross.LP) { s.N = time.Now().Unix() },
}

// typeOf makes a type of functions that it is given.
func typeOf[S any](event func(*S, *ross.LP, *msg)) ross.LPType {
	return ross.Type[S]{Event: ross.Events(ross.On(event), ross.On(handler[S]()))}
}

// handler makes a handler.
func handler[S any]() func(*S, *ross.LP, *state) {
	return func(*S, *ross.LP, *state) {
		_ = rand.Int() // want `rand.Int in a handler`
	}
}

func given(s *state, _ *ross.LP, _ *msg) {
	s.N = rand.Int63() // want `rand.Int63 in a handler`
}

// assigned sets the fields of a type.
func assigned() ross.LPType {
	var t ross.Type[state]
	t.Event = ross.On(func(s *state, _ *ross.LP, _ *msg) {
		s.N = rand.Int63() // want `rand.Int63 in a handler`
	})
	event := t.Event
	t.Event = ross.Events(event, ross.On(func(s *state, lp *ross.LP, m *state) { s.N = m.N }))
	return t
}

// elapsed is no handler.
func elapsed() time.Duration { return time.Since(start) }

var _ = []any{typeOf(given), assigned, wrong, right, elapsed}
