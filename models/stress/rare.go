// The rare kinds: LPs that suspend themselves, and LPs whose events cannot be
// undone.

package main

import "github.com/ross-go/ross"

// dozes reports whether an LP undone by deltas sometimes suspends itself.
func (md *model) dozes(lp *ross.LP) bool { return lp.ID()%ross.LPID(len(kinds)) == 10 }

// suspends may suspend an LP. It reports whether the event has nothing else to
// do: half of the events that suspend also change the state, which must be
// undone.
func (md *model) suspends(lp *ross.LP, bits *ross.Bits, word uint32) bool {
	if lp.RNG().Unif() >= md.suspend {
		return false
	}
	bits.Set(bitAsleep)
	changes := word&1 != 0
	lp.Suspend(changes, sleepCode(lp))
	lp.Printf("LP %d suspended itself at %g\n", lp.ID(), lp.Now())
	if changes {
		return false
	}
	bits.Set(bitIdle)
	return true
}

// sleepCode is the code with which an LP suspends itself.
func sleepCode(lp *ross.LP) int { return 1 + int(lp.ID()) }

func (md *model) sleeperType() ross.LPType {
	return storedWhole(md, ross.Type[handState, small]{
		Name: "sleeper",
		Init: func(_ *handState, lp *ross.LP) { md.start(lp) },
		Event: func(s *handState, lp *ross.LP, bits *ross.Bits, m *small) {
			if !md.suspends(lp, bits, m.Word) {
				s.handle(md, lp, bits, &m.head)
			}
		},
		Reverse: func(s *handState, lp *ross.LP, bits *ross.Bits, m *small) { s.undo(bits, &m.head) },
		Commit:  func(_ *handState, lp *ross.LP, bits *ross.Bits, m *small) { md.enter(lp, bits, &m.head) },
		Final:   func(s *handState, lp *ross.LP) { s.audit(md, lp) },
	})
}

// neverState may hold anything.
type neverState struct {
	core
	words []uint32
}

func (md *model) neverType() ross.LPType {
	return stored(md, ross.Type[neverState, small]{
		Name: "never", Saving: ross.SaveNever,
		Init: func(_ *neverState, lp *ross.LP) { md.start(lp) },
		Event: func(s *neverState, lp *ross.LP, _ *ross.Bits, m *small) {
			s.words = append(s.words, s.take(&m.head))
			md.act(lp, &s.core, m.head)
		},
		Commit: func(_ *neverState, lp *ross.LP, bits *ross.Bits, m *small) {
			b, word, _ := md.enter(lp, bits, &m.head)
			b.held = append(b.held, word)
		},
		Final: func(s *neverState, lp *ross.LP) { md.audit(lp, &s.core, md.books[lp.ID()].sum, s.words) },
	}, plainNever, neverWords, restoreNever)
}
