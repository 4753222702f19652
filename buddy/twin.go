// The lists in Go: twin of csrc/buddy.c, step by step, on the same structs.

package buddy

import (
	"math/bits"
	"unsafe"
)

type twin struct{ s *shared }

// link is the start of a block in a list.
type link struct{ next, prev uint64 } // none at the ends

func (t *twin) link(off uint64) *link { return (*link)(unsafe.Add(t.s.base, off)) }

func (t *twin) push(off uint64, k uint32) {
	s := t.s
	next := uint64(none)
	if s.orders>>k&1 != 0 {
		next = s.list[k]
		t.link(next).prev = off
	}
	*t.link(off) = link{next, none}
	s.list[k] = off
	s.orders |= 1 << k
	*s.stateAt(off) = listed | uint8(k)
}

func (t *twin) remove(off uint64, k uint32) {
	l := *t.link(off)
	if l.next != none {
		t.link(l.next).prev = l.prev
	}
	switch {
	case l.prev != none:
		t.link(l.prev).next = l.next
	case l.next != none:
		t.s.list[k] = l.next
	default:
		t.s.orders &^= 1 << k
	}
}

// merge puts a block into the lists, together with its buddy if that is free,
// and so on upwards.
func (t *twin) merge(off uint64, k uint32) {
	s := t.s
	s.free += 1 << k
	for ; ; k++ {
		buddy := off ^ 1<<k
		if buddy >= s.top || *s.stateAt(buddy) != listed|uint8(k) {
			break
		}
		t.remove(buddy, k)
		*s.stateAt(off | buddy) = 0
		off &= buddy
	}
	t.push(off, k)
}

// take splits the smallest free block that is large enough, and keeps its
// lower end.
func (t *twin) take(k uint32) uint64 {
	s := t.s
	large := s.orders >> k
	if large == 0 {
		return none
	}
	j := k + uint32(bits.TrailingZeros64(large))
	off := s.list[j]
	t.remove(off, j)
	for j > k {
		j--
		t.push(off+1<<j, j)
	}
	*s.stateAt(off) = taken | uint8(k)
	s.free -= 1 << k
	s.taken++
	return off
}

func (t *twin) notePeak() { t.s.peak = max(t.s.peak, t.s.top-t.s.free-t.s.shed) }

func (t *twin) Take(k uint32) uint64 {
	off := t.take(k)
	t.notePeak()
	return off
}

func (t *twin) Give(off uint64, k uint32) {
	t.s.taken--
	t.merge(off, k)
}

func (t *twin) TakeAll(k uint32, at []uintptr) int {
	i := len(at)
	for i > 0 {
		off := t.take(k)
		if off == none {
			break
		}
		i--
		at[i] = uintptr(t.s.base) + uintptr(off)
	}
	t.notePeak()
	return len(at) - i
}

func (t *twin) GiveAll(k uint32, at []uintptr) {
	for _, block := range at {
		t.Give(uint64(block-uintptr(t.s.base)), k)
	}
}

func (t *twin) Fill(m uint32) {
	g := &t.s.magazine[m]
	var got [magazineCap]uint64
	want := g.cap / 2
	i := want
	for i > g.n {
		off := t.take(minOrder + m)
		if off == none {
			break
		}
		i--
		got[i] = off
	}
	copy(g.block[g.n:], got[i:want])
	g.n += want - i
	t.notePeak()
}

func (t *twin) giveOldest(m, n uint32) {
	g := &t.s.magazine[m]
	for _, off := range g.block[:n] {
		t.Give(off, minOrder+m)
	}
	copy(g.block[:], g.block[n:g.n])
	g.n -= n
}

func (t *twin) Empty(m uint32) { t.giveOldest(m, (t.s.magazine[m].n+1)/2) }

func (t *twin) Drain() {
	for m := range uint32(magazines) {
		t.giveOldest(m, t.s.magazine[m].n)
	}
}

func (t *twin) Reach(k uint32) uint64 {
	s := t.s
	from := s.top &^ (1<<k - 1)
	for at := from; at < s.top; {
		b := *s.stateAt(at)
		if b&where != listed {
			return from + 2<<k
		}
		at += 1 << (b & orderBits)
	}
	return from + 1<<k
}

func (t *twin) Extend(top uint64) {
	at := t.s.top
	t.s.top = top
	for at < top {
		k := min(bits.TrailingZeros64(at), bits.Len64(top-at)-1)
		t.merge(at, uint32(k))
		at += 1 << k
	}
}
