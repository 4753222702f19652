// This file owns which functions are handlers: it finds the LP types of a package, and what they are given.

package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
)

const (
	rossPath  = "github.com/ross-go/ross"
	rngPath   = rossPath + "/rng"
	statsPath = rossPath + "/stats"
	dataPath  = rossPath + "/container"
	netPath   = rossPath + "/network/interconnect"
)

// roles is a set of fields of ross.Type in which a function is.
type roles uint

const (
	isInit roles = 1 << iota
	isEvent
	isReverse
	isCommit
	isPoint
	isFinal
	isOther // Trace, Sample and what stores states: they look, and change nothing
)

// Sets of roles.
const (
	undone   = isEvent | isReverse | isPoint // what an optimistic run does again
	computes = undone | isInit               // what results depend on
	parallel = computes | isCommit | isOther // what PEs call at the same time
	records  = isInit | isEvent | isCommit   // what effects come from
)

// fields are the fields of ross.Type that hold handlers, with the places of state, LP and message among the parameters.
var fields = map[string]struct {
	role           roles
	state, lp, msg int
}{
	"Init": {isInit, 0, 1, -1}, "PreRun": {isInit, 0, 1, -1},
	"Event": {isEvent, 0, 1, 3}, "Reverse": {isReverse, 0, 1, 3}, "Commit": {isCommit, 0, 1, 3},
	"deliver": {isEvent, 0, 1, -1}, // of interconnect.Handlers
	"Point":   {isPoint, 0, 1, -1}, "ReversePoint": {isReverse, 0, 1, -1},
	"Final": {isFinal, 0, 1, -1}, "Trace": {isOther, -1, 0, 2}, "Sample": {isOther, 0, 1, -1},
	"SerializedSize": {isOther, 0, 1, -1}, "Serialize": {isOther, 0, 1, -1}, "Deserialize": {isInit, 0, 1, -1},
}

// lpType is a value of ross.Type in the source.
type lpType struct {
	lit   *ast.CompositeLit
	state types.Type
	set   map[string]ast.Expr
}

// handler is a function in a role.
type handler struct {
	fn    *function
	field string
	role  roles
	// The parameters; nil if there is none.
	state, lp, msg *types.Var
	// shared is what all LPs share: the receiver of a method value, such as p of p.event.
	shared *types.Var
	of     *lpType // nil if it is not known
	// pair is a number that Event and Reverse of the same messages have in common, 0 for none.
	pair token.Pos
}

// model is what a package has of a model.
type model struct {
	mu       sync.Mutex // for what is found when it is asked for
	fset     *token.FileSet
	pkg      *types.Package
	info     *types.Info
	decls    map[*types.Func]*function
	lits     map[*ast.FuncLit]*function
	types    []*lpType
	handlers []*handler
	silent   []span
	files    []*ast.File
	// What variables are given: values, elements of what a loop goes through, one of
	// several results, and, for parameters, arguments; see assigned.
	given, elements, passed map[*types.Var][]ast.Expr
	results                 map[*types.Var][]result
}

var handlersAnalyzer = &analysis.Analyzer{
	Name: "rosshandlers", Doc: "find the handlers of LPs, for the other analyzers",
	ResultType: reflect.TypeFor[*model](),
	Run: func(pass *analysis.Pass) (any, error) {
		m := &model{fset: pass.Fset, pkg: pass.Pkg, info: pass.TypesInfo, files: pass.Files,
			decls: map[*types.Func]*function{}, lits: map[*ast.FuncLit]*function{}}
		m.findFunctions(pass.Files)
		for _, f := range pass.Files {
			m.findTypes(f)
		}
		if len(m.handlers) > 0 {
			m.findSilent(pass.Files)
			m.spread()
		}
		return m, nil
	},
}

