// This file owns the lowering of expressions that wait, and the text of what does not.

package gen

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sort"
)

// expr lowers an expression and returns the text of its value.
func (l *lowerer) expr(e ast.Expr) text {
	l.prepare(e, false)
	return l.src(e).text
}

// prepareAll lowers the waits in expressions that are evaluated one after the other.
func (l *lowerer) prepareAll(all []ast.Expr) {
	last := -1
	for i, e := range all {
		if l.waitsIn(e) {
			last = i
		}
	}
	if len(all) == 1 && last == 0 {
		if c, ok := ast.Unparen(all[0]).(*ast.CallExpr); ok && l.g.isWait(c) {
			if _, several := l.g.TypesInfo.TypeOf(c).(*types.Tuple); several {
				return // of a declaration
			}
		}
	}
	for i, e := range all[:last+1] {
		l.prepare(e, false)
		if i < last {
			l.calls(e)
		}
	}
}

// prepare lowers the waits in an expression, whose values become variables, and calls before them. What is assigned to
// is not evaluated.
func (l *lowerer) prepare(e ast.Expr, assigned bool) {
	if !l.waitsIn(e) {
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		l.prepare(e.X, assigned)
	case *ast.CallExpr:
		if l.g.isWait(e) {
			v := l.temp(e)
			if _, several := v.typ.(*types.Tuple); several {
				l.refuse(e.Pos(), "the results of a wait are arguments: assign them to variables before")
				return
			}
			l.waitInto(e, []*variable{v})
			l.repl[e] = join(v)
			return
		}
		l.prepareAll(append([]ast.Expr{e.Fun}, e.Args...))
	case *ast.BinaryExpr:
		if (e.Op == token.LAND || e.Op == token.LOR) && l.waitsIn(e.Y) {
			v := l.temp(e)
			v.typ = types.Typ[types.Bool]
			over := l.newLabel("over")
			l.put(instr{op: opText, pos: e.Pos(), text: join(text{{v: v, def: true}}, " = bool(", l.expr(e.X), ")")})
			not := ""
			if e.Op == token.LOR {
				not = "!"
			}
			l.put(instr{op: opUnless, pos: e.Pos(), text: join(not, v), label: over})
			l.put(instr{op: opText, pos: e.Y.Pos(), text: join(text{{v: v, def: true}}, " = bool(", l.expr(e.Y), ")")})
			l.put(instr{op: opLabel, label: over})
			l.repl[e] = join(v)
			return
		}
		l.prepareAll([]ast.Expr{e.X, e.Y})
	case *ast.UnaryExpr:
		l.prepare(e.X, false)
	case *ast.SelectorExpr:
		l.prepare(e.X, assigned)
	case *ast.IndexExpr:
		l.prepareAll([]ast.Expr{e.X, e.Index})
	case *ast.StarExpr:
		l.prepare(e.X, false)
	case *ast.KeyValueExpr:
		l.prepare(e.Value, false)
	case *ast.CompositeLit:
		l.prepareAll(e.Elts)
	default:
		l.refuse(e.Pos(), "a wait in %T: assign what it returns to a variable before", e)
	}
}

// calls keeps the values of the calls in an expression, since a wait comes after them. One that is made only if a
// condition is true, is kept with the condition.
func (l *lowerer) calls(e ast.Expr) {
	if kv, ok := e.(*ast.KeyValueExpr); ok {
		e = kv.Value
	}
	var found []ast.Expr
	isCall := func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		return ok && !l.g.TypesInfo.Types[c.Fun].IsType() && !l.g.TypesInfo.Types[c.Fun].IsBuiltin()
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if n == nil || l.repl[n] != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if isCall(n) {
				found = append(found, n)
				return false
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				has := false
				inspect(n.Y, func(m ast.Node) { has = has || isCall(m) })
				if has {
					found = append(found, n)
					return false
				}
			}
		}
		return true
	})
	for _, c := range found {
		v := l.temp(c)
		l.put(instr{op: opText, pos: c.Pos(), text: join(text{{v: v, def: true}}, " = ", l.src(c).text)})
		l.repl[c] = join(v)
	}
}

