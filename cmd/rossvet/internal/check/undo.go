// This file owns Unsaved and Unreversed: changes that a rollback does not undo.

package check

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// Unsaved finds fields that are changed without Save or Write in types of SaveByLog, and changes of what containers
// return for reading.
var Unsaved = analyzer("unsaved",
	"find fields changed without ross.Save or ross.Write in types whose Saving is SaveByLog, and values of containers changed without Edit", func(f *finder) {
		f.reached(isEvent, func(fn *function) {
			for _, w := range f.summarize(fn).writes {
				if w.origin == ofRead && !w.saved && !w.exempt {
					f.report(w.inner,
						"a value of a container is changed through At, Get or Find, which are for reading: a rollback does not restore it: use Edit, which saves the value before")
				}
			}
		})
		for _, h := range f.handlers {
			if h.role != isEvent || h.state == nil || !f.savesByLog(h) {
				continue
			}
			for _, w := range f.summarize(h.fn).writes {
				if !w.deref || w.exempt || w.saved || w.origin != ofVariable {
					continue
				}
				switch w.base {
				case h.state:
					field := shown(h.state, w.place)
					f.report(w.inner,
						"%s is changed without ross.Save or ross.Write: the type has SaveByLog, so a rollback does not restore it: change it through ross.Write(%s, &%s)",
						field, lpName(h), field)
				case h.msg:
					if w.again {
						field := shown(h.msg, w.place)
						f.report(w.inner,
							"the message is changed by what it was, %s: the type has SaveByLog, so an event that is handled again gets it changed: use a variable, or call ross.Save(%s, &%s) before",
							field, lpName(h), field)
					}
				}
			}
		}
	})

// shown is a place in what a parameter points to, as a program writes it.
func shown(v *types.Var, p place) string {
	if p.path == "" {
		return "*" + v.Name()
	}
	return v.Name() + strings.ReplaceAll(p.path, "[]", "[i]")
}

func lpName(h *handler) string {
	if h.lp == nil || h.lp.Name() == "" || h.lp.Name() == "_" {
		return "lp"
	}
	return h.lp.Name()
}

// savesByLog says whether the type of a handler has SaveByLog.
func (f *finder) savesByLog(h *handler) bool {
	return h.in(f.types, func(t *lpType) bool {
		return len(t.set["Saving"]) > 0 && f.savings(t, "SaveByLog")
	})
}

// savings says whether what the field Saving of a type is given is always one of these constants.
func (f *finder) savings(t *lpType, names ...string) bool {
	return !slices.ContainsFunc(t.set["Saving"], func(e ast.Expr) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return f.saving(e, name) })
	})
}

// saving says whether e is a constant of ross.Saving.
func (f *finder) saving(e ast.Expr, name string) bool {
	var obj types.Object
	switch e := e.(type) {
	case *ast.SelectorExpr:
		obj = f.info.Uses[e.Sel]
	case *ast.Ident:
		obj = f.info.Uses[e]
	}
	return obj != nil && obj.Name() == name && obj.Pkg() != nil && obj.Pkg().Path() == rossPath
}

// Unreversed finds fields that Event writes and its Reverse does not mention.
var Unreversed = analyzer("unreversed", "find fields that Event changes and Reverse does not undo", func(f *finder) {
	for _, r := range f.handlers {
		if r.role != isReverse || r.state == nil || !r.in(f.types, f.reverses) {
			continue
		}
		for _, e := range f.handlers {
			if e.state != nil && pairs(e, r) {
				f.compare(e, r)
			}
		}
	}
	inspect(f.files, func(n ast.Node) {
		if s, ok := n.(*ast.ExprStmt); ok {
			f.dropped(s.X)
		}
	})
})

// dropped reports a handler that Reverse, Commit or Trace returns, and that nothing uses.
func (f *finder) dropped(e ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return
	}
	if fn := f.callee(call); continues(fn) {
		f.report(call.Pos(),
			"what %s returns is not used: it returns a handler that has the function, and does not change the one that it is called on: h = h.%[1]s(f)", fn.Name())
	}
}

