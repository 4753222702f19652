// This file pins that events which cannot be undone are not, although GVT is still at their place.

package ross

import (
	"testing"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/testlevel"
)

// TestRollbackToGVTKeepsWhatCannotBeUndone has PEs undo what is not before GVT in each turn of most rounds, which
// includes the event at GVT. If they did so in all rounds, there would be a message under way in each that
// cancels the event at GVT, where PEs take turns on one processor.
func TestRollbackToGVTKeepsWhatCannotBeUndone(t *testing.T) {
	const end = 1.5
	want, _ := cook(t, true, end, nil)
	for _, pes := range testlevel.Pick([]int{1, 2}, []int{1, 2}, []int{2}) {
		modeltest.Watch(t)
		modeltest.Until(t, "what cannot be undone was at GVT", func() bool {
			kept := make([]int, pes)
			got, _ := cook(t, true, end, func(c *Config) {
				kitchenOn(pes)(c)
				c.GVTInterval, c.Batch, c.FixedGVT = 16, 2, true
				c.knobs.disturb = func(pe *run.PE) {
					if pe.Member.Busy() && !pe.Red || pe.Counts.GVTs%16 == 0 {
						return // it may have said that nothing before the next GVT will be undone
					}
					pe.RollbackTo(&pe.Bound)
					kept[pe.ID] += pe.Uncommitted
				}
			})
			requireSame(t, want, got)
			return kept[0] > 0
		})
	}
}
