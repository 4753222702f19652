// This file pins what becomes of mistakes, and of operations that find no memory.

package container_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	. "github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/models/rosstest"
)

// once returns a type whose LP 3 handles one event, at time 1.5: that is what do is called in.
func once[S any](saving ross.Saving, do func(s *S, lp *ross.LP)) ross.Type[S, rosstest.Word] {
	t := ross.Type[S, rosstest.Word]{
		Name: "once", Saving: saving,
		Init: func(_ *S, lp *ross.LP) {
			if lp.ID() == 1 {
				ross.Send(lp, 3, 1.5, rosstest.Word{})
			}
		},
		Event: func(s *S, lp *ross.LP, _ *ross.Bits, _ *rosstest.Word) { do(s, lp) },
	}
	if saving == ross.SaveByReverse {
		t.Reverse = func(*S, *ross.LP, *ross.Bits, *rosstest.Word) {}
	}
	return t
}

func TestWhatIsNotThereIsNoMistake(t *testing.T) {
	called := false
	rosstest.Run(t, rosstest.Small(), once(ross.SaveByDelta, func(s *stock, lp *ross.LP) {
		called = true
		for range 2 { // before memory is there, and after
			_, pop := s.Queue.Pop(lp)
			_, peek := s.Queue.Peek(lp)
			_, top := s.Stack.Pop(lp)
			_, _, least := s.Heap.Pop(lp)
			_, _, first := s.Heap.Peek(lp)
			_, get := s.Map.Get(lp, spot{})
			_, removed := s.Slab.Remove(lp, 0)
			_, beyond := s.Slab.Remove(lp, 99)
			_, _, topmost := s.Index.Pop(lp)
			_, _, taken := s.Index.Remove(lp, 99)
			_, key := s.Index.Key(lp, 1)
			require.Zero(t, s.Index.First(lp))
			require.Equal(t, make([]bool, 4), []bool{topmost, taken, key, s.Index.Fix(lp, 1, 5)})
			require.Nil(t, s.Index.Get(lp, 0))
			require.Nil(t, s.Index.Edit(lp, 1))
			next, bit := s.Bits.Next(lp, -5)
			require.Equal(t, make([]bool, 9), []bool{pop, peek, top, least, first, get, removed, beyond, bit})
			require.Zero(t, next)
			require.False(t, s.Map.Delete(lp, spot{}) || s.Set.Delete(lp, 1) || s.Bits.Has(lp, -1) || s.Bits.Has(lp, 1<<40))
			for _, i := range []int{-1, 0, 1 << 40} {
				require.Nil(t, s.Queue.At(lp, i))
				require.Nil(t, s.Queue.Edit(lp, i))
				require.Nil(t, s.Stack.At(lp, i))
				require.Nil(t, s.Stack.Edit(lp, i))
				s.Bits.Unset(lp, i)
			}
			require.Nil(t, s.Slab.Get(lp, 0))
			require.Nil(t, s.Slab.Edit(lp, ^Handle(0)))
			require.Nil(t, s.Map.Edit(lp, spot{}))

			s.Queue.Push(lp, job{})
			s.Queue.Pop(lp)
			s.Stack.Push(lp, 1)
			s.Stack.Pop(lp)
			s.Heap.Push(lp, 1, 1)
			s.Heap.Pop(lp)
			s.Index.Remove(lp, s.Index.Push(lp, 1, job{}))
			s.Map.Put(lp, spot{1, 1}, 1)
			s.Map.Delete(lp, spot{1, 1})
			s.Slab.Remove(lp, s.Slab.Add(lp, job{}))
			s.Bits.Set(lp, 3)
			s.Bits.Unset(lp, 3)
		}
	}))
	require.True(t, called)
}

func TestMistakesAreNamed(t *testing.T) {
	type far struct{ Q *Queue[int64] }
	type texts struct{ Q Queue[string] }
	type blocks struct {
		M Map[ross.Block[byte], int64]
	}
	type twice struct{ Kept, Copy Stack[int64] }
	for _, c := range []struct {
		model ross.LPType
		want  string
	}{
		{once(ross.SaveByDelta, func(s *stock, lp *ross.LP) { s.Bits.Set(lp, -1) }), "set bit -1 of a Bitset: cannot be saved: give 0 or more"},
		{once(ross.SaveByReverse, func(s *far, lp *ross.LP) {
			s.Q = new(Queue[int64])
			s.Q.Push(lp, 1)
		}), "changed a container outside of its state: cannot be saved: keep containers in the state itself"},
		{once(ross.SaveByReverse, func(s *texts, lp *ross.LP) { s.Q.Push(lp, "") }), "values of string: cannot be saved: ask for 0 or more values of a type without pointers"},
		{once(ross.SaveByReverse, func(s *blocks, lp *ross.LP) { s.M.Put(lp, ross.Block[byte]{}, 1) }), "which has Blocks: cannot be saved: use a number for a key"},
		{once(ross.SaveByReverse, func(s *twice, lp *ross.LP) {
			if lp.Now() < 2 {
				s.Kept.Push(lp, 1)
				s.Copy = s.Kept
				s.Kept.Clear(lp)
				ross.Send(lp, lp.ID(), 1, rosstest.Word{})
				return
			}
			require.Nil(t, s.Copy.At(lp, 0))
			s.Copy.Push(lp, 2)
			_, ok := s.Copy.Pop(lp)
			require.False(t, ok)
			require.Equal(t, 1, s.Copy.Len())
		}), "read a block that had been freed: cannot be saved: set a Block to its zero value when it is freed"},
	} {
		for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
			if synch == ross.Sequential && c.want[:9] == "changed a" {
				continue // which is a mistake only if it has to be undone
			}
			cfg := rosstest.Small()
			cfg.Synch = synch
			out := rosstest.Try(t, cfg, c.model)
			require.ErrorContains(t, out.Err, "ross: LP 3 (once) at time ")
			require.ErrorContains(t, out.Err, c.want)
		}
	}
}

