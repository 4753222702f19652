// Rungs of the Go ladder: buckets, their widths and their memory; see
// csrc/rung.c, csrc/stack.c and csrc/pool.c for the reasons.

package pq

import (
	"math"
	"math/bits"
	"slices"

	"github.com/ross-go/ross/internal/engine/event"
)

const timeEnd = 0x7ff0000000000000 // bits of +Inf: beyond every time

// The ways in which a rung divides its keys.
const (
	byTime   = iota
	byPrefix // keys of one time, by prefix of priority and tie-breaker
	tied     // nothing: they agree in all 96 bits
)

type bucket struct{ head, n uint32 }

type rung struct {
	start  uint64    // least time's bits, or least prefix
	ts     uint64    // byPrefix and tied: the time
	cut    event.Key // keys >= cut belong here or further out
	n      uint64
	shift  uint
	cur    uint32 // buckets below cur are used up
	level  uint8
	coarse uint32   // target of keys per bucket, if each is to be divided in its turn; otherwise 0
	b      []bucket // the last one also takes everything beyond it
	heap   []event.Key
}

// chunks is the memory of all buckets.
type chunks struct {
	keys [][chunkKeys]event.Key
	next []uint32
	free uint32
}

func (c *chunks) bytes() int { return cap(c.keys)*chunkKeys*int(keySize) + cap(c.next)*4 }

func (c *chunks) push(b *bucket, k event.Key) {
	pos := b.n % chunkKeys
	if pos == 0 {
		i := c.free
		if i != 0 {
			c.free = c.next[i]
		} else {
			if len(c.keys) == 0 {
				c.keys, c.next = append(c.keys, [chunkKeys]event.Key{}), append(c.next, 0)
			}
			i = uint32(len(c.keys))
			c.keys, c.next = append(c.keys, [chunkKeys]event.Key{}), append(c.next, 0)
		}
		c.next[i] = b.head
		b.head = i
	}
	c.keys[b.head][pos] = k
	b.n++
}

// take appends a bucket's keys to out and empties it.
func (c *chunks) take(b *bucket, out []event.Key) []event.Key {
	part := (b.n-1)%chunkKeys + 1
	for i := b.head; b.n > 0; {
		out = append(out, c.keys[i][:part]...)
		b.n -= part
		part = chunkKeys
		older := c.next[i]
		c.next[i], c.free = c.free, i
		i = older
	}
	b.head = 0
	return out
}

func cutAt(level uint8, ts, x uint64) event.Key {
	switch {
	case level == byTime:
		return event.Key{TS: x}
	case x > math.MaxUint32:
		return event.Key{TS: ts + 1}
	}
	return event.Key{TS: ts, Lo: x << 32}
}

func (r *rung) advance() { r.cut = cutAt(r.level, r.ts, r.start+uint64(r.cur)<<r.shift) }

func (r *rung) index(k event.Key) uint32 {
	var x uint64
	switch {
	case r.level == byTime:
		x = (k.TS - r.start) >> r.shift
	case k.TS > r.ts:
		x = math.MaxUint64
	default:
		x = (k.Lo>>32 - r.start) >> r.shift
	}
	return uint32(min(x, uint64(len(r.b)-1)))
}

func (t *twin) put(r *rung, k event.Key) {
	t.step(1)
	r.n++
	if r.level == tied {
		t.heapPush(r, k)
	} else {
		t.pool.push(&r.b[r.index(k)], k)
	}
}

// gather appends all keys of a rung to out and leaves it empty.
func (t *twin) gather(r *rung, out []event.Key) []event.Key {
	t.step(int(r.n))
	if r.level == tied {
		out = append(out, r.heap...)
		r.heap = r.heap[:0]
	} else {
		for left := r.n; left > 0; r.cur++ {
			t.step(1)
			left -= uint64(r.b[r.cur].n)
			out = t.pool.take(&r.b[r.cur], out)
		}
	}
	r.n = 0
	return out
}

func (t *twin) pushRung(level uint8, ts uint64) *rung {
	r := &rung{}
	if n := len(t.spare) - 1; n >= 0 {
		r = t.spare[n]
		t.spare = t.spare[:n]
	}
	*r = rung{level: level, ts: ts, b: r.b[:0], heap: r.heap[:0]}
	t.rungs = append(t.rungs, r)
	return r
}

// spawn makes the keys of src the innermost rung and returns those that stay
// in src: if src is the top, the keys beyond the last bucket.
func (t *twin) spawn(src []event.Key, fromTop bool) []event.Key {
	lo, hi := rangeOf(src, byTime)
	end := uint64(math.MaxUint64)
	var r *rung
	if lo < hi {
		r = t.pushRung(byTime, 0)
		r.setBuckets(src, lo, hi)
		if fromTop {
			end = r.end()
			t.topCut = event.Key{TS: end}
		}
	} else {
		ts := lo
		lo, hi = rangeOf(src, byPrefix)
		if lo == hi && len(src) > split {
			t.spawnHeap(src, fromTop)
			return src[:0]
		}
		r = t.pushRung(byPrefix, ts)
		r.setBuckets(src, lo, hi)
		if fromTop {
			t.topCut = event.Key{TS: ts + 1}
		}
	}
	t.step(3*len(src) + len(r.b))
	r.advance()
	kept := src[:0]
	for _, k := range src {
		if k.TS < end {
			t.put(r, k)
		} else {
			kept = append(kept, k)
		}
	}
	return trimmed(kept, len(src))
}

