// This file owns the tests of whole measurements, of models that take no time, and of the files that they leave.

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/output/svg/svgtest"
)

// A measurement runs the program again, which is the test here.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == modelWord {
		os.Exit(runModel(os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// tiny returns models of few events.
func tiny() []workload {
	all := workloads()
	for i := range all {
		all[i].lps = 16
		all[i].probe = 2
	}
	return all
}

// smallLayout is that of two cores, which bind and start ranks if the machine does.
func smallLayout(l layout) layout {
	l.cores, l.processors = 2, 2
	return l
}

func TestATinyMeasurementHasAllCellsAndFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	m := measurement{out: io.Discard, budget: time.Hour, turns: leastTurns, workloads: tiny(), programs: t.TempDir(),
		layout: smallLayout, seconds: 1e-9}
	m.workloads = append(m.workloads[:1], m.workloads[4]) // B, and dragonfly, which is not there
	r, err := m.measure(context.Background())
	require.NoError(t, err)
	require.Empty(t, r.Failures)
	require.False(t, r.Stopped)
	require.Equal(t, leastTurns, r.Turns)
	require.NotEmpty(t, r.Cells)
	schedulers := map[string]bool{}
	for _, c := range r.Cells {
		require.Empty(t, c.LeftOut, c.name())
		require.NotEmpty(t, c.First.Digest, c.name())
		schedulers[c.Scheduler] = true
		if c.Scheduler != sequential || c.Size == 1 {
			require.Len(t, c.Runs, leastTurns, c.name())
		}
	}
	require.Len(t, schedulers, 3)
	require.NotEmpty(t, r.Ends)
	require.Contains(t, strings.Join(r.Notes, "\n"), "There is no program dragonfly next to this one")

	dir := filepath.Join("some", "folder")
	require.NoError(t, r.write(dir))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 3, "nothing half-written stays")
	text, err := os.ReadFile(filepath.Join(dir, jsonName))
	require.NoError(t, err)
	var back results
	require.NoError(t, json.Unmarshal(text, &back))
	require.Len(t, back.Cells, len(r.Cells))
	require.Equal(t, r.Cells[0].Runs[0].Rate, back.Cells[0].Runs[0].Rate)
	table, err := os.ReadFile(filepath.Join(dir, tableName))
	require.NoError(t, err)
	require.Contains(t, string(table), "\n| B | strong | optimistic, threads | 2 | ")
	require.Contains(t, string(table), "\n| B | weak | conservative, threads | 2 | ")
	require.NotContains(t, string(table), "NaN")
	here, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Len(t, here, 1, "nothing is written elsewhere")
}

func TestAStoppedMeasurementIsWritten(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := stopper{word: "B, sequential:", stop: cancel}
	m := measurement{out: &out, budget: time.Hour, turns: leastTurns, workloads: tiny()[:1], layout: smallLayout,
		seconds: 1e-9}
	r, err := m.measure(ctx)
	require.NoError(t, err)
	require.True(t, r.Stopped)
	require.Empty(t, r.Failures, "what was stopped has not failed")
	require.NotNil(t, r.Cells[0].First)
	require.Equal(t, stopped, r.Cells[len(r.Cells)-1].LeftOut)
	require.NoError(t, r.write(t.TempDir()))
	require.Contains(t, string(r.table()), "was stopped before its end")
}

// stopper calls stop when a text with the word is written.
type stopper struct {
	word string
	stop func()
}

func (s *stopper) Write(text []byte) (int, error) {
	if bytes.Contains(text, []byte(s.word)) {
		s.stop()
	}
	return len(text), nil
}

func TestModelsCommitTheSameInAllVariants(t *testing.T) {
	r := runner{scratch: t.TempDir(), workloads: tiny()[:4], references: map[string]*oneRun{}}
	for _, w := range r.workloads {
		c := cell{Workload: w.name, Size: 1, variant: variant{Scheduler: sequential}, PEs: 1, End: 20}
		require.NoError(t, r.run(context.Background(), &c, true))
		c = cell{Workload: w.name, Size: 1, variant: variant{optimistic, threads, false}, PEs: 2, End: 20}
		require.NoError(t, r.run(context.Background(), &c, true))
		c.Scheduler = conservative
		require.NoError(t, r.run(context.Background(), &c, true))
		require.Equal(t, r.references[w.name+" 1"].Digest, c.First.Digest)
		require.Greater(t, c.First.NetEvents, uint64(16))
	}
}

func TestARunWithAnotherResultFails(t *testing.T) {
	r := runner{programs: t.TempDir(), scratch: t.TempDir(), workloads: tiny(), references: map[string]*oneRun{}}
	c := cell{Workload: modelB, Size: 1, variant: variant{optimistic, threads, false}, PEs: 2, End: 20}
	require.ErrorContains(t, r.run(context.Background(), &c, true), "there is no sequential run to compare with")
	one := cell{Workload: modelB, Size: 1, variant: variant{Scheduler: sequential}, PEs: 1, End: 20}
	require.NoError(t, r.run(context.Background(), &one, true))
	c.End = 21
	require.ErrorContains(t, r.run(context.Background(), &c, false), "events were committed, and ")
	require.Empty(t, c.Runs)
	want := r.references["B 1"]
	other := *want
	other.States = "0"
	require.ErrorContains(t, other.compare(want), "digests are ")
	other.Digest = ""
	require.NoError(t, other.compare(want), "later runs have none")
	c.PEs = -1
	require.ErrorContains(t, r.run(context.Background(), &c, true), "option --pes=-1")
	c.Workload, c.PEs = dragonfly, 1
	require.ErrorIs(t, r.run(context.Background(), &c, true), os.ErrNotExist)
}

