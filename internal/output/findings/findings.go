// Package findings judges a run: what slows it down, with the figure that shows it and the option to change. The report
// of rossreader judges the files of a run with it, the live page the last seconds of a run that goes on, and the short
// report a run without samples (End). So they say the same of a run. docs/findings.md lists the rules.
//
// A rule is a method of Figures that returns remarks; Remarks has them in the order of the page. A rule asks other
// rules where these explain the same figure better. What is not known is left at zero, and no rule then judges it.
package findings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/num/counters"
	"github.com/ross-go/ross/report"
)

// Part is a part of the time of a PE.
type Part int

// Parts of the time of a PE.
const (
	EventTime    Part = iota // in event handlers
	RollbackTime             // undoing, including cancelled and aborted events
	NetworkTime
	GVTTime
	FossilTime
	QueueTime // of the event queue
	OtherTime // in which it was busy, if more is not known
	NumParts
)

// String names the part.
func (p Part) String() string {
	return [...]string{"event processing", "rollback", "network", "GVT", "fossil collection", "event queue", "other"}[p]
}

// Counts are what a PE, a KP or a run has counted.
type Counts struct {
	Processed, RolledBack, Rollbacks, Secondary, Aborted, Sends, GVTs uint64 `merge:"sum"`
}

// Sums are the counts of a PE, of a KP or of a run, and its seconds.
type Sums struct {
	Counts
	Parts        [NumParts]float64 `merge:"sum"`
	Rest, Saving float64           `merge:"sum"` // that belong to no part; for packing states
}

var counts, sums = counters.Of[Counts](), counters.Of[Sums]()

// Add adds the counts of another PE or KP, or of a later time.
func (c *Counts) Add(o *Counts) { counts.Merge(c, o) }

// Add adds the sums of another PE or KP.
func (t *Sums) Add(o *Sums) { sums.Merge(t, o) }

// Time returns the seconds of all parts and of the rest.
func (t *Sums) Time() float64 {
	sum := t.Rest
	for _, part := range t.Parts {
		sum += part
	}
	return sum
}

// Net returns the events that were handled and not undone.
func (c *Counts) Net() int64 { return int64(c.Processed - c.RolledBack) }

// Efficiency returns 100 * (1 - rolled back / net) in percent, 0 if no event stayed.
func (c *Counts) Efficiency() float64 { return Efficiency(float64(c.Processed), float64(c.RolledBack)) }

// Efficiency is Counts.Efficiency of counts that are not whole numbers.
func Efficiency(processed, rolledBack float64) float64 {
	if net := processed - rolledBack; net > 0 {
		return 100 * (1 - rolledBack/net)
	}
	return 0
}

// KP is a KP of a PE.
type KP struct{ PE, KP uint32 }

// Figures are what is known of a run, or of a part of it.
type Figures struct {
	Info     *instr.RunInfo // nil: not known
	Of       string         // what they are of, "" for the run
	Part     bool           // they are those of one rank of several
	Ranks    uint64         // that Info.Result.MemoryPeak is the sum of; 0: one
	Original bool           // ROSS wrote the files: its options differ, and the parts of the time overlap
	PEs      []uint32
	KPs      []KP
	Total    Sums
	PerPE    []Sums  // in the order of PEs
	PerKP    []Sums  // in the order of KPs
	Span     float64 // seconds that the sums are of
	Remote   float64 // percent of events that go to other PEs; NaN: not known
	RemoteBy string  // what Remote is of
	Serial   bool    // shortly before, one PE handled the events of all: figures of the others may belong to that time
	Even     bool    // the PEs handled events alike in the last quarter of the run

	// names the LPs of a PE that handled most, at the end of a figure; nil: not known
	MostHandled    func(pe uint32) string
	MostRolledBack func(kp KP) string // likewise of a KP
}

