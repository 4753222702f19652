package gen

// This file owns the interpreter of random programs: what statements and expressions do.

import "math"

// cell is a variable.
type cell struct{ v [3]int }

func numberOf(n int) *cell { return &cell{[3]int{n}} }

// scope is a block with its variables.
type scope struct {
	vars map[string]*cell
	up   *scope
}

func (s *scope) at(name string) *cell {
	for ; s != nil; s = s.up {
		if v := s.vars[name]; v != nil {
			return v
		}
	}
	panic("no variable " + name)
}

// copy returns a scope that has the variables which a closure has: not those that are declared after it.
func (s *scope) copy() *scope {
	has := map[string]*cell{}
	for ; s != nil; s = s.up {
		for name, c := range s.vars {
			if has[name] == nil {
				has[name] = c
			}
		}
	}
	return &scope{vars: has}
}

// part returns the number that a variable, an element or a field is.
func (x *walker) part(s *scope, e expr) *int {
	v := s.at(e.name)
	switch {
	case e.shape == array:
		return &v.v[thirdOf(x.eval(s, *e.l))]
	case e.field == "B":
		return &v.v[1]
	}
	return &v.v[0]
}

// fit returns what is left of a value in a variable.
func (e expr) fit(v int) int {
	if e.shape == brief || e.field == "A" {
		return int(int8(v))
	}
	return v
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// eval returns the value of an expression.
func (x *walker) eval(s *scope, e expr) int {
	switch e.op {
	case 'c':
		return e.n
	case 'v':
		return *x.part(s, e)
	case 'd':
		return x.at.draw(e.n)
	case 'l':
		return x.at.n
	case 's':
		v := x.eval(s, *e.l)
		x.note(v)
		return v
	case '&':
		return oneIf(x.eval(s, *e.l) != 0 && x.eval(s, *e.r) != 0)
	case '|':
		return oneIf(x.eval(s, *e.l) != 0 || x.eval(s, *e.r) != 0)
	case '!':
		return 1 - x.eval(s, *e.l)
	case 'A':
		return x.any(x.at.delay(x.eval(s, *e.l)), func(p *pause) { x.at.bell.enter(p, 1) }, 0)
	case 'W':
		return oneIf(x.work(x.at.delay(x.eval(s, *e.l))))
	case 'C':
		return x.call(e.n, map[string]*cell{"a": numberOf(x.eval(s, *e.l)), "fuel": numberOf(s.at("fuel").v[0])})[0]
	case 'G':
		return x.get().n
	}
	l := x.eval(s, *e.l)
	r := x.eval(s, *e.r)
	switch e.op {
	case '+':
		return l + r
	case '*':
		return l * r
	case '>':
		return oneIf(l > r)
	}
	return modOf(l, r)
}

// flow is how statements end.
type flow struct {
	what kind // note: they go on; leave, skip, out, ret
	name string
	v    [2]int
}

// activation is a function that runs.
type activation struct {
	f        *function
	deferred []func()
}

// call runs a function and returns its results.
func (x *walker) call(f int, vars map[string]*cell) [2]int {
	a := &activation{f: x.world.p.funcs[f]}
	r, second := &cell{}, &cell{}
	if a.f.results == 2 {
		vars["r"], vars["s"] = r, second
	}
	s := &scope{vars: vars}
	func() {
		defer func() { // also if it was killed
			for i := len(a.deferred) - 1; i >= 0; i-- {
				a.deferred[i]()
			}
		}()
		if a.f.rides {
			x.travel(1, func(at *lpOf) float64 { return at.delay(vars["a"].v[0]) })
		}
		out := x.run(s, a.f.body, a)
		switch {
		case out.what == ret:
			r.v[0], second.v[0] = out.v[0], out.v[1]
		case a.f.results == 1:
			r.v[0] = vars["a"].v[0]
		default:
			second.v[0] = vars["a"].v[0]
		}
	}()
	return [2]int{r.v[0], second.v[0]}
}

// run runs statements in a block of their own.
func (x *walker) run(up *scope, all []node, a *activation) flow {
	s := &scope{vars: map[string]*cell{}, up: up}
	for i := range all {
		if out := x.step(s, &all[i], a); out.what != note {
			return out
		}
	}
	return flow{}
}

// through waits until a pause is over.
func (x *walker) through(p *pause) {
	x.wait(p)
	x.exits()
}

// sleep waits for a time.
func (x *walker) sleep(delay float64) {
	p := x.begin(false)
	x.till(p, delay, 0)
	x.through(p)
}

// work reports whether it was interrupted.
func (x *walker) work(delay float64) bool {
	if x.pendings {
		x.pendings = false
		return true
	}
	p := x.begin(true)
	x.till(p, delay, 0)
	x.through(p)
	return p.why == 'i'
}

// any waits for a time, the n-th case, and what enter enters the pause into.
func (x *walker) any(delay float64, enter func(p *pause), n int) int {
	if x.pendings {
		x.pendings = false
		return -1
	}
	p := x.begin(true)
	enter(p)
	x.till(p, delay, n)
	x.through(p)
	return p.n
}

func (x *walker) get() item {
	it, p := x.at.shelf.get(x)
	if p == nil {
		return it
	}
	x.wait(p)
	x.at.shelf.leaves(p)
	x.exits()
	return p.item
}

// takes gets an amount, within a time if that is finite, and reports whether it has got it.
func (x *walker) takes(t *tank, amount, patience float64) bool {
	p := t.get(x, amount)
	if p == nil {
		return true
	}
	if !math.IsInf(patience, 1) {
		x.till(p, patience, 0)
	}
	x.wait(p)
	if p.why != 'o' {
		t.leaves(p)
	} else if x.killed && t.amount+amount <= t.capacity {
		t.giveBack(amount) // it was killed before it has got it
	}
	x.exits()
	return p.why == 'o'
}

// join waits for the end of another one.
func (x *walker) join(id *name) {
	if id != nil && !id.over {
		p := x.begin(false)
		id.ends.enter(p, 0)
		x.through(p)
	}
}

// asks asks for a desk, within a time if that is finite. It returns nil if it has not got it.
func (x *walker) asks(d *desk, priority int, patience float64) *turn {
	t, served := d.ask(x, priority)
	if t == nil || served {
		return t
	}
	if !math.IsInf(patience, 1) {
		x.till(t.p, patience, 0)
	}
	if x.pause = t.p; d.least > 0 {
		d.gather()
	}
	x.wait(t.p)
	if t.p.why != 'o' || x.killed {
		d.release(t) // perhaps it was given to one who was about to leave
		t = nil
	}
	x.exits()
	return t
}

// served is served at a bench.
func (x *walker) served(d *desk, t *turn, delay float64) {
	t.serving, t.left = x.begin(false), delay
	if d.serves(t) {
		d.serve(x, t)
	}
	x.through(t.serving)
}

// signal returns the bell that a statement names.
func (x *walker) signal(n int) *bell {
	if n == 3 {
		return x.at.door
	}
	return x.at.bell
}

// launch starts what a statement starts, with parameters in their order.
func (x *walker) launch(s *scope, n *node) *name {
	a, c, d := 0, 0, 0
	switch x.world.p.funcs[n.n].arity {
	case 1, 2:
		a = x.eval(s, n.a)
	case 3:
		a, c = x.eval(s, n.a), x.eval(s, n.b)
	case 4:
		a, c, d = x.eval(s, n.a), x.eval(s, n.b), x.eval(s, n.c)
	}
	return x.world.start(x.at, n.n, a, s.at("fuel").v[0]-1, c, d)
}
