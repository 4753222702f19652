// Blocks: payloads too large for an event's slot, so that one type of large messages does
// not make every event large. They are in a buddy pool that all PEs of a process share: a
// PE keeps few, and what one kind of message has left another one can use.

package event

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/internal/sys/plain"
)

const (
	minClass = 8 // 2^8 bytes
	maxClass = 40
	// A PE takes blocks of a class, and gives them back, in bundles.
	mostTaken   = 64      // blocks
	mostBundled = 1024    // blocks that it gives: GVT frees those of hundreds of events at once, which are soon used again
	mostBundle  = 1 << 20 // bytes
	// bundleShare is the least budget in terms of a bundle of each PE.
	bundleShare = 256
)

// blocks is one PE's share of the large payloads of a Space: some blocks to use next.
type blocks struct {
	freed [maxClass + 1]bundle
	most  uint8 // largest class that was ever needed
	space *Space
	warm  warm
}

// bundle has freed blocks, the one that was freed last at the end: it is the next to be used, since it may still be in
// the caches. They are numbers, because the collector need not look at them.
type bundle []uintptr

// classOf returns the size class of the block for n bytes, which has 2^class bytes.
func classOf(n uintptr) uint8 { return uint8(max(bits.Len64(uint64(n-1)), minClass)) }

// alloc returns a block of a class.
func (b *blocks) alloc(class uint8) (unsafe.Pointer, error) {
	f := &b.freed[class]
	if len(*f) == 0 {
		b.most = max(b.most, class)
		if err := b.space.takeBlocks(class, f, 1); err != nil {
			return nil, err
		}
	}
	return f.pop(), nil
}

// has reports whether there are blocks for a message of the largest class, and for a copy of it.
func (b *blocks) has() bool { return b.most == 0 || len(b.freed[b.most]) >= b.space.blocksOf() }

// provide has the PE take the blocks that has asks for, and reports whether it could.
func (b *blocks) provide() bool {
	return b.has() || b.space.takeBlocks(b.most, &b.freed[b.most], b.space.blocksOf()) == nil
}

// blocksOf returns the number of blocks that an event may need.
func (s *Space) blocksOf() int {
	if s.keeps {
		return 2
	}
	return 1
}

// A message is read ahead as a whole up to mostAhead bytes. Of larger ones, as much is.
const mostAhead = 1 << 10

// nearLines is what WarmSlots reads of a slot, in bytes. The rest is read ahead by Ahead.
const nearLines = 2 * 64

// mostWarm is how many messages are read ahead.
const mostWarm = 128

// Lead is by how many events they should be read ahead.
const Lead = 4

// warm has the messages of events that come next, the next one last, which are read ahead.
type warm struct {
	n     int
	at    [mostWarm]uintptr
	bytes [mostWarm]uintptr
}

// ReadAhead has Foresee note messages: some have more than nearLines in the slot, or a block.
func (a *Arena) ReadAhead() { a.large = true }

// Foresee notes messages of the events that come next, the next one last, for Ahead: those that have a block, and what
// slots have beyond nearLines. It drops what it has noted before.
func (a *Arena) Foresee(keys []Key) {
	if !a.large {
		return
	}
	keys = keys[max(0, len(keys)-mostWarm):]
	w := &a.blocks.warm
	w.n = 0
	for _, k := range keys {
		e := a.At(k.Index())
		if class := e.Class &^ kept; class != 0 {
			w.at[w.n], w.bytes[w.n] = *(*uintptr)(InSlot(e)), uintptr(min(1<<class, mostAhead))
			w.n++
		} else if end := Size + a.inline; end > nearLines {
			w.at[w.n], w.bytes[w.n] = uintptr(unsafe.Pointer(e))+nearLines, min(end-nearLines, mostAhead)
			w.n++
		}
	}
}

// Foreseen reports whether there are messages that Ahead has not read yet.
func (a *Arena) Foreseen() bool { return a.blocks.warm.n > 0 }

// Ahead reads the next n messages ahead that Foresee has noted. Call it before each event for one: a core waits
// for some 16 lines at once, which is a message of 1 KiB, and has time for them while a handler runs. The reads are
// prefetches, since real ones would hold up the handler. Their pages are in the TLB, because blocks and slots lie in
// huge pages.
func (a *Arena) Ahead(n int) {
	for w := &a.blocks.warm; n > 0 && w.n > 0; n-- {
		w.n--
		prefetch(w.at[w.n], w.bytes[w.n])
	}
}

// AheadOf reads the next message ahead, if there is one, before the next of n events is handled. It returns how many of
// them may be handled before it is called again: one, or all.
func (a *Arena) AheadOf(n int) int {
	if !a.Foreseen() {
		return n
	}
	a.Ahead(1)
	return 1
}

// prefetch asks the processor for the cache lines of bytes at an address, and does not wait for them.
//
//go:noescape
func prefetch(at, bytes uintptr)

// WarmSlots reads words of the slots of events that come next, beyond their first lines and up to nearLines, to bring
// them into the cache. It returns the sum of the words.
func (a *Arena) WarmSlots(keys []Key) (sum uint64) {
	for off := uintptr(64); off < min(a.stride, nearLines); off += 64 {
		for _, k := range keys {
			sum += *(*uint64)(unsafe.Add(unsafe.Pointer(a.At(k.Index())), off))
		}
	}
	return sum
}

