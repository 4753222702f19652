// Package avltest is the conformance suite of indices of received events: the
// same tests for every implementation, against a Go map.
//
// A test of an implementation is one line:
//
//	func TestC(t *testing.T) { avltest.Run(t, "c") }
package avltest

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/avl"
	"github.com/ross-go/ross/internal/sys/mem"
)

// Stride is from node to node: a node in a larger slot, no power of two.
const Stride = 56

// Key is what an event is found by.
type Key struct {
	Source uint32
	ID     uint64
}

// Slots is memory for nodes 1 to max. More of them become usable as they are asked
// for.
type Slots struct {
	t      testing.TB
	region *mem.Region
	made   uint32
	unused []uint32
}

// NewSlots reserves memory for max nodes.
func NewSlots(t testing.TB, max uint32) *Slots {
	region, err := mem.Reserve(uint64(max+1)*Stride, nil)
	require.NoError(t, err)
	t.Cleanup(region.Release)
	return &Slots{t: t, region: region}
}

// Base returns the address of node 0.
func (s *Slots) Base() unsafe.Pointer { return s.region.Base() }

// Node returns node i.
func (s *Slots) Node(i uint32) *avl.Node {
	return (*avl.Node)(unsafe.Add(s.region.Base(), uintptr(i)*Stride))
}

// Make returns a node with this key.
func (s *Slots) Make(k Key) uint32 {
	var i uint32
	if n := len(s.unused); n > 0 {
		i, s.unused = s.unused[n-1], s.unused[:n-1]
	} else {
		s.made++
		i = s.made
		require.NoError(s.t, s.region.Grow(uintptr(i+1)*Stride))
	}
	n := s.Node(i)
	n.Source, n.ID = k.Source, k.ID
	return i
}

// Free gives node i back and fills it with what no tree would write.
func (s *Slots) Free(i uint32) {
	b := unsafe.Slice((*byte)(unsafe.Pointer(s.Node(i))), avl.NodeSize)
	for j := range b {
		b[j] = 0xa5
	}
	s.unused = append(s.unused, i)
}

// Harness is an index together with its model: a map with the same keys.
type Harness struct {
	*Slots
	Tree  *avl.Tree
	model map[Key]uint32
	keys  []Key // of the model, in the order of insertion, except after removals
	calls int
	every int // batches between checks of the whole structure
}

// NewHarness makes an empty index of an implementation.
func NewHarness(t testing.TB, impl string) *Harness {
	slots := NewSlots(t, 1<<16)
	tree, err := avl.New(slots.Base(), Stride, impl)
	require.NoError(t, err)
	require.Equal(t, impl, tree.Impl())
	t.Cleanup(tree.Close)
	return &Harness{Slots: slots, Tree: tree, model: map[Key]uint32{}, every: 1}
}

// Insert inserts a batch. Keys that the model has, or that come twice, must be
// refused, and nothing else.
func (h *Harness) Insert(keys ...Key) {
	h.t.Helper()
	batch := make([]uint32, 0, len(keys))
	var twice []uint32
	for _, k := range keys {
		i := h.Make(k)
		batch = append(batch, i)
		if _, found := h.model[k]; found {
			twice = append(twice, i)
			continue
		}
		h.model[k] = i
		h.keys = append(h.keys, k)
	}
	h.refused(h.Tree.Insert(batch), avl.ErrDuplicate, twice)
	for _, i := range twice {
		h.Free(i)
	}
	h.check()
}

// Remove removes a batch of keys that the model has.
func (h *Harness) Remove(keys ...Key) {
	h.t.Helper()
	batch := make([]uint32, 0, len(keys))
	for _, k := range keys {
		batch = append(batch, h.model[k])
		delete(h.model, k)
		at := slices.Index(h.keys, k)
		h.keys = slices.Delete(h.keys, at, at+1)
	}
	require.NoError(h.t, h.Tree.Remove(batch))
	for i, k := range keys {
		h.Free(batch[i])
		_, ok := h.Tree.Find(k.Source, k.ID)
		require.False(h.t, ok, "%+v is found after its removal", k)
	}
	h.check()
}

