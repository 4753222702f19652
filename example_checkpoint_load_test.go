package ross_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/rio"
)

// gate is an LP that lets visitors in, one after the other, each coming a unit of time
// after the one before.
type gate struct{ Opened, Passed int64 }

type visitor struct{ _ int64 }

// open is its Init: it sends the first visitor.
func (s *gate) open(lp *ross.LP) {
	s.Opened++
	ross.Send(lp, lp.ID(), 0.5, visitor{})
}

func (s *gate) pass(lp *ross.LP, _ *ross.Bits, _ *visitor) {
	s.Passed++
	ross.Send(lp, lp.ID(), 1, visitor{})
}

func gates(lps uint64, end float64) (*ross.Simulation, error) {
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = lps, end
	sim, err := ross.New(cfg)
	if err != nil {
		return nil, err
	}
	return sim, sim.Define(ross.Type[gate, visitor]{Name: "gate", Init: (*gate).open, Event: (*gate).pass})
}

// storeGates runs some gates and stores them. prepare is called before the run.
func storeGates(name string, lps uint64, end float64, prepare func(*ross.Simulation) error) error {
	sim, err := gates(lps, end)
	if err != nil {
		return err
	}
	defer sim.Close()
	if err := sim.InitIO(); err != nil {
		return err
	}
	if err := prepare(sim); err != nil {
		return err
	}
	if err := sim.Run(context.Background()); err != nil {
		return err
	}
	return sim.StoreCheckpoint(name, ross.ByFormula)
}

// loadGates goes on from a checkpoint and prints the state of the last gate.
func loadGates(name string, lps uint64, end float64, mode ross.LoadMode) error {
	sim, err := gates(lps, end)
	if err != nil {
		return err
	}
	defer sim.Close()
	if err := sim.LoadCheckpoint(name, mode); err != nil {
		return err
	}
	if err := sim.Run(context.Background()); err != nil {
		return err
	}
	s := ross.StateOf[gate](sim.LP(ross.LPID(lps - 1)))
	fmt.Printf("from %g to %g: %d gates, the last was opened %d times and has let in %d\n", sim.Clock(), end, sim.TotalLPs(), s.Opened, s.Passed)
	return nil
}

func unprepared(*ross.Simulation) error { return nil }

// inFolder calls f with a name for a checkpoint in a folder of its own.
func inFolder(f func(name string) error) {
	dir, err := os.MkdirTemp("", "gates")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := f(filepath.Join(dir, "warm")); err != nil {
		fmt.Println(err)
	}
}

// With LoadInit a run goes on as if it had not been stopped: Init is not called. With
// LoadPreInit Init finds the state that was loaded, and changes it. Here it opens each gate
// once more, so that two visitors come in each unit of time.
func ExampleLoadMode_preInit() {
	inFolder(func(warm string) error {
		if err := storeGates(warm, 4, 10, unprepared); err != nil {
			return err
		}
		if err := loadGates(warm, 4, 20, ross.LoadInit); err != nil {
			return err
		}
		return loadGates(warm, 4, 20, ross.LoadPreInit)
	})
	// Output:
	// from 10 to 20: 4 gates, the last was opened 1 times and has let in 20
	// from 10 to 20: 4 gates, the last was opened 2 times and has let in 30
}

// With LoadPostInit the state is loaded over what Init has made of it, but what Init has sent
// stays sent: the visitors are twice as many, and Opened is what it was in the checkpoint.
func ExampleLoadMode_postInit() {
	inFolder(func(warm string) error {
		if err := storeGates(warm, 4, 10, unprepared); err != nil {
			return err
		}
		return loadGates(warm, 4, 20, ross.LoadPostInit)
	})
	// Output:
	// from 10 to 20: 4 gates, the last was opened 1 times and has let in 30
}

// Two simulations, of 4 and of 2 gates, are put together to one of 6. The LPs of the second have
// the ids 4 and 5 in it.
func ExampleSimulation_AppendingJob() {
	inFolder(func(all string) error {
		for _, lps := range []uint64{4, 2} {
			err := storeGates(all, lps, 10, func(sim *ross.Simulation) error {
				sim.AppendingJob()
				return nil
			})
			if err != nil {
				return err
			}
		}
		return loadGates(all, 6, 20, ross.LoadInit)
	})
	// Output:
	// from 10 to 20: 6 gates, the last was opened 1 times and has let in 20
}

// The version of the model is in the checkpoint, for those who ask later where it came from.
func ExampleSimulation_RegisterModelVersion() {
	inFolder(func(name string) error {
		err := storeGates(name, 4, 10, func(sim *ross.Simulation) error {
			return sim.RegisterModelVersion("gates 1.2")
		})
		if err != nil {
			return err
		}
		c, err := rio.Open(name)
		if err != nil {
			return err
		}
		defer c.Close()
		fmt.Printf("stored by %q at time %g\n", c.Info().Model, c.Info().Clock)
		return nil
	})
	// Output:
	// stored by "gates 1.2" at time 10
}

// ROSS has to know how many events beyond the end there may be. Here all of them are kept, whatever
// Config.IOEventsBuffered says: with room for one event, the checkpoint has that of each of the 4 gates.
func ExampleConfig_eventsBeyondTheEnd() {
	inFolder(func(name string) error {
		cfg := ross.DefaultConfig()
		cfg.NLP, cfg.End, cfg.IOEventsBuffered = 4, 10, 1
		sim, err := ross.New(cfg)
		if err != nil {
			return err
		}
		defer sim.Close()
		if err := sim.Define(ross.Type[gate, visitor]{Init: (*gate).open, Event: (*gate).pass}); err != nil {
			return err
		}
		if err := sim.InitIO(); err != nil {
			return err
		}
		if err := sim.Run(context.Background()); err != nil {
			return err
		}
		if err := sim.StoreCheckpoint(name, ross.ByFormula); err != nil {
			return err
		}
		c, err := rio.Open(name)
		if err != nil {
			return err
		}
		defer c.Close()
		events := uint64(0)
		for _, part := range c.Entries() {
			events += part.Events
		}
		fmt.Println(events, "events")
		return nil
	})
	// Output:
	// 4 events
}
