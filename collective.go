// This file owns the calls of a Simulation that the ranks make together: each begins by comparing what the ranks
// call.

package ross

import (
	"errors"
	"fmt"
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
		return fmt.Errorf("ross: %s: called by the model in %s: in a run of several ranks, call it when that has returned", call, s.inside)
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
var errNotAtStart = errors.New("ross: Run: the simulation is not at its start: call New, Define, Run once each, in this order")

// callOfStore returns what this rank calls when it calls StoreCheckpoint.
func (s *Simulation) callOfStore(name string) string {
	call := "StoreCheckpoint of " + baseOf(name)
	if s.r.Checkpoints.Appends {
		call += " after AppendingJob"
	}
	return call
}