// pairs says whether r undoes e: both are of one type, or of one chain ross.On(...).Reverse(...).
func pairs(e, r *handler) bool {
	switch e.field + r.field {
	case "EventReverse", "PointReversePoint":
		return e.at.agree(r.at) && slices.ContainsFunc(r.links, func(l link) bool {
			return l.at.agree(r.at) && e.joins([]link{l})
		})
	}
	return false
}

// reverses says whether the events of a type are undone by Reverse, and its states compared as they are.
func (f *finder) reverses(t *lpType) bool {
	return len(t.set["Check"]) == 0 && f.savings(t, "SaveByReverse", "SaveAuto")
}

func (f *finder) compare(e, r *handler) {
	back := f.summarize(r.fn)
	in := func(h *handler, p place) (place, bool) {
		return place{base: r.state, deref: true, path: p.path}, p.base == h.state && p.deref && p.origin == ofVariable
	}
	var undoes []place
	for _, w := range back.writes {
		if p, ok := in(r, w.place); ok {
			undoes = append(undoes, p)
		}
	}
	for _, p := range back.escapes {
		if p, ok := in(r, p); ok {
			undoes = append(undoes, p) // it may be undone there
		}
	}
	there := f.summarize(e.fn)
	f.sums(e, r, there, back)
	for _, p := range there.saves {
		if p, ok := in(e, p); ok {
			undoes = append(undoes, p)
		}
	}
	for _, w := range there.writes {
		if f.keepsChanging(e, r, w, there, back) {
			f.report(w.inner,
				"%s does not change back the message, which is changed by what it was here, %s: an event that is handled again gets it changed: undo it in Reverse, or use a variable",
				f.title(r.fn), shown(e.msg, w.place))
		}
		p, ok := in(e, w.place)
		if !ok || w.exempt || slices.ContainsFunc(undoes, func(q place) bool { return q.overlaps(p) }) {
			continue
		}
		f.report(w.inner,
			"%s undoes nothing of %s, which is changed here: after a rollback it is wrong: undo it in Reverse, or call ross.Save(%s, &%[2]s) before the change",
			f.title(r.fn), shown(e.state, p), lpName(e))
	}
}

// keepsChanging says whether w changes the message by what it was, and neither Reverse nor Event itself gives it a
// value.
func (f *finder) keepsChanging(e, r *handler, w write, there, back *summary) bool {
	if e.msg == nil || w.base != e.msg || !w.deref || !w.again || w.origin != ofVariable || w.exempt || w.saved {
		return false
	}
	return !slices.ContainsFunc(back.writes, func(q write) bool {
		return r.msg != nil && q.base == r.msg && q.deref && place{path: q.path}.overlaps(place{path: w.path})
	}) && !slices.ContainsFunc(there.writes, func(q write) bool {
		return q.base == e.msg && q.deref && !q.again &&
			q.covers(w.place)
	})
}

// sums reports sums of floats that Reverse takes apart.
func (f *finder) sums(e, r *handler, there, back *summary) {
	for _, w := range back.writes {
		if w.base != r.state || !w.deref || w.exempt || !w.sum {
			continue
		}
		if slices.ContainsFunc(there.writes, func(q write) bool {
			return q.base == e.state && q.deref && q.sum &&
				q.path == w.path
		}) {
			f.report(w.inner,
				"%s is a sum of floats that Reverse undoes by arithmetic: rounding makes that inexact, (a+b)-b is not always a: leave it to ross.Save(%s, &%[1]s), called in Event before the change, or add up in package stats",
				shown(r.state, w.place), lpName(e))
		}
	}
}

func (f *finder) title(fn *function) string {
	if fn.obj == nil {
		return "Reverse"
	}
	if r := fn.obj.Signature().Recv(); r != nil {
		if n := named(r.Type()); n != nil {
			return types.TypeString(n.Origin(), func(*types.Package) string { return "" }) + "." + fn.obj.Name()
		}
	}
	return fn.obj.Name()
}
