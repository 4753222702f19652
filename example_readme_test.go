// This file owns the program that README.md shows, so that it is compiled and run.
// It holds no test, because go doc then shows the whole of it as one example.

package ross_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ross-go/ross"
)

const lps = 64

type State struct{ Received int64 } // what an LP knows
type Msg struct{ Hops int32 }       // what an event carries

func (s *State) Init(lp *ross.LP) { ross.Send(lp, lp.ID(), delay(lp), Msg{}) }

func (s *State) Event(lp *ross.LP, m *Msg) {
	s.Received++
	dst := lp.ID()
	if lp.RNG().Unif() <= 0.25 { // one event in four goes elsewhere
		dst = ross.LPID(lp.RNG().Integer(0, lps-1))
	}
	ross.Send(lp, dst, delay(lp), Msg{Hops: m.Hops + 1})
}

func delay(lp *ross.LP) float64 { return lp.RNG().Exponential(0.9) + 0.1 }

func Example() {
	model := ross.Type[State]{LPs: lps, Init: (*State).Init, Event: ross.On((*State).Event)}
	sim, err := ross.Run(context.Background(), ross.Config{End: 100}, model)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	sum := sim.Summary()
	fmt.Println(sum.NetEvents(), "events; LP 0 got", ross.StateOf[State](sim.LP(0)).Received)
	// Output: 6310 events; LP 0 got 94
}
