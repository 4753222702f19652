// Tests against what ROSS printed: the references in testdata of the models, compared
// as the tests there do, with the traces of runs of several ranks.

//go:build mpi && cgo && !purego

package mpitest

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/tracetest"
)

// onRanks returns a program as modeltest wants it, which runs under mpirun.
func onRanks(t *testing.T, np int, name string, payload func([]byte) string) modeltest.Program {
	return modeltest.Program{Name: name, Payload: payload, Run: func(args []string, stdout, stderr io.Writer) int {
		out, status := start(t, ".", np, watchdog, append([]string{filepath.Join(bin, name)}, args...)...).wait()
		if status != 0 {
			stdout = stderr
		}
		_, _ = io.WriteString(stdout, out)
		return status
	}}
}

func TestTraceOfPHOLDOnRanksIsThatOfROSS(t *testing.T) {
	t.Chdir("../phold")
	for _, set := range []struct {
		name string
		lps  int
	}{{"ties-default", 8}, {"lookahead01", 8}, {"ties-remote1", 8}, {"stagger", 8}, {"startevents4", 6}, {"opt2-la01", 8}} {
		byDest, report := modeltest.Reference(t, set.name, "trace_by_dest.csv"), modeltest.Report(t, set.name)
		for _, c := range []struct{ synch, np, pes int }{{3, 2, 1}, {3, 4, 1}, {3, 2, 2}, {2, 2, 1}, {5, 2, 1}} {
			if set.lps%(c.np*c.pes) != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/synch=%d/np=%d/pes=%d", set.name, c.synch, c.np, c.pes), func(t *testing.T) {
				got, out := onRanks(t, c.np, "phold", nil).Like(t, set.name, "--event-trace=3",
					fmt.Sprintf("--synch=%d", c.synch), fmt.Sprintf("--pes=%d", c.pes), fmt.Sprintf("--nlp=%d", set.lps/c.np/c.pes))
				require.NoError(t, tracetest.Compare(tracetest.ByDest(got), byDest))
				require.Equal(t, figure(t, report, "Net Events Processed"), figure(t, out, "Net Events Processed"))
			})
		}
	}
}

var hash = regexp.MustCompile(`(?m)^LPHASH .*$`)

// hashes returns the lines in which zerotie's LPs tell their hashes. Each rank prints
// those of its own LPs.
func hashes(out string) []string {
	lines := hash.FindAllString(out, -1)
	slices.Sort(lines)
	return lines
}

func TestTraceOfZerotieOnRanksIsThatOfROSS(t *testing.T) {
	const set, lps = "zerotie-np1", 8
	t.Chdir("../zerotie")
	payload := func(b []byte) string { // hop and priority
		return fmt.Sprintf("%d,%.9g", int32(binary.LittleEndian.Uint32(b)), math.Float32frombits(binary.LittleEndian.Uint32(b[4:])))
	}
	want := tracetest.ByDest(modeltest.Reference(t, set, "trace.csv"))
	wantHashes := hashes(modeltest.Report(t, set))
	require.Len(t, wantHashes, lps)
	for _, c := range []struct{ synch, np, pes int }{{3, 2, 1}, {3, 4, 1}, {3, 2, 2}, {2, 2, 1}, {5, 2, 1}} {
		t.Run(fmt.Sprintf("synch=%d/np=%d/pes=%d", c.synch, c.np, c.pes), func(t *testing.T) {
			got, out := onRanks(t, c.np, "zerotie", payload).Like(t, set, "--event-trace=3", "--cons-lookahead=0",
				fmt.Sprintf("--synch=%d", c.synch), fmt.Sprintf("--pes=%d", c.pes), fmt.Sprintf("--nlp=%d", lps/c.np/c.pes))
			require.NoError(t, tracetest.Compare(tracetest.ByDest(got), want))
			require.Equal(t, wantHashes, hashes(out))
		})
	}
}
