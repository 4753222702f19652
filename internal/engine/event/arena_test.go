// This file pins the memory of events: slots, blocks, shortages; and that Go's collector never looks at it.

package event

import (
	"bytes"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// The arena: slots, blocks of large payloads, limits.

func alloc(t testing.TB, a *Arena) (*Event, uint32) {
	t.Helper()
	e, i, err := a.Alloc()
	require.NoError(t, err)
	e.State = Pending
	return e, i
}

func bytesOf(e *Event, n uintptr) []byte {
	return unsafe.Slice((*byte)(Payload(e)), n)
}

func TestSlotsAreDistinctAndUsedAgain(t *testing.T) {
	for _, inline := range []uintptr{0, 8, 9, 24, 256} {
		a := newArena(t, inline, nil)
		require.GreaterOrEqual(t, a.Inline(), max(inline, 8))
		require.Equal(t, Size+a.Inline(), a.Stride())
		require.Zero(t, a.Stride()%16)
		const n = 2000
		for i := uint32(1); i <= n; i++ {
			e, at := alloc(t, a)
			require.Equal(t, i, at)
			require.Equal(t, a.At(i), e)
			require.Equal(t, uintptr(a.Base())+uintptr(i)*a.Stride(), uintptr(unsafe.Pointer(e)))
			for j, b := 0, bytesOf(e, a.Inline()); j < len(b); j++ {
				b[j] = byte(i)
			}
		}
		require.NoError(t, a.Check())
		for i := uint32(1); i <= n; i++ {
			want := bytes.Repeat([]byte{byte(i)}, int(a.Inline()))
			require.Equal(t, want, bytesOf(a.At(i), a.Inline()), "event %d was written over", i)
		}
		for _, i := range []uint32{7, 1000, 3} {
			a.Free(a.At(i), i)
		}
		require.NoError(t, a.Check())
		require.EqualValues(t, n-3, a.Live())
		for _, want := range []uint32{3, 1000, 7} {
			e, i := alloc(t, a)
			require.Equal(t, want, i, "the slot freed last is the first to be used again")
			require.Zero(t, e.Lineage)
		}
		require.EqualValues(t, n, a.Peak())
		require.EqualValues(t, n, a.Live())
	}
}

func TestFreeingAnEventFreesItsLineage(t *testing.T) {
	a := newArena(t, 8, nil)
	e, i := alloc(t, a)
	node, err := a.Lines.Extend(0, 0.5)
	require.NoError(t, err)
	e.Lineage = node
	require.EqualValues(t, 1, a.Lines.Live())
	a.Free(e, i)
	require.Zero(t, a.Lines.Live())
	require.NoError(t, a.Check())
}

func TestLargePayloadsAreDistinctAndUsedAgain(t *testing.T) {
	r := testrand.New(t)
	a := newArena(t, 8, nil)
	sizes := []uintptr{9, 255, 256, 257, 1000, 1024, 4097, 70000, 256 << 10, 300 << 10}
	size := map[uint32]uintptr{}
	var live []uint32
	add := func() {
		e, i := alloc(t, a)
		size[i] = sizes[r.IntN(len(sizes))]
		require.NoError(t, a.AllocBlock(e, size[i]))
		require.Zero(t, uintptr(Payload(e))%16, "block of %d bytes", size[i])
		b := bytesOf(e, size[i])
		for j := range b {
			b[j] = byte(i)
		}
		live = append(live, i)
	}
	drop := func() {
		at := r.IntN(len(live))
		i := live[at]
		live[at] = live[len(live)-1]
		live = live[:len(live)-1]
		for _, b := range bytesOf(a.At(i), size[i]) {
			if b != byte(i) {
				t.Fatalf("the payload of event %d, %d bytes, was written over", i, size[i])
			}
		}
		a.Free(a.At(i), i)
	}
	for range 100 {
		add()
	}
	for range testlevel.Times(500, 100) {
		drop()
		add()
	}
	for len(live) > 0 {
		drop()
	}
	require.NoError(t, a.Check())
	require.Zero(t, a.Live())
}

func TestFreedBlocksAreTheFirstToBeUsed(t *testing.T) {
	a := newArena(t, 8, nil)
	e, i := alloc(t, a)
	require.NoError(t, a.AllocBlock(e, 300))
	first := Payload(e)
	used := a.Bytes()
	require.NotZero(t, e.Class)
	a.Free(e, i)
	for range 5000 {
		e, i = alloc(t, a)
		require.Zero(t, e.Class)
		require.NoError(t, a.AllocBlock(e, 512))
		require.Equal(t, first, Payload(e))
		a.Free(e, i)
	}
	require.Equal(t, used, a.Bytes())
}

// TestTheRestOfASlabIsNotLost fills a slab with a small block and asks for one
// that it has no room for; small ones then come out of its rest.
func TestTheRestOfASlabIsNotLost(t *testing.T) {
	a := newArena(t, 8, nil)
	block := func(size uintptr) {
		e, _ := alloc(t, a)
		require.NoError(t, a.AllocBlock(e, size))
	}
	block(256)
	block(256 << 10) // a second slab
	used := a.Bytes()
	for _, size := range []uintptr{128 << 10, 64 << 10, 32 << 10, 512, 256} {
		block(size)
	}
	require.Equal(t, used, a.Bytes())
}

func TestTheArenaStopsAtTheMemoryLimit(t *testing.T) {
	budget := mem.NewBudget(1 << 20)
	a, err := NewArena(8, 0, budget)
	require.NoError(t, err)
	n := 0
	for ; err == nil; n++ {
		var e *Event
		if e, _, err = a.Alloc(); err == nil {
			e.State = Pending
		}
	}
	require.ErrorIs(t, err, mem.ErrLimit)
	require.Greater(t, n, 10000)
	require.NoError(t, a.Check())
	require.ErrorIs(t, a.AllocBlock(a.At(1), 5000), mem.ErrLimit)
	require.Zero(t, a.At(1).Class)
	require.LessOrEqual(t, budget.Used(), budget.Limit())
	a.Release()
	require.Zero(t, budget.Used())
	a.Release()
}

func TestAnArenaTooSmallForItsFirstNodeIsRefused(t *testing.T) {
	_, err := NewArena(8, 1<<20, mem.NewBudget(1<<10))
	require.ErrorIs(t, err, mem.ErrLimit)
}

func TestTheReservationBoundsTheEvents(t *testing.T) {
	a, err := NewArena(8, 1, nil)
	require.NoError(t, err)
	defer a.Release()
	n := 0
	for ; err == nil; n++ {
		_, _, err = a.Alloc()
	}
	require.ErrorIs(t, err, mem.ErrLimit)
	require.Positive(t, n)
}

func TestCheckFindsWhatIsBroken(t *testing.T) {
	for name, c := range map[string]struct {
		breakIt func(a *Arena)
		want    string
	}{
		"live event in the free list": {func(a *Arena) { a.At(2).State = Pending }, "event 2 in the free list has state 1"},
		"event free twice": {func(a *Arena) { a.At(1).State = Pending; a.Free(a.At(1), 1) },
			"event 1 is free twice"},
		"event lost":                {func(a *Arena) { _, i := a.Reuse(); a.At(i).State = Free }, "of 4"},
		"event free but not listed": {func(a *Arena) { a.At(4).State = Free }, "accounted for of 4"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newArena(t, 8, nil)
			for range 4 {
				alloc(t, a)
			}
			for _, i := range []uint32{1, 2, 3} {
				a.Free(a.At(i), i)
			}
			require.NoError(t, a.Check())
			c.breakIt(a)
			require.ErrorContains(t, a.Check(), c.want)
		})
	}
}

