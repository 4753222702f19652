// Digests of values: one number for everything that a value refers to, the same in every run.
package deep

import (
	"reflect"
	"runtime"
	"unsafe"

	"github.com/ross-go/ross/internal/num/hash64"
)

// Blocks describes structs that hold memory outside the Go heap, by an address that the
// collector does not know.
type Blocks struct {
	// Elem returns the type of the values in the memory, if t is such a struct.
	Elem func(reflect.Type) (reflect.Type, bool)
	// At returns the memory of the struct at p, and how many values it holds; nil if it no
	// longer has any.
	At func(p unsafe.Pointer) (unsafe.Pointer, int)
}

// Hasher computes digests of values of one type. Values that are equal for [Copier.Diff] have
// equal digests, at any address. It is not safe for concurrent use.
//
// The blocks of memory that a value refers to get colours. The colour of a block is a hash of
// its contents, in which a reference counts as the previous colour of its target (Weisfeiler
// and Lehman, 1968). After some rounds a colour stands for the surroundings of its block. The
// digest is a sum over all blocks of colours and distances from the value. So neither cycles
// nor the order of maps matter, nothing recurses along pointers, and the cost is linear.
type Hasher struct {
	c      *Copier
	blocks []coloured
	index  map[target]int
	names  map[reflect.Type]uint64
	refs   []int // of the block being hashed: the targets of its references, in order
	at     int   // the next of them
	depth  int   // of that block
	first  bool  // they are not known yet
	colour []uint64
	kinds  Blocks
}

// target is the block that a reference points to.
type target struct {
	addr unsafe.Pointer
	plan *plan
	n    int
	kind blockKind
}

// coloured is a block.
type coloured struct {
	target
	refs    []int
	entries *entries // of a map
	depth   int      // references on the shortest way
}

// mostRounds limits the distance of the surroundings that a colour stands for.
const mostRounds = 4

// NewHasher makes a hasher for values of type t. Pointers to the opaque types are not
// followed.
func NewHasher(t reflect.Type, blocks Blocks, opaque ...reflect.Type) *Hasher {
	h := &Hasher{kinds: blocks, names: make(map[reflect.Type]uint64)}
	h.c = newCopier(t, blocks.Elem, nil, opaque...)
	return h
}

// Hash returns the digest of the value at p.
func (h *Hasher) Hash(p unsafe.Pointer) uint64 {
	if !h.c.root.refs {
		return h.value(0, h.c.root, p)
	}
	h.blocks, h.colour, h.index = h.blocks[:0], nil, make(map[target]int)
	h.block(target{p, h.c.root, 1, object}, 0)
	h.first = true
	deepest := 0
	var colours []uint64
	for i := 0; i < len(h.blocks); i++ {
		colours = append(colours, h.round(i))
		if b := &h.blocks[i]; b.kind == object || b.kind == table { // which share an array makes no difference
			deepest = max(deepest, b.depth)
		}
	}
	h.first = false
	for range min(deepest+2, mostRounds) {
		h.colour = append(h.colour[:0], colours...)
		for i := range h.blocks {
			colours[i] = h.round(i)
		}
	}
	return h.sum(colours)
}

// sum adds the blocks up. Each object and each map counts; of arrays of slices and values in
// interfaces only the contents count, not whether they are shared.
func (h *Hasher) sum(colours []uint64) uint64 {
	sum := colours[0]
	contents := make(map[uint64]bool)
	for i, c := range colours {
		if b := &h.blocks[i]; b.kind == object || b.kind == table {
			sum += hash64.Word(c, uint64(b.depth))
		} else if !contents[c] {
			contents[c] = true
			sum += hash64.Word(c, 1<<32)
		}
	}
	return sum
}

// round returns the colour of a block from the colours of the previous round.
func (h *Hasher) round(i int) uint64 {
	b := h.blocks[i] // the list may grow
	h.refs, h.at, h.depth = b.refs, 0, b.depth
	x := hash64.Word(uint64(b.kind), uint64(b.n))
	switch {
	case b.kind == table:
		x = h.entries(x, b.plan, b.entries)
	case b.plan.dense:
		x = hash64.Bytes(x, unsafe.Slice((*byte)(b.addr), uintptr(b.n)*b.plan.size))
	default:
		for k := range b.n {
			x = h.value(x, b.plan, b.plan.at(b.addr, k))
		}
	}
	h.blocks[i].refs = h.refs
	return x
}

