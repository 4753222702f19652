package gen

// This file owns random programs of processes: how they are made, and their text.

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// program is a random program. Its functions are processes, the last two are called by processes and return a number.
type program struct {
	name  string // of the state
	funcs []*function
}

type function struct {
	called, moves bool
	body          []node
}

// node is a statement. What its fields mean depends on its kind.
type node struct {
	kind       kind
	name       string // of a variable, or the label of a loop
	a, b       expr
	n          int
	body, more []node
	cases      [][]node
}

type kind int

const (
	note kind = iota
	sleep
	work
	request // within a time: body if it is served, more if not
	hold    // a desk, without a time
	branch
	loop
	ranged
	choose
	block
	declare
	zeroed
	assign
	call
	spawn
	interrupt
	kill
	joined
	fire
	await
	several
	move
	later
	leave
	skip
	ret
	kinds
)

// expr is an expression: 'c' a constant n, 'v' a variable, 'd' a draw below n, 'l' the number of the LP; + * %.
type expr struct {
	op   byte
	n    int
	name string
	l, r *expr
}

// maker makes a program.
type maker struct {
	*rand.Rand
	p      *program
	f      *function
	names  int
	loops  []string
	vars   []string
	scope  map[string]bool // names that the block has declared
	held   bool
	budget int
	deep   int
}

// newProgram makes the program of a seed.
func newProgram(seed uint64) *program {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 1))}
	m.p = &program{name: fmt.Sprintf("W%d", seed)}
	n := 4 + m.IntN(2)
	for i := range n {
		m.p.funcs = append(m.p.funcs, &function{called: i >= n-2, moves: i < n-2 && i%2 == 1})
	}
	for _, f := range m.p.funcs {
		m.f, m.vars, m.budget, m.loops, m.held, m.deep = f, []string{"a"}, 25, nil, false, 0
		f.body = append([]node{{kind: sleep, a: expr{op: 'c', n: 1}}}, m.list(4+m.IntN(6))...)
	}
	return m.p
}

func (m *maker) list(n int) (all []node) {
	vars, scope := len(m.vars), m.scope
	m.scope = map[string]bool{}
	for range n {
		if m.budget--; m.budget < 0 && len(all) > 0 {
			break
		}
		all = append(all, m.node())
	}
	m.vars, m.scope = m.vars[:vars], scope
	return all
}

func (m *maker) inner() []node {
	m.deep++
	defer func() { m.deep-- }()
	return m.list(1 + m.IntN(3))
}

func (m *maker) node() node {
	for {
		x := node{kind: kind(m.IntN(int(kinds))), a: m.expr(2), b: m.expr(1), n: 1 + m.IntN(3)}
		if m.try(&x) {
			return x
		}
	}
}

// try fills in a statement, unless it cannot stand here.
func (m *maker) try(x *node) bool {
	nested := m.deep < 4
	switch x.kind {
	case request, hold:
		if m.held || !nested {
			return false
		}
		m.held = true
		x.body = m.inner()
		m.held = false
		if x.kind == request {
			x.more = m.inner()
		}
	case branch, block:
		if !nested {
			return false
		}
		x.body = m.inner()
		if x.kind == branch && m.IntN(2) == 0 {
			x.more = m.inner()
		}
	case loop, ranged:
		if len(m.loops) > 1 || !nested || m.held {
			return false
		}
		m.names++
		x.name = fmt.Sprintf("i%d", m.names)
		m.loops, m.vars = append(m.loops, x.name), append(m.vars, x.name)
		x.body = m.inner()
		if m.IntN(2) == 0 { // a variable that is zero again in each turn
			k := "k" + x.name
			x.body = append([]node{{kind: zeroed, name: k}, {kind: note, a: expr{op: 'v', name: k}},
				{kind: assign, name: k, a: expr{op: 'c', n: 3}}}, x.body...)
			x.body = append(x.body, node{kind: note, a: expr{op: 'v', name: k}})
		}
		m.loops, m.vars = m.loops[:len(m.loops)-1], m.vars[:len(m.vars)-1]
	case choose:
		if !nested {
			return false
		}
		for range 2 + m.IntN(2) {
			x.cases = append(x.cases, m.inner())
		}
	case declare, zeroed:
		x.name = string(rune('x' + m.IntN(3))) // names hide others
		if m.scope[x.name] {
			return false
		}
		m.scope[x.name] = true
		m.vars = append(m.vars, x.name)
	case assign, call:
		x.name = m.vars[m.IntN(len(m.vars))]
		if x.name[0] == 'i' || x.kind == call && m.f.called {
			return false
		}
		if x.kind == call {
			x.n = len(m.p.funcs) - 2 + m.IntN(2)
		}
	case spawn:
		x.n = m.IntN(len(m.p.funcs) - 2)
	case move:
		return m.f.moves && !m.held
	case later:
		return !m.f.moves && m.deep == 0
	case leave, skip:
		if len(m.loops) == 0 || m.held {
			return false
		}
		x.name = m.loops[m.IntN(len(m.loops))]
	case ret:
		return m.deep > 1 && !m.held
	}
	return true
}

