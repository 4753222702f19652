// Commons: free slots that any arena of a Space may use. Arenas give to them in a shortage of
// memory, and while their PEs handle nothing; otherwise the slots that one arena has opened would
// be of no use to the others. The slots go home when they are freed.

package event

// mostLent is the number of slots that an arena takes from the commons at a time.
const mostLent = 64

// lend gives an arena slots of the commons, which lent returns. It reports whether there were any.
func (s *Space) lend(to *Arena) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(s.commons), mostLent)
	if n == 0 || !s.open(to) {
		return false
	}
	from := len(s.commons) - n
	to.loan = append(to.loan, s.commons[from:]...)
	s.commons = s.commons[:from]
	return true
}

// lent returns a slot that lend has given the arena, 0 if none is left.
func (a *Arena) lent() uint32 {
	n := len(a.loan) - 1
	if n < 0 {
		return 0
	}
	i := a.loan[n]
	a.loan = a.loan[:n]
	return i
}

func (s *Space) putCommons(slots []uint32) {
	s.mu.Lock()
	s.commons = append(s.commons, slots...)
	s.mu.Unlock()
}

// Share gives other arenas half of the free slots, also of those never used, all those of
// lanes and of a loan, and all blocks.
func (a *Arena) Share() { a.share(2) }

// Rest is called when the PE will handle no event until Wake is called. If little memory is left, it gives
// other arenas all that is free, now and when it is freed. Otherwise the arena keeps what it has: it would open new
// slots afterwards, and with each rest more. No PE may run meanwhile.
func (a *Arena) Rest() {
	if !a.space.shared {
		return
	}
	a.TakeBack()
	a.GiveBack()
	if !a.lacks() {
		return
	}
	a.share(1)
	a.Lines.share()
	a.rests = true
}

// Wake ends Rest. No PE may run meanwhile.
func (a *Arena) Wake() { a.rests = false }

// share gives other arenas the free slots, divided by part, and all free blocks, slots of lanes and of the loan.
func (a *Arena) share(part uint32) {
	if !a.space.shared {
		return
	}
	a.blocks.share()
	s := a.space
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commons = append(s.commons, a.loan...)
	a.loan = a.loan[:0]
	a.giveSlots(a.free-a.free/part*(part-1), (a.limit-a.top)/part, s)
	for k := range a.lanes {
		l := &a.lanes[k]
		l.giveSlots(l.free, (l.limit-l.top)/part, s)
	}
}

// giveSlots puts free slots into the commons, and some that were never used.
func (a *slots) giveSlots(free, unused uint32, s *Space) {
	keep := a.free - free
	s.commons = append(s.commons, a.freed()[keep:]...)
	for a.free = keep; unused > 0; unused-- {
		a.At(a.top).State = Free
		s.commons = append(s.commons, a.top)
		a.top++
	}
}

// littleShare is the part of the memory that counts as little if no more is left.
const littleShare = 4

// lacks reports whether little memory is left.
func (a *Arena) lacks() bool {
	return a.budget != nil && a.budget.Free() <= a.budget.Limit()/littleShare
}

// Trim gives other arenas the free slots beyond some that the arena keeps, if little memory is left. It is for
// PEs that cannot undo events when they find no memory.
func (a *Arena) Trim(keep uint32) {
	if !a.space.shared || !a.lacks() {
		return
	}
	a.TakeBack()
	s := a.space
	s.mu.Lock()
	defer s.mu.Unlock()
	a.giveSlots(a.free-min(a.free, keep), 0, s)
	for k := range a.lanes {
		l := &a.lanes[k]
		l.giveSlots(l.free-min(l.free, keep), 0, s)
	}
}

// Has reports whether the arena has at hand what n events need, one of which may be large.
func (a *Arena) Has(n int) bool {
	return uint64(a.free)+uint64(len(a.loan))+uint64(a.limit-a.top) >= uint64(n) && a.blocks.has()
}

// Provide has the arena take what Has asks for. It reports whether it could.
func (a *Arena) Provide(n int) bool {
	if !a.blocks.provide() {
		return false
	}
	for !a.Has(n) {
		if !a.TakeBack() && !a.space.lend(a) && a.slots.open() != nil {
			return false
		}
	}
	return true
}

// open makes more slots usable while some are left that were never used: these are free from then on.
func (a *slots) open() error {
	for ; a.top < a.limit; a.top++ {
		a.At(a.top).State = Free
		a.push(a.top)
	}
	return a.more()
}
