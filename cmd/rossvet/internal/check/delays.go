// This file owns Delay and Lookahead: delays that are none, and those that break a promise of their type.

package check

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// Delay finds sends that are given a time, or a negative delay.
var Delay = analyzer("delay", "find sends whose delay is negative, or a time instead of a delay", func(f *finder) {
	f.reached(isInit|isEvent, func(fn *function) {
		ast.Inspect(fn.body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			delay := delayOf(call, f.callee(call))
			if delay == nil {
				return true
			}
			if x, ok := f.number(delay); ok && x < 0 {
				f.report(delay.Pos(),
					"a delay of %g: an event cannot be before its cause, so the run ends (ErrDelay): send with 0 or more", x)
			} else if f.addsNow(delay) {
				f.report(delay.Pos(),
					"Now() is added to a delay: the engine adds it as well, so the event comes far too late: give the delay alone, d instead of Now()+d")
			}
			return true
		})
	})
})

// delayOf returns the argument of a call that is a delay, or nil.
func delayOf(call *ast.CallExpr, called *types.Func) ast.Expr {
	i := -1
	switch {
	case is(called, rossPath, "", "Send"), is(called, rossPath, "", "SendPriority"), is(called, rossPath, "", "NewEvent"):
		i = 2
	case is(called, rossPath, "", "After"), is(called, rossPath, "", "AfterPriority"):
		i = 1
	default:
		i = delayOfProcess(called)
	}
	if i < 0 || len(call.Args) <= i {
		return nil
	}
	return call.Args[i]
}

// addsNow says whether e is a sum with lp.Now().
func (f *finder) addsNow(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || b.Op != token.ADD {
		return false
	}
	for _, x := range []ast.Expr{b.X, b.Y} {
		call, ok := ast.Unparen(x).(*ast.CallExpr)
		if ok && (is(f.callee(call), rossPath, "LP", "Now") || is(f.callee(call), procPath, "Self", "Now")) || f.addsNow(x) {
			return true
		}
	}
	return false
}

// Lookahead finds sends to other LPs with less delay than their type declares.
var Lookahead = analyzer("lookahead", "find sends to other LPs whose delay may be below the Lookahead of their type",
	func(f *finder) {
		done := map[*lpType]map[*function]bool{}
		for _, h := range f.handlers {
			if h.role&(isInit|isEvent) == 0 {
				continue
			}
			for _, t := range h.of {
				promised, ok := f.promised(t)
				if !ok {
					continue
				}
				if done[t] == nil {
					done[t] = map[*function]bool{}
				}
				f.sends(h.fn, promised, done[t])
			}
		}
	})

// promised returns the least Lookahead that a type is given, if all are constants above 0.
func (f *finder) promised(t *lpType) (least float64, ok bool) {
	for i, e := range t.set["Lookahead"] {
		x, constant := f.number(e)
		if !constant || x <= 0 {
			return 0, false
		}
		if i == 0 || x < least {
			least = x
		}
		ok = true
	}
	return least, ok
}

// sends looks at the sends of a function and of those that it calls.
func (f *finder) sends(fn *function, promised float64, done map[*function]bool) {
	if done[fn] {
		return
	}
	done[fn] = true
	v := f.view(fn)
	ast.Inspect(fn.body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		called := f.callee(call)
		if next := f.decls[called]; next != nil {
			f.sends(next, promised, done)
		}
		if !sendsAway(called) {
			return true
		}
		if len(call.Args) < 3 || f.mayBeOwn(v, call.Args[1], 0) {
			return true
		}
		if least, ok := f.least(fn, call.Args[2], 0); ok && least < promised {
			f.report(call.Args[2].Pos(),
				"a delay that may be %g, below the Lookahead %g of the type: the conservative scheduler relies on it and ends the run (ErrLookahead): send with at least %g, or declare less",
				least, promised, promised)
		}
		return true
	})
}

// number returns the value of a constant.
func (m *model) number(e ast.Expr) (float64, bool) {
	tv, ok := m.info.Types[e]
	if !ok || tv.Value == nil {
		return 0, false
	}
	x, _ := constant.Float64Val(constant.ToFloat(tv.Value))
	return x, true
}

// least returns the number that an expression of constants and draws may come down to.
func (f *finder) least(fn *function, e ast.Expr, depth int) (float64, bool) {
	if x, ok := f.number(e); ok {
		return x, true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		x, ok := f.least(fn, e.X, depth)
		y, also := f.least(fn, e.Y, depth)
		switch {
		case !ok || !also:
		case e.Op == token.ADD:
			return x + y, true
		case e.Op == token.MUL && x >= 0 && y >= 0:
			return x * y, true
		}
	case *ast.CallExpr:
		called := f.callee(e)
		if called == nil || called.Pkg() == nil || called.Pkg().Path() != rngPath {
			break
		}
		switch called.Name() {
		case "Unif", "Exponential", "Gamma", "Erlang", "Weibull", "Beta":
			return 0, true
		}
	case *ast.Ident:
		v, ok := f.info.Uses[e].(*types.Var)
		if !ok || depth > 3 || !fn.has(v) || fn.param(v) >= 0 || len(f.results[v])+len(f.elements[v]) > 0 {
			break
		}
		if given := f.assigned(v); len(given) == 1 && !f.changed(fn, v) {
			return f.least(fn, given[0], depth+1)
		}
	}
	return 0, false
}

// changed says whether a variable is changed otherwise than by =, or its address is taken.
func (f *finder) changed(fn *function, v *types.Var) (is bool) {
	uses := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && f.info.Uses[id] == v
	}
	ast.Inspect(fn.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE && n.Tok != token.ASSIGN && uses(n.Lhs[0]) {
				is = true
			}
		case *ast.IncDecStmt:
			is = is || uses(n.X)
		case *ast.UnaryExpr:
			is = is || n.Op == token.AND && uses(n.X)
		}
		return !is
	})
	return is
}

// mayBeOwn says whether a destination may be the LP itself: lp.ID(), a variable that is given it, or a parameter.
func (f *finder) mayBeOwn(v *view, dst ast.Expr, depth int) bool {
	if depth > 3 {
		return true
	}
	switch e := ast.Unparen(dst).(type) {
	case *ast.CallExpr:
		if v.info.Types[e.Fun].IsType() && len(e.Args) == 1 {
			return f.mayBeOwn(v, e.Args[0], depth+1)
		}
		return is(f.callee(e), rossPath, "LP", "ID")
	case *ast.Ident:
		obj, ok := f.info.Uses[e].(*types.Var)
		if !ok {
			return false
		}
		if v.fn.param(obj) >= 0 {
			return true
		}
		for _, right := range f.assigned(obj) {
			if f.mayBeOwn(v, right, depth+1) {
				return true
			}
		}
	}
	return false
}
