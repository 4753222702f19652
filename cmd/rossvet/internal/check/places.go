// This file owns places: which memory an expression stands for, as seen from a function.

package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// origin says what the memory of a place belongs to, apart from variables.
type origin int

const (
	ofVariable origin = iota
	ofWrite           // what ross.Write or an Edit returned: it is saved
	ofMessage         // what ross.NewEvent returned
	ofRead            // what a method of a container returned that is for reading
	ofForeign         // the state of another LP
)

// place is memory: a variable, or what it points to, and a path of fields from there. What a pointer, slice or map in
// it refers to counts as the same memory, since it belongs to the same owner.
type place struct {
	origin origin
	base   *types.Var
	// deref says that it is what the variable points to.
	deref bool
	path  string
	// exempt says that nothing has to be undone there: scratch, containers and statistics.
	exempt bool
}

// covers says whether what is saved or written at p contains q.
func (p place) covers(q place) bool {
	if p.base != q.base || p.origin != q.origin || !strings.HasPrefix(q.path, p.path) {
		return false
	}
	rest := q.path[len(p.path):]
	return rest == "" || rest[0] == '.' || rest[0] == '['
}

// overlaps says whether two places have memory in common.
func (p place) overlaps(q place) bool { return p.covers(q) || q.covers(p) }

// then returns the place after further steps of a path.
func (p place) then(path string, exempt bool) place {
	p.path += path
	p.exempt = p.exempt || exempt
	return p
}

func allThen(ps []place, path string, exempt bool) (all []place) {
	for _, p := range ps {
		all = append(all, p.then(path, exempt))
	}
	return all
}

// view looks at expressions of a function. seen breaks cycles of variables.
// steps bounds what a web of variables that are given each other may cost: beyond it they point to nothing.
type view struct {
	*model
	fn    *function
	seen  map[any]bool
	steps *int
}

func (m *model) view(fn *function) *view { return &view{m, fn, map[any]bool{}, new(int)} }

// tired counts a step, and says whether there have been too many for one question.
func (v *view) tired() bool {
	if len(v.seen) == 0 {
		*v.steps = 0
	}
	*v.steps++
	return *v.steps > 10000
}

// isGlobal says whether v is a variable of a package.
func isGlobal(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// outer says whether a place is not of the function itself: not what one of its own variables holds.
func (v *view) outer(p place) bool {
	switch {
	case p.origin != ofVariable || isGlobal(p.base) || !v.fn.has(p.base):
		return true
	case v.fn.param(p.base) >= 0:
		return p.deref
	}
	return false
}

// places returns the memory that an expression on the left of = may stand for.
func (v *view) places(e ast.Expr) []place {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if obj, ok := v.object(e).(*types.Var); ok {
			return []place{{base: obj}}
		}
	case *ast.SelectorExpr:
		s := v.info.Selections[e]
		if s == nil { // a variable of another package
			if obj, ok := v.info.Uses[e.Sel].(*types.Var); ok {
				return []place{{base: obj}}
			}
			return nil
		}
		if s.Kind() != types.FieldVal {
			return nil
		}
		path, exempt := fieldPath(s.Recv(), s.Index())
		return allThen(v.base(e.X), path, exempt)
	case *ast.IndexExpr:
		if _, ok := under[*types.Map](v.info.TypeOf(e.X)); ok {
			return allThen(v.base(e.X), "[key]", false)
		}
		return allThen(v.base(e.X), "[]", false)
	case *ast.StarExpr:
		return v.targets(e.X)
	case *ast.CompositeLit:
		return nil
	case *ast.CallExpr:
		return v.targets(e)
	}
	return nil
}

// base returns the memory in which a field or an element of x lies.
func (v *view) base(x ast.Expr) []place {
	t := v.info.TypeOf(x)
	if t == nil {
		return nil
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map:
		return v.targets(x)
	}
	return v.places(x)
}

func (v *view) object(id *ast.Ident) types.Object {
	if obj := v.info.Uses[id]; obj != nil {
		return obj
	}
	return v.info.Defs[id]
}

// targets returns what the value of an expression points to.
func (v *view) targets(e ast.Expr) []place {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj, ok := v.object(e).(*types.Var)
		if !ok {
			return nil
		}
		return v.targetsOf(obj)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return v.places(e.X)
		}
	case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		ps := v.places(e)
		for i := range ps {
			if ps[i].path == "" {
				ps[i].deref = true
			}
		}
		return ps
	case *ast.SliceExpr:
		return v.base(e.X)
	case *ast.TypeAssertExpr:
		return v.targets(e.X)
	case *ast.CallExpr:
		return v.returned(e, 0)
	}
	return nil
}

