// Scripts: the pushes and pops in the tests of the queue's shape and work.

package pq

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/event"
)

// player plays a script on a queue.
type player struct {
	t     testing.TB
	arena *event.Arena
	q     *EventSet
	r     *rand.Rand
	now   float64 // time of the last key popped
	depth int     // most rungs seen
	seen  func(*EventSet)
}

func newPlayer(t testing.TB, impl string) *player {
	arena, err := event.NewArena(8, 1<<20, nil)
	require.NoError(t, err)
	q, err := NewEventSet(arena, impl, 0)
	require.NoError(t, err)
	t.Cleanup(func() {
		q.Close()
		arena.Release()
	})
	return &player{t: t, arena: arena, q: q, r: rand.New(rand.NewPCG(1, 2))}
}

func (p *player) push(time, prio float64) {
	e, i, err := p.arena.Alloc()
	require.NoError(p.t, err)
	*e = event.Event{Time: time, Prio: prio, Tie: p.r.Float64(), State: event.Pending}
	p.q.Push(event.KeyOf(e, i))
	p.look()
}

func (p *player) pop() {
	k, ok := p.q.Pop()
	if !ok {
		p.t.Fatal("the queue is empty")
	}
	p.now = k.Time()
	p.arena.Free(p.arena.At(k.Index()), k.Index())
	p.look()
}

func (p *player) look() {
	p.depth = max(p.depth, p.q.Depth())
	if p.seen != nil {
		p.seen(p.q)
	}
}

// script is n pushes and n pops at least, in 3n operations at most.
type script struct {
	name string
	play func(p *player, n int)
}

// fill pushes n keys, pops half of them, and puts another in for each of the
// other half that it pops.
func fill(next func(p *player) (time, prio float64)) func(p *player, n int) {
	return func(p *player, n int) {
		for range n {
			p.push(next(p))
		}
		for range n / 2 {
			p.pop()
		}
		for range n / 2 {
			p.pop()
			p.push(next(p))
		}
		for p.q.Len() > 0 {
			p.pop()
		}
	}
}

var scripts = []script{
	{"all equal", fill(func(*player) (float64, float64) { return 1, 1 })},
	{"all equal in 96 bits", fill(func(*player) (float64, float64) { return 1, 0.3 })},
	{"few times", fill(func(p *player) (float64, float64) { return math.Floor(p.now) + float64(p.r.IntN(4)), 1 })},
	{"clusters", fill(func(p *player) (float64, float64) { return float64(p.r.IntN(5)) + 1e-15*float64(p.r.IntN(3)), 1 })},
	{"clusters of clusters", fill(func(p *player) (float64, float64) {
		t := 1.0
		for scale := 1.0; scale > 1e-15; scale /= 1000 {
			t += scale * float64(p.r.IntN(2))
		}
		return t, 1
	})},
	{"1e-300 to 1e300", fill(func(p *player) (float64, float64) { return math.Pow(10, 600*p.r.Float64()-300), 1 })},
	{"any bits", fill(func(p *player) (float64, float64) { return math.Float64frombits(p.r.Uint64N(timeEnd)), 1 })},
	{"exponential", fill(func(p *player) (float64, float64) { return p.now + p.r.ExpFloat64(), 1 })},
	{"ever nearer", fill(func(p *player) (float64, float64) {
		if p.now == 0 {
			return 1, 1
		}
		return math.Nextafter(p.now, 0), 1
	})},
	{"ever finer bursts", burst},
	{"descending", func(p *player, n int) { descend(p, n, func(i int) float64 { return float64(i) }) }},
	{"descending by powers", func(p *player, n int) {
		descend(p, n, func(i int) float64 { return math.Pow(10, 600*float64(i)/float64(n+300)-300) })
	}},
	{"ascending", func(p *player, n int) {
		for i := range n {
			p.push(float64(i), 1)
		}
		for range n {
			p.pop()
		}
	}},
}

// burst has many keys wait and pushes others between the least two of them, each
// nearer than the one before by a part of the gap.
func burst(p *player, n int) {
	for range n / 2 {
		p.push(p.r.ExpFloat64(), 1)
	}
	for left := n / 2; left > 0; {
		p.pop()
		for gap := 1e-6; gap > 1e-15 && left > 0; left-- {
			p.push(p.now+gap, 1)
			gap *= 0.96
		}
	}
	for p.q.Len() > 0 {
		p.pop()
	}
}

// descend pushes every key before all others; the first pop comes early, so
// that the others are pushed into the window and spilled from it.
func descend(p *player, n int, time func(i int) float64) {
	for i := n; i > 0; i-- {
		p.push(time(i), 1)
		if i == n-300 {
			p.pop()
		}
	}
	for p.q.Len() > 0 {
		p.pop()
	}
}
