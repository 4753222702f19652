// This file owns the tests of what models do wrongly, and that operations allocate nothing; and the benchmark of
// Servers against queues by hand.

package resource_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testalloc"
	. "github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

// yard has all resources.
type yard struct {
	Kept struct {
		Docks Servers[client] `ross:"docks,h"`
	}
	Plain  Servers[client]
	Closed Servers[client]
	Parts  Store[uint32, uint32]
	Unused Store[uint32, uint32]
	Tank   Level[uint32]
	Dry    Level[uint32]
	Food   FilterStore[uint32, diner]
	Cranes Pool[client, [4]Member]
	Shut   Pool[client, [4]Member]
	Dumb   Pool[int32, [4]Member]
	Odd    Pool[client, struct{ N [4]Member }]
}

// once returns a type whose LP 3 handles one event, at time 1.5: that is what do is called in.
func once(init, do func(s *yard, lp *ross.LP)) ross.Type[yard] {
	return ross.Type[yard]{
		Name: "yard", Saving: ross.SaveByLog,
		Init: func(s *yard, lp *ross.LP) {
			s.Kept.Docks.Open(lp, Rules{Servers: 1, Order: Preemptive})
			s.Plain.Open(lp, Rules{Servers: 1})
			s.Parts.Open(lp, Limits{})
			s.Food.Open(lp, Limits{})
			s.Tank.Open(lp, LevelRules{Capacity: 10, Amount: 5})
			s.Cranes.Open(lp, PoolRules{Groups: []int{1, 3}})
			if lp.ID() == 3 {
				init(s, lp)
				ross.Send(lp, 3, 1.5, tick{})
			}
		},
		Event: ross.Events(
			ross.On(func(s *yard, lp *ross.LP, _ *tick) { do(s, lp) }),
			ross.On(func(*yard, *ross.LP, *done) {}),
		),
	}
}

func nothing(*yard, *ross.LP) {}

// request returns the ticket of a customer.
func request(s *Servers[client], lp *ross.LP) Ticket {
	t, _ := s.Request(lp, client{})
	return t
}

