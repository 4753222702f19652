// This file owns the comparison of the ranks before a run: their programs, options and LPs
// must be the same.

package ross

import (
	"fmt"
	"iter"

	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/internal/ranks"
)

// ownOptions holds the options that may differ between ranks, because they have no effect on
// other ranks.
var ownOptions = map[string]bool{"--max-memory": true, "--pq": true, "--args-file": true, "--report": true}

// items returns options and their values as part of a rank's description.
func items(options iter.Seq[cmdline.Setting]) (all ranks.Description) {
	for o := range options {
		if !ownOptions[o.Name] && !o.Hidden {
			all = append(all, ranks.Item{Section: "option", Name: o.Name, Value: o.Value})
		}
	}
	return all
}

// compareSettings returns an error if the ranks run different programs or have different
// options.
func (s *Simulation) compareSettings() error {
	if s.r.Cluster.Ranks <= 1 {
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
	return s.r.Cluster.Compare(d)
}

// compareLPs returns an error if the ranks have different LPs.
func (s *Simulation) compareLPs() error {
	if s.r.Cluster.Ranks <= 1 {
		return nil
	}
	d := ranks.Description{{Section: "LPs", Name: "number", Value: fmt.Sprint(s.r.Total)}}
	for i, t := range s.r.Types {
		section := fmt.Sprintf("LP type %d", i)
		d = append(d,
			ranks.Item{Section: section, Name: "name", Value: t.Name},
			ranks.Item{Section: section, Name: "state size (bytes)", Value: fmt.Sprint(t.StateSize)})
		for _, m := range t.Messages {
			d = append(d,
				ranks.Item{Section: section, Name: "message", Value: m.Name},
				ranks.Item{Section: section, Name: "message size (bytes)", Value: fmt.Sprint(m.Size)})
		}
	}
	return s.r.Cluster.Compare(d)
}
