// This file owns chain: values in an order, which leave from anywhere.

package resource

import (
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/run/inside"
)

// chain is a list of values by key, the least first, and equal ones in the order in which they came. Entering takes
// constant time if no key is larger than the new one.
type chain[V any] struct {
	ends  ends
	cells container.Slab[cell[V]]
}

// ends are the first and the last of a chain.
type ends struct{ head, tail container.Handle }

// cell is a value in a chain.
type cell[V any] struct {
	next, prev container.Handle
	key        float64
	value      V
}

// len returns the number of values.
func (c *chain[V]) len() int { return c.cells.Len() }

// get returns the value of a handle and the handle of the next one; it is nil if there is no such value.
func (c *chain[V]) get(lp *ross.LP, h container.Handle) (v *V, next container.Handle) {
	if p := c.cells.Get(lp, h); p != nil {
		return &p.value, p.next
	}
	return nil, 0
}

// enter adds a value and returns its handle, or 0 if there is no memory for it.
func (c *chain[V]) enter(lp *ross.LP, key float64, v V) container.Handle {
	k := inside.LP(lp)
	saves, ok := k.BeginChange(unsafe.Pointer(&c.ends), unsafe.Sizeof(c.ends))
	if !ok {
		return 0
	}
	before, after := c.ends.tail, container.Handle(0)
	for before != 0 {
		p := c.cells.Get(lp, before)
		if p.key <= key {
			break
		}
		before, after = p.prev, before
	}
	h := c.cells.Add(lp, cell[V]{after, before, key, v})
	if h == 0 {
		return 0
	}
	if before == 0 {
		c.ends.head = h
	} else {
		*edit(k, saves, &c.cells.Get(lp, before).next) = h
	}
	if after == 0 {
		c.ends.tail = h
	} else {
		*edit(k, saves, &c.cells.Get(lp, after).prev) = h
	}
	return h
}

// leave removes the value of a handle and returns it; ok is false if that is not possible.
func (c *chain[V]) leave(lp *ross.LP, h container.Handle) (v V, ok bool) {
	k := inside.LP(lp)
	saves, ok := k.BeginChange(unsafe.Pointer(&c.ends), unsafe.Sizeof(c.ends))
	if !ok {
		return v, false
	}
	gone, ok := c.cells.Remove(lp, h)
	if !ok {
		return v, false
	}
	if gone.prev == 0 {
		c.ends.head = gone.next
	} else {
		*edit(k, saves, &c.cells.Get(lp, gone.prev).next) = gone.next
	}
	if gone.next == 0 {
		c.ends.tail = gone.prev
	} else {
		*edit(k, saves, &c.cells.Get(lp, gone.next).prev) = gone.prev
	}
	return gone.value, true
}
