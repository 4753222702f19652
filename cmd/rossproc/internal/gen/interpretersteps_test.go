package gen

// This file owns the statements of the interpreter of random programs.

import "math"

// step runs a statement.
func (x *walker) step(s *scope, n *node, a *activation) flow {
	v := func() int { return x.eval(s, n.a) }
	delay := func(e expr) float64 { return x.at.delay(x.eval(s, e)) }
	inf := math.Inf(1)
	switch n.kind {
	case note:
		x.note(v())
	case sleep:
		x.sleep(delay(n.a))
	case work:
		if x.work(delay(n.a)) {
			x.note(31 + x.cause)
		}
	case nap:
		d, p := delay(n.a), x.begin(false)
		x.at.napping = p
		x.till(p, d, -1)
		x.through(p)
		x.note(p.n)
	case nudge:
		if x.at.napping.wake('o', 5) {
			x.note(59)
		}
	case request:
		d := x.at.desk()
		t := x.asks(d, 0, delay(n.a))
		if t == nil {
			return x.run(s, n.more, a)
		}
		out := x.run(s, n.body, a)
		d.release(t)
		return out
	case hold:
		if n.n == 1 {
			d := x.at.desk()
			return x.holds(s, n, a, d, x.asks(d, 0, inf))
		}
		d := x.at.desks[x.at.draw(5)]
		return x.holds(s, n, a, d, x.asks(d, modOf(v(), 2), inf))
	case try:
		if d := x.at.desk(); d.isFree() {
			t, _ := d.ask(x, 0)
			return x.holds(s, n, a, d, t)
		}
	case guard:
		d := x.at.desks[1]
		t := x.asks(d, 0, inf)
		a.deferred = append(a.deferred, func() { d.release(t) })
	case serve:
		d := x.at.bench
		t := x.asks(d, modOf(v(), 3), inf)
		if n.n == 3 {
			a.deferred = append(a.deferred, func() { d.release(t) })
		}
		x.served(d, t, delay(n.b))
		x.note(53)
		if n.n != 3 {
			d.release(t)
		}
	case branch:
		if v() != 0 {
			return x.run(s, n.body, a)
		}
		return x.run(s, n.more, a)
	case loop, ranged:
		return x.loop(s, n, a)
	case choose, decide:
		return x.choice(s, n, a)
	case blocked:
		return x.run(s, n.body, a)
	case declare:
		c := &cell{}
		switch n.to.shape {
		case array:
			c.v = [3]int{v(), x.eval(s, n.b), 4}
		case structure:
			c.v[0], c.v[1] = int(int8(v())), x.eval(s, n.b)
		default:
			c.v[0] = n.to.fit(v())
		}
		s.vars[n.name] = c
	case zeroed:
		s.vars[n.name] = &cell{}
	case assign:
		at := x.part(s, n.to)
		*at = n.to.fit(v())
	case assignTwo:
		one, two := x.part(s, n.to), x.part(s, n.too)
		r1 := n.to.fit(v())
		r2 := n.too.fit(x.eval(s, n.b))
		*one, *two = r1, r2
	case add:
		at := x.part(s, n.to)
		*at = n.to.fit(*at + n.to.fit(v()))
	case closure:
		at := x.part(s, n.to)
		*at = n.to.fit(v())
		x.note(x.eval(s, n.b))
	case pointer:
		at := x.part(s, n.to)
		*at += v()
		x.note(*at)
	case call, callTwo, callTour:
		f := n.n
		switch n.kind {
		case callTwo:
			f = double
		case callTour:
			f = tour
		}
		got := x.call(f, map[string]*cell{"a": numberOf(v()), "fuel": numberOf(s.at("fuel").v[0])})
		*x.part(s, n.to) = got[0]
		if n.kind == callTwo {
			*x.part(s, n.too) = got[1]
		}
	case spawn:
		if s.at("fuel").v[0] > 0 {
			x.spawn(s, n)
		}
	case spawnWait:
		if s.at("fuel").v[0] > 0 {
			return x.spawnWait(s, n, a)
		}
	case spawnAway:
		x.spawnAway(s, n)
	case either:
		x.either(s, n)
	case interrupt:
		id := x.at.pids[x.at.draw(4)]
		if id.interrupt(v() & 7) {
			x.note(37)
		}
	case kill:
		if id := x.at.pids[x.at.draw(4)]; id != x.id && id.kill() {
			x.note(41)
		}
	case joined:
		if id := x.at.last; id != x.id {
			x.join(id)
			x.note(43)
		}
	case alive:
		id := x.at.pids[x.at.draw(4)]
		x.note(oneIf(id != nil && !id.over))
	case later:
		at, value := x.at, v()
		a.deferred = append(a.deferred, func() { x.noteAt(at, value) })
	case laterClosure:
		has := s.copy()
		a.deferred = append(a.deferred, func() {
			x.note(*x.part(has, n.to))
			at := x.part(has, n.to)
			*at = n.to.fit(x.eval(has, n.a))
		})
	case laterFire:
		b := x.signal(n.n)
		a.deferred = append(a.deferred, func() { b.ring() })
	case leave, skip:
		return flow{what: n.kind, name: n.name}
	case out:
		return flow{what: out}
	case ret:
		f := flow{what: ret}
		if a.f.results > 0 {
			f.v[0] = v()
		}
		if a.f.results > 1 {
			f.v[1] = x.eval(s, n.b)
		}
		return f
	case move:
		x.travel(x.at.kind, func(at *lpOf) float64 { return at.delay(x.eval(s, n.a)) })
	case excursion:
		return x.excursion(s, n, a)
	default:
		return x.exchange(s, n, a)
	}
	return flow{}
}

