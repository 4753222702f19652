// This file owns what an LP has in a checkpoint besides its state: timers, statistics, the time at which it ends the
// run.

package checkpoint

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/sys/plain"
	"github.com/ross-go/ross/rio"
)

// timersSize returns the number of bytes that timers add to the record of an LP.
func timersSize(lp *kernel.LP) int {
	if n := len(lp.Timers().Slots); n > 0 {
		return 8 + 4 + 8*n
	}
	return 0
}

// appendTimers appends the timers of lp: the first free slot, and number and next free slot of
// each slot.
func appendTimers(b []byte, lp *kernel.LP) []byte {
	t := lp.Timers()
	if len(t.Slots) == 0 {
		return b
	}
	b = binary.LittleEndian.AppendUint32(b, t.Free)
	for _, s := range t.Slots {
		b = binary.LittleEndian.AppendUint32(b, s.Number)
		b = binary.LittleEndian.AppendUint32(b, s.Next)
	}
	return b
}

// restoreTimers restores the timers of lp.
func restoreTimers(lp *kernel.LP, b []byte) error {
	var t kernel.Timers
	if len(b) > 0 {
		if len(b)%8 != 4 {
			return ioError(lp, "its timers", rio.ErrDamaged, "")
		}
		t.Free = binary.LittleEndian.Uint32(b)
		for b = b[4:]; len(b) > 0; b = b[8:] {
			t.Slots = append(t.Slots, kernel.TimerSlot{Number: binary.LittleEndian.Uint32(b),
				Next: binary.LittleEndian.Uint32(b[4:])})
		}
		if !t.Valid() {
			return ioError(lp, "its timers", rio.ErrDamaged, "")
		}
	}
	lp.SetTimers(t)
	return nil
}

// The virtual time at which an LP ends the run (kernel.LP.StopAfter) in a
// checkpoint.

// stopSize returns the number of bytes that the time adds to the record of an LP.
func stopSize(lp *kernel.LP) int {
	if lp.StopsAt() > 0 {
		return 8
	}
	return 0
}

// restoreStop restores the time of lp. clock is the virtual time of the checkpoint: what ended a
// run there, or would have ended it earlier, does not end a run that goes on from there.
func restoreStop(lp *kernel.LP, at, clock float64) {
	if at > clock {
		lp.WantStop(at)
	}
}

// The statistics in a checkpoint that a run starts from: since when they have been
// observed, and what becomes of them if this run's warm-up ends at another time.

// observation is what the statistics of some LPs in a checkpoint say. It holds only plain numbers,
// because ranks exchange it as bytes.
type observation struct {
	From    float64 // virtual time at which those begin that do not begin with this run's warm-up
	Last    float64 // virtual time of the last event of these LPs
	Differs uint64  // there are such statistics: 1
	Old     uint64  // some are of an earlier version: 1
}

// see takes in an LP in a checkpoint.
func (o *observation) see(s *Checkpoints, l *loading, r *rio.LP) {
	if l.AsROSS {
		return // all begins anew
	}
	t := s.Run.TypeAt(r.GID)
	_, statistics, ok := cutStatistics(t, r.State)
	if !ok || len(t.Figures) == 0 {
		return // that it is of another model is found later
	}
	from, known := l.observedFrom(statistics)
	if !known {
		o.Old = 1
	}
	if from != s.Run.Set.WarmUp {
		o.add(&observation{From: from, Last: r.Now, Differs: 1})
	}
}

// add takes in another observation.
func (o *observation) add(other *observation) {
	o.Old |= other.Old
	switch {
	case other.Differs == 0:
	case o.Differs == 0:
		o.Differs, o.From, o.Last = 1, other.From, other.Last
	default:
		o.From, o.Last = min(o.From, other.From), max(o.Last, other.Last)
	}
}

// observedFrom returns the virtual time at which statistics in the checkpoint begin, and whether they
// say so. Those of an earlier version do not; then the options of the run say it.
func (l *loading) observedFrom(statistics []byte) (from float64, known bool) {
	if from, known = statistic.StoredFrom(statistics); known {
		return from, true
	}
	return l.warmUp, false
}

// storedWarmUp returns the warm-up of the run that stored the checkpoint, or that of this run if its
// options do not tell.
func (l *loading) storedWarmUp(now float64) float64 {
	_, engine := StoredOptions(l.cp.Info().Settings)
	at := slices.IndexFunc(engine, func(o storedOption) bool { return o.name == "--warm-up" })
	if at < 0 {
		return now
	}
	from, err := strconv.ParseFloat(engine[at].Value, 64)
	if err != nil {
		return now
	}
	return from
}

// compareObservation returns an error if the statistics of this run would begin at a time that the
// checkpoint has no record of. All ranks call it.
func (s *Checkpoints) compareObservation() error {
	l := s.Load
	if l == nil || l.AsROSS {
		return nil
	}
	var all observation
	for i := range l.parts {
		all.add(&l.parts[i].seen)
	}
	if s.Run.Gather != nil {
		ranks, err := s.Run.Gather(plain.BytesOf(&all, 1))
		if err != nil {
			return err
		}
		for _, b := range ranks {
			var other observation
			copy(plain.BytesOf(&other, 1), b)
			all.add(&other)
		}
	}
	if all.Old != 0 {
		s.Run.Remark(
			"checkpoint %s: its statistics are of an earlier version: until there, sums, means and deviations are what that version has rounded", l.name)
	}
	if all.Differs == 0 {
		return nil
	}
	from := s.Run.Set.WarmUp
	if from < l.clock || from <= all.Last {
		later := fmt.Sprintf("%g or a later time", l.clock)
		if all.Last >= l.clock {
			later = fmt.Sprintf("a time after %g", all.Last)
		}
		return l.fail(Err, fmt.Sprintf("give --warm-up=%g, with which they go on, or %s, at which they begin anew", all.From,
			later),
			"its statistics begin at time %g and not at --warm-up=%g, and what was recorded between that and time %g is not known by itself",
			all.From, from, math.Max(l.clock, all.Last))
	}
	s.Run.Remark("statistics begin at time %g: those of checkpoint %s, which began at %g, are left out", from, l.name,
		all.From)
	return nil
}

// getStatistics restores the statistics of an LP. If the clock starts anew, so do they, and if the
// warm-up ends later, they begin then.
func (l *loading) getStatistics(lp *kernel.LP, statistics []byte) error {
	if len(lp.Type().Figures) == 0 {
		return nil
	}
	store, keep := lp.PE.Figures, statistic.KeepAll
	if from, _ := l.observedFrom(statistics); l.AsROSS {
		keep = statistic.KeepValues
	} else if from != store.From {
		keep = statistic.KeepLevels
	}
	if err := store.Load(statistics, lp.State, lp.Type().Figures, keep); err != nil {
		fix := sameModel
		switch err {
		case statistic.ErrLost:
			fix = fmt.Sprintf("give --warm-up=%g or a later time, at which they begin anew", l.clock)
		case statistic.ErrInfinite:
			fix = "start from a checkpoint that was stored before"
		}
		return ioError(lp, err.Error(), Err, fix)
	}
	return nil
}
