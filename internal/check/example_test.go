package check_test

import (
	"context"
	"fmt"

	"github.com/ross-go/ross"
)

// The check calls Event a second time after the rollback, as an optimistic run does. Event comes to the same only if
// it depends on nothing but state, message and streams: the Go variable here is none of them, and nothing undoes it.
func Example_outside() {
	type desk struct{ Ticket int64 }
	next := int64(100)
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.NLP = ross.RollbackCheck, 1
	sim, err := ross.New(cfg)
	if err != nil {
		panic(err)
	}
	defer sim.Close()
	err = sim.Define(ross.Type[desk, struct{}]{
		Name: "desk",
		Init: func(_ *desk, lp *ross.LP) { ross.Send(lp, 0, 1, struct{}{}) },
		Event: func(s *desk, _ *ross.LP, _ *ross.Bits, _ *struct{}) {
			s.Ticket = next
			next++
		},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(sim.Run(context.Background()))
	// Output:
	// ross: LP 0 (desk) at time 1: Event, called again after the rollback of the event that LP 0 sent at time 0, left desk.Ticket at 101, it was 100 after the first call: bad rollback: let Event depend on state, message and streams alone, and change nothing else; likely causes: math/rand, time.Now, the order of a map, a variable of the package, the state of another LP
}
