// This file owns the tests that look into the queue: the shape of the ladder, which is bounded in depth and the
// same in C and in Go, with the scripts that are played on it; the work that operations cost, counted by the Go ladder
// under the build tag invariants: no clock, and the same on every machine; and Queue with any values, against a slice
// that is sorted stably.

package pq

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/stretchr/testify/require"
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

// maxDepth is what the deepest script needs, with room: a rung divides its
// span by the number of its buckets, so depth is some log of 2^63.
const maxDepth = 8

// shape is where the keys of a queue are.
type shape struct {
	window, staged uint32
	far            uint64
	rungs          int
	boundTS        uint64
	boundLo        uint64
}

func shapeOf(q *EventSet) shape {
	return shape{q.w.n, q.w.staged, q.w.far, q.Depth(), q.w.boundTS, q.w.boundLo}
}

// TestTheLadderStaysShallow also requires that C and Go have the same shape
// after every operation, so that counts of one hold for the other.
func TestTheLadderStaysShallow(t *testing.T) {
	for _, s := range scripts {
		t.Run(s.name, func(t *testing.T) { s.staysShallow(t, 1<<13) })
	}
}

// TestALargeLadderStaysShallow plays scripts with enough keys for the outermost rung to be coarse.
func TestALargeLadderStaysShallow(t *testing.T) {
	for _, s := range scripts {
		if !testlevel.Few.LeavesOut(s.name, "any bits", "exponential") {
			t.Run(s.name, func(t *testing.T) { s.staysShallow(t, 5*many/4) })
		}
	}
}

func (s script) staysShallow(t *testing.T, n int) {
	var shapes []shape
	p := newPlayer(t, "go")
	p.seen = func(q *EventSet) {
		shapes = append(shapes, shapeOf(q))
		if len(shapes)%(n/2) == 0 {
			require.NoError(t, q.Check())
		}
	}
	s.play(p, n)
	require.NoError(t, p.q.Check())
	require.LessOrEqual(t, p.depth, maxDepth)
	t.Logf("depth %d", p.depth)
	if !csrc.Enabled {
		return
	}
	at := 0
	p = newPlayer(t, "c")
	p.seen = func(q *EventSet) {
		if got := shapeOf(q); got != shapes[at] {
			t.Fatalf("after %d operations: C has %+v, Go %+v", at+1, got, shapes[at])
		}
		if at++; at%(n/2) == 0 {
			require.NoError(t, q.Check())
		}
	}
	s.play(p, n)
	require.Len(t, shapes, at)
}

// TestManyKeysComeInOrder pushes no key before the one popped last, so that the queue is right if no key that it gives
// is before the one given last, and if it gives each key once.
func TestManyKeysComeInOrder(t *testing.T) {
	const most, pushes = 3 * many / 2, 7 * many / 2
	r := testrand.New(t)
	for name, next := range map[string]func(now float64) float64{
		"exponential":  func(now float64) float64 { return now + r.ExpFloat64() },
		"near and far": func(now float64) float64 { return now + math.Pow(10, 9*r.Float64()-6) },
		"few bits":     func(now float64) float64 { return max(now, 1) + 0x1p-40*float64(r.IntN(1<<9)) },
		"any bits": func(now float64) float64 {
			from := math.Float64bits(now)
			return math.Float64frombits(from + r.Uint64N(timeEnd-from))
		},
	} {
		for _, impl := range Impls() {
			q, err := NewEventSet(&event.Arena{Lines: &event.Lineages{}}, impl, 0)
			require.NoError(t, err)
			var last event.Key
			given, popped := make([]bool, pushes), 0
			pop := func() {
				k, ok := q.Pop()
				if !ok || k.Less(last) || given[k.Index()] {
					t.Fatalf("%s, %s: %v (%v) after %v, %d keys", name, impl, k, ok, last, popped)
				}
				last, given[k.Index()] = k, true
				popped++
			}
			for i := range uint64(pushes) {
				// No two keys agree in 96 bits, and those of one time come in the order of their pushes.
				q.Push(event.Key{TS: math.Float64bits(next(last.Time())), Lo: i<<32 | i})
				if q.Len() > most {
					pop()
				}
				if i%many == many-1 {
					require.NoError(t, q.Check(), "%s, %s", name, impl)
				}
			}
			for q.Len() > 0 {
				pop()
			}
			require.Equal(t, pushes, popped)
			q.Close()
		}
	}
}

type entry struct {
	time float64
	name *int
}

