// This file owns the lowering of statements: from the source of a process to a flat list of instructions.

package gen

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// op is what an instruction does.
type op uint8

const (
	opText    op = iota // prints its text
	opLabel             // is a place to jump to
	opJump              // to its label
	opUnless            // jumps to its label unless its text is true
	opSuspend           // returns unless its text is true; the process goes on behind it
	opExit              // the end
)

// instr is an instruction.
type instr struct {
	op     op
	pos    token.Pos
	text   text
	label  *label
	stays  bool // opText: the text is as in the source, and may have several lines
	wait   int  // opSuspend: the number of the wait, from 1
	what   string
	ends   bool      // opText: the end of a wait, whose results it assigns
	travel bool      // opSuspend: the process may go on at another LP
	calls  *variable // opSuspend: the frame of a process that is called; nil: it is no call

	jumps []*label
	needs []*variable // opSuspend: states and parameters of the model that are needed after it

	origin *variable // opText: notes there where parameters come from; left out if no frame has it
}

// label is a place in the list.
type label struct {
	name string
	used bool
}

// variable is a local variable of a process that its list declares.
type variable struct {
	obj   types.Object // nil for those of the generator
	typ   types.Type
	name  string
	pos   token.Pos
	param bool // or a result: it is in the frame, at its place
	frame bool
	state bool // a pointer to the state, which is found again after each wait
	taken bool // its address is taken, or a closure has it
	used  bool

	origin *variable // of parameters of the model, which are asked for again after each wait: where they come from
}

// piece is a part of a text: words, or a variable.
type piece struct {
	s   string
	v   *variable
	def bool // the variable is only assigned to
}

type text []piece

func words(s string) text { return text{{s: s}} }

// join appends texts.
func join(parts ...any) (t text) {
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			t = append(t, piece{s: p})
		case text:
			t = append(t, p...)
		case *variable:
			t = append(t, piece{v: p})
		case *label:
			p.used = true
			t = append(t, piece{s: p.name})
		}
	}
	return t
}

// target is a statement that break and continue name.
type target struct {
	stmt         ast.Stmt
	label        string
	leave, again *label // again is nil for a switch
}

// lowerer lowers a process.
type lowerer struct {
	g       *pkg
	p       *process
	self    *types.Var
	list    []instr
	vars    map[types.Object]*variable
	all     []*variable
	results []*variable
	names   map[string]bool
	targets []target
	exit    *label
	waits   int
	labels  int
	inLoop  int
	repl    map[ast.Node]text
	defers  []deferred
	callees map[*process]*variable // fields for the frames of callees
	marks   []string               // what each wait waits for
	entry   map[*variable]bool     // what is needed when it begins
	taken   map[types.Object]bool
	changed map[types.Object]bool // assigned to after its definition, or its address is taken
}

// deferred is a call that runs at the exit.
type deferred struct {
	armed *variable
	pos   token.Pos
	call  text
}

// lower lowers a process.
func lower(g *pkg, p *process) *lowerer {
	l := &lowerer{g: g, p: p, vars: map[types.Object]*variable{}, names: map[string]bool{}, repl: map[ast.Node]text{},
		callees: map[*process]*variable{}, changed: map[types.Object]bool{}}
	sig := p.fn.Signature()
	l.self = sig.Params().At(0)
	ast.Inspect(p.decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			l.names[id.Name] = true
		}
		return true
	})
	l.findTaken()
	l.findChanged()
	l.exit = l.newLabel("exit")
	if r := sig.Recv(); r != nil && r.Name() != "" && r.Name() != "_" {
		l.declare(r, r.Pos()).state = true
	}
	for i := 1; i < sig.Params().Len(); i++ {
		v := l.declare(sig.Params().At(i), sig.Params().At(i).Pos())
		v.param, v.name = true, paramName(sig, i)
		l.names["."+v.name] = true
	}
	for i := range sig.Results().Len() {
		v := l.declare(sig.Results().At(i), sig.Results().At(i).Pos())
		v.param, v.name = true, resultName(sig, i)
		l.names["."+v.name] = true
		l.results = append(l.results, v)
	}
	l.block(p.decl.Body.List)
	l.put(instr{op: opLabel, label: l.exit})
	for i := len(l.defers) - 1; i >= 0; i-- {
		d := l.defers[i]
		over := l.newLabel("over")
		l.put(instr{op: opUnless, pos: d.pos, text: join(d.armed), label: over})
		l.put(instr{op: opText, pos: d.pos, text: d.call})
		l.put(instr{op: opLabel, label: over})
	}
	l.put(instr{op: opExit})
	var begin []instr
	for _, d := range l.defers {
		begin = append(begin, instr{op: opText, pos: d.pos, text: text{{v: d.armed, def: true}, {s: " = false"}}})
	}
	l.list = append(begin, l.list...)
	return l
}