// trimmed returns keys that a list of n has kept; a long list does not keep its memory.
func trimmed(kept []event.Key, n int) []event.Key {
	room := max(len(kept)+len(kept)/2, long/4)
	if n < long || room >= cap(kept) {
		return kept
	}
	return append(make([]event.Key, 0, room), kept...)
}

// spawnHeap makes a rung of keys that cannot be divided, and one of a single
// bucket for keys that may later come between them and the part beyond.
func (t *twin) spawnHeap(src []event.Key, fromTop bool) {
	k := src[0]
	prefix := k.Lo >> 32
	after := cutAt(byPrefix, k.TS, prefix+1)
	if fromTop {
		t.topCut = after
	} else if after.Less(t.outerCut()) {
		level, x := uint8(byTime), after.TS
		if after.Lo != 0 {
			level, x = byPrefix, after.Lo>>32
		}
		rest := t.pushRung(level, after.TS)
		rest.setBuckets([]event.Key{after}, x, x)
		rest.cut = after
	}
	r := t.pushRung(tied, k.TS)
	r.heap = append(r.heap, src...)
	r.n, r.start = uint64(len(src)), prefix
	r.cut = cutAt(byPrefix, k.TS, prefix)
	for i := len(r.heap) / 2; i > 0; i-- {
		t.siftDown(r.heap, i-1)
	}
}

func coordinate(k event.Key, level uint8) uint64 {
	if level == byTime {
		return k.TS
	}
	return k.Lo >> 32
}

func rangeOf(k []event.Key, level uint8) (lo, hi uint64) {
	lo, hi = math.MaxUint64, 0
	for i := range k {
		x := coordinate(k[i], level)
		lo, hi = min(lo, x), max(hi, x)
	}
	return lo, hi
}

// setBuckets chooses width and number of the buckets from a sample of keys.
func (r *rung) setBuckets(k []event.Key, lo, hi uint64) {
	var s [64]uint64
	n := uint64(len(k))
	m := uint64(64)
	if n < 4*m {
		m /= 4
	}
	m = min(m, n)
	for i := range m {
		s[i] = coordinate(k[i*n/m], r.level) - lo
	}
	slices.Sort(s[:m])
	keys := (m/4 + 1) * n / m
	per, wide := uint64(perBucket), uint64(spread)
	r.coarse = 0
	if r.level == byTime && n >= many {
		per, wide = min(max(n/64, coarse), coarsest), coarseSpread
		r.coarse = uint32(per)
	}
	width := float64(s[m/4]) * float64(per) / float64(keys)
	r.start, r.shift = lo, 0
	if width >= 2 {
		r.shift = uint(bits.Len64(uint64(width))) - 1
	}
	nb := n*wide/per + 2
	if r.coarse == 0 {
		nb = min((hi-lo)>>r.shift+1, nb)
	}
	r.makeBuckets(nb)
}

func (r *rung) makeBuckets(n uint64) {
	r.b = slices.Grow(r.b[:0], int(n))[:n]
	clear(r.b)
}

// halve is setBuckets for the n keys of one bucket of another rung, whose times are at least start and below
// start + 1<<shift.
func (r *rung) halve(n, start uint64, shift uint) {
	j := uint(0)
	for j < shift && n > perBucket<<j {
		j++
	}
	r.start, r.shift, r.coarse = start, shift-j, 0
	r.makeBuckets(1 << j)
}

// part makes the next bucket of the innermost rung, which is not its last, a rung.
func (t *twin) part(from *rung) {
	b := &from.b[from.cur]
	r := t.pushRung(byTime, 0)
	r.halve(uint64(b.n), from.start+uint64(from.cur)<<from.shift, from.shift)
	from.n -= uint64(b.n)
	t.step(2*int(b.n) + len(r.b))
	t.tmp = t.pool.take(b, t.tmp[:0])
	from.cur++
	from.advance()
	r.advance()
	for _, k := range t.tmp {
		t.put(r, k)
	}
	t.count()
}

func (r *rung) end() uint64 {
	n := uint64(len(r.b))
	if n > (timeEnd-r.start)>>r.shift {
		return timeEnd
	}
	return r.start + n<<r.shift
}

func (t *twin) heapPush(r *rung, k event.Key) {
	h := append(r.heap, k)
	r.heap = h
	i := len(h) - 1
	for i > 0 && t.arena.Before(k, h[(i-1)/2]) {
		t.step(1)
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = k
}

func (t *twin) heapPop(r *rung) event.Key {
	h := r.heap
	least := h[0]
	last := len(h) - 1
	h[0] = h[last]
	r.heap = h[:last]
	if last > 0 {
		t.siftDown(r.heap, 0)
	}
	return least
}

func (t *twin) siftDown(h []event.Key, i int) {
	k := h[i]
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		t.step(2)
		if c+1 < len(h) && t.arena.Before(h[c+1], h[c]) {
			c++
		}
		if !t.arena.Before(h[c], k) {
			break
		}
		h[i] = h[c]
		i = c
	}
	h[i] = k
}
