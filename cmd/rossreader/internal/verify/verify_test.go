// Right models are equal in all ways, and wrong ones are named with LP, time and field; what cannot be checked is an
// error that says how to get out.

package verify

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

func TestARightModelIsEqualInAllWays(t *testing.T) {
	for _, words := range []string{"--synch=1", "--synch=3 --pes=2", "--synch=3 --pes=4 --seed=9", "--synch=6",
		"--synch=2 --cons-lookahead=0.1 --pes=2", "--synch=3 --pes=2 --nlp=5", "--synch=3 --ranks=2 --lps=7"} {
		if strings.Contains(words, "--ranks") && !hasRanks {
			continue
		}
		status, out, errs := verify(record(t, "right", strings.Fields(words)...))
		require.Zero(t, status, "%s: %s%s", words, out, errs)
		if !strings.Contains(words, "--synch=1") {
			requireLines(t, out, "equal: --synch=1 --pes=1 --ranks=1\n")
		}
		requireLines(t, out, "equal: --synch=3 --pes=", "equal: --synch=6 --pes=1 --ranks=1\n",
			"compared: options, model and types in run.json, net events, digest of events, digest of "+
				"states, digests of LPs, file ross-stats-labels.csv, "+
				"file ross-stats-statistics-lps.csv, file ross-stats-statistics.csv, file "+
				"ross-stats-statistics.json\n",
			"not compared: only the seal has: id, begin, end, host,")
		require.Empty(t, errs)
	}
}

func TestTheWaysCanBeChosen(t *testing.T) {
	dir := record(t, "right", "--event-trace=3", "--engine-stats=1")
	status, out, errs := verify("--with=--synch=3 --pes=3", "--with", "--synch=2 --pes=2 --cons-lookahead=0.1", dir)
	require.Zero(t, status, out+errs)
	requireLines(t, out, "equal: --synch=3 --pes=3\n", "equal: --synch=2 --pes=2 --cons-lookahead=0.1\n",
		"not compared: records with real times, in the order in which PEs wrote them: "+
			"ross-stats-evtrace.bin, ross-stats-gvt.bin\n")
	require.NotContains(t, out, "--synch=6")
	status, _, errs = verify("--with=--synch=1 --pes=2", dir)
	require.Equal(t, 2, status)
	require.Contains(t, errs, "option --pes=2: --synch=1 runs on one PE")
	dir = record(t, "right", "--synch=3", "--pes=2", "--nlp=5")
	status, out, errs = verify("--with=--synch=3 --pes=5 --nlp=2", "--with=--synch=3 --pes=5", dir)
	require.Zero(t, status, out+errs)
	status, _, errs = verify("--with=--synch=3 --pes=5 --nlp=5", dir)
	require.Equal(t, 2, status)
	require.Contains(t, errs, "the model has 25 LPs then, instead of 10")
}

// first is how the line begins that says where two runs differ first.
const first = `differs first: LP \d+ "desk" \(desk\) at virtual time [0-9.]+: `

func TestAModelThatReadsAClockIsNamedWithLPTimeAndField(t *testing.T) {
	status, out, _ := verify(record(t, "clock"))
	require.Equal(t, 1, status)
	requireLines(t, out, "  digest of states: recorded ", "cause: two runs with the recorded options differ: ",
		`differs first: LP `)
	require.Regexp(t, first+`changed Mark\n  A: as recorded: `, out)
}

func TestAmongManyLPsTheFirstEventThatDiffersIsFound(t *testing.T) {
	status, out, _ := verify(record(t, "late", "--lps=200", "--end=5"))
	require.Equal(t, 1, status)
	require.Regexp(t, first+`(sent|the event|recorded Wait)`, out)
}

