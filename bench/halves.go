// This file owns Halves: what two PEs lose to each other.

package bench

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/ross-go/ross/bench/internal/median"
)

// Halves compares two PEs with two runs of one PE each, at the same time, of half the model: these lose nothing to each
// other. What the machine does to both, others that use it and the clock under load, cancels out.
type Halves struct {
	TimeWarp // with one PE: one half
}

func (h Halves) String() string { return fmt.Sprintf("case=%s/synch=%d", h.Case, h.Synch) }

// turns is how often both are measured, in turns.
const turns = 9

// Run reports the rate of two PEs over the sum of the rates of two halves, the median of some turns, and both rates in
// million events a second. Each run has at least b.N events.
func (h Halves) Run(b *testing.B) {
	whole, half := h.TimeWarp, h.TimeWarp
	whole.PEs, half.PEs, half.LPs = 2, 1, h.LPs/2
	var ratios, together, apart []float64
	for range turns {
		rate, err := whole.rate(b.N)
		var of [2]float64
		var errs [2]error
		var both sync.WaitGroup
		for i := range of {
			both.Go(func() { of[i], errs[i] = half.rate(b.N) })
		}
		both.Wait()
		if err := errors.Join(err, errs[0], errs[1]); err != nil {
			b.Fatal(err)
		}
		ratios = append(ratios, rate/(of[0]+of[1]))
		together, apart = append(together, rate/1e6), append(apart, (of[0]+of[1])/1e6)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median.Of(ratios), "2PEs/halves")
	b.ReportMetric(median.Of(together), "Mev/s")
	b.ReportMetric(median.Of(apart), "Mev/s-halves")
}

// rate runs the workload, with at least n events, and returns its events per second.
func (w TimeWarp) rate(n int) (float64, error) {
	cfg := w.config()
	cfg.Tuning.FixedKPs = true // on a busy machine one PE would soon handle all events
	did, err := runOnce(cfg, n, w.LPs*w.Events, w.Model())
	return did.EventRate(), err
}
