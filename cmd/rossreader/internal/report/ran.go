// This file owns what the report shows of the run itself: what ran, where, and how it ended.

package report

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/output/findings"
	summary "github.com/ross-go/ross/report"
)

// title returns the name of the model, or of the folder if the model is not known.
func (f *figures) title() string {
	if info := f.run.Info; info != nil && info.Model != "" {
		return info.Model
	}
	if f.run.Dir == "" {
		return "Simulation run"
	}
	return "Simulation run in " + filepath.Base(absolute(f.run.Dir))
}

// subtitle describes in one line how the model ran.
func (f *figures) subtitle() string {
	info := f.run.Info
	if info == nil {
		return ""
	}
	line := fmt.Sprintf("%s on %s", info.Scheduler, summary.Count(info.PEs, "PE"))
	if info.Ranks > 1 {
		line += " of " + summary.Count(info.Ranks, "rank")
	}
	return line + ", " + survey.Clock(info.Begin) + ", " + stateText(info)
}

// stateText describes how the run ended.
func stateText(info *instr.RunInfo) string {
	text := map[string]string{
		instr.RunRunning: "still running, or killed", instr.RunComplete: "complete",
		instr.RunStopped: "stopped before its end", instr.RunFailed: "failed",
	}[info.State]
	return cmp.Or(text, info.State, "state not known")
}

// missing describes what the report lacks because there is no description of the run.
func (f *figures) missing() string {
	switch err := f.run.InfoErr; {
	case f.run.Info != nil:
		return ""
	case err == nil || errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf(
			"The command line, the settings and the digest are not known, because %s is not next to the files. "+
				"A run writes it into the folder of --stats-path.", instr.RunName)
	default:
		return fmt.Sprintf("The command line, the settings and the digest are not known: %v.", err)
	}
}

// table returns what ran and the sums of the run.
func (f *figures) table() []row {
	return append(f.ran(), f.totals()...)
}

// ran returns what the description of the run has.
func (f *figures) ran() (rows []row) {
	info := f.run.Info
	if info == nil {
		return nil
	}
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, row{name, value})
		}
	}
	add("Command", commandText(info.Command))
	add("State", stateText(info))
	add("Reason", info.Reason)
	add("Begin", survey.Clock(info.Begin))
	if !info.End.IsZero() {
		add("End", survey.Clock(info.End))
	}
	add("Scheduler", strings.TrimSpace(fmt.Sprintf("%s (--synch=%s)", info.Scheduler, synchText(info.Synch))))
	if info.EndTime != nil {
		add("End of virtual time", fmt.Sprintf("%g", *info.EndTime))
	}
	host := info.Host.Name
	if info.Host.Processors > 0 {
		host = strings.TrimPrefix(host+", "+summary.Count(uint64(info.Host.Processors), "processor"), ", ")
	}
	add("Host", host)
	version := strings.Trim(strings.Join([]string{info.Engine.Version, info.Engine.Go, info.Engine.System}, ", "), ", ")
	add("Engine", version)
	add("Source of the program", info.Engine.Program)
	if info.Ranks > 1 {
		add("Ranks", grouped(info.Ranks))
	}
	if r := info.Result; r != nil {
		add("Digest", r.Digest)
		add("Digest of the states", r.StateDigest)
		if r.MemoryLimit > 0 {
			add("Memory used at most", findings.PeakText(r.MemoryPeak, r.MemoryLimit*f.ranks()))
		}
		if p := r.Processors; p != nil && r.Runtime > 0 {
			add("Processors", fmt.Sprintf("got %.1f of %s, waited for %.1f more, made way for others %s times",
				p.Seconds/r.Runtime, grouped(info.PEs), p.Waited/r.Runtime, grouped(p.Preempted)))
		}
		add("The files lack", r.Incomplete)
	}
	return rows
}

// synchText returns a number of a scheduler as --synch has it.
func synchText(synch int) string {
	switch synch {
	case findings.SynchAuto:
		return "auto"
	case 0: // the default
		synch = findings.SynchSequential
	}
	return strconv.Itoa(synch)
}

// outcome is what the events of a run came to.
type outcome struct {
	known                                       bool
	net                                         int64
	processed, rolledBack, rollbacks, secondary uint64
	efficiency, gvts                            float64 // percent; computations of GVT
}