// Drain removes everything.
func (h *Harness) Drain() {
	h.Remove(slices.Clone(h.keys)...)
	require.Zero(h.t, h.Tree.Len())
	require.NoError(h.t, h.Tree.Check())
}

func (h *Harness) refused(err, reason error, nodes []uint32) {
	h.t.Helper()
	if len(nodes) == 0 {
		require.NoError(h.t, err)
		return
	}
	require.ErrorIs(h.t, err, reason)
	var refused *avl.RefusedError
	require.ErrorAs(h.t, err, &refused)
	require.Equal(h.t, nodes, refused.Nodes)
}

func (h *Harness) check() {
	h.t.Helper()
	require.EqualValues(h.t, len(h.model), h.Tree.Len())
	if h.calls++; h.calls%h.every != 0 {
		return
	}
	require.NoError(h.t, h.Tree.Check(), "after %d batches", h.calls)
	for k, want := range h.model {
		if got, ok := h.Tree.Find(k.Source, k.ID); !ok || got != want {
			h.t.Fatalf("after %d batches: %+v: found %d, %v, want %d", h.calls, k, got, ok, want)
		}
		if _, found := h.model[Key{k.Source, k.ID + 1}]; !found {
			if got, ok := h.Tree.Find(k.Source, k.ID+1); ok {
				h.t.Fatalf("after %d batches: %+v is not there, found %d", h.calls, Key{k.Source, k.ID + 1}, got)
			}
		}
	}
}

// Run runs the whole suite on an implementation.
func Run(t *testing.T, impl string) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, *Harness)
	}{
		{"an empty index finds nothing", testEmpty},
		{"every order of six ids, every order of removal", testAllOrders},
		{"ids in order, the oldest removed first", testCommit},
		{"ids in order, the newest removed first", testRollback},
		{"ids in any order", testAnyOrder},
		{"a mix of everything", testMix},
		{"sources do not share ids", testSources},
		{"ids at the ends of their range", testExtremes},
		{"duplicates are left out, the rest of the batch is not", testDuplicates},
		{"what is not in the index is not removed", testAbsent},
		{"sources out of range are refused", testSourceRange},
		{"a closed index is empty", testClose},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, NewHarness(t, impl)) })
	}
}

func testEmpty(t *testing.T, h *Harness) {
	for range 3 {
		for _, k := range []Key{{}, {7, 1}, {1 << 31, 1 << 63}} {
			_, ok := h.Tree.Find(k.Source, k.ID)
			require.False(t, ok)
		}
		require.NoError(t, h.Tree.Insert(nil))
		require.NoError(t, h.Tree.Remove(nil))
		require.NoError(t, h.Tree.Check())
		h.Insert(Key{2, 5})
		h.Drain()
	}
}

// testAllOrders reaches every case of rebalancing in small trees.
func testAllOrders(_ *testing.T, h *Harness) {
	all := permutations([]uint64{1, 2, 3, 4, 5, 6})
	for at, ids := range all {
		for _, id := range ids {
			h.Insert(Key{0, id})
		}
		for _, id := range all[(at*7+1)%len(all)] {
			h.Remove(Key{0, id})
		}
	}
}

func permutations(ids []uint64) [][]uint64 {
	if len(ids) <= 1 {
		return [][]uint64{slices.Clone(ids)}
	}
	var all [][]uint64
	for i := range ids {
		for _, rest := range permutations(slices.Delete(slices.Clone(ids), i, i+1)) {
			all = append(all, append(rest, ids[i]))
		}
	}
	return all
}

// batches are the sizes of batches that the tests use in turn.
var batches = []int{1, 2, 7, 64, 3}