// noteAt notes at an LP.
func (x *walker) noteAt(lp *lpOf, v int) {
	at := x.at
	x.at = lp
	x.note(v)
	x.at = at
}

func (x *walker) holds(s *scope, n *node, a *activation, d *desk, t *turn) flow {
	out := x.run(s, n.body, a)
	d.release(t)
	return out
}

// spawn starts one that others may name, and that others may wait for if it does not travel.
func (x *walker) spawn(s *scope, n *node) {
	if x.world.p.funcs[n.n].moves {
		i := x.at.draw(4)
		x.at.pids[i] = x.launch(s, n)
		return
	}
	x.at.last = x.launch(s, n)
	x.at.pids[x.at.draw(4)] = x.at.last
}

// spawnAway starts one at another LP.
func (x *walker) spawnAway(s *scope, n *node) {
	fuel, f := s.at("fuel").v[0], x.world.p.funcs[n.n]
	if fuel <= 0 {
		return
	}
	first, count, a := 0, lpsA, 0
	if f.host == 1 {
		first, count = lpsA, lpsB
	}
	to := x.world.lps[first+x.at.draw(count)]
	d := x.at.delay(x.eval(s, n.c))
	if f.arity > 0 {
		a = x.eval(s, n.a)
	}
	x.world.schedule(to, d, func() { x.world.start(to, n.n, a, fuel-1, 0, 0) })
}

// either takes one of several desks, whichever is free first within a time.
func (x *walker) either(s *scope, n *node) {
	lp, got, i := x.at, (*turn)(nil), -1
	var desks []*desk
	for _, k := range open {
		desks = append(desks, lp.desks[k])
	}
	patience := lp.delay(x.eval(s, n.a))
	if x.pendings {
		x.pendings = false
	} else {
		for k, d := range desks {
			if got == nil && d.isFree() && len(d.queue) == 0 {
				got, _ = d.ask(x, 0)
				i = k
			}
		}
		if got == nil {
			got, i = x.queues(desks, patience)
		}
	}
	x.note(i)
	x.sleep(lp.delay(x.eval(s, n.b)))
	if got != nil {
		desks[i].release(got)
	}
}

