// This file owns the tests of the journal, also of journals of other programs, which are copies of the test program;
// of experiments that are stopped and go on; and of tasks, whose journals are merged.

package experiment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testlevel"
)

// sweep is an experiment with a journal, whose runs are counted.
func sweep(path string, runs *atomic.Int32) Experiment {
	return Experiment{Name: "sweep", Seed: 3, Points: Grid(Over("scale", 1.0, 2.0)), Replications: 4, Journal: path,
		Run: func(_ context.Context, t *Trial) (Responses, error) {
			runs.Add(1)
			return draw(t), nil
		}}
}

func do(t *testing.T, e Experiment) *Results {
	t.Helper()
	r, err := e.Do(context.Background())
	require.NoError(t, err)
	return r
}

func TestAnExperimentGoesOnFromItsJournalWhereverItWasCut(t *testing.T) {
	var runs atomic.Int32
	want := do(t, sweep("", &runs))
	require.EqualValues(t, 8, runs.Swap(0))
	path := filepath.Join(t.TempDir(), "sweep.jsonl")
	require.Equal(t, want, do(t, sweep(path, &runs)))
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 9, bytes.Count(whole, []byte("\n")))
	require.EqualValues(t, 8, runs.Swap(0))
	require.Equal(t, want, do(t, sweep(path, &runs)))
	require.Zero(t, runs.Load(), "all is in the journal")

	step := 11
	if testlevel.Is(testlevel.Some) {
		step = 97
	}
	for cut := 0; cut <= len(whole); cut += step {
		require.NoError(t, os.WriteFile(path, whole[:cut], 0o666))
		runs.Store(0)
		require.Equal(t, want, do(t, sweep(path, &runs)), "cut at %d", cut)
		lines := max(bytes.Count(whole[:cut], []byte("\n"))-1, 0)
		require.EqualValues(t, 8-lines, runs.Load())
		now, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Len(t, now, len(whole), "the torn line is gone") // in another order
	}
}

func TestAJournalServesMorePointsAndReplications(t *testing.T) {
	var runs atomic.Int32
	path := filepath.Join(t.TempDir(), "sweep.jsonl")
	do(t, sweep(path, &runs))
	more := sweep(path, &runs)
	more.Points, more.Replications = Grid(Over("scale", 0.5, 2.0)), 6
	runs.Store(0)
	got := do(t, more)
	require.EqualValues(t, 6+2, runs.Swap(0))
	more.Journal = ""
	require.Equal(t, do(t, more), got)
	// Fewer are taken from it without the others.
	runs.Store(0)
	fewer := sweep(path, &runs)
	fewer.Replications = 2
	got = do(t, fewer)
	require.Zero(t, runs.Load())
	fewer.Journal = ""
	require.Equal(t, do(t, fewer), got)
	// A precision counts what is there.
	precise := sweep(path, &runs)
	precise.Workers = 1 // so that none is run in vain
	precise.Until = []Precision{{Response: "y", Absolute: 100}}
	runs.Store(0)
	require.Equal(t, 4+5, do(t, precise).Points[0].Replications)
	require.EqualValues(t, 5+3, runs.Load())
}

func TestAFailedReplicationIsRunAgain(t *testing.T) {
	var runs atomic.Int32
	path := filepath.Join(t.TempDir(), "sweep.jsonl")
	failing := sweep(path, &runs)
	failing.Workers = 1
	failing.Run = func(_ context.Context, trial *Trial) (Responses, error) {
		if runs.Add(1) == 6 {
			return nil, errors.New("ross: no more")
		}
		return draw(trial), nil
	}
	_, err := failing.Do(context.Background())
	require.ErrorContains(t, err, "no more")
	require.Equal(t, 1, strings.Count(err.Error(), "ross: "), "%v", err)
	runs.Store(0)
	got := do(t, sweep(path, &runs))
	require.EqualValues(t, 3, runs.Load())
	require.Equal(t, do(t, sweep("", &runs)), got)
}

