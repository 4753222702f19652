// This file owns functions: their parameters, what they call, and in which roles they are.

package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// function is a function of the package. Literals in it belong to it.
type function struct {
	node    ast.Node // *ast.FuncDecl or *ast.FuncLit
	body    *ast.BlockStmt
	obj     *types.Func  // nil for a literal
	params  []*types.Var // with the receiver first
	returns []*ast.ReturnStmt
	role    roles
	// sums is what the function does to what its parameters point to; see summary.
	sums *summary
	busy bool
}

// has says whether a variable is declared in the function, as a parameter or otherwise.
func (fn *function) has(v *types.Var) bool {
	return fn.node.Pos() <= v.Pos() && v.Pos() < fn.node.End()
}

// param returns the index of a parameter, or -1.
func (fn *function) param(v *types.Var) int {
	for i, p := range fn.params {
		if p == v {
			return i
		}
	}
	return -1
}

// findFunctions lists all functions of the package.
func (m *model) findFunctions(files []*ast.File) {
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				obj, _ := m.info.Defs[n.Name].(*types.Func)
				if obj == nil || n.Body == nil {
					return false
				}
				fn := &function{node: n, body: n.Body, obj: obj, returns: returnsOf(n.Body)}
				if r := obj.Signature().Recv(); r != nil {
					fn.params = append(fn.params, r)
				}
				fn.addParams(obj.Signature())
				m.decls[obj] = fn
			case *ast.FuncLit:
				fn := &function{node: n, body: n.Body, returns: returnsOf(n.Body)}
				if sig, ok := m.info.TypeOf(n).(*types.Signature); ok {
					fn.addParams(sig)
				}
				m.lits[n] = fn
			}
			return true
		})
	}
}

func (fn *function) addParams(sig *types.Signature) {
	for p := range sig.Params().Variables() {
		fn.params = append(fn.params, p)
	}
}

// returnsOf lists the return statements of a body, without those of literals in it.
func returnsOf(body *ast.BlockStmt) (all []*ast.ReturnStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			all = append(all, n)
		}
		return true
	})
	return all
}

// callee returns the function or method that a call names, or nil.
func (m *model) callee(call *ast.CallExpr) *types.Func {
	e := ast.Unparen(call.Fun)
	switch x := e.(type) {
	case *ast.IndexExpr:
		e = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		e = ast.Unparen(x.X)
	}
	var id *ast.Ident
	switch x := e.(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	fn, _ := m.info.Uses[id].(*types.Func)
	if fn == nil {
		return nil
	}
	return fn.Origin()
}

// argument is what a parameter gets. method is set for a receiver.
type argument struct {
	e      ast.Expr
	method *types.Selection
}

// arguments returns the arguments of a call of fn, with the receiver first.
func (m *model) arguments(call *ast.CallExpr, fn *types.Func) (all []argument) {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
		if s := m.info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			all = append(all, argument{sel.X, s})
		}
	}
	for _, e := range call.Args {
		all = append(all, argument{e: e})
	}
	return all
}

// spread gives each function the roles of those that use it. A function with an LP as a parameter that nothing seems to
// use is taken for a part of Event: it is given to others as a value, and called by what the source does not show.
func (m *model) spread() {
	for _, h := range m.handlers {
		m.visit(h.fn, h.role)
	}
	inspect(m.files, func(n ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok && m.looksAfterwards(m.callee(call)) {
			for _, e := range call.Args {
				for _, v := range m.functionsOf(e, nil, 0) {
					m.visit(v.fn, isFinal)
				}
			}
		}
	})
	all := m.all()
	for _, fn := range all {
		if fn.hasLP() && !fn.inRole(all) && !m.inTest(fn.node) { // tests make mistakes on purpose
			m.visit(fn, isEvent)
		}
	}
}

// looksAfterwards says whether a function of package ross calls what it is given when the run is over.
func (m *model) looksAfterwards(fn *types.Func) bool {
	return is(fn, rossPath, "", "Gather") || is(fn, rossPath, "", "Reduce")
}

