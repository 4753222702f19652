// This file owns the benchmarks: a queue against rings that models write by hand, and the heaps.

package container_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	. "github.com/ross-go/ross/container"
)

// parcel is a value of two words.
type parcel struct{ ID, Weight uint64 }

// depth is the number of values in each queue.
const depth = 48

// belt is a state with a ring of fixed size.
type belt struct {
	Handled int64
	Head, N uint32
	Ring    [64]parcel
}

// depot is a state with a Queue.
type depot struct {
	Handled int64
	Queue   Queue[parcel]
}

// BenchmarkQueue measures an event that pushes a value and pops one. The impls are: none, which does
// neither; ring, an array in the state; queue, a Queue.
func BenchmarkQueue(b *testing.B) {
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
		for _, saving := range []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta} {
			if synch == ross.Sequential && saving != ross.SaveByReverse {
				continue
			}
			name := "synch=" + synch.String() + "/saving=" + saving.String()
			b.Run(name+"/impl=none", func(b *testing.B) { hold(b, synch, none(saving)) })
			b.Run(name+"/impl=ring", func(b *testing.B) { hold(b, synch, ring(saving)) })
			b.Run(name+"/impl=queue", func(b *testing.B) { hold(b, synch, queue(saving)) })
		}
	}
}

// hold runs a model for b.N events.
func hold(b *testing.B, synch ross.Scheduler, model ross.LPType) {
	const lps = 256
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.NLP, cfg.End = synch, lps, float64(b.N/lps+1)
	sim, err := ross.New(cfg)
	require.NoError(b, err)
	defer sim.Close()
	require.NoError(b, sim.Define(model))
	b.ResetTimer()
	require.NoError(b, sim.Run(context.Background()))
}

// next sends an LP its next event.
func next(lp *ross.LP) { ross.Send(lp, lp.ID(), 0.5+lp.RNG().Unif(), parcel{}) }

func none(saving ross.Saving) ross.LPType {
	t := ross.Type[depot, parcel]{
		Saving: saving,
		Init:   func(_ *depot, lp *ross.LP) { next(lp) },
		Event: func(s *depot, lp *ross.LP, _ *ross.Bits, _ *parcel) {
			if saving == ross.SaveByLog {
				ross.Save(lp, &s.Handled)
			}
			s.Handled++
			next(lp)
		},
	}
	if saving == ross.SaveByReverse {
		t.Reverse = func(s *depot, _ *ross.LP, _ *ross.Bits, _ *parcel) { s.Handled-- }
	}
	return t
}

func queue(saving ross.Saving) ross.LPType {
	t := none(saving).(ross.Type[depot, parcel])
	t.Init = func(s *depot, lp *ross.LP) {
		for i := range uint64(depth) {
			s.Queue.Push(lp, parcel{i, i})
		}
		next(lp)
	}
	t.Event = func(s *depot, lp *ross.LP, _ *ross.Bits, _ *parcel) {
		if saving == ross.SaveByLog {
			ross.Save(lp, &s.Handled)
		}
		s.Handled++
		s.Queue.Push(lp, parcel{uint64(s.Handled), 1})
		s.Queue.Pop(lp)
		next(lp)
	}
	return t
}

func ring(saving ross.Saving) ross.LPType {
	t := ross.Type[belt, parcel]{
		Saving: saving,
		Init: func(s *belt, lp *ross.LP) {
			for i := range uint64(depth) {
				s.Ring[s.N] = parcel{i, i}
				s.N++
			}
			next(lp)
		},
		Event: func(s *belt, lp *ross.LP, _ *ross.Bits, m *parcel) {
			to := &s.Ring[(s.Head+s.N)%uint32(len(s.Ring))]
			if saving == ross.SaveByLog {
				ross.Save(lp, &s.Handled)
				ross.Save(lp, &s.Head)
				ross.Save(lp, to)
			}
			s.Handled++
			*m = *to // for Reverse
			*to = parcel{uint64(s.Handled), 1}
			s.Head = (s.Head + 1) % uint32(len(s.Ring))
			next(lp)
		},
	}
	if saving == ross.SaveByReverse {
		t.Reverse = func(s *belt, _ *ross.LP, _ *ross.Bits, m *parcel) {
			s.Handled--
			s.Head = (s.Head - 1) % uint32(len(s.Ring))
			s.Ring[(s.Head+s.N)%uint32(len(s.Ring))] = *m
		}
	}
	return t
}

// BenchmarkHeap measures an event that pushes a value and pops one. The impls are: none, which does
// neither; heap, a Heap; indexed, an IndexedHeap. Values have 16 bytes, or 256.
func BenchmarkHeap(b *testing.B) {
	type large [32]uint64
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
		name := "synch=" + synch.String()
		b.Run(name+"/impl=none", func(b *testing.B) { hold(b, synch, none(ross.SaveByReverse)) })
		b.Run(name+"/size=16/impl=heap", func(b *testing.B) { hold(b, synch, heaps[parcel](false)) })
		b.Run(name+"/size=16/impl=indexed", func(b *testing.B) { hold(b, synch, heaps[parcel](true)) })
		b.Run(name+"/size=256/impl=heap", func(b *testing.B) { hold(b, synch, heaps[large](false)) })
		b.Run(name+"/size=256/impl=indexed", func(b *testing.B) { hold(b, synch, heaps[large](true)) })
	}
}

// heaps returns a model that pushes to a heap and pops from it.
func heaps[V any](indexed bool) ross.LPType {
	type pile struct {
		Handled int64
		Heap    Heap[float64, V]
		Indexed IndexedHeap[float64, V]
	}
	push := func(s *pile, lp *ross.LP) {
		key := lp.Now() + lp.RNG().Unif()
		if indexed {
			s.Indexed.Push(lp, key, *new(V))
		} else {
			s.Heap.Push(lp, key, *new(V))
		}
	}
	return ross.Type[pile, parcel]{
		Init: func(s *pile, lp *ross.LP) {
			for range depth {
				push(s, lp)
			}
			next(lp)
		},
		Event: func(s *pile, lp *ross.LP, _ *ross.Bits, _ *parcel) {
			s.Handled++
			push(s, lp)
			if indexed {
				s.Indexed.Pop(lp)
			} else {
				s.Heap.Pop(lp)
			}
			next(lp)
		},
		Reverse: func(s *pile, _ *ross.LP, _ *ross.Bits, _ *parcel) { s.Handled-- },
	}
}
