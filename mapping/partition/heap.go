// This file owns the queues of vertices by gain.

package partition

// heap is a binary heap of vertices, the greatest gain first. Of equal gains the vertex that came or
// changed last is first, which gives better cuts than other orders (Hagen, Huang and Kahng, "On
// implementation choices for iterative improvement partitioning algorithms", IEEE Transactions on
// CAD 16(10), 1997).
type heap struct {
	items []item
	place []int32 // by vertex: its place in items, or -1; shared by heaps that have no vertex in common
	stamp *int64  // counts changes
}

type item struct {
	gain, stamp int64
	vertex      uint32
}

func (a *item) before(b *item) bool {
	return a.gain > b.gain || a.gain == b.gain && a.stamp > b.stamp
}

// clear removes all vertices.
func (h *heap) clear() {
	for i := range h.items {
		h.place[h.items[i].vertex] = -1
	}
	h.items = h.items[:0]
}

// set inserts a vertex, or changes its gain.
func (h *heap) set(v uint32, gain int64) {
	*h.stamp++
	it := item{gain, *h.stamp, v}
	i := int(h.place[v])
	if i < 0 {
		i = len(h.items)
		h.items = append(h.items, it)
		h.up(i, it)
		return
	}
	if it.before(&h.items[i]) {
		h.up(i, it)
	} else {
		h.down(i, it)
	}
}

// pop removes the first vertex of a heap that is not empty.
func (h *heap) pop() uint32 {
	v := h.items[0].vertex
	h.place[v] = -1
	last := len(h.items) - 1
	it := h.items[last]
	h.items = h.items[:last]
	if last > 0 {
		h.down(0, it)
	}
	return v
}

func (h *heap) up(i int, it item) {
	for i > 0 {
		parent := (i - 1) / 2
		if !it.before(&h.items[parent]) {
			break
		}
		h.put(i, h.items[parent])
		i = parent
	}
	h.put(i, it)
}

func (h *heap) down(i int, it item) {
	for {
		child := 2*i + 1
		if child >= len(h.items) {
			break
		}
		if child+1 < len(h.items) && h.items[child+1].before(&h.items[child]) {
			child++
		}
		if !h.items[child].before(&it) {
			break
		}
		h.put(i, h.items[child])
		i = child
	}
	h.put(i, it)
}

func (h *heap) put(i int, it item) {
	h.items[i] = it
	h.place[it.vertex] = int32(i)
}
