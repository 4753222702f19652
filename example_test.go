// This file owns the examples that the package comment refers to, a whole model: a line of machines that pass parts
// on; and those of what optimistic runs add: PEs, state saving, memory that rolls back, suspension, the check of
// rollback.

package ross_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/ross-go/ross"
)

// simulate runs one type of LP until a time, one event after the other.
func simulate[S any](lps uint64, end float64, typ ross.Type[S]) error {
	return simulateOn(1, 1, lps, end, typ)
}

// simulateOn is simulate with a scheduler (Config.Synch) and PEs, which share the
// LPs.
func simulateOn[S any](synch, pes int, lps uint64, end float64, typ ross.Type[S]) error {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs = ross.Scheduler(synch), pes
	cfg.NLP, cfg.End = int(lps/uint64(pes)), end
	sim, err := ross.New(cfg)
	if err != nil {
		return err
	}
	defer sim.Close()
	if err := sim.Define(typ); err != nil {
		return err
	}
	return sim.Run(context.Background())
}

// Of two events of one time, the one with the lower priority value is first,
// whichever was sent first.
func ExampleSendPriority() {
	type none struct{}
	type job struct{ Urgent bool }
	err := simulate(1, 10, ross.Type[none]{
		Init: func(_ *none, lp *ross.LP) {
			ross.Send(lp, 0, 5, job{})
			ross.SendPriority(lp, 0, 5, 0.5, job{Urgent: true})
		},
		Event: ross.On(func(_ *none, lp *ross.LP, m *job) {
			fmt.Println("time", lp.Now(), "urgent", m.Urgent)
		}),
	})
	fmt.Println(err)
	// Output:
	// time 5 urgent true
	// time 5 urgent false
	// <nil>
}

// A large message is filled where it lies, not copied. Its fields are 0 at first.
func ExampleNewEvent() {
	type none struct{}
	type packet struct {
		Size int32
		Data [1500]byte
	}
	err := simulate(2, 10, ross.Type[none]{
		Init: func(_ *none, lp *ross.LP) {
			if lp.ID() == 0 {
				p := ross.NewEvent[packet](lp, 1, 2.5)
				p.Size = int32(copy(p.Data[:], "hello"))
			}
		},
		Event: ross.On(func(_ *none, lp *ross.LP, p *packet) {
			fmt.Printf("LP %d at %g: %s\n", lp.ID(), lp.Now(), p.Data[:p.Size])
		}),
	})
	fmt.Println(err)
	// Output:
	// LP 1 at 2.5: hello
	// <nil>
}

// A mistake of the model ends the run with an error that says who did what.
func ExampleModelError() {
	type none struct{}
	err := simulate(4, 10, ross.Type[none]{
		Name: "clock",
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, none{}) },
		Event: ross.On(func(_ *none, lp *ross.LP, _ *none) {
			if lp.ID() == 3 {
				ross.Send(lp, 0, -1, none{})
			}
		}),
	})
	fmt.Println(err)
	var mistake *ross.ModelError
	fmt.Println(errors.As(err, &mistake), mistake.LP, mistake.Time, errors.Is(err, ross.ErrDelay), ross.ExitCode(err))
	// Output:
	// ross: LP 3 (clock) at time 1: sent LP 0 an event (ross_test.none) with delay -1: bad delay: a delay must be finite and at least 0; likely causes: a difference of times or its rounding, a distribution with negative values
	// true 3 1 true 1
}

// Customers (LPs 1 to 3) send jobs to a server (LP 0): two types, each with a
// state and a message of its own.
func ExampleConfig() {
	type job struct{ From ross.LPID }
	type done struct{}
	type server struct{ busyUntil float64 }
	type customer struct{ waited float64 }
	const service = 2.0

	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 4, 100
	cfg.TypeMap = func(gid ross.LPID) int { return min(int(gid), 1) }
	cfg.PE.Final = func(pe *ross.PE) {
		for i := 1; i < pe.NumLPs(); i++ {
			fmt.Println("customer", i, "waited", ross.StateOf[customer](pe.LP(i)).waited)
		}
	}
	sim, err := ross.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	err = sim.Define(
		ross.Type[server]{Name: "server", Event: ross.On(func(s *server, lp *ross.LP, m *job) {
			s.busyUntil = max(s.busyUntil, lp.Now()) + service
			ross.Send(lp, m.From, s.busyUntil-lp.Now(), done{})
		})},
		ross.Type[customer]{
			Name:  "customer",
			Init:  func(_ *customer, lp *ross.LP) { ross.Send(lp, 0, float64(lp.ID()), job{From: lp.ID()}) },
			Event: ross.On(func(s *customer, lp *ross.LP, _ *done) { s.waited = lp.Now() - float64(lp.ID()) }),
		},
	)
	if err == nil {
		err = sim.Run(context.Background())
	}
	fmt.Println(err)
	// Output:
	// customer 1 waited 2
	// customer 2 waited 3
	// customer 3 waited 4
	// <nil>
}

