// Package concurrent has handlers that meet goroutines.
package concurrent

import (
	"sync"
	"sync/atomic"

	"github.com/ross-go/ross"
)

type state struct{ N int64 }

type msg struct{ N int64 }

type hub struct {
	mu     sync.Mutex
	events atomic.Int64
	plain  int64
	done   chan int64
	wait   sync.WaitGroup
	seen   sync.Map
	once   sync.Once
	pool   sync.Pool
}

func (h *hub) wrong() ross.LPType {
	return ross.Type[state]{
		Init: func(s *state, lp *ross.LP) {
			go h.watch() // want `go statement in a handler: the goroutine runs on when the handler has returned, and is not undone`
		},
		Event: ross.On(h.event).Commit(func(*state, *ross.LP, *msg) { go h.watch() }), // want `go statement in a handler`
	}
}

func (h *hub) watch() {}

func (h *hub) event(s *state, lp *ross.LP, m *msg) {
	go func() { // want `go statement in a handler`
		ross.Send(lp, 0, 1, msg{})
	}()
	h.done <- 1    // want `send on a channel in a handler: the order of goroutines is not that of virtual time`
	m.N = <-h.done // want `receive from a channel in a handler`
	select {       // want `select in a handler`
	case m.N = <-h.done:
	default:
	}
	for n := range h.done { // want `receive from a channel in a handler`
		m.N = n
	}
	close(h.done)                   // want `close of a channel in a handler`
	h.mu.Lock()                     // want `sync.Mutex.Lock in a handler: what goroutines share depends on their order`
	h.mu.Unlock()                   // want `sync.Mutex.Unlock in a handler`
	h.events.Add(1)                 // want `atomic.Int64.Add in a handler`
	atomic.AddInt64(&h.plain, 1)    // want `atomic.AddInt64 in a handler`
	h.wait.Wait()                   // want `sync.WaitGroup.Wait in a handler`
	h.seen.Store(lp.ID(), lp.Now()) // want `sync.Map.Store in a handler`
}

func (h *hub) right() ross.LPType {
	return ross.Type[state]{
		Init: func(s *state, lp *ross.LP) { h.once.Do(func() { h.plain = 1 }) },
		Event: ross.On(func(s *state, lp *ross.LP, _ *msg) {
			buffer := h.pool.Get()
			h.pool.Put(buffer)
			if h.events.Load() > 0 { // a limit that main has set
				s.N++
			}
		}).Commit(func(s *state, lp *ross.LP, _ *msg) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.plain++
			h.done <- h.plain
		}),
		Final: func(*state, *ross.LP) { close(h.done) },
	}
}

// serve is no handler.
func (h *hub) serve() {
	go func() { h.done <- 1 }()
	<-h.done
}
