// This file owns what New and Define do: they check the configuration, decide what Auto decides before the run, and hand
// it to the engine.

package ross

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"unsafe"

	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/plain"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/timewarp"
	"github.com/ross-go/ross/internal/usage"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/pq"
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
	r.NewError, r.TimeOf, r.Owner, r.Warn, r.Collective = newError, timeOf, s, s.warn, s.collective
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

// addTypes checks the LP types and adds them to the run.
func (s *Simulation) addTypes(types []LPType) error {
	if len(types) == 0 || len(types) > math.MaxUint16 {
		return fmt.Errorf("ross: Define: %d types: %w: give 1 to %d", len(types), ErrModel, math.MaxUint16)
	}
	if len(types) > 1 && s.cfg.TypeMap == nil {
		return fmt.Errorf("ross: Define: %d types and no Config.TypeMap: %w: set it to say which type each LP has", len(types), ErrModel)
	}
	for i, t := range types {
		lt, err := t.lpType()
		if err != nil {
			return err
		}
		lt.ID = uint16(i)
		if s.r.Types = append(s.r.Types, lt); !s.r.AddMessages(lt) {
			return fmt.Errorf("ross: Define: the types have too many messages: %w: give at most %d", ErrModel, kernel.MaxMessages)
		}
	}
	tellApart(s.r.Types)
	if f := s.cfg.TypeMap; f != nil {
		s.r.TypeMap = func(gid uint64) int { return f(LPID(gid)) }
	}
	return nil
}

// tellApart gives types to which the model has given no name, and whose own name others have as well,
// names with their packages: those by which Go programs call them and, if these are equal too, those with
// the paths of the packages.
func tellApart(types []*kernel.Type) {
	paths := func(t *kernel.Type) string { return t.Check.State.PkgPath() + "." + t.Check.State.Name() }
	for _, longer := range []func(*kernel.Type) string{func(t *kernel.Type) string { return t.Whole }, paths} {
		var same []*kernel.Type
		for _, t := range types {
			if t.Whole != "" && t.Check.State.Name() != "" && slices.ContainsFunc(types, func(o *kernel.Type) bool {
				return o.Name == t.Name && (o.Whole == "" || o.StateType != t.StateType)
			}) {
				same = append(same, t)
			}
		}
		for _, t := range same {
			t.Name = longer(t)
			t.Layouts.Name = t.Name
		}
	}
}

// checkPEs refuses a number of PEs that does not fit into memory, before any PE is made. The
// structures of PEs are not charged to the budget; those of a few PEs take almost nothing.
func (s *Simulation) checkPEs() error {
	const few = 64 << 20 // bytes
	n := uint64(s.cfg.PEs)
	each := uint64(unsafe.Sizeof(run.PE{})+unsafe.Sizeof(event.Arena{})+unsafe.Sizeof(pq.EventSet{})) + n*uint64(unsafe.Sizeof(timewarp.Outbox{}))
	if limit := max(s.r.Budget.Limit(), few); each > limit/n {
		return fmt.Errorf("ross: Define: %d PEs of %d bytes each: %w: %d bytes are allowed: raise --max-memory or lower --pes", n, each, mem.ErrLimit, limit)
	}
	return nil
}

// makeLayout computes the places of all LPs, as Config.Mapping asks.
func (s *Simulation) makeLayout() (err error) {
	c := &s.cfg
	npe := s.numPEs()
	if npe > kernel.MostPEs {
		return usage.Errorf("option --pes=%d: %d ranks have %d PEs; there can be %d: use fewer ranks or PEs", c.PEs, s.r.Cluster.Ranks, npe, kernel.MostPEs)
	}
	if err := s.checkPEs(); err != nil {
		return err
	}
	switch {
	case c.Mapping != mapping.Custom && c.TotalLPs != 0:
		s.r.Layout, err = mapping.NewEven(c.Mapping, npe, c.TotalLPs, c.NKP)
	case c.Mapping == mapping.Linear:
		s.r.Layout, err = mapping.NewLinear(npe, c.NLP, c.NKP)
	case c.Mapping == mapping.RoundRobin:
		s.r.Layout, err = mapping.NewRoundRobin(npe, c.NLP, c.NKP)
	default:
		f := c.Custom
		var noMap error
		if f.PE == nil && f.For == nil {
			f.PE = func(gid uint64) uint64 {
				pe, err := s.mapByType(gid)
				noMap = cmp.Or(noMap, err)
				return pe
			}
		}
		s.r.Layout, err = mapping.NewCustom(npe, s.r.Total, c.NKP, f)
		err = cmp.Or(noMap, err) // noMap is then the cause of the mapping's own error
	}
	return err
}

