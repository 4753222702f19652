// This file pins the comparison of two runs.

package report

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

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
	require.Contains(t, makePage(t, dir), "run.json is not beside the files")
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
