// PHOLD against what ROSS printed for the same command lines:
// testdata/<set>/cmd.txt is the command, the csv files are its event trace, and
// the report is the root package's testdata/report/<set>/stats.txt.

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/tracetest"
)

func queues() []string {
	if csrc.Enabled {
		return []string{"c", "go"}
	}
	return []string{"go"}
}

// runLike runs the program in a folder of its own with the arguments that ROSS
// had and more after them, and returns the trace and what was printed.
func runLike(t *testing.T, set string, more ...string) ([]tracetest.Record, string) {
	t.Helper()
	cmd, err := os.ReadFile(filepath.Join("testdata", set, "cmd.txt"))
	require.NoError(t, err)
	words := strings.Fields(string(cmd))
	args := append(words[slices.Index(words, "phold")+1:], more...)

	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	require.Zero(t, run(args, &out, &errs), "%v: %s", args, &errs)
	require.Empty(t, errs.String())
	got, err := tracetest.ReadBinary("stats-output/ross-stats-evtrace.bin", nil)
	require.NoError(t, err)
	return got, out.String()
}

func readReference(t *testing.T, set, name string) []tracetest.Record {
	t.Helper()
	want, err := tracetest.ReadCSV(filepath.Join("testdata", set, name))
	require.NoError(t, err)
	return want
}

func readReport(t *testing.T, set string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "report", set, "stats.txt"))
	require.NoError(t, err)
	return string(text)
}

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
		inOrder, byDest := readReference(t, set, "trace.csv"), readReference(t, set, "trace_by_dest.csv")
		report := readReport(t, set)
		lines := progressLines(report)
		require.Greater(t, len(lines), 90)
		for _, pq := range queues() {
			for _, trace := range []int{1, 3} {
				t.Run(fmt.Sprintf("%s/pq=%s/event-trace=%d", set, pq, trace), func(t *testing.T) {
					got, out := runLike(t, set, "--pq="+pq, fmt.Sprintf("--event-trace=%d", trace))
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
	byDest, report := readReference(t, set, "trace_by_dest.csv"), readReport(t, set)
	for _, pq := range queues() {
		for _, trace := range []int{1, 3} {
			t.Run(fmt.Sprintf("pq=%s/event-trace=%d", pq, trace), func(t *testing.T) {
				got, out := runLike(t, set, "--synch=1", "--nlp=8", "--pq="+pq, fmt.Sprintf("--event-trace=%d", trace))
				require.NoError(t, tracetest.Compare(tracetest.ByDest(got), byDest))
				require.Equal(t, figure(t, report, "Net Events Processed"), figure(t, out, "Net Events Processed"))
			})
		}
	}
}

// TestOtherParametersGiveOtherTraces shows that the comparison can fail.
func TestOtherParametersGiveOtherTraces(t *testing.T) {
	const set = "ties-default"
	want := readReference(t, set, "trace.csv")
	for _, more := range [][]string{
		{"--remote=0.26"},
		{"--lookahead=0.999999"},
		{"--core-rng-seed1=5", "--core-rng-seed2=6", "--core-rng-seed3=7", "--core-rng-seed4=8"},
		{"--rng-seed1=5", "--rng-seed2=6", "--rng-seed3=7", "--rng-seed4=8"},
	} {
		t.Run(more[0], func(t *testing.T) {
			got, _ := runLike(t, set, more...)
			require.ErrorContains(t, tracetest.Compare(got, want), "differ at record")
		})
	}
}
