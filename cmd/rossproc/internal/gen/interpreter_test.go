package gen

// This file owns an interpreter of random programs. It knows nothing of package proc and of the engine: it has a list
// of events, and desks and bells of its own.

import (
	"iter"
	"math"
	"sort"
)

// world is a run of a program.
type world struct {
	p      *program
	now    float64
	end    float64
	events []happening
	lps    []*place
	count  int
}

// happening is an event: what is done, at an LP.
type happening struct {
	at   float64
	n    int
	lp   *place
	what func()
}

// place is an LP.
type place struct {
	n, steps  int
	seed, log uint64
	desks     [2]*desk
	bell      []*pause
	any, last *name
	ready     []*walker
}

type desk struct {
	servers, busy int
	queue         []*turn
}

// turn is a request: it is in the queue, served, or gone.
type turn struct {
	w      *walker
	p      *pause
	served bool
}

// name is what a PID is: a walker at a place.
type name struct {
	w       *walker
	joiners []*pause
	over    bool
}

// pause is a wait. It is over when why is not 0.
type pause struct {
	w    *walker
	why  byte // 't'ime, 'o'ther, 'i'nterrupted, 'k'illed
	open bool // to interruptions
	n    int
}

// walker is a process.
type walker struct {
	world                   *world
	at                      *place
	id                      *name
	next                    func() (struct{}, bool)
	yield                   func(struct{}) bool
	pause                   *pause    // nil: it runs, or is ready
	f                       *function // that runs
	fresh, killed, pendings bool
}

// dead leads a walker that was killed to its exit.
type dead struct{}

func (w *world) schedule(lp *place, delay float64, what func()) {
	w.count++
	w.events = append(w.events, happening{w.now + delay, w.count, lp, what})
}

