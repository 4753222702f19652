// The commands by which ROSS tests its PHOLD, all of which have to run here.

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/tracetest"
)

// wholeEnv, set to 1, has the commands run as they are, to virtual time 100000, which
// takes a minute. Otherwise they end soon after the first sample at a virtual time.
const wholeEnv = "ROSS_PHOLD_WHOLE"

// TestROSSsOwnTestsRunAndAgree runs mpirun -np 2 as --pes=2. PHOLD with the default options
// has one event for each LP and unit of time, of which the last is at the end, and what
// is on 8 LPs of 2 PEs is what 16 LPs do in a sequential run.
func TestROSSsOwnTestsRunAndAgree(t *testing.T) {
	end := 12_000
	if os.Getenv(wholeEnv) == "1" {
		end = 100_000
	}
	until := fmt.Sprintf("--end=%d", end)
	digests := map[int]string{}
	for ranks, nlp := range map[int]string{0: "8", 2: "16"} {
		_, digests[ranks] = command(t, "--synch=1", "--nlp="+nlp, until)
	}
	require.NotEqual(t, digests[0], digests[2])
	require.Len(t, modeltest.PHOLDCommands(""), 18)
	for _, c := range modeltest.PHOLDCommands("") {
		t.Run(c.Name, func(t *testing.T) {
			lps := 8 * max(c.Ranks, 1)
			args := append(strings.Fields(c.Line), until)
			if c.Ranks > 0 {
				args = append(args, "--pes="+strconv.Itoa(c.Ranks))
			}
			events, digest := command(t, args...)
			if c.Synch() == "4" { // everything is undone in the end
				require.Zero(t, events)
			} else {
				require.Equal(t, lps*(end-1), events)
				require.Equal(t, digests[c.Ranks], digest)
			}
			require.Equal(t, filesOf(c), collected(t))
			if strings.Contains(c.Line, "--event-trace=1") { // each execution, in buffers of any size
				trace, err := tracetest.ReadBinary("stats-output/ross-stats-evtrace.bin", nil)
				require.NoError(t, err)
				require.GreaterOrEqual(t, len(trace), events)
				require.True(t, c.Ranks > 0 || len(trace) == events)
			}
		})
	}
}

// command runs phold in a new folder. It returns the net events and the digest.
func command(t *testing.T, args ...string) (events int, digest string) {
	t.Helper()
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	require.Zero(t, run(append(args, "--digest", "--max-memory=200M"), &out, &errs), "%v: %s", args, &errs)
	require.Empty(t, errs.String())
	require.NotContains(t, out.String(), "\nNote: ")
	events, err := strconv.Atoi(strings.Fields(figure(t, out.String(), "Net Events Processed"))[3])
	require.NoError(t, err)
	if events == 0 { // everything was undone, and there is no digest
		require.NotContains(t, out.String(), "Committed Event Digest")
		return 0, ""
	}
	return events, figure(t, out.String(), "Committed Event Digest")
}

// filesOf returns what a command collects.
func filesOf(c modeltest.Command) (names []string) {
	has := func(option string) bool { return strings.Contains(c.Line+" ", option+" ") }
	if has("--disable-output=1") {
		return nil
	}
	for _, kind := range []struct {
		name string
		is   bool
	}{
		{"analysis-lps", has("--engine-stats=4") || has("--model-stats=4")},
		{"evtrace", strings.Contains(c.Line, "--event-trace=")},
		{"gvt", has("--engine-stats=4")}, {"memory", has("--engine-stats=4")}, {"model", has("--model-stats=4")}, {"rt", has("--engine-stats=4")},
		{"vt", has("--engine-stats=4") && has("--model-stats=4")},
	} {
		if kind.is {
			names = append(names, "ross-stats-"+kind.name+".bin")
		}
	}
	return names
}

// collected returns the names of the files that a run has left.
func collected(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("stats-output/*.bin*")
	require.NoError(t, err)
	for _, file := range files {
		names = append(names, filepath.Base(file))
	}
	return names
}
