// This file owns comparisons with ROSS: every event of a model and every state at the end are those of the
// original program; and the command lines with which ROSS tests its own PHOLD.

package testkit

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testlevel"
)

// LikeOriginal requires that a run with a line of options has the events and the final states of a
// run of the original program, and returns what was printed. testdata has what the original
// program left:
//
//	stats-<name>.txt         hashes of the two files, and its statistics
//	trace-<name>.csv.gz      its events, if they are there, to show the first difference
//	lpstate-<name>.txt.gz    its final states, likewise
func (p Program) LikeOriginal(t *testing.T, name, line string) (report string) {
	t.Helper()
	folder, err := filepath.Abs("testdata")
	require.NoError(t, err)
	stats := Content(t, folder, "stats-"+name+".txt")
	t.Chdir(t.TempDir())
	defer t.Chdir(filepath.Dir(folder))
	var out, errs bytes.Buffer
	require.Zero(t, p.Run(strings.Fields(line+" --trace=trace.csv --states=states.txt"), &out, &errs), "%s: %s", line,
		&errs)
	require.Empty(t, errs.String())
	original(t, stats, `trace sha256.* ([0-9a-f]{64})`, "trace.csv", filepath.Join(folder, "trace-"+name+".csv.gz"))
	original(t, stats, `final LP states: sha256.* ([0-9a-f]{64})`, "states.txt",
		filepath.Join(folder, "lpstate-"+name+".txt.gz"))
	return out.String()
}

// original requires that a file has the hash that the statistics of the original program name.
func original(t *testing.T, stats, pattern, file, like string) {
	t.Helper()
	hash := regexp.MustCompile(pattern).FindStringSubmatch(stats)
	require.NotNil(t, hash, "%s: the statistics have no hash", file)
	got := Content(t, file)
	sum := sha256.Sum256([]byte(got))
	if hex.EncodeToString(sum[:]) == hash[1] {
		return
	}
	want := Unpack(t, like)
	lines, wanted := strings.Split(got, "\n"), strings.Split(want, "\n")
	if want != "" {
		for i := range min(len(lines), len(wanted)) {
			require.Equal(t, wanted[i], lines[i], "line %d of %s", i+1, file)
		}
		require.Len(t, lines, len(wanted), file)
	}
	require.Equal(t, hash[1], hex.EncodeToString(sum[:]), "%s: %d lines differ from the original's", file, len(lines))
}

// Unpack returns the contents of a compressed file, or "" without such a file.
func Unpack(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return ""
	}
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	return string(text)
}

// HasEvents requires that a sequential run with a line of options has the given number of events.
func (p Program) HasEvents(t *testing.T, events, line string) {
	t.Helper()
	testlevel.Once(t, "how many events there are")
	t.Chdir(t.TempDir())
	require.Equal(t, events, Figure(t, p.Play(t, line+" --synch=1").Report, "Net Events Processed"))
}

// The command lines that ROSS tests its own PHOLD with.

// Command is one of the runs with which ctest of ROSS 8.1.1 tests phold, and also
// phold_test, which is the same program on a separate communicator.
type Command struct {
	Name  string // of the test, without the program's
	Ranks int    // of mpirun; 0: it runs without mpirun
	Line  string // the options
}

// Synch returns the scheduler.
func (c Command) Synch() string {
	_, rest, _ := strings.Cut(c.Line, "--synch=")
	return rest[:1]
}

// PHOLDCommands returns them. ROSS requires of each that it ends with status 0 within a
// minute. clockSpeed stands for the variable CLOCK_SPEED of ctest's environment.
func PHOLDCommands(clockSpeed string) []Command {
	const (
		extra = " --extramem=100000"
		vt    = " --vt-interval=10000 --vt-samp-end=100000"
		all   = " --engine-stats=4 --event-trace=2"
		lps   = " --kp-data=1 --lp-data=1"
	)
	return []Command{
		{"SCHED_Sequential", 0, "--synch=1"},
		{"SCHED_Conservative", 2, "--synch=2"},
		{"SCHED_Optimistic", 2, "--synch=3" + extra},
		{"SCHED_Realtime", 2, "--synch=5 --gvt-interval=1 --clock-rate=" + clockSpeed + extra},
		{"SCHED_OptDebug", 0, "--synch=4 --nkp=1 --extramem=1000000"},
		{"SCHED_RollbackCheck", 0, "--synch=6 --nkp=1"},
		{"INST_OptPE", 2, "--synch=3" + all + extra + vt},
		{"INST_OptLP", 2, "--synch=3" + all + lps + extra + vt},
		{"INST_RTOptPE", 2, "--synch=5" + all + extra + vt},
		{"INST_RTOptLP", 2, "--synch=5" + all + lps + extra + vt},
		{"INST_ConsPE", 2, "--synch=2" + all + extra + vt},
		{"INST_ConsLP", 2, "--synch=2" + all + lps + extra + vt},
		{"INST_Seq", 0, "--synch=1 --event-trace=1" + extra},
		{"INST_Model", 2, "--synch=3 --model-stats=4 --event-trace=2" + extra + vt},
		{"INST_DisableOutput", 2, "--synch=3 --engine-stats=4 --disable-output=1" + extra + vt},
		{"INST_ForceOverflow", 2, "--synch=3 --event-trace=1 --buffer-free=0" + extra},
		{"INST_FullEventTrace", 2, "--synch=3 --event-trace=1" + extra},
		{"INST_RBEventTrace", 2, "--synch=3 --event-trace=2" + extra},
	}
}
