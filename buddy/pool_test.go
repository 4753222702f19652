// This file owns the tests of the pool as its users see it: conformance, fuzzing, sizes, what New refuses, Objects,
// fragmentation, allocations on the Go heap, and what the assertions catch; the examples; and the benchmarks of Alloc
// and Free, compared with Go's make and a free list for each size class.

package buddy_test

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/internal/testing/buddytest"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/testalloc"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/stretchr/testify/require"
)

func TestConformance(t *testing.T) {
	for _, impl := range buddy.Impls() {
		t.Run(impl, func(t *testing.T) { buddytest.Run(t, impl) })
	}
}

func FuzzPool(f *testing.F) {
	f.Add([]byte{0, 0, 5, 255, 12, 0, 13, 1, 19, 255, 0x9f, 128})
	f.Add([]byte{0xf0, 31, 0xf0, 32, 0x9f, 0, 0x9f, 255, 0xff, 0, 0xf0, 255})
	f.Add([]byte{19, 255, 19, 255, 0x80, 0, 18, 255, 0xf8, 0, 17, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 128 {
			data = data[:128]
		}
		for _, impl := range buddy.Impls() {
			buddytest.Fuzz(t, impl, data)
		}
	})
}

func TestBlocksArePowersOfTwo(t *testing.T) {
	for _, c := range []struct{ n, size uintptr }{
		{0, 32}, {1, 32}, {32, 32}, {33, 64}, {64, 64}, {65, 128}, {4096, 4096}, {4097, 8192}, {1 << 40, 1 << 40},
	} {
		require.Equal(t, c.size, buddy.Size(c.n), "%d bytes", c.n)
	}
}

func TestNoBytesAreOneByte(t *testing.T) {
	for _, impl := range buddy.Impls() {
		p, err := buddy.NewCharged(impl, 0, 1<<20, nil)
		require.NoError(t, err)
		b, err := p.Alloc(0)
		require.NoError(t, err)
		require.EqualValues(t, 32, p.Used())
		p.Free(b, 0)
		require.Zero(t, p.Used())
		require.NoError(t, p.Check())
		p.Close()
	}
}

func TestCIsTheDefaultWhereItIsBuilt(t *testing.T) {
	p, err := buddy.NewCharged("", 0, 0, nil)
	require.NoError(t, err)
	defer p.Close()
	require.Equal(t, buddy.Impls()[0], p.Impl())
}

func TestUnknownImplementationIsRefused(t *testing.T) {
	_, err := buddy.NewCharged("slab", 0, 1<<20, nil)
	require.EqualError(t, err, `ross: buddy pool: "slab": unknown implementation: use c or go`)
	if !csrc.Enabled {
		_, err = buddy.NewCharged("c", 0, 1<<20, nil)
		require.ErrorContains(t, err, "built without cgo")
	}
}

func TestReuseTakesNoMemory(t *testing.T) {
	for _, impl := range buddy.Impls() {
		p, err := buddy.NewCharged(impl, 0, 1<<20, nil)
		require.NoError(t, err)
		require.Nil(t, p.Reuse(5000), impl)
		b, err := p.Alloc(5000)
		require.NoError(t, err)
		bytes := p.Bytes()
		for got := p.Reuse(5000); got != nil; got = p.Reuse(5000) {
			require.NotEqual(t, b, got, impl)
		}
		p.Free(b, 5000)
		require.Equal(t, b, p.Reuse(5000), impl)
		require.Equal(t, bytes, p.Bytes(), impl)
		require.Nil(t, p.Reuse(2<<20), impl)
		require.NoError(t, p.Check())
		p.Close()
	}
}

type cell struct {
	at    [3]float64
	links [4]uint32
}