func TestMistakesNameTheResourceAndTheWayOut(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(s *yard, lp *ross.LP)
		err  error
		text string
	}{
		"released twice": {func(s *yard, lp *ross.LP) {
			a := request(&s.Plain, lp)
			s.Plain.Release(lp, a)
			s.Plain.Release(lp, a)
		}, ErrTicket,
			"ross: LP 3 (yard) at time 1.5, handling resource_test.tick: Plain: released customer 1, who is not there: perhaps he was " +
				"released before: no such customer: use the ticket that Request, Release or Next has returned, and once for each service"},
		"a ticket of another one who has his place": {func(s *yard, lp *ross.LP) {
			a := request(&s.Plain, lp)
			s.Plain.Release(lp, a)
			request(&s.Plain, lp)
			s.Plain.Release(lp, a)
		}, ErrTicket, "Plain: released customer 1, who is not there"},
		"released who waits": {func(s *yard, lp *ross.LP) {
			request(&s.Kept.Docks, lp)
			s.Kept.Docks.Release(lp, request(&s.Kept.Docks, lp))
		}, ErrTicket, "Kept.Docks: released customer 2, who waits"},
		"released nobody": {func(s *yard, lp *ross.LP) { s.Plain.Release(lp, 0) }, ErrTicket,
			"ticket 0, of nobody: look at the outcome"},
		"served twice": {func(s *yard, lp *ross.LP) {
			a := request(&s.Plain, lp)
			Serve(lp, &s.Plain, a, 1, done{a})
			Serve(lp, &s.Plain, a, 1, done{a})
		}, ErrTicket, "Plain: began to serve customer 1, whose service has an end already"},
		"interrupted who is not there": {func(s *yard, lp *ross.LP) { s.Plain.Interrupt(lp, 77) }, ErrTicket,
			"Plain: interrupted customer 0, who is not there"},
		"interrupted a service by Send": {func(s *yard, lp *ross.LP) {
			s.Kept.Docks.RequestPriority(lp, client{}, 2)
			s.Kept.Docks.RequestPriority(lp, client{}, 1)
		}, ErrRules,
			"the end of whose service is not known: against the rules of the resource: begin services that may be interrupted with resource.Serve"},
		"served for NaN": {func(s *yard, lp *ross.LP) {
			Serve(lp, &s.Plain, request(&s.Plain, lp), math.NaN(), done{})
		}, ross.ErrDelay, "NaN"},
		"a priority of NaN": {func(s *yard, lp *ross.LP) { s.Plain.RequestPriority(lp, client{}, math.NaN()) },
			ErrAmount, "Plain: priority is NaN: bad amount: give a finite priority"},
		"not opened": {func(s *yard, lp *ross.LP) { request(&s.Closed, lp) }, ErrRules,
			"Closed: was used before it was opened: against the rules of the resource: call Open in Init"},
		"released before it was opened": {func(s *yard, lp *ross.LP) { s.Closed.Release(lp, 1) }, ErrRules,
			"Closed: was used before it was opened"},
		"set before it was opened": {func(s *yard, lp *ross.LP) { s.Closed.SetServers(lp, 1) }, ErrRules,
			"Closed: was used before it was opened"},
		"opened twice": {func(s *yard, lp *ross.LP) { s.Plain.Open(lp, Rules{}) }, ErrRules,
			"Plain: was opened twice"},
		"servers": {func(s *yard, lp *ross.LP) { s.Closed.Open(lp, Rules{Servers: -2}) }, ErrRules,
			"was opened with -2 servers"},
		"no rules": {func(s *yard, lp *ross.LP) { s.Closed.Open(lp, Rules{}) }, ErrRules,
			"was opened without servers: against the rules of the resource: give Rules.Servers, or NoServers if SetServers brings some later"},
		"no number of servers": {func(s *yard, lp *ross.LP) { s.Closed.Open(lp, Rules{Order: LIFO}) }, ErrRules,
			"was opened without servers"},
		"order": {func(s *yard, lp *ross.LP) { s.Closed.Open(lp, Rules{Servers: 1, Order: 9}) },
			ErrRules, "was opened with order 9"},
		"room": {func(s *yard, lp *ross.LP) { s.Closed.Open(lp, Rules{Servers: 1, Room: -2}) },
			ErrRules, "was opened with room for -2"},
		"batch": {func(s *yard, lp *ross.LP) { s.Closed.Open(lp, Rules{Servers: 1, Batch: 1 << 16}) },
			ErrRules, "was opened with batches of 65536"},
		"a batch of more than fit": {func(s *yard, lp *ross.LP) { s.Closed.Open(lp, Rules{Servers: 1, Batch: 3, BatchMin: 4}) },
			ErrRules, "was opened with batches of at least 4, and at most 3: against the rules of the resource: give 0 to Rules.Batch"},
		"a batch that nobody makes full": {func(s *yard, lp *ross.LP) {
			s.Closed.Open(lp, Rules{Servers: 1, Batch: 3, BatchMin: 3, Room: 2})
		}, ErrRules, "was opened with batches of at least 3, and room for 2"},
		"a batch without room": {func(s *yard, lp *ross.LP) {
			s.Closed.Open(lp, Rules{Servers: 1, Batch: 3, BatchMin: 2, Room: NoRoom})
		}, ErrRules, "was opened with batches of at least 2, and room for 0"},
		"a batch that starts alone": {func(s *yard, lp *ross.LP) {
			s.Closed.Open(lp, Rules{Servers: 1, Batch: 3, BatchMin: 2, Order: Preemptive})
		}, ErrRules, "give another order than Preemptive"},
		"Next of a full batch was forgotten": {func(s *yard, lp *ross.LP) {
			s.Closed.Open(lp, Rules{Servers: 1, Batch: 2, BatchMin: 2})
			for range 3 {
				request(&s.Closed, lp)
			}
		}, ErrRules, "with Rules.BatchMin, after each request, SetServers and Interrupt call Next until it returns 0"},
		"released one who waits": {func(s *yard, lp *ross.LP) {
			s.Closed.Open(lp, Rules{Servers: 1, Batch: 2, BatchMin: 2})
			s.Closed.ReleaseOne(lp, request(&s.Closed, lp))
		}, ErrTicket, "Closed: released customer 1, who waits"},
		"set to less than none": {func(s *yard, lp *ross.LP) { s.Plain.SetServers(lp, -1) }, ErrRules,
			"the number of servers was set to -1"},
		"Next was forgotten": {func(s *yard, lp *ross.LP) {
			request(&s.Plain, lp)
			request(&s.Plain, lp)
			s.Plain.SetServers(lp, 2)
			request(&s.Plain, lp)
		}, ErrRules,
			"Plain: a customer comes while others wait for free servers: against the rules of the resource: after SetServers and Interrupt call Next until it returns 0"},
		"the LP of another state": {func(s *yard, lp *ross.LP) {
			request(&s.Plain, lp.PE().LP(0))
		}, ross.ErrSave, "changed a container outside of its handlers"},
		"a store not opened": {func(s *yard, lp *ross.LP) { s.Unused.Put(lp, 1, 2) }, ErrRules,
			"Unused: was used before it was opened"},
		"a store opened twice": {func(s *yard, lp *ross.LP) { s.Parts.Open(lp, Limits{}) }, ErrRules,
			"Parts: was opened twice"},
		"a capacity": {func(s *yard, lp *ross.LP) { s.Unused.Open(lp, Limits{Capacity: -1}) }, ErrRules,
			"Unused: was opened with a capacity of -1"},
		"a preemptive store": {func(s *yard, lp *ross.LP) { s.Unused.Open(lp, Limits{Order: Preemptive}) }, ErrRules,
			"Unused: was opened with order 3: against the rules of the resource: give FIFO, LIFO or ByPriority"},
		"a room": {func(s *yard, lp *ross.LP) { s.Unused.Open(lp, Limits{RoomPut: -2}) }, ErrRules,
			"Unused: was opened with room for -2"},
		"too many members": {func(s *yard, lp *ross.LP) {
			s.Cranes.Request(lp, client{}, Need{Least: 2, Groups: GroupsOf(0)})
		}, ErrRules, "Cranes: 2 of 1 members were asked for: against the rules of the resource: ask for as many as there are"},
		"a member given that another has": {func(s *yard, lp *ross.LP) {
			a, _ := s.Cranes.Request(lp, client{}, Need{})
			s.Cranes.Give(lp, a, 3)
		}, ErrRules, "Cranes: customer 1 has no member 3"},
		"a pool released twice": {func(s *yard, lp *ross.LP) {
			a, _ := s.Cranes.Request(lp, client{}, Need{})
			s.Cranes.Release(lp, a)
			s.Cranes.Release(lp, a)
		}, ErrTicket, "Cranes: released customer 1, who is not there: perhaps he was released before"},
		"released who waits for members": {func(s *yard, lp *ross.LP) {
			s.Cranes.Request(lp, client{}, Need{Least: 4})
			a, _ := s.Cranes.Request(lp, client{}, Need{})
			s.Cranes.Release(lp, a)
		}, ErrTicket, "Cranes: released customer 2, who waits"},
		"Next of a pool was forgotten": {func(s *yard, lp *ross.LP) {
			a, _ := s.Cranes.Request(lp, client{}, Need{Least: 4})
			s.Cranes.Request(lp, client{}, Need{})
			s.Cranes.Release(lp, a)
			s.Cranes.Request(lp, client{}, Need{})
		}, ErrRules, "Cranes: members were asked for while others may go on: against the rules of the resource: after Release, " +
			"Give, Break, Repair and Renege call Next until it returns ticket 0"},
		"a member that is not there": {func(s *yard, lp *ross.LP) { s.Cranes.Break(lp, 4) }, ErrRules,
			"Cranes: member 4 was broken: against the rules of the resource: give 0 to 3"},
		"repaired what is not there": {func(s *yard, lp *ross.LP) { s.Cranes.Repair(lp, -1) }, ErrRules,
			"Cranes: member -1 was repaired"},
		"collectors who overtake": {func(s *yard, lp *ross.LP) {
			s.Shut.Open(lp, PoolRules{Overtake: true})
			s.Shut.Request(lp, client{}, Need{Least: 2, Collects: true})
		}, ErrRules, "Shut: two who collect and overtake each other may wait for ever"},
		"a pool not opened": {func(s *yard, lp *ross.LP) { s.Shut.Request(lp, client{}, Need{}) }, ErrRules,
			"Shut: was used before it was opened"},
		"a pool opened twice": {func(s *yard, lp *ross.LP) { s.Cranes.Open(lp, PoolRules{}) }, ErrRules,
			"Cranes: was opened twice"},
		"more in groups than members": {func(s *yard, lp *ross.LP) { s.Shut.Open(lp, PoolRules{Groups: []int{2, 3}}) }, ErrRules,
			"Shut: was opened with groups of [2 3]: against the rules of the resource: give 1 to 64 groups of 1 or more members, 4 at most in all"},
		"members of another type": {func(s *yard, lp *ross.LP) { s.Odd.Open(lp, PoolRules{}) }, ErrRules,
			"declare it as Pool[C, [n]resource.Member], n from 1 to 256"},
		"a choice": {func(s *yard, lp *ross.LP) { s.Shut.Open(lp, PoolRules{Choice: 9}) }, ErrRules,
			"Shut: was opened with choice 9: against the rules of the resource: give one of FirstFree to ByRank"},
		"ranks of nobody": {func(s *yard, lp *ross.LP) { s.Dumb.Open(lp, PoolRules{Choice: ByRank}) }, ErrRules,
			"Dumb: was opened with ByRank, and customers of type int32 do not rank members: against the rules of the resource: " +
				"give that type a method Rank(member int) float64"},
		"a preemptive pool": {func(s *yard, lp *ross.LP) { s.Shut.Open(lp, PoolRules{Order: Preemptive}) }, ErrRules,
			"Shut: was opened with order 3: against the rules of the resource: give FIFO, LIFO or ByPriority"},
		"a need with a priority of NaN": {func(s *yard, lp *ross.LP) {
			s.Cranes.Request(lp, client{}, Need{Priority: math.NaN()})
		}, ErrAmount, "Cranes: priority is NaN"},
		"a getter's priority": {func(s *yard, lp *ross.LP) { s.Parts.GetPriority(lp, 1, math.Inf(1)) }, ErrAmount,
			"Parts: priority is +Inf: bad amount: give a finite priority"},
		"a priority at a level": {func(s *yard, lp *ross.LP) { s.Tank.PutPriority(lp, 1, 1, math.NaN()) }, ErrAmount,
			"Tank: priority is NaN: bad amount: give a finite priority"},
		"a room at a level": {func(s *yard, lp *ross.LP) { s.Dry.Open(lp, LevelRules{Capacity: 1, RoomGet: -2}) }, ErrRules,
			"Dry: was opened with room for -2"},
		"put NaN": {func(s *yard, lp *ross.LP) { s.Tank.Put(lp, 1, math.NaN()) }, ErrAmount,
			"Tank: put NaN, with a capacity of 10: bad amount: give a finite amount from 0 to the capacity"},
		"got less than 0": {func(s *yard, lp *ross.LP) { s.Tank.Get(lp, 1, -1) }, ErrAmount,
			"Tank: got -1, with a capacity of 10"},
		"put too much": {func(s *yard, lp *ross.LP) { s.Tank.Put(lp, 1, 11) }, ErrAmount,
			"Tank: put 11, with a capacity of 10"},
		"a level not opened": {func(s *yard, lp *ross.LP) { s.Dry.Get(lp, 1, 0) }, ErrRules,
			"Dry: was used before it was opened"},
		"a level opened twice": {func(s *yard, lp *ross.LP) { s.Tank.Open(lp, LevelRules{Capacity: 1}) }, ErrRules,
			"Tank: was opened twice"},
		"no capacity": {func(s *yard, lp *ross.LP) { s.Dry.Open(lp, LevelRules{Capacity: math.NaN()}) }, ErrAmount,
			"Dry: was opened with a capacity of NaN"},
		"more than fits": {func(s *yard, lp *ross.LP) { s.Dry.Open(lp, LevelRules{Capacity: 1, Amount: 2}) }, ErrAmount,
			"Dry: was opened with 2"},
		"no end": {func(s *yard, lp *ross.LP) {
			s.Dry.Open(lp, LevelRules{Capacity: math.Inf(1), Amount: math.Inf(1)})
		}, ErrAmount,
			"Dry: was opened with +Inf"},
		"Next of a level was forgotten": {func(s *yard, lp *ross.LP) {
			s.Tank.Get(lp, 1, 7)
			s.Tank.Put(lp, 2, 4)
			s.Tank.Put(lp, 2, 1)
		}, ErrRules,
			"Tank: put while one who waits could go on: against the rules of the resource: after Put, Get, Return and Leave call Next until it returns false"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
				cfg := rosstest.Small()
				cfg.Synch = synch
				out := rosstest.Try(t, cfg, once(nothing, c.do))
				require.ErrorIs(t, out.Err, c.err)
				require.ErrorContains(t, out.Err, c.text)
				var m *ross.ModelError
				require.ErrorAs(t, out.Err, &m)
				require.EqualValues(t, 3, m.LP)
			}
		})
	}
}

