package proc_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
)

func (y *yard) ends(*proc.Self) {}

func (y *yard) sleepsTen(p *proc.Self) { p.Sleep(10) }

// names starts a process where another one has ended.
func (y *yard) names(p *proc.Self) {
	before := proc.Go(p, (*yard).ends)
	p.Join(before)
	after := proc.Go(p, (*yard).sleepsTen)
	write(p, "same place: %v", uint32(before) == uint32(after))
	write(p, "%v %v %v", p.Alive(before), p.Kill(before), p.Interrupt(before, 1))
	write(p, "%v", p.Alive(after))
}

func TestANameIsThatOfOneProcess(t *testing.T) {
	requireDone(t, func(_ *yard, p *proc.Self) { proc.Go(p, (*yard).names) },
		"0 same place: true", "0 false false false", "0 true")
}

func (y *yard) begins(p *proc.Self) {
	defer func() { write(p, "is over") }()
	write(p, "begins")
}

func TestWhoIsKilledBeforeHeBeginsDoesNothing(t *testing.T) {
	requireDone(t, func(_ *yard, p *proc.Self) {
		p.Kill(proc.Go(p, (*yard).begins))
		proc.Go(p, (*yard).begins)
	}, "0 begins", "0 is over")
}

func (y *yard) gets(p *proc.Self, name int) { write(p, "%d gets %d", name, y.Shelf.Get(p)) }

func (y *yard) getsWithin(p *proc.Self, patience float64) {
	n, ok := y.Shelf.GetWithin(p, patience)
	write(p, "gets %d %v", n, ok)
}

func (y *yard) puts(p *proc.Self) {
	p.Sleep(1)
	p.Kill(y.One)
	for i := range 5 {
		y.Shelf.Put(p, 10+i)
		write(p, "%d is put, %d there", 10+i, y.Shelf.Len())
	}
}

func TestItemsGoToThoseWhoWaitInTheirOrder(t *testing.T) {
	requireDone(t, func(y *yard, p *proc.Self) {
		proc.Go1(p, (*yard).getsWithin, 0.5)
		y.One = proc.Go1(p, (*yard).gets, 1)
		proc.Go1(p, (*yard).gets, 2)
		proc.Go1(p, (*yard).gets, 3)
		proc.Go(p, (*yard).puts)
		proc.Go(p, (*yard).late)
	}, "0.5 gets 0 false", "1 10 is put, 0 there", "1 11 is put, 0 there", "1 12 is put, 1 there",
		"1 13 is put, 2 there", "1 2 gets 10", "1 3 gets 11", "2 gets 12", "2 14 is put, 2 there")
}

func (y *yard) late(p *proc.Self) {
	p.Sleep(2)
	write(p, "gets %d", y.Shelf.Get(p))
}

func (y *yard) receives(p *proc.Self, patience float64) {
	n, ok := y.Box.ReceiveWithin(p, patience)
	write(p, "receives %d %v", n, ok)
}

func (y *yard) delivers(p *proc.Self) {
	p.Sleep(1)
	for i := range 4 {
		y.Box.Deliver(p, 20+i)
	}
	write(p, "%d wait", y.Box.Len())
	for range 2 {
		write(p, "receives %d", y.Box.Receive(p))
	}
}

func TestLettersWaitForThoseWhoCome(t *testing.T) {
	requireDone(t, func(_ *yard, p *proc.Self) {
		for i := range 3 {
			proc.Go1(p, (*yard).receives, 0.5+float64(i))
		}
		proc.Go(p, (*yard).delivers)
	}, "0.5 receives 0 false", "1 2 wait", "1 receives 22", "1 receives 23", "1 receives 20 true", "1 receives 21 true")
}

// asks asks for the bench, and has nobody know of it.
func (y *yard) asks(p *proc.Self) {
	y.Bench.Request(p)
	write(p, "goes on")
}

func (y *yard) frees(p *proc.Self) {
	turn := y.Bench.Request(p)
	y.Bench.Serve(p, turn, 1)
	y.Bench.Release(p, turn)
	p.Kill(y.One)
	p.Sleep(1)
	write(p, "%d busy, %d wait", y.Bench.Busy(), y.Bench.Len())
}

