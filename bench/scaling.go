// This file owns Scaling: PHOLD's rate while one of its parameters grows.

package bench

import (
	"fmt"
	"testing"

	"github.com/ross-go/ross"
)

// Scaling is one point of the picture scaling.svg: PHOLD with one parameter changed, the others
// as in workload B. LPs and events are those of all PEs together.
type Scaling struct {
	By                string  // the parameter: pending, lps, remote, lookahead or pes
	At                float64 // its value
	LPs               int
	Events            int // pending for each LP
	Remote, Lookahead float64
	Synch             ross.Scheduler // Sequential, Conservative or Optimistic
	PEs               int
}

func (s Scaling) String() string {
	return fmt.Sprintf("by=%s/at=%v/synch=%d/pes=%d", s.By, s.At, s.Synch, s.PEs)
}

// ScalingCells returns all points of the picture. The conservative scheduler has none at lookahead
// 0, with which it cannot run.
func ScalingCells() (cells []Scaling) {
	base := Scaling{LPs: WorkloadB.LPs, Events: WorkloadB.Events, Remote: WorkloadB.Remote, Lookahead: pholdLookahead}
	pending := base.LPs * base.Events
	add := func(by string, at float64, change func(*Scaling)) {
		s := base
		s.By, s.At = by, at
		change(&s)
		s.Synch, s.PEs = ross.Sequential, 1
		cells = append(cells, s)
		s.PEs = 2
		for _, s.Synch = range []ross.Scheduler{ross.Optimistic, ross.Conservative} {
			if s.Synch != ross.Conservative || s.Lookahead > 0 {
				cells = append(cells, s)
			}
		}
	}
	for n := 16; n <= 1<<16; n *= 4 {
		add("pending", float64(n), func(s *Scaling) { s.LPs = min(n, base.LPs); s.Events = n / s.LPs })
	}
	for n := 16; n <= pending; n *= 4 {
		add("lps", float64(n), func(s *Scaling) { s.LPs, s.Events = n, pending/n })
	}
	shares := []float64{0, 0.1, 0.25, 0.5, 0.75, 1}
	for _, x := range shares {
		add("remote", x, func(s *Scaling) { s.Remote = x })
	}
	for _, x := range shares {
		add("lookahead", x, func(s *Scaling) { s.Lookahead = x })
	}
	for _, n := range []int{1, 2, 4} {
		s := base
		s.By, s.At, s.PEs = "pes", float64(n), n
		for _, s.Synch = range []ross.Scheduler{ross.Sequential, ross.Optimistic, ross.Conservative} {
			if s.Synch != ross.Sequential || n == 1 {
				cells = append(cells, s)
			}
		}
	}
	return cells
}

// Run measures one committed event, in runs of at least b.N of them.
func (s Scaling) Run(b *testing.B) {
	run(b, s.config(), s.LPs*s.Events, s.model())
}

func (s Scaling) config() ross.Config {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP = s.Synch, s.PEs, int(s.LPs/s.PEs)
	if s.Synch == ross.Conservative {
		cfg.ConsLookahead = s.Lookahead
	}
	return cfg
}

func (s Scaling) model() ross.LPType {
	return parallelPhold(s.LPs, s.Events, s.Remote, s.Lookahead)
}