// entries mixes the entries of a map, in any order.
func (h *Hasher) entries(x uint64, pl *plan, e *entries) uint64 {
	sum := uint64(0)
	for k := range e.n {
		sum += h.value(h.value(1, pl.key, e.key(pl, k)), pl.val, e.val(pl, k))
	}
	return hash64.Word(x, sum)
}

// value mixes a value into x.
func (h *Hasher) value(x uint64, pl *plan, p unsafe.Pointer) uint64 {
	for i := range pl.ops {
		o := &pl.ops[i]
		x = h.part(x, o, unsafe.Add(p, o.off))
	}
	return x
}

// part mixes a part of a value.
func (h *Hasher) part(x uint64, o *op, p unsafe.Pointer) uint64 {
	switch o.kind {
	case opBytes:
		return hash64.Bytes(x, unsafe.Slice((*byte)(p), o.size))
	case opString:
		s := *(*string)(p)
		return hash64.Bytes(hash64.Word(x, uint64(len(s))), unsafe.Slice(unsafe.StringData(s), len(s)))
	case opWord:
		return hash64.Word(x, isSet(*(*unsafe.Pointer)(p)))
	case opFunc:
		return h.function(x, *(*unsafe.Pointer)(p))
	case opArray:
		for i := range o.n {
			x = h.value(x, o.elem, o.elem.at(p, i))
		}
		return x
	case opIface:
		return h.iface(x, o, p)
	case opBlock:
		addr, n := h.kinds.At(p)
		x = hash64.Word(x, uint64(n))
		if n > 0 && o.elem.size > 0 {
			x = hash64.Word(x, isSet(addr))
			if addr != nil {
				return h.follow(x, target{addr, o.elem, n, array})
			}
		}
		return x
	}
	kind, addr, n := o.target(p)
	switch {
	case kind == table && n > 0 && mapAt(o.elem, addr).Len() == 0:
		addr, n = nil, 0 // a nil map is an empty one
	case kind == array:
		return h.follow(hash64.Word(x, uint64(len(*(*[]struct{})(p)))), target{addr, o.elem, n, kind})
	}
	return h.follow(hash64.Word(x, isSet(addr)), target{addr, o.elem, n, kind})
}

// iface mixes an interface: the dynamic type, and the value.
func (h *Hasher) iface(x uint64, o *op, p unsafe.Pointer) uint64 {
	pl, word := h.c.dynamic(o.typ, p)
	switch {
	case pl == nil:
		return hash64.Word(x, 0)
	case pl.direct:
		return h.value(hash64.Word(x, h.name(pl.typ)), pl, unsafe.Pointer(&word))
	case !pl.refs:
		return h.value(hash64.Word(x, h.name(pl.typ)), pl, word)
	}
	return h.follow(hash64.Word(x, h.name(pl.typ)), target{word, pl, 1, boxed})
}

// follow mixes the target of a reference, if any.
func (h *Hasher) follow(x uint64, to target) uint64 {
	if to.n == 0 {
		return x
	}
	if h.first {
		h.refs = append(h.refs, h.block(to, h.depth+1))
		return x
	}
	h.at++
	return hash64.Word(x, h.colour[h.refs[h.at-1]])
}

// block returns the number of a block, which may be new.
func (h *Hasher) block(to target, depth int) int {
	if i, ok := h.index[to]; ok {
		return i
	}
	b := coloured{target: to, depth: depth}
	if to.kind == table {
		b.entries = collect(to.plan, to.addr)
	}
	h.index[to] = len(h.blocks)
	h.blocks = append(h.blocks, b)
	return len(h.blocks) - 1
}

// function mixes the name of a function: its address depends on how the program was
// loaded.
func (h *Hasher) function(x uint64, f unsafe.Pointer) uint64 {
	if f == nil {
		return hash64.Word(x, 0)
	}
	name := runtime.FuncForPC(*(*uintptr)(f)).Name()
	return hash64.Bytes(hash64.Word(x, 1), unsafe.Slice(unsafe.StringData(name), len(name)))
}

// name returns a hash of the name of a type.
func (h *Hasher) name(t reflect.Type) uint64 {
	x, ok := h.names[t]
	if !ok {
		name := t.PkgPath() + " " + t.String()
		x = hash64.Bytes(1, unsafe.Slice(unsafe.StringData(name), len(name)))
		h.names[t] = x
	}
	return x
}

func isSet(p unsafe.Pointer) uint64 {
	if p == nil {
		return 0
	}
	return 1
}
