// This file owns Auto: runs of any length whose scheduler is chosen while they go on, beside those
// whose scheduler is given.

package bench

import (
	"fmt"
	"testing"

	"github.com/ross-go/ross"
)

// Auto is a cell of the table of schedulers: PHOLD with a lookahead of 0.1, on two PEs unless it is
// sequential.
type Auto struct {
	Case string // A or B, as in the table of Time Warp, or C: 16 LPs with an event each
	Workload
	Synch ross.Scheduler
}

// Workload is a PHOLD of some LPs, of events pending for each, and of a share of remote events.
type Workload struct {
	LPs, Events int
	Remote      float64
}

func (a Auto) String() string { return fmt.Sprintf("case=%s/synch=%v", a.Case, a.Synch) }

// AutoCells returns all cells of the table.
func AutoCells() (cells []Auto) {
	for _, c := range []Auto{
		{Case: "A", Workload: Workload{WorkloadA.LPs, WorkloadA.Events, WorkloadA.Remote}},
		{Case: "B", Workload: Workload{WorkloadB.LPs, WorkloadB.Events, WorkloadB.Remote}},
		{Case: "C", Workload: Workload{16, 1, WorkloadA.Remote}},
	} {
		for _, c.Synch = range []ross.Scheduler{ross.Sequential, ross.Conservative, ross.Optimistic, ross.Auto} {
			cells = append(cells, c)
		}
	}
	return cells
}

// Run measures one committed event, in runs of at least b.N of them.
func (a Auto) Run(b *testing.B) {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.TotalLPs, cfg.ConsLookahead = a.Synch, 2, uint64(a.LPs), pholdLookahead
	if a.Synch == ross.Sequential {
		cfg.PEs = 1
	}
	run(b, cfg, a.LPs*a.Events, parallelPhold(a.LPs, a.Events, a.Remote, pholdLookahead))
}