func TestOtherFilesAndJournalsAreRefusedAndLeftAsTheyAre(t *testing.T) {
	var runs atomic.Int32
	path := filepath.Join(t.TempDir(), "sweep.jsonl")
	do(t, sweep(path, &runs))
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(whole), "\n")
	head, record := lines[0], lines[1]
	other := resealed(record, `"x":`, `"x":1`)
	for _, c := range []struct {
		content string
		change  func(e *Experiment)
		want    string
	}{
		{string(whole), func(e *Experiment) { e.Name = "else" },
			"it belongs to another experiment: its name is sweep, and that of this one is else: name another journal, or remove this one"},
		{string(whole), func(e *Experiment) { e.Version = "2" },
			"it has no version, and that of this one is 2: name another journal, or remove this one; if its results are " +
				`those of this version, replace the journal's first line by {"experiment":"sweep","version":"2","seed":3,`},
		{string(whole), func(e *Experiment) { e.Seed = 4 }, "its seed is 3, and that of this one is 4"},
		{string(whole), func(e *Experiment) { e.Points = Grid(Over("scale", 1.0), Over("n", 1)) },
			"its list of parameters is [scale], and that of this one is [scale n]"},
		{resealed(head, `"format":2`, `"format":3`), nil, "its format is 3, and that of this one is 2"},
		{`{"experiment":"sweep","seed":3,"parameters":["scale"],"format":1}` + "\n", nil,
			"it has format 1, which notes neither the program nor checksums"},
		{"some text", nil, "the file is not a journal: name another one"},
		{"some text\n", nil, "the file is not a journal: name another one"},
		{"{}\n", nil, "the file is not a journal: name another one"},
		{record, nil, "the file is not a journal: name another one"},
		{head + record[:20] + "\n" + record, nil,
			"line 2: its checksum is wrong, so it was damaged or changed: remove the line, and its replication is run again"},
		{head + record + "\n" + record, nil, "line 3: its checksum is wrong"},
		{head + strings.TrimSpace(record) + record, nil, "line 2: its checksum is wrong"},
		{head + strings.Replace(record, `"x":`, `"x":1`, 1), nil, ", replication 0: its checksum is wrong"},
		{head + strings.ReplaceAll(record, "\n", "\r\n"), nil, ", replication 0: its checksum is wrong"},
		{strings.Replace(head, "sweep", "sweap", 1) + record, nil,
			"line 1: its checksum is wrong, so it was damaged or changed: name another journal; " +
				"if this one is that of the experiment, replace the line by " + head[:len(head)-1]},
		{head + resealed(record, `"point"`, `"place"`), nil, `line 2: json: unknown field "place": remove the line`},
		{head + resealed(head, "sweep", "else") + record, nil, `line 2: json: unknown field "experiment": remove the line`},
		{head + record + other, nil, "line 3: point scale="},
		{head + record + other, nil,
			"so the model gave different results with the same random numbers: remove the journal, or name another one"},
		{head + resealed(record, `"x":`, `"z":`) + record,
			func(e *Experiment) { e.Until = []Precision{{Response: "x", Relative: 1}} },
			`line 2: response "x" of Until is not among ["y" "z"]: name one of them, or remove the journal`},
	} {
		require.NoError(t, os.WriteFile(path, []byte(c.content), 0o666))
		e := sweep(path, &runs)
		if c.change != nil {
			c.change(&e)
		}
		runs.Store(0)
		_, err := e.Do(context.Background())
		require.ErrorContains(t, err, "journal "+path+": ")
		require.ErrorContains(t, err, c.want)
		require.Zero(t, runs.Load())
		now, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, c.content, string(now))
	}
	_, err = sweep(filepath.Join(path, "no folder"), &runs).Do(context.Background())
	require.ErrorContains(t, err, `ross: experiment "sweep": journal: open `)
}

// resealed changes a line and corrects its checksum.
func resealed(line, from, to string) string {
	covered := []byte(strings.Replace(line[:strings.Index(line, `,"check"`)], from, to, 1))
	return string(covered) + string(sealing(covered)) + "\n"
}

