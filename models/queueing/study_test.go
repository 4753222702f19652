// This file pins studies with this model: the table is that of single runs, and the documents say what works.

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/experiment"
	"github.com/ross-go/ross/internal/testlevel"
)

// TestMain runs the tests, or the program itself with the environment variable selfEnv.
func TestMain(m *testing.M) {
	if os.Getenv(selfEnv) != "" {
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

const selfEnv = "ROSS_TEST_QUEUEING"

// single makes one run by itself, and returns the means in the file of its statistics, or what counters have counted.
func single(t *testing.T, line string) map[string]float64 {
	t.Helper()
	dir := t.TempDir()
	var out, errs bytes.Buffer
	require.Zero(t, run(strings.Fields(line+" --statistics=2 --progress=off --stats-path="+dir+"/s"), &out, &errs), "%s", &errs)
	files, err := filepath.Glob(dir + "/s*/*statistics.json")
	require.NoError(t, err)
	require.Len(t, files, 1)
	content, err := os.ReadFile(files[0])
	require.NoError(t, err)
	var table struct {
		Rows []struct {
			Statistic, Kind string
			Sum, Mean       float64
		}
	}
	require.NoError(t, json.Unmarshal(content, &table))
	means := map[string]float64{}
	for _, row := range table.Rows {
		if means[row.Statistic] = row.Mean; row.Kind == "counter" {
			means[row.Statistic] = row.Sum
		}
	}
	return means
}

// cells returns the cells of a study's table by point, column and name.
func cells(t *testing.T, line string, more ...string) []map[string]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	var out, errs bytes.Buffer
	require.Zero(t, run(slices.Concat(strings.Fields(line), more, []string{"--progress=off", "--table=" + path}), &out, &errs), "%s", &errs)
	require.Empty(t, errs.String())
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	var all []map[string]string
	for _, row := range rows[1:] {
		cell := map[string]string{}
		for i, name := range rows[0] {
			cell[name] = row[i]
		}
		all = append(all, cell)
	}
	return all
}

const small = "--lps=6 --end=60 --warm-up=10 --seed=5"

// TestAStudyIsTheMeanOfSingleRuns computes means and half widths of three runs as a textbook does.
func TestAStudyIsTheMeanOfSingleRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	const student = 4.302652729749464 // of two degrees of freedom, at 0.975
	got := cells(t, small+" --replications=3 --vary=servers=1..2")
	require.Len(t, got, 2)
	for i, cell := range got {
		require.Equal(t, strconv.Itoa(i+1), cell["servers"])
		var runs []map[string]float64
		for replication := range 3 {
			runs = append(runs, single(t, fmt.Sprintf("%s --servers=%d --replication=%d", small, i+1, replication)))
		}
		require.Len(t, runs[0], 7)
		for name := range runs[0] {
			sum, squares := 0.0, 0.0
			for _, r := range runs {
				sum += r[name]
			}
			for _, r := range runs {
				squares += (r[name] - sum/3) * (r[name] - sum/3)
			}
			number := func(column string) float64 {
				x, err := strconv.ParseFloat(cell[name+column], 64)
				require.NoError(t, err, name+column)
				return x
			}
			require.InEpsilon(t, sum/3, number(" mean"), 1e-12, name)
			require.InEpsilon(t, student*math.Sqrt(squares/2/3), number(" half width"), 1e-9, name)
			require.Equal(t, "3", cell[name+" n"])
		}
	}
}

// TestAStudyIsAnExperiment compares a study until a precision is reached with package experiment.
func TestAStudyIsAnExperiment(t *testing.T) {
	e := experiment.Experiment{
		Name: "by hand", Seed: 5, Workers: 1, Points: experiment.Grid(experiment.Over("servers", 2, 3), experiment.Over("patience", 0.0, 2.5)),
		Until: []experiment.Precision{{Response: "waiting time", Relative: 0.2}}, Replications: 4, MaxReplications: 60,
		Run: func(ctx context.Context, trial *experiment.Trial) (experiment.Responses, error) {
			p, cfg := defaults()
			p.servers, p.patience = uint64(trial.Int("servers")), trial.Float("patience")
			cfg.LPs, cfg.End, cfg.WarmUp, cfg.Statistics = 6, 60, 10, 0
			trial.Configure(&cfg)
			table, err := p.table(ctx, cfg)
			if err != nil {
				return nil, err
			}
			wait, _ := table.Row("station", "waiting time")
			return experiment.Responses{"waiting time": wait.Mean}, nil
		},
	}
	want, err := e.Do(context.Background())
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	got := cells(t, small+" --replications=4 --precision=0.2 --max-replications=60 --vary=servers=2,3 --vary=patience=0,2.5", "--results=waiting time")
	require.Len(t, got, 4)
	for i, cell := range got {
		interval, err := want.Interval("waiting time", i)
		require.NoError(t, err)
		require.Equal(t, strconv.FormatFloat(interval.Mean, 'g', -1, 64), cell["waiting time mean"])
		require.Equal(t, strconv.FormatFloat(interval.Half, 'g', -1, 64), cell["waiting time half width"])
		require.Equal(t, strconv.Itoa(interval.N), cell["waiting time n"])
	}
}

// TestThePageOnStudiesRuns runs what docs/running.md says, with this program. models/mpitest has the part with mpirun.
func TestThePageOnStudiesRuns(t *testing.T) {
	testlevel.Once(t, "a document, and programs that it runs")
	page, err := os.ReadFile("../../docs/running.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "\n## Studies\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	self, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "queueing"), []byte("#!/bin/sh\n"+selfEnv+"=1 exec '"+self+"' \"$@\"\n"), 0o700))
	shell := func(script string, env ...string) string {
		cmd := exec.Command("bash", "-euc", "go() { test \"$*\" = 'build ./models/queueing'; }\n"+script)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", script, out)
		return string(out)
	}
	ran := 0
	journaled, merged := "", ""
	for rest := section; ; ran++ {
		_, block, found := strings.Cut(rest, "```sh\n")
		if !found {
			break
		}
		block, rest, _ = strings.Cut(block, "```")
		switch {
		case strings.Contains(block, "mpirun "):
		case strings.Contains(block, "#SBATCH --array=0-9\n"):
			for task := range 10 {
				out := shell(block, fmt.Sprint("SLURM_ARRAY_TASK_ID=", task), "SLURM_ARRAY_TASK_COUNT=10", "SLURM_ARRAY_TASK_MIN=0", "SLURM_ARRAY_TASK_STEP=1")
				require.Contains(t, out, fmt.Sprintf("task %d/10 is done", task))
			}
		case strings.Contains(block, "--merge="):
			merged = shell(block)
		case strings.Contains(block, "--journal="):
			journaled = shell(block)
			require.Equal(t, journaled, shell(block), "from the journal")
		default:
			require.Contains(t, shell(block), "confidence intervals")
		}
	}
	require.Equal(t, 5, ran)
	require.Contains(t, merged, "servers")
	require.Equal(t, journaled, merged)
	for _, name := range []string{"waits.csv", "merged.csv"} {
		require.FileExists(t, filepath.Join(dir, name))
	}
}