func TestFailuresAreInTheTableAndInTheExit(t *testing.T) {
	r := results{Machine: &machine{}, Failures: []string{"B, optimistic: 5 events were committed,\nand 6"}}
	require.Contains(t, string(r.table()), "## Failures\n\n**These runs did not come to the result")
	require.Contains(t, string(r.table()), "- B, optimistic: 5 events were committed, and 6\n")
}

func TestDescriptionsAreReadAsSharesOfTheTimeOfAllPEs(t *testing.T) {
	const description = `{"state": "complete", "pes": 4, "result": {"runtime_seconds": 0.5, "net_events": 3000000,
		"events_processed": 4000000, "events_rolled_back": 1000000, "idle_seconds": 0.2, "events_remote": 300000,
		"processors": {"waited_seconds": 0.1}}}`
	o, err := readRun([]byte(description), []byte("GVT Share of Running Time, Largest of a PE   12.50 %\n"))
	require.NoError(t, err)
	require.InDelta(t, 6, o.Rate, 1e-9)
	require.InDelta(t, 0.25, o.Undone, 1e-9)
	require.InDelta(t, 0.1, o.Idle, 1e-9)
	require.InDelta(t, 0.05, o.Waited, 1e-9)
	require.InDelta(t, 0.125, o.GVT, 1e-9)
	require.InDelta(t, 0.1, o.Remote, 1e-9)
	_, err = readRun([]byte(`{"state": "failed", "reason": "no memory"}`), nil)
	require.ErrorContains(t, err, "failed no memory")
	_, err = readRun([]byte("{"), nil)
	require.Error(t, err)
}

// drawnUpTo returns results of series on a machine of many cores, and the elements of their picture.
func drawnUpTo(t *testing.T, l layout) (*results, []svgtest.Element) {
	t.Helper()
	r := &results{Machine: &machine{Processor: "A & B"}, Cells: l.cells(workloads())}
	for _, w := range workloads() {
		r.Workloads = append(r.Workloads, modelInfo{Name: w.name, Title: w.title, Size: l.fixedSize()})
	}
	for _, c := range r.Cells {
		rate := 10 * float64(c.PEs) / (1 + 0.05*float64(c.PEs))
		if c.Workload == modelA {
			rate = 10 / float64(c.PEs)
		}
		for i := range leastTurns {
			c.Runs = append(c.Runs, oneRun{Rate: rate * (1 + 0.01*float64(i)), Idle: 0.5})
		}
	}
	r.series = l.seriesOf(workloads(), r.Cells)
	r.conclude(l)
	return r, svgtest.Elements(t, draw(r))
}

func TestThePictureHasALineForEachWorkloadAndTheIdealOne(t *testing.T) {
	for _, l := range []layout{{cores: 2, processors: 2}, {cores: 6, processors: 12}, {cores: 64, processors: 128}} {
		r, all := drawnUpTo(t, l)
		lines := 0
		for _, e := range all {
			switch e.Name {
			case "polyline":
				lines++
				for _, place := range strings.Fields(e.Attr["points"]) {
					var x, y float64
					_, err := fmt.Sscanf(place, "%f,%f", &x, &y)
					require.NoError(t, err)
					require.True(t, x > 0 && x < 2*panelWide && y >= plotTop && y <= plotTop+plotHigh, place)
				}
			case "text":
				require.Less(t, e.Number(t, "x"), 2.0*panelWide)
			}
		}
		require.Equal(t, 2*(5+1), lines)
		require.Len(t, r.Ends, len(r.series))
		for _, e := range r.Ends {
			if e.Workload == modelA {
				require.Equal(t, 2, e.Verdict.PEs)
			}
			if e.Workload == modelB && l.cores == 64 {
				require.Equal(t, 16, e.Verdict.PEs)
			}
		}
	}
}

func TestAPictureOfNothingHasTheIdealLine(t *testing.T) {
	all := svgtest.Elements(t, draw(&results{Machine: &machine{}}))
	require.Equal(t, "svg", all[0].Name)
}

func TestFilesThatCannotBeWrittenAreNamed(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o666))
	r := results{Machine: &machine{}}
	below := filepath.Join(dir, "file", "below")
	require.ErrorContains(t, r.write(below), filepath.Join(dir, "file"))
	require.ErrorContains(t, run(context.Background(), []string{"-out", below}, io.Discard), "machine: -out="+below)
}

func TestArguments(t *testing.T) {
	var out bytes.Buffer
	require.ErrorIs(t, run(context.Background(), []string{"-help"}, &out), flag.ErrHelp)
	require.Contains(t, out.String(), "-time time")
	require.ErrorContains(t, run(context.Background(), []string{"-time=0s"}, &out), "-time=0s: must be above 0")
	require.ErrorContains(t, run(context.Background(), []string{"-only=X"}, &out), `no workload "X"`)
	require.ErrorContains(t, run(context.Background(), []string{"now"}, &out), "now: unknown")
}

func TestAStopBeforeTheBeginningIsToldAndWritten(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	require.True(t, errors.Is(run(ctx, []string{"-out", dir, "-only=B"}, io.Discard), errStopped))
	require.FileExists(t, filepath.Join(dir, tableName))
}

func TestTheModelsRefuseOtherNames(t *testing.T) {
	var errs bytes.Buffer
	require.Equal(t, 2, runModel([]string{"--workload=X", "--report-path="}, io.Discard, &errs))
	require.Contains(t, errs.String(), "option --workload=X: must be A, B, C or S")
}