// Thresholds of the findings, besides those of package  docs/findings.md has the reasons for them.
const (
	leastUndone    = 5    // percent of events rolled back, for the remark on secondary rollbacks
	muchNetwork    = 30   // percent of the time of all PEs
	muchSaving     = 25   // percent of the time of all PEs
	kpFactor       = 4    // events rolled back by a KP, to the mean of the others
	kpLeast        = 100  // events rolled back by such a KP
	kpShare        = 5    // percent of the events handled that such a KP rolled back
	slowFactor     = 3    // time for an event, to the median of the other PEs
	LeastProcessed = 100  // events of a PE, for findings on speed and balance
	LeastSeconds   = 0.05 // run time, for findings on times
	fewPerGVT      = 10   // net events of a PE for each computation of GVT
	manyPerGVT     = 200  // net events of a PE for each: the lookahead is not what the PEs wait for
	narrowWindow   = 128  // events: 1/16 of the window with which a run begins
	leastHot       = 1000 // net events of a run that one LP or KP may limit
)

// Remark is what a rule says of the run.
type Remark struct {
	Rule   string // the row of docs/findings.md
	What   string // stands out
	Figure string // that shows it
	Advice string // the option to change
	Gain   string // what is to be expected of it, "" if that is not known
}

// Remarks returns what stands out.
func (f *Figures) Remarks() (found []Remark) {
	if f.Failed() { // it has to end before it can be made faster
		return f.ranOut()
	}
	for _, rule := range []func(*Figures) []Remark{
		(*Figures).cores, (*Figures).memory, (*Figures).lookahead, (*Figures).window, (*Figures).lowEfficiency,
		(*Figures).storms,
		(*Figures).slow, (*Figures).one, (*Figures).hot, (*Figures).uneven, (*Figures).processors, (*Figures).idle,
		(*Figures).often, (*Figures).secondary, (*Figures).saving,
		(*Figures).manyRemote, (*Figures).network,
	} {
		for _, r := range rule(f) {
			if r.Rule == "secondary" && len(f.lowEfficiency())+len(f.cores()) > 0 {
				continue // these say why
			}
			found = append(found, r)
		}
	}
	return found
}

// Failed reports whether an error ended the run.
func (f *Figures) Failed() bool { return f.Info != nil && f.Info.State == instr.RunFailed }

// Numbers of schedulers, as in --synch.
const (
	SynchSequential   = 1
	SynchConservative = 2
	SynchOptimistic   = 3
	SynchRealTime     = 5
	SynchAuto         = 100
)

// conservative reports whether the run was conservative. known is false if the files do not show it.
func (f *Figures) conservative() (is, known bool) {
	if info := f.Info; info != nil {
		return info.Synch == SynchConservative, true
	}
	return false, f.Total.RolledBack > 0
}

// option returns the value of an option of the run, "" if it is not known.
func (f *Figures) option(name string) string {
	if f.Info == nil {
		return ""
	}
	return f.Info.Options[name]
}

// NumPEs returns the number of PEs of the run.
func (f *Figures) NumPEs() int {
	if info := f.Info; info != nil && info.PEs > 0 {
		return int(min(info.PEs, math.MaxInt32))
	}
	return len(f.PEs)
}

// Times are the shares of the time of all PEs, in percent.
type Times struct {
	Parts        [NumParts]float64
	Saving, Idle float64 // Idle is without the time without a processor, if that is known
	Waiting      float64 // Idle without the idle time while one PE handled the events of all
}

// Times returns how the PEs spent their time. ok is false if that is not known, or the run was too
// short.
func (f *Figures) Times() (t Times, ok bool) {
	all := 0.0
	for i := range f.PerPE {
		pe := &f.PerPE[i]
		all += pe.Rest
		t.Saving += pe.Saving
		t.Idle += pe.Rest
		for part, seconds := range pe.Parts {
			all += seconds
			t.Parts[part] += seconds
		}
	}
	if !(all > 0) || f.Span < LeastSeconds || f.Total.Net() < LeastProcessed*int64(len(f.PerPE)) {
		return Times{}, false
	}
	for part := range t.Parts {
		t.Parts[part] *= 100 / all
	}
	t.Saving *= 100 / all
	t.Idle *= 100 / all
	if r := f.result(); r != nil && r.Runtime > 0 {
		whole := r.Runtime * float64(f.NumPEs())
		if r.IdleSeconds > 0 { // without the time of samples and hooks
			t.Idle = min(100*r.IdleSeconds/whole, 100)
		}
		if r.SavingSeconds > 0 { // in samples the deltas are in the time of events
			t.Saving = min(100*r.SavingSeconds/whole, 100)
		}
	}
	n := float64(f.NumPEs())
	t.charge(f.result(), n)
	if t.Waiting = max(t.Idle-f.alone()*(n-1)/max(n, 1), 0); f.Serial {
		t.Waiting = 0
	}
	return t, true
}