// storePointer stores the address of a block in memory of the arena. To Go it is a number:
// for a pointer the collector would look at what was there before, which may be the bytes of
// any message, and end the process if they look like a pointer into a part of Go's heap that
// is not in use.
func storePointer(at, p unsafe.Pointer) { *(*uintptr)(at) = uintptr(p) }

func (f *bundle) pop() unsafe.Pointer {
	last := len(*f) - 1
	p := (*f)[last]
	*f = (*f)[:last]
	return plain.Pointer(uint64(p))
}

func (f *bundle) push(p unsafe.Pointer) { *f = append(*f, uintptr(p)) }

// free takes a block back. The PE keeps two bundles of a class at most.
func (b *blocks) free(p unsafe.Pointer, class uint8) {
	f := &b.freed[class]
	f.push(p)
	if n := b.space.bundleOf(class); len(*f) > 2*n {
		b.space.giveBlocks(class, f, n)
	}
}

// share gives all free blocks to the pool, and the pool their memory to whoever needs it.
func (b *blocks) share() {
	for class := range b.freed {
		if f := &b.freed[class]; len(*f) > 0 {
			b.space.giveBlocks(uint8(class), f, 0)
		}
	}
	b.space.shedBlocks()
}

// shedBlocks gives the memory of free blocks back to the budget.
func (s *Space) shedBlocks() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, pool := range s.pools {
		pool.Shed()
	}
}

// bundleOf returns the number of blocks in a bundle, 0 if each is returned by itself.
func (s *Space) bundleOf(class uint8) int { return int(min(mostBundled, s.bundle>>class)) }

// setBundle sets the size of bundles in bytes, so that what n PEs keep is a small part of the memory.
func (s *Space) setBundle(n int) {
	s.bundle = mostBundle
	if s.budget != nil {
		s.bundle = min(s.bundle, uintptr(s.budget.Limit()/bundleShare/uint64(n)))
	}
}

// takeBlocks adds blocks to f until it has n, and more of them, up to mostTaken, if the pool has them free. Those that
// the pool gives first come last.
func (s *Space) takeBlocks(class uint8, f *bundle, n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	size := uintptr(1) << class
	from := len(*f)
	for len(*f) < n {
		p, err := s.allocBlock(size)
		if err != nil {
			return err
		}
		f.push(p)
	}
	slices.Reverse((*f)[from:])
	if more := min(s.bundleOf(class), mostTaken) - len(*f); more > 0 {
		f.reuse(s.pools[len(s.pools)-1], size, from, more)
	}
	return nil
}

// reuse puts up to n free blocks of a pool at place at of the bundle.
func (f *bundle) reuse(pool *buddy.Pool, size uintptr, at, n int) {
	had := len(*f)
	*f = slices.Grow(*f, n)[:had+n]
	copy((*f)[at+n:], (*f)[at:had])
	got := pool.ReuseAll(size, (*f)[at:at+n])
	*f = slices.Delete(*f, at, at+n-got)
}

// allocBlock returns a block of the pools. There is a second one only where the process may not
// reserve as much address space for the first as there is memory.
func (s *Space) allocBlock(size uintptr) (unsafe.Pointer, error) {
	for _, pool := range s.pools {
		if p := pool.Reuse(size); p != nil {
			return p, nil
		}
	}
	if n := len(s.pools); n > 0 {
		if p, err := s.pools[n-1].Alloc(size); !mem.IsCut(err) {
			return p, err
		}
	}
	budget, limit := s.budget, uint64(mostPool)
	if budget != nil {
		budget, limit = budget.Share(), max(budget.Limit(), uint64(size))
		budget.Parts = poolParts
	}
	pool, err := buddy.NewCharged(s.Buddy, 0, limit, budget)
	if err != nil {
		return nil, err
	}
	p, err := pool.Alloc(size)
	if err != nil {
		pool.Close()
		return nil, err
	}
	s.pools = append(s.pools, pool)
	return p, nil
}

const (
	mostPool  = 1 << 36 // bytes of a pool without a limit
	poolParts = 4       // a pool takes one such part of the remaining address space at most
)

// giveBlocks gives the blocks of f to the pool, the oldest first, all but keep.
func (s *Space) giveBlocks(class uint8, f *bundle, keep int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := max(len(*f)-keep, 0)
	for from := 0; from < n; { // as a rule all of them are of one pool
		pool, to := s.poolOf((*f)[from]), from+1
		for to < n && s.poolOf((*f)[to]) == pool {
			to++
		}
		pool.FreeAll((*f)[from:to], 1<<class)
		from = to
	}
	*f = (*f)[:copy(*f, (*f)[n:])]
}

// poolOf returns the pool that has a block.
func (s *Space) poolOf(block uintptr) *buddy.Pool {
	for _, pool := range s.pools[1:] {
		if pool.Holds(plain.Pointer(uint64(block))) {
			return pool
		}
	}
	return s.pools[0]
}
