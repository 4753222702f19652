// The same model without an engine: functions in a heap, one after the other, and people behind pointers. It draws from
// the streams that the LPs would have.

package main

import (
	"container/heap"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/rng"
)

// plan is something that somebody is going to do.
type plan struct {
	at     float64
	number int
	do     func() // nil: it was called off
}

// plans are a heap, by time, and then in the order in which they were made.
type plans []*plan

func (h plans) Len() int      { return len(h) }
func (h plans) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h plans) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].number < h[j].number
}
func (h *plans) Push(x any) { *h = append(*h, x.(*plan)) }
func (h *plans) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

type human struct {
	is     health
	due    float64
	change *plan
	meet   *plan
}

// place is a cell, with chairs for those who are there; who comes takes the chair that was left last.
type place struct {
	x, y   int
	r      rng.Stream
	chairs []*human
	left   []int
}

func (pl *place) people() (all []*human) {
	for _, h := range pl.chairs {
		if h != nil {
			all = append(all, h)
		}
	}
	return all
}

// somebody draws as container.Slab does: chairs, and after many empty ones people.
func (w *world) somebody(pl *place) *human {
	all := pl.people()
	for tries := 0; len(all) < len(pl.chairs); tries++ {
		if tries == 32 {
			w.drewPeople++
			break
		}
		if h := pl.chairs[pl.r.Integer(0, int64(len(pl.chairs)-1))]; h != nil {
			return h
		}
	}
	return all[pl.r.Integer(0, int64(len(all)-1))]
}

// world is a run.
type world struct {
	params
	now    float64
	made   int
	todo   plans
	places []*place

	people     counts   // in the cells at the end
	perDay     []uint64 // infections
	drewPeople int      // how often many chairs were empty
}

// simulate makes a run from seeds.
func (p params) simulate(seeds rng.Seeds, end float64) *world {
	w, seeder := &world{params: p}, rng.NewSeeder(seeds)
	for id := range p.side * p.side {
		pl := &place{x: id % p.side, y: id / p.side, r: seeder.Stream(uint64(id))}
		w.places = append(w.places, pl)
	}
	for id, pl := range w.places {
		for i := range p.people {
			h := &human{}
			if w.come(pl, h); i < p.seeds && ross.LPID(id) == p.middle() {
				w.infect(pl, h)
			}
		}
	}
	for len(w.todo) > 0 && w.todo[0].at < end {
		next := heap.Pop(&w.todo).(*plan)
		if w.now = next.at; next.do != nil {
			next.do()
		}
	}
	for _, pl := range w.places {
		for _, h := range pl.people() {
			w.people[h.is]++
		}
	}
	return w
}

// after plans something.
func (w *world) after(delay float64, do func()) *plan {
	w.made++
	next := &plan{w.now + delay, w.made, do}
	heap.Push(&w.todo, next)
	return next
}

func (w *world) come(pl *place, h *human) {
	chair := len(pl.chairs)
	if n := len(pl.left); n > 0 {
		chair, pl.left = pl.left[n-1], pl.left[:n-1]
		pl.chairs[chair] = h
	} else {
		pl.chairs = append(pl.chairs, h)
	}
	w.stay(pl, h, chair)
	w.suffer(pl, h)
}

func (w *world) stay(pl *place, h *human, chair int) {
	w.after(pl.r.Exponential(w.params.stay), func() {
		sick := 0
		for _, other := range pl.people() {
			if other.is == infectious {
				sick++
			}
		}
		if w.closes > 0 && sick >= w.closes {
			w.stay(pl, h, chair)
			return
		}
		pl.chairs[chair], pl.left = nil, append(pl.left, chair)
		for _, p := range []*plan{h.change, h.meet} {
			if p != nil {
				p.do = nil
			}
		}
		to := w.whereTo(pl)
		w.after(w.way, func() { w.come(to, h) })
	})
}

func (w *world) whereTo(pl *place) *place {
	if pl.r.Unif() < w.far {
		return w.places[pl.r.Integer(0, int64(len(w.places)-1))]
	}
	x, y := pl.x, pl.y
	switch pl.r.Integer(0, 3) {
	case 0:
		x++
	case 1:
		x--
	case 2:
		y++
	case 3:
		y--
	}
	return w.places[(y+w.side)%w.side*w.side+(x+w.side)%w.side]
}

// suffer plans what an illness brings.
func (w *world) suffer(pl *place, h *human) {
	if h.is == infectious {
		w.meets(pl, h)
	}
	if h.is == susceptible || h.is == recovered {
		return
	}
	h.change = w.after(max(h.due-w.now, 0), func() {
		if h.is++; h.is == recovered {
			h.meet.do = nil
			return
		}
		h.due = w.now + pl.r.Exponential(w.sick)
		w.suffer(pl, h)
	})
}

func (w *world) meets(pl *place, h *human) {
	h.meet = w.after(pl.r.Exponential(1/w.contacts), func() {
		w.meets(pl, h)
		if other := w.somebody(pl); other.is == susceptible && pl.r.Unif() < w.infects {
			w.infect(pl, other)
		}
	})
}

func (w *world) infect(pl *place, h *human) {
	for len(w.perDay) <= int(w.now) {
		w.perDay = append(w.perDay, 0)
	}
	w.perDay[int(w.now)]++
	h.is, h.due = exposed, w.now+pl.r.Exponential(w.latent)
	w.suffer(pl, h)
}