func (l *lowerer) put(i instr) {
	if i.label != nil && i.op != opLabel {
		i.label.used = true
	}
	l.list = append(l.list, i)
}

// newLabel makes a label with a name that the source does not have.
func (l *lowerer) newLabel(kind string) *label {
	for {
		l.labels++
		name := fmt.Sprintf("%s%d", kind, l.labels)
		if !l.names[name] {
			return &label{name: name}
		}
	}
}

// unique returns a name that neither the source of the process nor its frame has.
func (l *lowerer) unique(name string) string {
	free := name
	for i := 2; l.names["."+free] || free == "pc" || token.IsKeyword(free); i++ {
		free = fmt.Sprintf("%s%d", name, i)
	}
	l.names["."+free] = true
	return free
}

// declare makes a variable of the list.
func (l *lowerer) declare(obj types.Object, pos token.Pos) *variable {
	if v := l.vars[obj]; v != nil {
		return v
	}
	name := obj.Name()
	if name == "" || name == "_" {
		name = "unused"
	}
	v := l.fresh(name, obj.Type(), pos)
	v.obj, v.taken = obj, v.taken || l.taken[obj]
	l.vars[obj] = v
	return v
}

// fresh makes a variable of the generator.
func (l *lowerer) fresh(name string, t types.Type, pos token.Pos) *variable {
	v := &variable{typ: t, name: l.unique(name), pos: pos, state: isState(t)}
	l.all = append(l.all, v)
	return v
}

// temp makes a variable for the value of an expression.
func (l *lowerer) temp(e ast.Expr) *variable {
	t := l.g.TypesInfo.TypeOf(e)
	if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		t = types.Default(t)
	}
	return l.fresh("temp", t, e.Pos())
}

// flat reports whether a statement is taken apart: it waits, or defers.
func (l *lowerer) flat(n ast.Node) bool {
	flat := false
	if n == nil {
		return false
	}
	inspect(n, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			flat = flat || l.g.isWait(n)
		case *ast.DeferStmt:
			flat = true
		}
	})
	return flat
}

// waitsIn reports whether an expression waits.
func (l *lowerer) waitsIn(e ast.Node) bool {
	waits := false
	if e == nil || e == ast.Expr(nil) {
		return false
	}
	inspect(e, func(n ast.Node) {
		if c, ok := n.(*ast.CallExpr); ok && l.g.isWait(c) {
			waits = true
		}
	})
	return waits
}

func (l *lowerer) refuse(pos token.Pos, format string, args ...any) {
	l.g.errorf(pos, "process %s: "+format, append([]any{l.p.name}, args...)...)
}

func (l *lowerer) block(list []ast.Stmt) {
	for _, s := range list {
		l.stmt(s, "")
	}
}

// stmt lowers a statement with a label of the source, or without.
func (l *lowerer) stmt(s ast.Stmt, named string) {
	if l.refuseAny(s) {
		return
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		l.assign(s)
		return
	case *ast.DeclStmt:
		l.decl(s)
		return
	case *ast.ReturnStmt:
		l.ret(s)
		return
	case *ast.BranchStmt:
		l.branch(s)
		return
	case *ast.LabeledStmt:
		if l.flat(s.Stmt) {
			l.stmt(s.Stmt, s.Label.Name)
			return
		}
	}
	if !l.flat(s) {
		t := l.src(s)
		l.put(instr{op: opText, pos: s.Pos(), text: t.text, stays: true, jumps: t.jumps})
		return
	}
	switch s := s.(type) {
	case *ast.ExprStmt:
		if c, ok := ast.Unparen(s.X).(*ast.CallExpr); ok && l.g.isWait(c) {
			l.wait(c, nil)
			return
		}
		l.put(instr{op: opText, pos: s.Pos(), text: l.expr(s.X), stays: true})
	case *ast.IncDecStmt:
		l.put(instr{op: opText, pos: s.Pos(), text: join(l.expr(s.X), s.Tok.String())})
	case *ast.BlockStmt:
		l.block(s.List)
	case *ast.IfStmt:
		l.ifStmt(s)
	case *ast.ForStmt:
		l.forStmt(s, named)
	case *ast.RangeStmt:
		l.rangeStmt(s, named)
	case *ast.SwitchStmt:
		l.switchStmt(s, named)
	case *ast.DeferStmt:
		l.deferStmt(s)
	case *ast.TypeSwitchStmt:
		l.refuse(s.Pos(), "a type switch waits: find the type before, and wait in an if or a switch")
	case *ast.SelectStmt, *ast.GoStmt, *ast.SendStmt:
		l.refuse(s.Pos(), "goroutines and channels do not roll back: use processes, proc.Signal and proc.Store")
	default:
		l.refuse(s.Pos(), "%T waits: write the wait as a statement of its own", s)
	}
}

