// This file owns the tests of Tree and Log by their API, what they allocate, the examples, and the
// benchmarks against a Go map of the same keys.

package avl_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ross-go/ross/avl"
	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/internal/testing/avltest"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/testalloc"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/stretchr/testify/require"
)

func TestConformance(t *testing.T) {
	for _, impl := range avl.Impls() {
		t.Run(impl, func(t *testing.T) { avltest.Run(t, impl) })
	}
}

func FuzzTree(f *testing.F) {
	f.Add([]byte{0, 0, 0x38, 0, 0x78, 1, 0x3c, 0, 0x3d, 3, 0x3e, 128})
	f.Add([]byte{0x3b, 1, 0x3b, 3, 0x3b, 7, 0x3f, 255, 0x3c, 6})
	f.Add([]byte{0x3b, 0, 0xf8, 255, 0xbb, 9, 0xbb, 8, 0x24, 77, 0x15, 4})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 128 {
			data = data[:128]
		}
		for _, impl := range avl.Impls() {
			avltest.Fuzz(t, impl, data)
		}
	})
}

func TestUnknownImplementationIsRefused(t *testing.T) {
	base := avltest.NewSlots(t, 1).Base()
	_, err := avl.New(base, avltest.Stride, "splay")
	require.ErrorContains(t, err, "splay: unknown implementation: use c or go")
	if !csrc.Enabled {
		_, err = avl.New(base, avltest.Stride, "c")
		require.ErrorContains(t, err, "built without cgo")
	}
	tree, err := avl.New(base, avltest.Stride, "")
	require.NoError(t, err)
	require.Equal(t, avl.Impls()[0], tree.Impl())
	tree.Close()
}

func TestMemoryThatNodesCannotLieInIsRefused(t *testing.T) {
	base := avltest.NewSlots(t, 1).Base()
	for _, wrong := range []struct {
		name   string
		base   unsafe.Pointer
		stride uintptr
	}{
		{"no memory", nil, 64},
		{"not aligned", unsafe.Add(base, 4), 64},
		{"too near", base, 24},
		{"stride not aligned", base, 36},
	} {
		_, err := avl.New(wrong.base, wrong.stride, "")
		require.ErrorContains(t, err, "give memory that is aligned", wrong.name)
	}
}

// logged is an event of a Log, as a map has it.
type logged struct {
	at   uint64
	sent float64
}

// TestLogFindsWhatAMapFinds compares a Log with a map: events of several sources come, some are looked up, new and
// old ones, and GVT passes some.
func TestLogFindsWhatAMapFinds(t *testing.T) {
	for _, impl := range avl.Impls() {
		for _, sources := range []int{1, 2, 7, 300} {
			t.Run(fmt.Sprintf("%s,%d", impl, sources), func(t *testing.T) {
				r := testrand.New(t)
				room := []int{0, 64, 1024}[sources%3]
				l, err := avl.NewLog(room, impl)
				require.NoError(t, err)
				defer l.Close()
				has := map[[2]uint64]logged{}
				var keys [][2]uint64
				last := make([]uint64, sources)
				gvt, now, peak := 0.0, 0.0, 0
				for i := range last {
					last[i] = 1<<32 - 1000 + r.Uint64N(2000)
				}
				for range 20_000 {
					now += r.ExpFloat64()
					s := r.IntN(sources)
					last[s] += 1 + r.Uint64N(3)
					e := logged{r.Uint64(), now + 1000*r.ExpFloat64()}
					if r.IntN(4) == 0 {
						e.sent = gvt
					}
					l.Add(uint32(s), last[s], e.at, e.sent)
					peak = max(peak, l.Len())
					require.LessOrEqual(t, l.InTrees(), l.Len())
					k := [2]uint64{uint64(s), last[s]}
					has[k] = e
					keys = append(keys, k)
					for r.IntN(8) == 0 {
						k := keys[len(keys)-1-int(float64(len(keys))*r.Float64()*r.Float64()*r.Float64())]
						if e, ok := has[k]; ok && e.sent >= gvt { // others are not looked for
							at, sent, ok := l.Find(uint32(k[0]), k[1])
							require.True(t, ok, "event %d of source %d", k[1], k[0])
							require.Equal(t, e, logged{at, sent})
						}
						if r.IntN(8) == 0 {
							_, _, ok := l.Find(uint32(k[0]), k[1]^1<<50)
							require.False(t, ok)
						}
					}
					if l.Due() && r.IntN(8) == 0 || r.IntN(2000) == 0 {
						gvt = now - 100*r.Float64()
						for _, e := range has { // the time at which one was sent
							gvt = max(gvt, min(e.sent, now))
							break
						}
						l.Sweep(gvt)
						kept := 0
						for k, e := range has {
							if e.sent < gvt {
								delete(has, k)
							} else {
								kept++
							}
						}
						require.Equal(t, kept, l.Len(), "what was sent before GVT goes, and nothing else")
						require.LessOrEqual(t, l.Room(), 4*max(2*kept, room, 2))
					}
				}
				s := l.Steps()
				require.Equal(t, s.Tree, l.TreeSearches())
				most, inTrees := l.Most()
				require.Equal(t, peak, most)
				require.Less(t, inTrees, most, "the newest are in no tree")
				require.Equal(t, sources > 1, inTrees > 0)
				if sources == 1 {
					require.Positive(t, s.Sorted)
					require.Zero(t, s.Tree)
				} else {
					require.Positive(t, s.New)
					require.Positive(t, s.Tree)
					require.Positive(t, s.Built)
				}
			})
		}
	}
}

