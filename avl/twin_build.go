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

// follows returns fine if node b may come after a, and otherwise why not.
func (t *twin) follows(a, b uint32) reason {
	x, y := t.h.at(a), t.h.at(b)
	switch c := cmp.Or(cmp.Compare(y.Source, x.Source), cmp.Compare(y.ID, x.ID)); {
	case c < 0:
		return unordered
	case c == 0:
		return duplicate
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
	first := 0 // of the source
	for at, i := range nodes {
		bad := fine
		switch {
		case i == 0:
			bad = badNode
		case at > 0:
			bad = t.follows(nodes[at-1], i)
		}
		src := uint32(0)
		if bad == fine {
			src = t.h.at(i).Source
		}
		if bad == fine && src >= t.h.nsources {
			bad = t.reserve(src)
		}
		if bad != fine {
			t.forget()
			t.h.refused = bad
			return at
		}
		if next := at + 1; next < len(nodes) && nodes[next] != 0 && t.h.at(nodes[next]).Source == src {
			continue
		}
		s := t.h.source(src)
		s.root, _ = t.halve(nodes[first:at+1], 0)
		s.newest, first = i, at+1
	}
	t.h.n = uint64(len(nodes))
	return len(nodes)
}
