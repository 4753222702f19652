// This file owns the beginning of the report, before the first event, and the description of a run: run.json in the
// folder of its files, and RunInfo.

package ross

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/sys/atomicfile"
	"github.com/ross-go/ross/internal/sys/buildinfo"
	"github.com/ross-go/ross/report"
	"github.com/ross-go/ross/rng"
)

// reportHeader prints the head of the report, which precedes the model's own output.
func (s *Simulation) reportHeader() {
	c := &s.cfg
	var notes []string
	if c.ArgsFileText != "" {
		notes = append(notes, c.ArgsFileText)
	}
	notes = append(notes, c.ignored...)
	for _, set := range []struct {
		given    [4]uint64
		standard rng.Seeds
		label    string
		clamped  string
		name     string
	}{
		{c.Streams.Seeds, rng.DefaultSeeds, "RNG Seeds:", "Clamping Provided LP Seeds", "rng-seed"},
		{c.Streams.CoreSeeds, rng.DefaultCoreSeeds, "Core RNG Seeds:", "Clamping Provided Core Seeds", "core-rng-seed"},
	} {
		if set.given == [4]uint64{} {
			continue
		}
		notes = append(notes, set.label+" "+strings.Trim(fmt.Sprint(set.given), "[]"))
		seeds, clamped := kernel.SeedsOf(set.given, set.standard)
		if clamped {
			notes = append(notes, set.clamped)
		}
		if seeds != set.standard {
			if text := dependentSeeds(set.name, seeds); text != "" && s.r.Cluster.Rank == 0 {
				notes = append(notes, "Note: "+text)
				if g := set.given; !s.r.SeesReport && g == [4]uint64{g[0], g[0], g[0], g[0]} {
					s.warn(text) // series of runs rarely use other patterns
				}
			}
		}
	}
	if c.Seed != 0 {
		notes = append(notes, fmt.Sprintf("Seed: %d", c.Seed))
	}
	if c.Replication != 0 {
		notes = append(notes, fmt.Sprintf("Replication: %d", c.Replication))
	}
	if s.r.Short() {
		for _, note := range notes {
			if strings.HasPrefix(note, "Note: ") {
				s.r.Printf("%s\n", note)
			}
		}
		return
	}
	_ = report.WriteHeader(s.r.Report, report.Header{Args: c.Args, Now: s.r.Created, Version: Version, Notes: notes,
		Ranks: uint64(s.r.Cluster.Ranks)})
}

// reportConfig prints the configuration of the simulation.
func (s *Simulation) reportConfig() {
	c, st := &s.cfg, &s.r.Stats
	s.r.Program = c.program()
	asked := c.accepted.events
	if asked == 0 {
		asked = s.r.Total
	}
	*st = report.Summary{
		Synch: int(max(s.r.Set.Synch, settings.SynchSequential)), Ranks: uint64(s.r.Cluster.Ranks),
		MinOffset: math.MaxFloat64,
		TotalPEs:  s.r.Layout.NumPEs(), KPsPerPE: uint64(c.NKP), TotalLPs: s.r.Total, End: c.End,
		Mapping:     s.r.Layout.Kind().String(),
		ModelEvents: asked + c.accepted.extraMem, NetworkEvents: c.accepted.readBuffer, TotalEvents: asked,
		ClockRate: c.accepted.clockRate, GVTRealTimeInterval: s.r.Set.RealTimeInterval(),
		GVTInterval: uint64(c.Tuning.GVTInterval), Batch: uint64(c.Tuning.Batch),
		PQ: s.r.Locals[0].Queue.Impl(), MaxMemory: c.MaxMemory,
		Sizes: s.r.Sizes(),
	}
	if !s.r.Short() {
		_ = report.WriteConfig(s.r.Report, st)
	}
	s.r.Hint(idlePEs(s.r.Layout))
	if s.r.HasStatistics() {
		s.r.Hint(lateWarmUp(s.cfg.WarmUp, s.cfg.End))
	}
}

// checkDir makes the folder of ross.csv and ross_all_lp_stats and verifies, before the run, that files can be created
// in it. If they cannot, the run does without them: nobody may have asked for them.
func (s *Simulation) checkDir() {
	if s.cfg.Dir == "" {
		return
	}
	if err := atomicfile.CheckFolder(s.cfg.Dir); err != nil {
		s.r.Set.Dir = ""
		s.r.CautionHere(
			"ross.csv and ross_all_lp_stats are not written: %v: %s; --report-path names their folder, and --report-path= leaves them out",
			err, atomicfile.Remedy(err, "name another folder"))
	}
}

// description is what describes the run. Anyone may read it while the run goes on.
type description struct {
	lock   sync.Mutex
	info   instr.RunInfo
	folder string // of run.json; "": it is not written
}

