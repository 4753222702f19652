package gen

// This file owns the world of the interpreter of random programs: a plain list of events, LPs, processes that wait, and
// what they wait for. It knows nothing of package proc, package resource and the engine.

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"
)

// world is a run of a program.
type world struct {
	p      *program
	now    float64
	events []happening
	lps    []*lpOf
}

// happening is an event: what is done, at an LP.
type happening struct {
	at   float64
	lp   *lpOf
	what func()
}

// lpOf is an LP.
type lpOf struct {
	n, kind, steps, living int
	seed, log              uint64
	desks                  [5]*desk
	bench                  *desk
	bell, door             *bell
	shelf                  shelf
	tank, tools            *tank
	box                    box
	pids                   [4]*name
	last                   *name
	napping                *pause
	ready                  []*walker
}

// String returns what is left at the end, as the harness prints it.
func (lp *lpOf) String() string {
	busy := lp.bench.busy()
	for _, d := range lp.desks {
		busy += d.busy()
	}
	return fmt.Sprintf("%d %x %d: %x, %d live, %d busy, %d on the shelf, %v in the tank, %v tools, %d letters", lp.n, lp.log,
		lp.steps, lp.seed, lp.living, busy, len(lp.shelf.items), lp.tank.amount, lp.tools.amount, len(lp.box.letters))
}

// name is what a PID is: a walker at an LP.
type name struct {
	w    *walker
	ends bell // those who wait for its end
	over bool
}

// pause is a wait. It is over when why is not 0.
type pause struct {
	w    *walker
	why  byte // 't'ime, 'o'ther, 'i'nterrupted, 'k'illed
	open bool // to interruptions
	n    int
	item item
}

// walker is a process.
type walker struct {
	world                   *world
	at                      *lpOf
	id                      *name
	next                    func() (struct{}, bool)
	yield                   func(struct{}) bool
	pause                   *pause // nil: it runs, or is ready
	fresh, killed, pendings bool
	cause                   int
}

// dead leads a walker that was killed to its exit.
type dead struct{}

func (w *world) schedule(lp *lpOf, delay float64, what func()) {
	w.events = append(w.events, happening{w.now + delay, lp, what})
}

// interpret runs a program and returns its LPs.
func interpret(p *program, end float64) []*lpOf {
	w := &world{p: p}
	for i := range lpsA + lpsB {
		lp := &lpOf{n: i, seed: uint64(i)*77 + 5, bell: &bell{}, door: &bell{},
			desks: [5]*desk{{servers: 1}, {servers: 2}, {servers: 1, ordered: true}, {servers: 1, last: true, room: 2},
				{servers: 1, least: 2, most: 3, patience: 1.5}},
			bench: &desk{servers: 2, ordered: true, preemptive: true},
			tank:  &tank{capacity: 10, amount: 5}, tools: &tank{capacity: 4, amount: 4}}
		if i >= lpsA {
			lp.kind = 1
		}
		w.lps = append(w.lps, lp)
	}
	for _, lp := range w.lps {
		for i, f := range p.funcs {
			if f.results == 0 && f.host == lp.kind {
				w.start(lp, i, i, 3, 2, 1)
			}
		}
		w.drain(lp)
	}
	for len(w.events) > 0 {
		sort.SliceStable(w.events, func(i, j int) bool { return w.events[i].at < w.events[j].at })
		e := w.events[0]
		w.events = w.events[1:]
		if e.at >= end {
			break
		}
		w.now = e.at
		e.what()
		w.drain(e.lp)
	}
	return w.lps
}

// drain lets walkers go on until none is ready.
func (w *world) drain(lp *lpOf) {
	for len(lp.ready) > 0 {
		x := lp.ready[0]
		lp.ready = lp.ready[1:]
		if x.fresh && x.killed {
			x.gone()
			continue
		}
		x.fresh = false
		if _, more := x.next(); !more {
			x.gone()
		}
	}
}

// gone ends what a walker is at its LP, and wakes those who wait for that.
func (x *walker) gone() {
	x.id.over = true
	x.at.living--
	x.id.ends.ring()
}

