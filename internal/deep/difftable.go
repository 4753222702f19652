// Comparing maps, in the order of their keys if that matters.
package deep

import (
	"reflect"
	"slices"
	"strconv"
	"unsafe"
)

// entry is a key of the snapshot's map, of the live map, or of both.
type entry struct {
	key unsafe.Pointer
	val unsafe.Pointer // before; nil if the key is new
}

// table compares a map with the live map at m.
func (d *differ) table(b *block, m unsafe.Pointer, path *step) {
	was := (*entries)(b.copy)
	live := mapAt(b.plan, m)
	if d.root == nil && live.Len() != was.n {
		d.stopped = true
		return
	}
	list := make([]entry, was.n, was.n+1)
	for i := range list {
		list[i] = entry{was.key(b.plan, i), was.val(b.plan, i)}
	}
	if d.root != nil {
		list = d.sortedUnion(list, b.plan, m)
	}
	slot := reflect.New(b.plan.val.typ)
	nans := 0
	for _, e := range list {
		if d.stopped {
			return
		}
		key := reflect.NewAt(b.plan.key.typ, e.key).Elem()
		now := live.MapIndex(key)
		at := path.key(b.plan.key, e.key)
		switch {
		case now.IsValid() && e.val != nil:
			slot.Elem().Set(now)
			if b.plan.key.refs {
				d.value(b.plan.key, e.key, e.key, at.ofKey())
			}
			d.value(b.plan.val, e.val, slot.UnsafePointer(), at)
		case now.IsValid():
			slot.Elem().Set(now)
			d.note(at, "absent", d.text(nil, b.plan.val.typ, slot.UnsafePointer()))
		case !isSelf(key):
			nans++
		default:
			d.note(at, d.text(d.g, b.plan.val.typ, e.val), "absent")
		}
	}
	if d.root != nil || nans > 0 {
		d.compareNaNs(nans, live, path)
	}
}

// compareNaNs compares how many keys are NaN.
func (d *differ) compareNaNs(was int, live reflect.Value, path *step) {
	is := 0
	for it := live.MapRange(); it.Next(); {
		if !isSelf(it.Key()) {
			is++
		}
	}
	if was != is {
		d.note(path, strconv.Itoa(was)+" NaN keys", strconv.Itoa(is)+" NaN keys")
	}
}

// sortedUnion adds the keys that only the live map has, and sorts all keys.
func (d *differ) sortedUnion(list []entry, pl *plan, m unsafe.Pointer) []entry {
	before := reflect.MakeMapWithSize(pl.typ, len(list))
	zero := reflect.Zero(pl.val.typ)
	for _, e := range list {
		before.SetMapIndex(reflect.NewAt(pl.key.typ, e.key).Elem(), zero)
	}
	now := collect(pl, m)
	for i := range now.n {
		key := reflect.NewAt(pl.key.typ, now.key(pl, i)).Elem()
		if isSelf(key) && !before.MapIndex(key).IsValid() {
			list = append(list, entry{key: now.key(pl, i)})
		}
	}
	slices.SortStableFunc(list, func(x, y entry) int { return compare(pl.key.typ, x.key, y.key, 0) })
	return list
}

// isSelf is false for keys that hold a NaN, which no lookup finds.
func isSelf(key reflect.Value) bool { return key.Equal(key) }
