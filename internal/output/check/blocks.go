// This file owns how the check of rollback compares blocks of Alloc. They are outside the
// Go heap, where comparing by reflection does not reach, and may have other addresses when
// an event runs again.

package check

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/output/deep"
	"github.com/ross-go/ross/internal/sys/plain"
)

// blockField is a Block field of a struct or an array.
type blockField struct {
	off  uintptr    // in bytes, from the beginning of the value
	path string     // expression that leads to the field
	elem *blockElem // type of the block's values
}

// blockElem is the type of the values in a Block.
type blockElem struct {
	size   uintptr // bytes
	copier *deep.Copier
	fields []blockField // Blocks in a value
}

// blockPlans holds the types of values seen so far: the nodes of a list have a Block of the
// next node, so that types may be recursive.
type blockPlans struct {
	elemOf func(t reflect.Type) (elem reflect.Type, ok bool)
	known  map[reflect.Type]*blockElem
}

// newBlockPlans returns plans without types. elemOf returns the type of a Block's values.
func newBlockPlans(elemOf func(reflect.Type) (reflect.Type, bool)) *blockPlans {
	return &blockPlans{elemOf, map[reflect.Type]*blockElem{}}
}

// PathOfBlock returns the path of a Block in a type, or "" if the type has no Block.
func PathOfBlock(t reflect.Type, path string, elemOf func(reflect.Type) (reflect.Type, bool)) string {
	if fields := newBlockPlans(elemOf).fields(t, 0, path); len(fields) > 0 {
		return fields[0].path
	}
	return ""
}

// fields returns the Blocks in a type, except those behind Go pointers: a state with
// pointers does not need Blocks.
func (plans *blockPlans) fields(t reflect.Type, off uintptr, path string) (all []blockField) {
	switch t.Kind() {
	case reflect.Struct:
		if elem, ok := plans.elemOf(t); ok {
			return []blockField{{off, path, plans.elem(elem)}}
		}
		for i := range t.NumField() {
			if f := t.Field(i); !plain.IsScratch(f) {
				all = append(all, plans.fields(f.Type, off+f.Offset, path+"."+f.Name)...)
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			in := plans.fields(t.Elem(), off+uintptr(i)*t.Elem().Size(), fmt.Sprintf("%s[%d]", path, i))
			if len(in) == 0 {
				return nil
			}
			all = append(all, in...)
		}
	}
	return all
}

// elem returns the plan for values of a type.
func (plans *blockPlans) elem(t reflect.Type) *blockElem {
	if e := plans.known[t]; e != nil {
		return e
	}
	e := &blockElem{size: t.Size(), copier: deep.NewCopier(t)}
	plans.known[t] = e
	e.fields = plans.fields(t, 0, "")
	return e
}

// image is a copy of a block.
type image struct {
	field *blockField
	in    *image         // the block that contains the field, nil for the state
	at    int            // index of the value in that block
	live  unsafe.Pointer // the block itself
	bytes []uint64
	n     int // number of values
}

// path returns the expression that leads to the block.
func (m *image) path() string {
	if m.in == nil {
		return m.field.path
	}
	return fmt.Sprintf("%s[%d]%s", m.in.path(), m.at, m.field.path)
}

// value returns the address of value i in the copy.
func (m *image) value(i int) unsafe.Pointer {
	return unsafe.Add(plain.WordsAt(m.bytes), uintptr(i)*m.field.elem.size)
}

// blockWalk copies the blocks that a state leads to. During the walk it replaces their
// addresses with numbers, in the state and in the copies, because only the contents of a
// block count, not its address.
type blockWalk struct {
	live   map[uint64]uint64 // words of the blocks in use, by address
	seen   map[uint64]uint64 // number by address
	images []image
	masked []maskedAddress // what to restore in the state
}

// maskedAddress is a block's word in a state, and its value before masking.
type maskedAddress struct {
	p  *uint64
	at uint64
}

// dangling replaces the word of a block that has been freed.
const dangling = ^uint64(0)

// mask masks and copies the blocks that a state leads to, including blocks in blocks.
func (w *blockWalk) mask(state unsafe.Pointer, fields []blockField) {
	if len(fields) == 0 {
		return
	}
	w.seen = map[uint64]uint64{}
	type place struct {
		fields []blockField
		base   unsafe.Pointer
		in     *image
		at     int
	}
	todo := []place{{fields: fields, base: state}}
	for ; len(todo) > 0; todo = todo[1:] {
		here := todo[0]
		for i := range here.fields {
			m := w.block(&here.fields[i], here.base, here.in == nil)
			if m == nil {
				continue
			}
			m.in, m.at = here.in, here.at
			for j := 0; j < m.n && len(m.field.elem.fields) > 0; j++ {
				todo = append(todo, place{m.field.elem.fields, m.value(j), m, j})
			}
			w.images = append(w.images, *m)
		}
	}
}

// block masks a Block and copies its contents. It returns nil if there is nothing to copy,
// or it was copied before. own is true if the Block is in the state, where unmask restores
// it.
func (w *blockWalk) block(f *blockField, base unsafe.Pointer, own bool) *image {
	b := (*kernel.Block)(unsafe.Add(base, f.off))
	if b.At == 0 {
		return nil
	}
	address := b.At & kernel.AddressMask
	if own {
		w.masked = append(w.masked, maskedAddress{&b.At, b.At})
	}
	if w.live[address] != b.At { // another block may have the memory now
		b.At = dangling
		return nil
	}
	number, ok := w.seen[address]
	if !ok {
		number = uint64(len(w.seen)) + 1
		w.seen[address] = number
	}
	b.At = number
	if ok {
		return nil
	}
	m := &image{field: f, live: plain.Pointer(address), n: int(b.N)}
	size := uintptr(b.N) * f.elem.size
	m.bytes = make([]uint64, (size+7)/8)
	plain.CopyBytes(plain.WordsAt(m.bytes), plain.Pointer(address), size)
	return m
}

// unmask restores the words in the state.
func (w *blockWalk) unmask() {
	for _, m := range w.masked {
		*m.p = m.at
	}
}

// compareImages returns differences in the contents of blocks. Different numbers of blocks
// or values have already been found in the fields.
func compareImages(before, after []image) (found []deep.Difference) {
	for i := range min(len(before), len(after)) {
		b, a := &before[i], &after[i]
		if b.field != a.field || b.n != a.n {
			break
		}
		for j := range b.n {
			all := b.field.elem.copier.Compare(b.value(j), a.value(j), "")
			for _, d := range all {
				d.Path = fmt.Sprintf("%s[%d]%s", b.path(), j, d.Path)
				found = append(found, d)
			}
			if len(found) >= deep.MaxDifferences {
				return found
			}
		}
	}
	return found
}
