// This file owns what New does: it checks the configuration and hands it to the engine.

package ross

import (
	"fmt"
	"io"
	"math"
	"os"
	"runtime"

	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/plain"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/usage"
	"github.com/ross-go/ross/report"
)

// prepare checks the configuration and prints the head of the report.
func (s *Simulation) prepare() error {
	if err := s.cfg.Validate(); err != nil {
		return err
	}
	if err := s.available(); err != nil {
		return err
	}
	cfg, r := &s.cfg, &s.r
	if cfg.MaxMemory == 0 {
		cfg.MaxMemory = max(mem.Available()/5*4/uint64(r.Cluster.OnNode), settings.MinMemory)
	}
	if cfg.PEs == 0 {
		cfg.PEs = runtime.NumCPU()
	}
	s.choosePEs(runtime.GOMAXPROCS(0))
	r.Set, r.Hooks = *cfg.settings(), cfg.hooks()
	r.Opaque, r.BlockElem = engineTypes(), blockElemOf
	r.NewError, r.TimeOf, r.Face, r.Warn, r.Collective = newError, timeOf, s, s.warn, s.collective
	if cfg.ModelLog != nil {
		r.Log = kernel.NewLog(cfg.ModelLog, plain.Recast[func(uint64, string) bool](&cfg.ModelLogOnly), cfg.PEs)
	}
	r.Rank0 = r.Cluster.Rank == 0
	if r.Cluster.Ranks > 1 {
		r.Gather = r.Cluster.Gather
	}
	r.Base = uint64(r.Cluster.Rank) * uint64(cfg.PEs)
	if r.Total = cfg.TotalLPs; r.Total == 0 {
		r.Total = s.numPEs() * cfg.NLP
	}
	r.Threads = runtime.GOMAXPROCS(0)
	r.Out, r.Budget = report.NewOutput(cfg.Output), mem.NewBudget(cfg.MaxMemory)
	r.Budget.Piece, r.Budget.Refuse = r.Set.Piece(), r.Set.Refuse
	r.Budget.CountProgram(cfg.PEs)
	r.Budget.Attach()
	r.Checkpoints.Open(&r.Run, r.Cluster, Version, s.options, cfg.modelOptions, cfg.varying)
	if space := mem.AddressSpace(); cfg.MaxMemory > space {
		s.warn(fmt.Sprintf("the limit of the address space (ulimit -v) leaves %d bytes, less than --max-memory: raise it", space))
	}
	r.SeesReport = cmdline.WarnsTo(cfg.Log, cfg.Output)
	r.NoProgress = !cfg.linesGiven && cfg.ReportInterval == defaultReportInterval && isStored(cfg.Output)
	if r.Report = r.Out; !r.Rank0 {
		r.Report = io.Discard
	}
	s.describe()
	s.reportHeader()
	return r.Out.Err()
}

// isStored reports whether what is written to w goes to a file or another program, where nobody watches it.
func isStored(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0
}

// available refuses combinations of settings that the engine does not support.
func (s *Simulation) available() error {
	c, set, ranks := &s.cfg, s.cfg.settings(), s.r.Cluster.Ranks
	sequential := set.Sequential()
	number := formatScheduler(c.Synch)
	switch {
	case sequential && ranks != 1:
		return usage.Errorf("option --synch=%s: runs on one PE, and mpirun has started %d ranks; use --synch=3, or mpirun -np 1", number, ranks)
	case sequential && c.PEs != 1:
		return usage.Errorf("option --pes=%d: --synch=%s runs on one PE; use --pes=1, or --synch=3", c.PEs, number)
	case set.SamplesVT() && math.IsInf(set.LastPoint(), 1):
		return usage.Errorf("option --vt-samp-end=%g: in a run without an end, samples at virtual times need one; give this option or --end", c.VTSampEnd)
	}
	return nil
}

// options returns the engine's options with their values.
func (s *Simulation) options() *cmdline.Options {
	o := NewOptions("")
	c := s.cfg
	c.Register(o)
	return o
}

func (s *Simulation) warn(text string) {
	if s.cfg.Log != nil {
		s.cfg.Log.Warn("ross: " + text)
	}
}
