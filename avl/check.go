// Invariants of the trees, read from the nodes: one check for both
// implementations.

package avl

import "fmt"

// tallest bounds the height of an AVL tree of fewer than 2^32 nodes.
const tallest = 46

// checker walks the tree of one source in order.
type checker struct {
	h      *head
	source uint32
	last   uint32 // previous node, 0 at first
	seen   uint64 // nodes of all sources so far
}

// Check walks all trees and returns an error that names the first node with a
// broken invariant: order of ids, source, links to the parents, heights and
// balance, the newest of each source, the number of nodes. It takes O(n) steps.
func (t *Tree) Check() error {
	c := checker{h: t.h}
	for c.source = range t.h.nsources {
		s := t.h.source(c.source)
		c.last = 0
		if _, err := c.walk(s.root, 0, 0); err != nil {
			return err
		}
		if c.last != s.newest {
			return c.broken(c.last, "the newest is recorded as node %d", s.newest)
		}
	}
	if c.seen != t.h.n {
		return fmt.Errorf("index of received events: %d nodes, but %d are counted", c.seen, t.h.n)
	}
	return nil
}

// walk checks the tree at x and returns its height. Depth and number of nodes
// are bounded, so that it ends even with broken links.
func (c *checker) walk(x, parent uint32, depth int) (height int, err error) {
	if x == 0 {
		return 0, nil
	}
	n := c.h.at(x)
	switch c.seen++; {
	case depth > tallest || c.seen > c.h.n:
		return 0, c.broken(x, "there are more nodes or levels than the %d counted nodes allow", c.h.n)
	case n.linked != 1:
		return 0, c.broken(x, "it is not marked as linked")
	case n.Source != c.source:
		return 0, c.broken(x, "its source is %d", n.Source)
	case n.parent != parent:
		return 0, c.broken(x, "its parent is %d, not %d", parent, n.parent)
	}
	left, err := c.walk(n.child[0], x, depth+1)
	if err != nil {
		return 0, err
	}
	if c.last != 0 && c.h.at(c.last).ID >= n.ID {
		return 0, c.broken(x, "id %d comes after %d", n.ID, c.h.at(c.last).ID)
	}
	c.last = x
	right, err := c.walk(n.child[1], x, depth+1)
	if err != nil {
		return 0, err
	}
	if b := right - left; b < -1 || b > 1 || b != int(n.balance) {
		return 0, c.broken(x, "balance %d, heights %d and %d", n.balance, left, right)
	}
	return 1 + max(left, right), nil
}

func (c *checker) broken(x uint32, format string, args ...any) error {
	return fmt.Errorf("index of received events: source %d, node %d: %s", c.source, x, fmt.Sprintf(format, args...))
}
