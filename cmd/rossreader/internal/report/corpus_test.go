// This file tests findings and comparisons with stored runs.

package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/labels"
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

func stored(name string) string { return filepath.Join("testdata", "runs", name) }

func TestComparisonTellsWhatChanged(t *testing.T) {
	a, b := load(t, stored("storm-hub-pes")), load(t, stored("storm-hub"))
	c := a.compare(b)
	require.Contains(t, c.Settings, difference{"--nkp", "1", "2", ""})
	require.Contains(t, c.Settings, difference{"PEs", "4", "2", ""})
	for _, s := range c.Settings {
		require.NotEqual(t, s.Run, s.Base, s.Name)
	}
	require.Contains(t, c.Digest, "their digests differ")
	require.Equal(t, "Net events", c.Figures[3].Name)
	require.Equal(t, "2 ×", c.Figures[3].Ratio)
	states := map[string]string{}
	for _, one := range c.Findings {
		states[one.What] = one.State
	}
	require.Equal(t, "new", states["More PEs than processors"])
	require.Equal(t, "in both", states["KP 0 of PE 0 rolls back far more than the others"])
	back := b.compare(a)
	require.Equal(t, "gone", back.Findings[len(back.Findings)-1].State)
}

func TestARunEqualsItself(t *testing.T) {
	f := load(t, stored("good-local"))
	c := f.compare(f)
	require.Empty(t, c.Settings)
	require.Empty(t, c.Findings)
	require.Contains(t, c.Digest, "the same events")
	for _, row := range c.Figures {
		require.Equal(t, row.Run, row.Base, row.Name)
	}
	without := *f.run
	without.Info = nil
	bare := *f
	bare.run = &without
	require.NotEmpty(t, bare.compare(f).Hints)
}

func TestChartsOfTheBaseHaveTheAxesOfTheRun(t *testing.T) {
	a, b := load(t, stored("storm-hub-pes")), load(t, stored("storm-hub"))
	all := besideCharts(a.charts(), b.charts())
	require.Len(t, all, 2*len(a.charts()))
	require.Equal(t, "rate", all[0].ID)
	require.Equal(t, "base-rate", all[1].ID)
	require.Equal(t, *all[0].X.Max, *all[1].X.Max)
	require.Equal(t, *all[0].Y.Max, *all[1].Y.Max)
	for i := range all[:2] {
		for _, line := range all[i].Series {
			for _, v := range line.Values {
				require.LessOrEqual(t, v, *all[0].Y.Max)
			}
		}
	}
}

func TestReportWithABaseIsOnePage(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.html")
	var stdout, stderr bytes.Buffer
	require.Zero(t, cli.Run(Command(), []string{stored("good-local"), "--base", stored("good-by-load"), "-o", out}, &stdout, &stderr), stderr.String())
	page, err := os.ReadFile(out)
	require.NoError(t, err)
	for _, part := range []string{`id="comparison"`, `id="settings"`, `id="base-rate"`, `<th scope="row">Run time</th>`} {
		require.Contains(t, string(page), part)
	}
	require.Equal(t, 1, cli.Run(Command(), []string{stored("good-local"), "--base", "no-such", "-o", out}, &stdout, &stderr))
	require.Contains(t, stderr.String(), "--base: ")
}

func TestTheReportSaysWhatRan(t *testing.T) {
	page := makePage(t, stored("storm-hub"))
	rows := cells(page)
	require.Equal(t, "hub --synch=3 --pes=2 --end=100 --nkp=2 --num-gvt=50 --engine-stats=1 --kp-data=1 --digest", rows["Command"])
	require.Equal(t, "complete", rows["State"])
	require.Equal(t, "optimistic (--synch=3)", rows["Scheduler"])
	require.Len(t, rows["Digest"], 16)
	require.Equal(t, "409,588", rows["Net events"])
	require.Regexp(t, `^[\d.]+ MiB of [\d.]+ GiB$`, rows["Memory used at most"])
	require.Contains(t, page, "<title>hub</title>")
	require.NotContains(t, page, `id="missing"`)
}

func TestADamagedDescriptionIsSaid(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile(filepath.Join(stored("good-local"), "ross-stats-gvt.bin"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats-gvt.bin"), data, 0o644))
	require.Contains(t, makePage(t, dir), "run.json is not next to the files")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "run.json"), []byte(`{"version": 99}`), 0o644))
	require.Contains(t, makePage(t, dir), "use a newer one")
}

func TestNumbersAreForPeople(t *testing.T) {
	require.Equal(t, []string{"0", "999", "1,000", "1,234,567", "-12,345"},
		[]string{grouped(0), grouped(999), grouped(uint64(1000)), grouped(1_234_567), grouped(int64(-12_345))})
	require.Equal(t, []string{"0 B", "1023 B", "1 KiB", "1.5 MiB", "16 GiB"},
		[]string{bytesText(0), bytesText(1023), bytesText(1024), bytesText(3 << 19), bytesText(16 << 30)})
	require.Equal(t, "m --a '' 'it'\\''s' -- x", commandText([]string{"m", "--a", "", "it's", "--", "x"}))
	require.Equal(t, []string{"m", "--b", "--n=1", "--", "--n=3"}, withOptions([]string{"m", "--n", "7", "--b", "-n=2", "--", "--n=3"}, "--n=1"))
}

