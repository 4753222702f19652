// Package gen turns processes of package proc, ordinary functions that wait, into frames and functions that go on after
// each wait.
//
// A process is lowered to a flat list of instructions: what contains no wait is printed as it stands in the source,
// what stands around a wait becomes labels and jumps (lower.go, expr.go). Variables that are needed after a wait become
// fields of the frame (live.go), and print.go writes it all.
package gen

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Name is that of the file that is generated.
const Name = "zz_proc.go"

// procPath is the package that processes use.
const procPath = "github.com/ross-go/ross/proc"

// File is a file that is to be written; without Text it is to be removed.
type File struct {
	Path string
	Text []byte
}

// Packages generates for the packages that patterns name, as go list does in dir. Each error has file and line.
func Packages(dir string, patterns ...string) (files []File, errs []error) {
	cfg := &packages.Config{Mode: packages.LoadSyntax, Dir: dir, Overlay: map[string][]byte{}}
	// What was generated before may not compile any more, and says nothing of the source.
	first, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedFiles, Dir: dir}, patterns...)
	if err != nil {
		return nil, []error{fmt.Errorf("rossproc: %w", err)}
	}
	for _, p := range first {
		for _, f := range p.GoFiles {
			if filepath.Base(f) == Name {
				cfg.Overlay[f] = []byte("package " + p.Name + "\n")
			}
		}
	}
	all, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, []error{fmt.Errorf("rossproc: %w", err)}
	}
	for _, p := range all {
		if len(p.Errors) > 0 {
			for _, err := range p.Errors {
				errs = append(errs, fmt.Errorf("%s: %s", short(err.Pos), err.Msg))
			}
			continue
		}
		f, more := generate(p)
		if errs = append(errs, more...); f != nil && len(more) == 0 {
			files = append(files, *f)
		}
	}
	return files, errs
}

// short makes a position relative to the current folder.
func short(pos string) string {
	if at, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(at, pos); err == nil && len(rel) < len(pos) {
			return rel
		}
	}
	return pos
}

// pkg is a package that is generated for.
type pkg struct {
	*packages.Package
	procs   map[*types.Func]*process
	order   []*process
	imports map[string]string // paths by the names that sources use
	errs    []error
	text    map[string][]byte // of the files
}

// process is a function that waits, or that is started.
type process struct {
	fn      *types.Func
	decl    *ast.FuncDecl
	waits   bool // otherwise it is only started
	travels bool
	calls   []*process
	started bool
	away    bool         // it may begin at another LP
	host    *types.Named // the state that has it as a method, if one does

	name  string // for people, and for its kind
	base  string // of generated names
	l     *lowerer
	state int // of the search for recursion
	bad   bool
}

// errorf keeps an error about a place in the source.
func (g *pkg) errorf(pos token.Pos, format string, args ...any) {
	g.errs = append(g.errs, fmt.Errorf("%s: %s", short(g.Fset.Position(pos).String()), fmt.Sprintf(format, args...)))
}

// generate returns the file of a package, nil if it needs none and has none.
func generate(p *packages.Package) (*File, []error) {
	g := &pkg{Package: p, procs: map[*types.Func]*process{}, imports: map[string]string{}, text: map[string][]byte{}}
	if len(p.GoFiles) == 0 {
		return nil, nil
	}
	out := &File{Path: filepath.Join(filepath.Dir(p.GoFiles[0]), Name)}
	g.find()
	for _, p := range g.order { // all errors at once
		g.try(p, func() { p.l = lower(g, p) })
		g.try(p, func() { p.l.live() })
	}
	if len(g.errs) == 0 && len(g.order) > 0 {
		out.Text = g.print()
	}
	return out, g.errs
}

// try does a step of a process, unless one before has failed.
func (g *pkg) try(p *process, step func()) {
	if n := len(g.errs); !p.bad {
		step()
		p.bad = len(g.errs) > n
	}
}

