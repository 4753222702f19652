// This file owns the findings, the rules about balance, and what cannot be judged.

package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/thresholds"
	summary "github.com/ross-go/ross/report"
)

// Thresholds of the findings, besides those of package trouble. docs/findings.md has the reasons for them.
const (
	leastUndone    = 5    // percent of events rolled back, for the remark on secondary rollbacks
	muchNetwork    = 30   // percent of the time of all PEs
	muchSaving     = 25   // percent of the time of all PEs
	kpFactor       = 4    // events rolled back by a KP, to the mean of the others
	kpLeast        = 100  // events rolled back by such a KP
	kpShare        = 5    // percent of the events handled that such a KP rolled back
	slowFactor     = 3    // time for an event, to the median of the other PEs
	leastProcessed = 100  // events of a PE, for findings on speed and balance
	leastSeconds   = 0.05 // run time, for findings on times
	fewPerGVT      = 10   // net events of a PE for each computation of GVT
	manyPerGVT     = 200  // net events of a PE for each: the lookahead is not what the PEs wait for
	narrowWindow   = 128  // events: 1/16 of the window with which a run begins
	leastHot       = 1000 // net events of a run that one LP or KP may limit
)

// remark is what a rule says of the run.
type remark struct {
	Rule   string // the row of docs/findings.md
	What   string // stands out
	Figure string // that shows it
	Advice string // the option to change
	Gain   string // what is to be expected of it, "" if that is not known
}

// original reports whether the original ROSS wrote the files: its options differ, and the parts of
// the time overlap.
func (f *figures) original() bool {
	return f.run.Info == nil && !f.run.FromStart && f.source.PE+f.source.KP > 0
}

// Numbers of schedulers, as in --synch.
const (
	synchSequential   = 1
	synchConservative = 2
	synchOptimistic   = 3
	synchRealTime     = 5
	synchAuto         = 100
)

// conservative reports whether the run was conservative. known is false if the files do not show it.
func (f *figures) conservative() (is, known bool) {
	if info := f.run.Info; info != nil {
		return info.Synch == synchConservative, true
	}
	return false, f.total.rolledBack > 0
}

// option returns the value of an option of the run, "" if it is not known.
func (f *figures) option(name string) string {
	if f.run.Info == nil {
		return ""
	}
	return f.run.Info.Options[name]
}

// pes returns the number of PEs of the run.
func (f *figures) numPEs() int {
	if info := f.run.Info; info != nil && info.PEs > 0 {
		return int(min(info.PEs, math.MaxInt32))
	}
	return len(f.run.PEs)
}

// times are the shares of the time of all PEs, in percent.
type times struct {
	parts        [survey.NumParts]float64
	saving, idle float64
}

// times returns how the PEs spent their time. ok is false if that is not known, or the run was too
// short.
func (f *figures) times() (t times, ok bool) {
	all := 0.0
	for i := range f.perPE {
		pe := &f.perPE[i]
		all += pe.time()
		t.saving += pe.saving
		t.idle += pe.rest
		for part, seconds := range pe.parts {
			t.parts[part] += seconds
		}
	}
	if !(all > 0) || f.span() < leastSeconds || f.total.net() < leastProcessed*int64(len(f.perPE)) {
		return times{}, false
	}
	for part := range t.parts {
		t.parts[part] *= 100 / all
	}
	t.saving *= 100 / all
	t.idle *= 100 / all
	if r := f.result(); r != nil && r.Runtime > 0 {
		whole := r.Runtime * float64(f.numPEs())
		if r.IdleSeconds > 0 { // without the time of samples and hooks
			t.idle = min(100*r.IdleSeconds/whole, 100)
		}
		if r.SavingSeconds > 0 { // in samples the deltas are in the time of events
			t.saving = min(100*r.SavingSeconds/whole, 100)
		}
	}
	return t, true
}

// speedup describes what becomes of the speed if a share of the time, in percent, is no longer needed.
func speedup(percent float64) string { return faster(1 / (1 - min(percent, 99)/100)) }

// faster describes by which factor a run becomes faster at most.
func faster(factor float64) string {
	if !(factor >= 1.05) {
		return ""
	}
	return fmt.Sprintf("at most %s times the speed", strconv.FormatFloat(factor, 'g', 2, 64))
}

