// This file pins zerotie: against ROSS, checked by two schedulers, and its command line.

package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/pq"
)

// zerotie against what ROSS printed: testdata/zerotie-np1 holds the command line
// and the event trace with hop and priority, the root package's
// report/testdata/zerotie-np1/stats.txt the report with the LPs' hashes.

const set = "zerotie-np1"

var tested = testkit.Program{Name: "zerotie", Run: run, Payload: func(b []byte) string {
	prio := math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))
	return fmt.Sprintf("%d,%.9g", int32(binary.LittleEndian.Uint32(b)), prio)
}}

var hash = regexp.MustCompile(`(?m)^LPHASH .*$`)

// TestRunsAreThoseOfROSS has chains without delay between PEs, so that a conservative run gets no lookahead.
func TestRunsAreThoseOfROSS(t *testing.T) {
	want := testkit.Reference(t, set, "trace.csv")
	hashes := hash.FindAllString(testkit.Report(t, set), -1)
	require.Len(t, hashes, 8)
	hows := []string{"--synch=6", "--synch=2 --pes=2 --nlp=4 --cons-lookahead=0", "--synch=3 --pes=2 --nlp=4",
		"--synch=3 --pes=4 --nlp=2", "--synch=5 --pes=2 --nlp=4"}
	for _, impl := range pq.Impls() {
		hows = append(hows, "--synch=1 --pq="+impl)
	}
	for _, how := range hows {
		t.Run(how, func(t *testing.T) {
			got, out := tested.Like(t, set, append(strings.Fields(how), "--event-trace=3")...)
			require.NoError(t, testkit.Compare(testkit.ByDest(got), testkit.ByDest(want)))
			require.Equal(t, hashes, hash.FindAllString(out, -1))
			if !strings.Contains(how, "--pes") {
				require.NoError(t, testkit.Compare(got, want))
			}
		})
	}
}

// TestOrderOfTiesIsSeenByTheHashes shows that the comparison can fail: other
// tie-breakers and priorities keep the number of simultaneous events large but
// not their order.
func TestOrderOfTiesIsSeenByTheHashes(t *testing.T) {
	want := testkit.Reference(t, set, "trace.csv")
	for _, more := range [][]string{
		{"--useprio=1"},
		{"--core-rng-seed1=5", "--core-rng-seed2=6", "--core-rng-seed3=7", "--core-rng-seed4=8"},
	} {
		t.Run(more[0], func(t *testing.T) {
			got, out := tested.Like(t, set, more...)
			require.Error(t, testkit.Compare(got, want))
			require.NotContains(t, out, "LPHASH 0 21d0e1c442b4a5e1")
		})
	}
}

func TestModelIsRightInEveryScheduler(t *testing.T) {
	// chains without delay between PEs, which have no lookahead
	for _, lookahead := range testlevel.Pick([]string{"", " --cons-lookahead=0"}, []string{" --cons-lookahead=0"},
		[]string{" --cons-lookahead=0"}) {
		modeltest.Run(t, modeltest.Model{Program: newProgram, Args: "--end=100" + lookahead,
			Short: testlevel.Is(testlevel.Few)})
	}
}

// What the program refuses, before anything has run.

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--maxhop=2000000000", "--maxhop=2000000000: must be at most 2^30"},
		{"--p=1.5", "--p=1.5: must be in [0, 1]"},
		{"--p=nan", "must be in [0, 1]"},
	})
}
