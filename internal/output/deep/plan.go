// Compiling a type: the bytes to compare as bytes, and the places of pointers.
package deep

import (
	"bytes"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/sys/plain"
)

// opKind is how a part of a value is compared and what it refers to.
type opKind uint8

const (
	opBytes  opKind = iota // compared as bytes, no pointer
	opString               // immutable: the header is copy enough
	opWord                 // a pointer that is not followed: chan, unsafe.Pointer, opaque
	opFunc
	opPtr
	opSlice
	opMap
	opIface
	opArray // elements one by one: they have padding or pointers
	opBlock // memory outside the Go heap, for a Hasher
)

// op is one part of a value.
type op struct {
	kind  opKind
	off   uintptr
	size  uintptr // opBytes
	n     int     // opArray
	label string  // of the part within the value, such as ".Pos.X"
	typ   reflect.Type
	elem  *plan  // of the target; opMap: of the map
	parts []leaf // opBytes: the fields that were joined
}

// leaf is a field within a run of bytes: a basic type, or an array without padding.
type leaf struct {
	off   uintptr
	typ   reflect.Type
	label string
}

// plan is a compiled type.
type plan struct {
	typ   reflect.Type
	size  uintptr
	ops   []op
	built bool

	dense  bool // all bytes count: arrays compare as one run
	refs   bool // refers to other blocks
	direct bool // an interface holds the value itself, not its address

	key, val *plan // of a map type
}

// of returns the plan of t, complete with all types it refers to.
func (c *Copier) of(t reflect.Type) *plan {
	if pl := c.plans[t]; pl != nil && pl.built {
		return pl
	}
	pl := c.complete(t)
	for len(c.todo) > 0 {
		last := len(c.todo) - 1
		t := c.todo[last]
		c.todo = c.todo[:last]
		c.complete(t)
	}
	return pl
}

// later returns a plan that of will complete, because types may refer to themselves.
func (c *Copier) later(t reflect.Type) *plan {
	pl := c.plans[t]
	if pl == nil {
		pl = &plan{typ: t, size: t.Size()}
		c.plans[t] = pl
		c.todo = append(c.todo, t)
	}
	return pl
}

// complete compiles t itself; a type contains itself only through a pointer.
func (c *Copier) complete(t reflect.Type) *plan {
	pl := c.later(t)
	if pl.built {
		return pl
	}
	pl.built = true
	if t.Kind() == reflect.Map {
		pl.key, pl.val = c.later(t.Key()), c.later(t.Elem())
	}
	c.compile(pl, t, 0, "")
	for i := range pl.ops {
		switch o := &pl.ops[i]; o.kind {
		case opPtr, opSlice, opMap, opIface, opBlock:
			pl.refs = true
		case opArray:
			pl.refs = pl.refs || o.elem.refs
		}
	}
	pl.dense = len(pl.ops) == 1 && pl.ops[0].kind == opBytes && pl.ops[0].size == pl.size
	// The zero of a type that is a pointer, or wraps one, is a nil data word.
	pl.direct = t.Kind() != reflect.Interface && t.Size() == unsafe.Sizeof(uintptr(0)) &&
		wordOf(reflect.Zero(t).Interface()) == nil
	return pl
}

// compile appends the ops of a t at off to pl.
func (c *Copier) compile(pl *plan, t reflect.Type, off uintptr, label string) {
	add := func(kind opKind, elem *plan) {
		pl.ops = append(pl.ops, op{kind: kind, off: off, label: label, typ: t, elem: elem})
	}
	if c.skip != nil && c.skip(t) {
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		if c.blocks != nil {
			if elem, ok := c.blocks(t); ok {
				add(opBlock, c.later(elem))
				return
			}
		}
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" && !plain.IsScratch(f) {
				c.compile(pl, f.Type, off+f.Offset, label+"."+f.Name)
			}
		}
	case reflect.Array:
		elem := c.complete(t.Elem())
		switch {
		case t.Len() == 0 || len(elem.ops) == 0:
		case elem.dense:
			pl.addBytes(t, off, label)
		default:
			add(opArray, elem)
			pl.ops[len(pl.ops)-1].n = t.Len()
		}
	case reflect.Pointer:
		if c.opaque[t.Elem()] {
			add(opWord, nil)
		} else {
			add(opPtr, c.later(t.Elem()))
		}
	case reflect.Slice:
		add(opSlice, c.later(t.Elem()))
	case reflect.Map:
		add(opMap, c.later(t))
	case reflect.Interface:
		add(opIface, nil)
	case reflect.String:
		add(opString, nil)
	case reflect.Func:
		add(opFunc, nil)
	case reflect.Chan, reflect.UnsafePointer:
		add(opWord, nil)
	default:
		pl.addBytes(t, off, label)
	}
}

