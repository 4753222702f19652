// This file owns questions about types.

package gen

import (
	"go/types"
	"strings"
)

// isSelf reports whether t is *proc.Self.
func isSelf(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && isNamed(p.Elem(), procPath, "Self")
}

// isNamed reports whether t is a type of a package.
func isNamed(t types.Type, path, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path
}

// isHost reports whether t is a struct that embeds proc.Processes.
func isHost(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.Named); !ok {
		return false
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range s.NumFields() {
		if f := s.Field(i); f.Embedded() && (isNamed(f.Type(), procPath, "Processes") || isHost(f.Type())) {
			return true
		}
	}
	return false
}

// isState reports whether t is a pointer to a state with processes.
func isState(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && isHost(p.Elem())
}

// typeName returns the name of a type without its package and pointer.
func typeName(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return "value"
}

// notPlain returns what makes a type one that cannot be kept while a process waits, or "".
func notPlain(t types.Type) string { return plainness(t, map[types.Type]bool{}) }

// isNumber reports whether what a named type stands for is a number or boolean.
func isNumber(n *types.Named) bool {
	b, ok := n.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0
}

func plainness(t types.Type, seen map[types.Type]bool) string {
	if seen[t] {
		return ""
	}
	seen[t] = true
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		switch path := n.Obj().Pkg().Path(); {
		case path == "github.com/ross-go/ross" && n.Obj().Name() == "Block":
			return "a ross.Block, whose memory belongs to the state"
		case isNumber(n): // such as a container.Handle
		case path == "github.com/ross-go/ross/container", path == "github.com/ross-go/ross/stats" && n.Obj().Name() != "Row":
			return "a " + n.Obj().Pkg().Name() + "." + n.Obj().Name() + ", which belongs into the state"
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Kind() == types.UnsafePointer:
			return "a pointer"
		case u.Info()&types.IsString != 0:
			return "a string"
		}
		return ""
	case *types.Array:
		return plainness(u.Elem(), seen)
	case *types.Struct:
		for i := range u.NumFields() {
			if what := plainness(u.Field(i).Type(), seen); what != "" {
				return what + " (field " + u.Field(i).Name() + ")"
			}
		}
		return ""
	case *types.Pointer:
		if isHost(u.Elem()) {
			return "a pointer to the state"
		}
		return "a pointer"
	case *types.Slice:
		return "a slice"
	case *types.Map:
		return "a map"
	case *types.Chan:
		return "a channel"
	case *types.Signature:
		return "a function"
	case *types.Interface:
		return "an interface"
	}
	return "a " + strings.ToLower(t.String())
}
