// This file owns Kept: pointers that outlive their handler, and those to other LPs.

package check

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Kept finds pointers to states, messages and LPs where they must not be.
var Kept = analyzer("kept",
	"find pointers to states, messages and LPs that are kept, and states of other LPs in handlers", func(f *finder) {
		f.reached(parallel, func(fn *function) {
			v := f.view(fn)
			ast.Inspect(fn.body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.AssignStmt:
					for i, left := range n.Lhs {
						if len(n.Lhs) == len(n.Rhs) && n.Tok != token.DEFINE {
							f.kept(v, left, n.Rhs[i])
						}
					}
				case *ast.CallExpr:
					f.other(v, n)
				}
				return true
			})
		})
	})

// other reports a call that gets at another LP.
func (f *finder) other(v *view, call *ast.CallExpr) {
	const out = "another PE may be changing it, and it is of another time: ask by an event (ross.Send), and answer with one"
	called := f.callee(call)
	switch {
	case is(called, rossPath, "Simulation", "LP"):
		f.report(call.Pos(), "sim.LP in a handler gets at another LP: %s", out)
	case is(called, rossPath, "", "StateOf"):
		if len(call.Args) != 1 || v.ownLP(call.Args[0]) {
			return
		}
		if arg, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr); ok && is(f.callee(arg), rossPath, "Simulation", "LP") {
			return // that is reported already
		}
		f.report(call.Pos(), "ross.StateOf in a handler gets at the state of another LP: %s", out)
	}
}

// kept reports an assignment if it keeps a pointer longer than it may be kept.
func (f *finder) kept(v *view, left, right ast.Expr) {
	right = ast.Unparen(right)
	if lit, ok := right.(*ast.CompositeLit); ok {
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			f.kept(v, left, e)
		}
		return
	}
	if call, ok := right.(*ast.CallExpr); ok && f.builtin(call) == "append" {
		for _, e := range call.Args[1:] {
			f.kept(v, left, e)
		}
		return
	}
	if !pointing(f.info.TypeOf(right)) {
		return
	}
	where, message := "", false
	for _, to := range v.places(left) {
		switch {
		case to.origin == ofForeign:
			where = "the state of another LP"
		case to.origin != ofVariable:
		case isGlobal(to.base):
			where = "the variable " + to.base.Name()
		case !v.fn.has(to.base):
			where = to.base.Name() + ", a variable around the handler"
		case to.deref && f.what(v.fn, to.base) == "shared":
			where = to.base.Name() + ", which is the same for all LPs"
		case to.deref && f.what(v.fn, to.base) == "state":
			where, message = "the state", true
		}
	}
	if where == "" {
		return
	}
	for _, p := range v.targets(right) {
		kind := ""
		switch {
		case p.origin == ofMessage:
			kind = "message"
		case p.origin != ofVariable:
		case p.deref:
			kind = f.what(v.fn, p.base)
		}
		switch kind {
		case "message", "undo data":
			what := "a message"
			if kind != "message" {
				what = kind
			}
			f.report(right.Pos(),
				"a pointer to %s is kept in %s: its memory serves other events when the handler has returned: keep a copy of what is needed", what, where)
		case "Self":
			f.report(right.Pos(), "the Self of a process is kept in %s: it names whichever process runs: keep its PID (p.PID())", where)
		case "state", "LP":
			if !message {
				f.report(right.Pos(),
					"a pointer to the %s of a handler is kept in %s: others would use it while its PE changes it: keep the id (lp.ID()), and ask by an event", kind, where)
			}
		}
	}
}

// pointing says whether values of t are pointers, or something like it.
func pointing(t types.Type) bool {
	if t == nil {
		return false
	}
	if _, is := types.Unalias(t).(*types.TypeParam); is {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		return true
	}
	return false
}

// what says what a parameter points to: "state", "message", "undo data", "LP", "Self", "shared" or "".
func (f *finder) what(fn *function, v *types.Var) string {
	if fn.param(v) < 0 {
		return ""
	}
	switch {
	case in(v.Type(), rossPath, "LP"):
		return "LP"
	case in(v.Type(), procPath, "Self"):
		return "Self"
	}
	for _, h := range f.handlers {
		if h.fn == fn {
			switch v {
			case h.state:
				return "state"
			case h.msg:
				return "message"
			case h.undo:
				return "undo data"
			case h.shared:
				return "shared"
			}
		}
	}
	// A parameter of a function that handlers use is known by its type.
	p, ok := types.Unalias(v.Type()).(*types.Pointer)
	if !ok || named(p) == nil {
		return ""
	}
	for _, h := range f.handlers {
		switch {
		case h.state != nil && types.Identical(h.state.Type(), p):
			return "state"
		case h.msg != nil && types.Identical(h.msg.Type(), p):
			return "message"
		}
	}
	for _, h := range f.handlers {
		if h.undo != nil && types.Identical(h.undo.Type(), p) {
			return "undo data"
		}
	}
	return ""
}