// perGVT returns the net events of a PE for each computation of GVT. ok is false if that is not
// known.
func (f *figures) perGVT() (events float64, ok bool) {
	t := &f.total // of all PEs, as are its computations of GVT
	if len(f.perPE) < 2 || t.gvts == 0 || t.net() < leastProcessed*int64(len(f.perPE)) {
		return 0, false
	}
	return float64(t.net()) / float64(t.gvts), true
}

// slow finds PEs that take far longer for an event than the others.
func (f *figures) slow() (found []remark) {
	if _, ok := f.times(); !ok || len(f.cores()) > 0 { // a PE without a processor handles nothing
		return nil
	}
	costs := make([]float64, len(f.perPE)) // microseconds for an event
	for i := range f.perPE {
		t := &f.perPE[i]
		if t.processed < leastProcessed || t.parts[survey.EventTime] <= 0 {
			return nil
		}
		costs[i] = 1e6 * t.parts[survey.EventTime] / float64(t.processed)
	}
	for i, cost := range costs {
		others := slices.Delete(slices.Clone(costs), i, i+1)
		if len(others) == 0 {
			break
		}
		slices.Sort(others)
		median := (others[(len(others)-1)/2] + others[len(others)/2]) / 2
		if cost > slowFactor*median {
			found = append(found, remark{"slow", fmt.Sprintf("PE %d is much slower than the others", f.run.PEs[i]),
				fmt.Sprintf("%s µs to handle an event, against %s µs (median of the others)", short(cost), short(median)),
				"Its processor is slow or shared, or its LPs do more for each event: spread these LPs over all PEs with a custom mapping.",
				faster(float64(len(costs)) * cost / (cost + median*float64(len(costs)-1)))})
		}
	}
	return found
}

// hot finds the LP or the KP that keeps KPs that move from loading the PEs alike. The engine names them by its last
// measurement, which may be of few events: the samples of the whole run must agree.
func (f *figures) hot() []remark {
	r := f.result()
	if r == nil || r.Balance == nil || len(r.Balance.After) < 2 || f.total.net() < leastHot || f.alone() > thresholds.SomeOnePE {
		return nil
	}
	b, most := r.Balance, f.busiestPE()
	n, lp, kp := float64(len(b.After)), min(b.Share, most), min(b.OfKP, most)
	if len(f.perKP) > 0 {
		shares := f.worksOfKPs()
		lp, kp = min(lp, slices.Max(shares)), min(kp, f.workOf(b.KP, shares))
	}
	switch {
	case most*n < thresholds.Hot:
	case lp*n >= thresholds.Hot:
		return []remark{{"hot", "One LP has more to do than a PE can",
			fmt.Sprintf("LP %d has %s %% of the work of %s, and its events follow one another", b.LP, short(100*lp), summary.Count(uint64(n), "PE")),
			fmt.Sprintf("However KPs move, the PEs cannot be more than %s times as fast as one: split the LP into several, or give it less to do for each event.", short(1/lp)), ""}}
	case kp*n >= thresholds.Hot && strings.HasPrefix(b.KP, "all"):
		return []remark{{"hot", "The KPs of a PE cannot move",
			fmt.Sprintf("%s have %s %% of the work of %s", b.KP, short(100*kp), summary.Count(uint64(n), "PE")),
			"A conservative run moves single KPs only if all types of LPs say their lookahead (Type.Lookahead).", faster(most * n)}}
	case kp*n >= thresholds.Hot:
		return []remark{{"hot", "One KP has more to do than a PE can",
			fmt.Sprintf("%s has %s %% of the work of %s, its busiest LP %s %%", b.KP, short(100*kp), summary.Count(uint64(n), "PE"), short(100*lp)),
			"The LPs of a KP stay together: give each PE more KPs (--nkp).", faster(most * n)}}
	}
	return nil
}

// workOfPE returns the share of a PE in the events of the run, or in the time that they took, whichever is greater.
func (f *figures) workOfPE(i int) float64 {
	processed, seconds := uint64(0), 0.0
	for j := range f.perPE {
		processed += f.perPE[j].processed
		seconds += f.perPE[j].parts[survey.EventTime]
	}
	pe := &f.perPE[i]
	share := float64(pe.processed) / float64(max(processed, 1))
	if seconds > 0 {
		share = max(share, pe.parts[survey.EventTime]/seconds)
	}
	return share
}

