// The events of zerotie are undone as they should be: the two schedulers that
// check it agree, and commit what ROSS committed.

package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/tracetest"
)

func TestCheckedRunIsThatOfROSS(t *testing.T) {
	want, report := modeltest.Reference(t, set, "trace.csv"), modeltest.Report(t, set)
	got, out := tested.Like(t, set, "--synch=6", "--event-trace=3")
	require.NoError(t, tracetest.Compare(got, want))
	require.Equal(t, hash.FindAllString(report, -1), hash.FindAllString(out, -1))
}

func TestAllEventsAreTakenBack(t *testing.T) {
	got, out := tested.Like(t, set, "--synch=4", "--event-trace=3", "--max-memory=100M")
	require.Empty(t, got)
	require.Regexp(t, `Net Events Processed +0\n`, out)
	require.NotRegexp(t, `Events Rolled Back +0\n`, out)
}