// findTypes finds the LP types of a file, and their handlers.
func (m *model) findTypes(f *ast.File) {
	var within []*lpType // the literals that are open
	var ends []token.Pos
	current := func(at token.Pos, state types.Type) *lpType {
		for i := len(within) - 1; i >= 0; i-- {
			if at < ends[i] && types.Identical(within[i].state, state) {
				return within[i]
			}
		}
		return nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if args := instance(m.info.TypeOf(n), rossPath, "Type"); args != nil {
				t := &lpType{lit: n, state: args.At(0), set: map[string]ast.Expr{}}
				m.types = append(m.types, t)
				within, ends = append(within, t), append(ends, n.End())
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						if key, ok := kv.Key.(*ast.Ident); ok {
							t.set[key.Name] = kv.Value
							m.add(key.Name, kv.Value, t, n.Pos())
						}
					}
				}
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				sel, ok := ast.Unparen(left).(*ast.SelectorExpr)
				if !ok || len(n.Lhs) != len(n.Rhs) {
					continue
				}
				if args := instance(m.info.TypeOf(sel.X), rossPath, "Type"); args != nil {
					m.add(sel.Sel.Name, n.Rhs[i], nil, 0)
				}
			}
		case *ast.CallExpr:
			fn := m.callee(n)
			if is(fn, netPath, "", "Handlers") && len(n.Args) == 3 {
				if list, ok := under[*types.Slice](m.info.TypeOf(n)); ok {
					if h := instance(list.Elem(), rossPath, "Handler"); h != nil {
						m.add("deliver", n.Args[2], current(n.Pos(), h.At(0)), n.Pos())
					}
				}
			}
			if fn == nil || len(n.Args) != 1 {
				break
			}
			if is(fn, rossPath, "", "On") {
				if h := instance(m.info.TypeOf(n), rossPath, "Handlers"); h != nil {
					m.add("Event", n.Args[0], current(n.Pos(), h.At(0)), n.Pos())
				}
			} else if is(fn, rossPath, "Handlers", fn.Name()) {
				if h := instance(m.info.TypeOf(n), rossPath, "Handlers"); h != nil {
					m.add(fn.Name(), n.Args[0], current(n.Pos(), h.At(0)), n.Pos())
				}
			}
		}
		return true
	})
}

// add adds what a field of a type is given, if it holds handlers.
func (m *model) add(field string, value ast.Expr, of *lpType, pair token.Pos) {
	as, ok := fields[field]
	if !ok {
		return
	}
	for _, v := range m.functionsOf(value, 0) {
		params := v.fn.params
		shift := v.shift
		at := func(i int) *types.Var {
			if i += shift; i < shift || i >= len(params) {
				return nil
			}
			return params[i]
		}
		h := &handler{fn: v.fn, field: field, role: as.role, state: at(as.state), lp: at(as.lp), msg: at(as.msg), of: of, pair: pair}
		if as.state < 0 {
			h.state = nil
		}
		if as.msg < 0 {
			h.msg = nil
		}
		if shift == 1 {
			h.shared = params[0]
		}
		m.handlers = append(m.handlers, h)
	}
}

// value is a function that an expression denotes. shift is 1 for a method value, whose receiver is no parameter.
type value struct {
	fn    *function
	shift int
}

// functionsOf returns the functions of this package that an expression may denote.
func (m *model) functionsOf(e ast.Expr, depth int) (all []value) {
	if depth > 4 {
		return nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return []value{{m.lits[e], 0}}
	case *ast.IndexExpr:
		return m.functionsOf(e.X, depth)
	case *ast.IndexListExpr:
		return m.functionsOf(e.X, depth)
	case *ast.Ident:
		switch obj := m.info.Uses[e].(type) {
		case *types.Func:
			if fn := m.decls[obj.Origin()]; fn != nil {
				return []value{{fn, 0}}
			}
		case *types.Var:
			for _, right := range slices.Concat(m.assigned(obj), m.passed[obj]) {
				all = append(all, m.functionsOf(right, depth+1)...)
			}
		}
	case *ast.SelectorExpr:
		obj, _ := m.info.Uses[e.Sel].(*types.Func)
		if obj == nil {
			return nil
		}
		fn := m.decls[obj.Origin()]
		if fn == nil {
			return nil
		}
		if s := m.info.Selections[e]; s != nil && s.Kind() == types.MethodVal {
			return []value{{fn, 1}}
		}
		return []value{{fn, 0}}
	case *ast.CallExpr: // a function that makes the handler
		callee := m.callee(e)
		if callee == nil || m.decls[callee] == nil {
			return nil
		}
		for _, r := range m.decls[callee].returns {
			if len(r.Results) == 1 {
				all = append(all, m.functionsOf(r.Results[0], depth+1)...)
			}
		}
	}
	return all
}

// instance returns the type arguments if t, or what it points to, is a type of this name, and nil otherwise.
func instance(t types.Type, path, name string) *types.TypeList {
	if n := named(t); n != nil && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path {
		return n.TypeArgs()
	}
	return nil
}

// named returns the named type that t is or points to, or nil.
func named(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// in says whether t is, or points to, a type of a package; name "" means any.
func in(t types.Type, path, name string) bool {
	n := named(t)
	return n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path && (name == "" || n.Obj().Name() == name)
}

// is says whether fn is a function, or the method of a type (recv not ""), of a package.
func is(fn *types.Func, path, recv, name string) bool {
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != path || fn.Name() != name {
		return false
	}
	r := fn.Signature().Recv()
	if r == nil || recv == "" {
		return r == nil && recv == ""
	}
	return in(r.Type(), path, recv)
}