// busiestPE returns the greatest share of a PE in the work of the run.
func (f *figures) busiestPE() (most float64) {
	for i := range f.perPE {
		most = max(most, f.workOfPE(i))
	}
	return most
}

// worksOfKPs returns at most what the share of each KP in the work of the run is: that in the events, or that in the
// time of its PE, by its events.
func (f *figures) worksOfKPs() []float64 {
	all, ofPE, works := uint64(0), map[uint32]uint64{}, map[uint32]float64{}
	for i := range f.perKP {
		all += f.perKP[i].processed
		ofPE[f.run.KPs[i].PE] += f.perKP[i].processed
	}
	for i, pe := range f.run.PEs {
		works[pe] = f.workOfPE(i)
	}
	shares := make([]float64, len(f.perKP))
	for i := range f.perKP {
		pe, own := f.run.KPs[i].PE, float64(f.perKP[i].processed)
		shares[i] = min(max(own/float64(max(all, 1)), works[pe]*own/float64(max(ofPE[pe], 1))), 1)
	}
	return shares
}

// workOf returns the share of what RunBalance.KP names, 1 if the samples do not have it. Shares are those of the KPs.
func (f *figures) workOf(name string, shares []float64) float64 {
	var kp survey.KP
	if _, err := fmt.Sscanf(name, "KP %d of PE %d", &kp.KP, &kp.PE); err == nil {
		if i := slices.Index(f.run.KPs, kp); i >= 0 {
			return shares[i]
		}
	}
	if _, err := fmt.Sscanf(name, "all KPs of PE %d", &kp.PE); err == nil {
		if i := slices.Index(f.run.PEs, kp.PE); i >= 0 {
			return f.workOfPE(i)
		}
	}
	return 1
}

// alone returns the share of the run in which one PE handled the events of all, in percent.
func (f *figures) alone() float64 {
	r := f.result()
	if r == nil || r.Balance == nil || r.Runtime <= 0 {
		return 0
	}
	return min(100*r.Balance.Alone/r.Runtime, 100)
}

// one finds runs that are faster on one PE than on several.
func (f *figures) one() []remark {
	if f.alone() < thresholds.MostlyOnePE || len(f.cores()) > 0 || f.run.Info.Synch == synchAuto {
		return nil
	}
	return []remark{{"one", "One PE handles the events of all", fmt.Sprintf("for %s %% of the run", short(f.alone())),
		"The run has found that faster: there are too few events for this number of PEs, or too few processors. Use fewer PEs (--pes), " +
			"or leave the processors to the run.", ""}}
}

// uneven finds the PE that has far more to do than the others.
func (f *figures) uneven() []remark {
	most, sum, n := 0, int64(0), int64(len(f.perPE))
	for i := range f.perPE {
		sum += f.perPE[i].net()
		if f.perPE[i].net() > f.perPE[most].net() {
			most = i
		}
	}
	if n < 2 || sum < leastProcessed*n {
		return nil
	}
	net, each := f.perPE[most].net(), float64(sum)/float64(n)
	if float64(net) <= thresholds.Uneven*each || len(f.hot()) > 0 || f.alone() > thresholds.SomeOnePE || f.followsProcessors() {
		return nil
	}
	advice := "The others wait for it or run ahead of it: let KPs move (--balance=on), or balance the LPs with a custom mapping."
	by := f.mostHandled(f.run.PEs[most])
	if r := f.result(); r != nil && r.Balance != nil {
		advice = "KPs may move (--balance=on), but none did, as in short runs: balance the LPs with a custom mapping."
		if r.Balance.Moves > 0 {
			advice = "KPs have moved (--balance=on), and it still has more: give each PE more KPs (--nkp), or balance the LPs with a custom mapping."
			if f.evenInTheEnd() {
				advice = "KPs have moved since (--balance=on), and in the end the PEs were loaded alike: a custom mapping that balances the LPs saves the time until then."
			}
			by = "" // its LPs by the mapping are not those whose events it has handled
		}
	}
	return []remark{{"uneven", fmt.Sprintf("PE %d has far more to do than the others", f.run.PEs[most]),
		fmt.Sprintf("%s net events, against %s on average", grouped(net), rough(each)) + by,
		advice, faster(float64(net) / each)}}
}

// followsProcessors reports whether KPs have moved in a run that has had too few processors: the engine has given them to
// the PEs that had one.
func (f *figures) followsProcessors() bool {
	r := f.result()
	return r != nil && r.Balance != nil && r.Balance.Moves > 0 && (len(f.cores()) > 0 || f.lackedProcessors() != "")
}

