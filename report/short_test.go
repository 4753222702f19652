// The text of the short report, under each kind of scheduler.

package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func shortText(t *testing.T, s *Stats, x *Short) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, WriteShort(&b, s, x))
	for line := range strings.Lines(b.String()) {
		require.NotContains(t, line, "NaN")
	}
	return b.String()
}

func TestShortReportOfAnOptimisticRun(t *testing.T) {
	events, states := uint64(0x2a), uint64(0xfedc)
	s := &Stats{Synch: 3, Ranks: 2, TotalPEs: 4, TotalLPs: 1000, End: 1e6, Runtime: 2, NumGVT: 1203, Digest: &events, StateDigest: &states,
		Counters: Counters{EventsProcessed: 1234567, EventsRolledBack: 234567, PrimaryRollBacks: 1, SecondaryRollBacks: 2000}}
	require.Equal(t, `Run         phold: 1,000 LPs on 4 PEs of 2 ranks, optimistic (--synch=3), until time 1e+06
Rate        500,000 net events/s, in 2.0000 s
Net events  1,000,000 events, of 1,234,567 processed
Efficiency  76.54 %: 234,567 events rolled back
Rollbacks   2,001: 1 by stragglers, 2,000 by cancelled events; 117.2 events each
GVT         1,203 computations, 12.5 % of the time of a PE at most
Memory      1.5 MiB used at most on a rank, of 2.0 GiB
Digest      000000000000002a of committed events, 000000000000fedc of final states
Remark      one
Remark      two
`, shortText(t, s, &Short{Program: "phold", Scheduler: "3", RollbackLength: 117.2, GVTShare: 0.125, Peak: 3 << 19, Limit: 2 << 30, Remarks: []string{"one", "two"}}))
}

func TestShortReportHasNoFigureThatMeansNothing(t *testing.T) {
	zero := uint64(0)
	for _, c := range []struct {
		s    Stats
		x    Short
		want string
	}{
		{Stats{Synch: 1, TotalPEs: 1, TotalLPs: 1, End: 0.5}, Short{Program: "p", Scheduler: "1"},
			"Run Rate Net Memory"},
		{Stats{Synch: 2, TotalPEs: 2, NumGVT: 1}, Short{}, "Run Rate Net GVT Memory"},
		{Stats{Synch: 4, TotalPEs: 1, Digest: &zero, StateDigest: &zero, Counters: Counters{EventsProcessed: 9, EventsRolledBack: 9}}, Short{Check: "9 events"}, "Run Memory Check"},
		{Stats{Synch: 6, TotalPEs: 1, Digest: &zero}, Short{Check: "9 events"}, "Run Rate Net Memory Digest Check"},
		{Stats{Synch: auto, TotalPEs: 2}, Short{Chosen: "sequential"}, "Run Scheduler Rate Net Memory"},
		{Stats{Synch: 3, TotalPEs: 2}, Short{Failed: true}, "Run Ended Rate Net Efficiency Rollbacks Memory"},
	} {
		var labels []string
		for line := range strings.Lines(shortText(t, &c.s, &c.x)) {
			labels = append(labels, strings.Fields(line)[0])
		}
		require.Equal(t, c.want, strings.Join(labels, " "))
	}
}

func TestNumbersAreGrouped(t *testing.T) {
	require.Equal(t, "0 LPs", Count(0, "LP"))
	require.Equal(t, "1 LP", Count(1, "LP"))
	require.Equal(t, "999 LPs", Count(999, "LP"))
	require.Equal(t, "1,000 LPs", Count(1000, "LP"))
	require.Equal(t, "18,446,744,073,709,551,615 LPs", Count(1<<64-1, "LP"))
	require.Equal(t, "1023 B", Binary(1023))
	require.Equal(t, "16777216.0 TiB", Binary(1<<64-1))
}
