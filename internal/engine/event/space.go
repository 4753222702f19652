// This file owns Space, the memory that the arenas of all PEs share, and the check of its slots. Lineages and
// large payloads of an event sent to another PE are handed over without a copy. If one PE collects such
// memory and another runs out, the depot balances them.

package event

import (
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/internal/sys/mem"
)

// Space is the events, lineage nodes and large payloads of all PEs of a process. Its
// arenas, one for each PE, allocate them; an index means the same slot in all of them.
//
// Each arena has a range of indices, and one for each receiver, a lane. A slot that
// another PE frees goes back to the arena that it came from. Otherwise, in a model whose
// events flow one way, senders would open new slots for ever, and receivers would hoard
// them.
//
// Lineage nodes and large payloads are few. A PE that has too many gives chains of them
// to a depot, and a PE that runs out first takes from the depot (the magazines and depot
// of Bonwick and Adams, "Magazines and vmem", USENIX 2001). For large payloads the depot is
// a buddy pool.
type Space struct {
	// Buddy is the implementation of the pool of large payloads: "c", "go", or "" for C if the build has it.
	Buddy string

	base   unsafe.Pointer
	stride uintptr
	inline uintptr
	keeps  bool // see NewKeepingSpace
	apart  bool // copies of payloads are in blocks
	shift  uint // index >> shift is the number of the arena
	// From laneBase on (0: there are none) are the lanes, each 1 << laneShift slots:
	// all those of the first sender, in 1 << shift slots, then those of the next.
	laneBase  uint32
	laneShift uint
	whole     *mem.Region
	nodes     *mem.Region
	budget    *mem.Budget
	shared    bool // more than one arena
	arenas    []*Arena

	mu     sync.Mutex
	chains depot         // of lineage nodes, linked through Node.Parent
	pools  []*buddy.Pool // of large payloads, one as a rule
	bundle uintptr       // bytes of blocks that a PE takes or gives at a time

	commons []uint32 // free slots for any arena, see slots.go

	holder atomic.Pointer[Arena] // the arena that the commons are kept for, nil if for none
}

// depot holds what belongs to no arena: chains of freed objects, and objects never used.
type depot struct {
	chains []chain
	top    uint32 // objects below top have been given to an arena
}

// chain is a list of n freed objects.
type chain struct{ head, n uint32 }

// NewSpace reserves room for events of the arenas of n PEs. Payloads of at most inline
// bytes lie in the event's slot, larger ones in a separate block. maxEvents bounds the
// address space reserved for each arena (0: as much as indices can name). Memory is
// charged to budget as it is used.
func NewSpace(n int, inline uintptr, maxEvents uint64, budget *mem.Budget) (*Space, error) {
	return newSpace(n, inline, false, maxEvents, budget)
}

func newSpace(n int, inline uintptr, keeps bool, maxEvents uint64, budget *mem.Budget) (*Space, error) {
	if maxEvents == 0 || maxEvents > MaxEvents {
		maxEvents = MaxEvents
	}
	inline = max(inline, unsafe.Sizeof(uintptr(0)))
	// With a payload of up to 8 bytes the slot is one cache line. Larger slots are
	// multiples of 16 bytes: saving lines matters more than avoiding slots that straddle
	// two.
	stride := (Size + inline + 15) &^ 15
	s := &Space{stride: stride, inline: stride - Size, budget: budget, shared: n > 1, keeps: keeps}
	if keeps {
		s.makeRoom((inline + 7) &^ 7)
	}
	s.setBundle(n)
	s.chains.top = 1 // node 0 means none
	err := s.reserve(uint64(n), maxEvents)
	if err != nil {
		s.Release()
		return nil, fmt.Errorf("event arena: %w", err)
	}
	s.base = s.whole.Base()
	for i := range n {
		if err := s.addArena(uint32(i)); err != nil {
			s.Release()
			return nil, fmt.Errorf("event arena: %w", err)
		}
	}
	for _, a := range s.arenas {
		a.away = make([][]uint32, n+2*awayApart)[awayApart : awayApart+n]
		s.addLanes(a)
	}
	return s, nil
}

// leastSpan is the least range of indices of an arena, leastLane that of a lane: their
// address space consists of whole pages.
const (
	leastSpan = 1 << 12
	leastLane = 1 << 8
	// mostLanes is the maximum number of PEs with lanes, one for each pair of them. A
	// lane that is in use is two mappings of the process, which may have 65,530
	// (vm.max_map_count).
	mostLanes = 128
)