// hasLP says whether a parameter of the function is an LP.
func (fn *function) hasLP() bool {
	return slices.ContainsFunc(fn.params, func(v *types.Var) bool { return in(v.Type(), rossPath, "LP") })
}

// inRole says whether the function, or one of all that it is a literal in, has a role.
func (fn *function) inRole(all []*function) bool {
	return slices.ContainsFunc(all, func(around *function) bool {
		return around.role != 0 && around.node.Pos() <= fn.node.Pos() && fn.node.End() <= around.node.End()
	})
}

func (m *model) visit(fn *function, r roles) {
	if fn.role&r == r {
		return
	}
	fn.role |= r
	ast.Inspect(fn.body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj, ok := m.info.Uses[id].(*types.Func); ok {
				if used := m.decls[obj.Origin()]; used != nil {
					m.visit(used, r)
				}
			}
		}
		return true
	})
}

// reached calls look with each function that is in one of the roles, in the order of the source.
func (m *model) reached(r roles, look func(fn *function)) {
	for _, fn := range m.all() {
		if fn.role&r != 0 {
			look(fn)
		}
	}
}

// all returns the functions and literals in some role.
func (m *model) all() (all []*function) {
	for _, fn := range m.decls {
		all = append(all, fn)
	}
	for _, fn := range m.lits {
		all = append(all, fn)
	}
	sortByPos(all)
	return all
}

// assigned returns what a variable is ever given, anywhere in the package.
func (m *model) assigned(v *types.Var) []ast.Expr {
	if m.given == nil {
		m.given = map[*types.Var][]ast.Expr{}
		m.elements = map[*types.Var][]ast.Expr{}
		m.results = map[*types.Var][]result{}
		m.passed = map[*types.Var][]pass{}
		for _, f := range m.files {
			m.findAssigned(f)
		}
	}
	return m.given[v]
}

// result is one of the results of a call.
type result struct {
	call *ast.CallExpr
	i    int
}

// pass is what a call gives a parameter of the function to.
type pass struct {
	e    ast.Expr
	to   *function
	call *ast.CallExpr
}

// findAssigned lists what the variables of a file are given.
func (m *model) findAssigned(f *ast.File) {
	variable := func(e ast.Expr) *types.Var {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return nil
		}
		if v, ok := m.info.Defs[id].(*types.Var); ok {
			return v
		}
		v, _ := m.info.Uses[id].(*types.Var)
		return v
	}
	give := func(left []ast.Expr, right []ast.Expr) {
		for i, l := range left {
			v := variable(l)
			if v == nil {
				continue
			}
			if len(left) == len(right) {
				m.given[v] = append(m.given[v], right[i])
			} else if len(right) == 1 {
				if call, ok := ast.Unparen(right[0]).(*ast.CallExpr); ok {
					m.results[v] = append(m.results[v], result{call, i})
				} else if i == 0 {
					m.given[v] = append(m.given[v], right[0])
				}
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
				give(n.Lhs, n.Rhs)
			}
		case *ast.ValueSpec:
			left := make([]ast.Expr, len(n.Names))
			for i, name := range n.Names {
				left[i] = name
			}
			give(left, n.Values)
		case *ast.CallExpr:
			callee := m.callee(n)
			if fn := m.decls[callee]; fn != nil {
				for i, a := range m.arguments(n, callee) {
					if callee.Signature().Variadic() {
						i = min(i, len(fn.params)-1)
					}
					if i < len(fn.params) {
						m.passed[fn.params[i]] = append(m.passed[fn.params[i]], pass{a.e, fn, n})
					}
				}
			}
		case *ast.RangeStmt:
			if n.Value != nil {
				if v := variable(n.Value); v != nil {
					m.elements[v] = append(m.elements[v], n.X)
				}
			}
		}
		return true
	})
}
