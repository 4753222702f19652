// This file owns PHOLD.

package sidebyside

import (
	"context"
	"fmt"
	"log"

	"github.com/ross-go/ross"
)

const (
	members = 64
	jobs    = 4 // of each member at first
)

// Member is the state of an LP.
type Member struct{ Received int64 }

// Job is the only message.
type Job struct{}

func (m *Member) Init(lp *ross.LP) {
	for range jobs {
		pass(lp)
	}
}

func (m *Member) Job(lp *ross.LP, _ *Job) {
	m.Received++
	pass(lp)
}

func pass(lp *ross.LP) {
	to := lp.ID()
	if lp.RNG().Unif() < 0.25 {
		to = ross.LPID(lp.RNG().Integer(0, members-1))
	}
	ross.Send(lp, to, 0.1+lp.RNG().Exponential(0.9), Job{})
}

var phold = ross.Type[Member]{LPs: members, Init: (*Member).Init, Event: ross.On((*Member).Job)}

func Example_phold() {
	sim, err := ross.Run(context.Background(), ross.Config{End: 100}, phold)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	fmt.Println(sim.Summary().NetEvents(), "events")
	// Output: 25621 events
}
