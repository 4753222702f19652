// This file owns Shape: what a type without Go pointers consists of, bytes and Blocks, so that a value can be
// stored with the contents of its Blocks; and scratch, fields that are no part of the value they are in.

package plain

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"reflect"
	"unsafe"
)

// Shape is what a type consists of: spans of bytes, and Blocks, which refer to memory of other
// values.
type Shape struct {
	Size   uintptr // bytes
	Spans  []Span  // values, without padding, scratch and Blocks
	Blocks []BlockField
}

// BlockField is a Block in a value.
type BlockField struct {
	Off  uintptr // from the beginning of the value, in bytes
	Elem *Shape  // the values of the Block
}

// ElemOf returns the type of a Block's values; ok is false if t is not a Block.
type ElemOf func(t reflect.Type) (elem reflect.Type, ok bool)

// Dense reports whether all bytes of the type are values.
func (s *Shape) Dense() bool {
	return len(s.Blocks) == 0 && len(s.Spans) == 1 && s.Spans[0] == (Span{0, s.Size})
}

// Copy copies n values without padding, scratch and Blocks.
func (s *Shape) Copy(to, from unsafe.Pointer, n uintptr) {
	if n == 0 || s.Size == 0 {
		return
	}
	if s.Dense() {
		CopyBytes(to, from, n*s.Size)
		return
	}
	for i := range n {
		to, from := unsafe.Add(to, i*s.Size), unsafe.Add(from, i*s.Size)
		for _, sp := range s.Spans {
			CopyBytes(unsafe.Add(to, sp.Off), unsafe.Add(from, sp.Off), sp.Size)
		}
	}
}

// ShapeOf returns the shape of a type. Types may be recursive: the nodes of a list have a Block of
// the next node.
func ShapeOf(t reflect.Type, elemOf ElemOf) *Shape { return shapes{}.of(t, elemOf) }

// shapes has the shapes of the types of Blocks seen so far.
type shapes map[reflect.Type]*Shape

func (known shapes) of(t reflect.Type, elemOf ElemOf) *Shape {
	s := known[t]
	if s == nil {
		s = &Shape{Size: t.Size()}
		known[t] = s
		known.add(s, t, 0, elemOf)
	}
	return s
}

// add adds a t at an offset to a shape.
func (known shapes) add(s *Shape, t reflect.Type, off uintptr, elemOf ElemOf) {
	switch t.Kind() {
	case reflect.Struct:
		if elem, ok := elemOf(t); ok {
			s.Blocks = append(s.Blocks, BlockField{off, known.of(elem, elemOf)})
			return
		}
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" && !IsScratch(f) {
				known.add(s, f.Type, off+f.Offset, elemOf)
			}
		}
	case reflect.Array:
		if elem := known.of(t.Elem(), elemOf); elem.Dense() {
			s.Spans = appendSpan(s.Spans, Span{off, t.Size()})
			return
		}
		for i := range t.Len() {
			known.add(s, t.Elem(), off+uintptr(i)*t.Elem().Size(), elemOf)
		}
	default:
		s.Spans = appendSpan(s.Spans, Span{off, t.Size()})
	}
}

// FindPointerIn is FindStatePointer that also looks at the values of Blocks.
func FindPointerIn(t reflect.Type, path string, elemOf ElemOf) (where, kind string) {
	seen := map[reflect.Type]bool{}
	return findPointer(t, path, IsScratch, func(t reflect.Type) (reflect.Type, bool) {
		elem, ok := elemOf(t)
		if !ok || seen[elem] {
			return nil, ok
		}
		seen[elem] = true
		return elem, true
	})
}

