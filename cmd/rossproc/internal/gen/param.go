// This file owns variables with the parameters of the model: pointers that are asked for again after each wait.

package gen

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// askAgain finds the variables that a definition gives what proc.Param returns, and that are never another pointer.
func (l *lowerer) askAgain(s *ast.AssignStmt) {
	if s.Tok != token.DEFINE || len(s.Lhs) != len(s.Rhs) {
		return
	}
	for i, e := range s.Rhs {
		obj := l.g.TypesInfo.Defs[s.Lhs[i].(*ast.Ident)]
		fn := l.asksForParam(e)
		if obj == nil || l.vars[obj] == nil || fn == nil || l.changed[obj] {
			continue
		}
		v := l.vars[obj]
		v.origin = l.fresh(v.name+"_from", fn.Pkg().Scope().Lookup("Origin").Type(), v.pos)
		note := text{{v: v.origin, def: true}, {s: " = proc.OriginOf(" + l.self.Name() + ")"}}
		l.put(instr{op: opText, pos: s.Pos(), text: note, origin: v.origin})
	}
}

// asksForParam returns proc.Param if an expression is a call of it by the process, or nil.
func (l *lowerer) asksForParam(e ast.Expr) *types.Func {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(c.Args) != 1 {
		return nil
	}
	fn := l.g.function(c)
	if fn == nil || fn.Name() != "Param" || fn.Pkg() == nil || fn.Pkg().Path() != procPath {
		return nil
	}
	if id, ok := ast.Unparen(c.Args[0]).(*ast.Ident); !ok || l.g.TypesInfo.Uses[id] != l.self {
		return nil
	}
	return fn
}

// findChanged finds the variables that are assigned to after their definition.
func (l *lowerer) findChanged() {
	note := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok && l.g.TypesInfo.Uses[id] != nil {
			l.changed[l.g.TypesInfo.Uses[id]] = true
		}
	}
	ast.Inspect(l.p.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				note(ast.Unparen(e))
			}
		case *ast.RangeStmt:
			note(n.Key)
			note(n.Value)
		}
		return true
	})
}

// dropOrigins removes the notes of where parameters come from that no frame has.
func (l *lowerer) dropOrigins() {
	kept := l.list[:0]
	for _, x := range l.list {
		if x.origin == nil || x.origin.frame {
			kept = append(kept, x)
		} else {
			x.origin.used = false
		}
	}
	l.list = kept
}

// again returns the text that finds what a variable holds again after a wait. Parameters may not have been asked for
// yet: what is deferred behind the wait uses them, and a process that is killed comes to it from here.
func (w *printer) again(v *variable, self, frame string) string {
	t := w.g.typeText(types.Unalias(v.typ).(*types.Pointer).Elem())
	if v.origin == nil {
		return fmt.Sprintf("proc.StateOf[%s](%s)", t, self)
	}
	from := fmt.Sprintf("proc.OriginOf(%s)", self)
	if v.origin.frame {
		from = frame + "." + v.origin.name
	}
	return fmt.Sprintf("proc.ParamOf[%s](%s, %s)", t, self, from)
}
