// Every scheduler leaves the events and the states that the sequential one leaves.

package main

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/tracetest"
)

func TestEverySchedulerLeavesTheSameStates(t *testing.T) {
	for _, lookahead := range []string{"0.1", "0"} {
		line := fmt.Sprintf("--end=20 --lookahead=%s --credit=8000 ", lookahead)
		t.Chdir(t.TempDir())
		want := play(t, alone.String()+line)
		require.Len(t, want.states, lps)
		for i, o := range []on{
			{2, 2, 2, ""},
			{1, 1, 1, "--pq=go"},
			{2, 1, 4, ""},
			{2, 3, 1, ""},
			{3, 2, 8, "--batch=1 --gvt-interval=1"},
			{3, 1, 4, ""},
			{3, 2, 1, ""},
			{3, 3, 4, "--batch=256 --gvt-interval=64"},
			{3, 4, 2, ""},
			{5, 2, 4, ""},
			{6, 1, 4, ""},
		} {
			if i%sparse == 0 {
				require.Equal(t, want, play(t, o.String()+line), "%s%s", o, line)
			}
		}
	}
}

func TestAllEventsAreTakenBack(t *testing.T) {
	t.Chdir(t.TempDir())
	out := output(t, on{4, 1, 4, "--end=20 --max-memory=100M"}.String())
	require.Equal(t, "0", modeltest.Figure(t, out, "Net Events Processed"))
	require.NotEqual(t, "0", modeltest.Figure(t, out, "Events Rolled Back"))
	beginning := output(t, on{1, 1, 4, "--end=0.0001"}.String())
	require.Equal(t, stateLine.FindAllString(beginning, -1), stateLine.FindAllString(out, -1))
}

// TestStatesVaryInSize also shows that LPs suspend themselves, and not all.
func TestStatesVaryInSize(t *testing.T) {
	t.Chdir(t.TempDir())
	before, after := play(t, alone.String()+"--end=15.999"), play(t, alone.String()+"--end=16.001")
	bids := `EXCHANGE .* (\d+) bids`
	b, a := before.numbers(t, bids), after.numbers(t, bids)
	require.Greater(t, slices.Max(b), 50)
	require.Less(t, slices.Min(b), 10)
	emptied := 0
	for i := range b {
		if b[i] > 8 && a[i] == 0 {
			emptied++
		}
	}
	require.Greater(t, emptied, 2, "%v, then %v", b, a)
	open := `TRADER .* (\d+) of \d+ orders open`
	require.Greater(t, slices.Max(before.numbers(t, open)), 15)
	require.Zero(t, slices.Min(after.numbers(t, open)))

	prices := slices.Compact(slices.Sorted(slices.Values(before.numbers(t, `last (\d+)`))))
	require.Greater(t, len(prices), 5)

	broke := len(play(t, alone.String()+"--end=100").numbers(t, `TRADER (\d+) .* broke`))
	require.Greater(t, broke, 3)
	require.Less(t, broke, lps/2)
}

func TestManyEventsHappenAtOneTime(t *testing.T) {
	t.Chdir(t.TempDir())
	output(t, alone.String()+"--end=16 --event-trace=1")
	events, err := tracetest.ReadBinary("stats-output/ross-stats-evtrace.bin", nil)
	require.NoError(t, err)
	equal, zero := 0, 0
	for i := range events[1:] {
		if events[i].Dest == events[i+1].Dest && events[i].Recv == events[i+1].Recv {
			equal++
		}
		if events[i].Send == events[i].Recv {
			zero++
		}
	}
	require.Greater(t, equal, 150)
	require.Greater(t, zero, 50)
}

// TestEveryParameterChangesTheRun shows that the comparisons can fail.
func TestEveryParameterChangesTheRun(t *testing.T) {
	t.Chdir(t.TempDir())
	seen := map[string]string{}
	for _, change := range []string{"", "--nlp=47", "--rate=4.1", "--cancel=0.3", "--lookahead=0.11", "--credit=5000"} {
		digest := play(t, "--synch=1 --nlp=48 --end=16 "+change).digest
		require.NotContains(t, seen, digest, "%q is %q", change, seen[digest])
		seen[digest] = change
	}
}
