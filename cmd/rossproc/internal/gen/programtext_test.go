package gen

// This file owns the text of random programs.

import (
	"fmt"
	"strings"
)

// writer writes a function.
type writer struct {
	strings.Builder
	p     *program
	f     *function
	id    int
	at    string // the variable that is the state of the LP
	place int
}

// typeOf returns the name of a type of LP.
func (p *program) typeOf(place int) string { return p.name + string(rune('A'+place)) }

var shapeTexts = [...]string{"int", "[3]int", "pair", "int8"}

// text returns the source of a program; base has what all of them share.
func (p *program) text() string {
	w := &writer{p: p}
	for place := range 2 {
		t := p.typeOf(place)
		w.put("\ntype %s struct {\nproc.Processes\nBase\n}\n", t)
		w.put("func (w *%s) init(lp *ross.LP) {\nw.open(lp)\nproc.Do(lp, w, func(p *proc.Self) {", t)
		for i, f := range p.funcs {
			if f.results == 0 && f.host == place {
				w.put("%s", w.start(place, i, fmt.Sprint(i), "3", "2", "1"))
			}
		}
		w.put("})\n}\n")
		w.put("func (w *%s) ring(lp *ross.LP, m *Order) {\nproc.Do(lp, w, func(p *proc.Self) {", t)
		w.put("w.Note(p, w.Bell.Fire(p))\nif p.Interrupt(w.Pids[m.N&3], 9) {\nw.Note(p, 61)\n}")
		w.put("if m.Fuel > 0 {\nw.Pids[0] = %s\n}\n})\n}\n", w.start(place, resident+place*keeper, "m.N", "m.Fuel-1", "m.N", "m.N"))
	}
	for i, f := range p.funcs {
		w.function(i, f)
	}
	return w.String()
}

// entry returns what the harness does with a program.
func (p *program) entry(all bool) string {
	var types []string
	for place, n := range []int{lpsA, lpsB} {
		t := p.typeOf(place)
		types = append(types, fmt.Sprintf("proc.Type(ross.Type[%s]{LPs: %d, Init: (*%s).init, Event: ross.Events("+
			"proc.Mail(func(w *%s) *proc.Mailbox[Letter] { return &w.Box }), ross.On((*%s).ring))})", t, n, t, t, t))
	}
	return fmt.Sprintf("\tcheck(%q, %v, func() []ross.LPType { return []ross.LPType{%s} }, func(lp *ross.LP) (*Base, int) {\n"+
		"\t\tif lp.ID() < %d {\n\t\t\ts := ross.StateOf[%s](lp)\n\t\t\treturn &s.Base, s.Living()\n\t\t}\n"+
		"\t\ts := ross.StateOf[%s](lp)\n\t\treturn &s.Base, s.Living()\n\t})\n",
		p.name, all, strings.Join(types, ", "), lpsA, p.typeOf(0), p.typeOf(1))
}

