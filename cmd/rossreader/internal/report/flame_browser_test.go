//go:build browser

// This file tests the flame graph and densities of two runs in a browser.

package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/testing/browsertest"
	"github.com/ross-go/ross/internal/testing/testkit"
)

func TestAPartOfTheFlameGraphIsEnlargedByAClick(t *testing.T) {
	dir := hotRun(t)
	info := &instr.RunInfo{Version: instr.RunVersion, Model: "hot", Synch: 3, PEs: 2, Ranks: 1, KPs: 8, LPs: 32,
		State: instr.RunComplete, Result: &instr.RunResult{Runtime: 2, Processed: 4000, NetEvents: 4000, IdleSeconds: 1,
			Handlers: []instr.RunHandler{{Type: "desk", Message: "main.arrive <b>", Timed: 30, Seconds: 3e-6},
				{Type: "door", Message: "main.open", Timed: 60, Seconds: 9e-6}}}}
	require.NoError(t, info.Write(dir))
	path := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(path, []byte(makePage(t, dir)), 0o644))
	l := openTimeLine(t, path)
	frames := load(t, dir).handlers().Frames
	at := -1
	for i, f := range frames {
		if f.Name == "desk" {
			at = i
		}
	}
	const extent = `JSON.stringify(echarts.getInstanceByDom(document.querySelector("#handlers .chart")).getModel().getComponent("xAxis").axis.scale.getExtent())`
	l.wait(extent + ` === "[0,100]"`)
	desk := frames[at]
	l.click("handlers", float64(desk.From+desk.To)/2, "type of LPs", 0, 0)
	l.wait(`(() => { const [a, b] = JSON.parse(` + extent + `); return Math.abs(a - ` + num3(desk.From) + `) < 1e-3 && Math.abs(b - ` + num3(desk.To) + `) < 1e-3; })()`)
	l.click("handlers", float64(desk.From+desk.To)/2, "type of LPs", 0, 0)
	l.wait(extent + ` === "[0,100]"`)
	require.Empty(t, l.page.Troubles())
}

func num3(x num) string {
	text, _ := x.MarshalJSON()
	return string(text)
}

func TestADensityHasBothRuns(t *testing.T) {
	row := func(bins string) string {
		return `{"from": 0, "until": 9, "rows": [{"group": "desk", "statistic": "wait", "unit": "s", "kind": "histogram", "count": 30, "mean": 4, "bins": ` + bins + `}]}`
	}
	own, base := onlyStatistics(t, row(`[{"low": 0, "high": 4, "n": 10}, {"low": 4, "high": 12, "n": 20}]`)),
		onlyStatistics(t, row(`[{"low": 2, "high": 8, "n": 9}, {"low": 8, "high": 16, "n": 3}, {"low": 16, "high": 20, "n": 3}]`))
	var page strings.Builder
	require.NoError(t, load(t, own).writeBeside(load(t, base), &page))
	path := filepath.Join(t.TempDir(), "both.html")
	require.NoError(t, os.WriteFile(path, []byte(page.String()), 0o644))
	b := browsertest.Of(t)
	for _, look := range []browsertest.Looks{{Width: 1280, Height: 900},
		{Width: 390, Height: 844, Phone: true, Dark: true}} {
		tab, err := b.Open("file://"+path+"#?tab=model", look)
		require.NoError(t, err)
		require.NoError(t, tab.Wait(`document.readyState === "complete" && document.getElementById("statistic-0").dataset.rendered`,
			testkit.Limit(t)))
		var drawn []int
		require.NoError(t, tab.Value(`(() => {
			const chart = echarts.getInstanceByDom(document.querySelector("#statistic-0 .chart")), o = chart.getOption();
			const [low, high] = chart.getModel().getComponent("xAxis").axis.scale.getExtent();
			return [...o.series.map((s) => s.data.length), o.legend[0].data.length, low, high, document.querySelectorAll("#statistic-0 svg path").length];
		})()`, &drawn))
		require.Equal(t, []int{2, 3, 2, 0, 20}, drawn[:5])
		require.GreaterOrEqual(t, drawn[5], 5)
		barriers, err := tab.Barriers()
		require.NoError(t, err)
		require.Empty(t, barriers)
		require.Empty(t, tab.Troubles())
		require.NoError(t, tab.Close())
	}
}
