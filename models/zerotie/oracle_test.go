// zerotie against what ROSS printed: testdata/zerotie-np1 holds the command line
// and the event trace with hop and priority, the root package's
// testdata/report/zerotie-np1/stats.txt the report with the LPs' hashes.

package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
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

const set = "zerotie-np1"

func queues() []string {
	if csrc.Enabled {
		return []string{"c", "go"}
	}
	return []string{"go"}
}

// runLike runs the program in a folder of its own with the arguments that ROSS
// had and more after them, and returns the trace and what was printed.
func runLike(t *testing.T, more ...string) ([]tracetest.Record, string) {
	t.Helper()
	cmd, err := os.ReadFile(filepath.Join("testdata", set, "cmd.txt"))
	require.NoError(t, err)
	words := strings.Fields(string(cmd))
	args := append(words[slices.Index(words, "zerotie")+1:], more...)

	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	require.Zero(t, run(args, &out, &errs), "%v: %s", args, &errs)
	require.Empty(t, errs.String())
	got, err := tracetest.ReadBinary("stats-output/ross-stats-evtrace.bin", func(b []byte) string {
		prio := math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))
		return fmt.Sprintf("%d,%.9g", int32(binary.LittleEndian.Uint32(b)), prio)
	})
	require.NoError(t, err)
	return got, out.String()
}

var hash = regexp.MustCompile(`(?m)^LPHASH .*$`)

func TestRunIsThatOfROSS(t *testing.T) {
	want, err := tracetest.ReadCSV(filepath.Join("testdata", set, "trace.csv"))
	require.NoError(t, err)
	report, err := os.ReadFile(filepath.Join("..", "..", "testdata", "report", set, "stats.txt"))
	require.NoError(t, err)
	hashes := hash.FindAllString(string(report), -1)
	require.Len(t, hashes, 8)
	for _, pq := range queues() {
		for _, trace := range []string{"1", "3"} {
			t.Run("pq="+pq+"/event-trace="+trace, func(t *testing.T) {
				got, out := runLike(t, "--pq="+pq, "--event-trace="+trace)
				require.NoError(t, tracetest.Compare(got, want))
				require.Equal(t, hashes, hash.FindAllString(out, -1))
			})
		}
	}
}

// TestOrderOfTiesIsSeenByTheHashes shows that the comparison can fail: other
// tie-breakers and priorities keep the number of simultaneous events large but
// not their order.
func TestOrderOfTiesIsSeenByTheHashes(t *testing.T) {
	want, err := tracetest.ReadCSV(filepath.Join("testdata", set, "trace.csv"))
	require.NoError(t, err)
	for _, more := range [][]string{
		{"--useprio=1"},
		{"--core-rng-seed1=5", "--core-rng-seed2=6", "--core-rng-seed3=7", "--core-rng-seed4=8"},
	} {
		t.Run(more[0], func(t *testing.T) {
			got, out := runLike(t, more...)
			require.Error(t, tracetest.Compare(got, want))
			require.NotContains(t, out, "LPHASH 0 21d0e1c442b4a5e1")
		})
	}
}