// addBytes appends a field without pointers, joined to the run that ends at it.
func (pl *plan) addBytes(t reflect.Type, off uintptr, label string) {
	part := leaf{off: off, typ: t, label: label}
	if last := len(pl.ops) - 1; last >= 0 {
		if o := &pl.ops[last]; o.kind == opBytes && o.off+o.size == off {
			o.size += t.Size()
			o.parts = append(o.parts, part)
			return
		}
	}
	pl.ops = append(pl.ops, op{kind: opBytes, off: off, size: t.Size(), typ: t, parts: []leaf{part}})
}

// at returns the address of element i of those at p. The address after the last one
// must not be computed: it may belong to another object.
func (pl *plan) at(p unsafe.Pointer, i int) unsafe.Pointer {
	return unsafe.Add(p, uintptr(i)*pl.size)
}

// same compares two values of a type without references.
func (pl *plan) same(a, b unsafe.Pointer) bool {
	for i := range pl.ops {
		o := &pl.ops[i]
		a, b := unsafe.Add(a, o.off), unsafe.Add(b, o.off)
		if o.kind != opArray {
			if !o.same(a, b) {
				return false
			}
			continue
		}
		for i := range o.n {
			if !o.elem.same(o.elem.at(a, i), o.elem.at(b, i)) {
				return false
			}
		}
	}
	return true
}

// same compares a part without references.
func (o *op) same(a, b unsafe.Pointer) bool {
	switch o.kind {
	case opBytes:
		return sameBytes(a, b, o.size)
	case opString:
		return *(*string)(a) == *(*string)(b)
	}
	x, y := *(*unsafe.Pointer)(a), *(*unsafe.Pointer)(b)
	if x == y || o.kind == opWord || x == nil || y == nil {
		return x == y
	}
	// A func is the address of a block that starts with the address of its code.
	return *(*uintptr)(x) == *(*uintptr)(y)
}

// clone copies n values; the copy's pointers are those of the original.
func (pl *plan) clone(p unsafe.Pointer, n int) unsafe.Pointer {
	if n == 1 {
		v := reflect.New(pl.typ)
		v.Elem().Set(reflect.NewAt(pl.typ, p).Elem())
		return v.UnsafePointer()
	}
	v := reflect.MakeSlice(reflect.SliceOf(pl.typ), n, n)
	reflect.Copy(v, reflect.SliceAt(pl.typ, p, n))
	return v.UnsafePointer()
}

// put writes n values back, unless nothing changed: memory that was never written may
// be shared, or read-only.
func (pl *plan) put(to, from unsafe.Pointer, n int) {
	if sameBytes(to, from, uintptr(n)*pl.size) {
		return
	}
	reflect.Copy(reflect.SliceAt(pl.typ, to, n), reflect.SliceAt(pl.typ, from, n))
}

// dynamic returns the plan of the value in the interface of type t at p, and its data
// word: the value if the plan is direct, else the address. No plan means nil.
func (c *Copier) dynamic(t reflect.Type, p unsafe.Pointer) (*plan, unsafe.Pointer) {
	v := reflect.NewAt(t, p).Elem()
	if v.IsNil() {
		return nil, nil
	}
	e := v.Interface()
	return c.of(reflect.TypeOf(e)), wordOf(e)
}

// wordOf returns the second word of an interface.
func wordOf(e any) unsafe.Pointer {
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&e))[1]
}

func sameBytes(a, b unsafe.Pointer, n uintptr) bool {
	return bytes.Equal(unsafe.Slice((*byte)(a), n), unsafe.Slice((*byte)(b), n))
}