// charge takes the time without a processor out of the times that clocks have measured.
func (t *Times) charge(r *instr.RunResult, pes float64) {
	if r == nil || r.Processors == nil || !(r.Runtime > 0) {
		return
	}
	busy := 0.0
	for _, percent := range t.Parts {
		busy += percent
	}
	share := 100 / (r.Runtime * pes)
	ofBusy, ofRest := Charged(busy, 100-busy, r.Processors.Seconds*share, r.Processors.Waited*share)
	kept := (busy - ofBusy) / max(busy, math.SmallestNonzeroFloat64)
	for part := range t.Parts {
		t.Parts[part] *= kept
	}
	t.Saving *= kept
	t.Idle *= (100 - busy - ofRest) / max(100-busy, math.SmallestNonzeroFloat64)
}

// Charged says which part of the time without a processor is to be taken from the time in which PEs were busy, and
// which from the rest, in which they were idle, both as clocks have measured them. had is the time in which they had
// a processor, waited that in which they wanted one. Nothing records where a PE was when it waited. But it was not
// busy for longer than it had a processor: what is beyond that was waiting. All else is taken from idle time, which
// waiting for PEs without a processor makes longer.
func Charged(busy, rest, had, waited float64) (ofBusy, ofRest float64) {
	ofBusy = min(max(busy-had, 0), waited)
	return ofBusy, min(waited-ofBusy, rest)
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
func (f *Figures) perGVT() (events float64, ok bool) {
	t := &f.Total // of all PEs, as are its computations of GVT
	if len(f.PerPE) < 2 || t.GVTs == 0 || t.Net() < LeastProcessed*int64(len(f.PerPE)) {
		return 0, false
	}
	return float64(t.Net()) / float64(t.GVTs), true
}

// slow finds PEs that take far longer for an event than the others.
func (f *Figures) slow() (found []Remark) {
	if _, ok := f.Times(); !ok || len(f.cores()) > 0 || f.lackedProcessors() != "" {
		return nil // a PE without a processor handles nothing
	}
	costs := make([]float64, len(f.PerPE)) // microseconds for an event
	for i := range f.PerPE {
		t := &f.PerPE[i]
		if t.Processed < LeastProcessed || t.Parts[EventTime] <= 0 {
			return nil
		}
		costs[i] = 1e6 * t.Parts[EventTime] / float64(t.Processed)
	}
	for i, cost := range costs {
		others := slices.Delete(slices.Clone(costs), i, i+1)
		if len(others) == 0 {
			break
		}
		slices.Sort(others)
		median := (others[(len(others)-1)/2] + others[len(others)/2]) / 2
		if cost > slowFactor*median {
			found = append(found, Remark{"slow", fmt.Sprintf("PE %d is much slower than the others", f.PEs[i]),
				fmt.Sprintf("%s µs to handle an event, against %s µs (median of the others)", Short(cost), Short(median)),
				"Its processor is slow or shared, or its LPs do more for each event: spread these LPs over all PEs with a custom mapping.",
				faster(float64(len(costs)) * cost / (cost + median*float64(len(costs)-1)))})
		}
	}
	return found
}

// hot finds the LP or the KP that keeps KPs that move from loading the PEs alike. The engine names them by its last
// measurement, which may be of few events: the samples of the whole run must agree.
func (f *Figures) hot() []Remark {
	r := f.result()
	if r == nil || r.Balance == nil || len(r.Balance.After) < 2 || f.Total.Net() < leastHot || f.serial() {
		return nil
	}
	b, most := r.Balance, f.BusiestPE()
	n, lp, kp := float64(len(b.After)), min(b.Share, most), min(b.OfKP, most)
	if len(f.PerKP) > 0 {
		shares := f.worksOfKPs()
		lp, kp = min(lp, slices.Max(shares)), min(kp, f.workOf(b.KP, shares))
	}
	switch {
	case most*n < Hot:
	case lp*n >= Hot:
		return []Remark{{"hot", "One LP has more to do than a PE can",
			fmt.Sprintf("LP %d has %s %% of the work of %s, and its events follow one another", b.LP, Short(100*lp),
				report.Count(uint64(n), "PE")),
			fmt.Sprintf(
				"However KPs move, the PEs cannot be more than %s times as fast as one: split the LP into several, or give it less to do for each event.", Short(1/lp)), ""}}
	case kp*n >= Hot && strings.HasPrefix(b.KP, "all"):
		return []Remark{{"hot", "The KPs of a PE cannot move",
			fmt.Sprintf("%s have %s %% of the work of %s", b.KP, Short(100*kp), report.Count(uint64(n), "PE")),
			"A conservative run moves single KPs only if all types of LPs say their lookahead (Type.Lookahead).",
			faster(most * n)}}
	case kp*n >= Hot:
		return []Remark{{"hot", "One KP has more to do than a PE can",
			fmt.Sprintf("%s has %s %% of the work of %s, its busiest LP %s %%", b.KP, Short(100*kp),
				report.Count(uint64(n), "PE"), Short(100*lp)),
			"The LPs of a KP stay together: give each PE more KPs (--nkp).", faster(most * n)}}
	}
	return nil
}

// workOfPE returns the share of a PE in the events of the run, or in the time that they took, whichever is greater.
func (f *Figures) workOfPE(i int) float64 {
	processed, seconds := uint64(0), 0.0
	for j := range f.PerPE {
		processed += f.PerPE[j].Processed
		seconds += f.PerPE[j].Parts[EventTime]
	}
	pe := &f.PerPE[i]
	share := float64(pe.Processed) / float64(max(processed, 1))
	if seconds > 0 {
		share = max(share, pe.Parts[EventTime]/seconds)
	}
	return share
}

// BusiestPE returns the greatest share of a PE in the work of the run.
func (f *Figures) BusiestPE() (most float64) {
	for i := range f.PerPE {
		most = max(most, f.workOfPE(i))
	}
	return most
}

// worksOfKPs returns at most what the share of each KP in the work of the run is: that in the events, or that in the
// time of its PE, by its events.
func (f *Figures) worksOfKPs() []float64 {
	all, ofPE, works := uint64(0), map[uint32]uint64{}, map[uint32]float64{}
	for i := range f.PerKP {
		all += f.PerKP[i].Processed
		ofPE[f.KPs[i].PE] += f.PerKP[i].Processed
	}
	for i, pe := range f.PEs {
		works[pe] = f.workOfPE(i)
	}
	shares := make([]float64, len(f.PerKP))
	for i := range f.PerKP {
		pe, own := f.KPs[i].PE, float64(f.PerKP[i].Processed)
		shares[i] = min(max(own/float64(max(all, 1)), works[pe]*own/float64(max(ofPE[pe], 1))), 1)
	}
	return shares
}

// workOf returns the share of what RunBalance.KP names, 1 if the samples do not have it. Shares are those of the KPs.
func (f *Figures) workOf(name string, shares []float64) float64 {
	var kp KP
	if _, err := fmt.Sscanf(name, "KP %d of PE %d", &kp.KP, &kp.PE); err == nil {
		if i := slices.Index(f.KPs, kp); i >= 0 {
			return shares[i]
		}
	}
	if _, err := fmt.Sscanf(name, "all KPs of PE %d", &kp.PE); err == nil {
		if i := slices.Index(f.PEs, kp.PE); i >= 0 {
			return f.workOfPE(i)
		}
	}
	return 1
}

// alone returns the share of the run in which one PE handled the events of all, in percent.
func (f *Figures) alone() float64 {
	r := f.result()
	if r == nil || r.Balance == nil || r.Runtime <= 0 {
		return 0
	}
	return min(100*r.Balance.Alone/r.Runtime, 100)
}

// serial reports whether the loads of PEs cannot be compared, since one PE handled the events of all for a time.
func (f *Figures) serial() bool { return f.Serial || f.alone() > SomeOnePE }

// one finds runs that are faster on one PE than on several.
func (f *Figures) one() []Remark {
	if f.alone() < MostlyOnePE || len(f.cores()) > 0 || f.Info.Synch == SynchAuto {
		return nil
	}
	return []Remark{{"one", "One PE handles the events of all", fmt.Sprintf("for %s %% of %s", Short(f.alone()),
		cmp.Or(f.Of, "the run")),
		"The run has found that faster: there are too few events for this number of PEs, or too few processors. Use fewer PEs (--pes), " +
			"or leave the processors to the run.", ""}}
}

// uneven finds the PE that has far more to do than the others.
func (f *Figures) uneven() []Remark {
	most, sum, n := 0, int64(0), int64(len(f.PerPE))
	for i := range f.PerPE {
		sum += f.PerPE[i].Net()
		if f.PerPE[i].Net() > f.PerPE[most].Net() {
			most = i
		}
	}
	if n < 2 || sum < LeastProcessed*n {
		return nil
	}
	r := f.result()
	if r != nil && r.Balance != nil && r.Balance.Moves > 0 { // which may leave out PEs
		n = 0
		for i := range f.PerPE {
			if f.PerPE[i].Processed > 0 {
				n++
			}
		}
	}
	net, each := f.PerPE[most].Net(), float64(sum)/float64(n)
	if float64(net) <= Uneven*each || len(f.hot()) > 0 || f.serial() || f.followsProcessors() {
		return nil
	}
	advice :=
		"The others wait for it or run ahead of it: let KPs move (--balance=on), or balance the LPs with a custom mapping."
	by := f.mostHandled(f.PEs[most])
	if r != nil && r.Balance != nil {
		advice = "KPs may move (--balance=on), but none did, as in short runs: balance the LPs with a custom mapping."
		if r.Balance.Moves > 0 {
			advice = "KPs have moved (--balance=on), and it still has more: give each PE more KPs (--nkp), or balance the LPs with a custom mapping."
			if f.Even {
				advice = "KPs have moved since (--balance=on), and in the end the PEs were loaded alike: a custom mapping that balances the LPs saves the time until then."
			}
			by = "" // its LPs by the mapping are not those whose events it has handled
		}
	}
	return []Remark{{"uneven", fmt.Sprintf("PE %d has far more to do than the others", f.PEs[most]),
		fmt.Sprintf("%s net events, against %s on average", Grouped(net), rough(each)) + by,
		advice, faster(float64(net) / each)}}
}

// followsProcessors reports whether KPs have moved in a run that has had too few processors: the engine has given them
// to the PEs that had one.
func (f *Figures) followsProcessors() bool {
	r := f.result()
	return r != nil && r.Balance != nil && r.Balance.Moves > 0 && (len(f.cores()) > 0 || f.lackedProcessors() != "")
}

// mostHandled names the LPs of a PE that handled most, if they are known.
func (f *Figures) mostHandled(pe uint32) string {
	if f.MostHandled == nil {
		return ""
	}
	return f.MostHandled(pe)
}

// result returns the figures of the run, nil if it has not ended or they are not known.
func (f *Figures) result() *instr.RunResult {
	if f.Info == nil {
		return nil
	}
	return f.Info.Result
}

// Duration returns the seconds that the run took, if they are known.
func (f *Figures) Duration() float64 {
	if r := f.result(); r != nil && r.Runtime > 0 {
		return r.Runtime
	}
	return f.Span
}

// Short returns a number with three digits, or all those before the point.
func Short(x float64) string {
	if math.Abs(x) >= 100 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// rough returns a number as Short does, with commas between groups of digits.
func rough(x float64) string {
	if math.Abs(x) >= 1000 {
		return Grouped(int64(math.Round(x)))
	}
	return Short(x)
}

// Grouped returns a number with commas between groups of three digits.
func Grouped[N int | int64 | uint64](n N) string {
	digits := strconv.FormatUint(uint64(n), 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", strconv.FormatUint(-uint64(n), 10)
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}

// Bytes returns a number of bytes in the largest binary unit that is not larger than it.
func Bytes(n uint64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	size, unit := float64(n), ""
	for _, unit = range []string{"KiB", "MiB", "GiB", "TiB"} {
		if size /= 1024; size < 1023.5 {
			break
		}
	}
	return Short(size) + " " + unit
}
