// This file owns the tests of the journal.

package experiment

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/effort"
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
	if effort.Is(effort.Some) {
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
			return nil, errors.New("no more")
		}
		return draw(trial), nil
	}
	_, err := failing.Do(context.Background())
	require.ErrorContains(t, err, "no more")
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
	other := strings.Replace(record, `"x":`, `"x":1`, 1)
	for _, c := range []struct {
		content string
		change  func(e *Experiment)
		want    string
	}{
		{string(whole), func(e *Experiment) { e.Name = "else" }, "it belongs to another experiment: its name is sweep, and that of this one is else: name another journal, or remove this one"},
		{string(whole), func(e *Experiment) { e.Version = "2" }, "its version is , and that of this one is 2"},
		{string(whole), func(e *Experiment) { e.Seed = 4 }, "its seed is 3, and that of this one is 4"},
		{string(whole), func(e *Experiment) { e.Points = Grid(Over("scale", 1.0), Over("n", 1)) }, "its list of parameters is [scale], and that of this one is [scale n]"},
		{strings.Replace(head, `"format":1`, `"format":2`, 1), nil, "its format is 2, and that of this one is 1"},
		{"some text", nil, "the file is not a journal: name another one"},
		{"some text\n", nil, "the file is not a journal: name another one"},
		{"{}\n", nil, "the file is not a journal: name another one"},
		{record, nil, "the file is not a journal: name another one"},
		{head + record[:20] + "\n" + record, nil, "line 2: not a record: unexpected EOF: remove the line, and its replication is run again"},
		{head + record + "\n" + record, nil, "line 3: not a record: EOF: remove the line"},
		{head + strings.TrimSpace(record) + record, nil, "line 2: not a record: more than one value"},
		{head + record + other, nil, "line 3: point scale="},
		{head + record + other, nil, "so the model gave different results with the same random numbers: remove the journal, or name another one"},
		{head + strings.Replace(record, `"x":`, `"z":`, 1) + record, func(e *Experiment) { e.Until = []Precision{{Response: "x", Relative: 1}} },
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
	// The same record twice is no harm.
	require.NoError(t, os.WriteFile(path, []byte(head+record+record), 0o666))
	runs.Store(0)
	do(t, sweep(path, &runs))
	require.EqualValues(t, 7, runs.Load())
}

// journalVariable makes the test below run an experiment with that journal, in a process of its own.
const journalVariable = "ROSS_TEST_JOURNAL"

func TestAnExperimentGoesOnAfterItWasKilled(t *testing.T) {
	var runs atomic.Int32
	e := sweep(os.Getenv(journalVariable), &runs)
	e.Replications, e.Workers = 12, 2
	if e.Journal != "" {
		run := e.Run
		e.Run = func(ctx context.Context, t *Trial) (Responses, error) {
			fmt.Println("replication")
			if _, err := os.Stdin.Read(make([]byte, 1)); err != nil { // until it may go on
				return nil, err
			}
			return run(ctx, t)
		}
		do(t, e)
		return
	}
	want := do(t, e)
	path := filepath.Join(t.TempDir(), "sweep.jsonl")
	kills := 0
	for last := 2; ; last = last%5 + 2 {
		// Kill it when it has begun a number of replications, the last of which wait.
		cmd := exec.Command(os.Args[0], "-test.run=^TestAnExperimentGoesOnAfterItWasKilled$")
		cmd.Env = append(os.Environ(), journalVariable+"="+path)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		begun := 0
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if !strings.Contains(lines.Text(), "replication") {
				continue
			}
			if begun++; begun == last {
				require.NoError(t, cmd.Process.Kill())
			} else if begun < last {
				_, err = in.Write([]byte{0})
				require.NoError(t, err)
			}
		}
		if cmd.Wait() == nil {
			break
		}
		kills++
		require.Less(t, kills, 200)
	}
	t.Logf("%d times killed", kills)
	require.Greater(t, kills, 3)
	runs.Store(0)
	e.Journal = path
	require.Equal(t, want, do(t, e))
	require.Zero(t, runs.Load(), "the last process finished it")
}
