package models

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
)

// Hall has all that processes of one LP may wait for: stores, levels, signals, ends of others; some are killed.
type Hall struct {
	proc.Processes
	Parts   proc.Store[part]
	Bolts   proc.FilterStore[part, heavy]
	Oil     proc.Level
	Tools   proc.Level
	Lunch   proc.Signal
	Bench   proc.Servers
	Workers [5]proc.PID
	Count   [16]uint64
}

type part struct {
	Number uint32
	Weight float64
}

// heavy wants a part of at least a weight.
type heavy struct{ Weight float64 }

func (w heavy) Fits(p part) bool { return p.Weight >= w.Weight }

func (h *Hall) init(lp *ross.LP) {
	h.Parts.Open(lp, resource.Limits{Capacity: 2, RoomGet: 4})
	h.Bolts.Open(lp, resource.Limits{Capacity: 2, RoomGet: 4})
	h.Oil.Open(lp, resource.LevelRules{Capacity: 10, Amount: 6, RoomGet: 3})
	h.Tools.Open(lp, resource.LevelRules{Capacity: 2, Amount: 2})
	h.Bench.Open(lp, resource.Rules{Servers: 1})
	proc.Do(lp, h, func(p *proc.Self) {
		for i := range h.Workers {
			h.Workers[i] = proc.Go1(p, (*Hall).worker, i)
		}
		proc.Go(p, (*Hall).supplier)
		proc.Go(p, (*Hall).cook)
		proc.Go(p, (*Hall).boss)
		proc.Go(p, (*Hall).visitor)
	})
}

func (h *Hall) worker(p *proc.Self, i int) {
	h.Tools.Get(p, 0.5)
	defer h.Tools.Return(p, 0.5)
	for n := 0; n < 12; n++ {
		part, ok := h.Parts.GetPriorityWithin(p, float64(n%3), 0.7)
		if !ok {
			h.Count[0]++
			if h.Lunch.WaitWithin(p, 0.4) {
				h.Count[1]++
			}
			continue
		}
		if !h.Oil.GetPriorityWithin(p, 0.5, float64(i%2), 0.3) {
			h.Count[2]++
			if n%2 == 0 {
				h.Parts.PutPriority(p, part, -1)
			} else if !h.Parts.PutWithin(p, part, 0.6) {
				h.Count[13] += 100
			}
			continue
		}
		switch n % 3 {
		case 0:
			h.Bolts.PutWithin(p, part, 0.2)
		case 1:
			if bolt, ok := h.Bolts.GetWithin(p, heavy{0.1 + 0.05*float64(i)}, 0.5); ok {
				h.Count[5] += uint64(bolt.Number) << 20
			}
		default:
			h.Count[6] += uint64(h.Bolts.GetPriority(p, heavy{0.11}, float64(i%2)).Number) << 20
			h.Bolts.Put(p, part)
		}
		turn := h.Bench.Request(p)
		h.Count[9] += uint64(p.PID()) % 3
		left := p.Work(part.Weight)
		h.Bench.Release(p, turn)
		if left > 0 {
			cause, _ := p.Cause()
			h.Count[3] += cause
		}
		h.Count[4+i] += uint64(part.Number)
	}
}

func (h *Hall) supplier(p *proc.Self) {
	for i := uint32(0); ; i++ {
		p.Sleep(p.RNG().Exponential(0.3))
		h.Parts.Put(p, part{i, 0.1 + 0.3*p.RNG().Unif()})
		if i%14 == 0 {
			h.Oil.PutWithin(p, 3, 2)
			h.Oil.PutPriority(p, 0.5, 1)
		}
	}
}

func (h *Hall) cook(p *proc.Self) {
	for {
		p.Sleep(4)
		h.Count[10] += uint64(h.Lunch.Fire(p))
	}
}

// boss interrupts workers, kills one after the other, and has another one begin.
func (h *Hall) boss(p *proc.Self) {
	for i := 0; ; i++ {
		switch who := h.Workers[i%len(h.Workers)]; p.Any(proc.Timeout(1.3+p.RNG().Unif()), h.Lunch.Fired(), proc.Ended(who)) {
		case 0:
			p.Interrupt(who, uint64(i))
		case 1:
			p.Kill(who)
			p.Join(who)
			h.Count[11]++
			h.Workers[i%len(h.Workers)] = proc.Go1(p, (*Hall).worker, i%len(h.Workers))
		default:
			h.Count[12]++
			h.Workers[i%len(h.Workers)] = proc.Go1(p, (*Hall).worker, i%len(h.Workers))
		}
	}
}

func (h *Hall) visitor(p *proc.Self) {
	for i := range 20 {
		id := proc.Go1(p, (*Hall).short, 0.1*float64(i))
		if i%2 == 0 {
			p.Join(id)
		} else if p.Any(proc.Ended(id), proc.Timeout(0.05)) == 1 {
			p.Kill(id)
		}
		turn, ok := h.Bench.TryRequest(p)
		if ok {
			p.Sleep(0.2)
			h.Bench.Release(p, turn)
		}
		h.Lunch.Wait(p)
		h.Count[13]++
	}
}

func (h *Hall) short(p *proc.Self, d float64) {
	defer func() { h.Count[14]++ }()
	p.Sleep(d)
	h.Count[15]++
}

// Halls returns the type of n halls.
func Halls(n int) ross.Type[Hall] {
	return proc.Type(ross.Type[Hall]{LPs: n, Init: (*Hall).init})
}
