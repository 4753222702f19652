package gen

// This file owns random programs of processes: how they are made.

import (
	"fmt"
	"math/rand/v2"
)

// program is a random program. It has two types of LPs, and the functions below.
type program struct {
	name  string // of the states, without the A or B behind it
	funcs []*function
}

// function is a process.
type function struct {
	host    int  // the type of LP that has it as a method
	results int  // of one that is called by processes; 0: it is started
	moves   bool // it travels
	rides   bool // it is called, travels to the other type of LP, and ends there
	arity   int  // number of parameters
	body    []node
}

// The functions of each program, in this order.
const (
	resident = iota // at type 0
	traveller
	neighbour
	keeper // at type 1
	visitor
	single // called at type 0; it has one result
	double // two
	tour   // travels there and back
	ride   // ends at type 1
	chore  // called at type 1
	functions
)

// node is a statement. What its fields mean depends on its kind.
type node struct {
	kind       kind
	name       string // of a variable, or the label of a loop
	a, b, c    expr
	to, too    expr // variables that are assigned to
	n          int
	body, more []node
	cases      [][]node
	conds      []expr
}

type kind int

const (
	note kind = iota
	sleep
	work
	nap
	nudge
	request // within a time: body if it is served, more if not
	hold    // a desk, without a time
	try
	guard // a desk until the function ends
	serve // at a bench, where others may interrupt
	branch
	loop
	ranged
	choose // among numbers
	decide // among conditions
	blocked
	declare
	zeroed
	assign
	assignTwo
	add
	closure
	pointer
	call
	callTwo
	callTour
	spawn
	spawnWait
	spawnAway // at another LP
	interrupt
	kill
	joined
	alive
	fire
	await
	listen
	several
	either // of two desks, or a time
	put
	get
	getWithin
	fill
	drain
	drainWithin
	giveBack
	borrow
	lend // until the function ends
	mail
	receive
	receiveWithin
	ring
	move
	excursion
	later
	laterClosure
	laterFire
	leave
	skip
	out // of a switch
	ret
	kinds
)

// expr is an expression:
//
//	c v d l    a constant n, a variable, a draw below n, the number of the LP
//	+ * %      of l and r
//	s          l, which is noted
//	> & | !    conditions
//	A W C G    waits: Any, Work, the call of function n, Get
//
// A variable is a number, an element of an array (index l), or a field (A or B).
type expr struct {
	op    byte
	n     int
	name  string
	shape shape
	field string
	l, r  *expr
}

// shape is the type of a variable.
type shape int

const (
	number shape = iota
	array
	structure
	brief
	shapes
)

type variableOf struct {
	name  string
	shape shape
}

// maker makes a program.
type maker struct {
	*rand.Rand
	p        *program
	f        *function
	id       int // of f
	names    int
	loops    []string
	switches int // around, within the innermost loop
	vars     []variableOf
	scope    map[string]bool // names that the block has declared
	held     bool
	place    int  // the type of LP
	away     bool // w is out of reach
	budget   int
	deep     int
}

