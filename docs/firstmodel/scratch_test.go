// This file owns scratch: data of a state that nobody undoes.

package firstmodel

import (
	"fmt"

	"github.com/ross-go/ross"
)

// Planner adds up the greatest of three numbers that it draws.
type Planner struct {
	Sum   int64
	Draws [3]int64 `ross:"-"` // scratch: each event fills it before it reads it
}

// Plan is the message of a planner.
type Plan struct{}

func (p *Planner) Init(lp *ross.LP) { ross.Send(lp, lp.ID(), 1, Plan{}) }

func (p *Planner) Plan(lp *ross.LP, _ *ross.None, _ *Plan) {
	for i := range p.Draws {
		p.Draws[i] = lp.RNG().Integer(0, 100)
	}
	*ross.Write(lp, &p.Sum) += max(p.Draws[0], p.Draws[1], p.Draws[2])
	ross.Send(lp, lp.ID(), 1, Plan{})
}

func Example_scratch() {
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.Synch = 4, 100, ross.RollbackCheck
	err := try(cfg, ross.Type[Planner, ross.None]{
		Saving: ross.SaveByLog, Init: (*Planner).Init,
		On: []ross.Handler[Planner]{ross.On((*Planner).Plan)},
	})
	fmt.Println(err)
	// Output: <nil>
}
