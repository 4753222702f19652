// This file owns the comparison of a checkpoint with the simulation that is to start from it.

package checkpoint

import (
	"path/filepath"

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
	switch {
	case info.LPs != s.Run.Total:
		return l.fail(Err, "use the same number: --lps, or --nlp times PEs", "it has %d LPs, the simulation has %d", info.LPs, s.Run.Total)
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
