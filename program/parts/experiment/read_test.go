// This file owns the tests of journals that are read without their experiment.

package experiment

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// odd is an experiment with names and values that have to be quoted, and a response that some runs lack.
func odd(path string, tasks int) Experiment {
	return Experiment{Name: "odd --end=3", Seed: 5, Replications: 5, Workers: 2, Journal: path, Tasks: tasks, Partial: true,
		Points: Grid(Over("kind of desk", `a "b" c=d`, "plain"), Over("x", 10.0, 2.5), Over("n", 3, 12), Over("on", true, false)),
		Run: func(_ context.Context, t *Trial) (Responses, error) {
			r := Responses{"a": float64(len(t.Text("kind of desk"))) + t.Float("x")*float64(t.Replication), "n": float64(t.Int("n"))}
			if t.Bool("on") && t.Replication%2 == 0 {
				r["rare"] = 1 / 3.0
			}
			return r, nil
		}}
}

func TestAJournalAloneHasTheResults(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "runs")
	want := do(t, odd(path, 0))
	got, err := Read(0.95, path)
	require.NoError(t, err)
	require.Equal(t, "odd --end=3", got.Name)
	require.EqualValues(t, 5, got.Seed)
	require.Zero(t, got.Beyond)
	require.Equal(t, want.Responses, got.Results.Responses)
	require.Len(t, got.Results.Points, 16)
	at := map[string]PointResult{}
	for _, p := range want.Points {
		at[p.Point.String()] = p
	}
	var order []string
	for _, p := range got.Results.Points {
		require.Equal(t, at[p.Point.String()], p)
		order = append(order, fmt.Sprint(p.Point[1].Value, p.Point[2].Value))
	}
	require.Equal(t, "2.5 3", order[0], "numbers ascend")
	require.Equal(t, "10 12", order[7])
	require.Equal(t, []any{false, true}, []any{got.Results.Points[0].Point[3].Value, got.Results.Points[1].Point[3].Value})

	for task := range 3 {
		e := odd(filepath.Join(dir, fmt.Sprintf("part.%d-of-3", task)), 3)
		e.Task = task
		do(t, e)
	}
	parts := TaskJournals(dir)
	require.Len(t, parts, 3)
	merged, err := Read(0.95, parts...)
	require.NoError(t, err)
	require.Equal(t, got.Results.Responses, merged.Results.Responses)
	require.ElementsMatch(t, got.Results.Points, merged.Results.Points, "which text a worker came to first may differ")
	_, err = Read(0.95, parts[0], parts[2])
	require.ErrorIs(t, err, ErrMissing)
	require.ErrorContains(t, err, "of the tasks 1/3")
	_, err = Read(0.95, path, filepath.Join(dir, "none"))
	require.ErrorContains(t, err, "name a file that exists")
}

func TestReplicationsBehindAGapAreCountedAndLeftOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs")
	e := odd(path, 0)
	e.Workers, e.Points = 1, nil
	e.Run = func(_ context.Context, t *Trial) (Responses, error) {
		return Responses{"a": float64(t.Replication)}, nil
	}
	do(t, e)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(content), "\n")
	write := func(text string) string {
		name := filepath.Join(t.TempDir(), "cut")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	got, err := Read(0.9, write(strings.Join(append(lines[:3:3], lines[4:]...), "")+lines[1][:20]))
	require.NoError(t, err)
	require.Equal(t, 2, got.Beyond)
	require.Equal(t, []float64{0, 1}, got.Results.Points[0].Values("a"))
	require.InDelta(t, 0.9, got.Results.Confidence, 0)
	for text, says := range map[string]string{
		"":                      "the file is not a journal",
		"id,mean\n1,2\n":        "the file is not a journal",
		lines[0] + lines[3]:     "has no replication 0",
		lines[0]:                "has no replication 0",
		lines[0][1:] + lines[1]: "the file is not a journal",
		strings.Replace(lines[0], "odd", "even", 1) + lines[1]: "line 1: its checksum is wrong",
		lines[0] + strings.Replace(lines[1], ":0", ":1", 1):    "line 2, which reads as point",
	} {
		_, err := Read(0.95, write(text))
		require.ErrorContains(t, err, says, text)
	}
	_, err = Read(1, path)
	require.ErrorContains(t, err, "confidence is 1")
}
