package main

import (
	"context"
	"fmt"
	"log"

	"github.com/ross-go/ross"
)

const lps = 64

type State struct{ Received int64 } // of an LP
type Msg struct{ Hops int32 }       // of an event

// Init is called for each LP before the run: each sends itself an event.
func (s *State) Init(lp *ross.LP) { ross.Send(lp, lp.ID(), 1, Msg{}) }

// Event is called for each event: it sends the message on to a random LP.
func (s *State) Event(lp *ross.LP, m *Msg) {
	s.Received++
	ross.Send(lp, ross.LPID(lp.RNG().Integer(0, lps-1)), 0.1+lp.RNG().Exponential(0.9), Msg{m.Hops + 1})
}

func main() {
	model := ross.Type[State]{LPs: lps, Init: (*State).Init, Event: ross.On((*State).Event)}
	sim, err := ross.Run(context.Background(), ross.Config{End: 100}, model) // until virtual time 100
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	fmt.Println("LP 0 received", ross.StateOf[State](sim.LP(0)).Received, "events")
}