func TestObjectsAreZeroAndApart(t *testing.T) {
	for _, impl := range buddy.Impls() {
		pool, err := buddy.New(impl, 1<<20)
		require.NoError(t, err)
		cells, err := buddy.NewObjects[cell](pool)
		require.NoError(t, err)
		none, err := buddy.NewObjects[struct{}](pool)
		require.NoError(t, err)
		live := map[*cell]uint32{}
		for i := range uint32(2000) {
			c, err := cells.New()
			require.NoError(t, err)
			require.Equal(t, cell{}, *c)
			_, taken := live[c]
			require.False(t, taken)
			*c, live[c] = cell{[3]float64{1: 0.5}, [4]uint32{i, i, i, i}}, i
			nothing, err := none.New()
			require.NoError(t, err)
			for old, want := range live {
				if i%3 > 0 {
					require.Equal(t, cell{[3]float64{1: 0.5}, [4]uint32{want, want, want, want}}, *old)
					delete(live, old)
					cells.Free(old)
				}
				break
			}
			none.Free(nothing)
		}
		require.EqualValues(t, len(live), pool.Live())
		require.NoError(t, pool.Check())
		for c := range live {
			cells.Free(c)
		}
		require.Zero(t, pool.Live())
		pool.Close()
	}
}

func TestBytesHaveTheirLengthAndGoBackWhenCutShort(t *testing.T) {
	for _, impl := range buddy.Impls() {
		pool, err := buddy.New(impl, 1<<20)
		require.NoError(t, err)
		for _, n := range []int{0, 1, 32, 33, 4096, 4097, 100_000} {
			b, err := pool.AllocBytes(n)
			require.NoError(t, err)
			require.Len(t, b, n)
			require.Equal(t, n, cap(b))
			clear(b)
			require.EqualValues(t, buddy.Size(uintptr(n)), pool.Used())
			pool.FreeBytes(b[:n/2])
			require.Zero(t, pool.Live())
		}
		_, err = pool.AllocBytes(-1)
		require.ErrorContains(t, err, "at least 0")
		_, err = pool.AllocBytes(64 << 20)
		require.ErrorIs(t, err, buddy.ErrLimit)
		require.NoError(t, pool.Check())
		pool.Close()
	}
}

func TestTypesThatTheCollectorWouldHaveToSeeAreRefused(t *testing.T) {
	pool, err := buddy.New("", 1<<20)
	require.NoError(t, err)
	defer pool.Close()
	_, err = buddy.NewObjects[*cell](pool)
	require.ErrorContains(t, err, "*buddy_test.cell is a ")
	type named struct {
		Cell  cell
		Names [2]struct{ First string }
	}
	_, err = buddy.NewObjects[named](pool)
	require.ErrorContains(t, err, "named.Names[0].First is a string")
	_, err = buddy.NewObjects[unsafe.Pointer](pool)
	require.Error(t, err)
	_, err = buddy.NewObjects[any](pool)
	require.Error(t, err)
}

// start is what a pool has in addition to its blocks: room for their first
// state, and the step by which it grows.
const start = 128 << 10

type held struct {
	p unsafe.Pointer
	n uintptr
}

// wander plays a pool that holds n/2 to n blocks, and returns the most bytes
// that were in use.
func wander(p *buddy.Pool, n int, size func(*rand.Rand) uintptr) (used uint64, err error) {
	r := rand.New(rand.NewPCG(9, 9))
	var live []held
	for range 30 * n {
		if len(live) > n/2 && (len(live) == n || r.IntN(2) == 0) {
			i := r.IntN(len(live))
			p.Free(live[i].p, live[i].n)
			live[i] = live[len(live)-1]
			live = live[:len(live)-1]
			continue
		}
		b := held{n: size(r)}
		if b.p, err = p.Alloc(b.n); err != nil {
			return used, errors.Join(err, p.Check())
		}
		live = append(live, b)
		used = max(used, p.Used())
	}
	return used, p.Check()
}

