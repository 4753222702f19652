// This file owns Outside and StatRead: what handlers read that is not the same in each run.

package check

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// Outside finds clocks and random numbers that are not those of the simulation.
var Outside = analyzer("outside",
	"find the clock and random numbers of Go in handlers: results depend on more than the seed", func(f *finder) {
		f.reached(computes, func(fn *function) {
			ast.Inspect(fn.body, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				used, ok := f.info.Uses[id].(*types.Func)
				if !ok || used.Pkg() == nil {
					return true
				}
				name := used.Pkg().Name() + "." + used.Name()
				switch path := used.Pkg().Path(); path {
				case "time":
					if used.Signature().Recv() == nil && clock[used.Name()] {
						f.report(id.Pos(),
							"%s in a handler: real time differs from run to run, and so do results: use lp.Now(), the virtual time, and ross.After to wait", name)
					}
				case "math/rand", "math/rand/v2", "crypto/rand":
					if used.Signature().Recv() != nil {
						if f.local(fn, id) || f.inTest(id) {
							break
						}
						name = "a generator of " + path
					} else if strings.HasPrefix(used.Name(), "New") {
						break
					}
					f.report(id.Pos(),
						"%s in a handler: its draws are neither those of the seed nor undone with the event: draw from lp.RNG()", name)
				case "hash/maphash":
					if used.Name() == "MakeSeed" {
						f.report(id.Pos(),
							"%s in a handler: the seed differs from run to run, and so do results: use a hash without a seed", name)
					}
				}
				return true
			})
		})
	})

var clock = map[string]bool{
	"Now": true, "Since": true, "Until": true, "After": true, "AfterFunc": true, "Sleep": true, "Tick": true,
	"NewTimer": true, "NewTicker": true,
}

// local says whether the receiver of a method is a variable of the function, made anew at each call.
func (f *finder) local(fn *function, method *ast.Ident) (is bool) {
	ast.Inspect(fn.body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel == method {
			if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok {
				v, ok := f.info.Uses[id].(*types.Var)
				is = ok && fn.has(v) && fn.param(v) < 0
			}
		}
		return true
	})
	return is
}

// StatRead finds statistics that are read before they are complete.
var StatRead = analyzer("statread",
	"find statistics that Event, Reverse or Point read: they lack what is not committed yet", func(f *finder) {
		f.reached(undone, func(fn *function) {
			ast.Inspect(fn.body, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				called := f.callee(call)
				if called == nil || called.Pkg() == nil || called.Pkg().Path() != statsPath || called.Signature().Recv() == nil {
					return true
				}
				of := named(called.Signature().Recv().Type())
				if of == nil || !slices.Contains([]string{"Counter", "Tally", "Level", "Histogram", "Series"}, of.Obj().Name()) ||
					slices.Contains([]string{"Add", "Inc", "Set"}, called.Name()) {
					return true
				}
				f.report(call.Pos(),
					"stats.%s.%s in a handler that may be undone: a statistic lacks what is not committed yet, how much depends on the scheduler: keep the number that the model needs in a field of the state",
					of.Obj().Name(), called.Name())
				return true
			})
		})
	})
