// This file owns the tests of --page: that it has what the table has, whatever makes the runs, and command lines that
// repeat them.

package study

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testkit"
)

// asProgram, in the environment, makes the test binary the program of the tests: ranks are copies of a process.
const asProgram = "STUDY_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(desks().Main(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func TestRanksWriteOnePage(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("--ranks needs Linux")
	}
	const line = "--replications=3 --vary=speed=1,2 --results=served,time"
	want := paged(t, line)
	dir := t.TempDir()
	path := filepath.Join(dir, "p.html")
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Limit(t))
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], strings.Fields(line+" --ranks=2 --page="+path)...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, 1, strings.Count(string(out), "confidence intervals"), string(out))
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want, string(content))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

// paged runs the program with a page, and returns the page.
func paged(t *testing.T, line string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.html")
	status, _, errs := try(line + " --page=" + path)
	require.Zero(t, status, "%s: %s", line, errs)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1, "one file, which is whole")
	return string(content)
}

var (
	sheet   = regexp.MustCompile(`(?s)<script type="application/json" class="means">(.*?)</script>`)
	command = regexp.MustCompile(`(?s)<tr data-point="(\d+)">.*?<code>(.*?)</code>`)
	tag     = regexp.MustCompile(`<[^>]*>`)
)

// sheets returns the CSV of the tables of a page, without the first line.
func sheets(t *testing.T, page string) (all [][]string) {
	t.Helper()
	for _, m := range sheet.FindAllStringSubmatch(page, -1) {
		var text string
		require.NoError(t, json.Unmarshal([]byte(m[1]), &text))
		all = append(all, strings.Split(strings.TrimSpace(text), "\n")[1:])
	}
	return all
}

func TestAPageHasWhatTheTableHasWhoeverMadeTheRuns(t *testing.T) {
	const line = "--replications=4 --vary=speed=1..2:0.5 --vary=kind=plain,fast --results=served,time,rare --base=kind=plain"
	page := paged(t, line+" --workers=1")
	_, table := must(t, line)
	rows := strings.Split(strings.TrimSpace(table), "\n")
	all := sheets(t, page)
	require.Len(t, all, 2*3, "results and their differences")
	for i, name := range []string{"served", "time", "rare"} {
		for k, row := range all[2*i] {
			cells := strings.Split(rows[1+k], ",")
			want := append(slices.Clone(cells[:2]), name)
			for _, cell := range cells[2+3*i : 5+3*i] {
				if cell == "NaN" || cell == "Inf" {
					cell = ""
				}
				want = append(want, cell)
			}
			require.Equal(t, want, strings.Split(row, ",")[:6])
		}
		for k, row := range all[2*i+1] { // of every second point, which is not a base
			cells, own := strings.Split(rows[2+2*k], ","), strings.Split(row, ",")
			want := cells[2+9+3*i : 2+9+3*i+3]
			if want[0] != "NaN" && want[1] != "Inf" {
				require.Equal(t, want, []string{own[3], own[4], own[6]})
			}
		}
	}

	require.Contains(t, page, `<h2 id="h-r1">time <span class="unit">(s)</span></h2>`)
	journal := filepath.Join(t.TempDir(), "runs")
	require.Equal(t, page, paged(t, line+" --workers=3 --journal="+journal))
	require.Equal(t, page, paged(t, line+" --journal="+journal), "without a run")
	require.Equal(t, page, paged(t, line+" --merge="+journal))
}

func TestCommandLinesOfAPageRepeatTheRuns(t *testing.T) {
	const line = "--replications=4 --vary=speed=1..2:0.5 --vary=synch=1,3 --seed=7 --results=served --workers=1 --end=30"
	requireRepeated(t, line)
	requireRepeated(t, line+" --warm-up=8 --io-other-options --io-restart="+warm(t))
}

func requireRepeated(t *testing.T, line string) {
	t.Helper()
	page := paged(t, line)
	found := command.FindAllStringSubmatch(page, -1)
	require.Len(t, found, 6)
	for _, f := range found {
		words := strings.Fields(html.UnescapeString(tag.ReplaceAllString(f[2], "")))
		require.Equal(t, "desks", words[0])
		p := desks()
		cfg := p.Config
		o := p.CommandLine(&cfg)
		_, err := o.Parse(words[1:])
		require.NoError(t, err)
		require.EqualValues(t, 7, cfg.Seed)
		require.InDelta(t, 30, cfg.End, 0)
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		require.NoError(t, p.Build(sim))
		require.NoError(t, sim.Run(t.Context()))
		rows, err := statistics(sim)
		require.NoError(t, err)
		r := ofStatistics(rows, nil)
		require.NoError(t, sim.Close())
		dot := regexp.MustCompile(fmt.Sprintf(`(?s)<g class="dots" data-point="%s">.*?replication %d: (.*?)</title>`, f[1],
			cfg.Replication))
		value, err := strconv.ParseFloat(dot.FindStringSubmatch(page)[1], 64)
		require.NoError(t, err)
		require.InDelta(t, r["served"], value, 0, words)
	}
}

func TestAProgramOfGoRunIsStartedAgainByGoRun(t *testing.T) {
	require.Equal(t, []string{"go", "run", "example.com/mine"},
		started("queues", "/tmp/go-build42/b001/exe/mine", "example.com/mine"))
	require.Equal(t, []string{"queues"}, started("queues", "/usr/bin/mine", "example.com/mine"))
	require.Equal(t, []string{"queues"}, started("queues", "/tmp/go-build42/b001/study.test", "example.com/mine"))
}

func TestAPageSaysWhichPointsMissedThePrecision(t *testing.T) {
	page := paged(t, "--precision=0.001 --replications=3 --max-replications=5 --vary=speed=1,2 --results=served")
	require.Contains(t, page, "a half width of 0.1 % of the mean, was missed at 2 of 2 points")
}

func TestAPageSaysWhichPointIsSelected(t *testing.T) {
	page := paged(t, best)
	require.Contains(t, page, "The point with the greatest mean of served is speed=1.2 (")
	require.Equal(t, 2, strings.Count(page, "<b>selected</b>"), "in the tables of both results")
}

func TestAPageIsRefusedWhereItCannotBe(t *testing.T) {
	dir := t.TempDir()
	for line, says := range map[string]string{
		"--page=p.html": "option --page=p.html: is for a study; give --replications=20 with it",
		"--replications=2 --page=p.txt": "option --page=p.txt: a browser would not show it as a page; give a name that " +
			"ends with .html",
		"--replications=4 --task=1/2 --journal=" + dir + "/runs --page=" + dir + "/p.html": "given together with --page, " +
			"but a task has no table; give --page with --merge",
		"--replications=2 --vary=speed=1..2001 --page=p.html": "option --page=p.html: the study has 2001 points, and a page " +
			"at most 2000; give --table instead, or fewer points",
		"--replications=2 --vary=page=a,b": "a study does not vary --page",
	} {
		status, out, errs := try(line)
		require.Equal(t, 2, status, line)
		require.Empty(t, out, line)
		require.Contains(t, errs, says, line)
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}
