// Package fold merges the values of LPs in an order that depends on the ids of the LPs alone, so
// that sums of floating-point numbers are the same, bit for bit, on any number of ranks and PEs.
//
// # The tree
//
// The ids 0 to total-1 are the leaves of a binary tree, in which every node covers twice as many
// ids as its children. With 6 LPs:
//
//	          (((0 1) (2 3)) (4 5))
//	          /                  \
//	   ((0 1) (2 3))           (4 5)
//	    /         \            /   \
//	 (0 1)       (2 3)        4     5
//	 /   \       /   \
//	0     1     2     3
//
// A node merges the values of its children, the left one first; if only one of them has a value,
// that is the node's value. A rank computes the nodes whose leaves it has all ([Local]) and sends
// their values to the others, and every rank computes the rest ([All]). If a rank has neighbouring
// LPs, it sends a few values, whatever the number of its LPs.
//
// Merging in pairs also keeps rounding errors small: they grow with the logarithm of the number of
// values, not with the number (Higham, "The accuracy of floating point summation", 1993).
package fold

import (
	"math/bits"
	"slices"
)

// The tree: which values are merged with which.

// Part is the value of a node of the tree.
type Part[T any] struct {
	First uint64 // the lowest id that the node covers
	Value T
}

// Local returns the values of the highest nodes whose leaves are all in ids, in the order of
// ids. ids ascend. leaf returns the value of an LP; ok is false if it has none. With a nil merge,
// the result is the values of the leaves.
func Local[T any](total uint64, ids []uint64, leaf func(id uint64) (v T, ok bool), merge func(a, b T) T) []Part[T] {
	l := local[T]{total: total, leaf: leaf, merge: merge}
	if merge == nil {
		for _, id := range ids {
			l.add(id, 1)
		}
	} else {
		l.node(0, widthOf(total), ids)
	}
	return l.parts
}

// All returns the value of the root, given those of Local from all ranks, in the order of ids. ok
// is false without a value.
func All[T any](total uint64, parts []Part[T], merge func(a, b T) T) (v T, ok bool) {
	return join(0, widthOf(total), parts, merge)
}

// widthOf returns the number of ids that the root covers: a power of two.
func widthOf(total uint64) uint64 {
	if total == 0 {
		return 1
	}
	return 1 << bits.Len64(total-1)
}

type local[T any] struct {
	total uint64
	leaf  func(id uint64) (T, bool)
	merge func(a, b T) T
	parts []Part[T]
}

// node adds the parts below the node that covers width ids from first on. ids are those of them
// that are here.
func (l *local[T]) node(first, width uint64, ids []uint64) {
	n := uint64(len(ids))
	switch {
	case n == 0:
	case n == min(width, l.total-first):
		l.add(first, width)
	default:
		mid := first + width/2
		at, _ := slices.BinarySearch(ids, mid)
		l.node(first, width/2, ids[:at])
		l.node(mid, width/2, ids[at:])
	}
}

// add adds a node whose leaves are all here.
func (l *local[T]) add(first, width uint64) {
	if v, ok := l.value(first, width); ok {
		l.parts = append(l.parts, Part[T]{first, v})
	}
}

// value returns the value of a node whose leaves are all here.
func (l *local[T]) value(first, width uint64) (v T, ok bool) {
	if first >= l.total {
		return v, false
	}
	if width == 1 {
		return l.leaf(first)
	}
	a, left := l.value(first, width/2)
	b, right := l.value(first+width/2, width/2)
	return both(a, left, b, right, l.merge)
}

// join returns the value of the node that covers width ids from first on.
func join[T any](first, width uint64, parts []Part[T], merge func(a, b T) T) (v T, ok bool) {
	switch len(parts) {
	case 0:
		return v, false
	case 1:
		return parts[0].Value, true
	}
	mid := first + width/2
	at, _ := slices.BinarySearchFunc(parts, mid, func(p Part[T], id uint64) int {
		if p.First < id {
			return -1
		}
		return 1
	})
	a, left := join(first, width/2, parts[:at], merge)
	b, right := join(mid, width/2, parts[at:], merge)
	return both(a, left, b, right, merge)
}

// both merges the values of two nodes; each may have no value.
func both[T any](a T, left bool, b T, right bool, merge func(a, b T) T) (T, bool) {
	switch {
	case !right:
		return a, left
	case !left:
		return b, true
	}
	return merge(a, b), true
}