func testCommit(_ *testing.T, h *Harness) {
	next := uint64(0)
	for turn := range 60 {
		var in []Key
		for range batches[turn%len(batches)] {
			in = append(in, Key{uint32(next % 3), next})
			next++
		}
		h.Insert(in...)
		if turn >= 20 {
			h.Remove(slices.Clone(h.keys[:min(len(in), len(h.keys))])...)
		}
	}
	h.Drain()
}

func testRollback(_ *testing.T, h *Harness) {
	next := uint64(0)
	for turn := range 60 {
		var in []Key
		for range batches[turn%len(batches)] {
			in = append(in, Key{uint32(next % 3), next})
			next++
		}
		h.Insert(in...)
		newest := slices.Clone(h.keys[len(h.keys)-len(in)*3/4:])
		slices.Reverse(newest)
		h.Remove(newest...)
	}
	h.Drain()
}

// testAnyOrder inserts by several rules and removes at random.
func testAnyOrder(t *testing.T, h *Harness) {
	const n, seed = 500, 11
	r := rand.New(rand.NewPCG(seed, 0))
	h.every = 50
	for name, id := range map[string]func(i int) uint64{
		"descending": func(i int) uint64 { return uint64(n - i) },
		"random":     func(int) uint64 { return r.Uint64() },
		"zigzag":     func(i int) uint64 { return uint64(1<<32 + i*(i%2*2-1)) },
		"near order": func(i int) uint64 { return uint64(16*i + r.IntN(100)) },
		"few":        func(int) uint64 { return r.Uint64N(n / 2) },
	} {
		t.Logf("%s, seed %d", name, seed)
		for i := range n {
			h.Insert(Key{0, id(i)})
		}
		order := slices.Clone(h.keys)
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, k := range order {
			h.Remove(k)
		}
	}
}

// testMix grows and shrinks, from all ends and the middle, in batches.
func testMix(t *testing.T, h *Harness) {
	const seed = 12
	r := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	h.every = 5
	next := uint64(1)
	for turn := range 1500 {
		n := 1 + r.IntN(12)
		if turn/200%2 == 0 && r.IntN(3) > 0 || len(h.keys) < n {
			var in []Key
			for range n {
				next += 1 + r.Uint64N(3)
				in = append(in, Key{uint32(r.IntN(4)), next - r.Uint64N(2)*r.Uint64N(next)})
			}
			h.Insert(in...)
			continue
		}
		var out []Key
		from := []int{0, len(h.keys) - n, r.IntN(len(h.keys) - n + 1)}[r.IntN(3)]
		out = append(out, h.keys[from:from+n]...)
		r.Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
		h.Remove(out...)
	}
	h.Drain()
}

func testSources(t *testing.T, h *Harness) {
	sources := []uint32{0, 9, 1, 300, 8, 70000} // each makes the table grow, or does not
	for _, id := range []uint64{5, 6, 7, 4} {
		for _, s := range sources {
			h.Insert(Key{s, id})
		}
	}
	_, ok := h.Tree.Find(2, 5)
	require.False(t, ok)
	require.GreaterOrEqual(t, h.Tree.Bytes(), uint64(8*70001))
	require.LessOrEqual(t, h.Tree.Bytes(), uint64(2*8*70001))
	h.Drain()
}

func testExtremes(_ *testing.T, h *Harness) {
	ids := []uint64{1 << 63, 0, 1<<64 - 1, 1<<63 - 1, 1, 1<<32 - 1, 1 << 32, 1<<64 - 2}
	for _, id := range ids {
		h.Insert(Key{3, id})
	}
	h.Drain()
}