// evenInTheEnd reports whether the PEs handled events alike in the last quarter of the run.
func (f *figures) evenInTheEnd() bool {
	most, all := 0.0, 0.0
	for i := range f.pes {
		own := 0.0
		for _, x := range f.pes[i].processed[3*f.lines.n/4:] {
			own += x
		}
		most, all = max(most, own), all+own
	}
	return most*float64(len(f.pes)) < thresholds.Hot*all
}

// manyRemote finds runs whose events mostly go to other PEs.
func (f *figures) manyRemote() []remark {
	percent, by := f.remote()
	if len(f.run.PEs) < 2 || !(percent > thresholds.MuchRemote) {
		return nil
	}
	return []remark{{"remote", "Most events go to other PEs", fmt.Sprintf("%s %% %s", short(percent), by),
		"Place LPs that exchange many events on the same PE, with a custom mapping.", "fewer rollbacks, or less waiting"}}
}

// memory finds runs that had to wait for memory.
func (f *figures) memory() []remark {
	const what = "Memory ran short"
	aborted, r := f.total.aborted, f.result()
	if f.original() {
		if aborted == 0 {
			return nil
		}
		return []remark{{"memory", what, grouped(aborted) + " executions found no memory for an event",
			"Give more with --extramem, or make GVT more frequent.", ""}}
	}
	figure, advice := "", "Give more with --max-memory."
	if r != nil {
		aborted = max(aborted, r.Aborted)
		if r.MemoryLimit > 0 {
			advice = fmt.Sprintf("Give more with --max-memory=%dM.", (4*r.MemoryLimit+1<<20-1)>>20)
		}
	}
	if aborted > 0 {
		figure = grouped(aborted) + " executions found no memory for an event"
	}
	if r != nil && r.Shortages > 0 && thresholds.ShortOfMemory(r.MemoryPeak, r.MemoryLimit, r.Shortages, 0) {
		if figure != "" {
			figure += "; "
		}
		figure += fmt.Sprintf("%s of memory; %s", summary.Count(r.Shortages, "shortage"), peakText(r))
	}
	if figure == "" {
		return nil
	}
	return []remark{{"memory", what, figure, advice, "PEs need not wait for GVT to free memory"}}
}

// peakText describes the memory that a process used at most. Records of what has to be undone may go beyond the limit.
func peakText(r *instr.RunResult) string {
	if r.MemoryPeak > r.MemoryLimit {
		return fmt.Sprintf("%s used at most, %s beyond the limit of %s: what undoes events is recorded even then",
			bytesText(r.MemoryPeak), bytesText(r.MemoryPeak-r.MemoryLimit), bytesText(r.MemoryLimit))
	}
	return bytesText(r.MemoryPeak) + " of " + bytesText(r.MemoryLimit)
}

// lacks returns what the findings cannot judge for want of data, each with a command that collects
// it. There is nothing if all that matters to the scheduler can be judged.
func (f *figures) lacks() (missing []string) {
	var command []string
	sequential, conservative := false, false
	pes := len(f.run.PEs)
	if info := f.run.Info; info != nil {
		command, pes = info.Command, f.numPEs()
		sequential = info.Synch == 1 || info.Synch > synchRealTime
		conservative = info.Synch == synchConservative
	}
	run := func(options ...string) string { return commandText(withOptions(command, options...)) }
	perPE := []string{"--engine-stats=1", "--kp-data=1", "--lp-data=1"}
	if sequential {
		perPE = []string{"--engine-stats=2", "--rt-interval=10", "--lp-data=1"}
	}
	switch {
	case f.source.PE == 0:
		return []string{"No samples of PEs show how time was spent. Run: " + run(perPE...)}
	case f.total.net() < leastProcessed*int64(max(pes, 1)) || f.span() < leastSeconds:
		return []string{fmt.Sprintf("The run is too short for statements on speed: %s net events in %s. Run it longer, with a larger --end.",
			grouped(max(f.total.net(), 0)), secondsText(f.span()))}
	}
	if f.source.KP == 0 && pes > 1 && !conservative && !sequential {
		missing = append(missing, "No samples of KPs show which of them roll back most. Run: "+run("--engine-stats=1", "--kp-data=1"))
	}
	return missing
}
