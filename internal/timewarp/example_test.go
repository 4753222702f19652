package timewarp_test

import (
	"context"
	"fmt"

	"github.com/ross-go/ross"
)

// A rollback undoes events in the order in which they were handled, from the last one back: so Reverse finds the
// state and the message as Event has left them. This scheduler handles all events, and then undoes all.
func Example_rollback() {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.NLP, cfg.End = ross.OptimisticDebug, 1, 3.5
	sim, err := ross.New(cfg)
	if err != nil {
		panic(err)
	}
	defer sim.Close()
	type message struct{ Added int64 }
	err = sim.Define(ross.Type[int64, message]{
		Init: func(_ *int64, lp *ross.LP) { ross.Send(lp, 0, 1, message{}) },
		Event: func(sum *int64, lp *ross.LP, _ *ross.Bits, m *message) {
			m.Added = 1 << int(lp.Now()) // for Reverse
			*sum += m.Added
			fmt.Println("Event at", lp.Now(), "leaves", *sum)
			ross.Send(lp, 0, 1, message{})
		},
		Reverse: func(sum *int64, _ *ross.LP, _ *ross.Bits, m *message) {
			*sum -= m.Added
			fmt.Println("Reverse leaves", *sum)
		},
	})
	if err == nil {
		err = sim.Run(context.Background())
	}
	if err != nil {
		panic(err)
	}
	// Output:
	// Event at 1 leaves 2
	// Event at 2 leaves 6
	// Event at 3 leaves 14
	// Reverse leaves 6
	// Reverse leaves 2
	// Reverse leaves 0
}