// pin keeps the indexes and calls in what a method is called of, which is evaluated more than once.
func (l *lowerer) pin(fun ast.Expr) {
	sel, ok := ast.Unparen(fun).(*ast.SelectorExpr)
	for e := ast.Expr(nil); ok; {
		e = ast.Unparen(sel.X)
		for {
			ix, is := e.(*ast.IndexExpr)
			if !is || l.g.TypesInfo.Types[ix.Index].IsType() {
				break
			}
			if l.g.TypesInfo.Types[ix.Index].Value == nil {
				v := l.temp(ix.Index)
				l.put(instr{op: opText, pos: ix.Pos(), text: join(text{{v: v, def: true}}, " = ", l.expr(ix.Index))})
				l.repl[ix.Index] = join(v)
			}
			e = ast.Unparen(ix.X)
		}
		if c, is := e.(*ast.CallExpr); is {
			v := l.temp(c)
			l.put(instr{op: opText, pos: c.Pos(), text: join(text{{v: v, def: true}}, " = ", l.expr(c))})
			l.repl[c] = join(v)
			return
		}
		sel, ok = e.(*ast.SelectorExpr)
	}
}

// wait lowers a wait whose results are assigned.
func (l *lowerer) wait(c *ast.CallExpr, lhs []ast.Expr) {
	to, seen := make([]text, len(lhs)), false
	for i, e := range lhs {
		to[i] = l.lhs(e, true)
		id, ok := ast.Unparen(e).(*ast.Ident)
		seen = seen || !ok || !isBlank(id) && (l.varOf(id) == nil || l.varOf(id).taken)
	}
	l.suspend(c, to, seen)
}

// waitInto lowers a wait whose results become variables.
func (l *lowerer) waitInto(c *ast.CallExpr, vars []*variable) {
	to, seen := make([]text, len(vars)), false
	for i, v := range vars {
		to[i] = text{{v: v, def: true}}
		seen = seen || v.taken
	}
	l.suspend(c, to, seen)
}

// list joins texts with commas.
func list(all []text) (t text) {
	for i, x := range all {
		if i > 0 {
			t = join(t, ", ")
		}
		t = join(t, x)
	}
	return t
}

// suspend lowers a wait. If what is deferred may see the results, they are assigned only to a process that goes on.
func (l *lowerer) suspend(c *ast.CallExpr, to []text, seen bool) {
	l.pin(c.Fun)
	l.prepareAll(c.Args)
	l.checkSelf(c)
	if callee := l.g.callee(c); callee != nil && l.g.primitive(c) == nil {
		l.call(c, callee, to)
		return
	}
	id := nameOf(c.Fun)
	name := id.Name
	var args []text
	for _, e := range c.Args {
		args = append(args, l.src(e).text)
	}
	dots := ""
	if c.Ellipsis.IsValid() {
		dots = "..."
	}
	l.repl[id] = words("Begin" + name)
	begin := join(l.src(c.Fun).text, "(", list(args), dots, ")")
	l.repl[id] = words("End" + name)
	end := join(l.src(c.Fun).text, "(")
	if !l.ofSelf(c) {
		end = join(end, l.self.Name())
	}
	end = join(end, ")")
	delete(l.repl, id)
	l.waits++
	fn := l.g.primitive(c)
	l.marks = append(l.marks, fn.FullName())
	travels := fn.Name() == "At" && fn.Pkg().Path() == procPath
	seen = seen && !travels // who arrives is not killed
	l.put(instr{op: opSuspend, pos: c.Pos(), text: begin, wait: l.waits, what: types.ExprString(c.Fun),
		travel: travels})
	var got []text
	if len(to) > 0 && seen {
		for i := range to {
			t := l.g.TypesInfo.TypeOf(c)
			if tuple, ok := t.(*types.Tuple); ok {
				t = tuple.At(i).Type()
			}
			got = append(got, text{{v: l.fresh("got", t, c.Pos()), def: true}})
		}
		end = join(list(got), " = ", end)
	} else if len(to) > 0 {
		end = join(list(to), " = ", end)
	}
	l.put(instr{op: opText, pos: c.Pos(), text: end, ends: true})
	l.ifKilled(c.Pos())
	if got != nil {
		for i := range got {
			got[i] = join(got[i][0].v)
		}
		l.put(instr{op: opText, pos: c.Pos(), text: join(list(to), " = ", list(got))})
	}
}

// ifKilled leads a process that was killed to its exit.
func (l *lowerer) ifKilled(pos token.Pos) {
	l.put(instr{op: opUnless, pos: pos, text: words("!" + l.self.Name() + ".Killed()"), label: l.exit})
}

// ofSelf reports whether a call is that of a method of Self.
func (l *lowerer) ofSelf(c *ast.CallExpr) bool {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	return ok && isSelf(l.g.TypesInfo.TypeOf(sel.X))
}