// find finds the processes: functions whose first parameter is *proc.Self and that wait, or are started.
func (g *pkg) find() {
	var all []*process
	for _, f := range g.Syntax {
		for _, d := range f.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			fn := g.TypesInfo.Defs[decl.Name].(*types.Func)
			sig := fn.Signature()
			if sig.Params().Len() == 0 || !isSelf(sig.Params().At(0).Type()) {
				g.refuseOutside(decl)
				continue
			}
			p := &process{fn: fn, decl: decl, name: g.Types.Name() + "." + fn.Name(), base: fn.Name()}
			if r := sig.Recv(); r != nil {
				if ptr, ok := types.Unalias(r.Type()).(*types.Pointer); ok && isHost(ptr.Elem()) {
					p.host = types.Unalias(ptr.Elem()).(*types.Named)
				}
				name := typeName(r.Type())
				p.name = g.Types.Name() + "." + name + "." + fn.Name()
				p.base = name + "_" + fn.Name()
			}
			g.procs[fn] = p
			all = append(all, p)
		}
	}
	// Functions that are named and not called are started.
	for _, f := range g.Syntax {
		called := map[*ast.Ident]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				if id := nameOf(c.Fun); id != nil {
					if s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); !ok || g.TypesInfo.Selections[s] == nil ||
						g.TypesInfo.Selections[s].Kind() == types.MethodVal {
						called[id] = true
					}
				}
			}
			return true
		})
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if p := g.named(n); p != nil && !called[n] {
					p.started = true
				}
			case *ast.CallExpr:
				if fn := g.function(n); fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == procPath &&
					strings.HasPrefix(fn.Name(), "GoAt") && len(n.Args) > 3 {
					if p := g.named(nameOf(n.Args[3])); p != nil {
						p.away = true
					}
				}
			}
			return true
		})
	}
	for changed := true; changed; {
		changed = false
		for _, p := range all {
			if p.waits {
				continue
			}
			inspect(p.decl.Body, func(n ast.Node) {
				if c, ok := n.(*ast.CallExpr); ok && g.isWait(c) {
					p.waits, changed = true, true
				}
			})
		}
	}
	for _, p := range all {
		if p.waits || p.started {
			p.away = p.away || p.fn.Exported() // other packages may start it elsewhere
			g.order = append(g.order, p)
			g.try(p, func() { g.check(p) })
		} else {
			g.refuseOutside(p.decl)
			delete(g.procs, p.fn)
		}
	}
	for _, p := range g.order {
		g.callees(p)
	}
	for changed := true; changed; {
		changed = false
		for _, p := range g.order {
			for _, c := range p.calls {
				if c.travels && !p.travels {
					p.travels, changed = true, true
				}
			}
		}
	}
	for _, p := range g.order {
		g.try(p, func() { g.recursion(p) })
	}
}

// named returns the process that an identifier names, or nil.
func (g *pkg) named(id *ast.Ident) *process {
	if id == nil {
		return nil
	}
	if fn, ok := g.TypesInfo.Uses[id].(*types.Func); ok {
		return g.procs[fn]
	}
	return nil
}

// refuseOutside reports waits in a function that is no process.
func (g *pkg) refuseOutside(decl *ast.FuncDecl) {
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && g.primitive(c) != nil && !g.declaresPrimitive(decl) {
			g.errorf(c.Pos(), "%s waits, and %s is no process: its first parameter has to be *proc.Self; "+
				"a closure, such as that of proc.Do, starts a process instead", types.ExprString(c.Fun), decl.Name.Name)
		}
		return true
	})
}

// declaresPrimitive reports whether a function is an X with a BeginX.
func (g *pkg) declaresPrimitive(decl *ast.FuncDecl) bool {
	return g.hasSiblings(g.TypesInfo.Defs[decl.Name].(*types.Func))
}