func TestSharedSlotsServeAnArenaThatFindsNoMemoryAndGoHome(t *testing.T) {
	budget := mem.NewBudget(1 << 20)
	s, err := NewSpace(2, 8, 0, budget)
	require.NoError(t, err)
	defer s.Release()
	rich, poor := s.Arena(0), s.Arena(1)
	got := takeAll(t, rich)
	_, _, err = poor.Alloc()
	require.ErrorIs(t, err, mem.ErrLimit)
	for _, i := range got {
		rich.Free(rich.At(i), i)
	}
	rich.Share()
	require.NoError(t, s.Check())
	rich.Hold()
	poor.Hold()
	require.Positive(t, rich.Spare())
	require.Zero(t, poor.Spare(), "the slots are kept for the other arena")
	_, _, err = poor.Alloc()
	require.ErrorIs(t, err, mem.ErrLimit)
	poor.Unhold() // it holds nothing
	require.Zero(t, poor.Spare())
	rich.Unhold()
	require.Positive(t, poor.Spare())
	e, i, err := poor.Alloc()
	require.NoError(t, err)
	e.State = Pending
	require.EqualValues(t, len(got)-1, rich.Freed()+poor.Freed())
	poor.Free(e, i)
	poor.GiveBack()
	require.True(t, rich.TakeBack())
	require.NoError(t, s.Check())
	require.EqualValues(t, len(got), rich.Freed()+poor.Freed())
	poor.Share()
	require.NoError(t, s.Check())
	require.Zero(t, poor.Freed())
}

