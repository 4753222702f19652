// The API: copying, comparing and restoring values of one type.
package deep

import (
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
	return newCopier(t, nil, opaque...)
}

func newCopier(t reflect.Type, blocks func(reflect.Type) (reflect.Type, bool), opaque ...reflect.Type) *Copier {
	c := &Copier{name: t.Name(), blocks: blocks, plans: make(map[reflect.Type]*plan), opaque: make(map[reflect.Type]bool)}
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
