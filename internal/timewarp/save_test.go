// This file pins what Save does where there is nothing to save.

package timewarp_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
)

// TestSaveOfStatesWithoutSizeDoesNothing runs types of LPs that have no state, in all
// ways to be undone.
func TestSaveOfStatesWithoutSizeDoesNothing(t *testing.T) {
	type nothing struct{}
	for _, saving := range []ross.Saving{ross.SaveByLog, ross.SaveByDelta, ross.SaveByReverse, ross.SaveNever} {
		model := ross.Type[nothing, nothing]{
			Saving: saving,
			Init:   func(_ *nothing, lp *ross.LP) { ross.Send(lp, lp.ID(), rand.Float64(), nothing{}) },
			Event: func(s *nothing, lp *ross.LP, _ *ross.Bits, m *nothing) {
				ross.Save(lp, s)
				ross.Save(lp, m)
				ross.Send(lp, lp.ID(), 1, nothing{})
			},
		}
		if saving == ross.SaveByReverse {
			model.Reverse = func(*nothing, *ross.LP, *ross.Bits, *nothing) {}
		}
		for _, synch := range []int{3, 6} {
			cfg := rosstest.Small()
			cfg.NLP, cfg.NKP, cfg.End, cfg.Synch = 8, 4, 40, ross.Scheduler(synch)
			rosstest.Run(t, cfg, model)
		}
	}
}
