// This file owns the comparison of a checkpoint with the simulation that is to start from it.

package checkpoint

import (
	"path/filepath"
	"slices"

	"github.com/ross-go/ross/internal/kernel"
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
	l := &loading{name: name, Mode: mode, cp: cp, AsROSS: s.Run.Set.IOAsROSS || cp.Original()}
	if !l.AsROSS {
		l.clock = cp.Info().Clock
	}
	if err := l.fits(s); err != nil {
		return l, err
	}
	return l, nil
}

// fits compares the checkpoint with the simulation.
func (l *loading) fits(s *Checkpoints) error {
	info := l.cp.Info()
	switch {
	case info.LPs != s.Run.Total:
		return l.fail(Err, "use the same number: --nlp times PEs", "it has %d LPs, the simulation has %d", info.LPs, s.Run.Total)
	case uint64(info.Streams) != s.Run.Set.RNGsPerLP:
		return l.fail(Err, "set Config.RNGsPerLP", "its LPs have %d random streams, those of the simulation %d", info.Streams, s.Run.Set.RNGsPerLP)
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
	if err := l.compareOptions(s); err != nil {
		return err
	}
	for i := range info.Types {
		t, err := l.typeLike(s, i, &info.Types[i])
		if err != nil {
			return err
		}
		l.types = append(l.types, t)
	}
	return nil
}

// typeLike returns the LP type of the model that corresponds to type i of the checkpoint.
func (l *loading) typeLike(s *Checkpoints, i int, is *rio.Type) (*kernel.Type, error) {
	at := slices.IndexFunc(s.Run.Types, func(t *kernel.Type) bool { return t.Name == is.Name })
	if i < len(s.Run.Types) && s.Run.Types[i].Name == is.Name { // several types may have the same name
		at = i
	}
	if at < 0 {
		var names []string
		for _, t := range s.Run.Types {
			names = append(names, t.Name)
		}
		return nil, l.fail(Err, sameModel, "it has LPs of type %q, which the model does not have; it has only %q", is.Name, names)
	}
	t := s.Run.Types[at]
	switch {
	case is.MessageSize != uint64(t.MsgSize):
		return nil, l.fail(Err, sameModel, "messages to LPs of type %q have %d bytes in it, and %d in the model", t.Name, is.MessageSize, t.MsgSize)
	case is.Message != t.Serial.Message:
		return nil, l.fail(Err, sameModel, "messages to LPs of type %q have other fields in it than in the model", t.Name)
	case is.Serialized != (t.Serial.Get != nil):
		return nil, l.fail(Err, sameModel, "states of LPs of type %q were serialized by the model, or are now, but not both", t.Name)
	case !is.Serialized && is.StateSize != uint64(t.StateSize):
		return nil, l.fail(Err, sameModel, "states of LPs of type %q have %d bytes in it, and %d in the model", t.Name, is.StateSize, t.StateSize)
	case !is.Serialized && is.State != t.Serial.State:
		return nil, l.fail(Err, sameModel, "states of LPs of type %q have other fields in it than in the model", t.Name)
	}
	return t, nil
}
