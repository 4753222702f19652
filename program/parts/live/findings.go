// This file owns the findings: what is wrong with a run, as soon as it shows. The rules are those of the report of
// rossreader (internal/output/findings), for the last seconds as if they were a run; those on times within a PE, on KPs
// and on LPs need samples, so only the report has them.

package live

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/output/findings"
)

const (
	leastWindow = 2  // seconds that a finding is of
	standstill  = 15 // seconds without a greater GVT
)

// finding is something wrong with the run.
type finding struct {
	Rule   string   `json:"rule"`   // its name, one of each at a time
	What   string   `json:"what"`   // is wrong
	Figure string   `json:"figure"` // that says so
	Advice string   `json:"advice"`
	Gain   string   `json:"gain"`          // what is to be expected of it, "" if that is not known
	Since  float64  `json:"since_seconds"` // of the run
	Until  *float64 `json:"until_seconds"` // null: it still holds
}

// reading is what the findings judge: the figures of the last seconds.
type reading struct {
	f          *figures
	ranks      []knownRank
	window     float64 // seconds
	past       figures // before them
	info       *instr.RunInfo
	stillSince float64 // seconds of the run at which GVT was last seen to grow
	onePE      float64 // seconds of the last ones in which one PE has handled the events of all
	serial     float64 // likewise of the seconds before them
	old        bool    // figures of another rank are, or were in these seconds, older than those of this one
	handling   int     // PEs that have handled events
	used, wait float64 // seconds in which PEs had a processor, 0: not known, and in which they waited for one
}

// got returns how many processors the PEs have had, nil if that is not known.
func (r *reading) got() *float64 {
	if r.used == 0 || r.window <= 0 {
		return nil
	}
	n := r.used / r.window
	return &n
}

// judge returns what is wrong now.
func (r *reading) judge() (all []finding) {
	if r.f.Phase != "running" || r.f.Complete {
		return nil
	}
	last := fmt.Sprintf("the last %.0f s", r.window)
	var found []findings.Remark
	if r.window >= leastWindow {
		found = r.judged(last).Remarks()
	}
	memory := false
	for _, one := range found {
		if (r.old || r.info.Synch == findings.SynchAuto) && !slices.Contains(ofEach, one.Rule) {
			continue
		}
		if one.Rule != "cores" && one.Rule != "one" {
			one.Figure += " (in " + last + ")"
		}
		memory = memory || one.Rule == "memory"
		all = append(all, finding{Rule: one.Rule, What: one.What, Figure: one.Figure, Advice: one.Advice, Gain: one.Gain})
	}
	if f := r.ceiling(); f != nil && !memory {
		all = append(all, *f)
	}
	if f := r.standstill(); f != nil {
		all = append(all, *f)
	}
	return all
}

// ofEach are the rules that compare no PEs and judge no scheduler: for a run that finds its scheduler and its PEs
// itself, since what it tries is not what it stays with, and while a rank does not answer.
var ofEach = []string{"cores", "memory", "processors"}

// judged returns the last seconds as the rules take a run.
func (r *reading) judged(last string) *findings.Figures {
	ranks := map[int]bool{}
	info, n := *r.info, len(r.f.PEs)
	f := &findings.Figures{Info: &info, Of: last, Part: uint64(n) < info.PEs, Span: r.window,
		Serial: 100*r.serial > findings.SomeOnePE*r.window, Remote: math.NaN(),
		RemoteBy: "sent to other PEs for each event handled"}
	result := &instr.RunResult{Runtime: r.window, Aborted: grown(r.f.EventsAborted, r.past.EventsAborted),
		Shortages: grown(r.f.Shortages, r.past.Shortages),
		GVTs:      grown(r.f.NumGVT, r.past.NumGVT), ForcedGVTs: grown(r.f.Forced, r.past.Forced)}
	before := map[uint64]*peDocument{}
	for i := range r.past.PEs {
		before[r.past.PEs[i].ID] = &r.past.PEs[i]
	}
	for i := range r.f.PEs {
		pe, old := &r.f.PEs[i], &peDocument{}
		if b := before[r.f.PEs[i].ID]; b != nil {
			old = b
		}
		idle := pe.IdleShare / 100 * r.window
		sums := findings.Sums{Rest: idle, Counts: findings.Counts{
			Processed:  grown(pe.EventsProcessed, old.EventsProcessed),
			RolledBack: grown(pe.EventsRolledBack, old.EventsRolledBack),
			Rollbacks:  grown(pe.RollBacks(), old.RollBacks()), Secondary: grown(pe.SecondaryRollBacks, old.SecondaryRollBacks),
			Aborted: grown(pe.EventsAborted, old.EventsAborted), Sends: grown(pe.EventsRemote, old.EventsRemote),
			GVTs: result.GVTs,
		}}
		sums.Parts[findings.OtherTime] = r.window - idle
		f.PEs, f.PerPE = append(f.PEs, uint32(pe.ID)), append(f.PerPE, sums)
		f.Total.Add(&sums)
		result.IdleSeconds += idle
		ranks[pe.Rank] = true
	}
	if f.Total.Processed > 0 && n > 1 {
		f.Remote = min(100*float64(f.Total.Sends)/float64(f.Total.Processed), 100)
	}
	result.Processed, result.RolledBack = f.Total.Processed, f.Total.RolledBack
	result.NetEvents = f.Total.Processed - min(f.Total.RolledBack, f.Total.Processed)
	if k := r.fullest(); k != nil {
		result.MemoryPeak, result.MemoryLimit = k.MemoryUsed, k.MemoryLimit
	}
	if r.f.Moved > 0 || r.onePE > 0 || info.Options["balance"] != "off" {
		result.Balance = &instr.RunBalance{Moves: r.f.Moved, Alone: r.onePE, Active: r.handling}
	}
	if r.used > 0 {
		result.Processors = &instr.RunProcessors{RunPEProcessor: instr.RunPEProcessor{Seconds: r.used, Waited: r.wait}}
	}
	info.PEs, info.Ranks, info.Result = uint64(n), uint64(max(len(ranks), 1)), result // those that the figures are of
	return f
}

