// This file owns memory: the blocks of Alloc and the containers of package container in a state. They are outside of
// the Go heap, and their addresses and layouts say nothing to a modeller: what they hold is compared.

package watch

import (
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/output/deep"
	"github.com/ross-go/ross/internal/output/held"
	"github.com/ross-go/ross/internal/sys/plain"
)

// The packages of types that are shown in a way of their own: ross.Timer, and containers by what they hold.
const (
	engine     = "github.com/ross-go/ross"
	containers = engine + "/container"
)

// memory is what is known about the types of states with blocks and containers.
type memory struct {
	elemOf  func(t reflect.Type) (elem reflect.Type, ok bool) // of a Block
	lists   map[reflect.Type]bool
	nested  map[reflect.Type]bool // whether values of a type hold blocks
	copiers map[reflect.Type]*deep.Copier
	valued  map[reflect.Type][]plain.Span
}

func newMemory(elemOf func(reflect.Type) (reflect.Type, bool)) *memory {
	return &memory{elemOf, map[reflect.Type]bool{}, map[reflect.Type]bool{}, map[reflect.Type]*deep.Copier{},
		map[reflect.Type][]plain.Span{}}
}

// spans returns the bytes of a type that are no padding.
func (m *memory) spans(t reflect.Type) []plain.Span {
	s, ok := m.valued[t]
	if !ok {
		s = plain.SpansOf(t)
		m.valued[t] = s
	}
	return s
}

// isList reports whether a type is a block or a container.
func (m *memory) isList(t reflect.Type) bool {
	is, ok := m.lists[t]
	if !ok && t.Kind() == reflect.Struct {
		if _, is = m.elemOf(t); !is && t.PkgPath() == containers {
			switch nameOf(t) {
			case "Queue", "Stack", "Heap", "IndexedHeap", "Map", "Set", "Slab", "Bitset":
				is = true
			}
		}
		m.lists[t] = is
	}
	return is
}

// isTimer reports whether a type is ross.Timer. The lines about timers have their numbers.
func isTimer(t reflect.Type) bool { return t.Name() == "Timer" && t.PkgPath() == engine }

// skips reports whether a type does not count where values are compared.
func (m *memory) skips(t reflect.Type) bool { return m.isList(t) || isTimer(t) || tells(t) }

// tells reports whether what a type holds is not shown, since it says it itself.
func tells(t reflect.Type) bool { return held.Is(t) || held.IsBrief(t) }

// nameOf returns the name of a type without its type arguments.
func nameOf(t reflect.Type) string {
	name, _, _ := strings.Cut(t.Name(), "[")
	return name
}

// holds reports whether values of a type have blocks in them.
func (m *memory) holds(t reflect.Type) bool {
	has, ok := m.nested[t]
	if !ok {
		has = len(m.places(t)) > 0
		m.nested[t] = has
	}
	return has
}

// copier returns what compares values of a type, apart from blocks in them.
func (m *memory) copier(t reflect.Type) *deep.Copier {
	c := m.copiers[t]
	if c == nil {
		c = deep.NewCopierWithout(m.skips, t)
		m.copiers[t] = c
	}
	return c
}

// places returns the blocks and containers in a type, except those behind Go pointers, and those in what says itself
// what it holds.
func (m *memory) places(t reflect.Type) []plain.Place {
	all := plain.Places(t, func(t reflect.Type) bool { return m.isList(t) || tells(t) })
	return slices.DeleteFunc(all, func(p plain.Place) bool { return tells(p.Type) })
}

func join(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}

// list is what a block or a container holds.
type list struct {
	elem  reflect.Type // of its values; nil: only keys count
	n     int          // number of values
	keyed bool         // values have keys, such as indices
	block bool         // it is a block: keys are indices
	freed bool         // it is a block that has been freed
	items []item
}

// item is a value of a list.
type item struct {
	key   string         // of a keyed list, or what is written before the value
	at    unsafe.Pointer // the value, as long as nothing changes
	bytes []uint64       // a copy of it
	text  string         // of a value with blocks in it, in a list without keys
}

// label returns what is written before a value.
func (i *item) label(l *list) string {
	if i.key == "" || l.elem == nil {
		return i.key
	}
	return i.key + ":"
}

// field returns the type and the address of a field of the struct of type t at p.
func field(t reflect.Type, p unsafe.Pointer, name string) (reflect.Type, unsafe.Pointer) {
	f, _ := t.FieldByName(name)
	return f.Type, unsafe.Add(p, f.Offset)
}