func (w *writer) put(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// start returns a Go.
func (w *writer) start(place, f int, a, fuel, c, d string) string {
	name := fmt.Sprintf("(*%s).f%d", w.p.typeOf(place), f)
	switch w.p.funcs[f].arity {
	case 0:
		return fmt.Sprintf("proc.Go(p, %s)", name)
	case 1:
		return fmt.Sprintf("proc.Go1(p, %s, both{int8(%s), %s})", name, fuel, a)
	case 2:
		return fmt.Sprintf("proc.Go2(p, %s, %s, %s)", name, a, fuel)
	case 3:
		return fmt.Sprintf("proc.Go3(p, %s, %s, %s, small(%s))", name, a, fuel, c)
	}
	return fmt.Sprintf("proc.Go4(p, %s, %s, %s, small(%s), [3]int{7, %s, 2})", name, a, fuel, c, d)
}

// startAway writes a GoAt.
func (w *writer) startAway(x *node) {
	f := w.p.funcs[x.n]
	count, first := "lpsA", ""
	if f.host == 1 {
		count, first = "lpsB", "lpsA+"
	}
	number, args := "", ""
	switch f.arity {
	case 1:
		number, args = "1", fmt.Sprintf(", both{int8(fuel-1), %s}", w.expr(x.a))
	case 2:
		number, args = "2", fmt.Sprintf(", %s, fuel-1", w.expr(x.a))
	}
	w.put("if fuel > 0 {\nproc.GoAt%s(p, ross.LPID(%s%s.Draw(%s)), %s, (*%s).f%d%s)\n}", number, first, w.at, count,
		w.delay(x.c), w.p.typeOf(f.host), x.n, args)
}

func (w *writer) function(i int, f *function) {
	w.f, w.id, w.at, w.place = f, i, "w", f.host
	params := []string{"", ", given both", ", a, fuel int", ", a, fuel int, c int8", ", a, fuel int, c int8, d [3]int"}[f.arity]
	results := []string{"", " int", " (r, s int)"}[f.results]
	w.put("\nfunc (w *%s) f%d(p *proc.Self%s)%s {", w.p.typeOf(f.host), i, params, results)
	switch f.arity {
	case 0:
		w.put("a, fuel := 2, 0\n_, _ = a, fuel")
	case 1:
		w.put("a, fuel := given.A, int(given.Fuel)\n_, _ = a, fuel")
	}
	if f.rides {
		w.put("v := proc.At[%s](p, ross.LPID(lpsA+w.Draw(lpsB)), w.Delay(a))\n_ = v", w.p.typeOf(1))
		w.at, w.place = "v", 1
	}
	w.list(f.body)
	switch f.results {
	case 1:
		w.put("return a")
	case 2:
		w.put("s = a\nreturn")
	}
	w.put("}")
}

// travel writes a travel to an LP of a type.
func (w *writer) travel(to string, place int, delay expr) {
	count, first := "lpsA", ""
	if place == 1 {
		count, first = "lpsB", "lpsA+"
	}
	w.put("%s proc.At[%s](p, ross.LPID(%s%s.Draw(%s)), %s)", to, w.p.typeOf(place), first, w.at, count, w.delay(delay))
}

func (w *writer) delay(e expr) string { return fmt.Sprintf("%s.Delay(%s)", w.at, w.expr(e)) }

// expr returns the text of an expression.
func (w *writer) expr(e expr) string {
	arg := func() string { return w.expr(*e.l) }
	switch e.op {
	case 'c':
		return fmt.Sprint(e.n)
	case 'v':
		if e.shape == brief || e.field == "A" {
			return "int(" + w.part(e) + ")"
		}
		return w.part(e)
	case 'd':
		return fmt.Sprintf("%s.Draw(%d)", w.at, e.n)
	case 'l':
		return w.at + ".N"
	case '%':
		return fmt.Sprintf("mod(%s, %s)", arg(), w.expr(*e.r))
	case 's':
		return fmt.Sprintf("%s.Say(p, %s)", w.at, arg())
	case '&', '|':
		return fmt.Sprintf("(%s %c%c %s)", arg(), e.op, e.op, w.expr(*e.r))
	case '!':
		return "!" + arg()
	case 'A':
		return fmt.Sprintf("p.Any(proc.Timeout(%s), %s.Bell.Fired())", w.delay(*e.l), w.at)
	case 'W':
		return fmt.Sprintf("one(p.Work(%s) > 0)", w.delay(*e.l))
	case 'C':
		return fmt.Sprintf("%s.f%d(p, %s, fuel)", w.at, e.n, arg())
	case 'G':
		return w.at + ".Shelf.Get(p).N"
	}
	return fmt.Sprintf("(%s %c %s)", arg(), e.op, w.expr(*e.r))
}

// part returns the text of a variable, or of a part of one.
func (w *writer) part(e expr) string {
	switch e.shape {
	case array:
		return fmt.Sprintf("%s[third(%s)]", e.name, w.expr(*e.l))
	case structure:
		return e.name + "." + e.field
	}
	return e.name
}

// value returns the text of an expression that is assigned to a variable.
func (w *writer) value(to, e expr) string {
	if to.shape == brief || to.field == "A" {
		return "small(" + w.expr(e) + ")"
	}
	return w.expr(e)
}

// labelled reports whether statements name a loop.
func labelled(all []node, name string) bool {
	for _, x := range all {
		if (x.kind == leave || x.kind == skip) && x.name == name && x.n == 2 || labelled(x.body, name) ||
			labelled(x.more, name) {
			return true
		}
		for _, c := range x.cases {
			if labelled(c, name) {
				return true
			}
		}
	}
	return false
}

func (w *writer) list(all []node) {
	for i := range all {
		w.node(&all[i])
	}
}

func (w *writer) node(x *node) {
	s, t := w.at, w.p.typeOf(w.place)
	block := func(format string, args ...any) {
		w.put(format, args...)
		w.list(x.body)
	}
	a := func() string { return w.expr(x.a) }
	b := func() string { return w.expr(x.b) }
	to := func(e expr) string { return w.part(e) }
	switch x.kind {
	case note:
		w.put("%s.Note(p, %s)", s, a())
	case sleep:
		w.put("p.Sleep(%s)", w.delay(x.a))
	case work:
		w.put("if left := p.Work(%s); left > 0 {\ncause, _ := p.Cause()\n%s.Note(p, 31+int(cause))\n}", w.delay(x.a), s)
	case nap:
		w.put("%s.Note(p, %s.Nap(p, %s))", s, s, w.delay(x.a))
	case nudge:
		w.put("if p.Resume(%s.Napping, 5) {\n%s.Note(p, 59)\n}", s, s)
	case request:
		block("{\ndesk := %s.Desk()\nif t, ok := %s.Desks[desk].RequestWithin(p, %s); ok {", s, s, w.delay(x.a))
		w.put("%s.Desks[desk].Release(p, t)\n} else {", s)
		w.list(x.more)
		w.put("}\n}")
	case hold:
		if x.n == 1 {
			block("{\ndesk := 0\nt := %s.Desks[set(&desk, %s.Desk())].Request(p)", s, s)
		} else {
			block("{\ndesk := %s.Draw(5)\nt := %s.Desks[desk].RequestPriority(p, float64(mod(%s, 2)))", s, s, a())
		}
		w.put("if t != 0 {\n%s.Desks[desk].Release(p, t)\n}\n}", s)
	case try:
		block("{\ndesk := %s.Desk()\nif t, ok := %s.Desks[desk].TryRequest(p); ok {", s, s)
		w.put("%s.Desks[desk].Release(p, t)\n}\n}", s)
	case guard:
		w.put("%s := %s.Desks[1].Request(p)\ndefer %s.Desks[1].Release(p, %s)", x.name, s, s, x.name)
	case serve:
		w.put("%s := %s.Bench.RequestPriority(p, float64(mod(%s, 3)))", x.name, s, a())
		if x.n == 3 {
			w.put("defer %s.Bench.Release(p, %s)", s, x.name)
		}
		w.put("%s.Bench.Serve(p, %s, %s)\n%s.Note(p, 53)", s, x.name, w.delay(x.b), s)
		if x.n != 3 {
			w.put("%s.Bench.Release(p, %s)", s, x.name)
		}
	case branch:
		block("if %s {", a())
		if x.more != nil {
			w.put("} else {")
			w.list(x.more)
		}
		w.put("}")
	case loop, ranged:
		w.loop(x)
	case choose, decide:
		w.choice(x)
	case blocked:
		block("{")
		w.put("}")
	case declare:
		w.declare(x)
	case zeroed:
		w.put("var %s %s\n_ = %s", x.name, shapeTexts[x.to.shape], x.name)
	case assign:
		w.put("%s = %s", to(x.to), w.value(x.to, x.a))
	case assignTwo:
		w.put("%s, %s = %s, %s", to(x.to), to(x.too), w.value(x.to, x.a), w.value(x.too, x.b))
	case add:
		w.put("%s += %s", to(x.to), w.value(x.to, x.a))
	case closure:
		w.put("func() {\n%s = %s\n%s.Note(p, %s)\n}()", to(x.to), w.value(x.to, x.a), s, b())
	case pointer:
		w.put("{\nq := &%s\n*q += %s\n%s.Note(p, *q)\n}", x.to.name, a(), s)
	case call:
		w.put("%s = %s.f%d(p, %s, fuel)", x.to.name, s, x.n, a())
	case callTwo:
		w.put("%s, %s = %s.f%d(p, %s, fuel)", x.to.name, x.too.name, s, double, a())
	case callTour:
		w.put("%s = w.f%d(p, %s, fuel)\nw = proc.StateOf[%s](p)\n_ = w", x.to.name, tour, a(), t)
	case spawn:
		starts := w.start(w.place, x.n, a(), "fuel-1", b(), w.expr(x.c))
		if w.p.funcs[x.n].moves {
			w.put("if fuel > 0 {\n%s.Pids[%s.Draw(4)] = %s\n}", s, s, starts)
		} else { // others may wait for its end
			w.put("if fuel > 0 {\n%s.Last = %s\n%s.Pids[%s.Draw(4)] = %s.Last\n}", s, starts, s, s, s)
		}
	case spawnWait:
		block("if fuel > 0 {\n%s := %s\n{", x.name, w.start(w.place, x.n, a(), "fuel-1", b(), w.expr(x.c)))
		w.put("}\nif p.Any(proc.Ended(%s), proc.Timeout(%s)) == 1 {\np.Kill(%s)\n}\np.Join(%s)\n}", x.name, w.delay(x.c), x.name, x.name)
	case spawnAway:
		w.startAway(x)
	case either:
		w.put("{\ni := p.Any(%s.Desks[0].Turn(0), %s.Desks[1].Turn(0), %s.Desks[4].Turn(0), proc.Timeout(%s))\nt := p.Turn()", s, s, s, w.delay(x.a))
		w.put("%s.Note(p, i)\np.Sleep(%s)\nif t != 0 {\n%s.Desks[open[i]].Release(p, t)\n}\n}", s, w.delay(x.b), s)
	case interrupt:
		w.put("if p.Interrupt(%s.Pids[%s.Draw(4)], uint64(%s&7)) {\n%s.Note(p, 37)\n}", s, s, a(), s)
	case kill:
		w.put("if who := %s.Pids[%s.Draw(4)]; who != p.PID() && p.Kill(who) {\n%s.Note(p, 41)\n}", s, s, s)
	case joined:
		w.put("if %s.Last != p.PID() {\np.Join(%s.Last)\n%s.Note(p, 43)\n}", s, s, s)
	case alive:
		w.put("%s.Note(p, one(p.Alive(%s.Pids[%s.Draw(4)])))", s, s, s)
	case fire:
		w.put("%s.Note(p, %s.%s.Fire(p))", s, s, signal(x.n))
	case await:
		w.put("if %s.%s.WaitWithin(p, %s) {\n%s.Note(p, 47)\n}", s, signal(x.n), w.delay(x.a), s)
	case listen:
		w.put("%s.%s.Wait(p)\n%s.Note(p, 67)", s, signal(x.n), s)
	case several:
		more := []string{"", fmt.Sprintf(", proc.Ended(%s.Last)", s), fmt.Sprintf(", proc.Timeout(%s), %s.Door.Fired()", w.delay(x.b), s)}
		w.put("%s.Note(p, p.Any(%s.Bell.Fired(), proc.Timeout(%s)%s))", s, s, w.delay(x.a), more[x.n-1])
	case put:
		w.put("%s.Note(p, one(%s.Shelf.Put(p, Item{%s, 7})))", s, s, a())
	case get:
		w.put("{\nitem := %s.Shelf.Get(p)\n%s.Note(p, item.N+int(item.Small))\n}", s, s)
	case getWithin:
		block("if item, ok := %s.Shelf.GetWithin(p, %s); ok {\n%s.Note(p, item.N)", s, w.delay(x.a), s)
		w.put("} else {")
		w.list(x.more)
		w.put("}")
	case fill:
		w.put("%s.Tank.Put(p, amount(%s))\n%s.Note(p, int(%s.Tank.Now()))", s, a(), s, s)
	case drain:
		w.put("%s.Tank.Get(p, amount(%s))\n%s.Note(p, int(%s.Tank.Now()))", s, a(), s, s)
	case drainWithin:
		w.put("if %s.Tank.GetWithin(p, amount(%s), %s) {\n%s.Note(p, 71)\n}", s, a(), w.delay(x.b), s)
	case giveBack:
		w.put("if k := amount(%s); %s.Tank.Now()+k <= 10 {\n%s.Tank.Return(p, k)\n}", w.expr(x.c), s, s)
	case borrow:
		block("{\nk := amount(%s)\n%s.Tools.Get(p, k)", a(), s)
		w.put("%s.Tools.Return(p, k)\n}", s)
	case lend:
		w.put("%s := amount(%s)\n%s.Tools.Get(p, %s)\ndefer %s.Tools.Return(p, %s)", x.name, a(), s, x.name, s, x.name)
	case mail:
		w.put("ross.Send(p.LP(), ross.LPID(%s.Draw(lps)), %s, Letter{%s, %s.N})", s, w.delay(x.c), w.expr(x.c), s)
	case receive:
		w.put("{\nletter := %s.Box.Receive(p)\n%s.Note(p, letter.N+letter.From)\n}", s, s)
	case receiveWithin:
		w.put("if letter, ok := %s.Box.ReceiveWithin(p, %s); ok {\n%s.Note(p, letter.N)\n}", s, w.delay(x.a), s)
	case ring:
		w.put("ross.Send(p.LP(), ross.LPID(%s.Draw(lps)), %s, Order{%s, fuel - 1})", s, w.delay(x.c), w.expr(x.c))
	case move:
		w.travel("w =", w.place, x.a)
	case excursion:
		w.excursion(x)
	case later:
		w.put("defer %s.Note(p, %s)", s, a())
	case laterClosure:
		w.put("defer func() {\n%s.Note(p, %s)\n%s = %s\n}()", s, w.expr(x.to), to(x.to), w.value(x.to, x.a))
	case laterFire:
		w.put("defer %s.%s.Fire(p)", s, signal(x.n))
	case leave, skip:
		word := "break"
		if x.kind == skip {
			word = "continue"
		}
		if x.n == 2 {
			word += " L" + x.name
		}
		w.put("%s", word)
	case out:
		w.put("break")
	case ret:
		w.put("return%s", []string{"", " " + a(), fmt.Sprintf(" %s, %s", a(), b())}[w.f.results])
	}
}

// signal returns the name of a signal.
func signal(n int) string {
	if n == 3 {
		return "Door"
	}
	return "Bell"
}

func (w *writer) declare(x *node) {
	switch x.to.shape {
	case array:
		w.put("%s := [3]int{%s, %s, 4}", x.name, w.expr(x.a), w.expr(x.b))
	case structure:
		w.put("%s := pair{A: small(%s), B: %s}", x.name, w.expr(x.a), w.expr(x.b))
	case brief:
		w.put("%s := small(%s)", x.name, w.expr(x.a))
	default:
		w.put("%s := %s", x.name, w.expr(x.a))
	}
	w.put("_ = %s", x.name)
}

func (w *writer) loop(x *node) {
	if labelled(x.body, x.name) {
		w.put("L%s:", x.name)
	}
	n := (x.n-1)%3 + 1
	switch form := (x.n - 1) / 3; {
	case x.kind == ranged && form == 0:
		w.put("for %s := range %d {\n_ = %s", x.name, n, x.name)
	case x.kind == ranged && form == 1:
		w.put("for %s := range mod(%s, 2) {\n_ = %s", x.name, w.expr(x.b), x.name)
	case x.kind == ranged:
		w.put("for %s, v%s := range %s {\n_, _ = %s, v%s", x.name, x.name, x.to.name, x.name, x.name)
	case form == 0:
		w.put("for %s := 0; %s < %d; %s++ {", x.name, x.name, n, x.name)
	case form == 1:
		w.put("for %s := 0; %s < %d && %s; %s++ {", x.name, x.name, n, w.expr(x.a), x.name)
	default:
		w.put("for %s := 0; %s < %d; %s += step(%s) {", x.name, x.name, n, x.name, w.expr(x.b))
	}
	w.list(x.body)
	w.put("}")
}

func (w *writer) choice(x *node) {
	last := len(x.cases) - 1
	if x.kind == choose {
		w.put("switch mod(%s, %d) {", w.expr(x.a), last)
	} else {
		w.put("switch {")
	}
	for i, c := range x.cases {
		switch {
		case i == last:
			w.put("default:")
		case x.kind == choose:
			w.put("case %d:", i)
		default:
			w.put("case %s:", w.expr(x.conds[i]))
		}
		w.list(c)
		if x.n == 2 && i < last {
			w.put("fallthrough")
		}
	}
	w.put("}")
}

func (w *writer) excursion(x *node) {
	home, at := w.place, w.at
	w.put("{")
	if x.n == ride {
		w.put("%s = w.f%d(p, %s, fuel)\nv := proc.StateOf[%s](p)\n_ = v", x.to.name, ride, w.expr(x.a), w.p.typeOf(1-home))
	} else {
		w.travel("v :=", 1-home, x.a)
	}
	w.at, w.place = "v", 1-home
	w.put("{")
	w.list(x.body)
	w.put("}")
	w.travel("w =", home, x.b)
	w.put("_ = w\n}")
	w.at, w.place = at, home
}
