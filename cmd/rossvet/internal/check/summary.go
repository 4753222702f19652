// This file owns summaries: what a function writes, saves and hands on, in terms of its parameters.

package check

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"
)

// write is a change of memory that is not the function's own.
type write struct {
	place
	at    ast.Node  // in the function itself
	inner token.Pos // where it happens, perhaps in a function that is called
	// saved says that Save or Write saved it before.
	saved bool
	// again says that the former value counts, as in x++ or x *= 2.
	again bool
	// sum says that a float that may have digits behind the point is added or subtracted.
	sum bool
}

// summary is what a function does to memory that is not its own.
type summary struct {
	writes []write
	saves  []place
	// escapes is what others get whose code is not seen: it may be written or not.
	escapes []place
}

func sortByPos(fns []*function) {
	slices.SortFunc(fns, func(a, b *function) int { return cmp.Compare(a.node.Pos(), b.node.Pos()) })
}

// summarize returns the summary of a function, with what the functions that it calls do.
func (m *model) summarize(fn *function) *summary {
	if fn.sums != nil || fn.busy {
		if fn.sums == nil {
			return &summary{}
		}
		return fn.sums
	}
	fn.busy = true
	defer func() { fn.busy = false }()
	s, v := &summary{}, m.view(fn)
	again, sum := false, false
	add := func(ps []place, at ast.Node) {
		for _, p := range ps {
			s.add(v, write{place: p, at: at, inner: at.Pos(), again: again, sum: sum})
		}
	}
	leave(fn.body, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				again, sum = n.Tok != token.ASSIGN, v.addsFloat(n)
				for _, left := range n.Lhs {
					add(v.places(left), left)
				}
				again, sum = false, false
			}
		case *ast.IncDecStmt:
			again = true
			add(v.places(n.X), n.X)
			again = false
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				for _, e := range []ast.Expr{n.Key, n.Value} {
					if e != nil {
						add(v.places(e), e)
					}
				}
			}
		case *ast.CallExpr:
			v.call(s, n, add)
		}
	})
	fn.sums = s
	return s
}

// add adds a change. What has been saved until then is known.
func (s *summary) add(v *view, w write) {
	if v.outer(w.place) {
		w.saved = w.saved || slices.ContainsFunc(s.saves, func(p place) bool { return p.covers(w.place) })
		s.writes = append(s.writes, w)
	}
}

// addsFloat says whether an assignment is x += y or x -= y of floats, where y is neither a whole constant nor was an
// integer.
func (v *view) addsFloat(n *ast.AssignStmt) bool {
	if n.Tok != token.ADD_ASSIGN && n.Tok != token.SUB_ASSIGN || !isBasic(v.info.TypeOf(n.Lhs[0]), types.IsFloat) {
		return false
	}
	y := ast.Unparen(n.Rhs[0])
	if x, ok := v.number(y); ok {
		return x != math.Trunc(x)
	}
	if call, ok := y.(*ast.CallExpr); ok && v.info.Types[call.Fun].IsType() && len(call.Args) == 1 {
		return !isBasic(v.info.TypeOf(call.Args[0]), types.IsInteger)
	}
	return true
}

// leave calls do for each node after those in it, so that what an expression calls comes before its assignment.
func leave(root ast.Node, do func(ast.Node)) {
	var open []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if n != nil {
			open = append(open, n)
			return true
		}
		do(open[len(open)-1])
		open = open[:len(open)-1]
		return true
	})
}

// call adds what a call does.
func (v *view) call(s *summary, call *ast.CallExpr, add func([]place, ast.Node)) {
	if v.info.Types[call.Fun].IsType() {
		return
	}
	switch v.builtin(call) {
	case "delete", "clear", "copy":
		add(v.targets(call.Args[0]), call.Args[0])
		return
	case "":
	default:
		return
	}
	fn := v.callee(call)
	if fn == nil {
		s.escapes = append(s.escapes, v.pointers(call.Args)...)
		return
	}
	args := v.arguments(call, fn)
	if called := v.decls[fn]; called != nil {
		inner := v.summarize(called)
		for _, w := range inner.writes {
			if w.origin == ofVariable && !isGlobal(w.base) {
				for _, p := range v.substitute(w.place, call, called) {
					s.add(v, write{place: p, at: call, inner: w.inner, saved: w.saved, again: w.again, sum: w.sum})
				}
			}
		}
		for _, p := range inner.saves {
			s.saves = append(s.saves, v.substitute(p, call, called)...)
		}
		for _, p := range inner.escapes {
			s.escapes = append(s.escapes, v.substitute(p, call, called)...)
		}
		return
	}
	path := ""
	if fn.Pkg() != nil {
		path = fn.Pkg().Path()
	}
	switch {
	case is(fn, rossPath, "", "Save") || is(fn, rossPath, "", "Write"):
		if len(args) == 2 {
			s.saves = append(s.saves, v.targets(args[1].e)...)
		}
	case (path == "slices" || path == "sort") && len(args) > 0 && reorders(fn.Name()):
		add(v.targets(args[0].e), args[0].e)
	case len(args) > 0 && fn.Signature().Recv() != nil && changes(fn, path):
		add(v.argument(args[0], fn.Signature().Recv().Type()), args[0].e)
	case harmless(path):
	default:
		s.escapes = append(s.escapes, v.pointers(call.Args)...)
		if r := fn.Signature().Recv(); r != nil && len(args) > len(call.Args) {
			s.escapes = append(s.escapes, v.argument(args[0], r.Type())...)
		}
	}
}

// pointers returns what arguments point to.
func (v *view) pointers(args []ast.Expr) (all []place) {
	for _, a := range args {
		if t := v.info.TypeOf(a); t != nil {
			if _, basic := t.Underlying().(*types.Basic); !basic {
				all = append(all, v.targets(a)...)
			}
		}
	}
	return all
}

// reorders says whether a function of slices or sort writes to its first argument.
func reorders(name string) bool {
	for _, p := range []string{"Sort", "Stable", "Reverse", "Delete", "Compact", "Insert", "Replace", "Slice", "Ints",
		"Float64s", "Strings"} {
		if strings.HasPrefix(name, p) && name != "Sorted" && !strings.HasPrefix(name, "SliceIs") {
			return true
		}
	}
	return false
}

// changes says whether a method of another package is known to change its receiver.
func changes(fn *types.Func, path string) bool {
	if _, pointer := fn.Signature().Recv().Type().(*types.Pointer); !pointer {
		return false
	}
	switch path {
	case statsPath:
		return fn.Name() == "Add" || fn.Name() == "Inc" || fn.Name() == "Set"
	case "bytes", "strings", "bufio", "container/list", "container/ring":
		return !slices.Contains([]string{"Len", "Cap", "String", "Bytes", "Available", "Front", "Back", "Next", "Prev",
			"Size"}, fn.Name())
	}
	return false
}

// harmless says whether functions of a package do not change what their arguments point to, or undo that themselves.
func harmless(path string) bool {
	switch path {
	case rossPath, rngPath, statsPath, dataPath, netPath, "fmt", "log", "log/slog", "math", "math/bits", "errors",
		"strings", "strconv", "cmp",
		"slices", "sort", "maps", "time", "sync", "sync/atomic", "unsafe", "os":
		return true
	}
	return false
}
