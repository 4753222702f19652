package modeltest_test

import (
	"fmt"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/modeltest"
)

// Counter counts events, and forgets to count one back.
type Counter struct{ N, Even int64 }

// Tick is its message.
type Tick struct{}

func (c *Counter) Init(lp *ross.LP) { ross.Send(lp, lp.ID(), 1, Tick{}) }

func (c *Counter) Tick(lp *ross.LP, _ *Tick) {
	if c.N++; c.N%2 == 0 {
		c.Even++
	}
	ross.Send(lp, (lp.ID()+1)%4, 1, Tick{})
}

func (c *Counter) UndoTick(_ *ross.LP, _ *Tick) { c.N-- }

// A test calls Run with its *testing.T. Check is for other programs.
func Example() {
	counters := ross.Type[Counter]{LPs: 4, Init: (*Counter).Init, Event: ross.On((*Counter).Tick).Reverse((*Counter).UndoTick)}
	_, err := modeltest.Check(modeltest.Model{
		Config: ross.Config{End: 50},
		Types:  func() []ross.LPType { return []ross.LPType{counters} },
	})
	fmt.Println(err)
	// Output:
	// modeltest: --synch=6 (in the handler of Counter for modeltest_test.Tick, modeltest_test.(*Counter).Tick): wrong model: ross: LP 3 (Counter) at time 2: Reverse of the event that LP 2 sent at time 1 left Counter.Even at 1, it was 0 before: bad rollback: undo in Reverse all that Event did to the state and the message
}

func ExampleCheck() {
	right := ross.Type[Counter]{LPs: 4, Lookahead: 1, Init: (*Counter).Init, Event: ross.On((*Counter).Tick)} // the engine undoes it
	report, err := modeltest.Check(modeltest.Model{
		Config: ross.Config{End: 50},
		Types:  func() []ross.LPType { return []ross.LPType{right} },
	})
	fmt.Println(err, report.Events, report.LeftOut, report.Notes)
	// Output: <nil> 196 [] []
}