// compare plays n random pushes and pops, with first as the number of the first Push.
func compare(t *testing.T, impl string, r *rand.Rand, first uint32, n int) {
	q, err := New[*int](impl)
	require.NoError(t, err)
	defer q.Close()
	q.next = first
	var model []entry // ascending
	now, spread := 0.0, []float64{0, 1, 1000, 1e300}[r.IntN(4)]
	take := func() {
		time, least, ok := q.Min()
		require.Equal(t, len(model) > 0, ok)
		popped, name, also := q.Pop()
		require.Equal(t, ok, also)
		if ok {
			require.Equal(t, model[0].time, popped)
			require.Same(t, model[0].name, name)
			require.Equal(t, popped, time)
			require.Same(t, name, least)
			now, model = time, model[1:]
		}
	}
	for i := range n {
		if r.IntN(9) < 4 || i > n/2 && r.IntN(3) > 0 {
			take()
			continue
		}
		e := entry{now + math.Trunc(spread*r.Float64()*4)/4, new(int)}
		if r.IntN(8) == 0 { // before what was popped last
			e.time = now * r.Float64()
		}
		require.NoError(t, q.Push(e.time, e.name))
		at, _ := slices.BinarySearchFunc(model, e, func(x, y entry) int {
			if x.time <= y.time {
				return -1
			}
			return 1
		})
		model = slices.Insert(model, at, e)
		require.Equal(t, len(model), q.Len())
	}
	for len(model) > 0 {
		take()
	}
	take()
	require.Zero(t, q.Len())
	require.NoError(t, q.Err())
	for _, v := range q.values {
		require.Nil(t, v, "the queue keeps a value that was popped from the collector")
	}
}

func TestAQueueIsASortedSlice(t *testing.T) {
	r := testrand.New(t)
	for _, impl := range Impls() {
		for range testlevel.Times(60, 20) {
			compare(t, impl, r, 0, 3000)
		}
	}
}

// The number of a Push has 32 bits; after 2^32 of them values are numbered anew.
func TestValuesOfOneTimeKeepTheirOrderWhenNumbersEnd(t *testing.T) {
	r := testrand.New(t)
	for _, impl := range Impls() {
		for range testlevel.Times(20, 8) {
			compare(t, impl, r, math.MaxUint32-uint32(r.IntN(900)), 3000)
		}
	}
}

func TestAQueueRefusesWhatHasNoPlaceInItsOrder(t *testing.T) {
	q, err := New[string]("")
	require.NoError(t, err)
	defer q.Close()
	for _, time := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, -math.SmallestNonzeroFloat64} {
		require.ErrorContains(t, q.Push(time, "lost"), "give a finite time that is at least 0")
	}
	require.Zero(t, q.Len())
	for _, time := range []float64{math.MaxFloat64, math.Copysign(0, -1), 0, math.SmallestNonzeroFloat64} {
		require.NoError(t, q.Push(time, "kept"))
	}
	for _, want := range []float64{0, 0, math.SmallestNonzeroFloat64, math.MaxFloat64} {
		time, v, ok := q.Pop()
		require.True(t, ok)
		require.Equal(t, math.Float64bits(want), math.Float64bits(time))
		require.Equal(t, "kept", v)
	}
	_, err = New[string]("heap")
	require.ErrorContains(t, err, "heap: unknown event queue: use c or go")
}

// TestAQueueWithoutMemorySaysSo has the ladder fail as it does when the system refuses memory.
func TestAQueueWithoutMemorySaysSo(t *testing.T) {
	for _, impl := range Impls() {
		q, err := New[int](impl)
		require.NoError(t, err)
		require.NoError(t, q.Push(1, 1))
		q.set.w.failed = 1
		require.ErrorIs(t, q.Push(2, 2), ErrMemory)
		require.ErrorIs(t, q.Err(), ErrMemory)
		_, _, ok := q.Min()
		require.False(t, ok)
		_, _, ok = q.Pop()
		require.False(t, ok)
		q.Close()
	}
}

// TestWorkGrowsAsNLogN plays the scripts at two sizes. Each may cost some steps
// times n log n, and the larger size no more of them than the smaller.
func TestWorkGrowsAsNLogN(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("steps are counted under the build tag invariants")
	}
	const (
		small, large = 1 << 11, 1 << 16
		most         = 6 // steps for each n log2 n
	)
	for _, s := range scripts {
		t.Run(s.name, func(t *testing.T) {
			perNLogN := func(n int) float64 {
				p := newPlayer(t, "go")
				s.play(p, n)
				steps := p.q.back.(*twin).steps + p.q.steps
				t.Logf("n = %d: %.1f steps for each n, %d rungs", n, float64(steps)/float64(n), p.depth)
				return float64(steps) / (float64(n) * math.Log2(float64(n)))
			}
			a, b := perNLogN(small), perNLogN(large)
			require.Less(t, a, float64(most))
			require.Less(t, b, float64(most))
			require.Less(t, b, 1.5*a+0.5)
			require.NotZero(t, a, "nothing is counted")
		})
	}
}