// LayoutIn is LayoutOf, which also describes the values of Blocks. The result is that of LayoutOf
// if there are no Blocks. If standsFor returns a type for a struct, the layout is that of this type.
func LayoutIn(t reflect.Type, elemOf ElemOf, standsFor func(reflect.Type) reflect.Type) string {
	h := sha256.New()
	h.Write(binary.NativeEndian.AppendUint16(nil, 1))
	seen := map[reflect.Type]int{}
	var block func(t reflect.Type) bool
	block = func(t reflect.Type) bool {
		if other := standsFor(t); other != nil {
			writeLayout(h.Write, other, block)
			return true
		}
		elem, ok := elemOf(t)
		if !ok {
			return false
		}
		number, again := seen[elem]
		if !again {
			number = len(seen)
			seen[elem] = number
		}
		h.Write(binary.LittleEndian.AppendUint32([]byte("block "), uint32(number)))
		if !again {
			writeLayout(h.Write, elem, block)
		}
		return true
	}
	writeLayout(h.Write, t, block)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Scratch: fields that are no part of the value they are in.

// IsScratch reports whether a field of a state or a message is scratch: data without
// meaning for the model, marked with the tag `ross:"-"`.
func IsScratch(f reflect.StructField) bool { return f.Tag.Get("ross") == "-" }

// FindStatePointer is FindPointer for states: it leaves out scratch, which nobody copies.
func FindStatePointer(t reflect.Type, path string) (where, kind string) {
	return findPointer(t, path, IsScratch, noBlocks)
}

// KeptOf returns the spans of a type that are not scratch, with their padding, in the order
// of their offsets.
func KeptOf(t reflect.Type) []Span {
	var all []Span
	end := uintptr(0) // of the scratch found last
	var walk func(t reflect.Type, off uintptr)
	walk = func(t reflect.Type, off uintptr) {
		switch t.Kind() {
		case reflect.Struct:
			for i := range t.NumField() {
				f := t.Field(i)
				if !IsScratch(f) {
					walk(f.Type, off+f.Offset)
					continue
				}
				if off+f.Offset > end {
					all = appendSpan(all, Span{end, off + f.Offset - end})
				}
				end = off + f.Offset + f.Type.Size()
			}
		case reflect.Array:
			if !hasScratch(t.Elem()) {
				return
			}
			for i := range t.Len() {
				walk(t.Elem(), off+uintptr(i)*t.Elem().Size())
			}
		}
	}
	walk(t, 0)
	if end < t.Size() {
		all = appendSpan(all, Span{end, t.Size() - end})
	}
	return all
}

// hasScratch reports whether a part of t is scratch.
func hasScratch(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); IsScratch(f) || hasScratch(f.Type) {
				return true
			}
		}
	case reflect.Array:
		return hasScratch(t.Elem())
	}
	return false
}

// Scratch is a value in scratch of a state.
type Scratch struct {
	Path string // of its field, after that of the state
	Kind reflect.Kind
	Off  uintptr // in the state, in bytes
	Size uintptr
}

// mostElements is the number of elements of an array with pointers that ScratchOf looks at.
const mostElements = 16

// ScratchOf returns the values in the scratch of a type, in the order of their offsets. Values of types
// for which skip returns true are left out.
func ScratchOf(t reflect.Type, path string, skip func(reflect.Type) bool) (all []Scratch) {
	var walk func(t reflect.Type, s Scratch, in bool)
	walk = func(t reflect.Type, s Scratch, in bool) {
		switch {
		case skip(t) || t.Size() == 0:
		case t.Kind() == reflect.Struct:
			for i := range t.NumField() {
				f := t.Field(i)
				walk(f.Type, Scratch{Path: s.Path + "." + f.Name, Off: s.Off + f.Offset}, in || IsScratch(f))
			}
		case t.Kind() == reflect.Array && (!in && hasScratch(t) || in && holdsPointers(t)):
			for i := range min(t.Len(), mostElements) {
				walk(t.Elem(), Scratch{Path: fmt.Sprintf("%s[%d]", s.Path, i), Off: s.Off + uintptr(i)*t.Elem().Size()}, in)
			}
		case in:
			s.Kind, s.Size = t.Kind(), t.Size()
			all = append(all, s)
		}
	}
	walk(t, Scratch{Path: path}, false)
	return all
}

// holdsPointers reports whether values of a type hold pointers, strings, slices, maps or interfaces.
func holdsPointers(t reflect.Type) bool {
	where, _ := FindPointer(t, "a value")
	return where != ""
}

// IsPointer reports whether the value is nil as long as it is not set, and of no use then.
func (s *Scratch) IsPointer() bool {
	switch s.Kind {
	case reflect.Pointer, reflect.Map, reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer:
		return true
	}
	return false
}

// mostBytes is the number of bytes of a value without pointers that IsSet looks at.
const mostBytes = 4096

// IsSet reports whether the value in a state is neither zero nor empty.
func (s *Scratch) IsSet(state unsafe.Pointer) bool {
	at := unsafe.Add(state, s.Off)
	switch {
	case s.IsPointer():
		return *(*unsafe.Pointer)(at) != nil
	case s.Kind == reflect.Slice:
		return len(*(*[]struct{})(at)) > 0
	case s.Kind == reflect.String:
		return *(*string)(at) != ""
	}
	for _, b := range unsafe.Slice((*byte)(at), min(s.Size, mostBytes)) {
		if b != 0 {
			return true
		}
	}
	return false
}