func TestLogOfAnUnknownImplementationIsRefused(t *testing.T) {
	_, err := avl.NewLog(0, "splay")
	require.ErrorContains(t, err, "splay: unknown implementation: use c or go")
}

// TestLogFindsWithoutMemoryForItsTree has a budget that refuses the nodes, has them, and refuses more of them.
func TestLogFindsWithoutMemoryForItsTree(t *testing.T) {
	for _, impl := range avl.Impls() {
		budget, full := mem.NewBudget(1<<30), true
		budget.Refuse = func(uint64) bool { return full }
		l, err := avl.NewChargedLog(64, impl, budget)
		require.NoError(t, err)
		add := func(from, to uint64) {
			for i := from; i < to; i++ {
				l.Add(uint32(i%3), i, 10*i, float64(i))
			}
		}
		find := func(first, n uint64) {
			for i := first; i < n; i += 11 {
				at, sent, ok := l.Find(uint32(i%3), i)
				require.True(t, ok, "event %d of %d", i, n)
				require.Equal(t, logged{10 * i, float64(i)}, logged{at, sent})
				_, _, ok = l.Find(uint32(i+1)%3, i)
				require.False(t, ok)
			}
		}
		add(0, 1000)
		find(0, 1000)
		require.Zero(t, l.Steps().Tree)
		require.Zero(t, budget.Used())
		full = false
		find(0, 1000)
		require.Positive(t, l.Steps().Tree)
		used := budget.Used()
		require.Positive(t, used)
		require.Equal(t, used, l.Charged())
		full = true
		add(1000, 20_000)
		find(0, 20_000)
		l.Sweep(5000)
		find(5000, 20_000)
		require.Equal(t, used, budget.Used())
		l.Close()
		require.Zero(t, budget.Used(), "the budget has its memory back")
	}
}

// TestALargeLogGrowsSlowly because twice the memory of much is much.
func TestALargeLogGrowsSlowly(t *testing.T) {
	l, err := avl.NewLog(2, "")
	require.NoError(t, err)
	defer l.Close()
	for i := range uint64(testlevel.Times(1_000_000, 200_000)) {
		l.Add(0, i, i, 1)
		require.LessOrEqual(t, l.Room(), max(2*l.Len(), 2, l.Len()+l.Len()/4+1<<16))
	}
}

// slot is an event's slot; its node is in the part that is seldom used.
type slot struct {
	time float64
	node avl.Node
}

