package proc_test

// This file owns the tests of Pool, line by line.

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
)

// port is a state with three cranes.
type port struct {
	proc.Processes
	Cranes proc.Pool[[3]resource.Member]
	First  proc.PID
	Turn   proc.Turn
}

func (s *port) opens(p *proc.Self) {
	s.Cranes.Open(p.LP(), resource.PoolRules{})
	s.First = proc.Go3(p, (*port).ship, 2, 3, 12.0)
	proc.Go3(p, (*port).ship, 2, 2, 4.0)
	late := proc.Go3(p, (*port).ship, 3, 3, 1.0)
	p.Sleep(1)
	s.Cranes.Break(p, 0) // 9 are left, for two cranes
	p.Sleep(1)
	s.Cranes.Repair(p, 0) // 7 are left, for two: who waits comes first
	p.Kill(late)
	p.Sleep(0)
	write(p, "%d wait", s.Cranes.Len())
	p.Interrupt(s.First, 7)
	p.Sleep(0)
	write(p, "%g wait", float64(s.Cranes.Len()))
}

func (s *port) ship(p *proc.Self, least, most int, work float64) {
	turn := s.Cranes.Request(p, resource.Need{Least: least, Most: most, Collects: true})
	defer s.Cranes.Release(p, turn)
	write(p, "%g begins with %d", work, s.Cranes.Has(p.LP(), turn))
	left := s.Cranes.Work(p, turn, work)
	if left > 0 {
		s.Turn = turn
		write(p, "%g are left of %g", left, work)
		s.Cranes.Give(p, turn, 1)
		s.Cranes.Work(p, turn, left)
	}
	write(p, "%g ends", work)
}

func TestCranesComeAndGo(t *testing.T) {
	written = nil
	sim, err := ross.Run(context.Background(), ross.Config{End: 100},
		proc.Type(ross.Type[port]{LPs: 1, Init: proc.Start((*port).opens)}))
	require.NoError(t, err)
	defer sim.Close()
	require.Equal(t, []string{
		"0 12 begins with 3",
		"2 1 wait", // the one who was killed has left
		"2 7 are left of 12",
		"2 4 begins with 2", // the one that was repaired, and the one that was given back
		"2 0 wait", "4 4 ends",
		"9 12 ends", // with one crane: it does not get another one for that which it has given back
	}, written)
}
