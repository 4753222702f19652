// The real times of an event trace.

package ross

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/modeltest"
)

func TestRealTimesOfATraceAreThoseOfTheRun(t *testing.T) {
	for _, synch := range []int{1, 2, 3, 6} {
		for _, what := range []TraceKind{TraceAll, TraceCommitted} {
			t.Run(fmt.Sprintf("synch=%d/trace=%d", synch, what), func(t *testing.T) {
				modeltest.Watch(t)
				dir := filepath.Join(t.TempDir(), "stats")
				l := spreadLoad()
				l.end = 3
				const pause = 20 * time.Millisecond
				var once sync.Once
				l.change = func(lp *LP, _ uint64, _ *parcel) {
					if lp.Now() > 1 {
						once.Do(func() { time.Sleep(pause) })
					}
				}
				cfg := DefaultConfig()
				cfg.NLP, cfg.End, cfg.Synch, cfg.ConsLookahead = loadLPs, l.end, Scheduler(synch), 0.1
				cfg.EventTrace, cfg.StatsPath = int(what), dir
				sim, err := New(cfg)
				require.NoError(t, err)
				defer sim.Close()
				require.NoError(t, sim.Define(l.lpType()))
				require.NoError(t, sim.Run(t.Context()))
				last := float32(0)
				all := modeltest.Records(t, dir, instr.TraceSuffix)
				for i := range all {
					e := &all[i].Event
					require.GreaterOrEqual(t, e.RealTS, last, "one PE writes in the order of time")
					last = e.RealTS
				}
				require.Positive(t, all[0].Event.RealTS)
				require.LessOrEqual(t, float64(last), sim.Stats().Runtime*1.0001+1e-5)
				require.Greater(t, float64(last), pause.Seconds())
			})
		}
	}
}