func TestAModelThatDependsOnTheNumberOfPEsIsNamedWithLPTimeAndField(t *testing.T) {
	status, out, _ := verify("--json", record(t, "pes"))
	require.Equal(t, 1, status)
	var v verdict
	require.NoError(t, json.Unmarshal([]byte(out), &v))
	require.Equal(t, different, v.Status)
	require.Contains(t, v.Cause.Note, "the result depends on the scheduler")
	require.NotNil(t, v.Cause.First)
	require.Equal(t, "changed Mark", v.Cause.First.Field)
	require.Equal(t, "0 -> 1", v.Cause.First.A)
	require.Equal(t, "0 -> 2", v.Cause.First.B)
	require.Equal(t, [2]string{"as recorded", "--synch=3 --pes=2 --ranks=1"}, v.Cause.Between)
	require.Positive(t, v.Cause.First.At)
	require.Less(t, v.Cause.First.At, 20.0)
}

func TestAVariableOfTheProgramIsNamedWithLPTimeAndField(t *testing.T) {
	status, out, _ := verify("--with=--synch=6", record(t, "variable"))
	require.Equal(t, 1, status)
	require.Regexp(t, `check of rollback: .*LP \d+.*Mark`, out)
	require.Regexp(t, `check of rollback: .*at (virtual )?(time )?[0-9.]+`, out)
}

func TestAWrongReverseHandlerIsNamedWithLPTimeAndField(t *testing.T) {
	// Whether the optimistic run has a rollback depends on the machine; that each event is undone does not.
	status, out, _ := verify(record(t, "reverse"))
	require.Equal(t, 1, status)
	require.Regexp(t, `check of rollback: .*LP \d+.*at time [0-9.]+: .*desk.Mark at 1, it was 0 before`, out)
}

func TestAnotherProgramIsRefusedAndComparedOnPurpose(t *testing.T) {
	dir := record(t, "right")
	other := filepath.Join(t.TempDir(), "other")
	content, err := os.ReadFile(executable(t))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(other, append(content, 0), 0o700)) // it runs all the same
	status, _, errs := verify("--program="+other, dir)
	require.Equal(t, 2, status)
	info, err := instr.ReadRunInfo(dir)
	require.NoError(t, err)
	is, err := instr.HashFile(other)
	require.NoError(t, err)
	require.Contains(t, errs, is.SHA256[:12])
	require.Contains(t, errs, info.Record.Build.SHA256[:12])
	require.Equal(t, 2, strings.Count(errs, " for "+runtime.GOOS+"/"+runtime.GOARCH), errs)
	require.Contains(t, errs, "--program=FILE, or compare versions on purpose: --other-version")
	status, out, errs := verify("--program="+other, "--other-version", dir)
	require.Zero(t, status, out+errs)
	requireLines(t, out, "between versions: "+other)
	status, out, errs = verify("--program="+other, "--other-version", "--exec=env A=1", dir)
	require.Zero(t, status, out+errs)
	require.NotContains(t, out, "--ranks=2", "what --exec starts may be unable to start others")
	status, _, errs = verify("--program=/none", dir)
	require.Equal(t, 2, status)
	require.Contains(t, errs, "/none: no such file or directory")
}

func TestVersionsThatDifferAreToldApartByTheirLPs(t *testing.T) {
	dir := record(t, "right")
	info, err := instr.ReadRunInfo(dir)
	require.NoError(t, err)
	info.Record.Environment[modelName] = "pes" // as if this program were a later version
	require.NoError(t, info.WriteSealed(dir))
	status, out, _ := verify(dir)
	require.Equal(t, 1, status)
	requireLines(t, out, "  digests of LPs: recorded 8 LPs, now 8 others, the first LP 0\n",
		"cause: the program gives the same whenever it runs with the recorded options, and something else "+
			"than was recorded: ")
	require.Contains(t, out, "LPs that differ: 0, 1, 2, 3, 4, 5, 6, 7\n")
}