func testDuplicates(t *testing.T, h *Harness) {
	h.Insert(Key{1, 10}, Key{1, 20}, Key{1, 30}, Key{2, 10})
	h.Insert(Key{1, 30})                                                          // the newest
	h.Insert(Key{1, 10})                                                          // a leaf
	h.Insert(Key{1, 20})                                                          // the root
	h.Insert(Key{1, 5}, Key{1, 20}, Key{1, 40}, Key{2, 10}, Key{1, 5})            // in between
	h.Insert(Key{1, 40}, Key{1, 50})                                              // at the start
	h.Insert(Key{3, 1}, Key{3, 1}, Key{3, 1})                                     // of the batch itself
	twice := []uint32{h.Make(Key{1, 99}), h.Make(Key{2, 10}), h.Make(Key{1, 20})} // last
	err := h.Tree.Insert(twice)
	require.ErrorContains(t, err, "event 10 of source 2: is already in the index")
	require.ErrorContains(t, err, "(1 more nodes of the batch were refused)")
	again := []uint32{h.model[Key{1, 20}]}
	require.ErrorIs(t, h.Tree.Insert(again), avl.ErrDuplicate, "a node that is in the index")
	require.NoError(t, h.Tree.Remove(twice[:1]))
	h.Drain()
}

func testAbsent(t *testing.T, h *Harness) {
	for _, id := range []uint64{1, 2, 3} {
		h.Insert(Key{0, id})
	}
	removed, in, never := h.model[Key{0, 2}], h.model[Key{0, 1}], h.Make(Key{0, 9})
	require.NoError(t, h.Tree.Remove([]uint32{removed}))
	err := h.Tree.Remove([]uint32{never, in, removed, in, 0})
	h.refused(err, avl.ErrNode, []uint32{never, removed, in, 0})
	require.EqualValues(t, 1, h.Tree.Len())
	h.refused(h.Tree.Insert([]uint32{0}), avl.ErrNode, []uint32{0})
	require.NoError(t, h.Tree.Check())
}

func testSourceRange(t *testing.T, h *Harness) {
	h.Insert(Key{0, 1})
	bytes := h.Tree.Bytes()
	for _, s := range []uint32{avl.MaxSources, 1<<32 - 1} {
		i := h.Make(Key{s, 1})
		h.refused(h.Tree.Insert([]uint32{i}), avl.ErrSource, []uint32{i})
	}
	require.Equal(t, bytes, h.Tree.Bytes())
	h.Drain()
}

func testClose(t *testing.T, h *Harness) {
	h.Insert(Key{1, 1}, Key{2, 2})
	for range 2 {
		h.Tree.Close()
		require.Zero(t, h.Tree.Len())
		require.Zero(t, h.Tree.Bytes())
		_, ok := h.Tree.Find(1, 1)
		require.False(t, ok)
		require.NoError(t, h.Tree.Check())
	}
}

// Fuzz decodes operations from bytes and plays them against the model: two
// bytes an operation. It is the body of a fuzz target.
func Fuzz(t *testing.T, impl string, data []byte) {
	h := NewHarness(t, impl)
	var next [4]uint64 // by source: what grows
	var batch []Key
	for ; len(data) >= 2; data = data[2:] {
		op, x := data[0], uint64(data[1])
		source := uint32(op >> 6)
		n := 1 + int(op>>3&7)
		batch = batch[:0]
		switch op & 7 {
		case 0, 1, 2: // ids in order
			for range n {
				next[source] += 1 + x
				batch = append(batch, Key{source, next[source]})
			}
			h.Insert(batch...)
		case 3: // any id, again and again
			for i := range n {
				batch = append(batch, Key{source, x * uint64(i+1)})
			}
			h.Insert(batch...)
		default: // the oldest, the newest, from the middle
			n = min(n*(1+int(x&3)), len(h.keys))
			from := []int{0, len(h.keys) - n, int(x) * (len(h.keys) - n) / 255}[op&7%3]
			batch = append(batch, h.keys[from:from+n]...)
			if x&4 != 0 {
				slices.Reverse(batch)
			}
			h.Remove(batch...)
		}
	}
	h.Drain()
}
