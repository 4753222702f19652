// This file owns the examples of what optimistic runs add: PEs, state saving,
// memory that rolls back, suspension, the check of rollback.

package ross_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/ross-go/ross"
)

// A parallel run commits the events of the sequential one: here the model of the
// package's first example, optimistically on two PEs. It has no Reverse handler, so
// the engine saves the states. Config.NLP is the number of LPs on each PE.
func Example_optimistic() {
	run := func(synch, pes int) error {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.PEs = ross.Scheduler(synch), pes
		cfg.NLP, cfg.End = lps/uint64(pes), 100
		cfg.Digest = true
		sim, err := ross.New(cfg)
		if err != nil {
			return err
		}
		defer sim.Close()
		if err := sim.Define(ross.Type[State, Msg]{Init: (*State).Init, Event: (*State).Event}); err != nil {
			return err
		}
		if err := sim.Run(context.Background()); err != nil {
			return err
		}
		stats := sim.Stats()
		fmt.Printf("%d events, digest %x\n", stats.NetEvents(), *stats.Digest)
		return nil
	}
	fmt.Println(run(1, 1)) // sequential
	fmt.Println(run(3, 2)) // optimistic
	// Output:
	// 6310 events, digest 90bea7d1cb236218
	// <nil>
	// 6310 events, digest 90bea7d1cb236218
	// <nil>
}

// Save takes the place of a Reverse handler: what is saved before it changes is
// put back by a rollback. The cost is that of what is saved, not of the whole
// state.
func ExampleSave() {
	type table struct {
		Rows [1000]int64
		Last int32
	}
	type put struct{ Row int32 }
	rows := int64(0)
	err := simulateOn(3, 2, 4, 20, ross.Type[table, put]{
		Name: "table", Saving: ross.SaveByLog,
		Init: func(_ *table, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, put{}) },
		Event: func(s *table, lp *ross.LP, _ *ross.Bits, m *put) {
			ross.Save(lp, &s.Rows[m.Row])
			ross.Save(lp, &s.Last)
			s.Rows[m.Row]++
			s.Last = m.Row
			ross.Send(lp, (lp.ID()+1)%4, 0.5, put{Row: m.Row + 7})
		},
		Final: func(s *table, _ *ross.LP) { rows += s.Rows[s.Last] },
	})
	fmt.Println(err, rows)
	// Output: <nil> 4
}

// A state that grows is kept in memory of Alloc, which is rolled back with the
// event. For a type without Reverse the engine saves the blocks that an event asks
// for.
func ExampleAlloc() {
	type stack struct {
		Items ross.Block[float64]
		N     int
	}
	type push struct{}
	err := simulateOn(3, 1, 1, 100, ross.Type[stack, push]{
		Name: "stack",
		Init: func(_ *stack, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, push{}) },
		Event: func(s *stack, lp *ross.LP, _ *ross.Bits, _ *push) {
			if s.N == s.Items.Len() {
				larger := ross.Alloc[float64](lp, 2*s.N+1)
				copy(larger.Of(lp), s.Items.Of(lp))
				ross.Free(lp, s.Items)
				s.Items = larger
			}
			s.Items.Of(lp)[s.N] = lp.Now()
			s.N++
			ross.Send(lp, lp.ID(), 1, push{})
		},
		Final: func(s *stack, lp *ross.LP) {
			fmt.Println(s.N, "items in room for", s.Items.Len(), "the last is", s.Items.Of(lp)[s.N-1])
		},
	})
	fmt.Println(err)
	// Output:
	// 99 items in room for 127 the last is 99
	// <nil>
}

// An LP that finds itself in a state that cannot be suspends itself. If it was an
// event that came too early, a rollback lifts the suspension. What is committed is
// the same in every scheduler.
func ExampleLP_Suspend() {
	type tank struct{ Litres int }
	type use struct{ Litres int32 }
	for _, synch := range []int{1, 3} {
		err := simulateOn(synch, 1, 2, 100, ross.Type[tank, use]{
			Name: "tank",
			Init: func(s *tank, lp *ross.LP) {
				s.Litres = 10
				ross.Send(lp, lp.ID(), 1, use{Litres: 1 + int32(lp.ID())})
			},
			Event: func(s *tank, lp *ross.LP, _ *ross.Bits, m *use) {
				ross.Send(lp, lp.ID(), 2, use{Litres: m.Litres + 1})
				if int(m.Litres) > s.Litres {
					lp.Suspend(false, s.Litres) // nothing to reverse: the state is as it was
					return
				}
				s.Litres -= int(m.Litres)
			},
			Reverse: func(s *tank, _ *ross.LP, _ *ross.Bits, m *use) { s.Litres += int(m.Litres) },
			Final: func(s *tank, lp *ross.LP) {
				left, suspended := lp.Suspended()
				fmt.Printf("LP %d: suspended %t, %d litres left\n", lp.ID(), suspended, left)
			},
		})
		fmt.Println(err)
	}
	// Output:
	// LP 0: suspended true, 0 litres left
	// LP 1: suspended true, 1 litres left
	// <nil>
	// LP 0: suspended true, 0 litres left
	// LP 1: suspended true, 1 litres left
	// <nil>
}

// The rollback check (--synch=6) handles each event, takes it back, and compares. A
// Reverse that forgets something is named, and so is what it forgets.
func Example_rollbackCheck() {
	type queue struct{ Length, Served int }
	type job struct{}
	err := simulateOn(6, 1, 1, 10, ross.Type[queue, job]{
		Name: "queue",
		Init: func(_ *queue, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, job{}) },
		Event: func(s *queue, lp *ross.LP, _ *ross.Bits, _ *job) {
			s.Length += 2
			s.Served++
			ross.Send(lp, lp.ID(), 1, job{})
		},
		Reverse: func(s *queue, _ *ross.LP, _ *ross.Bits, _ *job) { s.Length -= 2 },
	})
	fmt.Println(errors.Is(err, ross.ErrReverse))
	fmt.Println(err)
	// Output:
	// true
	// ross: LP 0 (queue) at time 1: Reverse of the event that LP 0 sent at time 0 left queue.Served at 1, it was 0 before: bad rollback: undo in Reverse all that Event did to the state and the message
}