func TestInputFilesAreCheckedAndFound(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"a.csv": "1\n", "in/b.csv": "2\n"} {
		require.NoError(t, os.MkdirAll(filepath.Join(folder, filepath.Dir(name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	for _, c := range [][2]string{{".", "a.csv"}, {".", "in/b.csv"}, {"in", "../a.csv"}, {".", folder + "/a.csv"}} {
		dir := filepath.Join(folder, c[0])
		start(t, "right", dir, "--record=run", "--stats-path=result", "--arrivals="+c[1])
		result := filepath.Join(dir, "result")
		info, err := instr.ReadRunInfo(result)
		require.NoError(t, err)
		require.Contains(t, info.Record.Inputs, c[1])
		status, out, errs := verify("--with=--synch=3 --pes=2", result)
		require.Zero(t, status, out+errs)
		require.NoError(t, os.Rename(result, filepath.Join(t.TempDir(), "moved")))
	}
	start(t, "right", folder, "--record=run", "--stats-path=result", "--arrivals=a.csv")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "a.csv"), []byte("3\n"), 0o600))
	status, _, errs := verify(filepath.Join(folder, "result"))
	require.Equal(t, 2, status)
	require.Contains(t, errs, "input file a.csv: "+folder+"/a.csv has 2 bytes with hash ")
	require.Contains(t, errs, "--folder=FOLDER")
	status, _, errs = verify("--folder="+t.TempDir(), filepath.Join(folder, "result"))
	require.Equal(t, 2, status)
	require.Contains(t, errs, "restore it, or name the folder")
}

func TestNewRunsOverwriteNothing(t *testing.T) {
	folder := t.TempDir()
	out := filepath.Join(folder, "out.txt")
	start(t, "right", folder, "--record=run", "--stats-path=result", "--report-path=", "--out="+out)
	require.NoError(t, os.WriteFile(out, []byte("changed since"), 0o600))
	status, text, errs := verify("--with=--synch=3", filepath.Join(folder, "result"))
	require.Zero(t, status, text+errs)
	content, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, "changed since", string(content))
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, 2)
}

func TestWhatCannotBeCheckedIsAnError(t *testing.T) {
	folder := t.TempDir()
	start(t, "right", folder, "--stats-path=result")
	for _, c := range []struct{ name, want string }{
		{filepath.Join(folder, "result"), "it has no seal: the run was made without --record"},
		{filepath.Join(folder, "none"), "name the folder of a run with --record, or the journal of a study"},
	} {
		status, _, errs := verify(c.name)
		require.Equal(t, 2, status)
		require.Contains(t, errs, c.want)
	}
	dir := record(t, "right")
	info, err := instr.ReadRunInfo(dir)
	require.NoError(t, err)
	info.State, info.Reason = instr.RunStopped, "interrupted"
	require.NoError(t, info.WriteSealed(dir))
	status, _, errs := verify(dir)
	require.Equal(t, 2, status)
	require.Contains(t, errs, "the run did not come to its end (stopped: interrupted)")
	status, _, errs = verify()
	require.Equal(t, 2, status)
	require.Contains(t, errs, "0 records: name one")
}

func TestAStatisticThatDiffersIsShownByItsLine(t *testing.T) {
	dir := record(t, "right")
	path := filepath.Join(dir, "ross-stats-statistics.csv")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(text, "more\n"...), 0o600))
	status, out, _ := verify(dir)
	require.Equal(t, 1, status)
	requireLines(t, out, "altered: file ross-stats-statistics.csv: it is not as the run has written it: ")
	resealed(t, dir)
	status, out, _ = verify(dir)
	require.Equal(t, 1, status)
	requireLines(t, out, "  file ross-stats-statistics.csv, line ")
	require.Contains(t, out, `recorded "more", now ""`)
}

// resealed seals a record as it is now, as somebody who deceives would.
func resealed(t *testing.T, dir string) {
	t.Helper()
	info, err := instr.ReadRunInfo(dir)
	require.NoError(t, err)
	info.Record.Files, err = instr.FilesIn(dir)
	require.NoError(t, err)
	require.NoError(t, info.WriteSealed(dir))
}
