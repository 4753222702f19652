// This file owns whether a checkpoint fits the simulation that is to start from it, and the options it was stored with.

package checkpoint

import (
	"bytes"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/rio"
)

// sameModel is the advice of errors about a checkpoint of another model.
const sameModel = "use the version of the model that stored it"

// openLoading reads the manifest of a checkpoint and verifies that it fits the simulation.
func (s *Checkpoints) openLoading(name string, mode LoadMode) (*loading, error) {
	cp, err := rio.Open(name)
	if err != nil {
		return nil, err
	}
	if newer := cp.Newer(); newer != nil {
		s.Run.Caution("checkpoint %s is the one before the newest of this name: %s", filepath.Clean(name), reason(newer))
	}
	l := &loading{name: name, Mode: mode, cp: cp, AsROSS: s.Run.Set.Checkpoints.AsROSS || cp.Original()}
	if !l.AsROSS {
		l.clock, l.warmUp = cp.Info().Clock, l.storedWarmUp(s.Run.Set.WarmUp)
	}
	if err := l.fits(s); err != nil {
		return l, err
	}
	return l, nil
}

// fits compares the checkpoint with the simulation.
func (l *loading) fits(s *Checkpoints) error {
	info := l.cp.Info()
	if !l.cp.Original() { // first, since an option may have set the number of LPs
		if err := l.compareOptions(s); err != nil {
			return err
		}
	}
	switch {
	case info.LPs != s.Run.Total:
		return l.fail(Err, "use the same number: --lps, or --nlp times PEs", "it has %d LPs, the simulation has %d", info.LPs,
			s.Run.Total)
	case uint64(info.Streams) != s.Run.Set.Streams.PerLP:
		return l.fail(Err, "set Config.Streams.PerLP", "its LPs have %d random streams, those of the simulation %d",
			info.Streams, s.Run.Set.Streams.PerLP)
	case !l.AsROSS && l.clock >= s.Run.Set.End:
		return l.fail(Err, "raise --end, or load it with --io-as-ross, which starts the clock at 0",
			"it was stored at virtual time %g, and the run ends at %g", l.clock, s.Run.Set.End)
	}
	for _, job := range l.cp.Jobs() {
		if !l.AsROSS && job.Clock != l.clock {
			return l.fail(Err, "load it with --io-as-ross, which starts all at 0",
				"it was put together from simulations stored at virtual times %g and %g", job.Clock, l.clock)
		}
	}
	if l.cp.Original() {
		return nil
	}
	rows := rowsOf(s.Run.Types)
	for i := range info.Types {
		r, err := l.rowLike(rows, i, &info.Types[i])
		if err != nil {
			return err
		}
		l.rows = append(l.rows, r)
	}
	return nil
}

// The options that a checkpoint was stored with: how it lists them, and their
// comparison with those of the run that starts from it.

// The list consists of sections: a heading, a line for each option and its value, an empty line.
const (
	modelSection = "Model" // heading of the model's options
	optionWidth  = 19      // minimum width of a name with its dashes
)

// Varying returns the names of options that may differ from those of a checkpoint.
func Varying(options iter.Seq[cmdline.Setting]) (names []string) {
	for o := range options {
		if o.Varies {
			names = append(names, o.Name)
		}
	}
	return names
}

// settings returns the list of the run's options, as a checkpoint contains it.
func (s *Checkpoints) settings() string {
	var b bytes.Buffer
	o := s.options()
	list := func(name, value string) { fmt.Fprintf(&b, "  %-*s %s\n", optionWidth, name, onOneLine(value)) }
	if len(s.modelOptions) > 0 {
		fmt.Fprintf(&b, "%s:\n", modelSection)
		for _, item := range s.modelOptions {
			list(item.Name, item.Value)
		}
		b.WriteByte('\n')
	}
	group := ""
	for opt := range o.Engine() {
		if opt.Hidden {
			continue
		}
		if opt.Group != group {
			if group != "" {
				b.WriteByte('\n')
			}
			group = opt.Group
			fmt.Fprintf(&b, "%s:\n", group)
		}
		list(opt.Name, opt.Value)
	}
	b.WriteByte('\n')
	return b.String()
}

// onOneLine quotes a value that does not fit on a line, or returns it as it is.
func onOneLine(value string) string {
	if strings.ContainsFunc(value, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(value)
	}
	return value
}

