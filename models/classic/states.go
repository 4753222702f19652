// This file owns the states of LPs as text.

package classic

import (
	"slices"
	"strconv"

	"github.com/ross-go/ross"
)

// Kind returns the lines of the LPs of one type.
type Kind func(sim *ross.Simulation) ([]line, error)

// line is the state of an LP.
type line struct {
	ID   ross.LPID
	Text string
}

// States returns the Kind of LPs with an S as their state: text writes one, without the id.
func States[S any](text func(lp *ross.LP, s *S) string) Kind {
	return func(sim *ross.Simulation) ([]line, error) {
		return ross.Gather(sim, func(lp *ross.LP, s *S) line { return line{lp.ID(), text(lp, s)} })
	}
}

// writeStates writes "id text" for all LPs in the order of ids. Only rank 0 writes.
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
	slices.SortFunc(all, func(a, b line) int { return int(int64(a.ID) - int64(b.ID)) })
	f, err := create("states", r.states)
	if err != nil {
		return err
	}
	for _, l := range all {
		f.line = append(append(appendID(f.line[:0], l.ID), l.Text...), '\n')
		f.w.Write(f.line)
	}
	return f.publish()
}

func appendID(b []byte, id ross.LPID) []byte {
	return append(strconv.AppendUint(b, uint64(id), 10), ' ')
}
