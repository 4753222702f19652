// This file owns what compares a model with its version by hand: statistics and speed.

package modeltest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
)

// precision is how far figures may be apart that were computed in another order, relatively.
const precision = 1e-12

// Same requires that a row of the model's statistics has the figures of the tally.
func (t *Tally) Same(tb testing.TB, name string, n uint64, mean, stdDev, least, greatest float64) {
	tb.Helper()
	require.Greater(tb, n, uint64(300), name)
	require.Equal(tb, t.N, n, name)
	require.InEpsilon(tb, t.Mean, mean, precision, name)
	require.InEpsilon(tb, t.StdDev(), stdDev, precision, name)
	require.Equal(tb, [2]float64{t.Least, t.Greatest}, [2]float64{least, greatest}, name)
}

// Same requires that a row of the model's statistics has the figures of the level, which must have
// been merged by the time.
func (l *Level) Same(tb testing.TB, name string, mean, nonZero, greatest float64) {
	tb.Helper()
	require.InEpsilon(tb, l.Area, mean, precision, name)
	require.InEpsilon(tb, l.NonZero, nonZero, precision, name)
	require.Equal(tb, l.Greatest, greatest, name)
}

// Schedulers calls a comparison for sequential, conservative and optimistic runs, on up to four PEs.
func Schedulers(compare func(synch, pes int)) {
	all := [][2]int{{1, 1}, {2, 2}, {3, 1}, {3, 2}, {3, 4}, {6, 1}}
	few := [][2]int{{2, 2}, {3, 2}}
	for _, c := range testlevel.Pick(all, all, few) {
		compare(c[0], c[1])
	}
}

// Versions measures a model and its version by hand, one after the other in each scheduler. run
// makes a run and returns its events per second.
func Versions(b *testing.B, run func(b *testing.B, byHand bool, synch, pes int) float64) {
	for _, c := range [][2]int{{1, 1}, {3, 1}, {3, 2}} {
		for _, byHand := range []bool{false, true} {
			b.Run(fmt.Sprintf("synch=%d/pes=%d/byhand=%v", c[0], c[1], byHand), func(b *testing.B) {
				for b.Loop() {
					b.ReportMetric(run(b, byHand, c[0], c[1]), "events/s")
				}
			})
		}
	}
}
