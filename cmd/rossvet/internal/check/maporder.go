// This file owns MapOrder: loops over maps whose effect depends on the order.

package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// MapOrder finds loops over Go maps that do something in the order of the map.
var MapOrder = analyzer("maporder",
	"find loops over maps that send, draw, append or add up floats: the order differs from run to run", func(f *finder) {
		f.reached(parallel, func(fn *function) {
			ast.Inspect(fn.body, func(n ast.Node) bool {
				if loop, ok := n.(*ast.RangeStmt); ok && f.mapOf(loop.X) {
					f.loop(fn, loop)
				}
				return true
			})
		})
	})

// mapOf says whether a loop over x goes in the order of a map.
func (f *finder) mapOf(x ast.Expr) bool {
	if _, ok := under[*types.Map](f.info.TypeOf(x)); ok {
		return true
	}
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return false
	}
	called := f.callee(call)
	if called == nil || called.Pkg() == nil || len(call.Args) == 0 {
		return false
	}
	switch {
	case is(called, "maps", "", "Keys") || is(called, "maps", "", "Values") || is(called, "maps", "", "All"):
		return true
	case is(called, "slices", "", "Collect"):
		return f.mapOf(call.Args[0])
	}
	return false
}

func (f *finder) loop(fn *function, loop *ast.RangeStmt) {
	const out = "go through sorted keys (slices.Sorted(maps.Keys(m))) or use container.Map, whose order is always the same"
	say := func(at token.Pos, what string) {
		f.report(at, "%s in a loop over a map: the order of a map differs from run to run, and so do results: %s", what, out)
	}
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if what := f.ordered(f.callee(n), map[*types.Func]bool{}); what != "" {
				say(n.Pos(), what)
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if !f.outside(left, loop) {
					continue
				}
				t := f.info.TypeOf(left)
				switch {
				case len(n.Lhs) == len(n.Rhs) && f.appends(n.Rhs[i]):
					if !f.sortedLater(fn, left, loop.End()) {
						say(n.Pos(), "append")
					}
				case sums(n, i, f) && isBasic(t, types.IsFloat|types.IsComplex):
					say(n.Pos(), "a sum of floats")
				case n.Tok == token.ADD_ASSIGN && isBasic(t, types.IsString):
					say(n.Pos(), "a text put together")
				}
			}
		}
		return true
	})
}

// sums says whether assignment i adds to its left side: x += y, x *= y, x = x + y.
func sums(n *ast.AssignStmt, i int, f *finder) bool {
	switch n.Tok {
	case token.ADD_ASSIGN, token.SUB_ASSIGN, token.MUL_ASSIGN, token.QUO_ASSIGN:
		return true
	case token.ASSIGN:
		if len(n.Lhs) != len(n.Rhs) {
			return false
		}
		b, ok := ast.Unparen(n.Rhs[i]).(*ast.BinaryExpr)
		if !ok || b.Op != token.ADD && b.Op != token.SUB && b.Op != token.MUL {
			return false
		}
		left := types.ExprString(n.Lhs[i])
		return types.ExprString(ast.Unparen(b.X)) == left || types.ExprString(ast.Unparen(b.Y)) == left
	}
	return false
}

func isBasic(t types.Type, info types.BasicInfo) bool {
	b, ok := under[*types.Basic](t)
	return ok && b.Info()&info != 0
}

func (f *finder) appends(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && f.builtin(call) == "append"
}

// outside says whether e is one thing for all turns of the loop: neither declared in it nor chosen by its variables.
func (f *finder) outside(e ast.Expr, loop *ast.RangeStmt) bool {
	is := true
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			obj := f.info.Uses[id]
			if obj == nil {
				obj = f.info.Defs[id]
			}
			if v, ok := obj.(*types.Var); ok && !v.IsField() && loop.Pos() <= v.Pos() && v.Pos() < loop.End() {
				is = false
			}
		}
		return is
	})
	return is
}

// sortedLater says whether the function sorts what has been appended after the loop.
func (f *finder) sortedLater(fn *function, slice ast.Expr, after token.Pos) (is bool) {
	name := types.ExprString(slice)
	ast.Inspect(fn.body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() < after || len(call.Args) == 0 {
			return true
		}
		called := f.callee(call)
		if called == nil || called.Pkg() == nil {
			return true
		}
		sorts := strings.Contains(strings.ToLower(called.Name()), "sort")
		if path := called.Pkg().Path(); path == "sort" || sorts {
			ast.Inspect(call, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok && types.ExprString(e) == name {
					is = true
				}
				return !is
			})
		}
		return !is
	})
	return is
}

// ordered says what a call does that depends on the order of calls, or returns "".
func (m *model) ordered(fn *types.Func, seen map[*types.Func]bool) (what string) {
	if fn == nil || fn.Pkg() == nil || seen[fn] {
		return ""
	}
	seen[fn] = true
	recv := ""
	if r := fn.Signature().Recv(); r != nil {
		if n := named(r.Type()); n != nil {
			recv = n.Obj().Name()
		}
	}
	switch fn.Pkg().Path() {
	case rossPath:
		switch {
		case recv == "" && slices.Contains([]string{"Send", "SendPriority", "NewEvent", "After", "AfterPriority"}, fn.Name()):
			return "a send (" + fn.Name() + ")"
		case recv == "" && (fn.Name() == "Alloc" || fn.Name() == "Free"):
			return fn.Name()
		case recv == "LP" && slices.Contains([]string{"Printf", "Fail", "Suspend", "Log"}, fn.Name()):
			return "lp." + fn.Name()
		}
	case netPath:
		if recv == "NIC" && fn.Name() == "Send" {
			return "a send (Send)"
		}
	case rngPath:
		if recv == "Stream" && fn.Name() != "State" && fn.Name() != "Count" || fn.Name() == "Draw" || fn.Name() == "Choice" {
			return "a draw (" + fn.Name() + ")"
		}
	case dataPath:
		switch fn.Name() {
		case "Push", "PushFront", "Pop", "Put", "Ensure", "Add", "Remove", "Delete", "Fix":
			if recv != "Bitset" {
				return "a change of a container." + recv
			}
		}
	case statsPath:
		if recv == "Level" && fn.Name() == "Set" {
			return "stats.Level.Set"
		}
	}
	called := m.decls[fn]
	if called == nil {
		return ""
	}
	ast.Inspect(called.body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && what == "" {
			what = m.ordered(m.callee(call), seen)
		}
		return what == ""
	})
	return what
}
