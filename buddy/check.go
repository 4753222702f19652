// Invariants of the lists in Go: twin of the checks in csrc/buddy.c, with their
// numbers.

package buddy

// Check returns 0 or the number of a broken invariant.
func (t *twin) Check() int {
	s := t.s
	sum := uint64(0)
	for k := range uint32(orders) {
		bytes, bad := t.checkList(k)
		if bad != 0 {
			return bad
		}
		sum += bytes
	}
	freeBytes, blocks, bad := t.checkBlocks()
	if bad != 0 {
		return bad
	}
	for m := range uint32(magazines) {
		if !t.checkMagazine(m) {
			return 7
		}
	}
	if sum != s.free || freeBytes != s.free {
		return 5
	}
	if blocks != s.taken {
		return 6
	}
	return 0
}

func (t *twin) checkList(k uint32) (bytes uint64, bad int) {
	s := t.s
	if s.orders>>k&1 == 0 {
		return 0, 0
	}
	prev := uint64(none)
	for off := s.list[k]; ; off = t.link(off).next {
		switch {
		case off >= s.top || off%(1<<k) != 0 || bytes > s.top:
			return 0, 1
		case *s.stateAt(off) != listed|uint8(k):
			return 0, 2
		case t.link(off).prev != prev:
			return 0, 1
		}
		bytes += 1 << k
		prev = off
		if t.link(off).next == none {
			return bytes, 0
		}
	}
}

// checkBlocks walks over the blocks, one after the other.
func (t *twin) checkBlocks() (freeBytes, blocks uint64, bad int) {
	s := t.s
	for at := uint64(0); at < s.top; {
		b := *s.stateAt(at)
		k := b & orderBits
		size := uint64(1) << k
		if b&where == 0 || k < minOrder || k >= orders || at%size != 0 || s.top-at < size {
			return 0, 0, 3
		}
		for in := uint64(1 << minOrder); in < size; in += 1 << minOrder {
			if *s.stateAt(at + in) != 0 {
				return 0, 0, 3
			}
		}
		if b&where == listed {
			if buddy := at ^ size; buddy < s.top && *s.stateAt(buddy) == b {
				return 0, 0, 4
			}
			freeBytes += size
		} else {
			blocks++
		}
		at += size
	}
	return freeBytes, blocks, 0
}

func (t *twin) checkMagazine(m uint32) bool {
	g := &t.s.magazine[m]
	if g.n > g.cap || g.cap > magazineCap {
		return false
	}
	for i, off := range g.block[:g.n] {
		if off >= t.s.top || *t.s.stateAt(off) != taken|uint8(minOrder+m) {
			return false
		}
		for _, other := range g.block[:i] {
			if other == off {
				return false
			}
		}
	}
	return true
}