// check reports what cannot be a process.
func (g *pkg) check(p *process) {
	sig := p.fn.Signature()
	switch {
	case sig.TypeParams() != nil || sig.RecvTypeParams() != nil:
		g.errorf(p.decl.Pos(), "process %s is generic: write one for each type", p.name)
	case sig.Variadic():
		g.errorf(p.decl.Pos(), "process %s has a variable number of parameters: give it an array", p.name)
	case sig.Recv() != nil && p.host == nil:
		g.errorf(p.decl.Pos(), "process %s is a method of %s: a process is a method of a state that embeds proc.Processes, "+
			"through a pointer, or a function", p.name, sig.Recv().Type())
	case p.started && (p.host == nil || sig.Results().Len() > 0):
		g.errorf(p.decl.Pos(), "process %s is started: it has to be a method of the state, without results", p.name)
	}
	for i := 1; i < sig.Params().Len(); i++ {
		v := sig.Params().At(i)
		if what := notPlain(v.Type()); what != "" {
			g.errorf(v.Pos(), "parameter %s of process %s is %s: it stays while the process waits, so give a number, "+
				"or an array or struct of numbers", v.Name(), p.name, what)
		}
	}
	for i := range sig.Results().Len() {
		v := sig.Results().At(i)
		if what := notPlain(v.Type()); what != "" && p.waits {
			g.errorf(v.Pos(), "a result of process %s is %s: return a number, or an array or struct of numbers", p.name, what)
		}
	}
}

// callees finds what a process calls that waits.
func (g *pkg) callees(p *process) {
	inspect(p.decl.Body, func(n ast.Node) {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		if prim := g.primitive(c); prim != nil && prim.Name() == "At" && prim.Pkg().Path() == procPath {
			p.travels = true
		}
		if callee := g.callee(c); callee != nil && callee.waits {
			p.calls = append(p.calls, callee)
		}
	})
}

// recursion reports processes that call themselves.
func (g *pkg) recursion(p *process) {
	if p.state == 1 {
		g.errorf(p.decl.Pos(), "process %s calls itself: its frame would have no size; start it, and join it", p.name)
	}
	if p.state > 0 {
		return
	}
	p.state = 1
	for _, c := range p.calls {
		g.recursion(c)
	}
	p.state = 2
}

// inspect visits what runs in a function itself, without closures.
func inspect(n ast.Node, f func(ast.Node)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if n != nil {
			f(n)
		}
		return true
	})
}

// nameOf returns the identifier of a function that is called.
func nameOf(fun ast.Expr) *ast.Ident {
	switch e := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return nameOf(e.X)
	case *ast.IndexListExpr:
		return nameOf(e.X)
	}
	return nil
}

// function returns the function that a call names, or nil.
func (g *pkg) function(c *ast.CallExpr) *types.Func {
	if id := nameOf(c.Fun); id != nil {
		if fn, ok := g.TypesInfo.Uses[id].(*types.Func); ok {
			return fn.Origin()
		}
	}
	return nil
}

// callee returns the process of this package that a call calls, or nil.
func (g *pkg) callee(c *ast.CallExpr) *process {
	fn := g.function(c)
	if fn == nil {
		return nil
	}
	if s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && g.TypesInfo.Selections[s] != nil &&
		g.TypesInfo.Selections[s].Kind() != types.MethodVal {
		return nil
	}
	return g.procs[fn]
}

// primitive returns the function that a call calls if it is an X with siblings BeginX and EndX, or nil.
func (g *pkg) primitive(c *ast.CallExpr) *types.Func {
	if fn := g.function(c); fn != nil && g.hasSiblings(fn) {
		return fn
	}
	return nil
}

// hasSiblings reports whether a function X of a process has siblings BeginX and EndX.
func (g *pkg) hasSiblings(fn *types.Func) bool {
	sig := fn.Signature()
	if fn.Pkg() == nil {
		return false
	}
	self := sig.Params().Len() > 0 && isSelf(sig.Params().At(0).Type())
	sibling := func(name string) bool {
		if r := sig.Recv(); r != nil {
			obj, _, _ := types.LookupFieldOrMethod(r.Type(), true, fn.Pkg(), name)
			_, is := obj.(*types.Func)
			return is && (self || isSelf(r.Type()))
		}
		_, is := fn.Pkg().Scope().Lookup(name).(*types.Func)
		return is && self
	}
	return sibling("Begin"+fn.Name()) && sibling("End"+fn.Name())
}

// isWait reports whether a call suspends the process.
func (g *pkg) isWait(c *ast.CallExpr) bool {
	if g.primitive(c) != nil {
		return true
	}
	p := g.callee(c)
	return p != nil && p.waits
}
