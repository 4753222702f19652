// Check must find what is wrong: each case breaks one thing in a sound
// tree.

package avl

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckNamesWhatIsBroken(t *testing.T) {
	// Ids 1 to 7 of source 0: a full tree. root is that of id 4.
	for _, broken := range []struct {
		says string
		by   func(h *head, root *Node)
	}{
		{"comes after 1099511627776", func(h *head, root *Node) { root.ID = 1 << 40 }},
		{"comes after", func(h *head, root *Node) { h.at(root.child[0]).ID = 3 }},
		{"its source is 9", func(h *head, root *Node) { root.Source = 9 }},
		{"is not marked", func(h *head, root *Node) { h.at(root.child[1]).linked = 0 }},
		{"balance 1, heights 2 and 2", func(h *head, root *Node) { root.balance = 1 }},
		{"balance 0, heights 0 and 2", func(h *head, root *Node) { root.child[0] = 0 }},
		{"its parent is", func(h *head, root *Node) { h.at(root.child[0]).parent = root.child[1] }},
		{"more nodes or levels", func(h *head, root *Node) { h.at(h.at(root.child[1]).child[1]).child[1] = 1 }},
		{"more nodes or levels", func(h *head, root *Node) { h.n-- }},
		{"7 nodes, but 8 are counted", func(h *head, root *Node) { h.n++ }},
		{"the newest is recorded as", func(h *head, root *Node) { h.source(0).newest = root.parent }},
	} {
		p := newPlayer(t, "go", 8)
		for id := range uint64(7) {
			p.put(0, id+1)
		}
		h := p.tree.h
		require.NoError(t, p.tree.Check())
		broken.by(h, h.at(h.source(0).root))
		require.ErrorContains(t, p.tree.Check(), broken.says)
	}
}

func TestEveryReasonIsAnError(t *testing.T) {
	for r, want := range map[reason]error{badNode: ErrNode, duplicate: ErrDuplicate, badSource: ErrSource, noMemory: ErrMemory} {
		require.Equal(t, want, r.err())
	}
}