// start starts a function with what its parameters are.
func (w *world) start(lp *lpOf, f, a, fuel, c, d int) *name {
	x := &walker{world: w, at: lp, fresh: true}
	x.id = &name{w: x}
	x.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		x.yield = yield
		defer func() {
			if e := recover(); e != nil {
				if _, ok := e.(dead); !ok {
					panic(e)
				}
			}
		}()
		vars := map[string]*cell{"a": numberOf(a), "fuel": numberOf(fuel)}
		switch w.p.funcs[f].arity {
		case 0:
			vars["a"], vars["fuel"] = numberOf(2), numberOf(0)
		case 3:
			vars["c"] = numberOf(int(int8(c)))
		case 4:
			vars["c"], vars["d"] = numberOf(int(int8(c))), &cell{[3]int{7, d, 2}}
		}
		x.call(f, vars)
	})
	lp.living++
	lp.ready = append(lp.ready, x)
	return x.id
}

// wake ends a pause, and reports whether it was one.
func (p *pause) wake(why byte, n int) bool {
	if p == nil || p.why != 0 || p.w.pause != p {
		return false
	}
	p.why, p.n = why, n
	p.w.pause = nil
	p.w.at.ready = append(p.w.at.ready, p.w)
	return true
}

// begin makes a pause, which wait waits for.
func (x *walker) begin(open bool) *pause { return &pause{w: x, open: open} }

func (x *walker) wait(p *pause) {
	x.pause = p
	x.yield(struct{}{})
}

// exits leads to the exit if the walker was killed.
func (x *walker) exits() {
	if x.killed {
		panic(dead{})
	}
}

// till ends a pause after a delay.
func (x *walker) till(p *pause, delay float64, n int) {
	x.world.schedule(x.at, delay, func() { p.wake('t', n) })
}

// interrupt ends the pause of a walker if that is open to it, and otherwise waits for one.
func (id *name) interrupt(cause int) bool {
	if id == nil || id.over {
		return false
	}
	id.w.cause = cause
	if p := id.w.pause; p == nil || !p.open || !p.wake('i', -1) {
		id.w.pendings = true
	}
	return true
}

func (id *name) kill() bool {
	if id == nil || id.over || id.w.killed {
		return false
	}
	id.w.killed = true
	id.w.pause.wake('k', 0)
	return true
}

// travel goes on at an LP of a type.
func (x *walker) travel(kind int, delay func(at *lpOf) float64) {
	first, count := 0, lpsA
	if kind == 1 {
		first, count = lpsA, lpsB
	}
	lp := x.world.lps[first+x.at.draw(count)]
	x.world.schedule(lp, delay(x.at), func() {
		x.at, x.id, x.pendings, x.killed = lp, &name{w: x}, false, false
		lp.living++
		lp.ready = append(lp.ready, x)
	})
	x.gone()
	x.yield(struct{}{})
}

// bell is a signal.
type bell struct{ waiting []ringing }

type ringing struct {
	p *pause
	n int
}

func (b *bell) enter(p *pause, n int) { b.waiting = append(b.waiting, ringing{p, n}) }

// ring wakes all, and returns how many.
func (b *bell) ring() (n int) {
	all := b.waiting
	b.waiting = nil
	for _, r := range all {
		if r.p.wake('o', r.n) {
			n++
		}
	}
	return n
}

// desk has servers, and who waits for them.
type desk struct {
	servers, room             int
	ordered, last, preemptive bool
	least, most               int     // in a batch; 0: one
	patience                  float64 // of those who wait for a batch
	queue, served             []*turn
	begun                     int
}

// turn is a request: it is in the queue, served, or gone.
type turn struct {
	w        *walker
	id       *name
	p        *pause // of the request
	n        int    // what the pause brings
	priority int
	began    int    // which of those that ever began; the same for a batch
	overdue  bool   // it waits for no others
	serving  *pause // of Serve
	ends     float64
	left     float64
	timer    *int // is 1 as long as the end of a service is to come
}