// fullest returns the rank that uses most of its memory, nil if that is not known of any.
func (r *reading) fullest() (worst *knownRank) {
	most := 0.0
	for i, k := range r.ranks {
		if part := percent(k.MemoryUsed, k.MemoryLimit); part > most {
			worst, most = &r.ranks[i], part
		}
	}
	return worst
}

// ceiling warns of a shortage of memory before there is one.
func (r *reading) ceiling() *finding {
	k := r.fullest()
	if k == nil || percent(k.MemoryUsed, k.MemoryLimit) < findings.FullMemory {
		return nil
	}
	of := ""
	if len(r.ranks) > 1 {
		of = fmt.Sprintf(" of rank %d", k.Rank)
	}
	what, figure := "Memory is close to its ceiling", fmt.Sprintf("%.0f %%%s: %s of %s",
		percent(k.MemoryUsed, k.MemoryLimit), of, binary(k.MemoryUsed), binary(k.MemoryLimit))
	if k.MemoryUsed > k.MemoryLimit {
		what, figure = "Memory is beyond its ceiling", fmt.Sprintf(
			"%s%s, and the ceiling is %s: what undoes events is recorded even then",
			binary(k.MemoryUsed), of, binary(k.MemoryLimit))
	}
	return &finding{Rule: "ceiling", What: what, Figure: figure,
		Advice: fmt.Sprintf("Without room PEs wait, and the run may end. Give more next time: --max-memory=%dM.",
			k.MemoryLimit>>19)}
}

func (r *reading) standstill() *finding {
	still := r.f.Elapsed - r.stillSince
	if still < standstill {
		return nil
	}
	return &finding{Rule: "standstill", What: "GVT does not grow",
		Figure: fmt.Sprintf("for %.0f s it has been %s", still, strconv.FormatFloat(r.f.GVT, 'g', 6, 64)),
		Advice: "One event takes long, or events follow each other without delay: /debug/pprof/goroutine?debug=1 shows what each PE does."}
}

// grown returns how much a count has grown.
func grown(now, before uint64) uint64 { return now - min(before, now) }

// percent returns a part of a whole, 0 of nothing.
func percent(part, whole uint64) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// mostPast is how many findings that no longer hold are kept.
const mostPast = 20

// diary keeps findings with their times.
type diary struct {
	now  []finding
	past []finding // the latest first
}

// note takes what is wrong at a time.
func (d *diary) note(elapsed float64, found []finding) {
	old := d.now
	d.now = nil
	for _, f := range found {
		f.Since = elapsed
		if i := slices.IndexFunc(old, func(o finding) bool { return o.Rule == f.Rule }); i >= 0 {
			f.Since = old[i].Since
		}
		d.now = append(d.now, f)
	}
	for _, f := range old {
		if !slices.ContainsFunc(d.now, func(n finding) bool { return n.Rule == f.Rule }) {
			f.Until = &elapsed
			d.past = slices.Insert(d.past, 0, f)
		}
	}
	d.past = d.past[:min(len(d.past), mostPast)]
}

// all returns the findings that hold, then those that did.
func (d *diary) all() []finding { return append(append([]finding{}, d.now...), d.past...) }