func (m *maker) expr(depth int) expr {
	switch k := m.IntN(8); {
	case depth == 0 || k < 2:
		return expr{op: 'c', n: m.IntN(9)}
	case k < 5:
		return expr{op: 'v', name: m.vars[m.IntN(len(m.vars))]}
	case k == 5:
		return expr{op: 'd', n: 2 + m.IntN(5)}
	case k == 6:
		return expr{op: 'l'}
	}
	l, r := m.expr(depth-1), m.expr(depth-1)
	return expr{op: "+*%"[m.IntN(3)], l: &l, r: &r}
}

func (e expr) String() string {
	switch e.op {
	case 'c':
		return fmt.Sprint(e.n)
	case 'v':
		return e.name
	case 'd':
		return fmt.Sprintf("w.Draw(%d)", e.n)
	case 'l':
		return "w.N"
	case '%':
		return fmt.Sprintf("mod(%v, %v)", e.l, e.r)
	}
	return fmt.Sprintf("(%v %c %v)", e.l, e.op, e.r)
}

// text returns the source of a program; base has what all of them share.
func (p *program) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\ntype %s struct {\n\tproc.Processes\n\tBase\n}\n", p.name)
	fmt.Fprintf(&b, "\nfunc (w *%s) init(lp *ross.LP) {\n\tw.open(lp)\n\tproc.Do(lp, w, func(p *proc.Self) {\n", p.name)
	for i, f := range p.funcs {
		if !f.called {
			fmt.Fprintf(&b, "\t\tproc.Go2(p, (*%s).f%d, %d, 3)\n", p.name, i, i)
		}
	}
	b.WriteString("\t})\n}\n")
	for i, f := range p.funcs {
		result := ""
		if f.called {
			result = " int"
		}
		fmt.Fprintf(&b, "\nfunc (w *%s) f%d(p *proc.Self, a, fuel int)%s {\n", p.name, i, result)
		p.write(&b, f, f.body)
		if f.called {
			b.WriteString("return a\n")
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// jumps reports whether statements leave or continue a loop.
func jumps(all []node, name string) bool {
	for _, x := range all {
		if (x.kind == leave || x.kind == skip) && x.name == name || jumps(x.body, name) || jumps(x.more, name) {
			return true
		}
		for _, c := range x.cases {
			if jumps(c, name) {
				return true
			}
		}
	}
	return false
}

func (p *program) write(b *strings.Builder, f *function, all []node) {
	put := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	inner := func(all []node) { p.write(b, f, all) }
	for _, x := range all {
		if (x.kind == loop || x.kind == ranged) && jumps(x.body, x.name) {
			put("L%s:", x.name)
		}
		switch x.kind {
		case note:
			put("w.Note(p, %v)", x.a)
		case sleep:
			put("p.Sleep(w.Delay(%v))", x.a)
		case work:
			put("if p.Work(w.Delay(%v)) > 0 {\nw.Note(p, 31)\n}", x.a)
		case request:
			put("{\ndesk := w.Draw(2)\nif t, ok := w.Desks[desk].RequestWithin(p, w.Delay(%v)); ok {", x.a)
			inner(x.body)
			put("w.Desks[desk].Release(p, t)\n} else {")
			inner(x.more)
			put("}\n}")
		case hold:
			put("{\ndesk := w.Draw(2)\nt := w.Desks[desk].Request(p)")
			inner(x.body)
			put("w.Desks[desk].Release(p, t)\n}")
		case branch:
			put("if %v > %v {", x.a, x.b)
			inner(x.body)
			if x.more != nil {
				put("} else {")
				inner(x.more)
			}
			put("}")
		case loop:
			put("for %s := 0; %s < %d; %s++ {", x.name, x.name, x.n, x.name)
			inner(x.body)
			put("}")
		case ranged:
			put("for %s := range %d {\n_ = %s", x.name, x.n, x.name)
			inner(x.body)
			put("}")
		case choose:
			put("switch mod(%v, %d) {", x.a, len(x.cases)-1)
			for i, c := range x.cases {
				if i < len(x.cases)-1 {
					put("case %d:", i)
				} else {
					put("default:")
				}
				inner(c)
			}
			put("}")
		case block:
			put("{")
			inner(x.body)
			put("}")
		case declare:
			put("%s := %v\n_ = %s", x.name, x.a, x.name)
		case zeroed:
			put("var %s int\n_ = %s", x.name, x.name)
		case assign:
			put("%s = %v", x.name, x.a)
		case call:
			put("%s = w.f%d(p, %v, fuel)", x.name, x.n, x.a)
		case spawn:
			put("if fuel > 0 {\nw.Any = proc.Go2(p, (*%s).f%d, %v, fuel-1)", p.name, x.n, x.a)
			if !p.funcs[x.n].moves {
				put("w.Last = w.Any")
			}
			put("}")
		case interrupt:
			put("if p.Interrupt(w.Any, 1) {\nw.Note(p, 37)\n}")
		case kill:
			put("if w.Any != p.PID() && p.Kill(w.Any) {\nw.Note(p, 41)\n}")
		case joined:
			put("if w.Last != p.PID() {\np.Join(w.Last)\nw.Note(p, 43)\n}")
		case fire:
			put("w.Note(p, w.Bell.Fire(p))")
		case await:
			put("if w.Bell.WaitWithin(p, w.Delay(%v)) {\nw.Note(p, 47)\n}", x.a)
		case several:
			put("w.Note(p, p.Any(w.Bell.Fired(), proc.Timeout(w.Delay(%v))))", x.a)
		case move:
			put("w = proc.At[%s](p, ross.LPID(w.Draw(lps)), w.Delay(%v))", p.name, x.a)
		case later:
			put("defer w.Note(p, %v)", x.a)
		case leave:
			put("break L%s", x.name)
		case skip:
			put("continue L%s", x.name)
		case ret:
			if f.called {
				put("return %v", x.a)
			} else {
				put("return")
			}
		}
	}
}

// base is what all programs share.
const base = `
// Base is the state of each program, without its processes.
type Base struct {
	Desks     [2]proc.Servers
	Bell      proc.Signal
	Seed, Log uint64
	Steps, N  int
	Any, Last proc.PID
}

const lps = 3

func (w *Base) open(lp *ross.LP) {
	w.N, w.Seed = int(lp.ID()), uint64(lp.ID())*77+5
	w.Desks[0].Open(lp, resource.Rules{Servers: 1})
	w.Desks[1].Open(lp, resource.Rules{Servers: 2})
}

// Draw returns a number below n.
func (w *Base) Draw(n int) int {
	w.Seed = w.Seed*6364136223846793005 + 1442695040888963407
	return int(w.Seed>>33) % n
}

// Delay returns a virtual time that no other is equal to.
func (w *Base) Delay(a int) float64 {
	return 0.05 + float64(mod(a, 2)) + float64(w.Draw(1<<30))/(1<<30)
}

func mod(a, b int) int {
	b = 1 + b&7
	return (a%b + b) % b
}

// Note mixes a number into the log.
func (w *Base) Note(p *proc.Self, x int) {
	w.Log = (w.Log ^ uint64(x) ^ math.Float64bits(p.Now())) * 0x9e3779b97f4a7c15
	w.Steps++
}
`
