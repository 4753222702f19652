// This file owns Concurrent: goroutines and what they meet at.

package check

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Concurrent finds goroutines, channels and locks in handlers.
var Concurrent = analyzer("concurrent",
	"find goroutines, channels and locks in handlers: the order of goroutines is not that of virtual time",
	func(f *finder) {
		const order = "the order of goroutines is not that of virtual time, and no rollback undoes it"
		f.reached(parallel, func(fn *function) {
			if f.inTest(fn.node) {
				return
			}
			ast.Inspect(fn.body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					f.report(n.Pos(),
						"go statement in a handler: the goroutine runs on when the handler has returned, and is not undone: do the work in the handler, or as an event of another LP (ross.Send)")
				case *ast.SelectStmt:
					if fn.role&undone != 0 {
						f.report(n.Pos(), "select in a handler: %s: let LPs send each other events (ross.Send)", order)
					}
					return fn.role&undone == 0
				case *ast.SendStmt:
					if fn.role&undone != 0 {
						f.report(n.Arrow, "send on a channel in a handler: %s: send an event (ross.Send), or do it in Commit", order)
					}
				case *ast.UnaryExpr:
					if n.Op == token.ARROW && fn.role&undone != 0 {
						f.report(n.Pos(), "receive from a channel in a handler: %s: let LPs send each other events (ross.Send)", order)
					}
				case *ast.RangeStmt:
					if _, ok := under[*types.Chan](f.info.TypeOf(n.X)); ok && fn.role&undone != 0 {
						f.report(n.Pos(), "receive from a channel in a handler: %s: let LPs send each other events (ross.Send)", order)
					}
				case *ast.CallExpr:
					called := f.callee(n)
					if fn.role&undone == 0 {
						break
					}
					if f.builtin(n) == "close" {
						f.report(n.Pos(), "close of a channel in a handler: %s: let LPs send each other events (ross.Send)", order)
					} else if what := synchronizes(called); what != "" {
						f.report(n.Pos(),
							"%s in a handler: what goroutines share depends on their order, and no rollback undoes it: keep it in the state of an LP, or change it in Commit", what)
					}
				}
				return true
			})
		})
	})

// under returns the underlying type of t as a T.
func under[T types.Type](t types.Type) (u T, ok bool) {
	if t == nil {
		return u, false
	}
	u, ok = t.Underlying().(T)
	return u, ok
}

// synchronizes names what a call synchronizes with, or returns "". A sync.Pool holds no results, and a sync.Once makes
// constants.
func synchronizes(fn *types.Func) string {
	if fn == nil || fn.Pkg() == nil {
		return ""
	}
	switch fn.Pkg().Path() {
	case "sync/atomic":
		if fn.Name() == "Load" || len(fn.Name()) > 4 && fn.Name()[:4] == "Load" {
			return ""
		}
	case "sync":
		r := fn.Signature().Recv()
		if r == nil || in(r.Type(), "sync", "Pool") || in(r.Type(), "sync", "Once") {
			return ""
		}
		if n := named(r.Type()); n != nil {
			return "sync." + n.Obj().Name() + "." + fn.Name()
		}
		return "sync." + fn.Name()
	default:
		return ""
	}
	if r := fn.Signature().Recv(); r != nil {
		if n := named(r.Type()); n != nil {
			return "atomic." + n.Obj().Name() + "." + fn.Name()
		}
	}
	return "atomic." + fn.Name()
}