// queues waits at several desks, and returns the turn that came first, and its index.
func (x *walker) queues(desks []*desk, patience float64) (got *turn, i int) {
	p, turns := x.begin(true), make([]*turn, len(desks))
	for k, d := range desks {
		turns[k], _ = d.ask(x, 0)
		turns[k].p, turns[k].n = p, k
	}
	x.till(p, patience, len(desks))
	x.pause = p
	for _, d := range desks {
		if d.least > 0 && p.why == 0 {
			d.gather()
		}
	}
	x.wait(p)
	for k := len(desks) - 1; k >= 0; k-- {
		if p.why == 'o' && p.n == k && !x.killed {
			got = turns[k]
		} else {
			desks[k].release(turns[k])
		}
	}
	x.exits()
	return got, p.n
}

func (x *walker) spawnWait(s *scope, n *node, a *activation) flow {
	id := x.launch(s, n)
	if out := x.run(s, n.body, a); out.what != note {
		return out
	}
	d := x.at.delay(x.eval(s, n.c))
	if !id.over || x.pendings {
		if x.any(d, func(p *pause) { id.ends.enter(p, 0) }, 1) == 1 {
			id.kill()
		}
	}
	x.join(id)
	return flow{}
}

// loop runs a loop.
func (x *walker) loop(s *scope, n *node, a *activation) flow {
	count, form := (n.n-1)%3+1, (n.n-1)/3
	var over [3]int
	if n.kind == ranged {
		switch form {
		case 1:
			count = modOf(x.eval(s, n.b), 2)
		case 2:
			count, over = 3, s.at(n.to.name).v
		}
	}
	for i := 0; ; i++ {
		if i >= count || n.kind == loop && form == 1 && x.eval(s, n.a) == 0 {
			return flow{}
		}
		vars := map[string]*cell{n.name: numberOf(i)}
		if n.kind == ranged && form == 2 {
			vars["v"+n.name] = numberOf(over[i])
		}
		turn := &scope{vars: vars, up: s}
		end := x.run(turn, n.body, a)
		switch {
		case end.what == leave && end.name == n.name:
			return flow{}
		case end.what == skip && end.name == n.name, end.what == note:
		default:
			return end
		}
		if n.kind == loop && form == 2 {
			x.eval(turn, n.b)
		}
	}
}

// choice runs a switch.
func (x *walker) choice(s *scope, n *node, a *activation) flow {
	last := len(n.cases) - 1
	at := last
	if n.kind == choose {
		at = min(modOf(x.eval(s, n.a), last), last)
	} else {
		for i := range last {
			if x.eval(s, n.conds[i]) != 0 {
				at = i
				break
			}
		}
	}
	for {
		end := x.run(s, n.cases[at], a)
		switch {
		case end.what == out:
			return flow{}
		case end.what == note && n.n == 2 && at < last:
			at++
		default:
			return end
		}
	}
}

// excursion goes to an LP of the other type, and back to one of this type.
func (x *walker) excursion(s *scope, n *node, a *activation) flow {
	home := x.at.kind
	if n.n == ride {
		got := x.call(ride, map[string]*cell{"a": numberOf(x.eval(s, n.a)), "fuel": numberOf(s.at("fuel").v[0])})
		*x.part(s, n.to) = got[0]
	} else {
		x.travel(1-home, func(at *lpOf) float64 { return at.delay(x.eval(s, n.a)) })
	}
	if out := x.run(s, n.body, a); out.what != note {
		return out
	}
	x.travel(home, func(at *lpOf) float64 { return at.delay(x.eval(s, n.b)) })
	return flow{}
}

