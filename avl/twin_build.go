// The building of trees in Go, step by step as in csrc/avl.c.

package avl

import "cmp"

// halve makes a tree of nodes that are in order, and returns its height. The left half has the node
// more, so it is as high as the right one, or one level higher.
func (t *twin) halve(nodes []uint32, parent uint32) (root uint32, height int8) {
	if len(nodes) == 0 {
		return 0, 0
	}
	mid := len(nodes) / 2
	root = nodes[mid]
	n := t.h.at(root)
	n.parent, n.linked = parent, 1
	var left, right int8
	n.child[0], left = t.halve(nodes[:mid], root)
	n.child[1], right = t.halve(nodes[mid+1:], root)
	n.balance = right - left
	return root, 1 + left
}

// admit returns fine if node b may come after a, which is 0 before the first, and the table has its source.
func (t *twin) admit(a, b uint32) reason {
	if b == 0 {
		return badNode
	}
	y := t.h.at(b)
	if a != 0 {
		x := t.h.at(a)
		switch c := cmp.Or(cmp.Compare(y.Source, x.Source), cmp.Compare(y.ID, x.ID)); {
		case c < 0:
			return unordered
		case c == 0:
			return duplicate
		}
	}
	if y.Source >= t.h.nsources {
		return t.reserve(y.Source)
	}
	return fine
}

func (t *twin) forget() {
	clear(t.table)
	t.h.n = 0
}

// Build is Build of csrc.AVL.
func (t *twin) Build(nodes []uint32) int {
	t.forget()
	last := uint32(0)
	for at, i := range nodes {
		if bad := t.admit(last, i); bad != fine {
			t.forget()
			t.h.refused = bad
			return at
		}
		last = i
	}
	for first, end := 0, 0; first < len(nodes); first = end {
		src := t.h.at(nodes[first]).Source
		for end < len(nodes) && t.h.at(nodes[end]).Source == src {
			end++
		}
		s := t.h.source(src)
		s.root, _ = t.halve(nodes[first:end], 0)
		s.newest = nodes[end-1]
	}
	t.h.n = uint64(len(nodes))
	return len(nodes)
}