// interpret runs a program and returns its LPs.
func interpret(p *program, end float64, lps int) []*place {
	w := &world{p: p, end: end}
	for i := range lps {
		lp := &place{n: i, seed: uint64(i)*77 + 5, desks: [2]*desk{{servers: 1}, {servers: 2}}}
		w.lps = append(w.lps, lp)
	}
	for _, lp := range w.lps {
		for i, f := range p.funcs {
			if !f.called {
				w.start(lp, i, i, 3)
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

func (w *world) drain(lp *place) {
	for len(lp.ready) > 0 {
		x := lp.ready[0]
		lp.ready = lp.ready[1:]
		if x.fresh && x.killed {
			x.ends()
			continue
		}
		x.fresh = false
		if _, more := x.next(); !more {
			x.ends()
		}
	}
}

// ends wakes those who wait for the end of a walker.
func (x *walker) ends() {
	x.id.over = true
	for _, p := range x.id.joiners {
		p.wake('o', 0)
	}
}

func (w *world) start(lp *place, f, a, fuel int) *name {
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
		x.call(f, a, fuel)
	})
	lp.ready = append(lp.ready, x)
	return x.id
}

// wake ends a pause, and reports whether it was one.
func (p *pause) wake(why byte, n int) bool {
	if p.why != 0 || p.w.pause != p {
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

// leave leads to the exit if the walker was killed.
func (x *walker) leave() {
	if x.killed {
		panic(dead{})
	}
}

// till ends a pause after a delay.
func (x *walker) till(p *pause, delay float64) {
	x.world.schedule(x.at, delay, func() { p.wake('t', 1) })
}

func (lp *place) draw(n int) int {
	lp.seed = lp.seed*6364136223846793005 + 1442695040888963407
	return int(lp.seed>>33) % n
}

func modOf(a, b int) int {
	b = 1 + b&7
	return (a%b + b) % b
}

func (lp *place) delay(a int) float64 {
	return 0.05 + float64(modOf(a, 2)) + float64(lp.draw(1<<30))/(1<<30)
}

func (x *walker) note(v int) {
	lp := x.at
	lp.log = (lp.log ^ uint64(v) ^ math.Float64bits(x.world.now)) * 0x9e3779b97f4a7c15
	lp.steps++
}

// scope is a block with its variables.
type scope struct {
	vars map[string]*int
	up   *scope
}

func (s *scope) at(name string) *int {
	for ; s != nil; s = s.up {
		if v := s.vars[name]; v != nil {
			return v
		}
	}
	panic("no variable " + name)
}

// eval returns the value of an expression.
func (x *walker) eval(s *scope, e expr) int {
	switch e.op {
	case 'c':
		return e.n
	case 'v':
		return *s.at(e.name)
	case 'd':
		return x.at.draw(e.n)
	case 'l':
		return x.at.n
	}
	l := x.eval(s, *e.l)
	r := x.eval(s, *e.r)
	switch e.op {
	case '+':
		return l + r
	case '*':
		return l * r
	}
	return modOf(l, r)
}

// flow is how statements end.
type flow struct {
	what kind // note: they go on; leave, skip, ret
	name string
	v    int
}

// call runs a function.
func (x *walker) call(f, a, fuel int) int {
	s := &scope{vars: map[string]*int{"a": &a, "fuel": &fuel}}
	caller := x.f
	x.f = x.world.p.funcs[f]
	var deferred []int
	defer func() {
		for i := len(deferred) - 1; i >= 0; i-- {
			x.note(deferred[i])
		}
	}()
	out := x.run(s, x.f.body, &deferred)
	x.f = caller
	if out.what == ret {
		return out.v
	}
	return a
}

// run runs statements in a block of their own.
func (x *walker) run(up *scope, all []node, deferred *[]int) flow {
	s := &scope{vars: map[string]*int{}, up: up}
	for i := range all {
		if out := x.step(s, &all[i], deferred); out.what != note {
			return out
		}
	}
	return flow{}
}

// step runs a statement.
func (x *walker) step(s *scope, n *node, deferred *[]int) flow {
	switch n.kind {
	case note:
		x.note(x.eval(s, n.a))
	case sleep:
		p := x.begin(false)
		x.till(p, x.at.delay(x.eval(s, n.a)))
		x.wait(p)
		x.leave()
	case work:
		left := x.at.delay(x.eval(s, n.a))
		why := byte('i')
		if x.pendings {
			x.pendings = false
		} else {
			p := x.begin(true)
			x.till(p, left)
			x.wait(p)
			why = p.why
		}
		x.leave()
		if why == 'i' {
			x.note(31)
		}
	case request, hold:
		return x.request(s, n, deferred)
	case branch:
		l := x.eval(s, n.a)
		if l > x.eval(s, n.b) {
			return x.run(s, n.body, deferred)
		}
		return x.run(s, n.more, deferred)
	case loop, ranged:
		for i := 0; i < n.n; i++ {
			v := i
			out := x.run(&scope{vars: map[string]*int{n.name: &v}, up: s}, n.body, deferred)
			switch {
			case out.what == leave && out.name == n.name:
				return flow{}
			case out.what == skip && out.name == n.name, out.what == note:
			default:
				return out
			}
		}
	case choose:
		return x.run(s, n.cases[min(modOf(x.eval(s, n.a), len(n.cases)-1), len(n.cases)-1)], deferred)
	case block:
		return x.run(s, n.body, deferred)
	case declare:
		v := x.eval(s, n.a)
		s.vars[n.name] = &v
	case zeroed:
		s.vars[n.name] = new(int)
	case assign:
		*s.at(n.name) = x.eval(s, n.a)
	case call:
		v := x.call(n.n, x.eval(s, n.a), *s.at("fuel"))
		*s.at(n.name) = v
	case spawn:
		if fuel := *s.at("fuel"); fuel > 0 {
			x.at.any = x.world.start(x.at, n.n, x.eval(s, n.a), fuel-1)
			if !x.world.p.funcs[n.n].moves {
				x.at.last = x.at.any
			}
		}
	case interrupt:
		if id := x.at.any; id != nil && !id.over {
			if p := id.w.pause; p != nil && p.open {
				p.wake('i', -1)
			} else {
				id.w.pendings = true
			}
			x.note(37)
		}
	case kill:
		if id := x.at.any; id != nil && id != x.id && !id.over && !id.w.killed {
			id.w.killed = true
			if id.w.pause != nil {
				id.w.pause.wake('k', 0)
			}
			x.note(41)
		}
	case joined:
		if id := x.at.last; id != x.id {
			if id != nil && !id.over {
				p := x.begin(false)
				id.joiners = append(id.joiners, p)
				x.wait(p)
				x.leave()
			} else {
				x.leave()
			}
			x.note(43)
		}
	case fire:
		all, woken := x.at.bell, 0
		x.at.bell = nil
		for _, p := range all {
			if p.wake('o', 0) {
				woken++
			}
		}
		x.note(woken)
	case await:
		p := x.begin(false)
		x.at.bell = append(x.at.bell, p)
		x.till(p, x.at.delay(x.eval(s, n.a)))
		x.wait(p)
		x.leave()
		if p.why == 'o' {
			x.note(47)
		}
	case several:
		patience := x.at.delay(x.eval(s, n.a))
		if x.pendings {
			x.pendings = false
			x.leave()
			x.note(-1)
			break
		}
		p := x.begin(true)
		x.at.bell = append(x.at.bell, p)
		x.till(p, patience)
		x.wait(p)
		x.leave()
		x.note(p.n)
	case move:
		to := x.world.lps[x.at.draw(3)]
		delay := x.at.delay(x.eval(s, n.a))
		x.id.over = true
		x.world.schedule(to, delay, func() {
			x.at, x.id, x.pendings, x.killed = to, &name{w: x}, false, false
			to.ready = append(to.ready, x)
		})
		x.yield(struct{}{})
	case later:
		*deferred = append(*deferred, x.eval(s, n.a))
	case leave, skip:
		return flow{what: n.kind, name: n.name}
	case ret:
		v := 0
		if x.f.called {
			v = x.eval(s, n.a)
		}
		return flow{what: ret, v: v}
	}
	return flow{}
}

// request asks for a desk, and runs what is done there.
func (x *walker) request(s *scope, n *node, deferred *[]int) flow {
	d := x.at.desks[x.at.draw(2)]
	patience := math.Inf(1)
	if n.kind == request {
		patience = x.at.delay(x.eval(s, n.a))
	}
	t := &turn{w: x, served: d.busy < d.servers}
	if t.served {
		d.busy++
	} else {
		t.p = x.begin(false)
		d.queue = append(d.queue, t)
		if n.kind == request {
			x.till(t.p, patience)
		}
		x.wait(t.p)
		if t.p.why != 'o' {
			if t.served {
				x.world.release(d) // it was given to one who was about to leave
			} else {
				d.remove(t)
			}
			t.served = false
		} else if x.killed {
			x.world.release(d)
		}
	}
	x.leave()
	if !t.served {
		return x.run(s, n.more, deferred)
	}
	out := x.run(s, n.body, deferred)
	x.world.release(d)
	return out
}

func (d *desk) remove(t *turn) {
	for i, other := range d.queue {
		if other == t {
			d.queue = append(d.queue[:i:i], d.queue[i+1:]...)
			return
		}
	}
}

// release gives the server of a desk to the first who waits.
func (w *world) release(d *desk) {
	d.busy--
	if len(d.queue) > 0 {
		t := d.queue[0]
		d.queue = d.queue[1:]
		d.busy++
		t.served = true
		t.p.wake('o', 0)
	}
}