// The GVT hook sees a state that no later event can change. It sets its next
// time itself.
func ExampleHookAt() {
	type counter struct{ n int }
	type tick struct{}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 1, 10
	cfg.HookTrigger = ross.HookAt(2.5)
	cfg.GVTHook = func(pe *ross.PE, _ bool) {
		fmt.Println("time", pe.GVT(), "ticks", ross.StateOf[counter](pe.LP(0)).n)
		pe.SetHookTrigger(ross.HookAt(pe.GVT() + 5))
	}
	sim, err := ross.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	next := func(_ *counter, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, tick{}) }
	err = sim.Define(ross.Type[counter]{
		Init: next,
		Event: ross.On(func(c *counter, lp *ross.LP, _ *tick) {
			c.n++
			next(c, lp)
		}),
	})
	if err == nil {
		err = sim.Run(context.Background())
	}
	fmt.Println(err)
	// Output:
	// time 2.5 ticks 2
	// time 7.5 ticks 7
	// <nil>
}

// This file shows a whole model: a line of machines that pass parts on.

// machine is the state of an LP, part the message: it arrives at a machine.
type machine struct{ Parts int }
type part struct{ Number int32 }

const machines = 4

// Init has the first machine get a part, and the others wait.
func (m *machine) Init(lp *ross.LP) {
	if lp.ID() == 0 {
		ross.Send(lp, 0, 1, part{Number: 1})
	}
}

// Event works on a part for a random time and passes it on. The first machine
// takes the next part one time unit later.
func (m *machine) Event(lp *ross.LP, p *part) {
	m.Parts++
	if lp.ID() == 0 {
		ross.Send(lp, 0, 1, part{Number: p.Number + 1})
	}
	if next := lp.ID() + 1; next < machines {
		ross.Send(lp, next, 0.5+lp.RNG().Exponential(2), *p)
	}
}

// Reverse undoes what Event did to the state, in schedulers that roll back.
func (m *machine) Reverse(lp *ross.LP, p *part) { m.Parts-- }

// Final tells what came of it.
func (m *machine) Final(lp *ross.LP) {
	fmt.Printf("machine %d: %d parts\n", lp.ID(), m.Parts)
}

