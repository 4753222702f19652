// This file owns chains, ross.On(f).Reverse(g) and the like: which of them a value is made by, and which types have it.

package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// sites says through which call a function of the package was entered, of those for which that matters. So what a
// function makes of its parameters is kept apart for each call: its first arguments do not meet its second ones.
type sites map[*function]*ast.CallExpr

// with returns the sites after a call of fn; nil means that any call will do.
func (s sites) with(fn *function, call *ast.CallExpr) sites {
	if s[fn] == call {
		return s
	}
	next := sites{}
	for f, c := range s {
		next[f] = c
	}
	if next[fn] = call; call == nil {
		delete(next, fn)
	}
	return next
}

// agree says whether both may be so at once.
func (s sites) agree(t sites) bool {
	for fn, call := range s {
		if other := t[fn]; other != nil && other != call {
			return false
		}
	}
	return true
}

// link is where a chain begins: a call of ross.On, ross.OnUndo or interconnect.Handlers. For what a field of a type
// is given, it is the type.
type link struct {
	root ast.Node
	at   sites
}

// joined says whether one chain may have both.
func joined(a, b link) bool { return a.root == b.root && a.at.agree(b.at) }

// search is a question for chains. open has the expressions and variables that are being looked at: what they are
// given leads back to them, as in h = h.Reverse(f). steps bounds what a question costs.
type search struct {
	open  map[any]bool
	steps int
}

// enter says whether to look at an expression or a variable.
func (s *search) enter(what any) bool {
	s.steps++
	if s.open[what] || s.steps > 10000 {
		return false
	}
	s.open[what] = true
	return true
}

// chains returns the chains that make a value of ross.Handler, or several values in a slice.
func (m *model) chains(e ast.Expr) []link { return m.chainsOf(e, nil, &search{open: map[any]bool{}}) }

func (m *model) chainsOf(e ast.Expr, at sites, s *search) (all []link) {
	e = ast.Unparen(e)
	if !s.enter(e) {
		return nil
	}
	defer delete(s.open, e)
	each := func(list ...ast.Expr) {
		for _, e := range list {
			all = append(all, m.chainsOf(e, at, s)...)
		}
	}
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := m.info.Uses[e].(*types.Var)
		if !ok || !s.enter(v) {
			break
		}
		defer delete(s.open, v)
		each(m.assigned(v)...)
		each(m.elements[v]...)
		for _, p := range m.passed[v] {
			if at.agree(sites{p.to: p.call}) {
				all = append(all, m.chainsOf(p.e, at.with(p.to, p.call), s)...)
			}
		}
		for _, r := range m.results[v] {
			all = append(all, m.chainsMade(r.call, r.i, at, s)...)
		}
	case *ast.CompositeLit:
		for _, e := range e.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			each(e)
		}
	case *ast.TypeAssertExpr:
		each(e.X)
	case *ast.IndexExpr:
		each(e.X)
	case *ast.SliceExpr:
		each(e.X)
	case *ast.SelectorExpr:
		if instance(m.info.TypeOf(e.X), rossPath, "Type") != nil {
			for _, t := range m.typesOf(e.X, 0) {
				each(t.set[e.Sel.Name]...)
			}
		}
	case *ast.CallExpr:
		fn := m.callee(e)
		switch {
		case begins(fn):
			return []link{{e, at}}
		case continues(fn):
			if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok {
				each(sel.X)
			}
		case is(fn, rossPath, "", "Events"), m.builtin(e) == "append", m.info.Types[e.Fun].IsType():
			each(e.Args...)
		default:
			return m.chainsMade(e, 0, at, s)
		}
	}
	return all
}

// chainsMade returns the chains that make result i of a function of the package.
func (m *model) chainsMade(call *ast.CallExpr, i int, at sites, s *search) (all []link) {
	fn := m.decls[m.callee(call)]
	if fn == nil {
		return nil
	}
	for _, r := range fn.returns {
		if i < len(r.Results) {
			all = append(all, m.chainsOf(r.Results[i], at.with(fn, call), s)...)
		}
	}
	return all
}

