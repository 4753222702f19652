package event_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/mem"
)

// fillUp has an arena take all slots that there is memory for, and frees them on another arena.
func fillUp(t *testing.T, s *event.Space, takes, frees *event.Arena) (n int) {
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
	s, err := event.NewSpace(2, 8, 0, mem.NewBudget(1<<20))
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
	s, err := event.NewSpace(2, 8, 0, mem.NewBudget(1<<20))
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
	s, err := event.NewSpace(2, 8, 0, mem.NewBudget(4<<20))
	require.NoError(t, err)
	defer s.Release()
	take := func(a *event.Arena, bytes uintptr) (all []uint32) {
		for {
			e, i, err := a.Alloc()
			if err != nil {
				return all
			}
			if e.State = event.Pending; a.AllocBlock(e, bytes) != nil {
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
		s, err := event.NewKeepingSpace(1, 100, 64, nil)
		require.NoError(t, err)
		a := s.Arena(0)
		e, i, err := a.Alloc()
		require.NoError(t, err)
		if e.State = event.Pending; size > a.Inline() {
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
		require.NotEqual(t, event.Payload(e), a.Sent(e))
		payload[size-1]--
		a.Unkeep(e, size)
		require.Equal(t, class, e.Class)
		require.Equal(t, event.Payload(e), a.Sent(e))
		a.Free(e, i)
		require.NoError(t, s.Check())
		s.Release()
	}
}

func TestSlotsInUseAreThoseOfTheirArenaWhoeverHasThem(t *testing.T) {
	s, err := event.NewSpace(2, 8, 0, mem.NewBudget(1<<20))
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
	e.State = event.Pending
	require.GreaterOrEqual(t, rich.InUse(), uint32(len(got)-9), "the other arena uses one, and may have more at hand")
	require.Zero(t, poor.InUse())
	poor.Free(e, i)
	require.NoError(t, s.Check())
}
