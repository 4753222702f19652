// This file owns Trial: one replication at one point, as the model's Run sees it.

package experiment

import (
	"errors"
	"sync"

	"github.com/ross-go/ross"
)

// Trial is one replication at one point.
type Trial struct {
	Point       Point
	Replication uint64 // from 0
	Seed        uint64 // of the experiment
	// SideBySide says that other replications run at the same time, so that this one should be
	// sequential.
	SideBySide bool

	lock sync.Mutex
	err  error // the first wrong use of Float, Int, Text or Bool
}

// Configure sets the seeds and Replication in the configuration of a simulation. If other replications
// run at the same time, it also makes the simulation sequential, with all LPs on one PE.
func (t *Trial) Configure(cfg *ross.Config) {
	cfg.Seed, cfg.Replication = t.Seed, t.Replication
	cfg.Seeds, cfg.CoreSeeds = [4]uint64{}, [4]uint64{}
	if t.SideBySide {
		if cfg.TotalLPs == 0 && cfg.PEs > 1 {
			cfg.NLP *= uint64(cfg.PEs)
		}
		cfg.Synch, cfg.PEs = ross.Sequential, 1
	}
}

// Float returns the value of a parameter that is a float64. A parameter that does not exist, or is of
// another type, is 0, and the replication then fails with an error that names it. Handlers should use
// variables that were set before the run, because Float searches the point.
func (t *Trial) Float(name string) float64 { return value[float64](t, name) }

// Int returns the value of a parameter that is an int, with the same rules as Float.
func (t *Trial) Int(name string) int { return value[int](t, name) }

// Text returns the value of a parameter that is a string, with the same rules as Float.
func (t *Trial) Text(name string) string { return value[string](t, name) }

// Bool returns the value of a parameter that is a bool, with the same rules as Float.
func (t *Trial) Bool(name string) bool { return value[bool](t, name) }

func value[T any](t *Trial, name string) T {
	v, err := find[T](t.Point, name)
	if err != nil {
		t.lock.Lock() // handlers on several PEs may call it
		defer t.lock.Unlock()
		if t.err == nil {
			t.err = err
		}
	}
	return v
}

// failure returns the error of a replication whose Run returned err.
func (t *Trial) failure(err error) error {
	t.lock.Lock()
	defer t.lock.Unlock()
	return errors.Join(t.err, err)
}
