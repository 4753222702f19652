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
func (s *State) Event(lp *ross.LP, bits *ross.Bits, m *Msg) {
	s.Received++
	dst := ross.LPID(lp.RNG().Integer(0, lps-1))
	ross.Send(lp, dst, 0.1+lp.RNG().Exponential(0.9), Msg{Hops: m.Hops + 1})
}

func main() {
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = lps, 100 // 64 LPs, until virtual time 100
	sim, err := ross.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	model := ross.Type[State, Msg]{Init: (*State).Init, Event: (*State).Event}
	if err := sim.Define(model); err != nil {
		log.Fatal(err)
	}
	if err := sim.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	fmt.Println("LP 0 received", ross.StateOf[State](sim.LP(0)).Received, "events")
}
