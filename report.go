// This file owns the beginning of the report, before the first event, and the check of the
// folder of results.

package ross

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/settings"
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
		{c.Seeds, rng.DefaultSeeds, "RNG Seeds:", "Clamping Provided LP Seeds", "rng-seed"},
		{c.CoreSeeds, rng.DefaultCoreSeeds, "Core RNG Seeds:", "Clamping Provided Core Seeds", "core-rng-seed"},
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
	_ = report.WriteHeader(s.r.Report, report.Header{Args: c.Args, Now: s.r.Created, Version: Version, Notes: notes, Ranks: uint64(s.r.Cluster.Ranks)})
}

// reportConfig prints the configuration of the simulation.
func (s *Simulation) reportConfig() {
	c, st := &s.cfg, &s.r.Stats
	s.r.Program = c.program()
	asked := c.EventsPerPE
	if asked == 0 {
		asked = s.r.Total
	}
	*st = report.Stats{
		Synch: int(max(s.r.Set.Synch, settings.SynchSequential)), Ranks: uint64(s.r.Cluster.Ranks), MinOffset: math.MaxFloat64,
		TotalPEs: s.r.Layout.NumPEs(), KPsPerPE: c.NKP, TotalLPs: s.r.Total, End: c.End, Mapping: s.r.Layout.Kind().String(),
		ModelEvents: asked + c.ExtraMem, NetworkEvents: c.ReadBuffer, TotalEvents: asked,
		ClockRate: c.ClockRate, GVTRealTimeInterval: s.r.Set.RealTimeInterval(), GVTInterval: c.GVTInterval, Batch: c.Batch,
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

// checkDir makes the folder of results and verifies, before the run, that files can be created
// in it.
func (s *Simulation) checkDir() error {
	if s.cfg.Dir == "" {
		return nil
	}
	err := os.MkdirAll(s.cfg.Dir, 0o777)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(s.cfg.Dir, ".ross-*"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("ross: folder of results: %s: %w: make it writable or name another", s.cfg.Dir, err)
	}
	return nil
}