// targetsOf returns what a variable points to: that of a parameter or of a variable from elsewhere is a place by
// itself, and one of the function points to what it was given.
func (v *view) targetsOf(obj *types.Var) (all []place) {
	if isGlobal(obj) || !v.fn.has(obj) {
		return []place{{base: obj, deref: true}}
	}
	if v.fn.param(obj) >= 0 {
		all = []place{{base: obj, deref: true}}
	}
	if v.seen[obj] || v.tired() {
		return all
	}
	v.seen[obj] = true
	defer delete(v.seen, obj)
	for _, right := range v.assigned(obj) {
		all = append(all, v.targets(right)...)
	}
	for _, x := range v.elements[obj] {
		all = append(all, allThen(v.base(x), "[]", false)...)
	}
	for _, r := range v.results[obj] {
		all = append(all, v.returned(r.call, r.i)...)
	}
	return all
}

// returned returns what result i of a call points to.
func (v *view) returned(call *ast.CallExpr, i int) (all []place) {
	if tv := v.info.Types[call.Fun]; tv.IsType() && len(call.Args) == 1 {
		return v.targets(call.Args[0])
	}
	if v.builtin(call) == "append" && len(call.Args) > 0 {
		return v.targets(call.Args[0])
	}
	fn := v.callee(call)
	if fn == nil || fn.Pkg() == nil {
		return nil
	}
	switch {
	case is(fn, rossPath, "", "Write"):
		return []place{{origin: ofWrite}}
	case is(fn, rossPath, "", "NewEvent"):
		return []place{{origin: ofMessage}}
	case is(fn, rossPath, "", "StateOf"):
		if len(call.Args) == 1 && !v.ownLP(call.Args[0]) {
			return []place{{origin: ofForeign}}
		}
		return nil
	case is(fn, rossPath, "Block", "Of"):
		return v.base(v.arguments(call, fn)[0].e)
	case fn.Pkg().Path() == dataPath && (fn.Name() == "Edit" || fn.Name() == "Ensure"):
		return []place{{origin: ofWrite}}
	case fn.Pkg().Path() == dataPath && (fn.Name() == "At" || fn.Name() == "Get" || fn.Name() == "Find"):
		return []place{{origin: ofRead}}
	}
	called := v.decls[fn]
	if called == nil || v.seen[called] || len(v.seen) > 20 || v.tired() {
		return nil
	}
	v.seen[called] = true
	defer delete(v.seen, called)
	inner := &view{v.model, called, v.seen, v.steps}
	for _, r := range called.returns {
		if i < len(r.Results) && len(r.Results) == called.obj.Signature().Results().Len() {
			if _, basic := v.info.TypeOf(r.Results[i]).Underlying().(*types.Basic); basic {
				continue
			}
			for _, p := range inner.targets(r.Results[i]) {
				all = append(all, v.substitute(p, call, called)...)
			}
		}
	}
	return all
}

// substitute returns what a place of a called function is for the caller.
func (v *view) substitute(p place, call *ast.CallExpr, called *function) (all []place) {
	if p.origin != ofVariable || isGlobal(p.base) {
		return []place{p}
	}
	j := called.param(p.base)
	args := v.arguments(call, called.obj)
	if j < 0 || j >= len(args) || !p.deref {
		return nil
	}
	for _, q := range v.argument(args[j], called.params[j].Type()) {
		all = append(all, q.then(p.path, p.exempt))
	}
	return all
}

// argument returns what a parameter of type t points to if it gets a: a itself if it is a receiver whose address is
// taken.
func (v *view) argument(a argument, t types.Type) []place {
	if s := a.method; s != nil && len(s.Index()) > 1 { // the method of an embedded field
		path, exempt := fieldPath(s.Recv(), s.Index()[:len(s.Index())-1])
		return allThen(v.base(a.e), path, exempt)
	}
	_, want := under[*types.Pointer](t)
	have := v.info.TypeOf(a.e)
	if have == nil {
		return nil
	}
	if _, is := under[*types.Pointer](have); want && !is {
		return v.places(a.e)
	}
	return v.targets(a.e)
}

// ownLP says whether an expression is surely the LP of the handler: a parameter.
func (v *view) ownLP(e ast.Expr) bool {
	ps := v.targets(e)
	return len(ps) > 0 && !slices.ContainsFunc(ps, func(p place) bool {
		return p.origin != ofVariable || p.path != "" || !in(p.base.Type(), rossPath, "LP") || isGlobal(p.base)
	})
}

// builtin returns the name of the builtin function that is called, or "".
func (m *model) builtin(call *ast.CallExpr) string {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := m.info.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

// fieldPath returns the path of fields of t, embedded ones too, and whether nothing has to be undone there.
func fieldPath(t types.Type, index []int) (path string, exempt bool) {
	for _, i := range index {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			break
		}
		f := st.Field(i)
		path += "." + f.Name()
		exempt = exempt || reflect.StructTag(st.Tag(i)).Get("ross") == "-" || undoesItself(f.Type())
		t = f.Type()
	}
	return path, exempt
}

// undoesItself says whether values of t undo their own changes: containers, statistics and the like.
func undoesItself(t types.Type) bool {
	if a, ok := types.Unalias(t).Underlying().(*types.Array); ok {
		return undoesItself(a.Elem())
	}
	return in(t, dataPath, "") || in(t, statsPath, "") || in(t, rossPath, "Timer") || in(t, netPath, "NIC")
}
