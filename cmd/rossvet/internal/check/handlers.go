// This file owns which functions are handlers: it finds the LP types of a package, and what they are given.

package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"sync"

	"golang.org/x/tools/go/analysis"
)

const (
	rossPath  = "github.com/ross-go/ross"
	rngPath   = rossPath + "/rng"
	statsPath = rossPath + "/stats"
	dataPath  = rossPath + "/container"
	netPath   = rossPath + "/models/network/interconnect"
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

// fields are the fields of ross.Type that hold handlers, and what handlers of messages are made of, with the places of
// state, LP and message among the parameters. Undo data comes before the message.
var fields = map[string]struct {
	role           roles
	state, lp, msg int
}{
	"Init": {isInit, 0, 1, -1}, "PreRun": {isInit, 0, 1, -1},
	"Event": {isEvent, 0, 1, 2}, "Reverse": {isReverse, 0, 1, 2}, "Commit": {isCommit, 0, 1, 2},
	"deliver": {isEvent, 0, 1, -1}, // of interconnect.Handlers
	"Point":   {isPoint, 0, 1, -1}, "ReversePoint": {isReverse, 0, 1, -1},
	"Final": {isFinal, 0, 1, -1}, "Trace": {isOther, -1, 0, 2}, "Sample": {isOther, 0, 1, -1},
	"SerializedSize": {isOther, 0, 1, -1}, "Serialize": {isOther, 0, 1, -1}, "Deserialize": {isInit, 0, 1, -1},
}

// lpType is a value of ross.Type in the source.
type lpType struct {
	node  ast.Node // the literal, or the name of a variable without a value
	state types.Type
	set   map[string][]ast.Expr // what its fields are ever given
}

// handler is a function in a role.
type handler struct {
	fn    *function
	field string
	role  roles
	// The parameters; nil if there is none.
	state, lp, undo, msg *types.Var
	// shared is what all LPs share: the receiver of a method value, such as p of p.event.
	shared *types.Var
	// of is the types that are known to have it.
	of []*lpType
	// links are the chains that it belongs to, and at says which calls made it.
	links []link
	at    sites
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
	ofLit    map[*ast.CompositeLit]*lpType
	ofVar    map[*types.Var]*lpType
	handlers []*handler
	silent   []span
	files    []*ast.File
	// What variables are given: values, elements of what a loop goes through, one of
	// several results, and, for parameters, arguments; see assigned.
	given, elements map[*types.Var][]ast.Expr
	passed          map[*types.Var][]pass
	results         map[*types.Var][]result
}

var handlersAnalyzer = &analysis.Analyzer{
	Name: "rosshandlers", Doc: "find the handlers of LPs, for the other analyzers",
	ResultType: reflect.TypeFor[*model](),
	Run: func(pass *analysis.Pass) (any, error) {
		files := written(pass.Files)
		m := &model{fset: pass.Fset, pkg: pass.Pkg, info: pass.TypesInfo, files: files,
			decls: map[*types.Func]*function{}, lits: map[*ast.FuncLit]*function{},
			ofLit: map[*ast.CompositeLit]*lpType{}, ofVar: map[*types.Var]*lpType{}}
		m.findFunctions(files)
		m.findTypes(files)
		m.findHandlers(files)
		m.findProcesses()
		if len(m.handlers) > 0 {
			m.findSilent(files)
			m.spread()
		}
		return m, nil
	},
}

// findTypes finds the LP types of the package, and what their fields are given.
func (m *model) findTypes(files []*ast.File) {
	add := func(n ast.Node, of types.Type) *lpType {
		args := instance(of, rossPath, "Type")
		if args == nil {
			return nil
		}
		t := &lpType{node: n, state: args.At(0), set: map[string][]ast.Expr{}}
		m.types = append(m.types, t)
		return t
	}
	inspect(files, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if t := add(n, m.info.TypeOf(n)); t != nil {
				m.ofLit[n] = t
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						if key, ok := kv.Key.(*ast.Ident); ok {
							t.set[key.Name] = append(t.set[key.Name], kv.Value)
						}
					}
				}
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				v, ok := m.info.Defs[name].(*types.Var)
				if !ok || len(n.Values) > 0 || len(m.assigned(v)) > 0 || named(v.Type()) != types.Unalias(v.Type()) {
					continue
				}
				if t := add(name, v.Type()); t != nil {
					m.ofVar[v] = t
				}
			}
		}
	})
	inspect(files, func(n ast.Node) {
		if a, ok := n.(*ast.AssignStmt); ok {
			m.fieldsSet(a, func(of []*lpType, field *ast.Ident, value ast.Expr) {
				for _, t := range of {
					t.set[field.Name] = append(t.set[field.Name], value)
				}
			})
		}
	})
}