func TestTheOrderOfLinesAndCopiesOfThemDoNotMatter(t *testing.T) {
	var runs atomic.Int32
	path := filepath.Join(t.TempDir(), "sweep.jsonl")
	want := do(t, sweep(path, &runs))
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := bytes.SplitAfter(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n"))
	lines[8] = append(lines[8], '\n')
	head, records := lines[0], lines[1:]
	slices.Reverse(records)
	runs.Store(0)
	// Two processes that begin a journal at the same time write two heads, and each its records.
	both := slices.Concat([][]byte{head, head}, records, records[2:5], [][]byte{head})
	require.NoError(t, os.WriteFile(path, bytes.Join(both, nil), 0o666))
	require.Equal(t, want, do(t, sweep(path, &runs)))
	require.Zero(t, runs.Load())
}

func TestExperimentsThatUseAJournalAtTheSameTimeLeaveItWhole(t *testing.T) {
	var runs atomic.Int32
	want := do(t, sweep("", &runs))
	path := filepath.Join(t.TempDir(), "sweep.jsonl")
	results := make([]*Results, 4)
	errs := make([]error, len(results))
	var all sync.WaitGroup
	for i := range results {
		all.Go(func() { results[i], errs[i] = sweep(path, &runs).Do(context.Background()) })
	}
	all.Wait()
	for i := range results {
		require.NoError(t, errs[i])
		require.Equal(t, want, results[i])
	}
	require.Equal(t, want, do(t, sweep(path, &runs)))
}

func TestAFlippedBitOfAJournalIsAnErrorThatNamesItsLine(t *testing.T) {
	testlevel.Once(t, "how a journal is read")
	var runs atomic.Int32
	path := filepath.Join(t.TempDir(), "sweep.jsonl")
	e := sweep(path, &runs)
	e.Replications, e.Workers = 50, 1
	want := do(t, e)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 101, bytes.Count(whole, []byte("\n")))
	every := 311 // bits, but those of line ends more often; 1 for all of them takes minutes
	if testlevel.Is(testlevel.Some) {
		every = 1009
	}
	refused, same := 0, 0
	for bit := range 8 * len(whole) {
		end := whole[bit/8] == '\n' && bit%11 == 0 || bit/8 == len(whole)-1
		if bit%every != 0 && !end {
			continue
		}
		flipped := bytes.Clone(whole)
		flipped[bit/8] ^= 1 << (bit % 8)
		require.NoError(t, os.WriteFile(path, flipped, 0o666))
		got, err := e.Do(context.Background())
		if err == nil {
			require.Equal(t, want, got, "bit %d", bit)
			same++
			continue
		}
		line := bytes.Count(whole[:bit/8], []byte("\n")) + 1
		require.Regexp(t,
			fmt.Sprintf("^ross: experiment \"sweep\": journal %s: line %d[:,].* wrong.*: (remove the line|name another)", path,
				line), err.Error(), "bit %d", bit)
		refused++
	}
	require.Equal(t, 8, same, "a last line without its end is run again, and nothing else")
	require.Positive(t, refused)
}

func TestTheExecutableIsReadForAJournalWithoutAVersionOnly(t *testing.T) {
	fails := func() (string, error) { return "", os.ErrPermission }
	e, err := sweep("sweep.jsonl", nil).withDefaults()
	require.NoError(t, err)
	_, err = newHead(e, fails)
	require.ErrorIs(t, err, os.ErrPermission)
	require.ErrorContains(t, err,
		"the executable cannot be read, so nothing would tell whether results are those of this program: "+
			"permission denied: set Version, and change it whenever the model changes")
	e.Version = "2"
	head, err := newHead(e, fails)
	require.NoError(t, err)
	require.Empty(t, head.Program)
}

// journalVariable makes the test below run an experiment with that journal, in a process of its own.
const journalVariable = "ROSS_TEST_JOURNAL"

// versionVariable makes the test below run an experiment of that version.
const versionVariable = "ROSS_TEST_VERSION"

