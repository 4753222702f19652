// This file owns comparisons of a snapshot with live memory, and the order of map keys.

package deep

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/ross-go/ross/internal/sys/invariants"
)

// differ traverses the blocks of a snapshot and live memory, breadth first, so that
// the path to a block is a shortest one.
//
// Without a root step it only checks whether there is a difference, and stops at the
// first.
type differ struct {
	c       *Copier
	g       *graph
	root    *step
	found   []Difference
	stopped bool

	last      int // the block found last
	now, next []match
	twin      []unsafe.Pointer // per block: the live memory it was first matched with
	first     []*step          // per block: where; only with a root step
	owner     map[liveBlock]int
	more      map[match]struct{} // further matches of blocks that may have several
}

// match is a block and the live memory in its place.
type match struct {
	block int
	live  unsafe.Pointer
	path  *step
}

// liveBlock is an object or a map in live memory.
type liveBlock struct {
	addr unsafe.Pointer
	plan *plan
}

func newDiffer(c *Copier, g *graph, root *step) *differ {
	d := &differ{c: c, g: g, root: root, twin: make([]unsafe.Pointer, len(g.blocks))}
	if root != nil {
		d.first = make([]*step, len(g.blocks))
	}
	return d
}

// equal compares the snapshot with the value at p; with a root step it fills d.found.
func (d *differ) equal(p unsafe.Pointer) bool {
	d.follow(0, p, d.root)
	for len(d.next) > 0 {
		d.now, d.next = d.next, d.now[:0]
		for _, m := range d.now {
			if d.stopped {
				return false
			}
			d.block(m)
		}
	}
	return !d.stopped && len(d.found) == 0
}

// block compares one block with its match.
func (d *differ) block(m match) {
	switch b := &d.g.blocks[m.block]; b.kind {
	case table:
		d.table(b, m.live, m.path)
	case array:
		d.elements(b.plan, b.n, b.copy, m.live, m.path)
	default:
		d.value(b.plan, b.copy, m.live, m.path)
	}
}

// elements compares those of an array or slice.
func (d *differ) elements(pl *plan, n int, a, b unsafe.Pointer, path *step) {
	if pl.dense && sameBytes(a, b, uintptr(n)*pl.size) {
		return
	}
	for i := 0; i < n && !d.stopped; i++ {
		d.value(pl, pl.at(a, i), pl.at(b, i), path.index(i))
	}
}

// value compares two values, a being before; what they refer to is compared later.
func (d *differ) value(pl *plan, a, b unsafe.Pointer, path *step) {
	for i := range pl.ops {
		o := &pl.ops[i]
		a, b := unsafe.Add(a, o.off), unsafe.Add(b, o.off)
		switch o.kind {
		case opArray:
			d.elements(o.elem, o.n, a, b, path.field(o.label))
		case opPtr, opSlice, opMap:
			d.reference(o, a, b, path)
		case opIface:
			d.iface(o, a, b, path.field(o.label))
		default:
			if o.same(a, b) {
				continue
			}
			if o.kind == opBytes {
				d.parts(o, a, b, path)
			} else {
				d.report(path.field(o.label), o.typ, a, b)
			}
		}
	}
}

// parts names the fields that differ within a run of bytes.
func (d *differ) parts(o *op, a, b unsafe.Pointer, path *step) {
	if d.root == nil {
		d.stopped = true
		return
	}
	for _, part := range o.parts {
		at := part.off - o.off
		a, b := unsafe.Add(a, at), unsafe.Add(b, at)
		switch {
		case sameBytes(a, b, part.typ.Size()):
		case part.typ.Kind() == reflect.Array:
			d.elements(d.c.of(part.typ.Elem()), part.typ.Len(), a, b, path.field(part.label))
		default:
			d.report(path.field(part.label), part.typ, a, b)
		}
	}
}

// reference compares pointers, slices or maps themselves, then follows them.
func (d *differ) reference(o *op, a, b unsafe.Pointer, path *step) {
	kind, was, n := o.target(a)
	_, is, m := o.target(b)
	switch {
	case o.kind == opSlice && len(*(*[]struct{})(a)) != len(*(*[]struct{})(b)):
		d.lengths(path.field(o.label), o.typ, a, b)
	case o.kind == opMap && n == 0 && m > 0 && mapAt(o.elem, is).Len() == 0:
	case o.kind != opSlice && (was == nil) != (is == nil):
		d.report(path.field(o.label), o.typ, a, b)
	case n == 0:
	case o.kind == opPtr:
		d.follow(d.find(kind, was, o.elem, n), is, path.behind(o.label))
	default:
		d.follow(d.find(kind, was, o.elem, n), is, path.field(o.label))
	}
}

