// Command skewed is a model with a bad mapping, for docs/instrumentation.md: the cells of a
// mobile network. The first cells are in the city and have nearly all calls. The linear
// mapping, the default, puts the whole city on PE 0.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
)

const (
	cityShare = 8    // one cell in this many is in the city
	cityCalls = 32   // in a cell of the city
	calls     = 1    // in one elsewhere
	moves     = 0.1  // part of the events that take a call to another cell
	soonest   = 0.1  // shortest time to the next event of a call
	mean      = 0.9  // of the random time on top of that
	rounds    = 1000 // of arithmetic for an event: about a microsecond
)

// cell is the state of an LP; a call is an event.
type cell struct{ Sum uint64 }
type call struct{}

// network is known to all cells: for each cell, the number of calls at the start in all cells
// before it.
type network struct{ before []int }

func newNetwork(cells int) network {
	n := network{make([]int, cells+1)}
	for id := range cells {
		own := calls
		if id < cells/cityShare {
			own = cityCalls
		}
		n.before[id+1] = n.before[id] + own
	}
	return n
}

func (n network) calls(id ross.LPID) int { return n.before[id+1] - n.before[id] }

// byLoad returns the PE of a cell: the line of cells is cut so that each PE has its share of the
// calls.
func (n network) byLoad(id, pes uint64) uint64 {
	return uint64(n.before[id]) * pes / uint64(n.before[len(n.before)-1])
}

func (n network) start(_ *cell, lp *ross.LP) {
	for range n.calls(lp.ID()) {
		ross.Send(lp, lp.ID(), delay(lp), call{})
	}
}

// event works, then sends the call on: to its own cell or, sometimes, to a neighbouring one, but
// not into or out of the city.
func (n network) event(c *cell, lp *ross.LP, _ *call) {
	for range rounds {
		c.Sum = c.Sum*6364136223846793005 + 1442695040888963407
	}
	dst := lp.ID()
	if lp.RNG().Unif() < moves {
		next := dst + 1
		if lp.RNG().Unif() < 0.5 {
			next = dst - 1 // of 0: no cell
		}
		if next < ross.LPID(len(n.before)-1) && n.calls(next) == n.calls(dst) {
			dst = next
		}
	}
	ross.Send(lp, dst, delay(lp), call{})
}

func delay(lp *ross.LP) float64 { return soonest + lp.RNG().Exponential(mean) }

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	cells, byLoad := uint64(256), false
	var n network
	return program.Program{
		Name: "skewed", Parts: parts.All(), Config: ross.DefaultConfig(),
		Options: func(o *ross.Options, _ *ross.Config) {
			g := o.Group("Skewed Model")
			g.Uint64(&cells, "cells", "number of cells on all PEs, 16 to 1048576")
			g.Bool(&byLoad, "by-load", "give each PE equally many calls, instead of equally many cells")
		},
		Prepare: func(cfg *ross.Config) error {
			pes := uint64(max(cfg.PEs, 1))
			if cells < 16 || cells > 1<<20 || cells%pes != 0 {
				return fmt.Errorf("option --cells=%d: must be in [16, 1048576] and divide by --pes: %w", cells, ross.ErrUsage)
			}
			n = newNetwork(int(cells))
			cfg.NLP, cfg.ConsLookahead = int(cells/pes), soonest
			if byLoad {
				cfg.LPs = int(cells)
				cfg.Mapping = mapping.For(func(s mapping.Shape) (mapping.Places, error) {
					return mapping.Places{PE: func(id uint64) uint64 { return n.byLoad(id, s.PEs) }}, nil
				})
			}
			return nil
		},
		Build: func(sim *ross.Simulation) error {
			return sim.Define(ross.Type[cell]{Name: "cell", Init: n.start, Event: ross.On(n.event)})
		},
	}.Main(args, stdout, stderr)
}
