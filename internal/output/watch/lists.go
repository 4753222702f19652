// This file owns the comparison of lists: what has come into a block or a container, what has left it, what is another
// value now.

package watch

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/plain"
)

// mostLines is the number of values of a list that are shown with what has become of them.
const mostLines = 20

// changes writes what is different in a list at a path, of lp.
func (m *memory) changes(b *block, lp *kernel.LP, path string, before, after *list) {
	switch {
	case after.freed && !before.freed:
		b.line("changed", "%s: freed, with %d values", path, before.n)
		return
	case after.freed || before.freed:
		return
	case before.n != after.n:
		b.line("changed", "%s: %d -> %d values", path, before.n, after.n)
	}
	elem := after.elem
	if elem == nil {
		elem = before.elem
	}
	d := &differences{block: b, left: mostLines}
	if before.keyed || after.keyed {
		m.keyed(d, lp, path, elem, before, after)
	} else if elem != nil {
		m.multiset(d, lp, path, elem, before, after)
	}
	if d.left < 0 {
		b.line("changed", "%s: and %d more of its values", path, -d.left)
	}
}

// differences are those of a list. Only the first ones are shown.
type differences struct {
	*block
	left int // that are shown; below 0: number of those that are not
}

// line is that of block.
func (d *differences) line(kind, format string, args ...any) {
	if d.left--; d.left >= 0 {
		d.block.line(kind, format, args...)
	}
}

// keyed compares lists whose values have keys. Values of 0 that come with a new block, or go with an old one, are
// left out.
func (m *memory) keyed(d *differences, lp *kernel.LP, path string, elem reflect.Type, before, after *list) {
	old := make(map[string]*item, len(before.items))
	for i := range before.items {
		old[before.items[i].key] = &before.items[i]
	}
	for i := range after.items {
		now := &after.items[i]
		was := old[now.key]
		delete(old, now.key)
		at := fmt.Sprintf("%s[%s]", path, now.key)
		switch {
		case was == nil && after.block && isZero(elem, now.at):
		case was == nil:
			d.line("added", "%s", with(at, m.now(lp, elem, now)))
		case elem != nil && !same(was, now, elem.Size()):
			for _, c := range m.copier(elem).Compare(plain.WordsAt(was.bytes), now.at, at) {
				changed(d, c.Path, c.Before, c.After)
			}
		}
	}
	for i := range before.items {
		was := &before.items[i]
		if old[was.key] == nil || before.block && isZero(elem, plain.WordsAt(was.bytes)) {
			continue
		}
		d.line("removed", "%s", with(fmt.Sprintf("%s[%s]", path, was.key), m.was(lp, elem, was)))
	}
}

// with returns what a place holds, or a value after its key. Either may be "".
func with(at, value string) string {
	if at == "" || value == "" {
		return at + value
	}
	return at + ": " + value
}

// multiset compares lists whose values have no keys: a value that changes leaves, and another one comes.
func (m *memory) multiset(d *differences, lp *kernel.LP, path string, elem reflect.Type, before, after *list) {
	left := map[string]int{}
	for i := range before.items {
		left[m.identity(lp, elem, &before.items[i], nil)]++
	}
	var came []string
	for i := range after.items {
		id := m.identity(lp, elem, &after.items[i], after.items[i].at)
		if left[id] > 0 {
			left[id]--
			continue
		}
		came = append(came, with(after.items[i].key, m.now(lp, elem, &after.items[i])))
	}
	var gone []string
	for i := range before.items {
		if id := m.identity(lp, elem, &before.items[i], nil); left[id] > 0 {
			left[id]--
			gone = append(gone, with(before.items[i].key, m.was(lp, elem, &before.items[i])))
		}
	}
	for _, text := range gone {
		d.line("removed", "%s: %s", path, text)
	}
	for _, text := range came {
		d.line("added", "%s: %s", path, text)
	}
}

// identity returns what is equal for equal values: the text if they hold blocks, otherwise the bytes without padding.
// live is the address of a value that has not been kept.
func (m *memory) identity(lp *kernel.LP, elem reflect.Type, it *item, live unsafe.Pointer) string {
	if m.holds(elem) {
		if live != nil {
			return it.key + "\x00" + text(m, lp, elem, live)
		}
		return it.key + "\x00" + it.text
	}
	p := live
	if p == nil {
		p = plain.WordsAt(it.bytes)
	}
	id := append([]byte(it.key), 0)
	for _, s := range m.spans(elem) {
		id = append(id, unsafe.Slice((*byte)(unsafe.Add(p, s.Off)), s.Size)...)
	}
	return string(id)
}

// now returns the text of a value, "" if only keys count.
func (m *memory) now(lp *kernel.LP, elem reflect.Type, it *item) string {
	if elem == nil {
		return ""
	}
	return text(m, lp, elem, it.at)
}

// was is now for a value as it was kept.
func (m *memory) was(lp *kernel.LP, elem reflect.Type, it *item) string {
	switch {
	case elem == nil:
		return ""
	case it.text != "":
		return it.text
	}
	return text(m, lp, elem, plain.WordsAt(it.bytes))
}
