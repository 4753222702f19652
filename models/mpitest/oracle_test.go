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
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/tracetest"
)

// onRanks returns a program as modeltest wants it, which runs under mpirun.
func onRanks(t *testing.T, np int, name string, payload func([]byte) string) modeltest.Program {
	return modeltest.Program{Name: name, Payload: payload, Run: func(args []string, stdout, stderr io.Writer) int {
		out, status := start(t, ".", np, append([]string{filepath.Join(bin, name)}, args...)...).wait()
		if status != 0 {
			stdout = stderr
		}
		_, _ = io.WriteString(stdout, out)
		return status
	}}
}

// shape is how a run is spread.
type shape struct{ synch, np, pes int }

var shapes = []shape{{3, 2, 1}, {3, 4, 1}, {3, 2, 2}, {2, 2, 1}, {2, 4, 1}, {5, 2, 1}}

func (s shape) String() string { return fmt.Sprintf("synch=%d/np=%d/pes=%d", s.synch, s.np, s.pes) }

// args returns flags for a traced run of so many LPs, of which --nlp is for one PE.
func (s shape) args(lps int) []string {
	return []string{
		"--event-trace=3", fmt.Sprintf("--synch=%d", s.synch), fmt.Sprintf("--pes=%d", s.pes),
		fmt.Sprintf("--nlp=%d", lps/s.np/s.pes),
	}
}

func TestTraceOfPHOLDOnRanksIsThatOfROSS(t *testing.T) {
	testlevel.Once(t, "what is in files")
	t.Chdir("../phold")
	for _, set := range []struct {
		name string
		lps  int
	}{{"ties-default", 8}, {"lookahead01", 8}, {"ties-remote1", 8}, {"stagger", 8}, {"startevents4", 6}, {"opt2-la01", 8}} {
		byDest, report := modeltest.Reference(t, set.name, "trace_by_dest.csv"), modeltest.Report(t, set.name)
		for _, s := range shapes {
			if set.lps%(s.np*s.pes) != 0 || set.name != "lookahead01" && s != shapes[0] && s != shapes[1] {
				continue
			}
			t.Run(set.name+"/"+s.String(), func(t *testing.T) {
				got, out := onRanks(t, s.np, "phold", nil).Like(t, set.name, s.args(set.lps)...)
				require.NoError(t, tracetest.Compare(tracetest.ByDest(got), byDest))
				require.Equal(t, figure(t, report, "Net Events Processed"), figure(t, out, "Net Events Processed"))
			})
		}
	}
}

var hash = regexp.MustCompile(`(?m)^LPHASH .*$`)

// hashes returns the lines with the hashes of zerotie's LPs. Each rank prints those
// of its own LPs.
func hashes(out string) []string {
	lines := hash.FindAllString(out, -1)
	slices.Sort(lines)
	return lines
}

func TestTraceOfZerotieOnRanksIsThatOfROSS(t *testing.T) {
	testlevel.Once(t, "what is in files")
	const set, lps = "zerotie-np1", 8
	t.Chdir("../zerotie")
	payload := func(b []byte) string { // hop and priority
		return fmt.Sprintf("%d,%.9g", int32(binary.LittleEndian.Uint32(b)), math.Float32frombits(binary.LittleEndian.Uint32(b[4:])))
	}
	want := tracetest.ByDest(modeltest.Reference(t, set, "trace.csv"))
	wantHashes := hashes(modeltest.Report(t, set))
	require.Len(t, wantHashes, lps)
	for _, s := range shapes {
		t.Run(s.String(), func(t *testing.T) {
			got, out := onRanks(t, s.np, "zerotie", payload).Like(t, set, append(s.args(lps), "--cons-lookahead=0")...)
			require.NoError(t, tracetest.Compare(tracetest.ByDest(got), want))
			require.Equal(t, wantHashes, hashes(out))
		})
	}
}