// reserve takes the address space of all arenas, whose ranges are powers of two.
func (s *Space) reserve(n, maxEvents uint64) (err error) {
	slots := max(min(1<<32, maxEvents+1), leastSpan)
	if s.shift = 32; n > 1 {
		slots = s.divide(n, maxEvents)
	}
	if s.whole, err = mem.Reserve(slots*uint64(s.stride), s.budget); err != nil {
		return err
	}
	for n > 1 && s.shift > 12 && slots*uint64(s.stride) > uint64(s.whole.Reserved()) {
		slots = s.divide(n, 1<<(s.shift-1)-1) // less address space than requested
	}
	if least := slots * uint64(s.stride); n > 1 && least > uint64(s.whole.Reserved()) {
		return fmt.Errorf(
			"%d PEs need %d bytes of address space: %w: have fewer PEs, or raise the limit of the address space (ulimit -v)", n,
			least, mem.ErrLimit)
	}
	if s.nodes, err = mem.Reserve((min(maxEvents, MaxEvents-1)+1)*NodeSize, s.budget); err != nil {
		return err
	}
	return s.nodes.Grow(NodeSize)
}

// divide gives n arenas and their lanes ranges of indices, and returns the number of
// indices; half of them are for lanes.
func (s *Space) divide(n, maxEvents uint64) uint64 {
	log := uint(bits.Len64(n - 1))
	s.shift = 31 - log
	for s.shift > 12 && uint64(1)<<(s.shift-1) > maxEvents {
		s.shift--
	}
	s.laneBase, s.laneShift = 0, 0
	if n <= mostLanes && s.shift >= log+uint(bits.Len(leastLane-1)) {
		s.laneBase, s.laneShift = 1<<(s.shift+log), s.shift-log
		return uint64(s.laneBase) + n<<s.shift
	}
	return n << s.shift
}

// addArena makes the arena of PE i.
func (s *Space) addArena(i uint32) error {
	a := &Arena{shift: s.shift, mine: i, keeps: s.keeps, inline: s.inline, space: s, blocks: blocks{space: s},
		Lines: &Lineages{nodes: s.nodes.Base(), top: 1, limit: 1, shared: s.shared, space: s}}
	a.slots = s.rangeOf(uint32(uint64(i)<<s.shift), 1<<s.shift)
	if i == 0 { // slot 0 means no event
		if err := a.region.Grow(2 * s.stride); err != nil {
			return err
		}
		a.first, a.top, a.limit = 1, 1, 1
	}
	s.arenas = append(s.arenas, a)
	return nil
}

// rangeOf returns the n slots from first on.
func (s *Space) rangeOf(first uint32, n uint64) slots {
	from := uintptr(first) * s.stride
	size := min(uintptr(min(n, MaxEvents-uint64(first)))*s.stride, s.whole.Reserved()-from)
	return slots{base: s.base, stride: s.stride, region: s.whole.Part(from, size), budget: s.budget, first: first,
		top: first, limit: first}
}

// ranges returns all ranges of slots, of the arenas and of their lanes.
func (s *Space) ranges() (all []*slots) {
	for _, a := range s.arenas {
		all = append(all, &a.slots)
		for i := range a.lanes {
			all = append(all, &a.lanes[i])
		}
	}
	return all
}

// Cut reports whether the process may reserve less address space than the events may
// need.
func (s *Space) Cut() bool { return s.whole.Cut() || s.nodes.Cut() }

// Arena returns the arena of PE i.
func (s *Space) Arena(i int) *Arena { return s.arenas[i] }

// Bytes returns the memory in use for events, lineages and large payloads. No PE may run
// meanwhile.
func (s *Space) Bytes() uint64 {
	sum := uint64(s.nodes.Committed())
	for _, pool := range s.pools {
		sum += pool.Bytes()
	}
	for _, r := range s.ranges() {
		sum += r.bytes()
	}
	return sum
}

// Unused returns the memory for events that has never held one. No PE may run meanwhile.
func (s *Space) Unused() uint64 {
	sum := uint64(0)
	for _, r := range s.ranges() {
		sum += r.unused()
	}
	return sum
}

// Release releases all memory. It may be called twice.
func (s *Space) Release() {
	for _, r := range s.ranges() {
		r.release()
	}
	s.arenas = nil
	s.whole.Release()
	s.nodes.Release()
	for _, pool := range s.pools {
		pool.Close()
	}
	s.pools = nil
}

// SetAside makes an arena open slots only as long as that leaves n bytes of the budget to
// others, because slots are never given back.
func (a *Arena) SetAside(bytes uint64) { a.leave = bytes }

// Hold keeps the commons for this arena until Unhold is called, unless they are kept for another
// one. What Spare returns is then certain.
func (a *Arena) Hold() { a.space.holder.CompareAndSwap(nil, a) }

