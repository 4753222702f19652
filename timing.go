// This file owns the times of a PE and of its LPs, as package meter has taken them.

package ross

import (
	"github.com/ross-go/ross/report"
)

// times returns the seconds of a PE until now. It is called between phases only.
func (pe *PE) times() report.PhaseTimes {
	pe.splitIdle()
	return pe.account.Times(&pe.counts, &pe.clock, pe.ch.drains.Total(), pe.ch.flushes.Total(), pe.sim.created)
}

// lpSeconds returns for each LP of a PE, by local index, the seconds in its
// handler: its part of EventProcess. Few of an LP's events are timed, often
// none, so that the mean of all LPs of its type counts as some of them.
func (pe *PE) lpSeconds() []float64 {
	const ofType = 4
	types := make([]struct{ seconds, timed float64 }, len(pe.sim.types))
	seconds, timed := 0.0, 0.0
	for i := range pe.lpSlab {
		lp := &pe.lpSlab[i]
		t := &types[lp.typ.id]
		t.seconds += lp.seconds
		t.timed += float64(lp.timed)
		seconds += lp.seconds
		timed += float64(lp.timed)
	}
	mean := func(seconds, timed, otherwise float64) float64 {
		if timed > 0 && seconds > 0 {
			return seconds / timed
		}
		return otherwise
	}
	all := mean(seconds, timed, 1)
	shares, sum := make([]float64, len(pe.lpSlab)), 0.0
	for i := range pe.lpSlab {
		lp := &pe.lpSlab[i]
		t := &types[lp.typ.id]
		typical := mean(t.seconds, t.timed, all)
		shares[i] = float64(lp.processed) * (max(lp.seconds, 0) + ofType*typical) / (float64(lp.timed) + ofType)
		sum += shares[i]
	}
	whole := pe.times().EventProcess
	for i := range shares {
		if sum > 0 {
			shares[i] *= whole / sum
		}
	}
	return shares
}
