// Comparing a snapshot with live memory, block by block.
package deep

import (
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/invariants"
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
