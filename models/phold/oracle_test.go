// PHOLD against what ROSS printed for the same command lines:
// testdata/<set>/cmd.txt is the command, the csv files are its event trace, and
// the report is testdata/<set>/stats.txt of package report.

package main

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/tracetest"
	"github.com/ross-go/ross/pq"
)

var tested = modeltest.Program{Name: "phold", Run: run}

// figure returns the line of a report that begins with a label.
func figure(t *testing.T, report, label string) string {
	t.Helper()
	line := regexp.MustCompile(`(?m)^\t` + regexp.QuoteMeta(label) + ` .*$`).FindString(report)
	require.NotEmpty(t, line, "the report has no %q", label)
	return line
}

var progress = regexp.MustCompile(`(?m)^(GVT #.*) at .*\.\n(AVL tree size: .*)$`)

// progressLines returns the progress lines of a report but for the clock time.
func progressLines(report string) []string {
	var lines []string
	for _, m := range progress.FindAllStringSubmatch(report, -1) {
		lines = append(lines, m[1]+", "+m[2])
	}
	return lines
}

func TestSequentialRunsAreThoseOfROSS(t *testing.T) {
	for _, set := range []string{"ties-default", "lookahead01", "ties-remote1", "stagger", "startevents4"} {
		inOrder, byDest := modeltest.Reference(t, set, "trace.csv"), modeltest.Reference(t, set, "trace_by_dest.csv")
		report := modeltest.Report(t, set)
		lines := progressLines(report)
		require.Greater(t, len(lines), 90)
		for _, impl := range pq.Impls() {
			for _, trace := range []int{1, 3} {
				t.Run(fmt.Sprintf("%s/pq=%s/event-trace=%d", set, impl, trace), func(t *testing.T) {
					got, out := tested.Like(t, set, "--pq="+impl, fmt.Sprintf("--event-trace=%d", trace))
					require.NoError(t, tracetest.Compare(got, inOrder))
					require.NoError(t, tracetest.Compare(tracetest.ByDest(got), byDest))
					require.Equal(t, lines, progressLines(out))
					for _, label := range []string{"Net Events Processed", "Total Events Scheduled Past End Time"} {
						require.Equal(t, figure(t, report, label), figure(t, out, label))
					}
				})
			}
		}
	}
}

// TestOptimisticRunOfROSSCommitsWhatASequentialRunDoes compares with two
// ranks of four LPs. How many events an optimistic run sends past the end
// depends on its rollbacks, so that figure is not compared.
func TestOptimisticRunOfROSSCommitsWhatASequentialRunDoes(t *testing.T) {
	const set = "opt2-la01"
	byDest, report := modeltest.Reference(t, set, "trace_by_dest.csv"), modeltest.Report(t, set)
	for _, impl := range pq.Impls() {
		for _, trace := range []int{1, 3} {
			t.Run(fmt.Sprintf("pq=%s/event-trace=%d", impl, trace), func(t *testing.T) {
				got, out := tested.Like(t, set, "--synch=1", "--nlp=8", "--pq="+impl, fmt.Sprintf("--event-trace=%d", trace))
				require.NoError(t, tracetest.Compare(tracetest.ByDest(got), byDest))
				require.Equal(t, figure(t, report, "Net Events Processed"), figure(t, out, "Net Events Processed"))
			})
		}
	}
}

// TestParallelRunsAreThoseOfROSS runs the sets on all numbers of PEs that divide
// the LPs.
func TestParallelRunsAreThoseOfROSS(t *testing.T) {
	lps := map[string]int{"ties-default": 8, "lookahead01": 8, "ties-remote1": 8, "stagger": 8, "startevents4": 6, "opt2-la01": 8}
	for set, lps := range lps {
		byDest, report := modeltest.Reference(t, set, "trace_by_dest.csv"), modeltest.Report(t, set)
		for _, synch := range []int{2, 3, 5} {
			for _, pes := range []int{1, 2, 4} {
				if lps%pes != 0 {
					continue
				}
				t.Run(fmt.Sprintf("%s/synch=%d/pes=%d", set, synch, pes), func(t *testing.T) {
					got, out := tested.Like(t, set, "--event-trace=3", "--cons-lookahead=0.1",
						fmt.Sprintf("--synch=%d", synch), fmt.Sprintf("--pes=%d", pes), fmt.Sprintf("--nlp=%d", lps/pes))
					require.NoError(t, tracetest.Compare(tracetest.ByDest(got), byDest))
					require.Equal(t, figure(t, report, "Net Events Processed"), figure(t, out, "Net Events Processed"))
				})
			}
		}
	}
}

// TestOtherParametersGiveOtherTraces shows that the comparison can fail.
func TestOtherParametersGiveOtherTraces(t *testing.T) {
	const set = "ties-default"
	want := modeltest.Reference(t, set, "trace.csv")
	for _, more := range [][]string{
		{"--remote=0.26"},
		{"--lookahead=0.999999"},
		{"--core-rng-seed1=5", "--core-rng-seed2=6", "--core-rng-seed3=7", "--core-rng-seed4=8"},
		{"--rng-seed1=5", "--rng-seed2=6", "--rng-seed3=7", "--rng-seed4=8"},
	} {
		t.Run(more[0], func(t *testing.T) {
			got, _ := tested.Like(t, set, more...)
			require.ErrorContains(t, tracetest.Compare(got, want), "differ at record")
		})
	}
}
