// This file looks at the pages of the server in a browser, Chromium: they follow the files.

//go:build browser

package serve

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/serving"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/testing/browsertest"
	"github.com/ross-go/ross/internal/testing/testkit"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// watched opens a page while the files of run "old" change at the second question about them, and
// returns the page then.
func watched(t *testing.T, path string) string {
	root := folder(t)
	c := newClient(t, root)
	own := serving.Guard([]string{"127.0.0.1"}, c.s.handler())
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/state" && asked.Add(1) == 2 {
			put(t, filepath.Join(root, "old"), "ross-stats-gvt.bin", samples(7))
			put(t, filepath.Join(root, "added"), "ross-stats-gvt.bin", samples(2))
		}
		own.ServeHTTP(w, r)
	}))
	defer server.Close()
	ctx, cancel := context.WithTimeout(context.Background(), testkit.Limit(t))
	defer cancel()
	page, err := exec.CommandContext(ctx, "chromium", "--headless", "--no-sandbox", "--disable-gpu",
		"--disable-dev-shm-usage",
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=20000", "--dump-dom", server.URL+path).Output()
	require.NoError(t, err)
	require.Greater(t, int(asked.Load()), 2)
	return string(page)
}

func TestTheListFollowsTheFilesInABrowser(t *testing.T) {
	require.Contains(t, watched(t, "/"), `href="/view?run=added"`)
}

func TestTheListIsSortedByAColumnAndForEverybody(t *testing.T) {
	c := newClient(t, folder(t))
	b := browsertest.Of(t)
	page, err := b.Open(c.http.URL+"/", browsertest.Looks{Width: 1280, Height: 900})
	require.NoError(t, err)
	require.NoError(t, page.Wait(`document.querySelectorAll("#runs tbody tr").length === 3`, testkit.Limit(t)))
	const folders = `[...document.querySelectorAll("#runs tbody th")].map((x) => x.textContent).join()`
	require.NoError(t, page.Wait(folders+` === "deep/new <run>&x,old,bare"`, testkit.Limit(t)))
	require.NoError(t, page.Value(`document.querySelectorAll("#runs thead button")[1].click()`, nil))
	require.NoError(t, page.Wait(folders+` === "bare,deep/new <run>&x,old"`, testkit.Limit(t)))
	require.NoError(t, page.Value(`document.querySelectorAll("#runs thead button")[1].click()`, nil))
	require.NoError(t, page.Wait(folders+` === "old,deep/new <run>&x,bare"`, testkit.Limit(t)))
	require.NoError(t, page.Wait(`document.querySelector("[aria-sort=descending]").textContent === "Folder"`,
		testkit.Limit(t)))
	barriers, err := page.Barriers()
	require.NoError(t, err)
	require.Empty(t, barriers)
	require.Empty(t, page.Troubles())
}

func TestAReportFollowsItsFilesInABrowser(t *testing.T) {
	require.Contains(t, watched(t, "/view?run=old"), `role="status">changed, and loaded again</span>`)
}

func TestFiguresFollowTheFilesInABrowser(t *testing.T) {
	root := manyOptions(t)
	c := newClient(t, root)
	b := browsertest.Of(t)
	page, err := b.Open(c.http.URL+"/", browsertest.Looks{Width: 1280, Height: 900})
	require.NoError(t, err)
	wait := func(condition string) {
		t.Helper()
		require.NoError(t, page.Wait(condition, testkit.Limit(t)))
	}
	wait(`document.querySelector('a[href="/figures"]')`)
	require.NoError(t, page.Value(`document.querySelector('a[href="/figures"]').click()`, nil))
	wait(`document.querySelectorAll("#points tbody tr").length === 8`)
	require.NoError(t, page.Value(`(() => { const s = document.getElementById("x"); s.value = "--o01"; s.dispatchEvent(new Event("change")); })()`, nil))
	info, err := instr.ReadRunInfo(filepath.Join(root, "run3"))
	require.NoError(t, err)
	info.Result.EventRate = 7654321
	require.NoError(t, info.Write(filepath.Join(root, "run3")))
	wait(`document.getElementById("points").innerText.includes("7,654,321")`)
	wait(`document.getElementById("note").textContent === "changed, and loaded again"`)
	wait(`document.getElementById("title").textContent.endsWith("against --o01")`)
	barriers, err := page.Barriers()
	require.NoError(t, err)
	require.Empty(t, barriers)
	require.NoError(t, page.Value(`[...document.querySelectorAll("#points a")].find((a) => a.textContent === "run3").click()`, nil))
	wait(`document.title === "phold: run3"`)
	require.Empty(t, page.Troubles())
}