// rulesOf returns the findings of a stored run whose PE 1 has far more events than PE 0, by rule, as if KPs
// had moved as in b.
func rulesOf(t *testing.T, b *instr.RunBalance) map[string]finding {
	dir := hotRun(t)
	info := &instr.RunInfo{Version: instr.RunVersion, Model: "hot", Synch: 3, PEs: 2, Ranks: 1, KPs: 8, LPs: 32, Scheduler: "optimistic",
		State: instr.RunComplete, Command: []string{"hot"}, Result: &instr.RunResult{Runtime: 1, NetEvents: 20000, Processed: 24000, Balance: b}}
	require.NoError(t, info.Write(dir))
	found := map[string]finding{}
	for _, one := range load(t, dir).findings() {
		found[one.Rule] = one
	}
	return found
}

// What limits a run whose KPs move is named, and nothing is advised that cannot help.
func TestFindingsNameWhatBalanceCannotMove(t *testing.T) {
	lp := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, LP: 17, Share: 0.75, KP: "KP 0 of PE 1", OfKP: 0.8})
	require.Contains(t, lp["hot"].Figure, "LP 17 has 75 % of the work of 2 PEs")
	require.Contains(t, lp["hot"].Advice, "more than 1.33 times")
	require.NotContains(t, lp, "uneven")
	kp := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, LP: 17, Share: 0.25, KP: "KP 0 of PE 1", OfKP: 0.8})
	require.Contains(t, kp["hot"].Figure, "KP 0 of PE 1 has 80 % of the work of 2 PEs, its busiest LP 25 %")
	require.Contains(t, kp["hot"].Advice, "--nkp")
	even := rulesOf(t, &instr.RunBalance{After: []float64{0.5, 0.5}, LP: 17, Share: 0.65, KP: "KP 0 of PE 1", OfKP: 0.65})
	require.NotContains(t, even, "hot", "the PEs are loaded alike")
	many := rulesOf(t, &instr.RunBalance{Moves: 2, After: []float64{0.2, 0.8}, LP: 17, Share: 0.1, KP: "KP 0 of PE 1", OfKP: 0.1})
	require.NotContains(t, many, "hot", "no KP is to blame")
	require.Contains(t, many["uneven"].Advice, "KPs have moved")
	require.NotContains(t, many["uneven"].Figure, "LP", "the PE has handled events of other LPs than its own")
	none := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, LP: 17, Share: 0.1, KP: "KP 0 of PE 1", OfKP: 0.1})
	require.Contains(t, none["uneven"].Advice, "none did")
	require.Contains(t, none["uneven"].Figure, "; most of LP 17 ")
	whole := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, LP: 17, Share: 0.1, KP: "all KPs of PE 1", OfKP: 0.8})
	require.Contains(t, whole["hot"].Advice, "Type.Lookahead")
	off := rulesOf(t, nil)
	require.NotContains(t, off, "hot")
	require.Contains(t, off["uneven"].Advice, "--balance=on")
}

// hotRun writes a run of 2 PEs with 2 KPs of 8 LPs each; LP 17, on KP 0 of PE 1, rolls back and
// handles most.
func hotRun(t *testing.T) string {
	var data []byte
	for n := 1; n <= 2; n++ {
		for pe := range uint32(2) {
			p := instr.PEStats{PE: pe, EventProcess: 0.95}
			kps := [2]instr.KPStats{{PE: pe}, {PE: pe, KP: 1}}
			var lps []instr.LPStats
			for i := range uint32(16) {
				s := instr.LPStats{PE: pe, KP: i / 8, LP: pe*16 + i, Processed: 100, RolledBack: i % 2}
				if s.LP == 17 {
					s.Processed, s.RolledBack = 6000, 1000
				}
				k := &kps[s.KP]
				k.Processed, k.RolledBack = k.Processed+s.Processed, k.RolledBack+s.RolledBack
				p.Processed, p.RolledBack = p.Processed+s.Processed, p.RolledBack+s.RolledBack
				lps = append(lps, s)
			}
			data = instr.AppendPE(data, float64(n), float64(n), &p)
			for _, k := range kps {
				data = instr.AppendKP(data, float64(n), float64(n), &k)
			}
			for _, l := range lps {
				data = instr.AppendLP(data, float64(n), float64(n), &l)
			}
		}
	}
	dir := t.TempDir()
	surveytest.Run{}.Put(t, dir, instr.GVTSuffix, data)
	var names strings.Builder
	require.NoError(t, labels.Write(&names, 32, func(id uint64) string { return fmt.Sprintf("router <%d>", id) }))
	require.NoError(t, os.WriteFile(filepath.Join(dir, instr.DefaultPrefix+instr.LabelsSuffix), []byte(names.String()), 0o644))
	return dir
}

func TestFindingsNameTheLPs(t *testing.T) {
	dir := hotRun(t)
	found := map[string]string{}
	for _, one := range load(t, dir).findings() {
		found[one.Rule] = one.Figure
	}
	require.Contains(t, found["storm"], `; most by LP 17 "router <17>" (2,000), LP 19 "router <19>" (2), LP 21 "router <21>" (2)`)
	require.Contains(t, found["uneven"], `; most of LP 17 "router <17>" (10,000), LP `)
	page := makePage(t, dir)
	require.Contains(t, page, `<tr><th scope="row">LP 17 &#34;router &lt;17&gt;&#34;</th><td data-name="PE and KP">PE 1 KP 0</td><td class="n" data-name="Events handled">12,000</td>`)
	require.Equal(t, shownLPs, strings.Count(page, "<td data-name=\"PE and KP\">PE "))
}

func TestWithoutSamplesOfLPsThereIsNoTableOfThem(t *testing.T) {
	require.NotContains(t, makePage(t, stored("storm-hub")), `id="lps"`)
}