func TestContainersChangeInHandlersOnly(t *testing.T) {
	const want = "changed a container outside of its handlers: cannot be saved: change containers in Init, PreRun and Event"
	for name, spoil := range map[string]func(m *ross.Type[stock, rosstest.Word]){
		"Commit": func(m *ross.Type[stock, rosstest.Word]) {
			m.Commit = func(s *stock, lp *ross.LP, _ *ross.Bits, _ *rosstest.Word) { s.Stack.Push(lp, 1) }
		},
		"another LP": func(m *ross.Type[stock, rosstest.Word]) {
			m.Event = func(_ *stock, lp *ross.LP, _ *ross.Bits, _ *rosstest.Word) {
				other := lp.PE().LP(0)
				ross.StateOf[stock](other).Stack.Push(other, 1)
			}
		},
	} {
		for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic, ross.RollbackCheck} {
			model := once(ross.SaveByReverse, func(s *stock, lp *ross.LP) { s.Stack.Push(lp, 2) })
			spoil(&model)
			cfg := rosstest.Small()
			cfg.Synch = synch
			out := rosstest.Try(t, cfg, model)
			require.ErrorIs(t, out.Err, ross.ErrSave, "%s, %s", name, synch)
			require.ErrorContains(t, out.Err, want, "%s, %s", name, synch)
		}
	}
}

// fill adds more to every container than there is memory for.
func fill(s *wide, lp *ross.LP) {
	for range 1 << 12 {
		s.Queue.Push(lp, page{})
		s.Stack.Push(lp, page{})
		s.Heap.Push(lp, 1, page{})
		if h := s.Index.Push(lp, float64(-s.Index.Len()), page{}); h != 0 {
			s.Index.Fix(lp, h, 0)
		}
		if h := s.Slab.Add(lp, page{}); h != 0 {
			*s.Slab.Edit(lp, h) = page{}
		}
		if p := s.Map.Ensure(lp, uint32(s.Map.Len())); p != nil {
			*p = page{}
		}
		s.Bits.Set(lp, s.Queue.Len()*1000)
	}
}

type page [512]byte

type wide struct {
	Queue Queue[page]
	Stack Stack[page]
	Heap  Heap[float64, page]
	Index IndexedHeap[float64, page]
	Slab  Slab[page]
	Map   Map[uint32, page]
	Bits  Bitset
}

func TestWithoutMemoryTheRunEndsWithTheErrorOfAlloc(t *testing.T) {
	schedulers := []ross.Scheduler{ross.Sequential, ross.Optimistic, ross.RollbackCheck}
	for _, synch := range testlevel.Pick(schedulers, schedulers, schedulers[1:2]) {
		for _, saving := range testlevel.Pick(savings, savings, savings[2:]) {
			cfg := rosstest.Small()
			cfg.Synch, cfg.MaxMemory = synch, 4<<20
			out := rosstest.Try(t, cfg, once(saving, fill))
			require.ErrorIs(t, out.Err, ross.ErrMemory, "%s, %s", synch, saving)
		}
	}
}

// An event that finds no memory is undone and handled again: nothing shows that it was tried.
func TestMemoryThatIsShortForATimeDoesNotShow(t *testing.T) {
	type many struct{ Q Queue[page] }
	model := func(saving ross.Saving) ross.LPType {
		m := once(saving, func(s *many, lp *ross.LP) {
			for range 1 + int(lp.RNG().Integer(0, 20)) {
				s.Q.Push(lp, page{byte(lp.RNG().Integer(0, 255))})
			}
			for s.Q.Len() > 40 {
				s.Q.Pop(lp)
			}
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 3)), 0.1+lp.RNG().Exponential(1), rosstest.Word{})
		})
		m.Init = func(_ *many, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, rosstest.Word{}) }
		return m
	}
	for _, saving := range savings {
		cfg := rosstest.Small()
		want := rosstest.Run(t, cfg, model(saving)).Stats()
		cfg.Synch, cfg.MaxMemory, cfg.GVTInterval, cfg.FixedGVT = ross.Optimistic, 1<<20, 1<<20, true
		got := rosstest.Run(t, cfg, model(saving)).Stats()
		require.Equal(t, *want.Digest, *got.Digest)
		require.Equal(t, *want.StateDigest, *got.StateDigest)
		require.Positive(t, got.EventsAborted, "memory was never short")
	}
}
