package models

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
)

// Quay has cranes that break down, and ships that take several of them.
type Quay struct {
	proc.Processes
	Cranes proc.Pool[[5]resource.Member] `ross:"cranes,h"`
	Crew   proc.Servers                  `ross:"crew,h"`
	Ships  [8]proc.PID
	Next   uint32
	Count  [10]uint64
}

func (q *Quay) init(lp *ross.LP) {
	keep := lp.ID()%2 == 1
	q.Cranes.Open(lp, resource.PoolRules{Groups: []int{2, 3}, Choice: resource.LeastUsed, Keep: keep})
	q.Crew.Open(lp, resource.Rules{Servers: 1})
	proc.Do(lp, q, func(p *proc.Self) {
		proc.Go(p, (*Quay).source)
		proc.Go(p, (*Quay).pirate)
		proc.Go(p, (*Quay).shift)
		for i := range q.Cranes.Members() {
			proc.Go1(p, (*Quay).crane, i)
		}
	})
}

func (q *Quay) source(p *proc.Self) {
	for {
		p.Sleep(p.RNG().Exponential(0.8))
		q.Ships[q.Next%8] = proc.Go(p, (*Quay).ship)
		q.Next++
	}
}

// shift sends a crane away, and calls it.
func (q *Quay) shift(p *proc.Self) {
	for there := false; ; there = !there {
		p.Sleep(1 + p.RNG().Unif())
		q.Cranes.SetThere(p, 1, there)
	}
}

// crane breaks down after it has worked, and is repaired by the crew.
func (q *Quay) crane(p *proc.Self, i int) {
	for {
		q.Cranes.Wear(p, i, p.RNG().Exponential(3))
		q.Cranes.Break(p, i)
		q.Count[0]++
		turn := q.Crew.Request(p)
		p.Sleep(p.RNG().Exponential(0.5))
		q.Crew.Release(p, turn)
		q.Cranes.Repair(p, i)
	}
}

func (q *Quay) ship(p *proc.Self) {
	need := resource.Need{Least: 1 + int(p.RNG().Integer(0, 1)), Most: 1 + int(p.RNG().Integer(0, 2)),
		Groups: resource.Groups(p.RNG().Integer(0, 3)), Prefer: resource.GroupsOf(1), Collects: p.RNG().Integer(0, 1) == 1}
	turn, ok := q.Cranes.RequestWithin(p, need, p.RNG().Exponential(4))
	if !ok {
		q.Count[1]++
		return
	}
	defer q.Cranes.Release(p, turn)
	if q.Cranes.Has(p.LP(), turn) > need.Least {
		q.Count[2]++
	}
	for left := p.RNG().Exponential(2); left > 0; {
		if left = q.Cranes.Work(p, turn, left); left > 0 {
			q.Count[3]++
			for i := range q.Cranes.Held(p.LP(), turn) {
				q.Cranes.Give(p, turn, i)
				q.Count[4]++
				break
			}
			if q.Cranes.Has(p.LP(), turn) == 0 {
				q.Count[5]++
				return
			}
		}
	}
	q.Count[6]++
}

// pirate interrupts and kills ships, and takes cranes.
func (q *Quay) pirate(p *proc.Self) {
	for n := 0; ; n++ {
		p.Sleep(p.RNG().Exponential(1.5))
		i := p.RNG().Integer(0, 7)
		switch n % 3 {
		case 0:
			if p.Interrupt(q.Ships[i], 1) {
				q.Count[7]++
			}
		case 1:
			if p.Kill(q.Ships[i]) {
				q.Count[8]++
			}
		default:
			turn := q.Cranes.Request(p, resource.Need{Least: 3})
			p.Sleep(0.2)
			q.Cranes.Release(p, turn)
			q.Count[9]++
		}
	}
}

// Quays returns the type of n quays.
func Quays(n int) ross.Type[Quay] {
	return proc.Type(ross.Type[Quay]{LPs: n, Init: (*Quay).init})
}