func (d *desk) serves(t *turn) bool { return slices.Contains(d.served, t) }

// busy returns the number of servers that are.
func (d *desk) busy() int {
	batches := map[int]bool{}
	for _, t := range d.served {
		batches[t.began] = true
	}
	return len(batches)
}

// isFree reports whether one who comes is served at once.
func (d *desk) isFree() bool { return d.busy() < d.servers && d.least == 0 }

// enter puts a turn into the queue, perhaps before others that are equal.
func (d *desk) enter(t *turn, first bool) {
	at := len(d.queue)
	if d.ordered {
		at = 0
		for at < len(d.queue) && (d.queue[at].priority < t.priority || !first && d.queue[at].priority == t.priority) {
			at++
		}
	} else if d.last || first {
		at = 0
	}
	d.queue = slices.Insert(d.queue, at, t)
}

// ask asks for a server: it returns the turn, nil if there is no room, and whether it is served.
func (d *desk) ask(x *walker, priority int) (*turn, bool) {
	t := &turn{w: x, id: x.id, priority: priority}
	if d.preemptive && d.busy() == d.servers {
		victim := d.served[0]
		for _, other := range d.served {
			if other.priority > victim.priority || other.priority == victim.priority && other.began > victim.began {
				victim = other
			}
		}
		if victim.priority > priority {
			d.served = slices.DeleteFunc(d.served, func(t *turn) bool { return t == victim })
			if victim.timer != nil {
				*victim.timer = 0
				victim.left = max(victim.ends-x.world.now, 0)
			}
			d.enter(victim, true)
		}
	}
	if d.isFree() {
		d.begun++
		d.begin(t)
		return t, true
	}
	if d.room > 0 && len(d.queue) >= d.room {
		return nil, false
	}
	t.p = x.begin(false)
	d.enter(t, false)
	if d.least > 0 {
		x.world.schedule(x.at, d.patience, func() {
			if slices.Contains(d.queue, t) {
				t.overdue = true
				d.gather()
			}
		})
	}
	return t, false
}

// gather has a free server take a batch, if enough wait or one of them waits for no others.
func (d *desk) gather() {
	enough := len(d.queue) >= max(d.least, 1) || slices.ContainsFunc(d.queue, func(t *turn) bool { return t.overdue })
	if !enough || d.busy() >= d.servers {
		return
	}
	d.begun++
	batch := slices.Clone(d.queue[:min(max(d.most, 1), len(d.queue))])
	d.queue = d.queue[len(batch):]
	for _, t := range batch {
		d.begin(t)
	}
	for _, t := range batch {
		switch {
		case t.serving != nil && t.serving.why == 0:
			d.serve(t.w, t)
		case t.p.wake('o', t.n):
		case t.id.over:
			d.release(t)
		}
	}
}

func (d *desk) begin(t *turn) {
	t.began = d.begun
	d.served = append(d.served, t)
}

// serve begins what is left of a service, which ends the pause of Serve.
func (d *desk) serve(x *walker, t *turn) {
	timer := 1
	t.timer, t.ends = &timer, x.world.now+t.left
	x.world.schedule(x.at, t.left, func() {
		if timer == 1 {
			t.serving.wake('t', 0)
		}
	})
}

// release gives a turn back, wherever it is. The first of those who wait is served.
func (d *desk) release(t *turn) {
	if t == nil {
		return
	}
	if !d.serves(t) {
		d.queue = slices.DeleteFunc(d.queue, func(other *turn) bool { return other == t })
		return
	}
	d.served = slices.DeleteFunc(d.served, func(other *turn) bool { return other == t })
	d.gather()
}

// item is what is on a shelf, and letter what is in a box.
type item struct{ n, small int }

// shelf is a store with room for two.
type shelf struct {
	items            []item
	getters, putters []*pause
}

func first(all *[]*pause) *pause {
	p := (*all)[0]
	*all = (*all)[1:]
	return p
}

