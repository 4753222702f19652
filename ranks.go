// This file owns what the ranks of a run do together: calls of a Simulation that begin by comparing what the ranks
// call, the comparison of programs, options and LPs before a run, and what programs may have to call themselves.

package ross

import (
	"errors"
	"fmt"
	"iter"

	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/world"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/program/cmdline"
)

// collective begins a call that all ranks make. call says what it is, and err is the error that this rank already
// has, such as that of a call at the wrong time. collective returns an error on all ranks if they do not all make
// this call, or if one of them has an error.
func (s *Simulation) collective(call string, err error) error {
	switch {
	case s.r.Cluster.Ranks <= 1 || err != nil && (s.inside != "" || s.stage == stageClosed):
		return err
	case s.stage == stageClosed:
		return fmt.Errorf("ross: %s: the simulation is closed: call it before Close", call)
	case s.inside != "": // the other ranks may be elsewhere in it
		return fmt.Errorf("ross: %s: called by the model in %s: in a run of several ranks, call it when that has returned",
			call, s.inside)
	}
	return s.r.Cluster.Call(call, err)
}

// enters notes that a call is going on in which the model is called. The caller calls the result at its end.
func (s *Simulation) enters(call string) (leaves func()) {
	s.inside = call
	return func() { s.inside = "" }
}

// errDefined is the error of a Define that is not the first.
var errDefined = errors.New("ross: Define: called before on this simulation: make another one with New")

// errNotAtStart is the error of a Run at the wrong time.
var errNotAtStart = errors.New(
	"ross: Run: the simulation is not at its start: call New, Define, Run once each, in this order")

// callOfStore returns what this rank calls when it calls Store.
func callOfStore(name string, appends bool) string {
	call := "Store of " + baseOf(name)
	if appends {
		call += " Appending"
	}
	return call
}

// ownOptions holds the options that may differ between ranks, because they have no effect on
// other ranks.
var ownOptions = map[string]bool{"--max-memory": true, "--pq": true, "--args-file": true, "--report": true,
	"--report-path": true}

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
		{"NLP", c.NLP}, {"Streams.PerLP", c.Streams.PerLP}, {"LPs", c.LPs}, {"Mapping", mappingName(c.Mapping)},
		{"Instruments.Engine", c.Instruments.Engine}, {"Checkpoints.AfterRun", c.Checkpoints.AfterRun},
		{"HookTrigger", fmt.Sprint(c.HookTrigger)}, {"GVTHook", c.GVTHook != nil}, {"TypeMap", c.TypeMap != nil},
	} {
		d = append(d, ranks.Item{Section: "Config", Name: set.name, Value: fmt.Sprint(set.value)})
	}
	return s.r.Cluster.Compare(d)
}

// mappingName says which mapping ranks have, without the functions of the model, which are elsewhere in each.
func mappingName(m mapping.Mapping) string {
	if kind, ok := m.(mapping.Kind); ok {
		return kind.String()
	}
	return fmt.Sprintf("%T", m)
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

// KeepMPI starts MPI, if the program was built with it and started by a launcher, and keeps it
// until end is called. MPI can be started only once in a process: without KeepMPI it ends when
// the last simulation is closed, and no other can be made after that.
func KeepMPI() (end func() error, err error) {
	if !mpi.Enabled || ranks.Launcher() == "" {
		return func() error { return nil }, nil
	}
	w, err := world.MPI(mpi.Multiple, nil)
	if err != nil {
		return nil, err
	}
	return w.Close, nil
}

// ShouldPrint reports whether this rank is the one that must print err, an error of New, Define or
// Run: if one rank fails, all return the error. In a run of one rank it is true for every
// error.
func ShouldPrint(err error) bool { return ranks.ShouldPrint(err) }