// Events 41 and 42 arrive from process 3; then an anti-message cancels 42.
func ExampleTree() {
	pool, err := buddy.New("", 1<<20)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	slots, err := pool.Alloc(100 * unsafe.Sizeof(slot{}))
	if err != nil {
		fmt.Println(err)
		return
	}
	events := unsafe.Slice((*slot)(slots), 100)

	tree, err := avl.New(unsafe.Pointer(&events[0].node), unsafe.Sizeof(slot{}), "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tree.Close()

	events[17] = slot{time: 1.5, node: avl.Node{Source: 3, ID: 41}}
	events[5] = slot{time: 2.5, node: avl.Node{Source: 3, ID: 42}}
	if err := tree.Insert([]uint32{17, 5}); err != nil {
		fmt.Println(err)
	}

	if i, ok := tree.Find(3, 42); ok {
		fmt.Println("cancelled: the event at", events[i].time)
		if err := tree.Remove([]uint32{i}); err != nil {
			fmt.Println(err)
		}
	}
	_, ok := tree.Find(3, 42)
	fmt.Println("found again:", ok)

	err = tree.Remove([]uint32{17, 5})
	fmt.Println("removed twice:", errors.Is(err, avl.ErrNode), tree.Len())
	// Output:
	// cancelled: the event at 2.5
	// found again: false
	// removed twice: true 0
}

// Events arrive from processes 0 and 1; an anti-message cancels one; then GVT passes what sent the first.
func Example() {
	arrivals, err := avl.NewLog(1024, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer arrivals.Close()

	arrivals.Add(0, 1, 17, 0.5) // event 1 of process 0, sent at 0.5, is in slot 17
	arrivals.Add(1, 1, 18, 0.8)
	arrivals.Add(0, 2, 19, 0.9)

	slot, sent, _ := arrivals.Find(0, 2)
	fmt.Println("cancelled: slot", slot, "sent at", sent)

	arrivals.Sweep(0.8)
	_, _, ok := arrivals.Find(0, 1)
	fmt.Println("event 1 of process 0:", ok)
	fmt.Println("in the log:", arrivals.Len())
	// Output:
	// cancelled: slot 19 sent at 0.9
	// event 1 of process 0: false
	// in the log: 2
}

const (
	benchBatch   = 64
	benchSources = 4
)

// index is what the benchmark asks of the index or of the map.
type index interface {
	Insert(nodes []uint32) error
	Remove(nodes []uint32) error
	Find(source uint32, id uint64) (uint32, bool)
}

// mapIndex is the baseline.
type mapIndex struct {
	slots *avltest.Slots
	m     map[avltest.Key]uint32
}

func (x mapIndex) key(i uint32) avltest.Key {
	n := x.slots.Node(i)
	return avltest.Key{Source: n.Source, ID: n.ID}
}

func (x mapIndex) Insert(nodes []uint32) error {
	for _, i := range nodes {
		x.m[x.key(i)] = i
	}
	return nil
}

func (x mapIndex) Remove(nodes []uint32) error {
	for _, i := range nodes {
		delete(x.m, x.key(i))
	}
	return nil
}

func (x mapIndex) Find(source uint32, id uint64) (uint32, bool) {
	i, ok := x.m[avltest.Key{Source: source, ID: id}]
	return i, ok
}

// traffic is a ring of nodes in the order of their ids. Slots are in random order,
// as those of a free list are after a while.
type traffic struct {
	index
	slots *avltest.Slots
	ring  []uint32
	next  uint64
	n     int
	order string
	r     *rand.Rand
}

func newTraffic(b *testing.B, impl string, n int, order string) *traffic {
	slots := avltest.NewSlots(b, uint32(n+benchBatch))
	t := &traffic{slots: slots, n: n, order: order, r: rand.New(rand.NewPCG(31, 1))}
	if impl == "map" {
		t.index = mapIndex{slots, map[avltest.Key]uint32{}}
	} else {
		tree, err := avl.New(slots.Base(), avltest.Stride, impl)
		require.NoError(b, err)
		b.Cleanup(tree.Close)
		t.index = tree
	}
	for range n + benchBatch {
		t.ring = append(t.ring, slots.Make(avltest.Key{}))
	}
	t.r.Shuffle(len(t.ring), func(i, j int) { t.ring[i], t.ring[j] = t.ring[j], t.ring[i] })
	for at := 0; at < n; at += benchBatch {
		t.give(t.ring[at : at+benchBatch])
		require.NoError(b, t.Insert(t.ring[at:at+benchBatch]))
	}
	return t
}

// give gives nodes the next ids, 16 of a source in a row.
func (t *traffic) give(nodes []uint32) {
	for _, i := range nodes {
		n := t.slots.Node(i)
		n.Source, n.ID = uint32(t.next/16%benchSources), t.next
		t.next++
	}
	if t.order == "random" {
		t.r.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	}
}

// leaving moves the nodes that are to be removed to the ring's last places, where
// those inserted last are.
func (t *traffic) leaving() []uint32 {
	last := t.ring[t.n:]
	if t.order == "rollback" { // the newest, newest first
		slices.Reverse(last)
		return last
	}
	for k := range last {
		at := (int(t.next) + k) % t.n // the oldest
		if t.order == "random" {
			at = t.r.IntN(t.n)
		}
		t.ring[at], last[k] = last[k], t.ring[at]
	}
	return last
}

// BenchmarkLife inserts an event, finds it, and removes one, in batches. The
// index has n events before and after a batch. Orders: commit removes the oldest,
// rollback the newest, and random any, with ids that come in any order within a
// batch.
func BenchmarkLife(b *testing.B) {
	forEach(b, []string{"commit", "rollback", "random"}, func(b *testing.B, t *traffic) {
		for range b.N / benchBatch {
			in := t.ring[t.n:]
			t.give(in)
			if err := t.Insert(in); err != nil {
				b.Fatal(err)
			}
			for _, i := range in {
				n := t.slots.Node(i)
				if found, _ := t.Find(n.Source, n.ID); found != i {
					b.Fatal("not found")
				}
			}
			if err := t.Remove(t.leaving()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkFind finds events at random.
func BenchmarkFind(b *testing.B) {
	forEach(b, []string{"random"}, func(b *testing.B, t *traffic) {
		for range b.N {
			id := t.next - 1 - t.r.Uint64N(uint64(t.n))
			if _, ok := t.Find(uint32(id/16%benchSources), id); !ok {
				b.Fatal("not found")
			}
		}
	})
}

func forEach(b *testing.B, orders []string, run func(*testing.B, *traffic)) {
	for _, order := range orders {
		for _, n := range []int{1 << 10, 1 << 14, 1 << 18} {
			for _, impl := range append(avl.Impls(), "map") {
				b.Run(fmt.Sprintf("impl=%s/n=%d/order=%s", impl, n, order), func(b *testing.B) {
					t := newTraffic(b, impl, n, order)
					b.ReportAllocs()
					b.ResetTimer()
					run(b, t)
				})
			}
		}
	}
}

func TestNoAllocation(t *testing.T) {
	if invariants.Enabled || racetest.Asan {
		t.Skip("assertions and AddressSanitizer allocate on their own")
	}
	for _, impl := range avl.Impls() {
		slots := avltest.NewSlots(t, 1<<10)
		tree, err := avl.New(slots.Base(), avltest.Stride, impl)
		require.NoError(t, err)
		t.Cleanup(tree.Close)
		var all []uint32
		for id := range uint64(500) {
			all = append(all, slots.Make(avltest.Key{Source: uint32(id % 2), ID: id}))
		}
		life := func() {
			one := [1]uint32{all[7]} // on the stack
			err := tree.Insert(all)
			_, ok := tree.Find(1, 7)
			if err != nil || !ok || tree.Remove(one[:]) != nil || tree.Insert(one[:]) != nil || tree.Remove(all) != nil ||
				tree.Build(one[:]) != nil || tree.Build(nil) != nil {
				t.Fatal("it does not work")
			}
		}
		life() // makes the table of sources
		require.Zero(t, testalloc.PerRun(100, life), impl)
	}
}
