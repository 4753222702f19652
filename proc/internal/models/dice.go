package models

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
)

// Dice have players who draw from streams of their own, and one who draws from that of the LP.
type Dice struct {
	proc.Processes
	Sum [3]float64
}

// DiceType returns the type of n LPs, with a number of players.
func DiceType(n, players int) ross.Type[Dice] {
	return proc.Type(ross.Type[Dice]{LPs: n, Init: func(d *Dice, lp *ross.LP) {
		proc.Do(lp, d, func(p *proc.Self) {
			for i := range players {
				proc.Go1(p, (*Dice).plays, i)
			}
			proc.Go(p, (*Dice).disturbs)
		})
	}})
}

func (d *Dice) plays(p *proc.Self, i int) {
	draws := p.Stream(uint64(i))
	for {
		p.Sleep(draws.Exponential(1))
		d.Sum[i] += draws.NormalSD(0, 1)
	}
}

func (d *Dice) disturbs(p *proc.Self) {
	for {
		p.Sleep(p.RNG().Exponential(1))
	}
}
