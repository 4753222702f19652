// This file owns Layout, Reversed, Copied and Committed: what depends on the layout of a run, and what
// handlers leave to the engine.

package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Layout finds handlers that ask where they run.
var Layout = analyzer("layout",
	"find lp.PE, lp.KP and lp.Local in handlers: they depend on the numbers of PEs, KPs and ranks", func(f *finder) {
		f.calls(computes, func(call *ast.CallExpr, called *types.Func) {
			for _, name := range []string{"PE", "KP", "Local"} {
				if is(called, rossPath, "LP", name) && !f.inTest(call) {
					f.report(call.Pos(),
						"lp.%s in a handler: it differs with the numbers of PEs, KPs and ranks, and so do results: use lp.ID(), or what the model knows of its LPs", name)
				}
			}
		})
	})

// Reversed finds what Reverse does although the engine has undone it.
var Reversed = analyzer("reversed",
	"find sends and draws in Reverse: the engine undoes those of the event, and nobody undoes those of Reverse",
	func(f *finder) {
		f.calls(isReverse, func(call *ast.CallExpr, called *types.Func) {
			if what := f.ordered(called, map[*types.Func]bool{}); (strings.HasPrefix(what, "a send") ||
				strings.HasPrefix(what, "a draw")) && f.decls[called] == nil {
				f.report(call.Pos(),
					"%s in Reverse: the engine undoes sends and draws of the event by itself, and does not undo those of Reverse: leave it out", what)
			}
		})
	})

// calls calls look for each call in functions that are in some role.
func (f *finder) calls(r roles, look func(call *ast.CallExpr, called *types.Func)) {
	f.reached(r, func(fn *function) {
		ast.Inspect(fn.body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				look(call, f.callee(call))
			}
			return true
		})
	})
}

// Copied finds containers that are copied: a change of the copy is not one of the state, and shares memory with it.
var Copied = analyzer("copied", "find containers of a state that are copied into a variable", func(f *finder) {
	f.reached(parallel|isFinal, func(fn *function) {
		ast.Inspect(fn.body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, e := range n.Rhs {
					if len(n.Lhs) == len(n.Rhs) && f.isVariable(n.Lhs[i]) {
						f.copied(e)
					}
				}
			case *ast.ValueSpec:
				for _, e := range n.Values {
					f.copied(e)
				}
			}
			return true
		})
	})
})

// isVariable says whether an expression is the name of a variable other than _.
func (f *finder) isVariable(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name != "_"
}

// copied reports an expression that is a container where it lies, such as s.Line.
func (f *finder) copied(e ast.Expr) {
	switch e = ast.Unparen(e); e.(type) {
	case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
	default:
		return
	}
	t := types.Unalias(f.info.TypeOf(e))
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == dataPath &&
		n.Obj().Name() != "Handle" {
		f.report(e.Pos(),
			"%s is copied: what happens to the copy does not happen to the state, and both refer to the same memory: take its address, &%[1]s", types.ExprString(e))
	}
}

// Committed finds fields that Commit writes and events read.
var Committed = analyzer("committed",
	"find fields that Commit writes and Event reads: how far commit has come depends on the scheduler", func(f *finder) {
		states := map[*types.Named]bool{}
		for _, h := range f.handlers {
			if h.state != nil {
				if n := named(h.state.Type()); n != nil {
					states[n.Origin()] = true
				}
			}
		}
		written := map[*types.Var][]*ast.SelectorExpr{}
		read := map[*types.Var]bool{}
		note := func(fn *function, e ast.Expr, plain bool) {
			sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
			if !ok {
				return
			}
			s := f.info.Selections[sel]
			if s == nil || s.Kind() != types.FieldVal {
				return
			}
			if n := named(s.Recv()); n == nil || !states[n.Origin()] {
				return
			}
			v := s.Obj().(*types.Var).Origin()
			if fn.role == isCommit && plain {
				written[v] = append(written[v], sel)
			}
			if fn.role&(isEvent|isPoint) != 0 && !plain {
				read[v] = true
			}
		}
		f.reached(isCommit|undone, func(fn *function) {
			left := map[ast.Expr]bool{}
			ast.Inspect(fn.body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.AssignStmt:
					for _, e := range n.Lhs {
						note(fn, e, true)
						left[e] = n.Tok == token.ASSIGN
						for _, right := range n.Rhs { // what only changes itself, as s.F = append(s.F, x), decides nothing
							inside(right, func(own ast.Expr) { left[own] = left[own] || types.ExprString(own) == types.ExprString(e) })
						}
					}
				case *ast.IncDecStmt:
					note(fn, n.X, true)
				case *ast.SelectorExpr:
					if !left[n] {
						note(fn, n, false)
					}
				}
				return true
			})
		})
		for v, all := range written {
			for _, sel := range all {
				if read[v] {
					f.report(sel.Pos(),
						"Commit writes %s, which Event reads: how far commit has come depends on the scheduler, and so do results: let Event write it", types.ExprString(sel))
				}
			}
		}
	})

// inside calls do for each expression in e.
func inside(e ast.Expr, do func(ast.Expr)) {
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok {
			do(x)
		}
		return true
	})
}