// refuseAny reports what no process does, also between waits.
func (l *lowerer) refuseAny(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt:
		l.refuse(s.Pos(), "goroutines and channels do not roll back: use processes, proc.Signal and proc.Store")
		return true
	case *ast.BranchStmt:
		if s.Tok == token.GOTO {
			l.refuse(s.Pos(), "goto leads through waits: write a loop")
			return true
		}
	}
	return false
}

// assign lowers an assignment, which may declare variables.
func (l *lowerer) assign(s *ast.AssignStmt) {
	if s.Tok == token.DEFINE {
		for _, e := range s.Lhs {
			if id := e.(*ast.Ident); l.g.TypesInfo.Defs[id] != nil && id.Name != "_" {
				l.declare(l.g.TypesInfo.Defs[id], id.Pos())
			}
		}
	}
	if len(s.Rhs) == 1 {
		c, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
		if ok && l.g.isWait(c) && (s.Tok == token.DEFINE || s.Tok == token.ASSIGN) {
			for _, e := range s.Lhs {
				l.prepare(e, true)
				l.calls(e)
			}
			l.wait(c, s.Lhs)
			return
		}
	}
	all := append(append([]ast.Expr{}, s.Lhs...), s.Rhs...)
	l.prepareAll(all)
	l.askAgain(s)
	var t text
	for i, e := range s.Lhs {
		if i > 0 {
			t = join(t, ", ")
		}
		t = join(t, l.lhs(e, s.Tok == token.DEFINE || s.Tok == token.ASSIGN))
	}
	tok := s.Tok.String()
	if s.Tok == token.DEFINE {
		tok = "="
	}
	t = join(t, " "+tok+" ")
	for i, e := range s.Rhs {
		if i > 0 {
			t = join(t, ", ")
		}
		t = join(t, l.src(e).text)
	}
	l.put(instr{op: opText, pos: s.Pos(), text: t, stays: true})
}

// lhs returns the text of what is assigned to.
func (l *lowerer) lhs(e ast.Expr, only bool) text {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if v := l.varOf(id); v != nil {
			return text{{v: v, def: only}}
		}
	}
	return l.src(e).text
}

// varOf returns the variable that an identifier names, or nil.
func (l *lowerer) varOf(id *ast.Ident) *variable {
	obj := l.g.TypesInfo.Uses[id]
	if obj == nil {
		obj = l.g.TypesInfo.Defs[id]
	}
	if obj == nil {
		return nil
	}
	return l.vars[obj]
}

// decl lowers a declaration.
func (l *lowerer) decl(s *ast.DeclStmt) {
	d := s.Decl.(*ast.GenDecl)
	if d.Tok != token.VAR {
		l.refuse(s.Pos(), "declare constants and types outside of the process: its code is taken apart here")
		return
	}
	for _, spec := range d.Specs {
		spec := spec.(*ast.ValueSpec)
		var t text
		l.prepareAll(spec.Values)
		for i, id := range spec.Names {
			if i > 0 {
				t = join(t, ", ")
			}
			if id.Name == "_" {
				t = join(t, "_")
				continue
			}
			v := l.declare(l.g.TypesInfo.Defs[id], id.Pos())
			if len(spec.Values) == 0 {
				l.put(instr{op: opText, pos: spec.Pos(), text: text{{v: v, def: true}, {s: " = " + l.zero(v.typ)}}})
			}
			t = append(t, piece{v: v, def: true})
		}
		if len(spec.Values) == 1 && len(spec.Names) >= 1 {
			c, ok := ast.Unparen(spec.Values[0]).(*ast.CallExpr)
			if ok && l.repl[c] == nil && l.g.isWait(c) {
				lhs := make([]ast.Expr, len(spec.Names))
				for i := range lhs {
					lhs[i] = spec.Names[i]
				}
				l.wait(c, lhs)
				continue
			}
		}
		if len(spec.Values) > 0 {
			t = join(t, " = ")
			for i, e := range spec.Values {
				if i > 0 {
					t = join(t, ", ")
				}
				t = join(t, l.src(e).text)
			}
			l.put(instr{op: opText, pos: spec.Pos(), text: t, stays: true})
		}
	}
}