func TestWhatComesTooLateDoesNoHarm(t *testing.T) {
	called := false
	rosstest.Run(t, rosstest.Small(), once(nothing, func(s *yard, lp *ross.LP) {
		called = true
		a, o := s.Plain.Request(lp, client{Work: 1})
		require.Equal(t, "starts", o.String())
		_, ok := s.Plain.Renege(lp, a)
		require.False(t, ok)
		Patience(lp, &s.Plain, a, 1, done{})
		Patience(lp, &s.Plain, 0, 1, done{})
		require.Nil(t, s.Plain.Get(lp, 0))
		require.Nil(t, s.Plain.Edit(lp, 99))
		require.Equal(t, 1.0, s.Plain.Served(lp, a).Work)
		require.Nil(t, s.Plain.Served(lp, 0))
		require.Zero(t, s.Plain.Came(lp, 99))
		_, again := s.Plain.Left(lp, a)
		require.False(t, again)
		require.Zero(t, s.Plain.Next(lp))
		require.Zero(t, s.Plain.Evict(lp))
		for range s.Plain.Batch(lp, 99) {
			t.Error("nobody")
		}
		_, ok = s.Parts.Leave(lp, 5)
		require.False(t, ok)
		_, ok = s.Tank.Leave(lp, 5)
		require.False(t, ok)
	}))
	require.True(t, called)
	require.Equal(t, []string{"refused", "waits", "unknown"},
		[]string{Refused.String(), Waits.String(), Outcome(7).String()})
}