func TestAServerThatAKilledProcessHasNotSeenIsFree(t *testing.T) {
	requireDone(t, func(y *yard, p *proc.Self) {
		proc.Go(p, (*yard).frees)
		y.One = proc.Go(p, (*yard).asks)
	}, "2 0 busy, 0 wait")
}

func TestAServiceThatWasInterruptedGoesOn(t *testing.T) {
	requireDone(t, func(_ *yard, p *proc.Self) {
		proc.Go3(p, (*yard).served, 1, 2.0, 10.0)
		proc.Go2(p, (*yard).comes, 2, 4) // for 1, with priority 1
		proc.Go2(p, (*yard).comes, 3, 7)
	}, "5 2 is served", "8 3 is served", "12 1 is served")
}

func (y *yard) twoTimes(p *proc.Self) {
	write(p, "case %d", p.Any(proc.Timeout(5), proc.Timeout(3), proc.Timeout(4)))
	write(p, "case %d", p.Any(proc.Timeout(2), proc.Ended(p.PID()), proc.Timeout(2)))
}

func TestTheShortestTimeIsTheFirst(t *testing.T) {
	requireDone(t, func(_ *yard, p *proc.Self) { proc.Go(p, (*yard).twoTimes) }, "3 case 1", "5 case 0")
}

func (y *yard) works(p *proc.Self) { p.Work(100) }

func (y *yard) wakes(p *proc.Self) {
	p.Sleep(1)
	p.Interrupt(y.One, 0)
}

// TestAWaitThatIsOverLeavesNoEvent counts events: the timer of a wait that ended before leaves none.
func TestAWaitThatIsOverLeavesNoEvent(t *testing.T) {
	sim, err := ross.Run(context.Background(), ross.Config{End: 1000}, proc.Type(ross.Type[yard]{LPs: 1,
		Init: func(y *yard, lp *ross.LP) {
			proc.Do(lp, y, func(p *proc.Self) {
				y.One = proc.Go(p, (*yard).works)
				proc.Go(p, (*yard).wakes)
			})
		}}))
	require.NoError(t, err)
	defer sim.Close()
	require.EqualValues(t, 1, sim.Summary().NetEvents())
}

func TestALetterForNobodyStays(t *testing.T) {
	requireDone(t, func(_ *yard, p *proc.Self) {
		proc.Go1(p, (*yard).receives, 0.5)
		proc.Go(p, (*yard).delivers)
	}, "0.5 receives 0 false", "1 4 wait", "1 receives 20", "1 receives 21")
}

func TestASmallAmountDoesNotOvertakeALargeOne(t *testing.T) {
	requireDone(t, func(_ *yard, p *proc.Self) {
		proc.Go1(p, (*yard).drains, 8)
		proc.Go1(p, (*yard).drains, 1)
		proc.Go1(p, (*yard).fills, 3)
		proc.Go1(p, (*yard).fills, 2)
	}, "0 3 are in", "0 2 are in", "0 8 are out", "0 1 are out")
}

// TestWhoLosesPatienceLeavesTheLine has one who loses patience, and then as many items as there is room for.
func TestWhoLosesPatienceLeavesTheLine(t *testing.T) {
	requireDone(t, func(y *yard, p *proc.Self) {
		proc.Go1(p, (*yard).getsWithin, 0.5)
		proc.Go(p, (*yard).counts)
	}, "0.5 gets 0 false", "1 0 wait")
}

func (y *yard) counts(p *proc.Self) {
	p.Sleep(1)
	n, _ := y.Shelf.Waiting()
	write(p, "%d wait", n)
}

func (y *yard) goesAway(p *proc.Self) {
	p.Sleep(2)
	proc.At[yard](p, p.LP().ID(), 1)
	write(p, "arrives")
}

func (y *yard) givesUp(p *proc.Self) {
	write(p, "case %d", p.Any(proc.Ended(y.One), proc.Timeout(1)))
	p.Sleep(1.5)
	write(p, "alive %v", p.Alive(y.One))
}

func TestWhoHasGivenUpKeepsNobodyFromTravelling(t *testing.T) {
	requireDone(t, func(y *yard, p *proc.Self) {
		y.One = proc.Go(p, (*yard).goesAway)
		proc.Go(p, (*yard).givesUp)
	}, "1 case 1", "2.5 alive false", "3 arrives")
}