func TestManyArenasOfFewEventsAreSmall(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := NewSpace(4, 8, 5000, mem.NewBudget(1<<20))
	require.NoError(t, err)
	runtime.ReadMemStats(&after)
	s.Release()
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(128<<10), "bytes of bookkeeping")
}

// takeAll allocates events until none is left, and returns their slots.
func takeAll(t *testing.T, a *Arena) (got []uint32) {
	t.Helper()
	for {
		e, i, err := a.Alloc()
		if err != nil {
			require.ErrorIs(t, err, mem.ErrLimit)
			return got
		}
		e.State = Pending
		got = append(got, i)
	}
}

// underLimits calls a test for arenas of many budgets.
func underLimits(t *testing.T, f func(t *testing.T, budget *mem.Budget)) {
	for limit := uint64(400 << 10); limit < 4<<20; limit += 37 << 10 {
		t.Run(fmt.Sprintf("%d KiB", limit>>10), func(t *testing.T) { f(t, mem.NewBudget(limit)) })
	}
}

func TestAllMemoryThatAnArenaTakesIsSlotsForIt(t *testing.T) {
	underLimits(t, func(t *testing.T, budget *mem.Budget) {
		a := newArena(t, 8, budget)
		got := takeAll(t, a)
		taken := a.Bytes() - uint64(len(got))*uint64(a.Stride()+4)
		require.Less(t, taken, uint64(3*64<<10), "bytes that are of no use") // a piece, its lineages, its stack
		for _, i := range got {
			a.Free(a.At(i), i) // there is room to record them all
		}
		require.NoError(t, a.Check())
		require.Len(t, takeAll(t, a), len(got))
	})
}

// TestTheStackOfFreeSlotsIsSeldomCopied up to the last slot that a budget allows, where room is made for few slots at a
// time.
func TestTheStackOfFreeSlotsIsSeldomCopied(t *testing.T) {
	if mem.Zoned {
		t.Skip("with the race detector stacks are in Go's heap")
	}
	for _, limit := range []uint64{4<<20 + 12345, 60<<20 + 1, 100 << 20} {
		a, err := NewArena(16, 0, mem.NewBudget(limit))
		require.NoError(t, err)
		stack, copied, slots := a.stack, uint64(0), uint64(0)
		for ; ; slots++ {
			if _, _, err = a.Alloc(); err != nil {
				break
			}
			if a.stack != stack {
				stack, copied = a.stack, copied+uint64(a.room)
			}
		}
		require.ErrorIs(t, err, mem.ErrLimit)
		require.Less(t, copied, 3*slots, "%d bytes", limit)
		a.Release()
	}
}

func TestSlotsLeaveWhatIsSetAside(t *testing.T) {
	const aside = 300 << 10
	underLimits(t, func(t *testing.T, budget *mem.Budget) {
		budget.Piece = 4096
		a := newArena(t, 8, budget)
		a.SetAside(aside)
		takeAll(t, a)
		// The last step may take a piece, and its part of the stack.
		require.GreaterOrEqual(t, budget.Free(), uint64(aside-2*4096))
	})
}

func TestSharedSlotsNeedNotHaveBeenUsed(t *testing.T) {
	budget := mem.NewBudget(1 << 20)
	s, err := NewSpace(2, 8, 0, budget)
	require.NoError(t, err)
	defer s.Release()
	rich, poor := s.Arena(0), s.Arena(1)
	alloc(t, rich)
	require.NoError(t, budget.Charge(budget.Free()))
	before := rich.Spare()
	require.Positive(t, before)
	_, _, err = poor.Alloc()
	require.ErrorIs(t, err, mem.ErrLimit)
	rich.Share()
	got := takeAll(t, poor)
	require.NotEmpty(t, got)
	require.NoError(t, s.Check())
	for _, i := range got {
		poor.Free(poor.At(i), i)
	}
	poor.GiveBack()
	require.True(t, rich.TakeBack())
	require.NoError(t, s.Check())
	require.Equal(t, before, rich.Spare())
}

