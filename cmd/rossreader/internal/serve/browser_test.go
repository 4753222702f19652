// This file looks at the pages of the server in a browser, Chromium: they follow the files.

//go:build browser

package serve

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/browsertest"
	"github.com/ross-go/ross/internal/testing/testkit"
)

// watched opens a page while the files of run "old" change at the second question about them, and
// returns the page then.
func watched(t *testing.T, path string) string {
	root := folder(t)
	c := newClient(t, root)
	own := c.s.handler([]string{"127.0.0.1"})
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
	b, err := browsertest.Start()
	require.NoError(t, err)
	defer b.Close()
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