// begins says whether a function makes a handler of functions.
func begins(fn *types.Func) bool {
	return is(fn, rossPath, "", "On") || is(fn, rossPath, "", "OnUndo") || is(fn, netPath, "", "Handlers")
}

// continues says whether a function is a method, such as Reverse, that adds to a handler.
func continues(fn *types.Func) bool {
	return fn != nil && (is(fn, rossPath, "EventHandler", fn.Name()) || is(fn, rossPath, "UndoHandler", fn.Name()))
}

// link adds the functions of the chain that a call is in, if it is in one.
func (m *model) link(call *ast.CallExpr) {
	fn := m.callee(call)
	switch {
	case is(fn, netPath, "", "Handlers"):
		if len(call.Args) == 3 {
			m.add("deliver", call.Args[2], []link{{call, nil}}, false)
		}
	case len(call.Args) != 1:
	case begins(fn):
		m.add("Event", call.Args[0], []link{{call, nil}}, fn.Name() == "OnUndo")
	case continues(fn):
		m.add(fn.Name(), call.Args[0], m.chains(call), is(fn, rossPath, "UndoHandler", fn.Name()))
	}
}

// typesOf returns the LP types that an expression may be.
func (m *model) typesOf(e ast.Expr, depth int) (all []*lpType) {
	if depth > 4 {
		return nil
	}
	each := func(e ast.Expr) { all = append(all, m.typesOf(e, depth+1)...) }
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		if t := m.ofLit[e]; t != nil {
			return []*lpType{t}
		}
	case *ast.Ident:
		v, ok := m.info.Uses[e].(*types.Var)
		if !ok {
			break
		}
		for _, right := range m.assigned(v) {
			each(right)
		}
		for _, p := range m.passed[v] {
			each(p.e)
		}
		if t := m.ofVar[v]; t != nil {
			all = append(all, t)
		}
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			each(e.X)
		}
	case *ast.StarExpr:
		each(e.X)
	case *ast.TypeAssertExpr:
		each(e.X)
	case *ast.CallExpr:
		if fn := m.decls[m.callee(e)]; fn != nil {
			for _, r := range fn.returns {
				if len(r.Results) > 0 {
					each(r.Results[0])
				}
			}
		}
	}
	return all
}

// assignTypes finds the types that each handler is of.
func (m *model) assignTypes() {
	owned := map[*lpType][]link{}
	for _, t := range m.types {
		owned[t] = []link{{t.node, nil}}
		for _, e := range t.set["Event"] {
			owned[t] = append(owned[t], m.chains(e)...)
		}
	}
	for _, h := range m.handlers {
		for _, t := range m.types {
			if h.joins(owned[t]) {
				h.of = append(h.of, t)
			}
		}
	}
	for _, h := range m.handlers { // a value that is not seen through, but stands in a type
		for i := len(m.types) - 1; i >= 0 && len(h.of) == 0; i-- {
			t := m.types[i]
			if slices.ContainsFunc(h.links, func(l link) bool {
				return t.node.Pos() <= l.root.Pos() && l.root.Pos() < t.node.End() && h.hasState(t.state)
			}) {
				h.of = append(h.of, t)
			}
		}
	}
}

// joins says whether a handler belongs to one of some chains.
func (h *handler) joins(chains []link) bool {
	return slices.ContainsFunc(h.links, func(l link) bool {
		return l.at.agree(h.at) && slices.ContainsFunc(chains, func(o link) bool { return joined(o, l) && o.at.agree(h.at) })
	})
}

// hasState says whether a handler is one for states of this type.
func (h *handler) hasState(state types.Type) bool {
	if h.state == nil {
		return false
	}
	p, ok := types.Unalias(h.state.Type()).(*types.Pointer)
	return ok && types.Identical(p.Elem(), state)
}

// in says whether something holds for a type of the handler. If none is known, it has to hold for all with its state.
func (h *handler) in(all []*lpType, holds func(*lpType) bool) bool {
	if len(h.of) > 0 {
		return slices.ContainsFunc(h.of, holds)
	}
	found := false
	for _, t := range all {
		if h.hasState(t.state) {
			if !holds(t) {
				return false
			}
			found = true
		}
	}
	return found
}