// fillUp has an arena take all slots that there is memory for, and frees them on another arena.
func fillUp(t *testing.T, s *Space, takes, frees *Arena) (n int) {
	t.Helper()
	got := takeAll(t, takes)
	for _, i := range got {
		frees.Free(frees.At(i), i)
	}
	frees.GiveBack()
	require.NoError(t, s.Check())
	return len(got)
}

func TestWhatARestingArenaFreesIsForTheOthers(t *testing.T) {
	s, err := NewSpace(2, 8, 0, mem.NewBudget(1<<20))
	require.NoError(t, err)
	defer s.Release()
	works, rests := s.Arena(0), s.Arena(1)
	got := takeAll(t, rests)
	rests.Rest()
	takeAll(t, works)
	require.NoError(t, s.Check())
	for _, i := range got { // the events are handled on the other arena
		works.Free(works.At(i), i)
	}
	works.GiveBack()
	require.NoError(t, s.Check())
	require.Len(t, takeAll(t, works), len(got), "they would have gone home")
	rests.Wake()
	require.NoError(t, s.Check())
}

func TestAnArenaProvidesWhatOthersGive(t *testing.T) {
	s, err := NewSpace(2, 8, 0, mem.NewBudget(1<<20))
	require.NoError(t, err)
	defer s.Release()
	rich, poor := s.Arena(0), s.Arena(1)
	n := fillUp(t, s, rich, rich)
	require.False(t, poor.Provide(100), "the slots of the other arena are its own")
	rich.Trim(10)
	require.NoError(t, s.Check())
	require.True(t, poor.Provide(100))
	require.True(t, poor.Has(100))
	require.NoError(t, s.Check())
	require.Greater(t, len(takeAll(t, poor)), n-20, "all but ten")
	require.False(t, poor.Provide(1))
}

func TestBlocksThatOnePEFreesServeOthersAndOtherSizes(t *testing.T) {
	s, err := NewSpace(2, 8, 0, mem.NewBudget(4<<20))
	require.NoError(t, err)
	defer s.Release()
	take := func(a *Arena, bytes uintptr) (all []uint32) {
		for {
			e, i, err := a.Alloc()
			if err != nil {
				return all
			}
			if e.State = Pending; a.AllocBlock(e, bytes) != nil {
				a.Free(e, i)
				return all
			}
			all = append(all, i)
		}
	}
	a, b := s.Arena(0), s.Arena(1)
	small := take(a, 1000)
	require.Greater(t, len(small), 3000)
	for _, i := range small {
		b.Free(b.At(i), i)
	}
	a.Share()
	b.Share()
	large := take(a, 256<<10)
	require.Greater(t, len(large), 10, "small blocks have merged")
	for _, i := range large {
		a.Free(a.At(i), i)
	}
	a.Rest()
	require.Greater(t, len(take(b, 1000)), len(small)*9/10)
	require.NoError(t, s.Check())
}

func TestACopyOfALargePayloadIsDroppedIfItIsAsSent(t *testing.T) {
	for _, size := range []uintptr{100, 5000} { // in the slot, in a block
		s, err := NewKeepingSpace(1, 100, 64, nil)
		require.NoError(t, err)
		a := s.Arena(0)
		e, i, err := a.Alloc()
		require.NoError(t, err)
		if e.State = Pending; size > a.Inline() {
			require.NoError(t, a.AllocBlock(e, size))
		}
		payload := bytesOf(e, size)
		for k := range payload {
			payload[k] = byte(k)
		}
		class := e.Class
		require.NoError(t, a.Keep(e, size))
		require.NotEqual(t, class, e.Class)
		payload[size-1]++
		a.Unkeep(e, size)
		require.NotEqual(t, class, e.Class, "the payload differs")
		require.NotEqual(t, Payload(e), a.Sent(e))
		payload[size-1]--
		a.Unkeep(e, size)
		require.Equal(t, class, e.Class)
		require.Equal(t, Payload(e), a.Sent(e))
		a.Free(e, i)
		require.NoError(t, s.Check())
		s.Release()
	}
}