// fieldsSet calls do for the fields of LP types that an assignment sets.
func (m *model) fieldsSet(a *ast.AssignStmt, do func(of []*lpType, field *ast.Ident, value ast.Expr)) {
	for i, left := range a.Lhs {
		sel, ok := ast.Unparen(left).(*ast.SelectorExpr)
		if ok && len(a.Lhs) == len(a.Rhs) && instance(m.info.TypeOf(sel.X), rossPath, "Type") != nil {
			do(m.typesOf(sel.X, 0), sel.Sel, a.Rhs[i])
		}
	}
}

// findHandlers finds the functions that types and handlers of messages are given.
func (m *model) findHandlers(files []*ast.File) {
	inspect(files, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if t := m.ofLit[n]; t != nil {
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						m.addField(kv.Key, kv.Value, []*lpType{t})
					}
				}
			}
		case *ast.AssignStmt:
			m.fieldsSet(n, func(of []*lpType, field *ast.Ident, value ast.Expr) { m.addField(field, value, of) })
		case *ast.CallExpr:
			m.link(n)
		}
	})
	m.assignTypes()
}

// addField adds what a field of types is given. What handles events is found where it is made.
func (m *model) addField(field, value ast.Expr, of []*lpType) {
	key, ok := field.(*ast.Ident)
	if !ok || key.Name == "Event" {
		return
	}
	var links []link
	for _, t := range of {
		links = append(links, link{t.node, nil})
	}
	m.add(key.Name, value, links, false)
}

// inspect calls do for each node of the files.
func inspect(files []*ast.File, do func(ast.Node)) {
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if n != nil {
				do(n)
			}
			return true
		})
	}
}

// add adds what a field, or a chain, is given, if it holds handlers. undo says that they have undo data.
func (m *model) add(field string, value ast.Expr, links []link, undo bool) {
	as, ok := fields[field]
	if !ok {
		return
	}
	undoAt := -1
	if undo && field != "Trace" {
		undoAt, as.msg = as.msg, as.msg+1
	}
	for _, v := range m.functionsOf(value, nil, 0) {
		params := v.fn.params
		at := func(i int) *types.Var {
			if i < 0 || i+v.shift >= len(params) {
				return nil
			}
			return params[i+v.shift]
		}
		h := &handler{fn: v.fn, field: field, role: as.role, links: links, at: v.at,
			state: at(as.state), lp: at(as.lp), undo: at(undoAt), msg: at(as.msg)}
		if v.shift == 1 {
			h.shared = params[0]
		}
		m.handlers = append(m.handlers, h)
	}
}

// value is a function that an expression denotes. shift is 1 for a method value, whose receiver is no parameter.
type value struct {
	fn    *function
	shift int
	at    sites
}

// functionsOf returns the functions of this package that an expression may denote.
func (m *model) functionsOf(e ast.Expr, at sites, depth int) (all []value) {
	if depth > 4 {
		return nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return []value{{m.lits[e], 0, at}}
	case *ast.IndexExpr:
		return m.functionsOf(e.X, at, depth)
	case *ast.IndexListExpr:
		return m.functionsOf(e.X, at, depth)
	case *ast.Ident:
		switch obj := m.info.Uses[e].(type) {
		case *types.Func:
			if fn := m.decls[obj.Origin()]; fn != nil {
				return []value{{fn, 0, at}}
			}
		case *types.Var:
			for _, right := range m.assigned(obj) {
				all = append(all, m.functionsOf(right, at, depth+1)...)
			}
			for _, p := range m.passed[obj] {
				if at.agree(sites{p.to: p.call}) {
					all = append(all, m.functionsOf(p.e, at.with(p.to, p.call), depth+1)...)
				}
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
			return []value{{fn, 1, at}}
		}
		return []value{{fn, 0, at}}
	case *ast.CallExpr: // a function that makes the handler
		fn := m.decls[m.callee(e)]
		if fn == nil {
			return nil
		}
		for _, r := range fn.returns {
			if len(r.Results) != 1 {
				continue
			}
			for _, v := range m.functionsOf(r.Results[0], at.with(fn, e), depth+1) {
				v.at = v.at.with(fn, at[fn]) // the call is seen here, so others may be elsewhere
				all = append(all, v)
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