// outcome returns that of the whole run if it has ended, else that of the samples.
func (f *figures) outcome() outcome {
	if r := f.result(); r != nil {
		efficiency := r.Efficiency
		if late := f.undecided(); r.Undecided == 0 && late > 0 { // of a version that has counted them as rolled back
			efficiency = findings.Efficiency(float64(r.Processed-late), float64(r.RolledBack-late))
		}
		return outcome{true, int64(r.NetEvents), r.Processed, r.RolledBack, r.Primary + r.Secondary, r.Secondary,
			efficiency, float64(r.GVTs)}
	}
	t := &f.total
	return outcome{f.source.PE+f.source.KP > 0, t.Net(), t.Processed, t.RolledBack, t.Rollbacks, t.Secondary,
		t.Efficiency(), float64(t.GVTs) / float64(max(len(f.perPE), 1))}
}

// totals returns the sums of the run.
func (f *figures) totals() []row {
	pes, kps, lps := uint64(len(f.run.PEs)), uint64(len(f.run.KPs)), uint64(len(f.run.Home))
	if info := f.run.Info; info != nil {
		pes, kps, lps = info.PEs, info.KPs, info.LPs
	}
	rows := []row{{"PEs", count(pes)}, {"KPs", count(kps)}, {"LPs", count(lps)}}
	o := f.outcome()
	if o.known {
		rows = append(rows,
			row{"Events handled", grouped(o.processed)},
			row{"Events rolled back", grouped(o.rolledBack)},
			row{"Net events", grouped(o.net)},
			row{"Efficiency", short(o.efficiency) + " %"},
			row{"Rollbacks", grouped(o.rollbacks)},
			row{"… by stragglers (primary)", grouped(o.rollbacks - min(o.secondary, o.rollbacks))},
			row{"… by cancelled events (secondary)", grouped(o.secondary)})
	}
	switch r := f.result(); {
	case r != nil:
		if late := f.undecided(); late > 0 {
			rows = slices.Insert(rows, 5, row{"… because the run ended, by no rollback", grouped(late)})
		}
		rows = append(rows, row{"Net events per second", grouped(uint64(math.Round(r.EventRate)))},
			row{"Run time", f.runtimeText()})
	case o.known:
		time := row{"Run time", secondsText(f.span())}
		if !f.run.FromStart {
			time = row{"Time between first and last sample", time.Value + " by --clock-rate"}
		}
		rows = append(rows, time)
	}
	if n := f.run.Sources[instr.Trace].Events; n > 0 {
		rows = append(rows, row{"Events in the trace", grouped(n)})
	}
	return rows
}

// undecided returns the events of a run that failed or was stopped that were undone because it ended, by no rollback.
// In runs of earlier versions the difference from the samples tells them, which are taken before. It is 0 if that is
// not known.
func (f *figures) undecided() uint64 {
	r := f.result()
	if r != nil && r.Undecided > 0 {
		return min(r.Undecided, r.RolledBack)
	}
	if r == nil || f.run.Info.State == instr.RunComplete || f.total.Processed != r.Processed {
		return 0
	}
	return r.RolledBack - min(f.total.RolledBack, r.RolledBack)
}

// failed reports whether an error ended the run.
func (f *figures) failed() bool { return f.run.Info != nil && f.run.Info.State == instr.RunFailed }

// runtimeText returns how long the run took.
func (f *figures) runtimeText() string {
	if o := f.outcome(); f.failed() && o.known && o.processed == 0 {
		return "–" // it failed before its first event
	}
	return secondsText(f.duration())
}

// ranks returns the number of ranks. RunResult.MemoryPeak is the sum over them, and MemoryLimit that of one.
func (f *figures) ranks() uint64 {
	if f.run.Info == nil {
		return 1
	}
	return max(f.run.Info.Ranks, 1)
}

// result returns the figures of the run, nil if it has not ended or they are not known.
func (f *figures) result() *instr.RunResult {
	if f.run.Info == nil {
		return nil
	}
	return f.run.Info.Result
}

// duration returns the seconds that the run took, if they are known.
func (f *figures) duration() float64 {
	if r := f.result(); r != nil && r.Runtime > 0 {
		return r.Runtime
	}
	return f.span()
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

func count(n uint64) string {
	if n == 0 {
		return "not in the files"
	}
	return grouped(n)
}

// numPEs returns the number of PEs of the run.
func (f *figures) numPEs() int {
	if info := f.run.Info; info != nil && info.PEs > 0 {
		return int(min(info.PEs, math.MaxInt32))
	}
	return len(f.run.PEs)
}
