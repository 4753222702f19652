// This file owns the times of a PE and of its LPs, as measured by package meter.

package run

import "github.com/ross-go/ross/report"

// Times returns the seconds that the PE has spent in each phase until now. Call it only
// between phases.
func (pe *PE) Times() report.PhaseTimes {
	pe.splitIdle()
	return pe.account.Times(&pe.Counts, &pe.Clock, pe.Channels.Drains.Total(), pe.Channels.Flushes.Total(), pe.Simulation.Created)
}

// LPSeconds returns for each LP of the PE, by local id, the estimated seconds in its handler:
// its share of EventProcess. Few events of an LP are timed, often none, so the mean over all
// LPs of its type counts as several of its events.
func (pe *PE) LPSeconds() []float64 {
	const ofType = 4
	types := make([]struct{ seconds, timed float64 }, len(pe.Run.Types))
	seconds, timed := 0.0, 0.0
	for i := range pe.LPs {
		lp := &pe.LPs[i]
		t := &types[lp.Type.ID]
		t.seconds += lp.Seconds
		t.timed += float64(lp.Timed)
		seconds += lp.Seconds
		timed += float64(lp.Timed)
	}
	mean := func(seconds, timed, otherwise float64) float64 {
		if timed > 0 && seconds > 0 {
			return seconds / timed
		}
		return otherwise
	}
	all := mean(seconds, timed, 1)
	shares, sum := make([]float64, len(pe.LPs)), 0.0
	for i := range pe.LPs {
		lp := &pe.LPs[i]
		t := &types[lp.Type.ID]
		typical := mean(t.seconds, t.timed, all)
		shares[i] = float64(lp.Processed) * (max(lp.Seconds, 0) + ofType*typical) / (float64(lp.Timed) + ofType)
		sum += shares[i]
	}
	whole := pe.Times().EventProcess
	for i := range shares {
		if sum > 0 {
			shares[i] *= whole / sum
		}
	}
	return shares
}
