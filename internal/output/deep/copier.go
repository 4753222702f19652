// This file owns the API, and snapshots: copying, comparing and restoring values of one type.

package deep

import (
	"math/bits"
	"reflect"
	"unsafe"
)

// MaxDifferences is the maximum number of reported differences.
const MaxDifferences = 20

// Copier copies and compares values of one type. It is not safe for concurrent use,
// because it compiles the types it finds in interfaces: each PE has its own.
type Copier struct {
	root   *plan
	name   string
	plans  map[reflect.Type]*plan
	opaque map[reflect.Type]bool
	skip   func(reflect.Type) bool                 // types whose values do not count; nil: there are none
	blocks func(reflect.Type) (reflect.Type, bool) // see Blocks.Elem; nil: there are none
	todo   []reflect.Type
}

// Snapshot is a value at the time of [Copier.Copy]. Comparing and restoring do not change
// it. It keeps everything it refers to alive.
type Snapshot struct {
	mem unsafe.Pointer // the copied value
	g   *graph         // all blocks; nil for a type without references
}

// Difference is one place at which a value has changed. Before and After hold the values
// as text, at most 80 runes each: if both are longer, the part around the first rune that
// differs.
type Difference struct {
	Path          string
	Before, After string
}

// String returns "State.Queue[3].Weight: 2.5 before, 3.5 after".
func (d Difference) String() string {
	return d.Path + ": " + d.Before + " before, " + d.After + " after"
}

// NewCopier makes a copier for values of type t. Pointers to the opaque types are not
// followed: they are compared as addresses.
func NewCopier(t reflect.Type, opaque ...reflect.Type) *Copier {
	return newCopier(t, nil, nil, opaque...)
}

// NewCopierWithout is NewCopier, and parts of values do not count if skip returns true for their types.
func NewCopierWithout(skip func(reflect.Type) bool, t reflect.Type, opaque ...reflect.Type) *Copier {
	return newCopier(t, nil, skip, opaque...)
}

func newCopier(t reflect.Type, blocks func(reflect.Type) (reflect.Type, bool), skip func(reflect.Type) bool,
	opaque ...reflect.Type) *Copier {
	c := &Copier{name: t.Name(), blocks: blocks, skip: skip, plans: make(map[reflect.Type]*plan),
		opaque: make(map[reflect.Type]bool)}
	if c.name == "" {
		c.name = t.String()
	}
	for _, o := range opaque {
		c.opaque[o] = true
	}
	c.root = c.of(t)
	return c
}

// Copy takes a snapshot of the value at p, which has the copier's type
// (save_lp of a crv_checkpointer in ROSS).
func (c *Copier) Copy(p unsafe.Pointer) Snapshot {
	if !c.root.refs {
		return Snapshot{mem: c.root.clone(p, 1)}
	}
	g := newGraph(c, p)
	return Snapshot{mem: g.blocks[0].copy, g: g}
}

// Diff returns where the value at p differs from the snapshot: nil if nowhere, at most
// [MaxDifferences]. Paths begin with the name of the type (check_lps in ROSS).
func (c *Copier) Diff(s Snapshot, p unsafe.Pointer) []Difference {
	return c.diff(s, p, c.name)
}

// Restore restores the contents of the value at p, and of everything that the snapshot
// refers to. Objects keep their addresses: the pointers and maps of the value are the old
// ones.
func (c *Copier) Restore(s Snapshot, p unsafe.Pointer) {
	if s.g == nil {
		c.root.put(p, s.mem, 1)
		return
	}
	s.g.restore(p)
}

// Compare returns where two values differ, a being the value before; paths begin with
// root.
func (c *Copier) Compare(a, b unsafe.Pointer, root string) []Difference {
	if !c.root.refs {
		return c.diff(Snapshot{mem: a}, b, root)
	}
	return c.diff(c.Copy(a), b, root)
}

// DiffValues is [Copier.Compare] for occasional comparisons: it compiles the type each
// time.
func DiffValues(t reflect.Type, a, b unsafe.Pointer, root string) []Difference {
	return NewCopier(t).Compare(a, b, root)
}

