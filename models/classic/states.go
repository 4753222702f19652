// This file owns the states of LPs as text.

package classic

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/ross-go/ross"
)

// Kind returns the lines of the LPs of one type.
type Kind func(sim *ross.Simulation) ([]line, error)

// line is the state of an LP.
type line struct {
	Number uint64
	Text   string
}

// States returns the Kind of LPs with an S as their state: text writes one, without the id.
func States[S any](text func(lp *ross.LP, s *S) string) Kind {
	return NumberedStates(func(lp *ross.LP) uint64 { return uint64(lp.ID()) }, text)
}

// NumberedStates is States with numbers that stand in place of the ids.
func NumberedStates[S any](number func(lp *ross.LP) uint64, text func(lp *ross.LP, s *S) string) Kind {
	return func(sim *ross.Simulation) ([]line, error) {
		return ross.Gather(sim, func(lp *ross.LP, s *S) line { return line{number(lp), text(lp, s)} })
	}
}

// writeStates writes "number text" for all LPs in the order of numbers. Only rank 0 writes.
func (r *Recorder) writeStates(sim *ross.Simulation, kinds []Kind) error {
	var all []line
	for _, kind := range kinds {
		of, err := kind(sim)
		if err != nil {
			return err
		}
		all = append(all, of...)
	}
	if sim.Rank() != 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b line) int { return cmp.Compare(a.Number, b.Number) })
	f, err := create("states", r.states)
	if err != nil {
		return err
	}
	for _, l := range all {
		f.line = append(append(append(strconv.AppendUint(f.line[:0], l.Number, 10), ' '), l.Text...), '\n')
		f.w.Write(f.line)
	}
	return f.publish()
}
