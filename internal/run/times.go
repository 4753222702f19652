// This file owns the times of a PE and of its LPs, as measured by package meter.

package run

import (
	"iter"

	"github.com/ross-go/ross/report"
)

// Times returns the seconds that the PE has spent in each phase until now. Call it only
// between phases.
func (pe *PE) Times() report.PhaseTimes {
	pe.splitIdle()
	return pe.account.Times(&pe.Counts, &pe.Phases, pe.Channels.Drains.Total(), pe.Channels.Flushes.Total(), pe.Engine.Created)
}

// LPSeconds returns for each LP of the PE, by local id, the estimated seconds in its handler:
// its share of EventProcess. Few events of an LP are timed, often none, so the mean over all
// LPs of its type counts as several of its events.
func (pe *PE) LPSeconds() iter.Seq2[int, float64] {
	const ofType = 4
	types := make([]struct{ seconds, timed float64 }, len(pe.Run.Types))
	seconds, timed := 0.0, 0.0
	for i := range pe.LPs {
		lp := &pe.LPs[i]
		t := &types[lp.Type().ID]
		n, spent := lp.Timed()
		t.seconds += spent
		t.timed += float64(n)
		seconds += spent
		timed += float64(n)
	}
	mean := func(seconds, timed, otherwise float64) float64 {
		if timed > 0 && seconds > 0 {
			return seconds / timed
		}
		return otherwise
	}
	all := mean(seconds, timed, 1)
	share := func(i int) float64 {
		lp := &pe.LPs[i]
		t := &types[lp.Type().ID]
		n, spent := lp.Timed()
		return float64(lp.Processed) * (max(spent, 0) + ofType*mean(t.seconds, t.timed, all)) / (float64(n) + ofType)
	}
	sum := 0.0
	for i := range pe.LPs {
		sum += share(i)
	}
	scale := 1.0
	if sum > 0 {
		scale = pe.Times().EventProcess / sum
	}
	return func(yield func(int, float64) bool) {
		for i := range pe.LPs {
			if !yield(i, share(i)*scale) {
				return
			}
		}
	}
}
