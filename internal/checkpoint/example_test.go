package checkpoint_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ross-go/ross"
)

// A run that was stored goes on from the checkpoint: with the states as they were, and the events that
// were to come. Init is not called again.
func Example_restore() {
	dir, err := os.MkdirTemp("", "checkpoint")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "half")

	first := count(5)
	defer first.Close()
	fmt.Println("run:", first.Run(context.Background()), "events", *ross.StateOf[uint64](first.LP(0)))
	fmt.Println("stored:", first.StoreCheckpoint(name, ross.ByFormula))

	second := count(12)
	defer second.Close()
	fmt.Println("loaded:", second.LoadCheckpoint(name, ross.LoadInit), "time", second.Clock())
	fmt.Println("run:", second.Run(context.Background()), "events", *ross.StateOf[uint64](second.LP(0)))
	// Output:
	// run: <nil> events 5
	// stored: <nil>
	// loaded: <nil> time 5
	// run: <nil> events 12
}

// count makes a simulation that counts its events, one at each whole time and a half.
func count(end float64) *ross.Simulation {
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 1, end
	sim, err := ross.New(cfg)
	if err != nil {
		panic(err)
	}
	err = sim.Define(ross.Type[uint64, struct{}]{
		Init:  func(_ *uint64, lp *ross.LP) { ross.Send(lp, 0, 0.5, struct{}{}) },
		Event: func(n *uint64, lp *ross.LP, _ *ross.Bits, _ *struct{}) { *n++; ross.Send(lp, 0, 1, struct{}{}) },
	})
	if err == nil {
		err = sim.InitIO() // the events after the end are kept, too
	}
	if err != nil {
		panic(err)
	}
	return sim
}
