package models

import (
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
)

// Twin is a state in which one of several small models runs. The tests have each also as a list of events, without
// processes.
type Twin struct {
	proc.Processes
	Desk, Single, Urgent, Bench proc.Servers
	Shelf                       proc.Store[int]
	Tank                        proc.Level
	Gate                        proc.Signal
	Box                         proc.Mailbox[Ball]
	Machines                    [4]proc.PID
	Seed, Log, Steps            uint64
}

// Ball is what two LPs send to one another.
type Ball struct{ Count int }

// Delay draws a time from a to b.
func (w *Twin) Delay(a, b float64) float64 {
	w.Seed = w.Seed*6364136223846793005 + 1442695040888963407
	return a + float64((b-a)*(float64(w.Seed>>11)/(1<<53)))
}

// Note writes down a number.
func (w *Twin) Note(p *proc.Self, x int) {
	w.Log = (w.Log ^ uint64(x) ^ math.Float64bits(p.Now())) * 0x9e3779b97f4a7c15
	w.Steps++
}

// TwinModels are the processes with which the models begin, by name.
var TwinModels = map[string]func(w *Twin, p *proc.Self){
	"M/M/c":     func(_ *Twin, p *proc.Self) { proc.Go1(p, (*Twin).arrivals, 0) },
	"priority":  func(_ *Twin, p *proc.Self) { proc.Go1(p, (*Twin).arrivals, 1) },
	"preempted": func(_ *Twin, p *proc.Self) { proc.Go1(p, (*Twin).arrivals, 2) },
	"shop": func(w *Twin, p *proc.Self) {
		for i := range w.Machines {
			w.Machines[i] = proc.Go1(p, (*Twin).machine, i)
		}
		proc.Go(p, (*Twin).breaker)
	},
	"store": func(_ *Twin, p *proc.Self) {
		for i := range 2 {
			proc.Go1(p, (*Twin).producer, i)
		}
		for i := range 3 {
			proc.Go1(p, (*Twin).consumer, i)
		}
	},
	"tank": func(_ *Twin, p *proc.Self) {
		for i := range 3 {
			proc.Go1(p, (*Twin).taker, i)
			proc.Go1(p, (*Twin).filler, i)
		}
	},
	"gate": func(_ *Twin, p *proc.Self) {
		for i := range 4 {
			proc.Go1(p, (*Twin).walker, i)
		}
		proc.Go(p, (*Twin).opener)
	},
	"ping-pong": func(_ *Twin, p *proc.Self) { proc.Go(p, (*Twin).player) },
	"join tree": func(_ *Twin, p *proc.Self) { proc.Go1(p, (*Twin).tree, 5) },
}

// TwinTypes returns the type of two LPs in which a model runs.
func TwinTypes(model string) []ross.LPType {
	begin := TwinModels[model]
	return []ross.LPType{proc.Type(ross.Type[Twin]{LPs: 2,
		Event: proc.Mail(func(w *Twin) *proc.Mailbox[Ball] { return &w.Box }),
		Init: func(w *Twin, lp *ross.LP) {
			w.Seed = uint64(lp.ID()) + 1
			w.Desk.Open(lp, resource.Rules{Servers: 3})
			w.Single.Open(lp, resource.Rules{Servers: 1})
			w.Urgent.Open(lp, resource.Rules{Servers: 1, Order: resource.ByPriority})
			w.Bench.Open(lp, resource.Rules{Servers: 1, Order: resource.Preemptive})
			w.Shelf.Open(lp, resource.Limits{Capacity: 2})
			w.Tank.Open(lp, resource.LevelRules{Capacity: 10, Amount: 4})
			proc.Do(lp, w, func(p *proc.Self) { begin(w, p) })
		}})}
}

