// This file owns what New and Define give to the engine: the configuration, which they check, as settings, and the LP
// types; and what other packages of the module reach of this one, through package inside.

package ross

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"slices"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/run/inside"
	"github.com/ross-go/ross/internal/sys/buildinfo"
	"github.com/ross-go/ross/internal/sys/plain"
	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/report"
)

// prepare checks the configuration, gives it to the engine, and prints the head of the report.
func (s *Simulation) prepare() error {
	if err := s.cfg.validate(); err != nil {
		return err
	}
	if err := s.available(); err != nil {
		return err
	}
	cfg := &s.cfg
	s.r.Open(&run.Start{
		Front: kernel.Front{
			Owner: s, Opaque: engineTypes(), BlockElem: blockElemOf, NewError: newError, TimeOf: timeOf,
			Collective: s.collective,
			Out:        report.NewOutput(cfg.Output), Warn: s.warn, SeesReport: cmdline.WarnsTo(cfg.Log, cfg.Output),
			NoProgress: !cfg.linesGiven && cfg.ReportInterval == defaultReportInterval && isStored(cfg.Output),
		},
		Hooks: cfg.hooks(), Settings: *cfg.settings(), PEsGiven: cfg.pesGiven, Mapping: cfg.Mapping,
		TypeMap: plain.Recast[func(uint64) int](&cfg.TypeMap),
	})
	cfg.MaxMemory, cfg.PEs = s.r.Set.MaxMemory, s.r.Set.PEs
	if cfg.ModelLog != nil {
		s.r.Log = kernel.NewLog(cfg.ModelLog, plain.Recast[func(uint64, string) bool](&cfg.ModelLogOnly), cfg.PEs)
	}
	s.r.Checkpoints.Model = cmp.Or(cfg.Checkpoints.Version, buildinfo.Model())
	s.r.Checkpoints.Open(&s.r.Run, s.r.Cluster, Version, s.options, cfg.modelOptions, cfg.varying)
	s.describe()
	s.reportHeader()
	return s.r.Out.Err()
}

// isStored reports whether what is written to w goes to a file or another program, where nobody watches it.
func isStored(w io.Writer) bool {
	f, ok := w.(interface{ Stat() (os.FileInfo, error) })
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
	case sequential && c.Ranks > 1:
		return usage.Errorf("option --ranks=%d: --synch=%s runs on one PE; use --ranks=1, or --synch=3", c.Ranks, number)
	case sequential && ranks != 1:
		return usage.Errorf(
			"option --synch=%s: runs on one PE, and mpirun has started %d ranks; use --synch=3, or mpirun -np 1", number, ranks)
	case sequential && c.PEs != 1:
		return usage.Errorf("option --pes=%d: --synch=%s runs on one PE; use --pes=1, or --synch=3", c.PEs, number)
	case set.SamplesVT() && math.IsInf(set.LastPoint(), 1):
		return usage.Errorf(
			"option --vt-samp-end=%g: in a run without an end, samples at virtual times need one; give this option or --end",
			c.Instruments.VirtualEnd)
	case set.SamplesVT() && min(set.LastPoint(), c.End)/c.Instruments.VirtualInterval > mostPoints:
		return usage.Errorf(
			"option --vt-interval=%g: more than 2^40 samples up to time %g; give a longer interval, or an earlier --vt-samp-end",
			c.Instruments.VirtualInterval, min(set.LastPoint(), c.End))
	}
	return nil
}

// mostPoints is the largest number of samples at virtual times that a run may take. More would take years.
const mostPoints = 1 << 40

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
	if err := s.assignLPs(types); err != nil {
		return err
	}
	for i, t := range types {
		lt, err := t.lpType(&s.r.Set)
		if err != nil {
			return err
		}
		lt.ID = uint16(i)
		if s.r.Types = append(s.r.Types, lt); !s.r.AddMessages(lt) {
			return fmt.Errorf("ross: Define: the types have too many messages: %w: give at most %d", ErrModel,
				kernel.MaxMessages)
		}
	}
	tellApart(s.r.Types)
	return s.r.CheckResults()
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