// diff first compares without paths, which is nearly always enough.
func (c *Copier) diff(s Snapshot, p unsafe.Pointer, root string) []Difference {
	if s.g == nil {
		if c.root.same(s.mem, p) {
			return nil
		}
		s.g = &graph{blocks: []block{{addr: s.mem, copy: s.mem, plan: c.root, n: 1}}}
	} else if d := newDiffer(c, s.g, nil); d.equal(p) {
		return nil
	}
	d := newDiffer(c, s.g, &step{kind: stepRoot, label: root})
	d.equal(p)
	return d.found
}

// The blocks of a snapshot: what a state refers to, copied and found by address.

// blockKind is the way in which a block is reached; one address may be reached in
// several ways.
type blockKind uint8

const (
	object blockKind = iota // the state, or the target of a pointer
	array                   // the elements of a slice
	table                   // the entries of a map
	boxed                   // in an interface: immutable, so not copied
)

// block is a piece of memory as it was.
type block struct {
	addr unsafe.Pointer
	copy unsafe.Pointer // n values; table: *entries
	plan *plan
	n    int
	kind blockKind
}

// entries are those of a map, in no order.
type entries struct {
	n          int
	keys, vals unsafe.Pointer
}

// graph is all blocks; the first is the state. The list is also the queue of blocks
// to scan.
type graph struct {
	blocks []block
	index  []uint32 // open addressing: number of a block plus 1
}

// fewBlocks are searched one by one, without an index.
const fewBlocks = 8

// newGraph copies the value at p and everything it refers to.
func newGraph(c *Copier, p unsafe.Pointer) *graph {
	g := &graph{}
	g.add(object, p, c.root, 1)
	for i := 0; i < len(g.blocks); i++ {
		switch b := g.blocks[i]; {
		case b.kind == table:
			e := (*entries)(b.copy)
			g.scan(c, b.plan.key, e.keys, e.n)
			g.scan(c, b.plan.val, e.vals, e.n)
		default:
			g.scan(c, b.plan, b.copy, b.n)
		}
	}
	return g
}

// scan adds the blocks that n values refer to.
func (g *graph) scan(c *Copier, pl *plan, p unsafe.Pointer, n int) {
	if !pl.refs {
		return
	}
	for k := range n {
		elem := pl.at(p, k)
		for i := range pl.ops {
			o := &pl.ops[i]
			q := unsafe.Add(elem, o.off)
			switch o.kind {
			case opArray:
				g.scan(c, o.elem, q, o.n)
			case opIface:
				g.scanIface(c, o, q)
			default:
				if kind, addr, n := o.target(q); n > 0 {
					g.add(kind, addr, o.elem, n)
				}
			}
		}
	}
}

func (g *graph) scanIface(c *Copier, o *op, p unsafe.Pointer) {
	pl, word := c.dynamic(o.typ, p)
	switch {
	case pl == nil || !pl.refs:
	case pl.direct:
		g.scan(c, pl, unsafe.Pointer(&word), 1)
	default:
		g.add(boxed, word, pl, 1)
	}
}

// target returns the block that the pointer, slice or map at p refers to: n is 0 if
// none.
func (o *op) target(p unsafe.Pointer) (kind blockKind, addr unsafe.Pointer, n int) {
	switch o.kind {
	case opPtr, opMap:
		addr = *(*unsafe.Pointer)(p)
		if addr != nil && o.elem.size > 0 {
			n = 1
		}
		if o.kind == opMap {
			kind = table
		}
	case opSlice:
		s := *(*[]struct{})(p)
		kind, addr = array, unsafe.Pointer(unsafe.SliceData(s))
		if o.elem.size > 0 {
			n = len(s)
		}
	}
	return kind, addr, n
}

// add makes a block, if it is new.
func (g *graph) add(kind blockKind, addr unsafe.Pointer, pl *plan, n int) {
	if g.find(kind, addr, pl, n) >= 0 {
		return
	}
	b := block{addr: addr, copy: addr, plan: pl, n: n, kind: kind}
	switch kind {
	case table:
		b.copy = unsafe.Pointer(collect(pl, addr))
	case object, array:
		b.copy = pl.clone(addr, n)
	}
	g.blocks = append(g.blocks, b)
	switch count := len(g.blocks); {
	case count <= fewBlocks:
	case count*2 > len(g.index):
		g.rehash()
	default:
		g.enter(count - 1)
	}
}