// checkSelf reports a wait that is not the process's own.
func (l *lowerer) checkSelf(c *ast.CallExpr) {
	var e ast.Expr
	if l.ofSelf(c) {
		e = ast.Unparen(c.Fun).(*ast.SelectorExpr).X
	} else if len(c.Args) > 0 {
		e = c.Args[0]
	}
	if id, ok := ast.Unparen(e).(*ast.Ident); !ok || l.g.TypesInfo.Uses[id] != l.self {
		l.refuse(c.Pos(), "%s waits for %s: a process waits with its own parameter %s", types.ExprString(c.Fun),
			types.ExprString(e), l.self.Name())
	}
}

// call lowers the call of a process by a process.
func (l *lowerer) call(c *ast.CallExpr, callee *process, to []text) {
	v := l.callees[callee]
	if v == nil {
		v = l.fresh("call_"+callee.fn.Name(), nil, c.Pos())
		v.frame = true
		l.callees[callee] = v
	}
	sig := callee.fn.Signature()
	t := join(v, " = "+l.g.frameName(callee)+"{")
	for i, e := range c.Args[1:] {
		t = join(t, paramName(sig, i+1), ": ", l.src(e).text, ", ")
	}
	if sig.Recv() != nil {
		if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && !isState(l.g.TypesInfo.TypeOf(sel.X)) {
			l.refuse(c.Pos(), "%s is called of something else than the state of the LP", callee.name)
		}
	}
	l.put(instr{op: opText, pos: c.Pos(), text: join(t, "}"), stays: true})
	l.waits++
	l.marks = append(l.marks, callee.name)
	l.put(instr{op: opSuspend, pos: c.Pos(), text: join(l.g.resumeName(callee), "(", l.self.Name(), ", &", v, ")"),
		wait: l.waits, what: callee.name, travel: callee.travels, calls: v, stays: true})
	l.ifKilled(c.Pos())
	if len(to) > 0 {
		var from []text
		for i := range to {
			from = append(from, join(v, ".", resultName(sig, i)))
		}
		l.put(instr{op: opText, pos: c.Pos(), text: join(list(to), " = ", list(from))})
	}
}

// paramName and resultName are those of the fields of a frame.
func paramName(sig *types.Signature, i int) string {
	return fieldName(sig.Params().At(i).Name(), fmt.Sprintf("param%d", i))
}

func resultName(sig *types.Signature, i int) string {
	return fieldName(sig.Results().At(i).Name(), fmt.Sprintf("result%d", i))
}

func fieldName(name, without string) string {
	switch name {
	case "", "_":
		return without
	case "pc":
		return "pc_"
	}
	return name
}

// source is the text of something in the source, and where it jumps to.
type source struct {
	text  text
	jumps []*label
}

// edit is a part of the source that is replaced.
type edit struct {
	from, to token.Pos
	by       text
}

