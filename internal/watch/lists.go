// This file owns the comparison of lists: what has come into a block or a container, what has left it, what is another
// value now.

package watch

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/plain"
)

// changes writes what is different in a list at a path, of lp.
func (m *memory) changes(b *block, lp *kernel.LP, path string, before, after *list) {
	switch {
	case after.freed && !before.freed:
		b.line("changed", "%s: freed, with %d values", path, before.n)
		return
	case before.freed || after.freed:
		if before.freed != after.freed {
			b.line("changed", "%s: another block of %d values", path, after.n)
		}
		return
	case before.n != after.n:
		b.line("changed", "%s: %d -> %d values", path, before.n, after.n)
	}
	if before.keyed {
		m.keyed(b, lp, path, before, after)
		return
	}
	m.multiset(b, lp, path, before, after)
}

// keyed compares lists whose values have keys.
func (m *memory) keyed(b *block, lp *kernel.LP, path string, before, after *list) {
	old := make(map[string]*item, len(before.items))
	for i := range before.items {
		old[before.items[i].key] = &before.items[i]
	}
	elem := after.elem
	if elem == nil {
		elem = before.elem
	}
	for i := range after.items {
		now := &after.items[i]
		was := old[now.key]
		delete(old, now.key)
		at := fmt.Sprintf("%s[%s]", path, now.key)
		if was == nil {
			b.line("added", "%s", with(at, m.now(lp, elem, now)))
			continue
		}
		if elem != nil {
			m.value(b, lp, elem, at, was, now)
		}
	}
	for i := range before.items {
		if was := &before.items[i]; old[was.key] != nil {
			b.line("removed", "%s", with(fmt.Sprintf("%s[%s]", path, was.key), m.was(lp, elem, was)))
		}
	}
}

// with returns what a place holds, or a value after its key. Either may be "".
func with(at, value string) string {
	if at == "" || value == "" {
		return at + value
	}
	return at + ": " + value
}

// value compares a value with what it was.
func (m *memory) value(b *block, lp *kernel.LP, elem reflect.Type, at string, was, now *item) {
	if same(was, now, elem.Size()) && !m.holds(elem) {
		return
	}
	found := m.copier(elem).Compare(plain.WordsAt(was.bytes), now.at, at)
	for _, d := range found {
		b.line("changed", "%s: %s -> %s", d.Path, d.Before, d.After)
	}
	if len(found) == 0 && m.holds(elem) {
		if is := text(m, lp, elem, now.at); is != was.text {
			b.line("changed", "%s: %s -> %s", at, was.text, is)
		}
	}
}

// multiset compares lists whose values have no keys: a value that changes leaves, and another one comes.
func (m *memory) multiset(b *block, lp *kernel.LP, path string, before, after *list) {
	elem := after.elem
	if elem == nil {
		elem = before.elem
	}
	if elem == nil { // both have always been empty
		return
	}
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
		b.line("removed", "%s: %s", path, text)
	}
	for _, text := range came {
		b.line("added", "%s: %s", path, text)
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
	case m.holds(elem):
		return it.text
	}
	return text(m, lp, elem, plain.WordsAt(it.bytes))
}
