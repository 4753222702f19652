// This file pins that containers do what slices and maps do, in every scheduler, however often events are rolled
// back, in all ways of undoing, and under the fuzzer; that package modeltest finds them right, with checkpoints; and
// what becomes of mistakes, and of operations that find no memory. It has the benchmarks: a queue against rings that
// models write by hand, and the heaps.

package container_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	. "github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
)

// shopLPs is a multiple of 1, 2, 3 and 4.
const shopLPs = 12

// savings are the ways of undoing events.
var savings = []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta}

// trade runs a shop and returns its digests.
func trade(t *testing.T, saving ross.Saving, end float64, configure func(*ross.Config)) (
	digests [2]uint64, undone uint64) {
	t.Helper()
	testkit.Watch(t)
	sh := newShop(t, shopLPs, random)
	cfg := rosstest.Small()
	cfg.End, cfg.NKP, cfg.MaxMemory, cfg.ConsLookahead = end, 1, 256<<20, 0.01
	configure(&cfg)
	cfg.NLP = int(shopLPs / uint64(max(cfg.PEs, 1)))
	out := rosstest.Run(t, cfg, sh.model(saving))
	require.Zero(t, sh.wrong.Load(), "results differ from those of the books")
	st := out.Summary()
	return [2]uint64{*st.Digest, *st.StateDigest}, st.EventsRolledBack
}

func TestContainersAreWhatSlicesAndMapsAre(t *testing.T) {
	for _, saving := range savings {
		t.Run(saving.String(), func(t *testing.T) {
			want, _ := trade(t, saving, 60, func(*ross.Config) {})
			undone := uint64(0)
			trades := func(run [3]int) {
				got, n := trade(t, saving, 60, func(c *ross.Config) {
					c.Synch, c.PEs, c.NKP, c.Tuning.Batch, c.Tuning.GVTInterval = ross.Scheduler(run[0]), run[1], int(run[2]), 4, 64
					c.Tuning.FixedKPs = true // one PE alone rolls nothing back
				})
				require.Equal(t, want, got, "--synch=%d --pes=%d --nkp=%d", run[0], run[1], run[2])
				undone += n
			}
			for _, run := range testlevel.Pick([][3]int{{2, 2, 1}, {3, 1, 2}, {3, 2, 1}, {3, 2, 6}, {3, 3, 2}, {3, 4, 1},
				{3, 4, 3}},
				[][3]int{{3, 2, 2}, {3, 4, 1}}, [][3]int{{3, 4, 1}}) {
				trades(run)
			}
			testkit.Until(t, "something was rolled back", func() bool {
				if undone == 0 {
					trades([3]int{3, 4, 1})
				}
				return undone > 0
			})
		})
	}
}

// TestContainersAreRightInEveryScheduler checks how they are undone, and that checkpoints carry them.
func TestContainersAreRightInEveryScheduler(t *testing.T) {
	for _, saving := range savings {
		t.Run(saving.String(), func(t *testing.T) {
			modeltest.Run(t, modeltest.Model{
				Config: ross.Config{LPs: shopLPs, End: 40, ConsLookahead: 0.01},
				Types: func() []ross.LPType {
					sh := newShop(t, shopLPs, random)
					sh.blind = true // the books are not stored
					return []ross.LPType{sh.model(saving)}
				},
				Short: testlevel.Is(testlevel.Some),
			})
		})
	}
}

// FuzzContainers reads pairs of bytes, an operation and its argument. One LP does them, 8 in each
// event, in a run that undoes each event and repeats it.
func FuzzContainers(f *testing.F) {
	for i := range operations {
		f.Add(uint8(i), []byte{byte(i), 255, byte(i), 1, 0, 254, byte(i + 1), 7, byte(i + 2), 9, byte(i), 3})
	}
	f.Fuzz(func(t *testing.T, how uint8, ops []byte) {
		ops = ops[:min(len(ops), 1024)]
		sh := newShop(t, 1, func(lp *ross.LP) (o order, ok bool) {
			at := int(lp.RNG().Count() / 2 * uint64(len(o.Ops))) // two draws for each order
			if at >= len(ops) {
				return o, false
			}
			copy(o.Ops[:], ops[at:])
			return o, true
		})
		cfg := rosstest.Small()
		cfg.NLP, cfg.NKP, cfg.Synch, cfg.End = 1, 1, ross.RollbackCheck, 1e6
		out := rosstest.Run(t, cfg, sh.model(savings[int(how)%len(savings)]))
		require.Equal(t, (len(ops)+15)/16, out.Net())
		require.Zero(t, sh.wrong.Load())
	})
}

