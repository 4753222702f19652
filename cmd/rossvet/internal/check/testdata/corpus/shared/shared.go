// Package shared has handlers that write what all LPs share.
package shared

import (
	"strings"
	"sync"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/stats"
)

type state struct{ N int64 }

type msg struct{ N int64 }

type counter struct{ n, limit int64 }

func (c *counter) add()       { c.n++ }
func (c *counter) get() int64 { return c.n }

var (
	total   int64
	byLP    = map[ross.LPID]int64{}
	list    []int64
	fixed   = [4]int64{1, 2, 3, 4}
	tally   counter
	pointer = &counter{}
	lines   strings.Builder
	hist    stats.Tally
	limit   = int64(3)
	mu      sync.Mutex
	guarded int64
	slots   = make([]int64, 1000)
	shown   int64
)

var wrong = ross.Type[state]{
	Init: func(s *state, lp *ross.LP) {
		total = 0 // want `a handler writes the variable total: PEs share it, and no rollback undoes it: keep it in the state, add up after the run \(ross.Reduce\), or record it in package stats`
	},
	Event: ross.On(event).Reverse(func(s *state, lp *ross.LP, _ *msg) {
		s.N--
		total-- // want `a handler writes the variable total`
	}).Commit(func(s *state, lp *ross.LP, _ *msg) {
		byLP[lp.ID()]++ // want `a handler writes the variable byLP`
	}),
}

func event(s *state, lp *ross.LP, m *msg) {
	s.N++
	total++                      // want `a handler writes the variable total`
	byLP[lp.ID()] = 1            // want `a handler writes the variable byLP`
	delete(byLP, 3)              // want `a handler writes the variable byLP`
	list = append(list, 1)       // want `a handler writes the variable list`
	fixed[2] += m.N              // want `a handler writes the variable fixed`
	tally.n = 2                  // want `a handler writes the variable tally`
	tally.add()                  // want `a handler writes the variable tally`
	pointer.add()                // want `a handler writes the variable pointer`
	lines.WriteString("event\n") // want `a handler writes the variable lines`
	hist.Add(lp, 1)              // want `a handler writes the variable hist`
	alias := &total
	*alias = 4               // want `a handler writes the variable total`
	bump(&tally.n)           // want `a handler writes the variable tally`
	m.N = total              // want `a handler reads total, which handlers write: what it is depends on the scheduler`
	clear(byLP)              // want `a handler writes the variable byLP`
	copy(list, []int64{2})   // want `a handler writes the variable list`
	if tally.get() > limit { // want `a handler reads tally, which handlers write`
		return
	}
}

func bump(n *int64) { *n++ }

type params struct {
	rate    float64
	handled int64
	seen    []int64
	book    counter
}

func (p *params) types() []ross.LPType {
	count := 0
	var got []int64
	return []ross.LPType{
		ross.Type[state]{Event: ross.Events(ross.On(p.event), ross.On(p.other))},
		ross.Type[state]{Event: ross.On(func(s *state, _ *ross.LP, m *msg) {
			count++                // want `a handler writes count, a variable around it: PEs share it, and no rollback undoes it`
			got = append(got, m.N) // want `a handler writes got, a variable around it`
			p.handled++            // want `a handler writes p, a variable around it`
			p.book.add()           // want `a handler writes p, a variable around it`
		})},
	}
}

func (p *params) event(s *state, lp *ross.LP, m *msg) {
	p.handled++ // want `a handler writes p.handled: p is the same for all LPs, PEs share it, and no rollback undoes it`
	p.note(m.N)
	s.N = int64(p.rate)
}

func (p *params) note(n int64) {
	p.seen = append(p.seen, n) // want `a handler writes p.seen: p is the same for all LPs`
}

func (p *params) other(s *state, lp *ross.LP, m *counter) {
	m.add()
	s.N += m.limit + fixedSum()
}

func fixedSum() (sum int64) {
	for _, n := range slots[:4] {
		sum += n
	}
	return sum
}

// setUp is no handler.
func setUp() {
	limit = 7
	total = 0
	tally = counter{}
}

type model struct {
	rate  float64
	slots []int64
}

func (m *model) right() ross.LPType {
	return ross.Type[state]{
		Event: ross.On(func(s *state, lp *ross.LP, in *msg) {
			local := counter{limit: limit}
			local.add()
			p := &local
			p.n++
			s.N += int64(m.rate) + local.get()
			in.N = limit
			sum := 0
			each := func() { sum++ }
			each()
			shown++ //rossvet:ignore only a debugger looks at it
		}).Commit(func(s *state, lp *ross.LP, _ *msg) {
			mu.Lock()
			defer mu.Unlock()
			guarded++
		}),
		Final: func(s *state, _ *ross.LP) { total += s.N },
		Init:  func(s *state, lp *ross.LP) { m.slots[lp.ID()] = 1; slots[lp.ID()] = 2 },
	}
}

var _ = []any{wrong, setUp, (*params).types, (*model).right}
