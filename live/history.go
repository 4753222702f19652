//go:build !nolive

// This file owns the past of a run: its figures over all the time that it has taken, in fixed memory.

package live

import "time"

const (
	// historySize is odd: of an odd number every other sample has the first and the last.
	historySize = 601
	// firstPeriod is the time between samples of a run that has just begun.
	firstPeriod = 250 * time.Millisecond
)

// sample is what history keeps of a moment. Counts are those since the beginning of the run.
type sample struct {
	elapsed    float64 // seconds
	gvt        float64
	processed  uint64
	rolledBack uint64
	committed  uint64
	memory     uint64 // bytes of all ranks
}

// history holds samples of the whole run at equal distances. When it is full it leaves out every
// other one and takes half as many from then on. What happened between two samples is the exact
// difference of their counts, at any resolution.
type history struct {
	all    [historySize]sample
	n      int
	period time.Duration // 0: firstPeriod
	next   time.Time     // of the next sample
}

// due reports whether it is time for a sample.
func (h *history) due(now time.Time) bool { return h.n == 0 || !now.Before(h.next) }

// add takes a sample.
func (h *history) add(now time.Time, s sample) {
	if h.period == 0 {
		h.period = firstPeriod
	}
	h.all[h.n] = s
	if h.n++; h.n == historySize {
		for i := 0; i < historySize; i += 2 {
			h.all[i/2] = h.all[i]
		}
		h.n, h.period = historySize/2+1, 2*h.period
	}
	h.next = now.Add(h.period)
}

// historyDocument is /history.json: a list for each figure, the oldest sample first.
type historyDocument struct {
	ID         string     `json:"id"` // of the run
	Period     float64    `json:"period_seconds"`
	Elapsed    []float64  `json:"elapsed_seconds"`
	GVT        []*float64 `json:"gvt"`
	Processed  []uint64   `json:"events_processed"`
	RolledBack []uint64   `json:"events_rolled_back"`
	Committed  []uint64   `json:"events_committed"`
	Memory     []uint64   `json:"memory_bytes"`
}

// document returns the samples.
func (h *history) document(id string) historyDocument {
	d := historyDocument{ID: id, Period: max(h.period, firstPeriod).Seconds(), Elapsed: make([]float64, h.n), GVT: make([]*float64, h.n),
		Processed: make([]uint64, h.n), RolledBack: make([]uint64, h.n), Committed: make([]uint64, h.n), Memory: make([]uint64, h.n)}
	for i, s := range h.all[:h.n] {
		d.Elapsed[i], d.GVT[i], d.Processed[i] = s.elapsed, finite(s.gvt), s.processed
		d.RolledBack[i], d.Committed[i], d.Memory[i] = s.rolledBack, s.committed, s.memory
	}
	return d
}
