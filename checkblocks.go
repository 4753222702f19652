// This file owns what the schedulers that check rollback see of memory of Alloc:
// it is outside the Go heap, where comparing by reflection does not come, and it
// may lie elsewhere when an event runs again.

package ross

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/deep"
	"github.com/ross-go/ross/internal/plain"
)

// types returns the types of the block and of its values.
func (b Block[T]) types() (self, elem reflect.Type) {
	return reflect.TypeFor[Block[T]](), reflect.TypeFor[T]()
}

// blockField is a Block in a struct or an array.
type blockField struct {
	off  uintptr
	path string
	elem *blockElem
}

// blockElem is what the values of a Block are.
type blockElem struct {
	size   uintptr
	copier *deep.Copier
	fields []blockField
}

// blockPlans are the types of values that are known: a list has nodes that hold
// a Block of the next node.
type blockPlans map[reflect.Type]*blockElem

// fields returns the Blocks in a type. Those behind Go pointers are not found: a
// state that has pointers has no need of them.
func (plans blockPlans) fields(t reflect.Type, off uintptr, path string) (all []blockField) {
	switch t.Kind() {
	case reflect.Struct:
		if elem, ok := blockElemOf(t); ok {
			return []blockField{{off, path, plans.elem(elem)}}
		}
		for i := range t.NumField() {
			f := t.Field(i)
			all = append(all, plans.fields(f.Type, off+f.Offset, path+"."+f.Name)...)
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

func (plans blockPlans) elem(t reflect.Type) *blockElem {
	if e := plans[t]; e != nil {
		return e
	}
	e := &blockElem{size: t.Size(), copier: deep.NewCopier(t)}
	plans[t] = e
	e.fields = plans.fields(t, 0, "")
	return e
}

// image is a copy of a block.
type image struct {
	field *blockField
	in    *image         // the block that the field is in, nil for the state
	at    int            // index of the value there
	live  unsafe.Pointer // the block itself
	bytes []uint64
	n     int // values
}

// path returns the expression that leads to the block.
func (m *image) path() string {
	if m.in == nil {
		return m.field.path
	}
	return fmt.Sprintf("%s[%d]%s", m.in.path(), m.at, m.field.path)
}

// value returns value i.
func (m *image) value(i int) unsafe.Pointer {
	return unsafe.Add(plain.WordsAt(m.bytes), uintptr(i)*m.field.elem.size)
}

// blockWalk copies the blocks that a state leads to. Meanwhile their addresses
// are replaced by their numbers, in the state and in the copies, since only what
// is in a block counts, and not where it is.
type blockWalk struct {
	live   map[uint64]bool
	seen   map[uint64]uint64 // number by address
	images []image
	masked []maskedAddress
}

type maskedAddress struct {
	p  *uint64
	at uint64
}

// dangling stands for the address of a block that was given back.
const dangling = ^uint64(0)

// mask masks the blocks of a state and copies them, those in blocks too.
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

// block masks the address of a block and copies it; nil if that was done before
// or there is nothing. own says that the address is in the state, where it comes
// back.
func (w *blockWalk) block(f *blockField, base unsafe.Pointer, own bool) *image {
	b := (*Block[byte])(unsafe.Add(base, f.off))
	if b.at == 0 {
		return nil
	}
	address := b.at & addressMask
	if own {
		w.masked = append(w.masked, maskedAddress{&b.at, b.at})
	}
	if !w.live[address] {
		b.at = dangling
		return nil
	}
	number, ok := w.seen[address]
	if !ok {
		number = uint64(len(w.seen)) + 1
		w.seen[address] = number
	}
	b.at = number
	if ok {
		return nil
	}
	m := &image{field: f, live: plain.Pointer(address), n: int(b.n)}
	size := uintptr(b.n) * f.elem.size
	m.bytes = make([]uint64, (size+7)/8)
	plain.CopyBytes(plain.WordsAt(m.bytes), plain.Pointer(address), size)
	return m
}

// unmask puts the addresses back.
func (w *blockWalk) unmask() {
	for _, m := range w.masked {
		*m.p = m.at
	}
}

// compareImages tells where the contents of blocks differ. Other numbers of blocks
// or of values have been seen in the fields before.
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

// took and gave tell the checker of memory that no event's history knows of.
func (c *checker) took(p unsafe.Pointer) {
	if c != nil {
		c.live[uint64(uintptr(p))] = true
	}
}

func (c *checker) gave(p unsafe.Pointer) {
	if c != nil {
		delete(c.live, uint64(uintptr(p)))
	}
}