// src returns the text of a node as it stands in the source, with variables, and with jumps out of it.
func (l *lowerer) src(n ast.Node) source {
	var out source
	if r := l.repl[n]; r != nil {
		return source{text: r}
	}
	var edits []edit
	replace := func(n ast.Node, by text) { edits = append(edits, edit{n.Pos(), n.End(), by}) }
	var visit func(n ast.Node, inLoop, inSwitch, inFunc bool)
	labels := map[string]bool{}
	visit = func(n ast.Node, inLoop, inSwitch, inFunc bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			if m == nil {
				return true
			}
			if r := l.repl[m]; r != nil {
				replace(m, r)
				return false
			}
			if m == n {
				return true
			}
			switch m := m.(type) {
			case *ast.FuncLit:
				l.checkClosure(m)
				visit(m.Body, false, false, true)
				visit(m.Type, false, false, true)
				return false
			case *ast.ForStmt, *ast.RangeStmt:
				visit(m, true, inSwitch, inFunc)
				return false
			case *ast.SwitchStmt, *ast.TypeSwitchStmt:
				visit(m, inLoop, true, inFunc)
				return false
			case *ast.LabeledStmt:
				labels[m.Label.Name] = true
			case *ast.Ident:
				l.ident(m, replace)
			case *ast.BranchStmt:
				if inFunc || m.Label != nil && labels[m.Label.Name] || m.Tok == token.FALLTHROUGH ||
					m.Label == nil && (inLoop || m.Tok == token.BREAK && inSwitch) {
					return false
				}
				if to := l.branchTo(m); to != nil {
					out.jumps = append(out.jumps, to)
					replace(m, join("goto ", to))
				} else if m.Tok != token.GOTO {
					l.refuse(m.Pos(), "%s leads nowhere", m.Tok)
				}
				return false
			case *ast.ReturnStmt:
				if inFunc {
					return true
				}
				out.jumps = append(out.jumps, l.exit)
				if len(m.Results) == 0 {
					replace(m, join("goto ", l.exit))
					return false
				}
				t := l.returned(m)
				for i := range t {
					t[i].def = false // perhaps it does not get there
				}
				replace(m, join("{\n", t, "\ngoto ", l.exit, "\n}"))
				return false
			case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt:
				l.refuseAny(m.(ast.Stmt))
			}
			return true
		})
	}
	switch m := n.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		visit(m, true, false, false)
	case *ast.SwitchStmt, *ast.TypeSwitchStmt:
		visit(m, false, true, false)
	case *ast.Ident:
		l.ident(m, replace)
	case *ast.FuncLit:
		l.checkClosure(m)
		visit(m, false, false, true)
	case *ast.LabeledStmt:
		labels[m.Label.Name] = true
		visit(&ast.BlockStmt{List: []ast.Stmt{m.Stmt}, Lbrace: m.Pos(), Rbrace: m.End()}, false, false, false)
	default:
		visit(n, false, false, false)
	}
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].from < edits[j].from })
	at := n.Pos()
	for _, e := range edits {
		if e.from < at {
			continue
		}
		out.text = join(out.text, l.g.bytes(at, e.from), e.by)
		at = e.to
	}
	out.text = join(out.text, l.g.bytes(at, n.End()))
	return out
}

// ident replaces an identifier that names a variable, and notes the package that one names.
func (l *lowerer) ident(id *ast.Ident, replace func(ast.Node, text)) {
	if v := l.varOf(id); v != nil {
		replace(id, join(v))
		return
	}
	if p, ok := l.g.TypesInfo.Uses[id].(*types.PkgName); ok {
		l.g.use(p, id.Pos())
	}
	if f, ok := l.g.TypesInfo.Uses[id].(*types.Builtin); ok && f.Name() == "recover" {
		l.refuse(id.Pos(), "recover: a process does not catch panics")
	}
}

// checkClosure reports waits in a closure.
func (l *lowerer) checkClosure(f *ast.FuncLit) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && l.g.isWait(c) {
			l.refuse(c.Pos(), "%s waits in a closure: write a process, and call or start it", types.ExprString(c.Fun))
		}
		return true
	})
}

// findTaken finds the variables whose address is taken, or that closures have.
func (l *lowerer) findTaken() {
	taken := map[types.Object]bool{}
	root := func(e ast.Expr) {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.Ident:
				if obj := l.g.TypesInfo.Uses[x]; obj != nil {
					taken[obj], l.changed[obj] = true, true
				}
				return
			case *ast.SelectorExpr:
				if _, ptr := l.g.TypesInfo.TypeOf(x.X).Underlying().(*types.Pointer); ptr {
					return
				}
				e = x.X
			case *ast.IndexExpr:
				if _, arr := l.g.TypesInfo.TypeOf(x.X).Underlying().(*types.Array); !arr {
					return
				}
				e = x.X
			default:
				return
			}
		}
	}
	ast.Inspect(l.p.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				root(n.X)
			}
		case *ast.SliceExpr:
			if _, arr := l.g.TypesInfo.TypeOf(n.X).Underlying().(*types.Array); arr {
				root(n.X)
			}
		case *ast.SelectorExpr:
			if s := l.g.TypesInfo.Selections[n]; s != nil && s.Kind() == types.MethodVal {
				if fn, ok := s.Obj().(*types.Func); ok && fn.Signature().Recv() != nil {
					_, ptr := types.Unalias(fn.Signature().Recv().Type()).(*types.Pointer)
					if _, has := l.g.TypesInfo.TypeOf(n.X).Underlying().(*types.Pointer); ptr && !has {
						root(n.X)
					}
				}
			}
		case *ast.FuncLit:
			ast.Inspect(n.Body, func(m ast.Node) bool {
				if id, ok := m.(*ast.Ident); ok {
					if obj, ok := l.g.TypesInfo.Uses[id].(*types.Var); ok && !obj.IsField() && obj.Pos() < n.Pos() {
						taken[obj] = true
					}
				}
				return true
			})
		}
		return true
	})
	l.taken = taken
}