// once returns a type whose LP 3 handles one event, at time 1.5: that is what do is called in.
func once[S any](saving ross.Saving, do func(s *S, lp *ross.LP)) ross.Type[S] {
	t := ross.Type[S]{
		Name: "once", Saving: saving,
		Init: func(_ *S, lp *ross.LP) {
			if lp.ID() == 1 {
				ross.Send(lp, 3, 1.5, rosstest.Word{})
			}
		},
		Event: ross.On(func(s *S, lp *ross.LP, _ *rosstest.Word) { do(s, lp) }),
	}
	if saving == ross.SaveByReverse {
		t.Event = t.Event.(ross.EventHandler[S, rosstest.Word]).Reverse(func(*S, *ross.LP, *rosstest.Word) {})
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
		{once(ross.SaveByDelta, func(s *stock, lp *ross.LP) { s.Bits.Set(lp, -1) }),
			"set bit -1 of a Bitset: cannot be saved: give 0 or more"},
		{once(ross.SaveByReverse, func(s *far, lp *ross.LP) {
			s.Q = new(Queue[int64])
			s.Q.Push(lp, 1)
		}), "changed a container outside of its state: cannot be saved: keep containers in the state itself"},
		{once(ross.SaveByReverse, func(s *texts, lp *ross.LP) { s.Q.Push(lp, "") }),
			"values of string: cannot be saved: ask for 0 or more values of a type without pointers"},
		{once(ross.SaveByReverse, func(s *blocks, lp *ross.LP) { s.M.Put(lp, ross.Block[byte]{}, 1) }),
			"which has Blocks: cannot be saved: use a number for a key"},
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
	for name, spoil := range map[string]func(m *ross.Type[stock]){
		"Commit": func(m *ross.Type[stock]) {
			m.Event = m.Event.(ross.EventHandler[stock, rosstest.Word]).Commit(
				func(s *stock, lp *ross.LP, _ *rosstest.Word) { s.Stack.Push(lp, 1) })
		},
		"another LP": func(m *ross.Type[stock]) {
			m.Event = ross.On(func(_ *stock, lp *ross.LP, _ *rosstest.Word) {
				other := lp.PE().LP(0)
				ross.StateOf[stock](other).Stack.Push(other, 1)
			}).Reverse(func(*stock, *ross.LP, *rosstest.Word) {})
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
		want := rosstest.Run(t, cfg, model(saving)).Summary()
		cfg.Synch, cfg.MaxMemory, cfg.Tuning.GVTInterval, cfg.Tuning.FixedGVT = ross.Optimistic, 1<<20, 1<<20, true
		got := rosstest.Run(t, cfg, model(saving)).Summary()
		require.Equal(t, *want.Digest, *got.Digest)
		require.Equal(t, *want.StateDigest, *got.StateDigest)
		require.Positive(t, got.EventsAborted, "memory was never short")
	}
}

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
	t := ross.Type[depot]{
		Saving: saving,
		Init:   func(_ *depot, lp *ross.LP) { next(lp) },
		Event: ross.On(func(s *depot, lp *ross.LP, _ *parcel) {
			if saving == ross.SaveByLog {
				ross.Save(lp, &s.Handled)
			}
			s.Handled++
			next(lp)
		}),
	}
	if saving == ross.SaveByReverse {
		t.Event = t.Event.(ross.EventHandler[depot, parcel]).Reverse(func(s *depot, _ *ross.LP, _ *parcel) { s.Handled-- })
	}
	return t
}

func queue(saving ross.Saving) ross.LPType {
	t := none(saving).(ross.Type[depot])
	t.Init = func(s *depot, lp *ross.LP) {
		for i := range uint64(depth) {
			s.Queue.Push(lp, parcel{i, i})
		}
		next(lp)
	}
	handler := ross.On(func(s *depot, lp *ross.LP, _ *parcel) {
		if saving == ross.SaveByLog {
			ross.Save(lp, &s.Handled)
		}
		s.Handled++
		s.Queue.Push(lp, parcel{uint64(s.Handled), 1})
		s.Queue.Pop(lp)
		next(lp)
	})
	if saving == ross.SaveByReverse {
		handler = handler.Reverse(func(s *depot, _ *ross.LP, _ *parcel) { s.Handled-- })
	}
	t.Event = handler
	return t
}

func ring(saving ross.Saving) ross.LPType {
	t := ross.Type[belt]{
		Saving: saving,
		Init: func(s *belt, lp *ross.LP) {
			for i := range uint64(depth) {
				s.Ring[s.N] = parcel{i, i}
				s.N++
			}
			next(lp)
		},
		Event: ross.On(func(s *belt, lp *ross.LP, m *parcel) {
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
		}),
	}
	if saving == ross.SaveByReverse {
		t.Event = t.Event.(ross.EventHandler[belt, parcel]).Reverse(func(s *belt, _ *ross.LP, m *parcel) {
			s.Handled--
			s.Head = (s.Head - 1) % uint32(len(s.Ring))
			s.Ring[(s.Head+s.N)%uint32(len(s.Ring))] = *m
		})
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
	return ross.Type[pile]{
		Init: func(s *pile, lp *ross.LP) {
			for range depth {
				push(s, lp)
			}
			next(lp)
		},
		Event: ross.On(func(s *pile, lp *ross.LP, _ *parcel) {
			s.Handled++
			push(s, lp)
			if indexed {
				s.Indexed.Pop(lp)
			} else {
				s.Heap.Pop(lp)
			}
			next(lp)
		}).Reverse(func(s *pile, _ *ross.LP, _ *parcel) { s.Handled-- }),
	}
}
