package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/output/checkpoint"
)

const (
	fStop       = timewarp.FlagStop
	fFailed     = timewarp.FlagStop | timewarp.FlagFailed
	fLeave      = timewarp.FlagLeave
	fUnderWay   = timewarp.FlagUnderWay
	fCheckpoint = timewarp.FlagCheckpoint
	fWriting    = timewarp.FlagWriting
	fAway       = timewarp.FlagAway
	fLeft       = timewarp.FlagLeft

	none, begun, draining, copied = checkpoint.HoldNone, checkpoint.HoldBegun, checkpoint.HoldDraining,
		checkpoint.HoldCopied
)

func TestWhatAPEDecidesAtAGVT(t *testing.T) {
	for _, c := range []struct {
		name string
		s    standing
		want verdict
	}{
		{"nothing to decide", standing{}, verdict{}},
		{"the last event", standing{done: true}, verdict{state: over}},
		{"a signal", standing{flags: fStop}, verdict{state: over, act: cutOff}},
		{"an error", standing{flags: fFailed, state: leaving}, verdict{state: over, act: cutOff}},

		{"an LP has stopped the run", standing{stopped: true}, verdict{state: ending}},
		{"events may still be under way", standing{stopped: true, state: ending, flags: fUnderWay}, verdict{state: ending}},
		{"none is", standing{stopped: true, state: ending}, verdict{state: ending, act: finish}},
		{"a signal at the stop changes nothing", standing{stopped: true, state: ending, flags: fStop},
			verdict{state: ending, act: finish}},
		{"an error at the stop does", standing{stopped: true, state: ending, flags: fFailed},
			verdict{state: over, act: cutOff}},
		{"a stop comes before leaving", standing{stopped: true, state: leaving, flags: fLeave, closed: true},
			verdict{state: ending}},
		{"a stop comes before a checkpoint", standing{stopped: true, hold: draining, stores: true, closed: true},
			verdict{state: ending}},

		{"the PEs are to leave", standing{flags: fLeave, closed: true}, verdict{state: leaving}},
		{"but something is under way", standing{flags: fLeave | fUnderWay, state: leaving, closed: true},
			verdict{state: leaving}},
		{"or a conservative PE has not closed", standing{flags: fLeave, state: leaving}, verdict{state: leaving}},
		{"now they leave", standing{flags: fLeave, state: leaving, closed: true}, verdict{state: leaving, act: leave}},
		{"the last event comes before leaving", standing{flags: fLeave, state: leaving, closed: true, done: true},
			verdict{state: over}},
		{"they leave after a checkpoint", standing{flags: fLeave, hold: copied, stores: true, closed: true},
			verdict{state: leaving}},
		{"but not before it", standing{flags: fLeave, hold: begun, stores: true, closed: true}, verdict{hold: draining}},

		{"no checkpoint is due", standing{stores: true, closed: true}, verdict{}},
		{"one is by real time", standing{stores: true, flags: fCheckpoint}, verdict{hold: begun}},
		{"one is by virtual time", standing{stores: true, due: true}, verdict{hold: begun}},
		{"one is when the run is stopped", standing{stores: true, onExit: true, flags: fStop}, verdict{hold: begun}},
		{"but not without --io-on-exit", standing{stores: true, flags: fStop, hold: draining, closed: true},
			verdict{state: over, act: cutOff}},
		{"nor after an error", standing{stores: true, onExit: true, flags: fFailed, hold: draining, closed: true},
			verdict{state: over, act: cutOff}},
		{"the one before is being written", standing{stores: true, flags: fCheckpoint | fWriting, closed: true}, verdict{}},
		{"an optimistic PE has closed at once", standing{stores: true, due: true, closed: true}, verdict{hold: draining}},
		{"a conservative one closes first", standing{stores: true, due: true, hold: begun}, verdict{hold: begun}},
		{"something is under way", standing{stores: true, hold: draining, closed: true, flags: fCheckpoint | fUnderWay},
			verdict{hold: draining}},
		{"the writer is busy", standing{stores: true, hold: draining, closed: true, due: true, flags: fCheckpoint | fWriting},
			verdict{hold: draining, waits: true}},
		{"KPs go home first", standing{stores: true, hold: draining, closed: true, flags: fCheckpoint | fAway},
			verdict{hold: draining, act: goHome}},
		{"but not while something is under way", standing{stores: true, hold: draining, closed: true,
			flags: fAway | fUnderWay}, verdict{hold: draining}},
		{"a copy", standing{stores: true, hold: draining, closed: true, flags: fCheckpoint},
			verdict{hold: draining, act: copyPE}},
		{"the last copy does not wait for the writer", standing{stores: true, onExit: true, hold: draining, closed: true,
			flags: fStop | fWriting}, verdict{hold: draining, act: copyPE}},
		{"all have copied", standing{stores: true, hold: copied, closed: true}, verdict{}},
		{"all have copied, and a signal has come", standing{stores: true, onExit: true, hold: copied, closed: true,
			flags: fStop}, verdict{state: over, hold: copied, act: cutOff}},
		{"no event is left before the end, and a checkpoint is due",
			standing{stores: true, done: true, due: true, flags: fLeft}, verdict{hold: begun}},
		{"no event is left at all", standing{stores: true, done: true, due: true}, verdict{state: over}},
	} {
		require.Equal(t, c.want, decide(&c.s), c.name)
	}
}

// TestADecisionIsSafeInEachStanding goes through all that a decision can depend on.
func TestADecisionIsSafeInEachStanding(t *testing.T) {
	flags := []uint32{fStop, timewarp.FlagFailed, fLeave, fUnderWay, fCheckpoint, fWriting, fAway, fLeft}
	n := 0
	for bits := range 1 << (len(flags) + 6) {
		bit := func(i int) bool { return bits>>(len(flags)+i)&1 != 0 }
		s := standing{done: bit(0), stopped: bit(1), closed: bit(2), stores: bit(3), onExit: bit(4), due: bit(5)}
		for i, f := range flags {
			if bits>>i&1 != 0 {
				s.flags |= f
			}
		}
		if s.done && s.stopped || s.flags&fFailed == timewarp.FlagFailed {
			continue
		}
		for s.state = running; s.state < over; s.state++ {
			for s.hold = none; s.hold <= copied && (s.stores || s.hold == none); s.hold++ {
				v := decide(&s)
				n++
				calm := s.flags&fUnderWay == 0
				switch v.act {
				case cutOff:
					require.NotZero(t, s.flags&fStop, s)
					require.Equal(t, over, v.state, s)
				case finish:
					require.True(t, calm && s.stopped, s)
				case leave:
					require.True(t, calm && s.closed && s.flags&fLeave != 0 && v.hold == none, s)
				case goHome, copyPE:
					require.True(t, calm && s.closed && v.hold == draining, s)
				}
				if s.flags&timewarp.FlagFailed != 0 {
					require.Equal(t, cutOff, v.act, s)
				}
				if v.waits {
					require.Equal(t, goOn, v.act, s)
				}
			}
		}
	}
	require.Greater(t, n, 10_000)
}
