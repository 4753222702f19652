// This file pins the findings on stored runs: each trouble is found, healthy runs have no remark.

package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

// corpus calls do with each run of testdata/runs.txt, and the rules that must find something in it.
func corpus(t *testing.T, do func(t *testing.T, dir string, rules []string)) {
	list, err := os.ReadFile(filepath.Join("testdata", "runs.txt"))
	require.NoError(t, err)
	for line := range strings.Lines(string(list)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" || strings.HasPrefix(line, "#") {
			continue
		}
		t.Run(words[1], func(t *testing.T) { do(t, filepath.Join("testdata", "runs", words[1]), strings.Split(words[0], ",")) })
	}
}

func TestStoredRunsGiveTheirFindings(t *testing.T) {
	healthy, troubled, seen := 0, 0, map[string]bool{}
	corpus(t, func(t *testing.T, dir string, rules []string) {
		f := load(t, dir)
		var found []string
		for _, one := range f.findings() {
			found = append(found, one.Rule)
			require.NotEmpty(t, one.Figure)
			require.NotEmpty(t, one.Advice)
		}
		require.Empty(t, f.lacks())
		if rules[0] == "-" {
			healthy++
			require.Empty(t, found, "%v", f.findings())
			return
		}
		troubled++
		require.Subset(t, found, rules)
		for _, rule := range rules {
			seen[rule] = true
		}
	})
	require.GreaterOrEqual(t, troubled, 20)
	require.GreaterOrEqual(t, healthy, 10)
	for _, rule := range []string{"cores", "lookahead", "window", "uneven", "storm", "efficiency", "secondary", "remote", "gvt", "saving", "memory", "idle"} {
		require.True(t, seen[rule], rule)
	}
}

// The findings of a run that waits must not blame what does not make it wait.
func TestAStoredTroubleIsNotBlamedOnAnother(t *testing.T) {
	corpus(t, func(t *testing.T, dir string, rules []string) {
		for _, one := range load(t, dir).findings() {
			switch one.Rule {
			case "lookahead", "saving", "memory", "cores":
				require.Contains(t, rules, one.Rule, one.Figure)
			case "idle":
				require.NotSubset(t, []string{"cores", "lookahead", "window", "uneven", "memory"}, rules)
			}
		}
	})
}

func TestDocumentationListsEachRule(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "findings.md"))
	require.NoError(t, err)
	var listed []string
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(line, "|"); strings.HasPrefix(line, "| `") {
			listed = append(listed, strings.Trim(cells[1], " `"))
		}
	}
	slices.Sort(listed)
	require.Equal(t, []string{"cores", "efficiency", "gvt", "hot", "idle", "lookahead", "memory", "network", "remote", "saving", "secondary", "slow", "storm",
		"uneven", "window"}, listed)
}

func TestWithTooLittleDataTheReportSaysHowToCollectIt(t *testing.T) {
	info := &instr.RunInfo{Version: instr.RunVersion, Model: "phold", Synch: 3, PEs: 2, Scheduler: "optimistic", State: instr.RunComplete,
		Command: []string{"./phold", "--synch=3", "--pes=2", "--engine-stats=0", "--run", "my run"}}
	dir := t.TempDir()
	require.NoError(t, info.Write(dir))
	require.Equal(t, "./phold --synch=3 --pes=2 --run 'my run' --engine-stats=1 --kp-data=1 --lp-data=1", commandOf(t, dir))
	info.Synch, info.PEs = 1, 1
	require.NoError(t, info.Write(dir))
	require.Equal(t, "./phold --synch=3 --pes=2 --run 'my run' --engine-stats=2 --rt-interval=10 --lp-data=1", commandOf(t, dir))
	page := makePage(t, dir)
	require.NotContains(t, page, "Nothing stands out")
	require.Contains(t, page, "--rt-interval=10")
}

func commandOf(t *testing.T, dir string) string {
	t.Helper()
	lacks := readRun(t, dir).lacks()
	require.Len(t, lacks, 1)
	_, command, _ := strings.Cut(lacks[0], "Run: ")
	return command
}

// readRun gathers the run in a folder, which may have nothing but its description.
func readRun(t *testing.T, dir string) *figures {
	t.Helper()
	run, _, err := open(cli.NewFlags("report", "", "", ""), []string{dir})
	require.NoError(t, err)
	f, err := gather(run)
	require.NoError(t, err)
	return f
}
