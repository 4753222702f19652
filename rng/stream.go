// This file owns Stream, from which models draw: its state, and how undoing treats
// the value that the normal distribution keeps.

package rng

// Stream is a [CLCG4] with distributions. It has 48 bytes and no pointers. Make it
// with [Seeder.Stream] or SetState.
type Stream struct {
	CLCG4
	spare   float64 // the second normal value of the pair drawn last
	spareAt uint64  // count just after that pair
	more    uint8   // hasSpare, wasSet; without a spare, the two fields above are zero
}

// Bits of the field more.
const (
	hasSpare = 1 << iota
	wasSet
)

// StreamState is everything that defines a [Stream]. States can be compared with ==.
type StreamState struct {
	State
	Spare    float64 // the value that the next Normal01 returns, if HasSpare
	SpareAt  uint64  // Count just after the pair of draws that Spare comes from
	HasSpare bool
}

// State returns the whole state, including that of Normal01, for SetState.
func (s *Stream) State() StreamState {
	return StreamState{State: s.CLCG4.State(), Spare: s.spare, SpareAt: s.spareAt, HasSpare: s.more&hasSpare != 0}
}

// Stream returns a stream that continues from st, whose State must be Valid.
func (st StreamState) Stream() (s Stream) {
	s.CLCG4.SetState(st.State)
	if s.spare, s.spareAt = st.Spare, st.SpareAt; st.HasSpare {
		s.more = hasSpare
	}
	return s
}

// SetState makes the stream continue from st, whose State must be Valid. It exactly
// undoes or repeats whatever happened since st was taken.
func (s *Stream) SetState(st StreamState) {
	*s = st.Stream()
	s.more |= wasSet
}

// Keeps reports whether Count does not lead back to earlier states: a normal value is kept from a
// pair of draws, or the stream WasSet.
func (s *Stream) Keeps() bool { return s.more != 0 }

// WasSet reports whether the state was set by SetState, or by a Skip over 2^15 draws or more.
func (s *Stream) WasSet() bool { return s.more&wasSet != 0 }

// Rewind undoes all draws since Count, cut to 32 bits, was count. The stream must not have
// kept anything then (Keeps), and must not have been set since.
func (s *Stream) Rewind(count uint32) {
	s.CLCG4.Rewind(count)
	if s.more != 0 {
		s.dropSpare()
	}
}

// Reverse undoes the last uniform draw, see [CLCG4.Reverse]. A normal value kept
// from a pair of draws is dropped when the first draw of the pair is undone; the
// package documentation says when to use SetState instead.
func (s *Stream) Reverse() float64 {
	u := s.CLCG4.Reverse()
	s.dropUndoneSpare()
	return u
}

// Skip jumps over n draws, see [CLCG4.Skip]. A kept normal value is treated as by
// Reverse.
func (s *Stream) Skip(n int64) {
	s.CLCG4.Skip(n)
	s.dropUndoneSpare()
	if n != int64(int16(n)) {
		s.more |= wasSet
	}
}

func (s *Stream) dropUndoneSpare() {
	if s.more&hasSpare != 0 && int64(s.count-s.spareAt) < 0 {
		s.dropSpare()
	}
}

// dropSpare also clears what is no longer used, so that equal futures mean equal
// states.
func (s *Stream) dropSpare() {
	s.spare, s.spareAt = 0, 0
	s.more &^= hasSpare
}