// iface compares dynamic types, and values without references; it follows others.
func (d *differ) iface(o *op, a, b unsafe.Pointer, path *step) {
	pl, was := d.c.dynamic(o.typ, a)
	now, is := d.c.dynamic(o.typ, b)
	switch {
	case pl != now:
		d.report(path, o.typ, a, b)
	case pl == nil:
	case pl.direct:
		d.value(pl, unsafe.Pointer(&was), unsafe.Pointer(&is), path.assert(pl))
	case !pl.refs:
		d.value(pl, was, is, path.assert(pl))
	default:
		d.follow(d.find(boxed, was, pl, 1), is, path.assert(pl))
	}
}

// find returns the block to which a copied reference points.
//
// Blocks are visited in about the order in which they were copied: often it is the
// next one.
func (d *differ) find(kind blockKind, addr unsafe.Pointer, pl *plan, n int) int {
	if i := d.last + 1; i < len(d.g.blocks) && d.g.blocks[i].is(kind, addr, pl, n) {
		d.last = i
		return i
	}
	i := d.g.find(kind, addr, pl, n)
	d.last = i
	if invariants.Enabled {
		invariants.Check(i >= 0, "the snapshot of a %v lacks a block of %v", d.c.root.typ, pl.typ)
	}
	return i
}

// follow puts a block and its match on the list. Objects and maps have identity:
// they match one to one.
func (d *differ) follow(i int, live unsafe.Pointer, path *step) {
	b := &d.g.blocks[i]
	identity := b.kind == object || b.kind == table
	if d.twin[i] != nil {
		switch {
		case d.twin[i] == live:
			return
		case identity:
			d.alias(path, i, true)
			return
		}
		m := match{block: i, live: live}
		if _, ok := d.more[m]; ok {
			return
		}
		if d.more == nil {
			d.more = make(map[match]struct{})
		}
		d.more[m] = struct{}{}
	} else if identity {
		if j := d.claim(i, live); j >= 0 {
			d.alias(path, j, false)
			return
		}
	}
	if d.twin[i] == nil {
		d.twin[i] = live
		if d.root != nil {
			d.first[i] = path
		}
	}
	d.next = append(d.next, match{block: i, live: live, path: path})
}

// claim records that live memory is the match of block i. It returns the block whose
// match it already is, or -1. Usually memory is where it was, which needs no record.
func (d *differ) claim(i int, live unsafe.Pointer) int {
	b := &d.g.blocks[i]
	key := liveBlock{addr: live, plan: b.plan}
	if j, ok := d.owner[key]; ok {
		return j
	}
	if live == b.addr {
		return -1
	}
	if j := d.g.find(b.kind, live, b.plan, b.n); j >= 0 && d.twin[j] == live {
		return j
	}
	if d.owner == nil {
		d.owner = make(map[liveBlock]int)
	}
	d.owner[key] = i
	return -1
}

// Comparing maps, in the order of their keys if that matters.

// entry is a key of the snapshot's map, of the live map, or of both.
type entry struct {
	key unsafe.Pointer
	val unsafe.Pointer // before; nil if the key is new
}

// table compares a map with the live map at m.
func (d *differ) table(b *block, m unsafe.Pointer, path *step) {
	was := (*entries)(b.copy)
	live := mapAt(b.plan, m)
	if d.root == nil && live.Len() != was.n {
		d.stopped = true
		return
	}
	list := make([]entry, was.n, was.n+1)
	for i := range list {
		list[i] = entry{was.key(b.plan, i), was.val(b.plan, i)}
	}
	if d.root != nil {
		list = d.sortedUnion(list, b.plan, m)
	}
	slot := reflect.New(b.plan.val.typ)
	nans := 0
	for _, e := range list {
		if d.stopped {
			return
		}
		key := reflect.NewAt(b.plan.key.typ, e.key).Elem()
		now := live.MapIndex(key)
		at := path.key(b.plan.key, e.key)
		switch {
		case now.IsValid() && e.val != nil:
			slot.Elem().Set(now)
			if b.plan.key.refs {
				d.value(b.plan.key, e.key, e.key, at.ofKey())
			}
			d.value(b.plan.val, e.val, slot.UnsafePointer(), at)
		case now.IsValid():
			slot.Elem().Set(now)
			d.note(at, "absent", d.text(nil, b.plan.val.typ, slot.UnsafePointer()))
		case !isSelf(key):
			nans++
		default:
			d.note(at, d.text(d.g, b.plan.val.typ, e.val), "absent")
		}
	}
	if d.root != nil || nans > 0 {
		d.compareNaNs(nans, live, path)
	}
}

