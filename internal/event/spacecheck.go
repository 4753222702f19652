// The check that no slot is lost or freed twice.

package event

import "fmt"

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