// exchange runs what has to do with signals, stores, levels and messages.
func (x *walker) exchange(s *scope, n *node, a *activation) flow {
	v := func() int { return x.eval(s, n.a) }
	delay := func(e expr) float64 { return x.at.delay(x.eval(s, e)) }
	amount := func(e expr) float64 { return float64(1 + modOf(x.eval(s, e), 3)) }
	lp, inf := x.at, math.Inf(1)
	switch n.kind {
	case fire:
		x.note(x.signal(n.n).ring())
	case await, listen:
		b, p := x.signal(n.n), x.begin(false)
		if n.kind == await {
			d := delay(n.a)
			b.enter(p, 0)
			x.till(p, d, 0)
		} else {
			b.enter(p, 0)
		}
		x.through(p)
		if n.kind == listen {
			x.note(67)
		} else if p.why == 'o' {
			x.note(47)
		}
	case several:
		x.note(x.several(s, n))
	case put:
		it := item{v(), 7}
		p := lp.shelf.put(x, it)
		if p != nil {
			x.wait(p)
			lp.shelf.leaves(p)
		}
		x.exits()
		x.note(1)
	case get:
		it := x.get()
		x.note(it.n + it.small)
	case getWithin:
		d := delay(n.a)
		it, p := lp.shelf.get(x)
		if p != nil {
			x.till(p, d, 0)
			x.wait(p)
			lp.shelf.leaves(p)
			x.exits()
			if p.why != 'o' {
				return x.run(s, n.more, a)
			}
			it = p.item
		}
		x.note(it.n)
		return x.run(s, n.body, a)
	case fill:
		if p := lp.tank.put(x, amount(n.a)); p != nil {
			x.wait(p)
			if p.why != 'o' {
				lp.tank.leaves(p)
			}
			x.exits()
		}
		x.note(int(lp.tank.amount))
	case drain:
		x.takes(lp.tank, amount(n.a), inf)
		x.note(int(lp.tank.amount))
	case drainWithin:
		k := amount(n.a)
		if x.takes(lp.tank, k, delay(n.b)) {
			x.note(71)
		}
	case giveBack:
		if k := amount(n.c); lp.tank.amount+k <= 10 {
			lp.tank.giveBack(k)
		}
	case borrow:
		k := amount(n.a)
		x.takes(lp.tools, k, inf)
		out := x.run(s, n.body, a)
		lp.tools.giveBack(k)
		return out
	case lend:
		k := amount(n.a)
		x.takes(lp.tools, k, inf)
		a.deferred = append(a.deferred, func() { lp.tools.giveBack(k) })
	case mail:
		to := x.world.lps[lp.draw(lpsA+lpsB)]
		d := delay(n.c)
		l := item{x.eval(s, n.c), lp.n}
		x.world.schedule(to, d, func() { to.box.deliver(l) })
	case ring:
		x.sendOrder(s, n)
	case receive, receiveWithin:
		patience := inf
		if n.kind == receiveWithin {
			patience = delay(n.a)
		}
		l, ok := x.receives(patience)
		switch {
		case n.kind == receive:
			x.note(l.n + l.small)
		case ok:
			x.note(l.n)
		}
	}
	return flow{}
}

// several waits for whatever comes first.
func (x *walker) several(s *scope, n *node) int {
	lp := x.at
	patience, which := lp.delay(x.eval(s, n.a)), 1
	if n.n == 3 {
		if d := lp.delay(x.eval(s, n.b)); d < patience {
			patience, which = d, 2
		}
	}
	if n.n == 2 && (lp.last == nil || lp.last.over) && !x.pendings {
		return 2
	}
	last := lp.last
	return x.any(patience, func(p *pause) {
		lp.bell.enter(p, 0)
		switch n.n {
		case 2:
			last.ends.enter(p, 2)
		case 3:
			lp.door.enter(p, 3)
		}
	}, which)
}

// receives gets the next letter.
func (x *walker) receives(patience float64) (item, bool) {
	b := &x.at.box
	if len(b.letters) > 0 {
		l := b.letters[0]
		b.letters = b.letters[1:]
		return l, true
	}
	p := x.begin(false)
	b.waiting = append(b.waiting, p)
	if !math.IsInf(patience, 1) {
		x.till(p, patience, 0)
	}
	x.through(p)
	return p.item, p.why == 'o'
}

// sendOrder has an LP ring its bell, interrupt one and start another one.
func (x *walker) sendOrder(s *scope, n *node) {
	to := x.world.lps[x.at.draw(lpsA+lpsB)]
	d := x.at.delay(x.eval(s, n.c))
	v, fuel := x.eval(s, n.c), s.at("fuel").v[0]-1
	x.world.schedule(to, d, func() {
		noter := &walker{world: x.world, at: to}
		noter.note(to.bell.ring())
		if to.pids[v&3].interrupt(9) {
			noter.note(61)
		}
		if fuel > 0 {
			to.pids[0] = x.world.start(to, resident+to.kind*keeper, v, fuel-1, v, v)
		}
	})
}
