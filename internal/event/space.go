// Space: the memory that the arenas of all PEs share. An event sent to another
// PE changes hands without being copied, so slots wander; the depot takes back
// what one PE collects and another lacks.

package event

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/ross-go/ross/internal/mem"
)

// Space is the events, lineage nodes and large payloads of all PEs of a
// process. Its arenas, one for each PE, hand them out; an index means the same
// slot in all of them.
//
// A PE that sends an event gives its slot away. In a model whose events flow
// one way, senders would open new slots for ever and receivers hoard freed
// ones: whoever has too many gives chains of them to the depot, whoever runs
// out takes from it first (the magazines and depot of Bonwick and Adams,
// "Magazines and vmem", USENIX 2001).
type Space struct {
	base   unsafe.Pointer
	stride uintptr
	inline uintptr
	region *mem.Region
	nodes  *mem.Region
	budget *mem.Budget
	shared bool // more than one arena

	mu     sync.Mutex
	slots  depot // of slots, linked through Event.Lineage
	chains depot // of lineage nodes, linked through Node.Parent
	large  [maxClass + 1][]bundle
	slabs  []*mem.Region
	bytes  uint64 // in slabs
}

// depot holds what no arena has: freed things in chains, and those never used.
type depot struct {
	chains []chain
	top    uint32 // things below top have been given to an arena
}

// chain is a list of n freed things.
type chain struct{ head, n uint32 }

// bundle is a list of n freed blocks.
type bundle struct {
	head unsafe.Pointer
	n    int
}

// NewSpace reserves room for events of the arenas of n PEs. Payloads of at most
// inline bytes lie in the event's slot, larger ones in a block of their own.
// maxEvents bounds the address space reserved (0: as many as an index can
// name). Memory is charged to budget as it is used.
func NewSpace(n int, inline uintptr, maxEvents uint64, budget *mem.Budget) (*Space, error) {
	if maxEvents == 0 || maxEvents > MaxEvents {
		maxEvents = MaxEvents
	}
	inline = max(inline, unsafe.Sizeof(uintptr(0)))
	// A payload of up to 8 bytes makes the slot one cache line; beyond that
	// slots are packed to 16 bytes: a line saved counts for more than a slot
	// that straddles two.
	stride := (Size + inline + 15) &^ 15
	s := &Space{stride: stride, inline: stride - Size, budget: budget, shared: n > 1}
	s.slots.top, s.chains.top = 1, 1 // the first of each stands for none
	var err error
	if s.region, err = mem.Reserve(maxEvents*uint64(stride)+uint64(stride), budget); err == nil {
		if s.nodes, err = mem.Reserve((min(maxEvents, MaxEvents-1)+1)*NodeSize, budget); err == nil {
			if err = s.region.Grow(2 * stride); err == nil {
				err = s.nodes.Grow(NodeSize)
			}
		}
	}
	if err != nil {
		s.Release()
		return nil, fmt.Errorf("event arena: %w", err)
	}
	s.base = s.region.Base()
	return s, nil
}

// NewArena returns the arena of one more PE.
func (s *Space) NewArena() *Arena {
	return &Arena{base: s.base, stride: s.stride, inline: s.inline, top: 1, limit: 1, space: s, blocks: blocks{space: s},
		Lines: &Lineages{nodes: s.nodes.Base(), top: 1, limit: 1, shared: s.shared, space: s}}
}

// Bytes returns the memory in use for events, lineages and large payloads.
func (s *Space) Bytes() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return uint64(s.region.Committed()) + uint64(s.nodes.Committed()) + s.bytes
}

// Opened returns the most slots that were ever out of the depot at once, and
// how many of those have come back to it.
func (s *Space) Opened() (opened, back uint32) {
	for _, c := range s.slots.chains {
		back += c.n
	}
	return s.slots.top - 1, back
}

// Release gives all memory back. It may be called twice.
func (s *Space) Release() {
	s.region.Release()
	s.nodes.Release()
	for _, r := range s.slabs {
		r.Release()
	}
	s.slabs, s.bytes = nil, 0
	if s.region != nil {
		*s.region = mem.Region{}
	}
}

const (
	firstOpen = 64      // things opened at a time at first
	mostOpen  = 4096    // and at most
	giveSize  = 1024    // things in a chain for the depot
	hoard     = 4 * 256 // nodes that a PE keeps before it gives
)

// take gives an arena a chain of freed things, or the range [from, to) of new
// ones. held is how many it has opened before: small runs open few.
func (s *Space) take(d *depot, region *mem.Region, size uintptr, held uint32) (c chain, from, to uint32, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(d.chains); n > 0 {
		c = d.chains[n-1]
		d.chains = d.chains[:n-1]
		return c, 0, 0, nil
	}
	if d.top == MaxEvents {
		return c, 0, 0, &mem.LimitError{Limit: uint64(region.Reserved()), Used: uint64(region.Committed())}
	}
	n := min(max(held/4, firstOpen), mostOpen, MaxEvents-d.top)
	if err = region.Grow((uintptr(d.top) + 1) * size); err != nil {
		return c, 0, 0, err
	}
	n = uint32(min(uintptr(n), region.Committed()/size-uintptr(d.top)))
	from = d.top
	d.top += n
	return c, from, d.top, nil
}

// put takes a chain back.
func (s *Space) put(d *depot, c chain) {
	s.mu.Lock()
	d.chains = append(d.chains, c)
	s.mu.Unlock()
}
