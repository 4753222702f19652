// This file shows a whole model: a line of machines that pass parts on.

package ross_test

import (
	"context"
	"fmt"

	"github.com/ross-go/ross"
)

// machine is the state of an LP, part the message: it arrives at a machine.
type machine struct{ Parts int }
type part struct{ Number int32 }

const machines = 4

// Init has the first machine get a part, and the others wait.
func (m *machine) Init(lp *ross.LP) {
	if lp.ID() == 0 {
		ross.Send(lp, 0, 1, part{Number: 1})
	}
}

// Event works on a part for a random time and passes it on. The first machine
// takes the next part one time unit later.
func (m *machine) Event(lp *ross.LP, bits *ross.Bits, p *part) {
	m.Parts++
	if lp.ID() == 0 {
		ross.Send(lp, 0, 1, part{Number: p.Number + 1})
	}
	if next := lp.ID() + 1; next < machines {
		ross.Send(lp, next, 0.5+lp.RNG().Exponential(2), *p)
	}
}

// Reverse undoes what Event did to the state, in schedulers that roll back.
func (m *machine) Reverse(lp *ross.LP, bits *ross.Bits, p *part) { m.Parts-- }

// Final tells what came of it.
func (m *machine) Final(lp *ross.LP) {
	fmt.Printf("machine %d: %d parts\n", lp.ID(), m.Parts)
}

// A model is a type of LP: a state, a message, and methods of the state. The
// settings come from DefaultConfig, and in a program from the command line, see
// Options.
func Example_shop() {
	cfg := ross.DefaultConfig()
	cfg.NLP = machines
	cfg.End = 1000

	sim, err := ross.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	err = sim.Define(ross.Type[machine, part]{
		Name: "machine",
		Init: (*machine).Init, Event: (*machine).Event, Reverse: (*machine).Reverse, Final: (*machine).Final,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := sim.Run(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	st := sim.Stats()
	fmt.Println(st.NetEvents(), "events")
	// Output:
	// machine 0: 999 parts
	// machine 1: 997 parts
	// machine 2: 994 parts
	// machine 3: 990 parts
	// 3980 events
}

// Several types of LPs live in one run: Config.TypeMap says which LP is which,
// and each type has messages of its own.
func ExampleConfig_typeMap() {
	type ping struct{ Left int32 }
	type pong struct{ Left, Bounces int32 }
	const player, wall = 0, 1

	players := ross.Type[struct{}, ping]{
		Name: "player",
		Init: func(_ *struct{}, lp *ross.LP) { ross.Send(lp, wall, 1, pong{Left: 3}) },
		Event: func(_ *struct{}, lp *ross.LP, _ *ross.Bits, m *ping) {
			fmt.Printf("time %g: the player has %d left\n", lp.Now(), m.Left)
			if m.Left > 0 {
				ross.Send(lp, wall, 1, pong{Left: m.Left, Bounces: 1})
			}
		},
	}
	walls := ross.Type[struct{}, pong]{
		Name: "wall",
		Event: func(_ *struct{}, lp *ross.LP, _ *ross.Bits, m *pong) {
			ross.Send(lp, player, 0.5, ping{Left: m.Left - 1})
		},
	}
	cfg := ross.DefaultConfig()
	cfg.NLP = 2
	cfg.TypeMap = func(gid ross.LPID) int { return int(gid) }
	sim, err := ross.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	if err := sim.Define(players, walls); err != nil {
		fmt.Println(err)
		return
	}
	if err := sim.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// time 1.5: the player has 2 left
	// time 3: the player has 1 left
	// time 4.5: the player has 0 left
}
