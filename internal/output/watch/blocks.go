// This file owns what a state leads to: all blocks and containers, each once, before an event and after it, and which
// of them belong together. A block is the same one as long as it is in use, wherever the state refers to it from.

package watch

import (
	"bytes"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/plain"
)

// contents is what a state leads to.
type contents struct {
	order []*node // the state's own first
	nodes map[string]*node
	refs  []ref
	found map[string]uint64 // the word of each reference, by its id
}

// node is a block or a container.
type node struct {
	id, path string
	list     list
	done     bool // its changes have been written
}

// ref is a field that refers to a block.
type ref struct {
	id, path string
	word     uint64 // of the block; 0: there is none
}

// blockID returns the id of a block.
func blockID(word uint64) string { return fmt.Sprintf("#%x", word) }

// take reads what the state of lp leads to. If it will change before it is looked at, keep has it copied.
func (m *memory) take(lp *kernel.LP, places []plain.Place, root string, keep bool) *contents {
	c := &contents{nodes: map[string]*node{}, found: map[string]uint64{}}
	type todo struct {
		plain.Place
		id string
		at unsafe.Pointer
	}
	var next []todo
	for _, p := range places {
		if p.Path == "" {
			p.Path = root // the state is a container
		}
		next = append(next, todo{p, p.Path, unsafe.Add(lp.State, p.Off)})
	}
	for ; len(next) > 0; next = next[1:] {
		t := next[0]
		n := &node{id: t.id, path: t.Path}
		if _, ok := m.elemOf(t.Type); ok {
			if b := (*kernel.Block)(t.at); b.N == 0 || b.At != 0 {
				word := b.At
				c.refs = append(c.refs, ref{t.id, t.Path, word})
				c.found[t.id] = word
				if n.id = blockID(word); word == 0 || c.nodes[n.id] != nil {
					continue
				}
			}
		}
		n.list = m.read(lp, t.Type, t.at)
		c.order = append(c.order, n)
		c.nodes[n.id] = n
		if l := &n.list; l.keyed && l.elem != nil && m.holds(l.elem) {
			for i := range l.items {
				key := "[" + l.items[i].key + "]"
				for _, p := range m.places(l.elem) {
					p.Path = join(t.Path+key, p.Path)
					next = append(next, todo{p, join(n.id+key, p.Path), unsafe.Add(l.items[i].at, p.Off)})
				}
			}
		}
		if keep {
			m.keep(lp, &n.list)
		}
	}
	return c
}

// keep copies the values of a list, before they change.
func (m *memory) keep(lp *kernel.LP, l *list) {
	if l.elem == nil {
		return
	}
	words := int(l.elem.Size()+7) / 8
	room := make([]uint64, words*len(l.items))
	texts := !l.keyed && m.holds(l.elem)
	for i := range l.items {
		it := &l.items[i]
		it.bytes, room = room[:words:words], room[words:]
		plain.CopyBytes(plain.WordsAt(it.bytes), it.at, l.elem.Size())
		if texts {
			it.text = text(m, lp, l.elem, it.at)
		}
	}
}

// same reports whether a kept value has the bytes of another one.
func same(a, b *item, size uintptr) bool {
	return bytes.Equal(unsafe.Slice((*byte)(plain.WordsAt(a.bytes)), size), unsafe.Slice((*byte)(b.at), size))
}

// isZero reports whether all bytes of a value are 0.
func isZero(elem reflect.Type, p unsafe.Pointer) bool {
	for _, b := range unsafe.Slice((*byte)(p), elem.Size()) {
		if b != 0 {
			return false
		}
	}
	return true
}

// compare writes what is different in what the state of lp leads to.
func (m *memory) compare(b *block, lp *kernel.LP, before, after *contents) {
	for _, now := range after.refs {
		was, known := before.found[now.id]
		if !known || was == now.word {
			continue
		}
		old, new := before.nodes[blockID(was)], after.nodes[blockID(now.word)]
		gone := old == nil || after.nodes[old.id] == nil && !old.done
		isNew := new == nil || before.nodes[new.id] == nil && !new.done
		if gone && isNew { // such as a larger block in place of one that was full
			m.changes(b, lp, now.path, listOf(old), listOf(new))
			continue
		}
		b.line("changed", "%s: %s -> %s", now.path, before.name(was, before), before.name(now.word, after))
	}
	for _, n := range after.order {
		if !n.done {
			m.changes(b, lp, n.path, listOf(before.nodes[n.id]), listOf(n))
		}
	}
	for _, n := range before.order {
		if !n.done {
			m.changes(b, lp, n.path, listOf(n), &list{elem: n.list.elem, keyed: n.list.keyed, block: n.list.block})
		}
	}
}

// name returns how a text names a block: by where it was before the event, or where it is in now.
func (c *contents) name(word uint64, now *contents) string {
	switch n := c.nodes[blockID(word)]; {
	case word == 0:
		return "no block"
	case n != nil:
		return "the block at " + n.path
	}
	return "the new block at " + now.nodes[blockID(word)].path
}

// listOf returns the list of a node, whose changes are written now.
func listOf(n *node) *list {
	if n == nil {
		return &list{}
	}
	n.done = true
	return &n.list
}