// TestPatienceMayBecomeEndless has two customers wait with a patience of 1, of whom one then waits for ever. What their
// events find says which of them came.
func TestPatienceMayBecomeEndless(t *testing.T) {
	var came []Ticket
	var waits [2]Ticket
	typ := once(nothing, func(s *yard, lp *ross.LP) {
		request(&s.Plain, lp)
		for i := range waits {
			waits[i] = request(&s.Plain, lp)
			Patience(lp, &s.Plain, waits[i], 1, leave{waits[i]})
		}
		Patience(lp, &s.Plain, waits[0], math.Inf(1), leave{waits[0]})
	})
	typ.Event = ross.Events(typ.Event, ross.On(func(_ *yard, _ *ross.LP, m *leave) { came = append(came, m.T) }))
	rosstest.Run(t, rosstest.Small(), typ)
	require.Equal(t, waits[1:], came)
}

// TestWhoIsInterruptedMayBeSentAway also shows that any handler may open servers, and that one customer may be sent
// away by another one.
func TestWhoIsInterruptedMayBeSentAway(t *testing.T) {
	var lost client
	rosstest.Run(t, rosstest.Small(), once(nothing, func(s *yard, lp *ross.LP) {
		s.Closed.Open(lp, Rules{Servers: 1, Order: Preemptive, Room: NoRoom})
		a, _ := s.Closed.RequestPriority(lp, client{Work: 4}, 2)
		Serve(lp, &s.Closed, a, 4, done{a})
		_, o, out := s.Closed.Preempt(lp, client{}, 1)
		require.Equal(t, Starts, o)
		require.Equal(t, a, out)
		left, again := s.Closed.Left(lp, out)
		require.True(t, again)
		require.Equal(t, 4.0, left)
		lost, _ = s.Closed.Renege(lp, out)
		require.Zero(t, s.Closed.Len())
	}))
	require.Equal(t, 4.0, lost.Work)
}