// mapByType returns the PE that the LP's type assigns to it.
func (s *Simulation) mapByType(gid uint64) (uint64, error) {
	t, err := s.r.TypeOf(gid)
	if err != nil {
		return 0, err
	}
	if t.MapTo == nil {
		return 0, fmt.Errorf("ross: custom mapping: LP %d: type %q has no Map: %w: give it one, or Config.Custom.PE", gid, t.Name, ErrModel)
	}
	return t.MapTo(gid), nil
}

// declaredLookahead returns the least lookahead that the LP types declare; ok is false unless each
// of them does.
func (s *Simulation) declaredLookahead() (least float64, ok bool) {
	least = math.Inf(1)
	for _, t := range s.r.Types {
		if t.Lookahead <= 0 {
			return 0, false
		}
		least = min(least, t.Lookahead)
	}
	return least, true
}

// mayStop returns the name of a type whose LPs may end the run sooner than with the lookahead, or "".
func (s *Simulation) mayStop() string {
	for _, t := range s.r.Types {
		if !t.NeverStops {
			return t.Name
		}
	}
	return ""
}

// memoryOfPE is the least share of --max-memory, in bytes, for each PE that Auto chooses.
const memoryOfPE = 16 << 20

// choosePEs sets the number of PEs for Auto, if the settings leave it open and the model is the same for any
// number: one for each processor that Go may use. There is one if the scheduler could not change anyway: it is
// sequential then.
func (s *Simulation) choosePEs(processors int) {
	c := &s.cfg
	if c.Synch != Auto || c.PEs != 1 || c.pesGiven || s.r.Cluster.Ranks > 1 {
		return
	}
	switch fixed := s.fixedScheduler(); {
	case c.TotalLPs == 0:
		s.r.PEsChosen = "the model grows with the PEs: give its whole size (--lps in place of --nlp, Config.TotalLPs), and auto chooses their number, or give --pes"
	case c.Mapping == mapping.Custom && c.Custom.For == nil:
		s.r.PEsChosen = "the mapping is for so many: give it as Config.Custom.For, and auto chooses their number, or give --pes"
	case fixed != "":
		s.r.PEsChosen = fixed + " auto chooses no other number: give --pes"
	default:
		n := min(uint64(processors), c.TotalLPs, max(c.MaxMemory/memoryOfPE, 1))
		if c.PEs = int(n); n > 1 {
			s.r.PEsChosen = fmt.Sprintf("%d PEs, chosen too (--pes)", n)
		} else {
			s.r.PEsChosen = "there is one processor, one LP, or memory for one (--max-memory)"
		}
	}
}

// fixedScheduler says why the scheduler cannot change while the run goes on, or "" if it can.
func (s *Simulation) fixedScheduler() string {
	set := s.cfg.settings()
	switch {
	case s.r.Cluster.Ranks > 1:
		return "with several ranks"
	case s.cfg.hasHook():
		return "with a GVT hook"
	case set.Collects():
		return "with instrumentation"
	case set.StoresRunning():
		return "with checkpoints while it runs"
	}
	return ""
}

// hasHook reports whether there is a GVT hook.
func (c *Config) hasHook() bool { return c.GVTHook != nil || c.HookTrigger.k.Kind != kernel.HookNever }

// setScheduler sets the lookahead, and, for Auto, the scheduler of a run that cannot change it. The
// types of the LPs are known.
func (s *Simulation) setScheduler() {
	set := &s.r.Set
	ahead, ok := s.declaredLookahead()
	if ok {
		set.ConsLookahead = max(ahead, set.ConsLookahead)
	}
	auto := set.Synch == settings.SynchAuto
	if auto && !ok && set.ConsLookahead == settings.DefaultLookahead {
		set.ConsLookahead = 0 // no LP has promised that
	}
	stops := s.mayStop()
	if auto || set.Synch == settings.SynchConservative {
		s.r.Ahead = set.ConsLookahead
		if auto && stops == "" || !auto && s.numPEs() > 1 { // Auto's number of PEs depends on the machine
			s.r.StopAhead = set.ConsLookahead
		}
	}
	if !auto {
		return
	}
	s.r.MayStop = stops
	if s.numPEs() == 1 {
		set.Synch, s.r.Chosen = settings.SynchSequential, "sequential, since there is one PE"
		if why := s.r.PEsChosen; why != "" {
			s.r.Chosen += ": " + why
		}
		return
	}
	why := s.fixedScheduler()
	if why == "" {
		return
	}
	why += " the scheduler does not change, and "
	hook := s.cfg.hasHook()
	switch {
	case set.ConsLookahead > 0 && !hook && stops == "":
		set.Synch, s.r.Chosen = settings.SynchConservative, "conservative: "+why+"there is a lookahead"
	case set.ConsLookahead > 0 && !hook:
		set.Synch, s.r.Chosen = settings.SynchOptimistic, fmt.Sprintf("optimistic: %sLPs of type %q may end the run (Type.NeverStops)", why, stops)
	default:
		set.Synch, s.r.Chosen = settings.SynchOptimistic, "optimistic: "+why+"conservative needs a lookahead and no hook"
	}
}
