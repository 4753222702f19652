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