// TestMemoryThatIsRefusedEndsTheRun fills the queues until there is no memory. Nothing panics.
func TestMemoryThatIsRefusedEndsTheRun(t *testing.T) {
	for _, order := range []Order{FIFO, LIFO, ByPriority, Preemptive} {
		for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
			cfg := rosstest.Small()
			cfg.Synch, cfg.MaxMemory = synch, 2<<20
			out := rosstest.Try(t, cfg, once(nothing, func(s *yard, lp *ross.LP) {
				s.Closed.Open(lp, Rules{Servers: 2, Order: order, Batch: 2})
				for i, refused := 0, 0; refused < 3 && i < 200_000; i++ {
					t, o := s.Closed.RequestPriority(lp, client{}, float64(-i))
					if o == Starts {
						Serve(lp, &s.Closed, t, 1, done{t})
					}
					if o == Refused {
						refused++
					}
					s.Parts.Get(lp, 1)
					s.Tank.Get(lp, 1, 10)
				}
				s.Closed.SetServers(lp, 4)
				s.Closed.Next(lp)
			}))
			require.ErrorIs(t, out.Err, ross.ErrMemory)
		}
	}
}

func TestOperationsAllocateNothing(t *testing.T) {
	if invariants.Enabled || racetest.Slow {
		t.Skip("assertions and watches on memory allocate on their own")
	}
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
		cfg := rosstest.Small()
		cfg.Synch = synch
		allocs := -1.0
		rosstest.Run(t, cfg, once(nothing, func(s *yard, lp *ross.LP) {
			all := func() {
				for _, v := range []*Servers[client]{&s.Plain, &s.Kept.Docks} {
					a, b := request(v, lp), request(v, lp)
					c := request(v, lp)
					v.Renege(lp, c)
					v.Edit(lp, b).Work = 1
					_, next := v.Release(lp, a)
					for mate := range v.Batch(lp, next) {
						v.Get(lp, mate)
					}
					v.SetServers(lp, 2)
					v.SetServers(lp, 1)
					v.Release(lp, next)
				}
				a, _ := s.Cranes.Request(lp, client{}, Need{Least: 2, Most: 3})
				b, _ := s.Cranes.Request(lp, client{}, Need{Most: 2, Collects: true, Prefer: GroupsFrom(1)})
				c, _ := s.Cranes.Request(lp, client{}, Need{Least: 4})
				s.Cranes.Break(lp, 1)
				s.Cranes.Release(lp, a)
				for g := s.Cranes.Next(lp); g.Ticket != 0; g = s.Cranes.Next(lp) {
					for i := range s.Cranes.Held(lp, g.Ticket) {
						s.Cranes.Worked(lp, i)
					}
				}
				s.Cranes.Repair(lp, 1)
				s.Cranes.Release(lp, b)
				s.Cranes.Renege(lp, c)
				s.Cranes.Next(lp)
				s.Parts.Get(lp, 1)
				s.Parts.Put(lp, 1, 1)
				s.Parts.Put(lp, 1, 1)
				s.Parts.Get(lp, 1)
				_, t, _, _, _ := s.Parts.GetPriority(lp, 1, 2)
				Patience(lp, &s.Parts, t, 1, done{})
				s.Parts.Leave(lp, t)
				t, _ = s.Tank.PutPriority(lp, 1, 10, 1)
				Patience(lp, &s.Tank, t, 1, done{})
				s.Tank.Leave(lp, t)
				_, t, _ = s.Food.Get(lp, diner{1, 2, 1})
				Patience(lp, &s.Food, t, 1, done{})
				s.Food.Put(lp, diner{}, 2)
				s.Food.Put(lp, diner{}, 3)
				s.Food.Get(lp, diner{1, 2, 0})
				s.Tank.Get(lp, 1, 7)
				s.Tank.Put(lp, 1, 7)
				s.Tank.Next(lp)
				for _, x := range []float64{0.1, 1.0 / 3, 1e-20, 2.2250738585072014e-308} {
					s.Tank.Get(lp, 1, x)
					s.Tank.Put(lp, 1, x)
				}
			}
			for range 500 { // the history gets its room
				all()
			}
			allocs = testalloc.PerRun(10, all)
		}))
		require.Zero(t, allocs, "%v", synch)
	}
}