// find returns the number of a block, or -1.
func (g *graph) find(kind blockKind, addr unsafe.Pointer, pl *plan, n int) int {
	if len(g.index) == 0 {
		for i := range g.blocks {
			if g.blocks[i].is(kind, addr, pl, n) {
				return i
			}
		}
		return -1
	}
	for h := g.hash(addr); ; h = (h + 1) & (len(g.index) - 1) {
		i := int(g.index[h]) - 1
		if i < 0 || g.blocks[i].is(kind, addr, pl, n) {
			return i
		}
	}
}

func (b *block) is(kind blockKind, addr unsafe.Pointer, pl *plan, n int) bool {
	return b.addr == addr && b.plan == pl && b.n == n && b.kind == kind
}

func (g *graph) rehash() {
	g.index = make([]uint32, 1<<bits.Len(uint(len(g.blocks)*2)))
	for i := range g.blocks {
		g.enter(i)
	}
}

func (g *graph) enter(i int) {
	h := g.hash(g.blocks[i].addr)
	for g.index[h] != 0 {
		h = (h + 1) & (len(g.index) - 1)
	}
	g.index[h] = uint32(i + 1)
}

// hash is multiplicative (Knuth, volume 3, 6.4): the upper bits of a product with the
// golden ratio. Blocks do not move: what a state refers to is on the heap.
func (g *graph) hash(addr unsafe.Pointer) int {
	h := uint64(uintptr(addr)) * 0x9e3779b97f4a7c15
	return int(h >> (65 - bits.Len(uint(len(g.index)))))
}

// at returns the copy of a block. Memory that was not reached when the snapshot was
// taken, or all memory if there is no snapshot, is returned itself.
func (g *graph) at(kind blockKind, addr unsafe.Pointer, pl *plan, n int) unsafe.Pointer {
	if g != nil {
		if i := g.find(kind, addr, pl, n); i >= 0 {
			return g.blocks[i].copy
		}
	}
	if kind == table {
		return unsafe.Pointer(collect(pl, addr))
	}
	return addr
}

// restore writes the blocks back to their addresses, the first one to p.
func (g *graph) restore(p unsafe.Pointer) {
	for i := range g.blocks {
		b := &g.blocks[i]
		switch {
		case i == 0:
			b.plan.put(p, b.copy, 1)
		case b.kind == table:
			(*entries)(b.copy).restore(b.plan, b.addr)
		default:
			b.plan.put(b.addr, b.copy, b.n)
		}
	}
}

// mapAt gives the map at address m, of pl's type.
func mapAt(pl *plan, m unsafe.Pointer) reflect.Value {
	return reflect.NewAt(pl.typ, unsafe.Pointer(&m)).Elem()
}

// collect copies the entries of a map.
func collect(pl *plan, m unsafe.Pointer) *entries {
	v := mapAt(pl, m)
	n := v.Len()
	keys := reflect.MakeSlice(reflect.SliceOf(pl.key.typ), n, n)
	vals := reflect.MakeSlice(reflect.SliceOf(pl.val.typ), n, n)
	it := v.MapRange()
	for i := 0; it.Next(); i++ {
		keys.Index(i).SetIterKey(it)
		vals.Index(i).SetIterValue(it)
	}
	return &entries{n: n, keys: keys.UnsafePointer(), vals: vals.UnsafePointer()}
}

func (e *entries) key(pl *plan, i int) unsafe.Pointer {
	return pl.key.at(e.keys, i)
}

func (e *entries) val(pl *plan, i int) unsafe.Pointer {
	return pl.val.at(e.vals, i)
}

// restore restores the map, and does not write to it if it has not changed.
func (e *entries) restore(pl *plan, m unsafe.Pointer) {
	v := mapAt(pl, m)
	if e.unchanged(pl, v) {
		return
	}
	v.Clear()
	for i := range e.n {
		v.SetMapIndex(reflect.NewAt(pl.key.typ, e.key(pl, i)).Elem(), reflect.NewAt(pl.val.typ, e.val(pl, i)).Elem())
	}
}

func (e *entries) unchanged(pl *plan, v reflect.Value) bool {
	if v.Len() != e.n {
		return false
	}
	slot := reflect.New(pl.val.typ)
	for i := range e.n {
		now := v.MapIndex(reflect.NewAt(pl.key.typ, e.key(pl, i)).Elem())
		if !now.IsValid() {
			return false
		}
		slot.Elem().Set(now)
		if !sameBytes(slot.UnsafePointer(), e.val(pl, i), pl.val.size) {
			return false
		}
	}
	return true
}
