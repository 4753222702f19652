// PHOLD is undone as it should be: the two schedulers that check it agree, and
// commit what ROSS committed.

package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/tracetest"
)

func TestCheckedRunsAreThoseOfROSS(t *testing.T) {
	for _, set := range []string{"ties-default", "lookahead01", "ties-remote1", "stagger", "startevents4"} {
		t.Run(set, func(t *testing.T) {
			want, report := modeltest.Reference(t, set, "trace.csv"), modeltest.Report(t, set)
			got, out := tested.Like(t, set, "--synch=6", "--event-trace=3")
			require.NoError(t, tracetest.Compare(got, want))
			require.Equal(t, progressLines(report), progressLines(out))
			for _, label := range []string{"Net Events Processed", "Total Events Scheduled Past End Time"} {
				require.Equal(t, figure(t, report, label), figure(t, out, label))
			}
		})
	}
}

func TestAllEventsAreTakenBack(t *testing.T) {
	got, out := tested.Like(t, "ties-default", "--synch=4", "--event-trace=3", "--max-memory=100M")
	require.Empty(t, got)
	require.Regexp(t, `Net Events Processed +0\n`, out)
	require.NotRegexp(t, `Events Rolled Back +0\n`, out)
}