func TestRandomSizesNeedAFifthMoreThanTheirBlocks(t *testing.T) {
	testlevel.Once(t, "how much memory is lost")
	for _, impl := range buddy.Impls() {
		for name, size := range buddytest.Sizes {
			n := 1000
			if name == "large" {
				n = 100
			}
			p, err := buddy.NewCharged(impl, 0, 1<<30, nil)
			require.NoError(t, err)
			used, err := wander(p, n, size)
			require.NoError(t, err)
			p.Close()

			p, err = buddy.NewCharged(impl, 0, 1<<30, mem.NewBudget(used+used/5+start))
			require.NoError(t, err)
			_, err = wander(p, n, size)
			require.NoError(t, err, name)
			p.Close()
		}
	}
}

// TestTheWorstCaseGrowsWithTheNumberOfOrders plays the adversary: all memory is
// in blocks of one order; every second one is freed, so that nothing merges;
// the next order needs new memory, for half of what is in use. One block for
// each piece of twice the size stays, and so on.
func TestTheWorstCaseGrowsWithTheNumberOfOrders(t *testing.T) {
	const used, last = 1 << 20, 12
	const need = used + (last-5)*used/2
	for _, impl := range buddy.Impls() {
		p, err := buddy.NewCharged(impl, 0, 1<<30, mem.NewBudget(need+need/32+start))
		require.NoError(t, err)
		base := uintptr(0)
		var live []held
		for order := 5; order <= last; order++ {
			pinned := map[uintptr]bool{}
			kept := live[:0]
			for _, b := range live { // the smallest blocks come first
				if slot := (uintptr(b.p) - base) >> order; !pinned[slot] {
					pinned[slot] = true
					kept = append(kept, b)
				} else {
					p.Free(b.p, b.n)
				}
			}
			live = kept
			p.Drain()
			for p.Used() < used {
				b := held{n: 1 << order}
				b.p, err = p.Alloc(b.n)
				require.NoError(t, err, "%s: order %d", impl, order)
				if base == 0 {
					base = uintptr(b.p)
				}
				live = append(live, b)
			}
		}
		require.NoError(t, p.Check())
		require.Greater(t, p.Bytes(), uint64(need*9/10), "%s: the adversary is too tame", impl)
		p.Close()
	}
}

// A pool gives values of any type without pointers, and bytes, from memory that no garbage collector scans. If it may
// not grow any more, the error says so, and the pool remains usable.
func Example() {
	pool, err := buddy.New("", 2<<20)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()

	type packet struct {
		From, To uint32
		Sent     float64
	}
	packets, err := buddy.NewObjects[packet](pool)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := packets.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	p.From, p.To, p.Sent = 3, 7, 0.25
	fmt.Println(*p, "in a block of", pool.Used(), "bytes")
	packets.Free(p)

	frame, err := pool.AllocBytes(1500)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(frame), "in a block of", pool.Used(), "bytes")
	pool.FreeBytes(frame)

	_, err = pool.AllocBytes(1 << 30)
	fmt.Println(errors.Is(err, buddy.ErrLimit), pool.Live())
	// Output:
	// {3 7 0.25} in a block of 32 bytes
	// 1500 in a block of 2048 bytes
	// true 0
}

// The engine charges the memory of its pools to a budget as they grow.
func ExampleNewCharged() {
	budget := mem.NewBudget(1 << 20)
	pool, err := buddy.NewCharged("", 16, 1<<30, budget)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()

	delta, err := pool.Alloc(100)
	if err != nil {
		fmt.Println(err)
		return
	}
	copy(unsafe.Slice((*byte)(delta), 100), "what has changed")
	fmt.Println(pool.Live(), "block of", pool.Used(), "bytes; charged:", budget.Used() == pool.Bytes())

	_, err = pool.Alloc(1 << 20)
	fmt.Println(errors.Is(err, mem.ErrLimit), pool.Check())

	pool.Free(delta, 100)
	fmt.Println(pool.Live(), pool.Used())
	// Output:
	// 1 block of 128 bytes; charged: true
	// true <nil>
	// 0 0
}

// classes keeps freed blocks in a slice for each power of two, and never gives
// them to another: the least that a pool can do.
type classes [48][]unsafe.Pointer

