package container_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
)

// tick is a message without content.
type tick struct{ _ int64 }

// run runs a model of one LP sequentially, which handles n events, at time 1, 2, ...
func run[S any](n int, event func(s *S, lp *ross.LP)) {
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 1, float64(n)+0.5
	sim, err := ross.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	err = sim.Define(ross.Type[S]{
		Init: func(_ *S, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, tick{}) },
		Event: ross.On(func(s *S, lp *ross.LP, _ *tick) {
			event(s, lp)
			ross.Send(lp, lp.ID(), 1, tick{})
		}),
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := sim.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

// A shop serves customers in the order in which they come. The Reverse handler undoes the counter
// only: the queue undoes itself.
func Example() {
	type customer struct{ Arrived float64 }
	type shop struct {
		Waiting container.Queue[customer]
		Served  int64
	}
	type visit struct{ Leaves bool } // of a customer who comes or has been served
	model := ross.Type[shop]{
		Init: func(_ *shop, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, visit{}) },
		Event: ross.OnUndo(func(s *shop, lp *ross.LP, bits *ross.Bits, m *visit) {
			if m.Leaves {
				bits.Set(0)
				s.Served++
				s.Waiting.Pop(lp)
			} else {
				s.Waiting.Push(lp, customer{lp.Now()})
				ross.Send(lp, lp.ID(), 1, visit{})
			}
			if first := s.Waiting.Len() == 1 && !m.Leaves; first || m.Leaves && s.Waiting.Len() > 0 {
				ross.Send(lp, lp.ID(), 1.75, visit{Leaves: true})
			}
		}).Reverse(func(s *shop, _ *ross.LP, bits *ross.Bits, _ *visit) {
			if bits.Get(0) {
				s.Served--
			}
		}),
		Final: func(s *shop, lp *ross.LP) {
			next, _ := s.Waiting.Peek(lp)
			fmt.Printf("%d served, %d wait, the first since %g\n", s.Served, s.Waiting.Len(), next.Arrived)
		},
	}
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.NLP, cfg.End = ross.Optimistic, 1, 20
	sim, err := ross.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	if err := sim.Define(model); err != nil {
		log.Fatal(err)
	}
	if err := sim.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 10 served, 9 wait, the first since 11
}

func ExampleQueue() {
	type state struct{ Jobs container.Queue[int32] }
	run(1, func(s *state, lp *ross.LP) {
		for id := range int32(4) {
			s.Jobs.Push(lp, id)
		}
		first, _ := s.Jobs.Pop(lp)
		s.Jobs.PushFront(lp, first+100) // it was interrupted
		*s.Jobs.Edit(lp, 1) += 200
		for i, id := range s.Jobs.All(lp) {
			fmt.Println(i, id)
		}
		s.Jobs.Clear(lp)
		_, ok := s.Jobs.Pop(lp)
		fmt.Println(ok)
	})
	// Output:
	// 0 100
	// 1 201
	// 2 2
	// 3 3
	// false
}

func ExampleStack() {
	type state struct{ Calls container.Stack[int32] }
	run(3, func(s *state, lp *ross.LP) {
		s.Calls.Push(lp, int32(lp.Now()))
		if top, ok := s.Calls.Peek(lp); ok {
			fmt.Println(s.Calls.Len(), "calls, the last at", top)
		}
	})
	// Output:
	// 1 calls, the last at 1
	// 2 calls, the last at 2
	// 3 calls, the last at 3
}

// Jobs leave by their deadlines; of equal ones, the one that came first.
func ExampleHeap() {
	type state struct {
		Jobs container.Heap[float64, int32]
	}
	run(1, func(s *state, lp *ross.LP) {
		for id, deadline := range []float64{9, 4, 9, 2} {
			s.Jobs.Push(lp, deadline, int32(id))
		}
		for deadline, id, ok := s.Jobs.Pop(lp); ok; deadline, id, ok = s.Jobs.Pop(lp) {
			fmt.Println("job", id, "by", deadline)
		}
	})
	// Output:
	// job 3 by 2
	// job 1 by 4
	// job 0 by 9
	// job 2 by 9
}

// Jobs that wait may be taken back or become urgent.
func ExampleIndexedHeap() {
	type state struct {
		Jobs container.IndexedHeap[float64, int32]
	}
	run(1, func(s *state, lp *ross.LP) {
		wash := s.Jobs.Push(lp, 4, 1)
		dry := s.Jobs.Push(lp, 5, 2)
		iron := s.Jobs.Push(lp, 6, 3)
		s.Jobs.Remove(lp, wash)
		s.Jobs.Fix(lp, iron, 3)
		by, _ := s.Jobs.Key(lp, dry)
		fmt.Println("drying waits until", by, "and ironing is first:", s.Jobs.First(lp) == iron)
		for deadline, job, ok := s.Jobs.Pop(lp); ok; deadline, job, ok = s.Jobs.Pop(lp) {
			fmt.Println("job", job, "by", deadline)
		}
	})
	// Output:
	// drying waits until 5 and ironing is first: true
	// job 3 by 3
	// job 2 by 5
}

// A router counts the packets of each flow. Flows come in the order of their first packets.
func ExampleMap() {
	type flow struct{ From, To uint16 }
	type state struct{ Packets container.Map[flow, int64] }
	run(5, func(s *state, lp *ross.LP) {
		*s.Packets.Ensure(lp, flow{uint16(int(lp.Now()) * 2 % 3), 7})++
		if lp.Now() < 5 {
			return
		}
		for f, n := range s.Packets.All(lp) {
			fmt.Println(f, n)
		}
		s.Packets.Delete(lp, flow{1, 7})
		_, ok := s.Packets.Get(lp, flow{1, 7})
		fmt.Println(ok, s.Packets.Len())
	})
	// Output:
	// {2 7} 2
	// {1 7} 2
	// {0 7} 1
	// false 2
}

func ExampleSet() {
	type state struct{ Seen container.Set[ross.LPID] }
	run(4, func(s *state, lp *ross.LP) {
		from := ross.LPID(lp.Now()) % 3
		fmt.Println(from, "is new:", s.Seen.Add(lp, from))
	})
	// Output:
	// 1 is new: true
	// 2 is new: true
	// 0 is new: true
	// 1 is new: false
}

// Connections are named by handles, which messages can carry.
func ExampleSet_Random() {
	type town struct {
		Ill   container.Set[int64]
		Order [3]int64
	}
	run(1, func(s *town, lp *ross.LP) {
		for person := range int64(3) {
			s.Ill.Add(lp, person)
		}
		for i := range s.Order {
			s.Order[i], _ = s.Ill.Random(lp, lp.RNG())
			s.Ill.Delete(lp, s.Order[i])
		}
		fmt.Println(s.Order, s.Ill.Len())
	})
	// Output: [2 1 0] 0
}

func ExampleSlab() {
	type connection struct{ Bytes int64 }
	type state struct{ Open container.Slab[connection] }
	run(1, func(s *state, lp *ross.LP) {
		a := s.Open.Add(lp, connection{})
		b := s.Open.Add(lp, connection{})
		s.Open.Edit(lp, b).Bytes += 1500
		s.Open.Remove(lp, a)
		fmt.Println("connection", b, "has sent", s.Open.Get(lp, b).Bytes)
		fmt.Println("connection", a, "is open:", s.Open.Get(lp, a) != nil)
		fmt.Println("the next one is", s.Open.Add(lp, connection{}))
	})
	// Output:
	// connection 2 has sent 1500
	// connection 1 is open: false
	// the next one is 1
}

func ExampleBitset() {
	type state struct{ Free container.Bitset }
	run(1, func(s *state, lp *ross.LP) {
		for lane := range 100 {
			s.Free.Set(lp, lane)
		}
		s.Free.Unset(lp, 0)
		s.Free.Unset(lp, 1)
		first, _ := s.Free.Next(lp, 0)
		fmt.Println(s.Free.Len(), "are free, the first is", first)
	})
	// Output:
	// 98 are free, the first is 2
}