// RunInfo returns the description of the run that is in run.json, in the folder of --stats-path: what
// runs, where, with which settings, and, when Run has returned, the figures. It may be called at any time
// and from any goroutine; before Define has returned it has little more than the command line. What it
// refers to does not change.
func (s *Simulation) RunInfo() instr.RunInfo {
	s.about.lock.Lock()
	defer s.about.lock.Unlock()
	return s.about.info
}

// StatsDir returns the folder of what the run collects, which is that of --stats-path, or another one next to it if
// that existed before; "" if nothing is collected, and before Define has returned. All ranks get the same. Programs put
// what belongs to the files of the run there.
func (s *Simulation) StatsDir() string { return s.r.InstrumentsDir() }

// describe describes what New knows of the run.
func (s *Simulation) describe() {
	c := &s.cfg
	command := c.Args
	if len(command) == 0 {
		command = os.Args[:1]
	}
	id := make([]byte, 8)
	_, _ = rand.Read(id) // it never fails
	host, _ := os.Hostname()
	info := instr.RunInfo{
		Version: instr.RunVersion, ID: hex.EncodeToString(id), State: instr.RunRunning, Begin: s.r.Created.UTC().Round(0),
		Model: filepath.Base(command[0]), Command: command,
		Engine: instr.RunEngine{Version: Version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
			Program: buildinfo.Short()},
		Host:  instr.RunHost{Name: host, Processors: s.r.Threads},
		Synch: int(max(c.Synch, Sequential)), Scheduler: max(c.Synch, Sequential).String(),
		Ranks: uint64(s.r.Cluster.Ranks), PEs: s.r.AllPEs(), KPs: s.r.AllPEs() * uint64(c.NKP), LPs: s.r.Total,
		Options: map[string]string{},
	}
	if !math.IsInf(c.End, 1) {
		end := c.End
		info.EndTime = &end
	}
	for o := range s.options().Engine() {
		if !o.Hidden {
			info.Options[strings.TrimPrefix(o.Name, "--")] = o.Value
		}
	}
	for _, o := range c.modelOptions {
		info.Options[strings.TrimPrefix(o.Name, "--")] = o.Value
	}
	s.about.lock.Lock()
	defer s.about.lock.Unlock()
	s.about.info = info
}

// mostDescribed is the largest number of LPs that are asked for their types.
const mostDescribed = 1 << 24

// describeLPs adds what Define knows.
func (s *Simulation) describeLPs() {
	var types []instr.RunType
	for _, t := range s.r.Types {
		if !t.Hidden {
			types = append(types, t.Layouts)
		}
	}
	exact, messages := s.exactTrace(types)
	ranges := s.typeRanges()
	s.about.lock.Lock()
	defer s.about.lock.Unlock()
	s.about.info.LPs = s.r.Total
	s.about.info.Engine.Queue = s.r.Locals[0].Queue.Impl()
	s.about.info.Types, s.about.info.TypeRanges = types, ranges
	s.about.info.Exact, s.about.info.Messages = exact, messages
}

// exactTrace adds the block of an exact trace to the layouts of types, and returns that of the block and the names of
// messages. Without such a trace there are none.
func (s *Simulation) exactTrace(types []instr.RunType) (block string, messages []string) {
	if in := &s.cfg.Instruments; in.Trace == 0 || !in.TraceExact {
		return "", nil
	}
	for i := range types {
		t, own := s.r.Types[i], types[i].Trace
		if size := t.TraceSize; size > 0 {
			if both, err := instr.ParseLayout(own + "," + instr.ExactLayout); err != nil || both.Size() != size+instr.ExactSize {
				own = "_:x" + strconv.Itoa(size) // the bytes of the model, without names
			}
			own += ","
		}
		types[i].Trace = own + instr.ExactLayout
	}
	for _, m := range s.r.Messages {
		messages = append(messages, m.Name)
	}
	return instr.ExactLayout, messages
}

// typeRanges returns which LPs have which type, nil if that is too much to say.
func (s *Simulation) typeRanges() (all []instr.RunTypeRange) {
	n := s.r.Total
	if s.r.TypeMap == nil {
		return []instr.RunTypeRange{{Count: n}}
	}
	if n > mostDescribed || s.r.Cluster.Rank != 0 {
		return nil
	}
	for gid := range n {
		t, err := s.r.TypeOf(gid)
		if err != nil {
			return nil
		}
		if last := len(all) - 1; last >= 0 && all[last].Type == int(t.ID) {
			all[last].Count++
			continue
		}
		if len(all) == instr.MaxTypeRanges {
			return nil
		}
		all = append(all, instr.RunTypeRange{First: gid, Count: 1, Type: int(t.ID)})
	}
	return all
}