// put puts an item, or returns the pause in which the walker has to wait.
func (s *shelf) put(x *walker, it item) *pause {
	for len(s.getters) > 0 {
		p := first(&s.getters)
		if p.item = it; p.wake('o', 0) {
			return nil
		}
	}
	if len(s.items) < 2 {
		s.items = append(s.items, it)
		return nil
	}
	p := x.begin(false)
	p.item = it
	s.putters = append(s.putters, p)
	return p
}

// get gets an item, or returns the pause in which the walker has to wait.
func (s *shelf) get(x *walker) (item, *pause) {
	if len(s.items) == 0 {
		p := x.begin(false)
		s.getters = append(s.getters, p)
		return item{}, p
	}
	it := s.items[0]
	s.items = s.items[1:]
	if len(s.putters) > 0 {
		p := first(&s.putters)
		s.items = append(s.items, p.item)
		p.wake('o', 1)
	}
	return it, nil
}

func (s *shelf) leaves(p *pause) {
	is := func(other *pause) bool { return other == p }
	s.getters, s.putters = slices.DeleteFunc(s.getters, is), slices.DeleteFunc(s.putters, is)
}

// tank is a level.
type tank struct {
	capacity, amount float64
	getters, putters []claim
}

type claim struct {
	p      *pause
	amount float64
}

func (t *tank) get(x *walker, amount float64) *pause {
	if len(t.getters) == 0 && t.amount >= amount {
		t.amount -= amount
		t.others()
		return nil
	}
	p := x.begin(false)
	t.getters = append(t.getters, claim{p, amount})
	return p
}

func (t *tank) put(x *walker, amount float64) *pause {
	if len(t.putters) == 0 && t.amount+amount <= t.capacity {
		t.amount += amount
		t.others()
		return nil
	}
	p := x.begin(false)
	t.putters = append(t.putters, claim{p, amount})
	return p
}

// giveBack is a put that does not wait for others who put.
func (t *tank) giveBack(amount float64) {
	t.amount += amount
	t.others()
}

// others lets those go on who can: first those who get.
func (t *tank) others() {
	for {
		switch {
		case len(t.getters) > 0 && t.amount >= t.getters[0].amount:
			c := t.getters[0]
			t.getters = t.getters[1:]
			if c.p.wake('o', 0) {
				t.amount -= c.amount
			}
		case len(t.putters) > 0 && t.amount+t.putters[0].amount <= t.capacity:
			c := t.putters[0]
			t.putters = t.putters[1:]
			t.amount += c.amount
			c.p.wake('o', 0)
		default:
			return
		}
	}
}

func (t *tank) leaves(p *pause) {
	is := func(c claim) bool { return c.p == p }
	t.getters, t.putters = slices.DeleteFunc(t.getters, is), slices.DeleteFunc(t.putters, is)
	t.others()
}

// box is a mailbox.
type box struct {
	letters []item
	waiting []*pause
}

func (b *box) deliver(l item) {
	for len(b.waiting) > 0 {
		p := first(&b.waiting)
		if p.item = l; p.wake('o', 0) {
			return
		}
	}
	b.letters = append(b.letters, l)
}

func (lp *lpOf) draw(n int) int {
	lp.seed = lp.seed*6364136223846793005 + 1442695040888963407
	return int(lp.seed>>33) % n
}

// open are the desks that any walker may ask.
var open = [...]int{0, 1, 4}

func (lp *lpOf) desk() *desk { return lp.desks[open[lp.draw(len(open))]] }

func modOf(a, b int) int {
	b = 1 + b&7
	return (a%b + b) % b
}

func thirdOf(a int) int { return (a%3 + 3) % 3 }

func (lp *lpOf) delay(a int) float64 {
	return 0.05 + float64(modOf(a, 2)) + float64(lp.draw(1<<30))/(1<<30)
}

func (x *walker) note(v int) {
	lp := x.at
	lp.log = (lp.log ^ uint64(v) ^ math.Float64bits(x.world.now)) * 0x9e3779b97f4a7c15
	lp.steps++
	if *traced {
		println("interpreter", lp.n, math.Float64bits(x.world.now), v)
	}
}
