package proc_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
)

// yard is a state whose processes share resources, and write down what they do.
type yard struct {
	proc.Processes
	Tank  proc.Level
	Bench proc.Servers
	Shelf proc.Store[int]
	Box   proc.Mailbox[int]
	One   proc.PID
}

// requireDone runs a yard for which begin is called, and compares what was written.
func requireDone(t *testing.T, begin func(y *yard, p *proc.Self), want ...string) {
	t.Helper()
	written = nil
	sim, err := ross.Run(context.Background(), ross.Config{End: 1000}, proc.Type(ross.Type[yard]{LPs: 1,
		Init: func(y *yard, lp *ross.LP) {
			y.Tank.Open(lp, resource.LevelRules{Capacity: 10, Amount: 5})
			y.Bench.Open(lp, resource.Rules{Servers: 1, Order: resource.Preemptive})
			y.Shelf.Open(lp, resource.Limits{Capacity: 2})
			proc.Do(lp, y, func(p *proc.Self) { begin(y, p) })
		}}))
	require.NoError(t, err)
	defer sim.Close()
	require.Equal(t, want, written)
}

func (y *yard) fills(p *proc.Self, amount float64) {
	y.Tank.Put(p, amount)
	write(p, "%g are in", amount)
}

func (y *yard) drains(p *proc.Self, amount float64) {
	y.Tank.Get(p, amount)
	write(p, "%g are out", amount)
}

func (y *yard) returns(p *proc.Self) {
	p.Sleep(1)
	y.Tank.Return(p, 2)
	write(p, "there are %g", y.Tank.Now())
	y.Tank.Get(p, 1)
	write(p, "there are %g", y.Tank.Now())
}

func TestWhatIsReturnedDoesNotWaitForThoseWhoPut(t *testing.T) {
	requireDone(t, func(_ *yard, p *proc.Self) {
		proc.Go1(p, (*yard).fills, 7)
		proc.Go(p, (*yard).returns)
	}, "1 there are 7", "1 there are 6")
	requireDone(t, func(_ *yard, p *proc.Self) {
		proc.Go1(p, (*yard).fills, 6)
		proc.Go1(p, (*yard).drains, 7)
		proc.Go(p, (*yard).returns)
	}, "1 there are 6", "1 there are 5", "1 7 are out", "1 6 are in")
}

// killsOne kills the first process, and puts before it goes to its exit.
func (y *yard) killsOne(p *proc.Self) {
	p.Sleep(1)
	p.Kill(y.One)
	y.Tank.Put(p, 3)
	p.Sleep(1)
	write(p, "there are %g", y.Tank.Now())
}

func (y *yard) putsAndKills(p *proc.Self) {
	p.Sleep(1)
	y.Tank.Put(p, 3)
	p.Kill(y.One)
	p.Sleep(1)
	write(p, "there are %g", y.Tank.Now())
}

func TestAnAmountThatAKilledProcessHasNotSeenStays(t *testing.T) {
	for _, kill := range []func(*yard, *proc.Self){(*yard).killsOne, (*yard).putsAndKills} {
		requireDone(t, func(y *yard, p *proc.Self) {
			y.One = proc.Go1(p, (*yard).drains, 8)
			proc.Go(p, kill)
		}, "2 there are 8")
	}
	requireDone(t, func(y *yard, p *proc.Self) { // another one could put as soon as the amount is taken
		y.One = proc.Go1(p, (*yard).drains, 8)
		proc.Go1(p, (*yard).fills, 6)
		proc.Go(p, (*yard).returnsAndKills)
	}, "1 there are 8")
}

func (y *yard) returnsAndKills(p *proc.Self) {
	p.Sleep(1)
	p.Kill(y.One)
	y.Tank.Return(p, 3)
	write(p, "there are %g", y.Tank.Now())
}

func (y *yard) served(p *proc.Self, name int, priority, delay float64) {
	turn := y.Bench.RequestPriority(p, priority)
	y.Bench.Serve(p, turn, delay)
	write(p, "%d is served", name)
	y.Bench.Release(p, turn)
}

// servedTwice asks for another service as soon as the first one is over.
func (y *yard) servedTwice(p *proc.Self) {
	for _, priority := range []float64{1, 0} {
		turn := y.Bench.RequestPriority(p, priority)
		y.Bench.Serve(p, turn, 2)
		write(p, "served with priority %g", priority)
		y.Bench.Release(p, turn)
	}
}

func TestAnotherOneMayTakeTheServerBeforeAServiceBegins(t *testing.T) {
	requireDone(t, func(_ *yard, p *proc.Self) {
		proc.Go(p, (*yard).servedTwice)
		proc.Go3(p, (*yard).served, 2, 1.0, 3.0)
		proc.Go3(p, (*yard).served, 3, 1.0, 3.0)
	}, "2 served with priority 1", "4 served with priority 0", "7 2 is served", "10 3 is served")
}

// keeps keeps the server after its service.
func (y *yard) keeps(p *proc.Self) {
	turn := y.Bench.RequestPriority(p, 2)
	y.Bench.Serve(p, turn, 1)
	p.Sleep(10)
	write(p, "keeps no more")
	y.Bench.Release(p, turn)
}

// comes is served later.
func (y *yard) comes(p *proc.Self, name int, at float64) {
	p.Sleep(at)
	y.served(p, name, 1, 1)
}

func TestWhoKeepsAServerAfterItsServiceMayLoseItAgain(t *testing.T) {
	requireDone(t, func(_ *yard, p *proc.Self) {
		proc.Go(p, (*yard).keeps)
		for i := range 3 {
			proc.Go2(p, (*yard).comes, i, 2+2*float64(i))
		}
	}, "3 0 is served", "5 1 is served", "7 2 is served", "11 keeps no more")
}