// Unhold ends Hold.
func (a *Arena) Unhold() { a.space.holder.CompareAndSwap(a, nil) }

// open reports whether an arena may take slots of the commons. Whoever asks has the lock: what is
// counted after Hold, nobody else can take any more.
func (s *Space) open(to *Arena) bool {
	holder := s.holder.Load()
	return holder == nil || holder == to
}

// Spare returns the size in bytes of the slots that an arena can allocate without more
// memory.
func (a *Arena) Spare() uint64 {
	s := a.space
	s.mu.Lock()
	n := len(s.commons)
	if !s.open(a) {
		n = 0
	}
	s.mu.Unlock()
	return (uint64(a.free) + uint64(len(a.loan)) + uint64(a.waiting.Load()) + uint64(a.limit-a.top) + uint64(n)) * uint64(
		a.stride)
}

// shares returns the number of slots of an arena that are in the commons.
func (s *Space) shares(arena uint32) (n uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.commons {
		if s.owner(i) == arena {
			n++
		}
	}
	return n
}

const (
	firstOpen = 64      // objects opened at a time at first
	mostOpen  = 4096    // and at most
	giveSize  = 1024    // nodes in a chain for the depot
	hoard     = 4 * 256 // nodes that a PE keeps before it gives
)

// takeNodes gives an arena a chain of freed nodes, or the range [from, to) of new ones.
// held is how many it has opened before, so that small runs open few.
func (s *Space) takeNodes(held uint32) (c chain, from, to uint32, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := &s.chains
	if n := len(d.chains); n > 0 {
		c = d.chains[n-1]
		d.chains = d.chains[:n-1]
		return c, 0, 0, nil
	}
	if d.top == MaxEvents {
		return c, 0, 0, s.nodes.Full()
	}
	if err = s.nodes.Grow((uintptr(d.top) + 1) * NodeSize); err != nil {
		return c, 0, 0, err
	}
	n := min(max(held/4, firstOpen), mostOpen, MaxEvents-d.top)
	from = d.top
	d.top += uint32(min(uintptr(n), s.nodes.Committed()/NodeSize-uintptr(d.top)))
	return c, from, d.top, nil
}

// putNodes takes a chain back.
func (s *Space) putNodes(c chain) {
	s.mu.Lock()
	s.chains.chains = append(s.chains.chains, c)
	s.mu.Unlock()
}

// The check that no slot is lost or freed twice.

// Check verifies the whole Space, see Space.Check.
func (a *Arena) Check() error { return a.space.Check() }

// Check verifies that every slot that was used is either live or free exactly
// once, and that the lineages add up. It costs O(events). No event may be under
// way between PEs.
func (s *Space) Check() error {
	free := make(map[uint32]bool)
	nodes := uint32(0)
	for _, list := range s.freeLists() {
		if err := s.checkList(free, list); err != nil {
			return err
		}
	}
	for _, a := range s.arenas {
		nodes += a.Lines.live
	}
	for _, r := range s.ranges() {
		if err := r.checkAll(free); err != nil {
			return err
		}
	}
	return s.checkNodes(nodes)
}

// freeLists returns all lists of free slots.
func (s *Space) freeLists() [][]uint32 {
	lists := [][]uint32{s.commons}
	for _, r := range s.ranges() {
		lists = append(lists, r.freed())
	}
	for _, a := range s.arenas {
		lists = append(lists, a.back, a.loan)
		lists = append(lists, a.away...)
	}
	return lists
}

func (s *Space) checkList(free map[uint32]bool, list []uint32) error {
	for _, i := range list {
		a := s.arenas[s.owner(i)]
		of := &a.slots
		if to, ok := s.laneOf(i); ok {
			of = &a.lanes[to]
		}
		switch {
		case i < of.first || i >= of.top:
			return fmt.Errorf("event %d in the free list of slots %d to %d", i, of.first, of.top)
		case free[i]:
			return fmt.Errorf("event %d is free twice", i)
		case a.At(i).State != Free:
			return fmt.Errorf("event %d in the free list has state %d", i, a.At(i).State)
		}
		free[i] = true
	}
	return nil
}

// checkAll verifies that each used slot of a range is either live or in a list.
func (a *slots) checkAll(free map[uint32]bool) error {
	n := uint32(0)
	for i := a.first; i < a.top; i++ {
		if free[i] || a.At(i).State != Free {
			n++
		}
	}
	if n != a.used() {
		return fmt.Errorf("%d events accounted for of %d", n, a.used())
	}
	return nil
}