// count returns an unsigned field of the struct of type t at p.
func count(t reflect.Type, p unsafe.Pointer, name string) int {
	ft, at := field(t, p, name)
	return int(reflect.NewAt(ft, at).Elem().Uint())
}

// read returns what the block or container of type t at p holds.
func (m *memory) read(lp *kernel.LP, t reflect.Type, p unsafe.Pointer) (l list) {
	if _, ok := m.elemOf(t); ok {
		var all []unsafe.Pointer
		l.keyed, l.block = true, true
		l.elem, all, l.freed = m.block(lp, t, p)
		for i, at := range all {
			l.items = append(l.items, item{key: strconv.Itoa(i), at: at})
		}
		l.n = int((*kernel.Block)(p).N)
		return l
	}
	slots := func(name string) (reflect.Type, []unsafe.Pointer) {
		ft, at := field(t, p, name)
		elem, all, _ := m.block(lp, ft, at)
		return elem, all
	}
	switch nameOf(t) {
	case "Queue":
		elem, ring := slots("ring")
		l.elem, l.n = elem, count(t, p, "n")
		for i := range min(l.n, len(ring)) {
			l.items = append(l.items, item{at: ring[(count(t, p, "head")+i)%len(ring)]})
		}
	case "Stack":
		elem, all := slots("values")
		l.elem, l.n = elem, count(t, p, "n")
		for _, at := range all[:min(l.n, len(all))] {
			l.items = append(l.items, item{at: at})
		}
	case "Heap":
		node, all := slots("nodes")
		l.n = count(t, p, "n")
		for _, at := range all[:min(l.n, len(all))] {
			key, k := field(node, at, "key")
			elem, v := field(node, at, "value")
			l.elem, l.items = elem, append(l.items, item{key: text(m, lp, key, k), at: v})
		}
	case "IndexedHeap":
		l = m.indexed(lp, t, p)
	case "Map":
		entry, all := slots("entries")
		l.n, l.keyed = count(t, p, "n"), true
		for _, at := range all {
			if count(entry, at, "state") == 1 {
				key, k := field(entry, at, "key")
				elem, v := field(entry, at, "value")
				l.elem, l.items = elem, append(l.items, item{key: text(m, lp, key, k), at: v})
			}
		}
	case "Set":
		l = m.read(lp, t.Field(0).Type, p)
		l.elem = nil
	case "Slab":
		record, all := slots("records")
		l.n, l.keyed = count(t, p, "n"), true
		for i, at := range all {
			if uint32(count(record, at, "link")) == ^uint32(0) {
				elem, v := field(record, at, "value")
				l.elem, l.items = elem, append(l.items, item{key: strconv.Itoa(i + 1), at: v})
			}
		}
	case "Bitset":
		_, all := slots("words")
		l.n, l.keyed = count(t, p, "n"), true
		for i, at := range all {
			for word := *(*uint64)(at); word != 0; word &= word - 1 {
				l.items = append(l.items, item{key: strconv.Itoa(i*64 + bits.TrailingZeros64(word))})
			}
		}
	}
	return l
}

// indexed reads an IndexedHeap: its values by their handles.
func (m *memory) indexed(lp *kernel.LP, t reflect.Type, p unsafe.Pointer) list {
	slab, at := field(t, p, "values")
	l := m.read(lp, slab, at)
	placed := l.elem
	for i := range l.items {
		l.elem, l.items[i].at = field(placed, l.items[i].at, "value")
	}
	nodes, at := field(t, p, "nodes")
	ref, all, _ := m.block(lp, nodes, at)
	keys := map[string]string{}
	for _, at := range all[:min(len(all), count(t, p, "n"))] {
		key, k := field(ref, at, "key")
		keys[strconv.Itoa(count(ref, at, "handle"))] = text(m, lp, key, k)
	}
	for i := range l.items {
		l.items[i].key += " (key " + keys[l.items[i].key] + ")"
	}
	return l
}

// block returns the type of the values in the Block of type t at p, and their addresses. There are none if the block
// has been freed.
func (m *memory) block(lp *kernel.LP, t reflect.Type, p unsafe.Pointer) (
	elem reflect.Type, all []unsafe.Pointer, freed bool) {
	elem, _ = m.elemOf(t)
	b := (*kernel.Block)(p)
	if b.N == 0 || elem.Size() > 0 && b.At == 0 {
		return elem, nil, false
	}
	base := p // of values without a size
	if elem.Size() > 0 {
		if !lp.InUse(b.At) {
			return elem, nil, true
		}
		base = kernel.AddressOf(b.At)
	}
	for i := range b.N {
		all = append(all, unsafe.Add(base, uintptr(i)*elem.Size()))
	}
	return elem, all, false
}