// manyOptions writes 8 runs with 20 options each: o00 has 8 values, o01 has 4, and the others 2.
func manyOptions(t *testing.T) string {
	root := t.TempDir()
	for i := range 8 {
		dir := filepath.Join(root, fmt.Sprintf("run%d", i))
		put(t, dir, "ross-stats-gvt.bin", samples(3))
		options := map[string]string{"o00": fmt.Sprint(i), "o01": fmt.Sprint(i / 2)}
		for k := range 18 {
			options[fmt.Sprintf("p%02d", k)] = fmt.Sprint(i % 2)
		}
		info := &instr.RunInfo{Version: instr.RunVersion, Model: "phold", Scheduler: "optimistic", PEs: 2, Options: options,
			State: instr.RunComplete, Begin: time.Date(2026, 1, 1+i, 12, 0, 0, 0, time.UTC),
			Result: &instr.RunResult{EventRate: 1e6 * float64(1+i), Efficiency: 90 - float64(i), Runtime: 2}}
		require.NoError(t, info.Write(dir))
	}
	return root
}

func TestColumnsOfOptionsFitTheWindowOrAreChosen(t *testing.T) {
	c := newClient(t, manyOptions(t))
	b := browsertest.Of(t)
	page, err := b.Open(c.http.URL+"/", browsertest.Looks{Width: 1600, Height: 900})
	require.NoError(t, err)
	wait := func(condition string) {
		t.Helper()
		require.NoError(t, page.Wait(condition, testkit.Limit(t)))
	}
	const shown = `[...document.querySelectorAll("#runs thead th[data-option]:not([hidden])")].map((h) => h.dataset.option)`
	const fits = `document.getElementById("runs").scrollWidth <= document.getElementById("runs").parentElement.clientWidth`
	wait(`document.querySelectorAll("#runs tbody tr").length === 8 && ` + fits)
	var wide, narrow []string
	require.NoError(t, page.Value(shown, &wide))
	require.GreaterOrEqual(t, len(wide), 3)
	require.Less(t, len(wide), 20)
	require.Equal(t, []string{"o00", "o01", "p00"}, wide[:3], "those with most values first")
	require.NoError(t, page.Look(browsertest.Looks{Width: 1350, Height: 900}))
	wait(fits + ` && ` + shown + `.length < ` + fmt.Sprint(len(wide)))
	require.NoError(t, page.Value(shown, &narrow))
	require.Equal(t, wide[:len(narrow)], narrow)

	require.NoError(t, page.Value(`(document.querySelector("#columns summary").click(), document.querySelector("#columns input[value=p17]").click())`, nil))
	wait(shown + `.includes("p17") && document.getElementById("some").textContent === "` + fmt.Sprint(len(narrow)+1) + ` of 20"`)
	require.NoError(t, page.Value(`(window.old = true, location.reload())`, nil))
	wait(`!window.old && document.readyState === "complete" && ` + shown + `.includes("p17") && !document.getElementById("fit").hidden`)
	require.NoError(t, page.Value(`(document.getElementById("columns").open = true, document.getElementById("fit").click())`, nil))
	wait(fits + ` && !` + shown + `.includes("p17")`)
	barriers, err := page.Barriers()
	require.NoError(t, err)
	require.Empty(t, barriers)
	require.Empty(t, page.Troubles())
}
