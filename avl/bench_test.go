// Benchmarks of the index against a Go map of the same keys.

package avl_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/avl"
	"github.com/ross-go/ross/avl/avltest"
)

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
