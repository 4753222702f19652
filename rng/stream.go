// This file owns Stream, from which models draw: its state, and how undoing treats
// the value that the normal distribution keeps.

package rng

// Stream is a [CLCG4] with distributions. It has 48 bytes and no pointers. Make it
// with [Seeder.Stream] or SetState.
type Stream struct {
	CLCG4
	spare    float64 // the second normal value of the pair drawn last
	spareAt  uint64  // count just after that pair
	hasSpare bool    // without a spare, the two fields above are zero
}

// StreamState is everything that defines a [Stream]. States can be compared with ==.
type StreamState struct {
	State
	Spare    float64 // the value that the next Normal01 returns, if HasSpare
	SpareAt  uint64  // Count just after the pair of draws that Spare comes from
	HasSpare bool
}

// State returns the whole state, including that of Normal01, for SetState.
func (s *Stream) State() StreamState {
	return StreamState{State: s.CLCG4.State(), Spare: s.spare, SpareAt: s.spareAt, HasSpare: s.hasSpare}
}

// SetState makes the stream continue from st, whose State must be Valid. It exactly
// undoes or repeats whatever happened since st was taken.
func (s *Stream) SetState(st StreamState) {
	s.CLCG4.SetState(st.State)
	s.spare, s.spareAt, s.hasSpare = st.Spare, st.SpareAt, st.HasSpare
}

// Keeps reports whether a normal value is kept from a pair of draws, so that the
// generator alone is not the whole state.
func (s *Stream) Keeps() bool { return s.hasSpare }

// Rewind makes the stream continue from a copy of its generator that was made
// when no normal value was kept.
func (s *Stream) Rewind(g CLCG4) {
	s.CLCG4 = g
	if s.hasSpare {
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
}

func (s *Stream) dropUndoneSpare() {
	if s.hasSpare && int64(s.count-s.spareAt) < 0 {
		s.dropSpare()
	}
}

// dropSpare also clears what is no longer used, so that equal futures mean equal
// states.
func (s *Stream) dropSpare() {
	s.spare, s.spareAt, s.hasSpare = 0, 0, false
}
