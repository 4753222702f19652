package proc_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
)

// diary is a state whose processes write down what they do. They are not generated, and run sequentially.
type diary struct {
	proc.Processes
	Gate    proc.Signal
	Sleeper proc.PID
	Test    uint64
}

// written is what they have written.
var written []string

func write(p *proc.Self, format string, args ...any) {
	written = append(written, fmt.Sprintf("%g ", p.Now())+fmt.Sprintf(format, args...))
}

// requireWritten runs a diary for which begin is called, and compares what was written.
func requireWritten(t *testing.T, begin func(d *diary, p *proc.Self), want ...string) {
	t.Helper()
	written = nil
	sim, err := ross.Run(context.Background(), ross.Config{End: 1000}, proc.Type(ross.Type[diary]{LPs: 1,
		Init: func(d *diary, lp *ross.LP) { proc.Do(lp, d, func(p *proc.Self) { begin(d, p) }) }}))
	require.NoError(t, err)
	defer sim.Close()
	require.Equal(t, want, written)
}

func (d *diary) waits(p *proc.Self, name int) {
	d.Gate.Wait(p)
	write(p, "%d", name)
}

func (d *diary) fires(p *proc.Self) {
	p.Sleep(2)
	proc.Go1(p, (*diary).starts, 4)
	write(p, "fires for %d", d.Gate.Fire(p))
}

func (d *diary) starts(p *proc.Self, name int) { write(p, "%d starts", name) }

func TestWhoIsReadyFirstGoesOnFirst(t *testing.T) {
	requireWritten(t, func(_ *diary, p *proc.Self) {
		for i := 1; i <= 3; i++ {
			proc.Go1(p, (*diary).waits, i)
		}
		proc.Go(p, (*diary).fires)
	}, "2 fires for 3", "2 4 starts", "2 1", "2 2", "2 3")
}

func (d *diary) sleepsAndWorks(p *proc.Self) {
	p.Sleep(3)
	left := p.Work(10)
	cause, ok := p.Cause()
	write(p, "left %g, cause %d %v", left, cause, ok)
	left = p.Work(4)
	_, ok = p.Cause()
	write(p, "left %g, %v", left, ok)
	left = p.Work(6)
	cause, _ = p.Cause()
	write(p, "left %g, cause %d", left, cause)
}

func (d *diary) interrupts(p *proc.Self) {
	for i, delay := range []float64{1, 1, 7} { // at 1 and 2 while he sleeps, and at 9
		p.Sleep(delay)
		write(p, "interrupts %v", p.Interrupt(d.Sleeper, uint64(10+i)))
	}
	p.Sleep(1)
	write(p, "interrupts %v", p.Interrupt(d.Sleeper, 20))
}

func TestAnInterruptionWaitsForAWaitThatItCanEnd(t *testing.T) {
	requireWritten(t, func(d *diary, p *proc.Self) {
		d.Sleeper = proc.Go(p, (*diary).sleepsAndWorks)
		proc.Go(p, (*diary).interrupts)
	}, "1 interrupts true", "2 interrupts true", "3 left 10, cause 11 true", "7 left 0, false", "9 interrupts true",
		"9 left 4, cause 12", "10 interrupts false")
}

func (d *diary) isKilled(p *proc.Self) {
	defer func() { write(p, "is over") }()
	p.Sleep(100)
	write(p, "goes on")
}

func (d *diary) kills(p *proc.Self) {
	p.Sleep(5)
	write(p, "kills %v %v", p.Kill(d.Sleeper), p.Kill(d.Sleeper))
	p.Sleep(0.5)
	write(p, "alive %v", p.Alive(d.Sleeper))
}

func TestWhoIsKilledGoesToHisExitAtOnce(t *testing.T) {
	requireWritten(t, func(d *diary, p *proc.Self) {
		d.Sleeper = proc.Go(p, (*diary).isKilled)
		proc.Go(p, (*diary).kills)
	}, "5 kills true false", "5 is over", "5.5 alive false")
}

func (d *diary) sleeps(p *proc.Self) { p.Sleep(7) }

func (d *diary) joins(p *proc.Self) {
	p.Join(d.Sleeper)
	write(p, "joined")
	p.Join(d.Sleeper)
	write(p, "joined nobody")
}

func TestTheEndOfAProcessLetsThoseGoOnWhoWaitForIt(t *testing.T) {
	requireWritten(t, func(d *diary, p *proc.Self) {
		d.Sleeper = proc.Go(p, (*diary).sleeps)
		proc.Go(p, (*diary).joins)
	}, "7 joined", "7 joined nobody")
}

func (d *diary) startsMany(p *proc.Self) {
	highest, all := uint32(0), map[proc.PID]bool{}
	for range 100 {
		id := proc.Go(p, (*diary).sleeps)
		all[id] = true
		highest = max(highest, uint32(id))
		p.Join(id)
	}
	write(p, "%d names, %d places at most: %v", len(all), 2, highest <= 2)
}

func TestPlacesOfProcessesThatHaveEndedAreUsedAgain(t *testing.T) {
	requireWritten(t, func(_ *diary, p *proc.Self) { proc.Go(p, (*diary).startsMany) },
		"700 100 names, 2 places at most: true")
}
