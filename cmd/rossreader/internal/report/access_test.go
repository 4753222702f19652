// This file looks at reports as people do who have a small screen, see colours differently, or do not see.

//go:build browser

package report

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/internal/browsertest"
	"github.com/ross-go/ross/internal/modeltest"
)

func TestReportIsForEverybody(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(path, []byte(makePage(t, surveytest.Typical().Write(t))), 0o644))
	b, err := browsertest.Start()
	require.NoError(t, err)
	defer b.Close()
	const drawn = `document.readyState === "complete" && document.querySelector("figure") !== null && [...document.querySelectorAll("figure")].every((f) => f.dataset.rendered === document.documentElement.dataset.theme)`
	open := func(look browsertest.Looks) *browsertest.Page {
		page, err := b.Open("file://"+path, look)
		require.NoError(t, err)
		require.NoError(t, page.Wait(drawn, modeltest.Limit(t)))
		return page
	}
	number := func(page *browsertest.Page, expression string) (n int) {
		require.NoError(t, page.Value(expression, &n))
		return n
	}
	for name, look := range map[string]browsertest.Looks{
		"desktop": {Width: 1400, Height: 900}, "phone": {Width: 390, Height: 844, Phone: true},
		"dark": {Width: 1400, Height: 900, Dark: true}, "dark phone": {Width: 390, Height: 844, Phone: true, Dark: true},
	} {
		page := open(look)
		barriers, err := page.Barriers()
		require.NoError(t, err)
		require.Empty(t, barriers, name)
		require.Empty(t, page.Troubles(), name)
		require.LessOrEqual(t, number(page, `document.documentElement.scrollWidth - document.documentElement.clientWidth`), 0, name)
		if look.Phone {
			require.NotZero(t, number(page, `document.querySelectorAll("figure.lines").length`))
			require.Zero(t, number(page, `[...document.querySelectorAll(".chart")].filter((c) => (echarts.getInstanceByDom(c).getOption().toolbox || []).some((b) => b.show)).length`),
				"a phone has no room for tools")
		}
	}

	// A zoom in one chart over real time is one in all.
	page := open(browsertest.Looks{Width: 1400, Height: 900})
	require.Equal(t, 5, number(page, `(() => {
		echarts.getInstanceByDom(document.querySelector("#rate .chart")).dispatchAction({ type: "dataZoom", start: 40, end: 60 });
		return ["rate", "efficiency", "gvt", "queue", "ahead"].filter((id) => echarts.getInstanceByDom(document.querySelector("#" + id + " .chart")).getOption().dataZoom[0].start === 40).length;
	})()`))
}