// beginDescription writes run.json when the run begins, if it has a folder.
func (s *Simulation) beginDescription() {
	c := &s.cfg
	if s.r.Cluster.Rank != 0 {
		return
	}
	dir, err := s.r.InstrumentsDir(), error(nil)
	// It was asked for, and nothing else goes there.
	if asked := c.Instruments.Path; dir == "" && (asked != "" || c.Record != RecordNothing) {
		if dir, err = instr.MakeDir(asked); err == nil && dir != filepath.Clean(cmp.Or(asked, instr.DefaultDir)) {
			fmt.Fprintf(s.r.Report, "Instrumentation output: %s\n", dir)
		}
	}
	s.about.folder = dir
	if err == nil {
		err = s.recordStart()
	}
	s.writeDescription(err)
}

// writeDescription writes run.json, unless there is an error already. The run goes on without it.
func (s *Simulation) writeDescription(err error) {
	if err == nil && s.about.folder != "" {
		info := s.RunInfo()
		err = info.Write(s.about.folder)
	}
	if err == nil {
		return
	}
	s.about.folder = ""
	err = fmt.Errorf("ross: description of the run: %w", err)
	s.r.Incomplete.CompareAndSwap(nil, &err)
	fmt.Fprintf(s.r.Out, "%v: the simulation goes on without it\n", err)
}

// endDescription adds the figures of the run, and how it ended.
func (s *Simulation) endDescription(err error) {
	st := &s.r.Stats
	result := &instr.RunResult{
		Runtime: st.Runtime, EventRate: st.EventRate(), Efficiency: st.Efficiency(), NetEvents: st.NetEvents(),
		Processed: st.EventsProcessed, RolledBack: st.EventsRolledBack, Undecided: st.EventsUndecided,
		Aborted: st.EventsAborted,
		Primary: st.PrimaryRollBacks, Secondary: st.SecondaryRollBacks, GVTs: st.NumGVT, ForcedGVTs: st.ForcedGVT,
		AllReduces: st.AllReduceCalls, SharedReduces: st.SharedReduces,
		RemoteSends: st.EventsRemote, NetworkSends: st.RemoteSends, MemoryBytes: st.MemoryAllocated,
		MemoryPeak: s.r.Why.Peak, MemoryLimit: s.cfg.MaxMemory, Digest: digestText(st.Digest),
		StateDigest: digestText(st.StateDigest),
	}
	result.IdleSeconds, result.SavingSeconds, result.Shortages, result.Processors = s.r.Why.Idle, s.r.Why.Saving,
		s.r.Why.Shortages, s.r.Why.Processors
	result.Window, result.LeastWindow = s.r.Why.Windows()
	result.Placement = s.r.Placement()
	if b := s.r.OfBalance(); b != nil {
		result.Balance = &instr.RunBalance{Moves: b.Moves, Times: b.Times, Before: b.First, After: b.Latest, Active: b.Active,
			Alone: b.SerialSeconds,
			LP:    b.LP, Share: b.LPShare, OfKP: b.KPShare}
		if b.KPShare > 0 {
			if result.Balance.KP = fmt.Sprintf("KP %d of PE %d", b.KP, b.KPPE); b.KeepsPEs {
				result.Balance.KP = fmt.Sprintf("all KPs of PE %d", b.KPPE)
			}
		}
	}
	result.Handlers = s.r.Handlers()
	if lack := s.CollectionError(); lack != nil {
		result.Incomplete = firstLine(lack)
	}
	s.about.lock.Lock()
	info := &s.about.info
	info.End, info.Result = time.Now().UTC().Round(0), result
	switch {
	case err == nil:
		info.State = instr.RunComplete
		if by := s.r.Stopped; by != nil {
			info.Reason = fmt.Sprintf("LP %d stopped the run at time %g", by.By, by.Time)
		}
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		info.State, info.Reason = instr.RunStopped, firstLine(err)
	default:
		info.State, info.Reason, info.Detail = instr.RunFailed, firstLine(err), otherLines(err)
	}
	s.about.lock.Unlock()
	s.writeDescription(s.recordLPs())
}

// otherLines returns the lines after the first of an error, as many as a description of a run has.
func otherLines(err error) string {
	_, text, _ := strings.Cut(err.Error(), "\n")
	return strings.ToValidUTF8(text[:min(len(text), instr.MaxDetail)], "")
}

// digestText returns a digest as the report has it, "" for none.
func digestText(digest *uint64) string {
	if digest == nil {
		return ""
	}
	return fmt.Sprintf("%016x", *digest)
}

func firstLine(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}