// arrivals has customers come to the desk, to one for urgent ones, or to one where those are served at once.
func (w *Twin) arrivals(p *proc.Self, where int) {
	for i := range 200 {
		p.Sleep(w.Delay(0, 1))
		switch where {
		case 0:
			proc.Go1(p, (*Twin).customer, i)
		case 1:
			proc.Go1(p, (*Twin).urgent, i)
		default:
			proc.Go1(p, (*Twin).first, i)
		}
	}
}

func (w *Twin) customer(p *proc.Self, i int) {
	turn := w.Desk.Request(p)
	p.Sleep(w.Delay(0, 3))
	w.Desk.Release(p, turn)
	w.Note(p, i)
}

func (w *Twin) urgent(p *proc.Self, i int) {
	turn := w.Urgent.RequestPriority(p, float64(i%3))
	p.Sleep(w.Delay(0, 1))
	w.Urgent.Release(p, turn)
	w.Note(p, i)
}

func (w *Twin) first(p *proc.Self, i int) {
	turn := w.Bench.RequestPriority(p, float64(i%3))
	w.Bench.Serve(p, turn, w.Delay(0, 1))
	w.Bench.Release(p, turn)
	w.Note(p, i)
}

func (w *Twin) machine(p *proc.Self, i int) {
	for {
		for left := w.Delay(1, 2); left > 0; {
			left = p.Work(left)
			if left > 0 {
				turn := w.Single.Request(p)
				p.Sleep(w.Delay(0.1, 0.3))
				w.Single.Release(p, turn)
			}
		}
		w.Note(p, i)
	}
}

func (w *Twin) breaker(p *proc.Self) {
	for i := 0; ; i++ {
		p.Sleep(w.Delay(0.2, 0.6))
		p.Interrupt(w.Machines[i%len(w.Machines)], 0)
	}
}

func (w *Twin) producer(p *proc.Self, i int) {
	for n := 0; ; n++ {
		p.Sleep(w.Delay(0, 1))
		w.Shelf.Put(p, 2*n+i)
		w.Note(p, -n)
	}
}

func (w *Twin) consumer(p *proc.Self, i int) {
	for {
		n := w.Shelf.Get(p)
		w.Note(p, 10*n+i)
		p.Sleep(w.Delay(0, 1.4))
	}
}

func (w *Twin) taker(p *proc.Self, i int) {
	for n := 0; ; n++ {
		p.Sleep(w.Delay(0, 1))
		w.Tank.Get(p, float64(1+(n+i)%5))
		w.Note(p, i)
	}
}

func (w *Twin) filler(p *proc.Self, i int) {
	for n := 0; ; n++ {
		p.Sleep(w.Delay(0, 1.1))
		w.Tank.Put(p, float64(1+(n+2*i)%6))
		w.Note(p, 10+i)
	}
}

func (w *Twin) walker(p *proc.Self, i int) {
	for {
		p.Sleep(w.Delay(0, 2))
		if w.Gate.WaitWithin(p, 1.5) {
			w.Note(p, i)
		} else {
			w.Note(p, -i)
		}
	}
}

func (w *Twin) opener(p *proc.Self) {
	for {
		p.Sleep(w.Delay(0.5, 2))
		w.Note(p, 100+w.Gate.Fire(p))
	}
}

func (w *Twin) player(p *proc.Self) {
	if p.LP().ID() == 0 {
		ross.Send(p.LP(), 1, 1, Ball{1})
	}
	for {
		ball := w.Box.Receive(p)
		w.Note(p, ball.Count)
		p.Sleep(w.Delay(0, 1))
		ross.Send(p.LP(), 1-p.LP().ID(), 0.5, Ball{ball.Count + 1})
	}
}

func (w *Twin) tree(p *proc.Self, depth int) {
	if depth == 0 {
		p.Sleep(w.Delay(0, 3))
	} else {
		left := proc.Go1(p, (*Twin).tree, depth-1)
		p.Sleep(w.Delay(0, 0.5))
		right := proc.Go1(p, (*Twin).tree, depth-1)
		p.Join(left)
		p.Join(right)
	}
	w.Note(p, depth)
}