// compareNaNs compares how many keys are NaN.
func (d *differ) compareNaNs(was int, live reflect.Value, path *step) {
	is := 0
	for it := live.MapRange(); it.Next(); {
		if !isSelf(it.Key()) {
			is++
		}
	}
	if was != is {
		d.note(path, strconv.Itoa(was)+" NaN keys", strconv.Itoa(is)+" NaN keys")
	}
}

// sortedUnion adds the keys that only the live map has, and sorts all keys.
func (d *differ) sortedUnion(list []entry, pl *plan, m unsafe.Pointer) []entry {
	before := reflect.MakeMapWithSize(pl.typ, len(list))
	zero := reflect.Zero(pl.val.typ)
	for _, e := range list {
		before.SetMapIndex(reflect.NewAt(pl.key.typ, e.key).Elem(), zero)
	}
	now := collect(pl, m)
	for i := range now.n {
		key := reflect.NewAt(pl.key.typ, now.key(pl, i)).Elem()
		if isSelf(key) && !before.MapIndex(key).IsValid() {
			list = append(list, entry{key: now.key(pl, i)})
		}
	}
	slices.SortStableFunc(list, func(x, y entry) int { return compare(pl.key.typ, x.key, y.key, 0) })
	return list
}

// isSelf is false for keys that hold a NaN, which no lookup finds.
func isSelf(key reflect.Value) bool { return key.Equal(key) }

// An order of map keys, so that differences come in the same order every time.

// compare orders two values of a type that may be a map key. Pointers are ordered by
// what they point to, a few levels deep, because addresses change from run to run.
func compare(t reflect.Type, a, b unsafe.Pointer, depth int) int {
	x, y := reflect.NewAt(t, a).Elem(), reflect.NewAt(t, b).Elem()
	switch {
	case x.CanInt():
		return cmp.Compare(x.Int(), y.Int())
	case x.CanUint():
		return cmp.Compare(x.Uint(), y.Uint())
	case x.CanFloat():
		return cmp.Compare(x.Float(), y.Float())
	case x.CanComplex():
		return cmp.Or(cmp.Compare(real(x.Complex()), real(y.Complex())), cmp.Compare(imag(x.Complex()), imag(y.Complex())))
	}
	switch t.Kind() {
	case reflect.String:
		return strings.Compare(x.String(), y.String())
	case reflect.Bool:
		return cmp.Compare(*(*uint8)(a), *(*uint8)(b))
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if order := compare(f.Type, unsafe.Add(a, f.Offset), unsafe.Add(b, f.Offset), depth); order != 0 {
				return order
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			at := uintptr(i) * t.Elem().Size()
			if order := compare(t.Elem(), unsafe.Add(a, at), unsafe.Add(b, at), depth); order != 0 {
				return order
			}
		}
	case reflect.Pointer, reflect.Interface:
		return compareBehind(t, x, y, depth)
	}
	return 0
}

// compareBehind orders pointers and interfaces: nil first, then types, then contents.
func compareBehind(t reflect.Type, x, y reflect.Value, depth int) int {
	switch {
	case x.IsNil() || y.IsNil():
		return boolInt(y.IsNil()) - boolInt(x.IsNil())
	case depth == maxDepth:
		return 0
	case t.Kind() == reflect.Pointer:
		return compare(t.Elem(), x.UnsafePointer(), y.UnsafePointer(), depth+1)
	}
	x, y = addressable(x.Elem()), addressable(y.Elem())
	if x.Type() != y.Type() {
		return strings.Compare(x.Type().String(), y.Type().String())
	}
	return compare(x.Type(), x.Addr().UnsafePointer(), y.Addr().UnsafePointer(), depth+1)
}

// addressable copies a value to addressable memory.
func addressable(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