func TestAJournalOfAnotherProgramIsRefusedUnlessTheVersionIsEqual(t *testing.T) {
	var runs atomic.Int32
	if path := os.Getenv(journalVariable); path != "" {
		e := sweep(path, &runs)
		e.Version = os.Getenv(versionVariable)
		do(t, e)
		t.Logf("runs: %d", runs.Load())
		return
	}
	if runtime.GOOS != "linux" {
		t.Skip("copies with a byte more are programs on Linux")
	}
	testlevel.Once(t, "which journals belong to a program")
	executable, err := os.Executable()
	require.NoError(t, err)
	content, err := os.ReadFile(executable)
	require.NoError(t, err)
	dir := t.TempDir()
	programs := map[string]string{"this": executable, "same": filepath.Join(dir, "same"),
		"other": filepath.Join(dir, "other")}
	require.NoError(t, os.WriteFile(programs["same"], content, 0o755))
	require.NoError(t, os.WriteFile(programs["other"], append(content, 0), 0o755))
	run := func(program, path, version string) (string, error) {
		cmd := exec.Command(programs[program], "-test.v",
			"-test.run=^TestAJournalOfAnotherProgramIsRefusedUnlessTheVersionIsEqual$")
		cmd.Env = append(os.Environ(), journalVariable+"="+path, versionVariable+"="+version)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, c := range []struct {
		first, second   string
		version, change string
		want            string
	}{
		{"this", "same", "", "", "runs: 0"},
		{"this", "other", "", "", "its results are those of another program, with hash "},
		{"other", "this", "", "",
			"name another journal, or remove this one; if both programs are of the same model, replace the journal's first line by {"},
		{"this", "other", "1", "1", "runs: 0"},
		{"this", "other", "1", "2", "its version is 1, and that of this one is 2"},
		{"this", "this", "1", "", "its version is 1, and that of this one is "},
	} {
		path := filepath.Join(t.TempDir(), "sweep.jsonl")
		out, err := run(c.first, path, c.version)
		require.NoError(t, err, out)
		require.Contains(t, out, "runs: 8")
		before, err := os.ReadFile(path)
		require.NoError(t, err)
		out, err = run(c.second, path, c.change)
		require.Equal(t, c.want == "runs: 0", err == nil, out)
		require.Contains(t, out, c.want)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, before, after)
	}
}

func TestAJournalIsMovedToAnotherProgramByItsFirstLine(t *testing.T) {
	// The error of a journal of another program has the line.
	var runs atomic.Int32
	path := filepath.Join(t.TempDir(), "sweep.jsonl")
	want := do(t, sweep(path, &runs))
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	head, records, _ := strings.Cut(string(whole), "\n")
	hash, err := thisProgram()
	require.NoError(t, err)
	other := resealed(head, hash, "0123456789abcdef")
	require.NoError(t, os.WriteFile(path, []byte(other+records), 0o666))
	_, err = sweep(path, &runs).Do(t.Context())
	require.ErrorContains(t, err, "with hash 0123456789ab, and this one has "+hash[:12]+": ")
	_, line, _ := strings.Cut(err.Error(), "first line by ")
	line, _, _ = strings.Cut(line, ", and set Version")
	require.NoError(t, os.WriteFile(path, []byte(line+"\n"+records), 0o666))
	runs.Store(0)
	require.Equal(t, want, do(t, sweep(path, &runs)))
	require.Zero(t, runs.Load())
}

func TestTasksAreMerged(t *testing.T) {
	want := whole(t, design())
	for _, tasks := range []int{1, 2, 3, 10} {
		dir := t.TempDir()
		var journals []string
		for task := range tasks {
			e := design()
			e.Task, e.Tasks, e.Journal = task, tasks, filepath.Join(dir, fmt.Sprint(task))
			_, err := e.Do(context.Background())
			require.NoError(t, err)
			journals = append([]string{e.Journal}, journals...)
			e.Run = func(context.Context, *Trial) (Responses, error) { return nil, errors.New("run again") }
			_, err = e.Do(context.Background())
			require.NoError(t, err, "all is done")
			if tasks > 1 {
				e.Task = (task + 1) % tasks
				_, err = e.Do(context.Background())
				require.ErrorContains(t, err, fmt.Sprintf("its task is %d/%d, and that of this one is %d/%d", task, tasks, e.Task,
					tasks))
			}
		}
		r, err := design().Merge(journals...)
		require.NoError(t, err)
		require.Equal(t, want, texts(t, r))
		r, err = design().Merge(append(journals, journals...)...)
		require.NoError(t, err)
		require.Equal(t, want, texts(t, r))
	}
}

func TestMergeNamesWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	at := func(task, tasks int, change func(*Experiment)) string {
		e := design()
		e.Task, e.Tasks, e.Journal = task, tasks, filepath.Join(dir, fmt.Sprintf("%d-of-%d", task, tasks))
		if change != nil {
			change(&e)
		}
		_, err := e.Do(context.Background())
		require.NoError(t, err)
		return e.Journal
	}
	a, b, c := at(0, 3, nil), at(1, 3, func(e *Experiment) { e.Workers = 1 }), at(2, 3, nil)
	merge := func(paths ...string) error {
		_, err := design().Merge(paths...)
		return err
	}
	require.NoError(t, merge(a, b, c))
	err := merge(a, c)
	require.ErrorIs(t, err, ErrMissing)
	require.ErrorContains(t, err, "task 1/3 (point at=1: 1, 4; point at=2: 1, 4; point at=3: 1, 4)")

	content, err := os.ReadFile(b)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(content), "\n")
	require.NoError(t, os.WriteFile(b, []byte(strings.Join(lines[:4], "")+lines[4][:9]), 0o600))
	err = merge(a, b, c)
	require.ErrorIs(t, err, ErrMissing)
	require.ErrorContains(t, err, "task 1/3 (point at=1: 4; point at=2: 4; point at=3: 4)")
	now, err := os.ReadFile(b)
	require.NoError(t, err)
	require.Len(t, now, len(strings.Join(lines[:4], ""))+9, "merging changes no journal")

	require.ErrorContains(t, merge(), "no journals: name at least one")
	require.ErrorContains(t, merge(filepath.Join(dir, "none")), "name a file that exists and may be read")
	require.ErrorContains(t, merge(a, at(0, 2, nil)), "is one of 2 tasks, and journal "+a+
		" one of 3: merge the journals of one division")
	require.ErrorContains(t, merge(at(0, 1, func(e *Experiment) { e.Seed = 5 })),
		"its seed is 5, and that of this one is 0")
	other := at(1, 4, func(e *Experiment) {
		e.Run = func(context.Context, *Trial) (Responses, error) { return Responses{"x": 1}, nil }
	})
	require.ErrorContains(t, merge(c, other),
		"replication 5 has other responses in a line before it, or in another journal")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "text"), []byte("a text\n"), 0o600))
	require.ErrorContains(t, merge(filepath.Join(dir, "text")), "the file is not a journal: name another one")
}

// TestRunsThatGoOnAtTheEndCount stops an experiment in each of its replications. They all count, and it goes on from
// there.
func TestRunsThatGoOnAtTheEndCount(t *testing.T) {
	e := design()
	want := whole(t, e)
	for at := range 3 * e.Replications {
		e := design()
		e.FinishRunning, e.Journal, e.Workers = true, filepath.Join(t.TempDir(), "j"), 1+at%3
		why := errors.New("enough")
		ctx, cancel := context.WithCancelCause(context.Background())
		var lock sync.Mutex
		begun, ended := 0, 0
		e.Run = func(own context.Context, trial *Trial) (Responses, error) {
			lock.Lock()
			defer lock.Unlock()
			if begun++; begun == at+1 {
				cancel(why)
			}
			ended++
			require.NoError(t, own.Err())
			return drawn(own, trial)
		}
		r, err := e.Do(ctx)
		if at+1 < 3*e.Replications && ended < 3*e.Replications {
			require.ErrorIs(t, err, why)
			require.ErrorContains(t, err,
				fmt.Sprintf("stopped after %d of 21 replications, run it again with the same journal to go on", ended))
		} else {
			require.NoError(t, err, "nothing was left")
			require.Equal(t, want, texts(t, r))
		}
		before := ended
		r, err = e.Do(context.Background())
		require.NoError(t, err)
		require.Equal(t, want, texts(t, r))
		require.Equal(t, 3*e.Replications, ended, "%d before", before)
		cancel(nil)
	}
}