func TestSlotsInUseAreThoseOfTheirArenaWhoeverHasThem(t *testing.T) {
	s, err := NewSpace(2, 8, 0, mem.NewBudget(1<<20))
	require.NoError(t, err)
	defer s.Release()
	rich, poor := s.Arena(0), s.Arena(1)
	got := takeAll(t, rich)
	require.EqualValues(t, len(got), rich.InUse())
	require.Zero(t, poor.InUse())
	for _, i := range got[:10] {
		poor.Free(poor.At(i), i)
	}
	require.EqualValues(t, len(got), rich.InUse(), "they have not come home")
	require.Zero(t, poor.InUse())
	poor.GiveBack()
	require.EqualValues(t, len(got)-10, rich.InUse())
	require.True(t, rich.TakeBack())
	require.EqualValues(t, len(got)-10, rich.InUse())
	rich.Share()
	require.EqualValues(t, len(got)-10, rich.InUse(), "those of the commons are free")
	e, i, err := poor.Alloc()
	require.NoError(t, err)
	e.State = Pending
	require.GreaterOrEqual(t, rich.InUse(), uint32(len(got)-9), "the other arena uses one, and may have more at hand")
	require.Zero(t, poor.InUse())
	poor.Free(e, i)
	require.NoError(t, s.Check())
}

// Go's collector never looks at what lies in the memory of events.

// notInUse returns an address in a part of Go's heap that was in use once.
func notInUse() uintptr {
	big := make([]byte, 16<<20)
	at := uintptr(unsafe.Pointer(unsafe.SliceData(big)))
	runtime.KeepAlive(big)
	runtime.GC()
	return at + 8<<20
}

// The process would end with "found bad pointer in Go heap".
func TestTheCollectorDoesNotLookAtEvents(t *testing.T) {
	const size = 300
	s, err := NewSpace(1, 8, 1<<10, mem.NewBudget(64<<20))
	require.NoError(t, err)
	defer s.Release()
	a := s.Arena(0)
	bad := notInUse()
	var over atomic.Bool
	ended := make(chan struct{})
	go func() { // the collector looks at what is overwritten only while it marks
		defer close(ended)
		for range testlevel.Times(50, 10) {
			runtime.GC()
		}
		over.Store(true)
	}()
	for !over.Load() {
		e, i, err := a.Alloc()
		require.NoError(t, err)
		e.State = Pending
		*(*uintptr)(InSlot(e)) = bad
		require.NoError(t, a.AllocBlock(e, size))
		*(*uintptr)(Payload(e)) = bad // where the list of free blocks has its link
		a.Free(e, i)
	}
	<-ended
}

func TestMessagesAreReadAheadInTheirOrder(t *testing.T) {
	for _, inline := range []uintptr{8, 72, 80, 1024} {
		a, err := NewArena(inline, 16, nil)
		require.NoError(t, err)
		defer a.Release()
		var keys []Key
		var want, bytes []uintptr
		for _, size := range []uintptr{2000, 0, 5000, 1100} { // 0: in the slot
			e, i, err := a.Alloc()
			require.NoError(t, err)
			switch {
			case size > 0:
				require.NoError(t, a.AllocBlock(e, size))
				want, bytes = append(want, uintptr(Payload(e))), append(bytes, 1024)
			case inline > 72:
				want, bytes = append(want, uintptr(unsafe.Pointer(e))+128), append(bytes, Size+a.Inline()-128)
			}
			keys = append(keys, Key{Lo: uint64(i)})
		}
		w := &a.blocks.warm
		a.Foresee(keys)
		require.False(t, a.Foreseen(), "nobody has asked for it")
		a.ReadAhead()
		a.Foresee(keys)
		require.Equal(t, want, w.at[:w.n])
		require.Equal(t, bytes, w.bytes[:w.n])
		a.Ahead(1)
		require.Equal(t, want[:len(want)-1], w.at[:w.n])
		require.True(t, a.Foreseen())
		a.Ahead(4)
		require.False(t, a.Foreseen())
		a.Ahead(1)
		var many []Key
		for range 2 * mostWarm {
			many = append(many, keys[0])
		}
		a.Foresee(append(many, keys...))
		require.Equal(t, want, w.at[w.n-len(want):w.n], "those that come next")
		a.Foresee(nil)
		require.False(t, a.Foreseen())
	}
}