// zero returns the text of the zero value of a type.
func (l *lowerer) zero(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false"
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsNumeric != 0:
			return "0"
		}
		return "nil"
	case *types.Struct, *types.Array:
		return l.g.typeText(t) + "{}"
	}
	return "nil"
}

// ret lowers a return.
func (l *lowerer) ret(s *ast.ReturnStmt) {
	if len(s.Results) > 0 {
		if len(s.Results) == 1 {
			if c, ok := ast.Unparen(s.Results[0]).(*ast.CallExpr); ok && l.g.isWait(c) {
				l.waitInto(c, l.results)
				l.put(instr{op: opJump, pos: s.Pos(), label: l.exit})
				return
			}
		}
		if l.returnsItself(s) {
			l.put(instr{op: opJump, pos: s.Pos(), label: l.exit})
			return
		}
		l.prepareAll(s.Results)
		l.put(instr{op: opText, pos: s.Pos(), text: l.returned(s), stays: true})
	}
	l.put(instr{op: opJump, pos: s.Pos(), label: l.exit})
}

// returnsItself reports whether what is returned is in the results already.
func (l *lowerer) returnsItself(s *ast.ReturnStmt) bool {
	for i, e := range s.Results {
		if id, ok := e.(*ast.Ident); !ok || l.varOf(id) != l.results[i] {
			return false
		}
	}
	return true
}

// returned assigns what is returned to the results.
func (l *lowerer) returned(s *ast.ReturnStmt) (t text) {
	for i, v := range l.results {
		if i > 0 {
			t = join(t, ", ")
		}
		t = append(t, piece{v: v, def: true})
	}
	t = join(t, " = ")
	for i, e := range s.Results {
		if i > 0 {
			t = join(t, ", ")
		}
		t = join(t, l.src(e).text)
	}
	return t
}

// changesLater returns the state that a deferred call has, and the line behind it where the variable becomes another
// one. Deferred closures have the variable itself.
func (l *lowerer) changesLater(s *ast.DeferStmt) (v *variable, line int) {
	inspect(s.Call, func(n ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || l.varOf(id) == nil || !l.varOf(id).state {
			return
		}
		ast.Inspect(l.p.decl.Body, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok && a.Pos() > s.Pos() && v == nil {
				for _, e := range a.Lhs {
					if to, ok := e.(*ast.Ident); ok && l.varOf(to) == l.varOf(id) {
						v, line = l.varOf(id), l.g.Fset.Position(a.Pos()).Line
					}
				}
			}
			return true
		})
	})
	return v, line
}

// deferStmt lowers a defer: its arguments are kept until the exit.
func (l *lowerer) deferStmt(s *ast.DeferStmt) {
	if l.inLoop > 0 {
		l.refuse(s.Pos(), "defer in a loop: call the function at the end of each turn, or start a process for each")
		return
	}
	if l.waitsIn(s.Call) {
		l.refuse(s.Pos(), "what is deferred waits: a process that is killed could not end; start a process instead")
		return
	}
	if v, line := l.changesLater(s); v != nil {
		l.refuse(s.Pos(), "what is deferred has %s, which is another state from line %d on: give that a variable of its own",
			v.name, line)
		return
	}
	armed := l.fresh("deferred", types.Typ[types.Bool], s.Pos())
	l.pin(s.Call.Fun)
	for _, e := range s.Call.Args {
		tv := l.g.TypesInfo.Types[e]
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && (l.g.TypesInfo.Uses[id] == l.self || isState(tv.Type)) {
			continue
		}
		if tv.Value != nil || tv.IsNil() {
			continue
		}
		v := l.temp(e)
		l.put(instr{op: opText, pos: e.Pos(), text: join(text{{v: v, def: true}}, " = ", l.expr(e))})
		l.repl[e] = join(v)
	}
	l.put(instr{op: opText, pos: s.Pos(), text: text{{v: armed, def: true}, {s: " = true"}}})
	l.defers = append(l.defers, deferred{armed, s.Pos(), l.src(s.Call).text})
}
