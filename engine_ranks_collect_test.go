// Files that several ranks write into: each record once, those of a flush in the order of
// the ranks.

package ross

import (
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/tracetest"
)

func TestRanksWriteTheSameFiles(t *testing.T) {
	want, _ := traced(t, int(TraceCommitted), func(c *Config) { c.End = 2 })
	for _, ranks := range testlevel.Pick([]int{2, 4}, []int{2, 4}, []int{2}) {
		for _, pes := range []int{1, 2} {
			for _, synch := range []int{2, 3} {
				t.Run(fmt.Sprintf("ranks=%d/pes=%d/synch=%d", ranks, pes, synch), func(t *testing.T) {
					dir := filepath.Join(t.TempDir(), "stats")
					l := spreadLoad()
					l.end = 2
					sims := checkRanks(t, l, ranks, func(c *Config) {
						sampled(dir)(c)
						c.PEs, c.Synch, c.ConsLookahead, c.VTInterval = pes, Scheduler(synch), 0.1, 0.5
						c.RTInterval = 20
						c.EventTrace, c.BufferSize, c.BufferFree = int(TraceCommitted), 1_000_000, 1
					})
					trace, err := tracetest.ReadBinary(filepath.Join(dir, "ross-stats-evtrace.bin"), nil)
					require.NoError(t, err)
					trace = slices.DeleteFunc(trace, func(r tracetest.Record) bool { return r.Dest >= loadLPs }) // analysis LPs
					require.NoError(t, tracetest.Compare(tracetest.ByDest(trace), tracetest.ByDest(want)))

					st := &sims[0].r.Stats
					var sum instr.PEStats
					var order []uint32
					real, reductions := map[uint32][]float64{}, map[uint32]uint64{}
					for _, r := range modeltest.Records(t, dir, instr.GVTSuffix) {
						if r.Kind == instr.KindPE {
							sum.Processed += r.PE.Processed
							sum.RolledBack += r.PE.RolledBack
							sum.NetworkSends += r.PE.NetworkSends
							sum.NetworkReads += r.PE.NetworkReads
							order = append(order, r.PE.PE)
							reductions[r.PE.PE] += uint64(r.PE.AllReduces)
							real[r.PE.PE] = append(real[r.PE.PE], r.Meta.RealTime)
						}
					}
					require.EqualValues(t, st.EventsProcessed, sum.Processed)
					require.EqualValues(t, st.EventsRolledBack, sum.RolledBack)
					require.Positive(t, sum.NetworkReads)
					require.GreaterOrEqual(t, sum.NetworkSends, sum.NetworkReads, "what is taken back before it leaves is not read")
					require.Len(t, real, ranks*pes)
					for pe, n := range reductions {
						require.Equal(t, st.AllReduceCalls, n, "PE %d", pe)
					}
					for pe, times := range real {
						require.True(t, sort.Float64sAreSorted(times), "samples of PE %d are in the order in which they were taken", pe)
					}
					flushes := 1 // at most: a PE after a later one begins a flush
					for i := 1; i < len(order); i++ {
						if order[i] < order[i-1] {
							flushes++
						}
					}
					require.Greater(t, flushes, 1)
					require.LessOrEqual(t, flushes, sims[0].r.Locals[0].Probe.Handed+1, strconv.Itoa(len(order)))
				})
			}
		}
	}
}
