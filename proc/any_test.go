package proc_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/proc/internal/models"
	"github.com/ross-go/ross/resource"
)

// TestAnyTakesTheFirstTurn runs desks whose customers take whichever counter is free, give up, are sent away,
// interrupted and killed. All of it happens, and nobody who has gone keeps a counter.
func TestAnyTakesTheFirstTurn(t *testing.T) {
	var out strings.Builder
	sim, err := ross.Run(context.Background(), ross.Config{End: 2000, Output: &out}, models.DeskTypes()...)
	require.NoError(t, err)
	defer sim.Close()
	for i := range sim.TotalLPs() {
		d := ross.StateOf[models.Desks](sim.LP(ross.LPID(i)))
		for n, count := range d.Count {
			require.NotZero(t, count, "LP %d: %d: %v", i, n, d.Count)
		}
		require.Less(t, d.Counter[0].Len(), 10)
	}
	require.NotContains(t, out.String(), "never go on")
}

// booth is a state with two servers, whose processes write into the diary.
type booth struct {
	proc.Processes
	Left, Right proc.Servers
}

func (b *booth) holds(p *proc.Self, right bool, leaves float64) {
	s := &b.Left
	if right {
		s = &b.Right
	}
	turn := s.Request(p)
	p.Sleep(leaves)
	s.Release(p, turn)
	write(p, "released, right %v", right)
}

func (b *booth) either(p *proc.Self, name int, patience float64) {
	i := p.Any(b.Left.Turn(0), proc.Timeout(patience), b.Right.Turn(0))
	write(p, "%d: case %d, turn %v", name, i, p.Turn() != 0)
	if p.Turn() == 0 {
		return
	}
	p.Sleep(1)
	if i == 0 {
		b.Left.Release(p, p.Turn())
	}
}

// TestAnyLeavesTheQueuesOfTheOtherCases lists what three who take either server get: the one who gives up is in no
// queue any more, and the one who gets the right server is not in that of the left.
func TestAnyLeavesTheQueuesOfTheOtherCases(t *testing.T) {
	written = nil
	sim, err := ross.Run(context.Background(), ross.Config{End: 100}, proc.Type(ross.Type[booth]{LPs: 1,
		Init: func(b *booth, lp *ross.LP) {
			b.Left.Open(lp, resource.Rules{Servers: 1})
			b.Right.Open(lp, resource.Rules{Servers: 1})
			proc.Do(lp, b, func(p *proc.Self) {
				proc.Go2(p, (*booth).holds, false, 4.0)
				proc.Go2(p, (*booth).holds, true, 3.0)
				proc.Go2(p, (*booth).either, 1, 2.0)
				proc.Go2(p, (*booth).either, 2, 9.0)
				proc.Go2(p, (*booth).either, 3, 8.0)
			})
		}}))
	require.NoError(t, err)
	defer sim.Close()
	require.Equal(t, []string{"2 1: case 1, turn false", "3 released, right true", "3 2: case 2, turn true",
		"4 released, right false", "4 3: case 0, turn true"}, written)
	b := ross.StateOf[booth](sim.LP(0))
	require.Equal(t, []int{0, 0, 0, 1}, []int{b.Left.Len(), b.Right.Len(), b.Left.Busy(), b.Right.Busy()})
}

// TestGoAtBeginsAfterTheDelay starts processes with up to two parameters at another LP.
func TestGoAtBeginsAfterTheDelay(t *testing.T) {
	written = nil
	sim, err := ross.Run(context.Background(), ross.Config{End: 100}, proc.Type(ross.Type[booth]{LPs: 2,
		Init: func(b *booth, lp *ross.LP) {
			if lp.ID() == 0 {
				proc.Do(lp, b, func(p *proc.Self) {
					proc.GoAt(p, 1, 1, (*booth).none)
					proc.GoAt1(p, 1, 2, (*booth).one, 7)
					proc.GoAt2(p, 0, 3, (*booth).two, 8, 0.5)
				})
			}
		}}))
	require.NoError(t, err)
	defer sim.Close()
	require.Equal(t, []string{"1 none at 1", "2 one at 1: 7", "3 two at 0: 8 0.5"}, written)
}

func (b *booth) none(p *proc.Self)                  { write(p, "none at %d", p.LP().ID()) }
func (b *booth) one(p *proc.Self, n int)            { write(p, "one at %d: %d", p.LP().ID(), n) }
func (b *booth) two(p *proc.Self, n int, x float64) { write(p, "two at %d: %d %g", p.LP().ID(), n, x) }
