// This file owns the examples of where LPs are, of seeds, and of looking into a run at
// one event.

package ross_test

import (
	"context"
	"fmt"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/rng"
)

// play makes a simulation, runs it and closes it.
func play(cfg ross.Config, after func(*ross.Simulation), types ...ross.LPType) error {
	sim, err := ross.New(cfg)
	if err != nil {
		return err
	}
	defer sim.Close()
	if err := sim.Define(types...); err != nil {
		return err
	}
	if err := sim.Run(context.Background()); err != nil {
		return err
	}
	if after != nil {
		after(sim)
	}
	return nil
}

// A mapping of the model's own: 7 LPs, dealt out to any number of PEs. For gets the
// number of PEs of all ranks; Config.PEs is the number of one rank.
func ExampleConfig_mapping() {
	type state struct{ Received int }
	type msg struct{}
	model := ross.Type[state, msg]{
		Init: func(_ *state, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, msg{}) },
		Event: func(s *state, lp *ross.LP, _ *ross.Bits, _ *msg) {
			s.Received++
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 6)), 1, msg{})
		},
	}
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NKP, cfg.End = 3, 3, 1, 100
	cfg.Mapping, cfg.TotalLPs = mapping.Custom, 7
	cfg.Custom.For = func(s mapping.Shape) mapping.CustomFuncs {
		return mapping.CustomFuncs{PE: func(gid uint64) uint64 { return gid % s.PEs }}
	}
	err := play(cfg, func(sim *ross.Simulation) {
		for id := range ross.LPID(sim.TotalLPs()) {
			p, _ := sim.Place(id) // known on all ranks, for the LPs of all ranks
			back, _ := sim.LPAt(p.PE, p.Local)
			fmt.Printf("LP %d is on PE %d, with local id %d; there is LP %d\n", id, p.PE, p.Local, back)
		}
	}, model)
	fmt.Println(err)
	// Output:
	// LP 0 is on PE 0, with local id 0; there is LP 0
	// LP 1 is on PE 1, with local id 0; there is LP 1
	// LP 2 is on PE 2, with local id 0; there is LP 2
	// LP 3 is on PE 0, with local id 1; there is LP 3
	// LP 4 is on PE 1, with local id 1; there is LP 4
	// LP 5 is on PE 2, with local id 1; there is LP 5
	// LP 6 is on PE 0, with local id 2; there is LP 6
	// <nil>
}

// Replications of a model: the same seed, and another number for each. The numbers of a replication
// are the same in every run. Package experiment makes many and evaluates them.
func ExampleConfig_replication() {
	type none struct{}
	type msg struct{}
	model := ross.Type[none, msg]{
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, msg{}) },
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, _ *msg) {
			fmt.Printf(" %.4f", lp.RNG().Unif())
		},
	}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Seed = 3, 10, 2026
	for _, replication := range []uint64{0, 1, 2, 1} {
		fmt.Printf("replication %d:", replication)
		cfg.Replication = replication
		if err := play(cfg, nil, model); err != nil {
			fmt.Println(err)
		}
		fmt.Println()
	}
	// Output:
	// replication 0: 0.7934 0.9580 0.1409
	// replication 1: 0.5657 0.3413 0.2210
	// replication 2: 0.8701 0.9746 0.7612
	// replication 1: 0.5657 0.3413 0.2210
}

// Config.CoreSeeds decide the order of simultaneous events alone: a result that changes with them
// depends on an order that the model leaves to chance.
func ExampleConfig_seeds() {
	type none struct{}
	type arrival struct{ From ross.LPID }
	model := ross.Type[none, arrival]{
		Init: func(_ *none, lp *ross.LP) {
			if lp.ID() != 0 {
				ross.Send(lp, 0, 1, arrival{From: lp.ID()})
			}
		},
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, m *arrival) {
			if fmt.Print(" ", m.From); m.From == 1 {
				fmt.Printf(" (at which LP 0 draws %.4f)", lp.RNG().Unif())
			}
		},
	}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 6, 10
	for replication := range uint64(3) {
		fmt.Print("order of arrival:")
		if replication > 0 {
			cfg.CoreSeeds = rng.SeedsOf(replication).Uint64s()
		}
		if err := play(cfg, nil, model); err != nil {
			fmt.Println(err)
		}
		fmt.Println()
	}
	// Output:
	// order of arrival: 3 1 (at which LP 0 draws 0.9059) 5 4 2
	// order of arrival: 3 5 4 1 (at which LP 0 draws 0.9059) 2
	// order of arrival: 2 5 4 1 (at which LP 0 draws 0.9059) 3
}

// The signature of an event leads back to it: here a run notes down the event that it
// finds odd, and the next run stops for a look just before that one, between others of
// the same time.
func ExampleHookAtSignature() {
	type counter struct{ Ticks int }
	type tick struct{}
	var odd ross.Signature
	model := ross.Type[counter, tick]{
		Init: func(_ *counter, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, tick{}) },
		Event: func(s *counter, lp *ross.LP, _ *ross.Bits, _ *tick) {
			if s.Ticks++; lp.ID() == 3 && s.Ticks == 5 {
				odd = lp.Signature()
			}
			ross.Send(lp, lp.ID(), 1, tick{})
		},
	}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 5, 10
	fmt.Println(play(cfg, nil, model))
	fmt.Printf("event at time %g, priority %g, with %d tie-breaker\n", odd.Time, odd.Priority, len(odd.Ties))

	cfg.HookTrigger = ross.HookAtSignature(odd)
	cfg.GVTHook = func(pe *ross.PE, _ bool) {
		fmt.Print("ticks before it:")
		for i := range pe.NumLPs() {
			fmt.Print(" ", ross.StateOf[counter](pe.LP(i)).Ticks)
		}
		fmt.Println()
	}
	fmt.Println(play(cfg, nil, model))
	// Output:
	// <nil>
	// event at time 5, priority 1, with 1 tie-breaker
	// ticks before it: 4 5 5 4 4
	// <nil>
}
