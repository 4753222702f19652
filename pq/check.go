// Invariants of the Go ladder: twin of csrc/check.c, with its numbers.

package pq

import "github.com/ross-go/ross/internal/engine/event"

// Check returns 0 or the number of a broken invariant.
func (t *twin) Check() int {
	if bad := t.checkWindow(); bad != 0 {
		return bad
	}
	n, used := uint64(len(t.top)), 0
	beyond := t.topCut
	for _, r := range t.rungs {
		chunks, bad := t.checkRung(r, beyond)
		if bad != 0 {
			return bad
		}
		used += chunks
		n += r.n
		beyond = r.cut
	}
	for _, k := range t.top {
		if k.Less(t.topCut) {
			return 4
		}
	}
	if n != t.w.far {
		return 10
	}
	free := 0
	for c := t.pool.free; c != 0 && free <= len(t.pool.keys); c = t.pool.next[c] {
		free++
	}
	if used+free != max(len(t.pool.keys), 1)-1 {
		return 11
	}
	return 0
}

func (t *twin) checkWindow() int {
	bound := event.Key{TS: t.w.boundTS, Lo: t.w.boundLo}
	for i, k := range t.keys[:t.w.n] {
		if i > 0 && !t.arena.Before(k, t.keys[i-1]) {
			return 1
		}
		if !k.Less(bound) || t.w.tie != 0 && !t.arena.Before(k, t.w.tieMin) {
			return 2
		}
	}
	for _, k := range t.stage[:t.w.staged] {
		early := k.Less(bound)
		if t.w.tie != 0 && k.Same(t.w.tieMin) {
			early = t.arena.Before(k, t.w.tieMin)
		}
		if early {
			return 3
		}
	}
	return 0
}

func (t *twin) checkRung(r *rung, beyond event.Key) (used, bad int) {
	if r.level == tied {
		return 0, t.checkHeap(r)
	}
	n := uint64(0)
	for i := range r.b {
		b := r.b[i]
		if b.n > 0 && uint32(i) < r.cur {
			return 0, 7
		}
		n += uint64(b.n)
		part := (b.n-1)%chunkKeys + 1
		for c := b.head; b.n > 0; c = t.pool.next[c] {
			for _, k := range t.pool.keys[c][:part] {
				switch {
				case k.Less(r.cut):
					return 0, 4
				case !k.Less(beyond):
					return 0, 5
				case r.index(k) != uint32(i):
					return 0, 6
				}
			}
			b.n -= part
			part = chunkKeys
			used++
		}
	}
	if n != r.n {
		return 0, 8
	}
	return used, 0
}

func (t *twin) checkHeap(r *rung) int {
	for i, k := range r.heap {
		if !k.Same(r.heap[0]) {
			return 6
		}
		if i > 0 && t.arena.Before(k, r.heap[(i-1)/2]) {
			return 9
		}
	}
	if uint64(len(r.heap)) != r.n {
		return 8
	}
	return 0
}
