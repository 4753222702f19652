// Shedding: free blocks whose memory the budget has back, until the pool needs them again.

package buddy

import "os"

// shed has the blocks of a pool that have no memory: to the lists they are taken. Two of them that are buddies are
// not merged until a larger one is needed.
type shed struct {
	blocks [orders][]uint64 // offsets, by order
	n      uint64           // how many
}

// Shed gives the memory of free blocks back to the budget and to the system, where it is of use to something else.
// The blocks stay free; the pool charges their memory again when it needs them. Only blocks of whole
// pages are shed: a page stays while a part of it is in use.
func (p *Pool) Shed() {
	if p.back.Drain(); p.s.orders>>leastShed != 0 {
		p.shedListed(p.s.shed)
	}
}

// shedListed sheds the blocks in the lists that are large enough. before is how many bytes had been shed.
func (p *Pool) shedListed(before uint64) {
	if p.gone == nil {
		p.gone = &shed{}
	}
	peak := p.s.peak
	for k := uint32(orders - 1); k >= leastShed; k-- {
		for p.s.orders>>k&1 != 0 {
			off := p.back.Take(k)
			p.gone.add(off, k)
			p.s.shed += 1 << k
			p.data.Drop(uintptr(off), 1<<k)
		}
	}
	p.s.peak = peak // taking blocks that are free is no use of memory
	p.data.Return(uintptr(p.s.shed - before))
}

// leastShed is the order of the smallest blocks that are shed.
var leastShed = orderOf(uintptr(os.Getpagesize()))

func (g *shed) add(off uint64, k uint32) {
	g.blocks[k] = append(g.blocks[k], off)
	g.n++
}

// regain puts a block of an order into the lists that was shed, and reports whether there was one and memory for it.
func (p *Pool) regain(order uint32) bool {
	if p.gone == nil || p.gone.n == 0 {
		return false
	}
	order = max(order, leastShed)
	k := p.gone.least(order)
	if k == orders {
		p.mergeShed()
		if k = p.gone.least(order); k == orders {
			return false
		}
	}
	if p.data.Retake(1<<order) != nil {
		return false
	}
	of := &p.gone.blocks[k]
	off := (*of)[len(*of)-1]
	*of = (*of)[:len(*of)-1]
	p.gone.n--
	for k > order { // the lower half is wanted
		k--
		half := off + 1<<k
		*p.s.stateAt(half) = taken | uint8(k)
		p.s.taken++
		p.gone.add(half, k)
	}
	*p.s.stateAt(off) = taken | uint8(order)
	p.s.shed -= 1 << order
	p.back.Give(off, order)
	return true
}

// least returns the smallest order, from k on, for which there are shed blocks, or orders.
func (g *shed) least(k uint32) uint32 {
	for ; k < orders && len(g.blocks[k]) == 0; k++ {
	}
	return k
}

// mergeShed merges the blocks that were shed with one another and with free ones, whose memory is shed as well.
func (p *Pool) mergeShed() {
	before := p.s.shed
	for k := range p.gone.blocks {
		for _, off := range p.gone.blocks[k] {
			p.s.shed -= 1 << k
			p.back.Give(off, uint32(k))
		}
		p.gone.blocks[k] = p.gone.blocks[k][:0]
	}
	p.gone.n = 0
	p.shedListed(before)
}
