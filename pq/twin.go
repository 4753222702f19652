// twin: the ladder queue in Go, step by step as csrc/ladder.c. It is the oracle
// and the baseline of the C implementation, and the queue in builds without
// cgo.

package pq

import (
	"math"
	"slices"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/sys/invariants"
)

// Tuning, as in csrc: ladder.c, stack.h, rung.c and pool.h.
const (
	chunkKeys    = 8       // keys per chunk
	perBucket    = 8       // target of keys per bucket at the head of a rung
	spread       = 8       // buckets of a rung: spread * keys / perBucket
	target       = 64      // keys handed over in one window by default
	split        = 96      // a bucket with more becomes a rung
	small        = 32      // upper bound of twin.small
	many         = 1 << 15 // with at least as many keys, a rung is coarse:
	coarse       = 512     // the target per bucket is a 64th of the keys, coarse to coarsest,
	coarsest     = 4096
	coarseSpread = 32  // and coarseSpread takes the place of spread
	windowCap    = 256 // room in the window
	stageCap     = 256
	maxRungs     = 128
	long         = 1 << 22 // keys of a list that does not keep its memory
)

var infinite = event.Key{TS: math.MaxUint64, Lo: math.MaxUint64}

type twin struct {
	w      window
	arena  *event.Arena
	pool   chunks
	top    []event.Key
	topCut event.Key
	rungs  []*rung // innermost last
	spare  []*rung // used-up rungs, whose buckets are reused
	tmp    []event.Key
	target uint32 // keys to hand over in one window
	small  uint64 // with at most this many keys, all form the window
	keys   [windowCap]event.Key
	stage  [stageCap]event.Key
	steps  uint64 // see step
}

// step counts work: keys moved or compared, buckets examined. It counts only
// under the build tag invariants, for the test that bounds the work of an
// operation without a clock.
func (t *twin) step(n int) {
	if invariants.Enabled {
		t.steps += uint64(n)
	}
}

func newTwin(arena *event.Arena, window int) *twin {
	t := &twin{arena: arena, topCut: infinite, target: uint32(window)}
	if window == 0 {
		t.target = target
	}
	t.small = uint64(min(t.target, small))
	t.w.keys, t.w.cap = unsafe.Pointer(&t.keys), windowCap
	t.w.stage, t.w.stageCap = unsafe.Pointer(&t.stage), stageCap
	t.bound(infinite)
	t.count()
	return t
}

// Free drops all memory.
func (t *twin) Free() { *t = twin{} }

// Rungs returns the depth of the ladder.
func (t *twin) Rungs() int { return len(t.rungs) }

func (t *twin) bound(cut event.Key) {
	t.w.boundTS, t.w.boundLo, t.w.tie = cut.TS, cut.Lo, 0
}

func (t *twin) count() {
	n := t.pool.bytes() + (cap(t.top)+cap(t.tmp)+windowCap+stageCap)*int(keySize)
	for _, list := range [][]*rung{t.rungs, t.spare} {
		for _, r := range list {
			n += cap(r.b)*8 + cap(r.heap)*int(keySize)
		}
	}
	t.w.bytes = uint64(n)
}

// outerCut returns the cut of the innermost rung, or of the top.
func (t *twin) outerCut() event.Key {
	if n := len(t.rungs); n > 0 {
		return t.rungs[n-1].cut
	}
	return t.topCut
}

func (t *twin) popRung() *rung {
	n := len(t.rungs) - 1
	r := t.rungs[n]
	t.rungs = t.rungs[:n]
	t.spare = append(t.spare, r)
	return r
}

func (t *twin) dropEmptyRungs() {
	for n := len(t.rungs); n > 0 && t.rungs[n-1].n == 0; n-- {
		t.popRung()
	}
}

// Flush sorts the staged keys into top and rungs.
func (t *twin) Flush() {
	for _, k := range t.stage[:t.w.staged] {
		t.place(k)
	}
	t.w.far += uint64(t.w.staged)
	t.w.staged = 0
}

func (t *twin) place(k event.Key) {
	t.step(1)
	if !k.Less(t.topCut) {
		t.top = append(t.top, k)
		return
	}
	for _, r := range t.rungs {
		t.step(1)
		if !k.Less(r.cut) {
			t.put(r, k)
			return
		}
	}
}

// Refill hands over the next window.
func (t *twin) Refill() {
	t.Flush()
	for t.w.n == 0 {
		t.dropEmptyRungs()
		if t.w.far <= t.small {
			t.gatherAll()
			return
		}
		if len(t.rungs) > maxRungs-4 {
			t.collapse()
		}
		if len(t.rungs) == 0 {
			t.top = t.spawn(t.top, true)
			t.count()
			continue
		}
		r := t.rungs[len(t.rungs)-1]
		if r.level == tied {
			t.handOverTies(r)
		} else if !t.handOver(r) {
			t.divide(r)
		}
	}
}

// gatherAll makes the whole queue the window, which is cheapest for few keys.
func (t *twin) gatherAll() {
	all := t.keys[:0]
	for len(t.rungs) > 0 {
		all = t.gather(t.popRung(), all)
	}
	all = append(all, t.top...)
	t.step(len(t.top))
	t.top, t.topCut = t.top[:0], infinite
	t.w.far, t.w.n = 0, uint32(len(all))
	t.sort(all)
	t.bound(infinite)
}

