package proc_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
)

// clinic is a state with a doctor for patients who have priorities, and lose patience.
type clinic struct {
	proc.Processes
	Doctor proc.Servers
}

func (c *clinic) opens(p *proc.Self) {
	c.Doctor.Open(p.LP(), resource.Rules{Servers: 1, Order: resource.ByPriority})
	for i, priority := range []float64{3, 3, 1, 2} {
		proc.Go3(p, (*clinic).patient, i, priority, 7+float64(i))
	}
	write(p, "%d free", c.Doctor.Free())
	p.Sleep(1)
	write(p, "%d free", c.Doctor.Free())
}

func (c *clinic) patient(p *proc.Self, i int, priority, patience float64) {
	turn, ok := c.Doctor.RequestPriorityWithin(p, priority, patience)
	write(p, "%d %t", i, ok)
	if ok {
		p.Sleep(5)
		c.Doctor.Release(p, turn)
	}
}

func TestWhoIsLastByPriorityLosesPatience(t *testing.T) {
	written = nil
	sim, err := ross.Run(context.Background(), ross.Config{End: 100},
		proc.Type(ross.Type[clinic]{LPs: 1, Init: proc.Start((*clinic).opens)}))
	require.NoError(t, err)
	defer sim.Close()
	require.Equal(t, []string{"0 1 free", "0 0 true", "1 0 free", "5 2 true", "8 1 false", "10 3 true"}, written)
}

// crossing is a state with a ferry that takes three cars, and fewer when one has waited for 4.
type crossing struct {
	proc.Processes
	Ferry proc.Servers
}

func (c *crossing) opens(p *proc.Self) {
	c.Ferry.OpenBatches(p.LP(), resource.Rules{Servers: 1, Batch: 3, BatchMin: 3}, 4)
	for i, comes := range []float64{0, 1, 2, 3, 8, 20, 21} {
		proc.Go3(p, (*crossing).car, i, comes, float64(5+i%3))
	}
}

func (c *crossing) car(p *proc.Self, i int, comes, passage float64) {
	p.Sleep(comes)
	turn := c.Ferry.Request(p)
	write(p, "%d starts", i)
	p.Sleep(passage)
	c.Ferry.Release(p, turn)
	write(p, "%d has left, %d is busy", i, c.Ferry.Busy())
}

// TestBatchesStartWhenTheyAreFullOrLate also shows that a server is free when the last of a batch has left.
func TestBatchesStartWhenTheyAreFullOrLate(t *testing.T) {
	written = nil
	sim, err := ross.Run(context.Background(), ross.Config{End: 100},
		proc.Type(ross.Type[crossing]{LPs: 1, Init: proc.Start((*crossing).opens)}))
	require.NoError(t, err)
	defer sim.Close()
	require.Equal(t, []string{
		"2 0 starts", "2 1 starts", "2 2 starts", "7 0 has left, 1 is busy", "8 1 has left, 1 is busy",
		"9 2 has left, 1 is busy", "9 3 starts", "9 4 starts", "14 3 has left, 1 is busy", "15 4 has left, 0 is busy",
		"24 5 starts", "24 6 starts", "29 6 has left, 1 is busy", "31 5 has left, 0 is busy",
	}, written)
}
