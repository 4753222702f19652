// This file owns the lowering of what leads from one statement to another: conditions, loops, switch, break, continue.

package gen

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// branch lowers a break, continue or fallthrough of a statement that is taken apart.
func (l *lowerer) branch(s *ast.BranchStmt) {
	to := l.branchTo(s)
	if to == nil {
		l.refuse(s.Pos(), "%s is not at the end of a case", s.Tok)
		return
	}
	l.put(instr{op: opJump, pos: s.Pos(), label: to})
}

// branchTo returns where a break or continue leads among the statements that are taken apart, or nil.
func (l *lowerer) branchTo(s *ast.BranchStmt) *label {
	for i := len(l.targets) - 1; i >= 0; i-- {
		t := &l.targets[i]
		if s.Label != nil && s.Label.Name != t.label {
			continue
		}
		if s.Tok == token.BREAK {
			return t.leave
		}
		if s.Tok == token.CONTINUE && t.again != nil {
			return t.again
		}
	}
	return nil
}

func (l *lowerer) ifStmt(s *ast.IfStmt) {
	if s.Init != nil {
		l.stmt(s.Init, "")
	}
	no, end := l.newLabel("else"), l.newLabel("end")
	l.put(instr{op: opUnless, pos: s.Pos(), text: l.expr(s.Cond), label: no})
	l.block(s.Body.List)
	if s.Else != nil {
		l.put(instr{op: opJump, pos: s.Body.Rbrace, label: end})
	}
	l.put(instr{op: opLabel, label: no})
	if s.Else != nil {
		l.stmt(s.Else, "")
		l.put(instr{op: opLabel, label: end})
	}
}

func (l *lowerer) forStmt(s *ast.ForStmt, named string) {
	if s.Init != nil {
		l.stmt(s.Init, "")
	}
	next, again, end := l.newLabel("loop"), l.newLabel("next"), l.newLabel("end")
	l.put(instr{op: opLabel, label: next})
	if s.Cond != nil {
		l.put(instr{op: opUnless, pos: s.Cond.Pos(), text: l.expr(s.Cond), label: end})
	}
	l.loop(s, named, s.Body, again, end)
	l.put(instr{op: opLabel, label: again})
	if s.Post != nil {
		l.stmt(s.Post, "")
	}
	l.put(instr{op: opJump, pos: s.Pos(), label: next})
	l.put(instr{op: opLabel, label: end})
}

// loop lowers the body of a loop.
func (l *lowerer) loop(s ast.Stmt, named string, body *ast.BlockStmt, again, end *label) {
	l.targets = append(l.targets, target{s, named, end, again})
	l.inLoop++
	l.block(body.List)
	l.inLoop--
	l.targets = l.targets[:len(l.targets)-1]
}

func (l *lowerer) rangeStmt(s *ast.RangeStmt, named string) {
	t := l.g.TypesInfo.TypeOf(s.X).Underlying()
	arr, isArray := t.(*types.Array)
	if p, ok := t.(*types.Pointer); ok && s.Value == nil {
		arr, isArray = p.Elem().Underlying().(*types.Array)
	}
	basic, isInt := t.(*types.Basic)
	isInt = isInt && basic.Info()&types.IsInteger != 0
	if !isArray && !isInt {
		l.refuse(s.Pos(), "a range over %s waits: count an index, and look at the element after each wait",
			l.g.TypesInfo.TypeOf(s.X))
		return
	}
	typ := types.Type(types.Typ[types.Int])
	if isInt {
		if typ = l.g.TypesInfo.TypeOf(s.X); basic.Info()&types.IsUntyped != 0 {
			typ = types.Typ[types.Int]
			if s.Key != nil {
				typ = l.g.TypesInfo.TypeOf(s.Key)
			}
		}
	}
	index := l.fresh("index", typ, s.Pos())
	var limit text
	var copied *variable
	switch {
	case isInt && l.g.TypesInfo.Types[s.X].Value != nil:
		limit = words(l.g.TypesInfo.Types[s.X].Value.ExactString())
	case isInt:
		v := l.fresh("limit", typ, s.Pos())
		l.put(instr{op: opText, pos: s.Pos(), text: join(text{{v: v, def: true}}, " = ", l.expr(s.X))})
		limit = join(v)
	default:
		limit = words(fmt.Sprint(arr.Len()))
		if s.Value != nil && !isBlank(s.Value) {
			copied = l.fresh("array", l.g.TypesInfo.TypeOf(s.X), s.Pos())
			l.put(instr{op: opText, pos: s.Pos(), text: join(text{{v: copied, def: true}}, " = ", l.expr(s.X))})
		} else if l.waitsIn(s.X) {
			l.refuse(s.Pos(), "the array of a range waits: assign it to a variable before")
		}
	}
	next, again, end := l.newLabel("loop"), l.newLabel("next"), l.newLabel("end")
	l.put(instr{op: opText, pos: s.Pos(), text: text{{v: index, def: true}, {s: " = 0"}}})
	l.put(instr{op: opLabel, label: next})
	l.put(instr{op: opUnless, pos: s.Pos(), text: join(index, " < ", limit), label: end})
	set := func(e ast.Expr, value text) {
		if e == nil || isBlank(e) {
			return
		}
		if id, ok := e.(*ast.Ident); ok && s.Tok == token.DEFINE {
			l.declare(l.g.TypesInfo.Defs[id], id.Pos())
		}
		l.put(instr{op: opText, pos: s.Pos(), text: join(l.lhs(e, true), " = ", value)})
	}
	set(s.Key, join(index))
	if copied != nil {
		set(s.Value, join(copied, "[", index, "]"))
	}
	l.loop(s, named, s.Body, again, end)
	l.put(instr{op: opLabel, label: again})
	l.put(instr{op: opText, pos: s.Pos(), text: join(index, "++")})
	l.put(instr{op: opJump, pos: s.Pos(), label: next})
	l.put(instr{op: opLabel, label: end})
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

func (l *lowerer) switchStmt(s *ast.SwitchStmt, named string) {
	if s.Init != nil {
		l.stmt(s.Init, "")
	}
	end := l.newLabel("end")
	var tag *variable
	if s.Tag != nil {
		tag = l.temp(s.Tag)
		l.put(instr{op: opText, pos: s.Tag.Pos(), text: join(text{{v: tag, def: true}}, " = ", l.expr(s.Tag))})
	}
	bodies := make([]*label, len(s.Body.List))
	for i := range bodies {
		bodies[i] = l.newLabel("case")
	}
	other := end
	for i, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			other = bodies[i]
		}
		for _, e := range c.List {
			no := l.newLabel("not")
			cond := l.expr(e)
			if tag != nil {
				cond = join(tag, " == (", cond, ")")
			}
			l.put(instr{op: opUnless, pos: e.Pos(), text: cond, label: no})
			l.put(instr{op: opJump, pos: e.Pos(), label: bodies[i]})
			l.put(instr{op: opLabel, label: no})
		}
	}
	l.put(instr{op: opJump, pos: s.Pos(), label: other})
	l.targets = append(l.targets, target{s, named, end, nil})
	for i, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		l.put(instr{op: opLabel, label: bodies[i]})
		list, to := c.Body, end
		if n := len(list); n > 0 {
			if b, ok := list[n-1].(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
				list, to = list[:n-1], bodies[i+1]
			}
		}
		l.block(list)
		l.put(instr{op: opJump, pos: c.End(), label: to})
	}
	l.targets = l.targets[:len(l.targets)-1]
	l.put(instr{op: opLabel, label: end})
}