func (c *classes) alloc(n uintptr) unsafe.Pointer {
	k := bits.Len64(uint64(n - 1))
	list := c[k]
	if len(list) == 0 {
		return unsafe.Pointer(unsafe.SliceData(make([]byte, 1<<k)))
	}
	p := list[len(list)-1]
	c[k] = list[:len(list)-1]
	return p
}

func (c *classes) free(p unsafe.Pointer, n uintptr) {
	k := bits.Len64(uint64(n - 1))
	c[k] = append(c[k], p)
}

// inUse is how many blocks live while one after the other is replaced.
const inUse = 1000

// replace measures a Free and an Alloc: of the block that came last (hot), or
// of any.
func replace(b *testing.B, sizes []uintptr, hot bool, alloc func(uintptr) unsafe.Pointer,
	free func(unsafe.Pointer, uintptr)) {
	r := rand.New(rand.NewPCG(1, 2))
	var live [1024]held
	var which [4096]uint16
	for i := range which {
		if !hot {
			which[i] = uint16(r.IntN(inUse))
		}
	}
	for i := range inUse {
		n := sizes[i%len(sizes)]
		live[i] = held{alloc(n), n}
	}
	for i := 0; b.Loop(); i++ {
		x := &live[which[i&4095]&1023]
		free(x.p, x.n)
		x.n = sizes[i&(len(sizes)-1)]
		x.p = alloc(x.n)
	}
	for _, x := range live[:inUse] {
		free(x.p, x.n)
	}
}

// pair measures Alloc and Free of one hot block, called directly.
func pair(b *testing.B, p *buddy.Pool, n uintptr) {
	for b.Loop() {
		x, _ := p.Alloc(n)
		p.Free(x, n)
	}
}

func BenchmarkPool(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	mixed, deltas := make([]uintptr, 4096), make([]uintptr, 4096)
	for i := range mixed {
		mixed[i] = 1 + uintptr(r.UintN(1<<r.UintN(14)))
		deltas[i] = 16 + uintptr(r.UintN(200))
	}
	for _, c := range []struct {
		name  string
		sizes []uintptr
		hot   bool
	}{
		{"64/hot", []uintptr{64}, true},
		{"64", []uintptr{64}, false},
		{"256", []uintptr{256}, false},
		{"4096", []uintptr{4096}, false},
		{"16384", []uintptr{16384}, false},
		{"deltas", deltas, false}, // 16 to 215 bytes
		{"mixed", mixed, false},   // 1 to 8192 bytes, small ones more often
	} {
		for _, impl := range append(buddy.Impls(), "make", "classes") {
			b.Run(fmt.Sprintf("impl=%s/size=%s", impl, c.name), func(b *testing.B) {
				switch impl {
				case "make":
					b.ReportAllocs()
					replace(b, c.sizes, c.hot,
						func(n uintptr) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(make([]byte, n))) },
						func(unsafe.Pointer, uintptr) {})
				case "classes":
					var k classes
					replace(b, c.sizes, c.hot, k.alloc, k.free)
				default:
					p, err := buddy.NewCharged(impl, 0, 1<<30, nil)
					require.NoError(b, err)
					defer p.Close()
					replace(b, c.sizes, c.hot,
						func(n uintptr) unsafe.Pointer { x, _ := p.Alloc(n); return x }, p.Free)
				}
			})
		}
	}
}

// BenchmarkPair is what a handler pays that calls the pool directly.
func BenchmarkPair(b *testing.B) {
	for _, impl := range buddy.Impls() {
		for _, n := range []uintptr{64, 1000, 8192} {
			b.Run(fmt.Sprintf("impl=%s/size=%d", impl, n), func(b *testing.B) {
				p, err := buddy.NewCharged(impl, 16, 1<<30, nil)
				require.NoError(b, err)
				defer p.Close()
				pair(b, p, n)
			})
		}
	}
}

