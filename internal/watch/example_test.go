package watch_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/stats"
)

// Customer arrives at a desk.
type Customer struct {
	Number int64
	Since  float64
}

// Done ends a service.
type Done struct{}

// Desk serves one customer after the other.
type Desk struct {
	Busy    bool
	Queue   container.Queue[Customer]
	Waiting stats.Tally
}

func (d *Desk) Init(lp *ross.LP) {
	for i := range 3 {
		ross.Send(lp, lp.ID(), 1+0.5*float64(i), Customer{Number: int64(i)})
	}
}

func (d *Desk) Arrive(lp *ross.LP, c *Customer) {
	if d.Busy {
		d.Queue.Push(lp, Customer{c.Number, lp.Now()})
		return
	}
	d.serve(lp, lp.Now())
}

func (d *Desk) serve(lp *ross.LP, since float64) {
	d.Busy = true
	d.Waiting.Add(lp, lp.Now()-since)
	ross.After(lp, 0.75, Done{})
}

func (d *Desk) Done(lp *ross.LP, _ *Done) {
	d.Busy = false
	if c, ok := d.Queue.Pop(lp); ok {
		d.serve(lp, c.Since)
	}
}

// The desks of a bank. One of them is watched for a while.
func Example() {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End = ross.Optimistic, 2, 2, 10
	cfg.Watch = "desk 2@1.5..2"
	var report strings.Builder
	cfg.Output = &report
	sim, err := ross.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	err = sim.Define(ross.Type[Desk]{
		Name: "desk", Init: (*Desk).Init, Saving: ross.SaveByDelta,
		Label: func(id ross.LPID) string { return fmt.Sprintf("desk %d", id) },
		Event: ross.Events(ross.On((*Desk).Arrive), ross.On((*Desk).Done)),
	})
	if err == nil {
		err = sim.Run(context.Background())
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	blocks := false
	for line := range strings.Lines(report.String()) {
		if blocks = strings.HasPrefix(line, "Watch: ") || blocks && strings.HasPrefix(line, "  "); blocks {
			_, _ = os.Stdout.WriteString(line)
		}
	}
	// Output:
	// Watch: LP 2 "desk 2" (desk) at 1.5
	//   order     priority 1, tie-breakers 0.13334852111074197
	//   received  watch_test.Customer{Number:1 Since:0}
	//   from      itself, sent at 0
	//   changed   Queue: 0 -> 1 values
	//   added     Queue: {Number:1 Since:1.5}
	// Watch: LP 2 "desk 2" (desk) at 1.75
	//   order     priority 1, tie-breakers 0.6853359118103843
	//   received  watch_test.Done{}
	//   from      itself, timer 1.1, sent at 1
	//   changed   Queue: 1 -> 0 values
	//   removed   Queue: {Number:1 Since:1.5}
	//   set       timer 1.2 for 2.5, delay 0.75: watch_test.Done{}
	//   recorded  Waiting: 0.25
	// Watch: LP 2 "desk 2" (desk) at 2
	//   order     priority 1, tie-breakers 0.9902525955351287
	//   received  watch_test.Customer{Number:2 Since:0}
	//   from      itself, sent at 0
	//   changed   Queue: 0 -> 1 values
	//   added     Queue: {Number:2 Since:2}
}
