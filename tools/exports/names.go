// This file owns the lines: how a name and its type are written.

package main

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// short is left out of the paths of packages.
const short = "github.com/ross-go/"

// namesOf returns a line for each exported name of packages, in order.
func namesOf(packages []exported) (lines []string) {
	for _, p := range packages {
		w := writer{pkg: p}
		scope := p.Scope()
		for _, name := range scope.Names() {
			if token.IsExported(name) {
				w.object(scope.Lookup(name))
			}
		}
		lines = append(lines, w.lines...)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// writer writes the lines of a package.
type writer struct {
	pkg   *types.Package
	lines []string
}

func (w *writer) add(format string, args ...any) {
	w.lines = append(w.lines, strings.TrimPrefix(w.pkg.Path(), short)+": "+fmt.Sprintf(format, args...))
}

// typ writes a type: without names of parameters, and with the paths of other packages.
func (w *writer) typ(t types.Type) string {
	return types.TypeString(unnamed(t), func(p *types.Package) string {
		if p == w.pkg {
			return ""
		}
		return strings.TrimPrefix(p.Path(), short)
	})
}

// call writes what stands behind the name of a function: type parameters, parameters and results.
func (w *writer) call(t types.Type) string {
	s := t.(*types.Signature)
	var in, out []string
	for v := range s.Params().Variables() {
		in = append(in, w.typ(v.Type()))
	}
	if s.Variadic() {
		last := s.Params().At(s.Params().Len() - 1).Type()
		if of, is := last.(*types.Slice); is {
			in[len(in)-1] = "..." + w.typ(of.Elem())
		}
	}
	for v := range s.Results().Variables() {
		out = append(out, w.typ(v.Type()))
	}
	text := w.parameters(s.TypeParams()) + "(" + strings.Join(in, ", ") + ")"
	switch len(out) {
	case 0:
		return text
	case 1:
		return text + " " + out[0]
	}
	return text + " (" + strings.Join(out, ", ") + ")"
}

// parameters writes type parameters in brackets.
func (w *writer) parameters(list *types.TypeParamList) string {
	if list.Len() == 0 {
		return ""
	}
	var all []string
	for p := range list.TypeParams() {
		all = append(all, p.Obj().Name()+" "+w.typ(p.Constraint()))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// object adds the lines of a name of the package.
func (w *writer) object(o types.Object) {
	switch o := o.(type) {
	case *types.Const:
		if o.Name() == "Version" { // each release has another
			w.add("const %s %s", o.Name(), w.typ(o.Type()))
			return
		}
		w.add("const %s %s = %s", o.Name(), w.typ(o.Type()), value(o.Val()))
	case *types.Var:
		w.add("var %s %s", o.Name(), w.typ(o.Type()))
	case *types.Func:
		w.add("func %s%s", o.Name(), w.call(o.Type()))
	case *types.TypeName:
		w.typeName(o)
	}
}

// value writes the value of a constant; a number as Go writes it, so that it has all its digits.
func value(v constant.Value) string {
	if v.Kind() == constant.Float {
		return v.String()
	}
	return v.ExactString()
}

// typeName adds the lines of a type: itself, fields and methods. What an alias of a type has that is
// internal or not exported, nothing else says.
func (w *writer) typeName(o *types.TypeName) {
	name := o.Name()
	t := types.Unalias(o.Type())
	if o.IsAlias() {
		w.add("type %s = %s", name, w.typ(t))
		named, is := t.(*types.Named)
		if !is || named.Obj().Pkg() == nil ||
			named.Obj().Exported() && !strings.Contains(named.Obj().Pkg().Path()+"/", "/internal/") {
			return
		}
	}
	parameters := ""
	if named, is := t.(*types.Named); is {
		parameters = w.parameters(named.TypeParams())
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		w.add("type %s%s struct", name, parameters)
		for f := range u.Fields() {
			switch {
			case f.Embedded() && f.Exported():
				w.add("type %s struct, embedded %s", name, w.typ(f.Type()))
			case f.Exported():
				w.add("type %s struct, %s %s", name, f.Name(), w.typ(f.Type()))
			}
		}
	case *types.Interface:
		w.add("type %s%s interface", name, parameters)
		for m := range u.Methods() {
			if m.Exported() {
				w.add("type %s interface, %s%s", name, m.Name(), w.call(m.Type()))
			} else {
				w.add("type %s interface, unexported methods", name)
			}
		}
		if !u.IsMethodSet() { // a constraint
			w.add("type %s interface, %s", name, w.typ(u))
		}
		return
	default:
		if !o.IsAlias() {
			w.add("type %s%s %s", name, parameters, w.typ(u))
		}
	}
	values := types.NewMethodSet(t)
	for s := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		f := s.Obj().(*types.Func)
		if !f.Exported() {
			continue
		}
		receiver := "*" + name
		if values.Lookup(f.Pkg(), f.Name()) != nil {
			receiver = name
		}
		w.add("method (%s) %s%s", receiver, f.Name(), w.call(s.Type()))
	}
}

// unnamed returns a type without the names of parameters and results, which callers do not see.
func unnamed(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, tuple(t.Params()), tuple(t.Results()), t.Variadic())
	case *types.Pointer:
		return types.NewPointer(unnamed(t.Elem()))
	case *types.Slice:
		return types.NewSlice(unnamed(t.Elem()))
	case *types.Array:
		return types.NewArray(unnamed(t.Elem()), t.Len())
	case *types.Map:
		return types.NewMap(unnamed(t.Key()), unnamed(t.Elem()))
	case *types.Chan:
		return types.NewChan(t.Dir(), unnamed(t.Elem()))
	}
	return t
}

func tuple(t *types.Tuple) *types.Tuple {
	var all []*types.Var
	for v := range t.Variables() {
		all = append(all, types.NewParam(token.NoPos, nil, "", unnamed(v.Type())))
	}
	return types.NewTuple(all...)
}