// A model is a type of LP: a state, a message, and methods of the state. The
// settings come from DefaultConfig, and in a program from the command line, see
// Options.
func Example_shop() {
	cfg := ross.DefaultConfig()
	cfg.NLP = machines
	cfg.End = 1000

	sim, err := ross.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	err = sim.Define(ross.Type[machine]{
		Name: "machine",
		Init: (*machine).Init, Event: ross.On((*machine).Event).Reverse((*machine).Reverse), Final: (*machine).Final,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := sim.Run(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	st := sim.Summary()
	fmt.Println(st.NetEvents(), "events")
	// Output:
	// machine 0: 999 parts
	// machine 1: 997 parts
	// machine 2: 994 parts
	// machine 3: 990 parts
	// 3980 events
}

// Several types of LPs live in one run: Config.TypeMap says which LP is which,
// and each type has messages of its own.
func ExampleConfig_typeMap() {
	type ping struct{ Left int32 }
	type pong struct{ Left, Bounces int32 }
	const player, wall = 0, 1

	players := ross.Type[struct{}]{
		Name: "player",
		Init: func(_ *struct{}, lp *ross.LP) { ross.Send(lp, wall, 1, pong{Left: 3}) },
		Event: ross.On(func(_ *struct{}, lp *ross.LP, m *ping) {
			fmt.Printf("time %g: the player has %d left\n", lp.Now(), m.Left)
			if m.Left > 0 {
				ross.Send(lp, wall, 1, pong{Left: m.Left, Bounces: 1})
			}
		}),
	}
	walls := ross.Type[struct{}]{
		Name: "wall",
		Event: ross.On(func(_ *struct{}, lp *ross.LP, m *pong) {
			ross.Send(lp, player, 0.5, ping{Left: m.Left - 1})
		}),
	}
	cfg := ross.DefaultConfig()
	cfg.NLP = 2
	cfg.TypeMap = func(gid ross.LPID) int { return int(gid) }
	sim, err := ross.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	if err := sim.Define(players, walls); err != nil {
		fmt.Println(err)
		return
	}
	if err := sim.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// time 1.5: the player has 2 left
	// time 3: the player has 1 left
	// time 4.5: the player has 0 left
}

// A parallel run commits the events of the sequential one: here the model of the
// package's first example, optimistically on two PEs. It has no Reverse handler, so
// the engine saves the states. Config.NLP is the number of LPs on each PE.
func Example_optimistic() {
	run := func(synch, pes int) error {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.PEs = ross.Scheduler(synch), pes
		cfg.NLP, cfg.End = int(lps/uint64(pes)), 100
		cfg.Digest = true
		sim, err := ross.New(cfg)
		if err != nil {
			return err
		}
		defer sim.Close()
		if err := sim.Define(ross.Type[State]{Init: (*State).Init, Event: ross.On((*State).Event)}); err != nil {
			return err
		}
		if err := sim.Run(context.Background()); err != nil {
			return err
		}
		stats := sim.Summary()
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
	err := simulateOn(3, 2, 4, 20, ross.Type[table]{
		Name: "table", Saving: ross.SaveByLog,
		Init: func(_ *table, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, put{}) },
		Event: ross.On(func(s *table, lp *ross.LP, m *put) {
			ross.Save(lp, &s.Rows[m.Row])
			ross.Save(lp, &s.Last)
			s.Rows[m.Row]++
			s.Last = m.Row
			ross.Send(lp, (lp.ID()+1)%4, 0.5, put{Row: m.Row + 7})
		}),
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
	err := simulateOn(3, 1, 1, 100, ross.Type[stack]{
		Name: "stack",
		Init: func(_ *stack, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, push{}) },
		Event: ross.On(func(s *stack, lp *ross.LP, _ *push) {
			if s.N == s.Items.Len() {
				larger := ross.Alloc[float64](lp, 2*s.N+1)
				copy(larger.Of(lp), s.Items.Of(lp))
				ross.Free(lp, s.Items)
				s.Items = larger
			}
			s.Items.Of(lp)[s.N] = lp.Now()
			s.N++
			ross.Send(lp, lp.ID(), 1, push{})
		}),
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
		err := simulateOn(synch, 1, 2, 100, ross.Type[tank]{
			Name: "tank",
			Init: func(s *tank, lp *ross.LP) {
				s.Litres = 10
				ross.Send(lp, lp.ID(), 1, use{Litres: 1 + int32(lp.ID())})
			},
			Event: ross.On(func(s *tank, lp *ross.LP, m *use) {
				ross.Send(lp, lp.ID(), 2, use{Litres: m.Litres + 1})
				if int(m.Litres) > s.Litres {
					lp.Suspend(false, s.Litres) // nothing to reverse: the state is as it was
					return
				}
				s.Litres -= int(m.Litres)
			}).Reverse(func(s *tank, _ *ross.LP, m *use) { s.Litres += int(m.Litres) }),
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
	err := simulateOn(6, 1, 1, 10, ross.Type[queue]{
		Name: "queue",
		Init: func(_ *queue, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, job{}) },
		Event: ross.On(func(s *queue, lp *ross.LP, _ *job) {
			s.Length += 2
			s.Served++
			ross.Send(lp, lp.ID(), 1, job{})
		}).Reverse(func(s *queue, _ *ross.LP, _ *job) { s.Length -= 2 }),
	})
	fmt.Println(errors.Is(err, ross.ErrReverse))
	fmt.Println(err)
	// Output:
	// true
	// ross: LP 0 (queue) at time 1: Reverse of the event that LP 0 sent at time 0 left queue.Served at 1, it was 0 before: bad rollback: undo in Reverse all that Event did to the state and the message
}

// Account is the state of a bank account, Deposit what it receives.
type (
	Account struct{ Balance, Deposits int64 }
	Deposit struct{ Amount int64 }
)

func (a *Account) Init(lp *ross.LP) { ross.Send(lp, lp.ID(), 1.5, Deposit{Amount: 100}) }

func (a *Account) Event(_ *ross.LP, d *Deposit) {
	a.Balance += d.Amount
	a.Deposits++
}

func (a *Account) Reverse(_ *ross.LP, d *Deposit) { a.Balance -= d.Amount }

// A Reverse handler that forgets a field, and what --synch=6 says of it.
func ExampleErrReverse() {
	bank := ross.Type[Account]{
		Name: "bank", Init: (*Account).Init, Event: ross.On((*Account).Event).Reverse((*Account).Reverse),
	}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.Synch = 1, 6
	sim, err := ross.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	if err := sim.Define(bank); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sim.Run(context.Background()))
	// Output:
	// ross: LP 0 (bank) at time 1.5: Reverse of the event that LP 0 sent at time 0 left Account.Deposits at 1, it was 0 before: bad rollback: undo in Reverse all that Event did to the state and the message
}
