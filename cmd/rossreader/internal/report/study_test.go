// This file owns the tests of rossreader report for studies.

package report

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/program/parts/experiment"
)

func TestTheJournalOfAStudyGivesItsPage(t *testing.T) {
	dir := t.TempDir()
	journal, page := filepath.Join(dir, "queue.runs"), filepath.Join(dir, "page.html")
	_, err := experiment.Experiment{Name: "queue --lps=16", Journal: journal, Replications: 3,
		Points: experiment.Grid(experiment.Over("servers", 1, 2)),
		Run: func(_ context.Context, t *experiment.Trial) (experiment.Responses, error) {
			return experiment.Responses{"wait": float64(t.Replication), "served": float64(t.Int("servers"))}, nil
		}}.Do(context.Background())
	require.NoError(t, err)
	run := func(args ...string) (status int, out, errs string) {
		var stdout, stderr bytes.Buffer
		status = cli.Run(Command(), args, &stdout, &stderr)
		return status, stdout.String(), stderr.String()
	}
	status, out, errs := run(journal, "-o", page, "--confidence=0.9")
	require.Zero(t, status, errs)
	require.Equal(t, page+": points: 2, results: 2\n", out)
	content, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Contains(t, string(content), "Bars are 90 % confidence intervals")
	require.Contains(t, string(content), "queue --lps=16 --servers=2 --replication=")

	status, out, errs = run(journal, "-o", "-")
	require.Zero(t, status, errs)
	require.Contains(t, out, "<!DOCTYPE html>")
	require.Equal(t, "-: points: 2, results: 2\n", errs)

	for says, args := range map[string][]string{
		"no output: name a file with -o":                      {journal},
		"--base: is for files of a run, and " + journal:       {journal, "-o", page, "--base=x"},
		"--partial: is for files of a run":                    {journal, "-o", page, "--partial"},
		"--confidence=2: out of range":                        {journal, "-o", page, "--confidence=2"},
		"queue.runs: is one of the files to read":             {journal, "-o", journal},
		"page.html: given together with " + journal:           {journal, page, "-o", page},
		"page.csv: open " + dir + "/page.csv: no such file":   {filepath.Join(dir, "page.csv"), "-o", page},
		"page.html: record at byte 0: expected the beginning": {page, "-o", filepath.Join(dir, "other.html")},
	} {
		status, _, errs := run(args...)
		require.NotZero(t, status, args)
		require.Contains(t, errs, says)
	}
}