// storedOption is an option in the list of a checkpoint.
type storedOption struct{ name, Value string }

// StoredOptions reads a list, and returns the options of the model and those of the engine.
func StoredOptions(settings string) (model, engine []storedOption) {
	section := ""
	for line := range strings.Lines(settings) {
		line = strings.TrimSuffix(line, "\n")
		option, indented := strings.CutPrefix(line, "  ")
		name, _, _ := strings.Cut(option, " ")
		at := max(len(name), optionWidth) + 1
		switch {
		case !indented:
			section = strings.TrimSuffix(line, ":")
		case len(option) < at: // not in the format of settings
		case section == modelSection:
			model = append(model, storedOption{name, option[at:]})
		default:
			engine = append(engine, storedOption{name, option[at:]})
		}
	}
	return model, engine
}

// compareOptions returns an error if options of the model differ from those that the
// checkpoint was stored with, or if other seeds were given, which would have no effect. With
// --io-other-options it only warns.
func (l *loading) compareOptions(s *Checkpoints) error {
	model, engine := StoredOptions(l.cp.Info().Settings)
	var differ, added, removed []string
	compare := func(name, now, stored string) {
		if now != stored {
			differ = append(differ, fmt.Sprintf("option %s is %s in it and %s in this run", name, cmdline.Quote(stored),
				cmdline.Quote(now)))
		}
	}
	valueIn := func(list []storedOption, name string) (string, bool) {
		at := slices.IndexFunc(list, func(o storedOption) bool { return o.name == name })
		if at < 0 {
			return "", false
		}
		return list[at].Value, true
	}
	c := &s.Run.Set
	if len(model) > 0 && len(s.modelOptions) > 0 {
		var known []string
		for _, item := range s.modelOptions {
			known = append(known, item.Name)
			if l.varies(s, item.Name) {
				continue
			}
			if stored, ok := valueIn(model, item.Name); ok {
				compare(item.Name, onOneLine(item.Value), stored)
			} else {
				added = append(added, item.Name+"="+cmdline.Quote(item.Value))
			}
		}
		for _, o := range model {
			if !slices.Contains(known, o.name) {
				removed = append(removed, o.name+"="+cmdline.Quote(o.Value))
			}
		}
	}
	for _, set := range []struct {
		name  string
		seeds [4]uint64
	}{{"rng-seed", c.Streams.Seeds}, {"core-rng-seed", c.Streams.CoreSeeds}} {
		for i, seed := range set.seeds {
			name := fmt.Sprintf("--%s%d", set.name, i+1)
			// The seed has no effect on loaded streams.
			if stored, ok := valueIn(engine, name); ok && seed != 0 && !c.Checkpoints.Branch {
				compare(name, strconv.FormatUint(seed, 10), stored)
			}
		}
	}
	for _, set := range []struct {
		name  string
		value uint64
	}{{"--seed", c.Seed}, {"--replication", c.Replication}} {
		if stored, ok := valueIn(engine, set.name); ok && set.value != 0 && !c.Checkpoints.Branch {
			compare(set.name, strconv.FormatUint(set.value, 10), stored)
		}
	}
	if len(differ) > 0 && !c.Checkpoints.OtherOptions {
		return l.fail(Err, "give those that it was stored with, or --io-other-options if the difference is intended", "%s",
			strings.Join(differ, "; "))
	}
	if len(added) > 0 {
		differ = append(differ, "the model did not have "+strings.Join(added, " ")+" when it was stored")
	}
	if len(removed) > 0 {
		differ = append(differ, "it was stored with "+strings.Join(removed, " ")+", which the model no longer has")
	}
	if len(differ) > 0 {
		s.Run.Caution("checkpoint %s: %s", l.name, strings.Join(differ, "; "))
	}
	return nil
}

// varies reports whether an option of the model may differ.
func (l *loading) varies(s *Checkpoints, name string) bool {
	return name == "--nlp" || name == "--lps" || slices.Contains(s.varying, name)
}

// compareVersions warns if the checkpoint was stored by another version of the model.
func (l *loading) compareVersions(s *Checkpoints) {
	if stored, now := l.cp.Info().Model, s.Model; stored != "" && now != "" && stored != now {
		s.Run.Caution("checkpoint %s: it was stored by version %s of the model, and this is version %s", l.name,
			cmdline.Quote(stored), cmdline.Quote(now))
	}
}