// assignLPs sees that every LP has a type: by Config.TypeMap, or by the numbers of LPs of the types.
func (s *Simulation) assignLPs(types []LPType) error {
	total, without := countLPs(types)
	switch {
	case total == 0 && len(types) > 1 && s.r.TypeMap == nil:
		return fmt.Errorf(
			"ross: Define: %d types and no Config.TypeMap: %w: set it to say which type each LP has, or LPs of each type",
			len(types), ErrModel)
	case total == 0:
		return nil
	case s.cfg.TypeMap != nil:
		return fmt.Errorf("ross: Define: types have numbers of LPs, and there is a Config.TypeMap: %w: give one of them",
			ErrModel)
	case without >= 0:
		return fmt.Errorf(
			"ross: Define: type %d of %d has no number of LPs, others have one: %w: set LPs of each type, or of none", without,
			len(types), ErrModel)
	case s.cfg.LPs == 0 && !s.cfg.nlpGiven:
		s.cfg.LPs, s.r.Set.LPs, s.r.Total = total, uint64(total), uint64(total)
	case uint64(total) != s.r.Total:
		return fmt.Errorf(
			"ross: Define: the types have %d LPs together, the configuration has %d: %w: leave out --lps, --nlp and Config.LPs, and the types count", total, s.r.Total, ErrModel)
	}
	ends := make([]uint64, len(types))
	sum := uint64(0)
	for i, t := range types {
		sum += uint64(t.lps())
		ends[i] = sum
	}
	if len(types) > 1 {
		s.r.TypeMap = func(gid uint64) int {
			i, found := slices.BinarySearch(ends, gid)
			if found {
				i++
			}
			return i
		}
	}
	return nil
}

// CountLPs returns the number of LPs that the types have together (Type.LPs), and 0 if they do not say. A program that
// needs it between New and Define gives it to Config.LPs; others need not call it.
func CountLPs(types ...LPType) int {
	n, _ := countLPs(types)
	return n
}

// countLPs returns how many LPs the types say that they have, and the first that does not say so, or -1.
func countLPs(types []LPType) (total, without int) {
	without = -1
	for i, t := range types {
		if n := t.lps(); n > 0 {
			total += n
		} else if without < 0 {
			without = i
		}
	}
	return total, without
}

// accepted are options that have no effect except on the report, but for events. Programs of ROSS give them.
type accepted struct {
	extraMem, readBuffer, sendBuffer, clockRate, sampleCount uint64
	events                                                   uint64 // that the model asks each PE for
}

// AskEvents notes how many events a model asks each PE for (g_tw_events_per_pe), and how many of them for those beyond
// the end of the run (g_io_events_buffered_per_rank). The report of ROSS shows the first number. The memory of these
// events is taken before the clock of the run starts: for up to 65,536 more than Init sends, and at most a share of the
// memory. In any case memory grows as a run needs it.
func (c *Config) AskEvents(perPE, _ uint64) { c.accepted.events = perPE }

// settings returns the settings that the engine uses: those of c, by their names.
func (c *Config) settings() *settings.Settings {
	to := &settings.Settings{ClockRate: c.accepted.clockRate, Events: c.accepted.events, Knobs: c.knobs.Knobs}
	copyByName(reflect.ValueOf(to).Elem(), reflect.ValueOf(c).Elem())
	if c.Record != RecordNothing {
		to.Digest, to.DigestsOfLPs = true, c.Record == RecordLPs
	}
	return to
}

// copyByName gives the fields of a structure, and of its groups, the values of those of another one that have the same
// names. Numbers may be of other types, and what has names is a string (Implementation).
func copyByName(to, from reflect.Value) {
	for i := range to.NumField() {
		field, of := to.Field(i), from.FieldByName(to.Type().Field(i).Name)
		switch {
		case !of.IsValid(): // settings sets it
		case field.Kind() == reflect.Struct:
			copyByName(field, of)
		case field.Kind() == reflect.String && of.Kind() != reflect.String:
			field.SetString(of.Interface().(fmt.Stringer).String())
		default:
			field.Set(of.Convert(field.Type()))
		}
	}
}

func init() {
	inside.Ross = inside.Entrance{
		Engine: func(sim any) *run.Engine { return &sim.(*Simulation).r },
		PE:     func(pe any) *run.PE { return &pe.(*PE).r },
		Knobs:  func(cfg any) *inside.Knobs { return &cfg.(*Config).knobs },
		LPType: func(lps int, build func(*settings.Settings) (*kernel.Type, error)) any {
			return foreignType{lps, build}
		},
		Messages: func(handler any, typeName string) ([]*kernel.Message, error) {
			return handler.(Handler[struct{}]).messages(nil, typeName)
		},
	}
}

// foreignType is a type of LPs that is no Go type, which another package of the module makes.
type foreignType struct {
	n     int
	build func(set *settings.Settings) (*kernel.Type, error)
}

func (f foreignType) lps() int                                            { return f.n }
func (f foreignType) lpType(set *settings.Settings) (*kernel.Type, error) { return f.build(set) }