// newProgram makes the program of a seed.
func newProgram(seed uint64) *program {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 1))}
	m.p = &program{name: fmt.Sprintf("W%d", seed)}
	for i := range functions {
		f := &function{arity: 2}
		switch i {
		case keeper, visitor, chore:
			f.host = 1
		}
		switch i {
		case single, tour, ride, chore:
			f.results = 1
		case double:
			f.results = 2
		default:
			f.arity = m.IntN(5)
		}
		f.moves, f.rides = i == traveller || i == visitor || i == tour, i == ride
		m.p.funcs = append(m.p.funcs, f)
	}
	for i, f := range m.p.funcs {
		m.f, m.id, m.budget, m.loops, m.held, m.deep, m.switches = f, i, 12, nil, false, 0, 0
		m.place, m.away = f.host, f.rides
		if f.rides {
			m.place = 1
		}
		m.vars = []variableOf{{"a", number}}
		if f.arity > 2 {
			m.vars = append(m.vars, variableOf{"c", brief})
		}
		if f.arity > 3 {
			m.vars = append(m.vars, variableOf{"d", array})
		}
		if f.results == 2 {
			m.vars = append(m.vars, variableOf{"r", number})
		}
		f.body = m.list(3 + m.IntN(4))
		if f.results == 0 && m.IntN(2) == 0 {
			x := node{kind: ranged, n: 3}
			m.budget += 6
			m.loop(&x)
			f.body = append(f.body, x)
		}
		if f.results == 0 {
			f.body = append([]node{{kind: sleep, a: expr{op: 'c', n: 1}}}, f.body...)
		}
		if i == tour {
			x := node{kind: excursion, a: m.expr(1, false), b: m.expr(1, false)}
			m.try(&x)
			f.body = append([]node{x}, f.body...)
		}
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

// within makes what is done while something is held.
func (m *maker) within() []node {
	m.held = true
	defer func() { m.held = false }()
	return m.inner()
}

// turning are statements after which others come than those that are next. Faults hide there.
var turning = []kind{leave, skip, skip, out, ret, loop, ranged, choose, decide, branch, zeroed, later, laterClosure}

func (m *maker) node() node {
	for {
		x := node{kind: kind(m.IntN(int(kinds))), n: 1 + m.IntN(3)}
		if m.IntN(4) == 0 {
			x.kind = turning[m.IntN(len(turning))]
		}
		x.a, x.b, x.c = m.expr(2, m.IntN(3) == 0), m.expr(1, m.IntN(4) == 0), m.expr(1, false)
		if m.try(&x) {
			return x
		}
	}
}

// defers reports whether something may be deferred here.
func (m *maker) defers() bool {
	return !m.f.moves && len(m.loops) == 0 && !m.held && (!m.away || m.f.rides)
}

// fresh returns a name.
func (m *maker) fresh(of string) string {
	m.names++
	return fmt.Sprintf("%s%d", of, m.names)
}

// try fills in a statement, unless it cannot stand here.
func (m *maker) try(x *node) bool {
	nested := m.deep < 4
	switch x.kind { // what may wait for ever
	case listen, get, receive, drain, fill, lend, borrow, joined:
		if m.IntN(3) > 0 {
			return false
		}
	}
	switch x.kind {
	case request, getWithin:
		if m.held || !nested {
			return false
		}
		x.body = m.within()
		x.more = m.inner()
	case hold, try, borrow:
		if m.held || !nested {
			return false
		}
		x.body = m.within()
	case guard, lend:
		x.name = m.fresh("t")
		return m.defers() && m.f.results > 0 && m.IntN(2) == 0
	case serve:
		x.name, x.b = m.fresh("t"), m.expr(1, false) // a service begins without a wait
		if x.n == 3 && !m.defers() {
			x.n = 1
		}
	case branch, blocked:
		if !nested {
			return false
		}
		if x.kind == branch {
			x.a = m.cond(2)
		}
		x.body = m.inner()
		if x.kind == branch && m.IntN(2) == 0 {
			x.more = m.inner()
		}
	case loop, ranged:
		return nested && len(m.loops) < 2 && !m.held && m.loop(x)
	case choose, decide:
		if !nested {
			return false
		}
		m.switches++
		for range 2 + m.IntN(2) {
			x.conds = append(x.conds, m.cond(1))
			x.cases = append(x.cases, m.inner())
		}
		m.switches--
	case declare, zeroed:
		x.name = string(rune('x' + m.IntN(3))) // names hide others
		if m.scope[x.name] {
			return false
		}
		x.to = expr{op: 'v', name: x.name, shape: shape(m.IntN(int(shapes)))}
		m.scope[x.name] = true
		m.vars = append(m.vars, variableOf{x.name, x.to.shape})
	case assign, assignTwo, add, callTwo:
		x.to, x.too = m.target(), m.target()
		if x.to.shape == array && m.IntN(3) == 0 {
			index := m.expr(1, true)
			x.to.l = &index
		}
		if x.kind == callTwo {
			return m.place == 0 && m.calls(double) && x.to.whole() && x.too.whole()
		}
		if x.kind == assignTwo && x.to.name == x.too.name {
			return false
		}
	case closure:
		x.to, x.a, x.b = m.target(), m.expr(2, false), m.expr(1, false)
	case pointer, call:
		if x.to = m.target(); !x.to.whole() {
			return false
		}
		if x.kind == pointer {
			x.a = m.expr(2, false)
			return true
		}
		callees := m.callees()
		if len(callees) == 0 {
			return false
		}
		x.n = callees[m.IntN(len(callees))]
	case callTour:
		x.to = m.target()
		return m.id == traveller && !m.away && !m.held && x.to.whole()
	case spawn, spawnWait:
		if x.n = []int{resident, traveller, neighbour}[m.IntN(3)]; m.place == 1 {
			x.n = []int{keeper, visitor}[m.IntN(2)]
		}
		if x.kind == spawnWait {
			x.name = m.fresh("id")
			if m.p.funcs[x.n].moves || !nested || m.held {
				return false
			}
			x.body = m.within() // a name is that of this LP
		}
	case spawnAway:
		x.n = []int{resident, traveller, neighbour, keeper, visitor}[m.IntN(5)]
		return m.p.funcs[x.n].arity < 3
	case move:
		return m.f.moves && !m.held && !m.away && m.id != tour
	case excursion:
		if !m.f.moves || m.held || m.away || !nested {
			return false
		}
		x.n = 0
		if x.to = m.target(); m.f.host == 0 && x.to.whole() && m.IntN(3) == 0 {
			x.n = ride
		}
		loops, switches := m.loops, m.switches
		m.away, m.place, m.loops, m.switches = true, 1-m.f.host, nil, 0
		x.body, x.b = m.inner(), m.expr(1, m.IntN(3) == 0)
		m.away, m.place, m.loops, m.switches = false, m.f.host, loops, switches
	case interrupt: // Go leaves open whether the name is read before a wait or after it
		x.a = m.expr(1, false)
	case either:
		x.a, x.b = m.expr(1, false), m.expr(1, false)
		return !m.held
	case several: // a Case is not kept while another one waits
		x.a, x.b = m.expr(1, false), m.expr(1, false)
	case later, laterFire:
		x.a = m.expr(2, false)
		return m.defers()
	case laterClosure:
		x.to = m.target()
		x.a = m.expr(1, false)
		return m.defers()
	case leave, skip:
		if len(m.loops) == 0 || m.held {
			return false
		}
		x.name = m.loops[m.IntN(len(m.loops))]
		if x.name != m.loops[len(m.loops)-1] || x.kind == leave && m.switches > 0 {
			x.n = 2 // with a label
		}
	case out:
		return m.switches > 0 && !m.held
	case ret:
		return m.deep > 1 && !m.held && (!m.away || m.f.rides || m.f.results == 0)
	}
	return true
}

// loop fills in a loop.
func (m *maker) loop(x *node) bool {
	x.name = m.fresh("i")
	x.a, x.b = m.cond(1), m.expr(1, true)
	own, form := variableOf{x.name, number}, m.IntN(3)
	if x.kind == ranged && form == 2 {
		for i := len(m.vars) - 1; i >= 0; i-- {
			if v := m.vars[i]; v.shape == array && m.shapeOf(v.name) == array {
				x.to = expr{op: 'v', name: v.name, shape: array}
			}
		}
		if x.to.op == 0 {
			form = 1
		}
	}
	// From 1 to 3 it is plain, to 6 with a condition or a limit that waits, to 9 with a wait at its end or over an array.
	x.n += 3 * form
	before, switches := len(m.vars), m.switches
	m.loops, m.vars, m.switches = append(m.loops, x.name), append(m.vars, own), 0
	if x.to.op != 0 {
		m.vars = append(m.vars, variableOf{"v" + x.name, number})
	}
	x.body = m.inner()
	if m.IntN(2) == 0 { // a variable that is zero again in each turn
		k := "k" + x.name
		x.body = append([]node{{kind: zeroed, name: k, to: expr{op: 'v', name: k}}, {kind: note, a: expr{op: 'v', name: k}},
			{kind: assign, to: expr{op: 'v', name: k}, a: expr{op: 'c', n: 3}}}, x.body...)
		x.body = append(x.body, node{kind: note, a: expr{op: 'v', name: k}})
	}
	m.loops, m.vars, m.switches = m.loops[:len(m.loops)-1], m.vars[:before], switches
	return true
}

// calls reports whether the function may call another one here.
func (m *maker) calls(f int) bool {
	switch m.id {
	case single, chore:
		return false
	case double:
		return f == single
	case tour:
		return f == single || f == double || f == chore
	}
	return true
}

// callees are the functions with one result that may be called here.
func (m *maker) callees() (all []int) {
	for _, f := range []int{single, chore} {
		if m.calls(f) && m.p.funcs[f].host == m.place {
			all = append(all, f)
		}
	}
	return all
}

// shapeOf returns the shape of the variable that a name names here.
func (m *maker) shapeOf(name string) shape {
	for i := len(m.vars) - 1; i >= 0; i-- {
		if m.vars[i].name == name {
			return m.vars[i].shape
		}
	}
	panic("no variable " + name)
}

// variable returns a variable, or a part of one, that is a number.
func (m *maker) variable(loops bool) expr {
	for {
		v := m.vars[m.IntN(len(m.vars))]
		if !loops && v.name[0] == 'i' {
			continue
		}
		e := expr{op: 'v', name: v.name, shape: m.shapeOf(v.name)}
		switch e.shape {
		case array:
			index := m.expr(1, false)
			e.l = &index
		case structure:
			e.field = []string{"A", "B"}[m.IntN(2)]
		}
		return e
	}
}

// target returns what is assigned to.
func (m *maker) target() expr { return m.variable(false) }

// whole reports whether a target is an int that has an address of its own.
func (e expr) whole() bool { return e.shape == number }

// expr returns an expression, which waits perhaps.
func (m *maker) expr(depth int, waits bool) expr {
	if waits && m.IntN(3) == 0 {
		arg := m.expr(0, false)
		if depth > 0 {
			arg = m.expr(depth-1, m.IntN(2) == 0)
		}
		switch callees := m.callees(); {
		case len(callees) > 0 && m.IntN(2) == 0:
			return expr{op: 'C', n: callees[m.IntN(len(callees))], l: &arg}
		case m.IntN(8) == 0:
			return expr{op: 'G'}
		case m.IntN(2) == 0:
			return expr{op: 'A', l: &arg}
		}
		return expr{op: 'W', l: &arg}
	}
	switch k := m.IntN(10); {
	case depth == 0 || k < 2:
		return expr{op: 'c', n: m.IntN(9)}
	case k < 5:
		return m.variable(true)
	case k == 5:
		return expr{op: 'd', n: 2 + m.IntN(5)}
	case k == 6:
		return expr{op: 'l'}
	case k == 7:
		l := m.expr(depth-1, waits)
		return expr{op: 's', l: &l}
	}
	l, r := m.expr(depth-1, waits), m.expr(depth-1, waits)
	return expr{op: "+*%"[m.IntN(3)], l: &l, r: &r}
}

// cond returns a condition, which waits perhaps.
func (m *maker) cond(depth int) expr {
	k := m.IntN(6)
	if depth == 0 || k < 3 {
		l, r := m.expr(2, m.IntN(3) == 0), m.expr(1, m.IntN(3) == 0)
		return expr{op: '>', l: &l, r: &r}
	}
	l, r := m.cond(depth-1), m.cond(depth-1)
	return expr{op: "&|!"[k-3], l: &l, r: &r}
}