// BenchmarkBundles replaces 64 of some 4,000 blocks at a time, as a PE does with large messages. The time is that of
// one block.
func BenchmarkBundles(b *testing.B) {
	for _, n := range []uintptr{256, 1024, 4096, 16384} {
		for _, impl := range buddy.Impls() {
			b.Run(fmt.Sprintf("impl=%s/size=%d", impl, n), func(b *testing.B) {
				const bundle = 64
				p, err := buddy.NewCharged(impl, 28, 1<<30, nil)
				require.NoError(b, err)
				defer p.Close()
				live := make([]uintptr, 64*bundle)
				require.Equal(b, len(live), p.ReuseAll(n, live))
				rand.New(rand.NewPCG(1, 1)).Shuffle(len(live), func(i, j int) { live[i], live[j] = live[j], live[i] })
				for i := 0; b.Loop(); i = (i + bundle) % len(live) {
					p.FreeAll(live[i:i+bundle], n)
					p.ReuseAll(n, live[i:i+bundle])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*bundle), "ns/block")
			})
		}
	}
}

func TestNoAllocationPerBlock(t *testing.T) {
	if invariants.Enabled || racetest.Asan {
		t.Skip("assertions and AddressSanitizer allocate on their own")
	}
	for _, impl := range buddy.Impls() {
		p, err := buddy.NewCharged(impl, 20, 1<<30, nil)
		require.NoError(t, err)
		defer p.Close()
		r := rand.New(rand.NewPCG(1, 2))
		live := make([]held, 500)
		replace := func() {
			b := &live[r.IntN(len(live))]
			if b.p != nil {
				p.Free(b.p, b.n)
			}
			b.n = 1 + uintptr(r.UintN(10000))
			b.p, _ = p.Alloc(b.n)
		}
		for range 5000 { // until the pool has its size
			replace()
		}
		require.Zero(t, testalloc.PerRun(5000, replace), impl)
		require.NoError(t, p.Check())
	}
}

func TestMistakesOfTheCallerAreCaught(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("this build has no assertions")
	}
	var outside [64]byte
	for _, c := range []struct {
		name, says string
		free       func(p *buddy.Pool, b unsafe.Pointer)
	}{
		{"twice", "freed before", func(p *buddy.Pool, b unsafe.Pointer) { p.Free(b, 100); p.Free(b, 100) }},
		{"twice, merged in between", "freed before", func(p *buddy.Pool, b unsafe.Pointer) {
			p.Free(b, 100)
			p.Drain()
			p.Free(b, 100)
		}},
		{"another size", "it is a block of 128", func(p *buddy.Pool, b unsafe.Pointer) { p.Free(b, 200) }},
		{"the middle", "never handed out", func(p *buddy.Pool, b unsafe.Pointer) { p.Free(unsafe.Add(b, 64), 100) }},
		{"not aligned", "not a block of this pool", func(p *buddy.Pool, b unsafe.Pointer) { p.Free(unsafe.Add(b, 1), 100) }},
		{"foreign", "not a block of this pool",
			func(p *buddy.Pool, _ unsafe.Pointer) { p.Free(unsafe.Pointer(&outside), 64) }},
	} {
		for _, impl := range buddy.Impls() {
			p, err := buddy.NewCharged(impl, 16, 1<<20, nil)
			require.NoError(t, err)
			b, err := p.Alloc(100)
			require.NoError(t, err)
			func() {
				defer func() { require.Contains(t, recover(), c.says, "%s: %s", impl, c.name) }()
				c.free(p, b)
			}()
			p.Close()
		}
	}
}

func TestFreedBlocksArePoisoned(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("this build has no assertions")
	}
	for _, impl := range buddy.Impls() {
		p, err := buddy.NewCharged(impl, 16, 1<<20, nil)
		require.NoError(t, err)
		b, err := p.Alloc(100)
		require.NoError(t, err)
		bytes := unsafe.Slice((*byte)(b), 128)
		clear(bytes)
		p.Free(b, 100)
		for i, x := range bytes {
			require.EqualValues(t, 0xDB, x, "byte %d", i)
		}
		p.Close()
	}
}