// job is a customer of an M/M/c queue.
type job struct{ Came float64 }

// Messages of an M/M/c queue.
type (
	arrival struct{}
	end     struct{ job } // by hand
)

// byHand is an M/M/c queue as models write it without package resource. What it records is what most
// models do.
type byHand struct {
	Busy    uint64
	Line    container.Queue[job]
	Length  stats.Level
	Using   stats.Level
	Waiting stats.Tally
}

// mmc are the parameters of an M/M/c queue: services take 1 on average.
type mmc struct {
	servers  int
	arrivals float64
}

func (p *mmc) byHand() ross.Type[byHand] {
	begin := func(lp *ross.LP, c job) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), end{c}) }
	return ross.Type[byHand]{Saving: ross.SaveByLog,
		Init: func(_ *byHand, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.arrivals), arrival{}) },
		Event: ross.Events(
			ross.On(func(s *byHand, lp *ross.LP, _ *arrival) {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.arrivals), arrival{})
				c := job{lp.Now()}
				if s.Busy == uint64(p.servers) {
					s.Line.Push(lp, c)
					s.Length.Add(lp, 1)
					return
				}
				*ross.Write(lp, &s.Busy)++
				s.Using.Add(lp, 1)
				s.Waiting.Add(lp, 0)
				begin(lp, c)
			}),
			ross.On(func(s *byHand, lp *ross.LP, _ *end) {
				if c, ok := s.Line.Pop(lp); ok {
					s.Length.Add(lp, -1)
					s.Waiting.Add(lp, lp.Now()-c.Came)
					begin(lp, c)
					return
				}
				*ross.Write(lp, &s.Busy)--
				s.Using.Add(lp, -1)
			}),
		),
	}
}

