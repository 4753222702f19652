// This file owns the options of the run that stored a checkpoint: how they are listed in it, and what it
// means if those of the run that starts from it differ.

package ross

import (
	"bytes"
	"fmt"
	"github.com/ross-go/ross/cmdline"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// The sections of the list are headings, each with lines of an option and its value, and an empty line.
const (
	modelSection = "Model"
	optionWidth  = 19 // of a name with its dashes, at least
)

// varying returns the names of options that may differ from those of a checkpoint.
func varying(options iter.Seq[cmdline.Setting]) (names []string) {
	for o := range options {
		if o.Varies {
			names = append(names, o.Name)
		}
	}
	return names
}

// settings lists the options of the run, as the description of a checkpoint has them.
func (s *Simulation) settings() string {
	var b bytes.Buffer
	o := NewOptions("")
	c := s.cfg
	c.Register(o)
	list := func(name, value string) { fmt.Fprintf(&b, "  %-*s %s\n", optionWidth, name, onOneLine(value)) }
	if len(c.modelOptions) > 0 {
		fmt.Fprintf(&b, "%s:\n", modelSection)
		for _, item := range c.modelOptions {
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

// onOneLine quotes a value that would not stay on its line.
func onOneLine(value string) string {
	if strings.ContainsFunc(value, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(value)
	}
	return value
}

// storedOption is an option of the run that stored a checkpoint, as it is listed.
type storedOption struct{ name, value string }

// storedOptions reads a list: the options of the model, and those of the engine.
func storedOptions(settings string) (model, engine []storedOption) {
	section := ""
	for line := range strings.Lines(settings) {
		line = strings.TrimSuffix(line, "\n")
		option, indented := strings.CutPrefix(line, "  ")
		name, _, _ := strings.Cut(option, " ")
		at := max(len(name), optionWidth) + 1
		switch {
		case !indented:
			section = strings.TrimSuffix(line, ":")
		case len(option) < at: // not a list of ours
		case section == modelSection:
			model = append(model, storedOption{name, option[at:]})
		default:
			engine = append(engine, storedOption{name, option[at:]})
		}
	}
	return model, engine
}

// compareOptions returns an error if the run has other options of the model than those that the checkpoint
// was stored with, or seeds that will have no effect.
func (l *loading) compareOptions(s *Simulation) error {
	model, engine := storedOptions(l.cp.Info().Settings)
	var differ, added, removed []string
	compare := func(name, now, stored string) {
		if now != stored {
			differ = append(differ, fmt.Sprintf("option %s is %s in it and %s in this run", name, cmdline.Quote(stored), cmdline.Quote(now)))
		}
	}
	valueIn := func(list []storedOption, name string) (string, bool) {
		at := slices.IndexFunc(list, func(o storedOption) bool { return o.name == name })
		if at < 0 {
			return "", false
		}
		return list[at].value, true
	}
	c := &s.cfg
	if len(model) > 0 && len(c.modelOptions) > 0 {
		var known []string
		for _, item := range c.modelOptions {
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
				removed = append(removed, o.name+"="+cmdline.Quote(o.value))
			}
		}
	}
	for _, set := range []struct {
		name  string
		seeds [4]uint64
	}{{"rng-seed", c.Seeds}, {"core-rng-seed", c.CoreSeeds}} {
		for i, seed := range set.seeds {
			name := fmt.Sprintf("--%s%d", set.name, i+1)
			if stored, ok := valueIn(engine, name); ok && seed != 0 { // the streams of the LPs are loaded
				compare(name, strconv.FormatUint(seed, 10), stored)
			}
		}
	}
	if len(differ) > 0 && !c.IOOtherOptions {
		return l.fail(ErrCheckpoint, "give those that it was stored with, or --io-other-options if this is meant", "%s", strings.Join(differ, "; "))
	}
	if len(added) > 0 {
		differ = append(differ, "the model did not have "+strings.Join(added, " ")+" when it was stored")
	}
	if len(removed) > 0 {
		differ = append(differ, "it was stored with "+strings.Join(removed, " ")+", which the model no longer has")
	}
	if len(differ) > 0 {
		s.caution("checkpoint %s: %s", l.name, strings.Join(differ, "; "))
	}
	return nil
}

// varies reports whether an option of the model may differ.
func (l *loading) varies(s *Simulation, name string) bool {
	return name == "--nlp" || slices.Contains(s.cfg.varying, name)
}

// tellVersions tells if the checkpoint was stored by another version of the model.
func (l *loading) tellVersions(s *Simulation) {
	if stored, now := l.cp.Info().Model, s.io.model; stored != "" && now != "" && stored != now {
		s.caution("checkpoint %s: it was stored by version %s of the model, and this is version %s", l.name, cmdline.Quote(stored), cmdline.Quote(now))
	}
}