func (t *twin) collapse() {
	for len(t.rungs) > 0 {
		t.top = t.gather(t.popRung(), t.top)
	}
}

// handOverTies makes the least keys of a tie heap the window.
func (t *twin) handOverTies(r *rung) {
	n := min(r.n, t.small)
	for i := int(n) - 1; i >= 0; i-- {
		t.keys[i] = t.heapPop(r)
	}
	t.w.n = uint32(n)
	t.w.far -= n
	r.n -= n
	if r.n == 0 {
		t.dropEmptyRungs()
		t.bound(t.outerCut())
		return
	}
	t.bound(cutAt(byPrefix, r.ts, r.start+1))
	t.w.tie, t.w.tieMin = 1, r.heap[0]
}

// handOver makes the next buckets of a rung, at least one, the window, unless
// the next bucket must be divided first.
func (t *twin) handOver(r *rung) bool {
	c := r.cur
	for r.b[c].n == 0 {
		c++
	}
	first := c
	t.step(int(c-r.cur) + 1)
	r.cur = c
	total := r.b[c].n
	c++
	if total > split {
		return false
	}
	for uint64(total) < r.n && total+r.b[c].n <= t.target {
		total += r.b[c].n
		c++
	}
	t.step(int(c-first) + int(total))
	for pos := total; first < c; first++ {
		n := r.b[first].n
		if n == 0 {
			continue
		}
		pos -= n
		t.pool.take(&r.b[first], t.keys[pos:pos:pos+n])
		t.sort(t.keys[pos : pos+n])
	}
	t.w.n = total
	t.w.far -= uint64(total)
	r.n -= uint64(total)
	r.cur = c
	r.advance()
	t.dropEmptyRungs()
	t.bound(t.outerCut())
	return true
}

// divide turns the next bucket into a rung.
func (t *twin) divide(r *rung) {
	b := &r.b[r.cur]
	if b.n <= 4*r.coarse && r.cur < uint32(len(r.b))-1 {
		t.part(r)
		return
	}
	r.n -= uint64(b.n)
	t.step(int(b.n))
	t.tmp = t.pool.take(b, t.tmp[:0])
	r.cur++
	if r.cur == uint32(len(r.b)) {
		t.popRung()
	} else {
		r.advance()
	}
	t.tmp = t.spawn(t.tmp, false)
	t.count()
}

// Spill returns the far half of a full window to the ladder, as csrc/ladder.c
// explains.
func (t *twin) Spill() {
	t.Flush()
	if t.w.tie != 0 && t.spillTies() {
		return
	}
	n := t.splitPoint()
	least := t.keys[n-1]
	cut := event.Key{TS: least.TS, Lo: least.Lo >> 32 << 32}
	if len(t.rungs) > maxRungs-4 {
		t.collapse()
	}
	to := append(t.tmp[:0], t.keys[:n]...)
	for len(t.rungs) > 0 {
		r := t.rungs[len(t.rungs)-1]
		if r.level == tied || r.n > uint64(len(to)) {
			break
		}
		to = t.gather(t.popRung(), to)
	}
	if len(t.rungs) == 0 {
		t.top, t.topCut = append(t.top, to...), cut
	} else {
		to = t.spawn(to, false)
		t.rungs[len(t.rungs)-1].cut = cut
	}
	t.tmp = to
	t.w.far += uint64(n)
	t.step(int(t.w.n))
	copy(t.keys[:], t.keys[n:t.w.n])
	t.w.n -= n
	t.bound(cut)
	t.count()
}

// spillTies returns keys of the window to the heap they came from.
func (t *twin) spillTies() bool {
	r := t.rungs[len(t.rungs)-1]
	n := uint32(0)
	for ; n < t.w.n/2 && t.keys[n].Same(t.w.tieMin); n++ {
		t.put(r, t.keys[n])
	}
	if n == 0 {
		return false
	}
	t.w.far += uint64(n)
	t.step(int(t.w.n))
	copy(t.keys[:], t.keys[n:t.w.n])
	t.w.n -= n
	t.w.tieMin = r.heap[0]
	return true
}

// splitPoint returns how many of the window's far keys to spill: about half,
// but never only some of the keys that agree in 96 bits.
func (t *twin) splitPoint() uint32 {
	p := t.w.n / 2
	for p < t.w.n && t.keys[p-1].Same(t.keys[p]) {
		p++
	}
	if p < t.w.n {
		return p
	}
	for p = t.w.n / 2; p > 0 && t.keys[p-1].Same(t.keys[p]); p-- {
	}
	if p > 0 {
		return p
	}
	return t.w.n
}

// sort sorts keys descending.
func (t *twin) sort(k []event.Key) {
	if len(k) > 16 {
		slices.SortFunc(k, func(x, y event.Key) int {
			t.step(1)
			if t.arena.Before(y, x) {
				return -1
			}
			return 1
		})
		return
	}
	for i := 1; i < len(k); i++ {
		e := k[i]
		j := i
		for ; j > 0 && t.less(k[j-1], e); j-- {
			k[j] = k[j-1]
		}
		t.step(i - j + 1)
		k[j] = e
	}
}

func (t *twin) less(x, y event.Key) bool {
	if x.TS != y.TS {
		return x.TS < y.TS
	}
	return t.arena.Before(x, y)
}
