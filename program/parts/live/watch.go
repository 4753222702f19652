// This file owns the watch: it reads the figures of a run from its start to its end, keeps the past, which are figures
// over all the time that the run has taken, in fixed memory, and makes of them what the page shows.

package live

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
)

const (
	watchEvery = 250 * time.Millisecond
	// recentFor is the age at which a mark is replaced: "the last seconds" are one to two of these.
	recentFor = 5.0 // seconds of the run
)

// watch reads the figures of a run. It needs a fixed amount of memory for each PE.
type watch struct {
	sim    *ross.Simulation
	others *others

	lock       sync.Mutex // guards the following fields
	history    history
	diary      diary
	marks      [3]figures // of the past, the oldest first
	stillSince float64
	unanswered float64 // seconds of the run at which another rank has last not answered
	highest    float64 // GVT
	ended      bool    // the last figures of all ranks are there

	done chan struct{}
	gone sync.WaitGroup
}

func newWatch(sim *ross.Simulation) *watch {
	return &watch{sim: sim, others: newOthers(), done: make(chan struct{})}
}

// start begins to read.
func (w *watch) start() {
	w.gone.Go(w.follow)
	if w.sim.Rank() == 0 && w.sim.Ranks() > 1 {
		w.gone.Go(w.followRanks)
	}
}

// follow reads until stop.
func (w *watch) follow() {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		w.read(time.Now())
		select {
		case <-ticker.C:
		case <-w.done:
			return
		}
	}
}

// followRanks asks the other ranks until stop. Many ranks are asked less often.
func (w *watch) followRanks() {
	ticker := time.NewTicker(askEvery * time.Duration(1+w.sim.Ranks()/64))
	defer ticker.Stop()
	for met := false; ; {
		if texts := w.sim.Announced(); texts != nil {
			if !met {
				w.others.meet(texts)
				met = true
			}
			w.others.ask()
		}
		select {
		case <-ticker.C:
		case <-w.done:
			return
		}
	}
}

// stop ends the watch.
func (w *watch) stop() {
	close(w.done)
	w.gone.Wait()
	w.others.close()
}

// figures returns those of all ranks, and what is known of each.
func (w *watch) figures() (f figures, answers []knownRank, all bool) {
	f = newFigures(w.sim.Snapshot())
	answers, all = w.others.addTo(&f)
	return f, answers, all
}

// over reports whether Run has returned and described how it ended.
func over(info *instr.RunInfo) bool { return info.State != instr.RunRunning }

// read takes a reading.
func (w *watch) read(now time.Time) {
	info := w.sim.RunInfo()
	f, answers, all := w.figures()
	w.lock.Lock()
	defer w.lock.Unlock()
	switch {
	case w.ended || f.Phase == ross.PhaseMade.String() || f.Phase == ross.PhaseInitialising.String():
		return
	case over(&info) && all:
		w.ended = true
		w.history.add(now, sampleOf(&f))
		w.diary.note(f.Elapsed, nil)
		return
	case f.Phase != ross.PhaseRunning.String():
		return
	}
	if w.history.due(now) {
		w.history.add(now, sampleOf(&f))
	}
	if slices.ContainsFunc(answers, func(k knownRank) bool { return k.Trouble != "" }) {
		w.unanswered = f.Elapsed
	}
	w.mark(&f)
	w.diary.note(f.Elapsed, w.reading(&f, answers, &info).judge())
}

// mark keeps figures for comparison.
func (w *watch) mark(f *figures) {
	if f.GVT > w.highest {
		w.highest, w.stillSince = f.GVT, f.Elapsed
	}
	if newest := &w.marks[2]; f.Elapsed-newest.Elapsed >= recentFor || len(newest.PEs) != len(f.PEs) {
		w.marks[0], w.marks[1], w.marks[2] = w.marks[1], w.marks[2], *f
		for i := range w.marks { // PEs of other ranks become known, and the past has none
			if len(w.marks[i].PEs) != len(f.PEs) {
				w.marks[i] = *f
			}
		}
	}
}

// reading completes figures with shares of the last seconds, and returns what the findings judge.
func (w *watch) reading(f *figures, answers []knownRank, info *instr.RunInfo) *reading {
	past := w.marks[1]
	if f.Phase == ross.PhaseEnded.String() {
		past = figures{} // the whole run
	}
	window := f.Elapsed - past.Elapsed
	before := make(map[uint64]*peDocument, len(past.PEs))
	for i := range past.PEs {
		before[past.PEs[i].ID] = &past.PEs[i]
	}
	r := &reading{f: f, ranks: answers, window: window, past: past, info: info, stillSince: w.stillSince,
		onePE: max(f.OnePE-past.OnePE, 0), serial: max(past.OnePE-w.marks[0].OnePE, 0),
		old: w.unanswered > 0 && w.unanswered >= past.Elapsed}
	for i := range f.PEs {
		p := &f.PEs[i]
		old := cmp.Or(before[p.ID], &peDocument{})
		if window > 0 {
			p.IdleShare = min(max(100*(p.Idle-old.Idle)/window, 0), 100)
		}
		if p.EventsProcessed > old.EventsProcessed {
			r.handling++
		}
		r.used += max(p.Processor-old.Processor, 0)
		r.wait += max(p.Waited-old.Waited, 0)
		p.Undone = min(percent(p.EventsRolledBack-min(old.EventsRolledBack, p.EventsRolledBack),
			p.EventsProcessed-min(old.EventsProcessed, p.EventsProcessed)), 100)
	}
	return r
}

// document returns what the page shows now.
func (w *watch) document() document {
	info := w.sim.RunInfo()
	f, answers, _ := w.figures()
	w.lock.Lock()
	defer w.lock.Unlock()
	r := w.reading(&f, answers, &info)
	d := document{Got: r.got(), Handling: r.handling, figures: f, Run: newRunDocument(&info), AllRanks: answers,
		Window: r.window, Findings: w.diary.all(), Goodbye: w.ended, Collected: info.Options["stats-path"]}
	if w.sim.Rank() != 0 {
		d.Goodbye = over(&info)
	}
	if r.window > 0 {
		d.Rate = float64(grown(f.EventsCommitted, r.past.EventsCommitted)) / r.window
	}
	if done := progress(&f, info.State); done >= 0 {
		percent := 100 * done
		d.Progress = &percent
		if f.Phase == ross.PhaseRunning.String() && done > 0 {
			d.Left = finite(f.Elapsed / done * (1 - done))
		}
	}
	return d
}

// progress returns how much of a run is done, 0 to 1, and -1 if that is not known. The state is that of instr.RunInfo.
func progress(f *figures, state string) float64 {
	switch {
	case state == instr.RunComplete || f.Complete:
		return 1
	case f.End == nil:
		return -1
	case !(*f.End > 0):
		return 0
	}
	return min(max(f.GVT / *f.End, 0), 1)
}

// past returns the history.
func (w *watch) past() historyDocument {
	id := w.sim.RunInfo().ID
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.history.document(id)
}

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
	d := historyDocument{ID: id, Period: max(h.period, firstPeriod).Seconds(), Elapsed: make([]float64, h.n),
		GVT:       make([]*float64, h.n),
		Processed: make([]uint64, h.n), RolledBack: make([]uint64, h.n), Committed: make([]uint64, h.n),
		Memory: make([]uint64, h.n)}
	for i, s := range h.all[:h.n] {
		d.Elapsed[i], d.GVT[i], d.Processed[i] = s.elapsed, finite(s.gvt), s.processed
		d.RolledBack[i], d.Committed[i], d.Memory[i] = s.rolledBack, s.committed, s.memory
	}
	return d
}
