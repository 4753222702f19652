// This file owns what the ranks of a run compare before it starts: the program, the
// options, and the LPs.

package ross

import (
	"fmt"
	"iter"

	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/internal/ranks"
)

// ownOptions are those in which ranks may differ: what they do has no effect on the
// others.
var ownOptions = map[string]bool{"--max-memory": true, "--pq": true, "--args-file": true}

// items lists options with their values.
func items(options iter.Seq[cmdline.Setting]) (all ranks.Description) {
	for o := range options {
		if !ownOptions[o.Name] && !o.Hidden {
			all = append(all, ranks.Item{Section: "option", Name: o.Name, Value: o.Value})
		}
	}
	return all
}

// compareSettings returns an error if ranks are different programs, or have different
// options.
func (s *Simulation) compareSettings() error {
	if s.ranks <= 1 {
		return nil
	}
	c := s.cfg
	o := NewOptions("")
	c.Register(o)
	program, err := ranks.Program()
	if err != nil {
		program = err.Error()
	}
	d := ranks.Description{{Section: "program", Name: "SHA-256", Value: program}}
	d = append(d, c.modelOptions...)
	d = append(d, items(o.Engine())...)
	for _, set := range []struct {
		name  string
		value any
	}{
		{"NLP", c.NLP}, {"RNGsPerLP", c.RNGsPerLP}, {"TotalLPs", c.TotalLPs}, {"Mapping", c.Mapping},
		{"EngineStats without", c.withoutMode}, {"HookTrigger", fmt.Sprint(c.HookTrigger)}, {"GVTHook", c.GVTHook != nil}, {"TypeMap", c.TypeMap != nil},
	} {
		d = append(d, ranks.Item{Section: "Config", Name: set.name, Value: fmt.Sprint(set.value)})
	}
	return s.compare(d)
}

// compareLPs returns an error if ranks have different LPs.
func (s *Simulation) compareLPs() error {
	if s.ranks <= 1 {
		return nil
	}
	d := ranks.Description{{Section: "LPs", Name: "number", Value: fmt.Sprint(s.total)}}
	for i, t := range s.types {
		section := fmt.Sprintf("LP type %d", i)
		d = append(d,
			ranks.Item{Section: section, Name: "name", Value: t.name},
			ranks.Item{Section: section, Name: "message", Value: t.msgName},
			ranks.Item{Section: section, Name: "message size (bytes)", Value: fmt.Sprint(t.msgSize)},
			ranks.Item{Section: section, Name: "state size (bytes)", Value: fmt.Sprint(t.stateSize)})
	}
	return s.compare(d)
}

func (s *Simulation) compare(d ranks.Description) error {
	err := ranks.Check(s.world, d)
	s.parting = err != nil
	return err
}