// shop is an M/M/c queue with Servers.
type shop struct{ S Servers[job] }

func (p *mmc) shop() ross.Type[shop] {
	begin := func(lp *ross.LP, t Ticket) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), done{t}) }
	return ross.Type[shop]{Saving: ross.SaveByLog,
		Init: func(s *shop, lp *ross.LP) {
			s.S.Open(lp, Rules{Servers: p.servers})
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.arrivals), arrival{})
		},
		Event: ross.Events(
			ross.On(func(s *shop, lp *ross.LP, _ *arrival) {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.arrivals), arrival{})
				if t, o := s.S.Request(lp, job{lp.Now()}); o == Starts {
					begin(lp, t)
				}
			}),
			ross.On(func(s *shop, lp *ross.LP, m *done) {
				if _, next := s.S.Release(lp, m.T); next != 0 {
					begin(lp, next)
				}
			}),
		),
	}
}

// dock is an M/M/c queue with a Pool of up to 4 members.
type dock struct{ P Pool[job, [4]Member] }

func (p *mmc) dock() ross.Type[dock] {
	begin := func(lp *ross.LP, t Ticket) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), done{t}) }
	return ross.Type[dock]{Saving: ross.SaveByLog,
		Init: func(s *dock, lp *ross.LP) {
			s.P.Open(lp, PoolRules{Groups: []int{p.servers}})
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.arrivals), arrival{})
		},
		Event: ross.Events(
			ross.On(func(s *dock, lp *ross.LP, _ *arrival) {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.arrivals), arrival{})
				if t, o := s.P.Request(lp, job{lp.Now()}, Need{}); o == Starts {
					begin(lp, t)
				}
			}),
			ross.On(func(s *dock, lp *ross.LP, m *done) {
				s.P.Release(lp, m.T)
				for g := s.P.Next(lp); g.Ticket != 0; g = s.P.Next(lp) {
					begin(lp, g.Ticket)
				}
			}),
		),
	}
}

// play runs a model of 64 LPs and returns its simulation.
func play(t testing.TB, synch ross.Scheduler, pes uint64, end float64, model ross.LPType) *ross.Simulation {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.MaxMemory = synch, int(pes), int(64/pes), end, 256<<20
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(model))
	require.NoError(t, sim.Run(context.Background()))
	return sim
}

// BenchmarkMMc compares M/M/3 queues, with loads of 0.7 and 0.95.
func BenchmarkMMc(b *testing.B) {
	for _, load := range []float64{0.7, 0.95} {
		p := &mmc{3, 3 * load}
		for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
			for name, model := range map[string]ross.LPType{"hand": p.byHand(), "servers": p.shop(), "pool": p.dock()} {
				b.Run(fmt.Sprintf("load=%g/synch=%d/%s", load, synch, name), func(b *testing.B) {
					for b.Loop() {
						sim := play(b, synch, 1, 2000, model)
						b.ReportMetric(1e9/sim.Summary().EventRate(), "ns/event")
						_ = sim.Close()
					}
				})
			}
		}
	}
}
