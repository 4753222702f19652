// This file owns Shared: variables that all LPs share and that handlers write.

package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Shared finds variables outside of the states that handlers change.
var Shared = analyzer("shared",
	"find variables of the program that handlers write: PEs share them, and no rollback undoes them", func(f *finder) {
		written := map[*types.Var]bool{}
		const out = "keep it in the state, add up after the run (ross.Reduce), or record it in package stats"
		f.reached(parallel, func(fn *function) {
			locked := fn.role&undone == 0 && f.locks(fn)
			for _, w := range f.summarize(fn).writes {
				if w.origin != ofVariable || eachItsOwn(fn, w) {
					continue
				}
				switch {
				case isGlobal(w.base):
					if !f.ignored(w.at.Pos()) {
						written[w.base] = true
					}
					if !locked {
						f.report(w.at.Pos(), "a handler writes the variable %s: PEs share it, and no rollback undoes it: %s",
							w.base.Name(), out)
					}
				case !fn.has(w.base) && !locked && !f.inTest(w.at):
					f.report(w.at.Pos(), "a handler writes %s, a variable around it: PEs share it, and no rollback undoes it: %s",
						w.base.Name(), out)
				}
			}
		})
		for _, h := range f.handlers {
			if h.shared == nil || h.role&parallel == 0 || h.role&undone == 0 && f.locks(h.fn) {
				continue
			}
			for _, w := range f.summarize(h.fn).writes {
				if w.base == h.shared && !eachItsOwn(h.fn, w) && w.deref && w.origin == ofVariable && !f.inTest(w.at) {
					f.report(w.inner, "a handler writes %s: %s is the same for all LPs, PEs share it, and no rollback undoes it: %s",
						shown(w.base, w.place), w.base.Name(), out)
				}
			}
		}
		line := func(at token.Pos) int { return f.fset.Position(at).Line }
		f.reached(computes, func(fn *function) {
			ast.Inspect(fn.body, func(n ast.Node) bool {
				if e, ok := n.(*ast.UnaryExpr); ok && e.Op == token.AND {
					return false // what is done through the pointer counts
				}
				if id, ok := n.(*ast.Ident); ok {
					v, ok := f.info.Uses[id].(*types.Var)
					if ok && written[v] && !slices.ContainsFunc(f.summarize(fn).writes, func(w write) bool {
						return w.base == v && line(w.at.Pos()) == line(id.Pos()) // x = x + 1 is one finding
					}) {
						f.report(id.Pos(), "a handler reads %s, which handlers write: what it is depends on the scheduler: %s", v.Name(),
							out)
					}
				}
				return true
			})
		})
	})

// eachItsOwn says whether w may be a slot of a slice or array in which each LP has one, as Commit may have.
func eachItsOwn(fn *function, w write) bool {
	return fn.role&undone == 0 && strings.Contains(w.path, "[]")
}

// locks says whether a function takes a lock.
func (f *finder) locks(fn *function) (is bool) {
	ast.Inspect(fn.body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if called := f.callee(call); called != nil && called.Pkg() != nil && called.Pkg().Path() == "sync" &&
				(called.Name() == "Lock" || called.Name() == "Do") {
				is = true
			}
		}
		return !is
	})
	return is
}

// inTest says whether a node is in a test, which may look at what handlers do in a sequential run.
func (m *model) inTest(n ast.Node) bool {
	return strings.HasSuffix(m.fset.File(n.Pos()).Name(), "_test.go")
}
