// This file pins the server: its list, its reports, how it follows files, whom it answers, its end.

package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/serving"
	"github.com/ross-go/ross/instr"
)

// folder makes a folder with runs: two that describe themselves, one that does not, and others that
// are not runs.
func folder(t *testing.T) string {
	root := t.TempDir()
	for i, name := range []string{"old", "deep/new <run>&x"} {
		put(t, filepath.Join(root, name), "ross-stats-gvt.bin", samples(3))
		info := &instr.RunInfo{Version: instr.RunVersion, Model: "phold", Scheduler: "optimistic", PEs: 2,
			State:  instr.RunComplete,
			Begin:  time.Date(2026, 1, 1+i, 12, 0, 0, 0, time.UTC),
			Result: &instr.RunResult{EventRate: 1_234_567, Efficiency: 87.25}}
		require.NoError(t, info.Write(filepath.Join(root, name)))
	}
	put(t, filepath.Join(root, "bare"), "ross-stats-gvt.bin.part", samples(3)[:200])
	require.NoError(t, os.Chtimes(filepath.Join(root, "bare", "ross-stats-gvt.bin.part"), time.Time{},
		time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)))
	put(t, filepath.Join(root, ".hidden"), "ross-stats-gvt.bin", nil)
	put(t, filepath.Join(root, "other"), "notes.txt", nil)
	require.NoError(t, os.Symlink("/", filepath.Join(root, "link")))
	return root
}

func put(t *testing.T, dir, name string, data []byte) {
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
}

func samples(n int) (data []byte) {
	for i := range n {
		data = instr.AppendPE(data, float64(i), float64(i+1), &instr.PEStats{Processed: 1000, EventProcess: 0.9})
	}
	return data
}

// client asks a server whose list is never too old.
type client struct {
	*testing.T
	s    *server
	http *httptest.Server
}

func newClient(t *testing.T, root string) *client {
	s := newServer(root)
	now := time.Now()
	s.now = func() time.Time { now = now.Add(2 * fresh); return now }
	c := &client{t, s, httptest.NewServer(serving.Guard([]string{"127.0.0.1"}, s.handler()))}
	t.Cleanup(c.http.Close)
	return c
}

func (c *client) get(path string, change ...func(*http.Request)) (status int, body string, h http.Header) {
	c.Helper()
	r, err := http.NewRequest("GET", c.http.URL+path, nil)
	require.NoError(c, err)
	for _, do := range change {
		do(r)
	}
	answer, err := c.http.Client().Do(r)
	require.NoError(c, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(c, err)
	return answer.StatusCode, string(text), answer.Header
}

func TestTheListHasTheRunsTheNewestFirst(t *testing.T) {
	c := newClient(t, folder(t))
	status, page, h := c.get("/")
	require.Equal(t, 200, status)
	var names []string
	for _, m := range regexp.MustCompile(`<th scope="row"><a href="([^"]*)">`).FindAllStringSubmatch(page, -1) {
		names = append(names, m[1])
	}
	require.Equal(t, []string{"/view?run=deep%2fnew%20%3crun%3e%26x", "/view?run=old", "/view?run=bare"}, names)
	for _, part := range []string{"phold", "complete", "1.23 M/s", "87.2 %", "optimistic, PEs: 2", "files not complete",
		"2026-01-02 12:00:00", "new &lt;run&gt;&amp;x"} {
		require.Contains(t, page, part)
	}
	require.NotContains(t, page, "<run>")
	require.Contains(t, h.Get("Content-Security-Policy"), "default-src 'none'")
	require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
}

func TestTheListSaysWhatDiffersAndWhatIsFound(t *testing.T) {
	root := t.TempDir()
	for i, name := range []string{"a", "b", "c"} {
		dir := filepath.Join(root, name)
		n := 3
		var data []byte
		for k := range n {
			data = instr.AppendPE(data, float64(k), float64(k+1),
				&instr.PEStats{Processed: 1000, RolledBack: uint32(i / 2 * 400), EventProcess: 0.9})
		}
		put(t, dir, "ross-stats-gvt.bin", data)
		info := &instr.RunInfo{Version: instr.RunVersion, Model: "phold", Scheduler: "optimistic", PEs: 1,
			State: instr.RunComplete,
			Begin: time.Date(2026, 1, 1+i, 12, 0, 0, 0, time.UTC), Command: []string{"phold"},
			Options: map[string]string{"batch": []string{"16", "16", "64"}[i], "nkp": "4", "max-memory": name,
				"stats-path": name},
			Result: &instr.RunResult{Runtime: float64(10 - i), EventRate: 1e6, Efficiency: 90}}
		require.NoError(t, info.Write(dir))
	}
	c := newClient(t, root)
	_, page, _ := c.get("/")
	require.Contains(t, page, `<button type="button">--batch</button>`)
	for _, same := range []string{"--nkp", "--max-memory", "--stats-path"} {
		require.NotContains(t, page, same+"</button>")
	}
	rows := regexp.MustCompile(`(?s)<tr><td><input.*?</tr>`).FindAllString(page, -1)
	require.Len(t, rows, 3)
	require.Contains(t, rows[0], `title="Low efficiency"`)
	require.Contains(t, rows[0], ">64<")
	require.Contains(t, rows[0], `data-order="8">8 s<`)
	require.Contains(t, rows[2], `<td class="n">0</td>`)
	// A run whose files change is judged again.
	put(t, filepath.Join(root, "c"), "ross-stats-gvt.bin", samples(3))
	_, page, _ = c.get("/")
	require.NotContains(t, page, "Low efficiency")
}

func TestAReportAndAComparisonOpen(t *testing.T) {
	c := newClient(t, folder(t))
	name := url.QueryEscape("deep/new <run>&x")
	status, page, _ := c.get("/view?run=" + name + "&base=old")
	require.Equal(t, 200, status)
	src := regexp.MustCompile(`<iframe [^>]*src="([^"]*)"`).FindStringSubmatch(page)
	require.NotNil(t, src)
	status, page, h := c.get(strings.ReplaceAll(src[1], "&amp;", "&"))
	require.Equal(t, 200, status)
	require.Contains(t, page, `id="comparison"`)
	require.Contains(t, h.Get("Content-Security-Policy"), "frame-ancestors 'self'")
	status, page, _ = c.get("/report?run=old&base=")
	require.Equal(t, 200, status)
	require.Contains(t, page, "<title>phold</title>")
	require.NotContains(t, page, `id="comparison"`)
	status, page, _ = c.get("/report?run=bare")
	require.Equal(t, 200, status, "the whole records of a file that is not complete")
	require.Contains(t, page, `<tr><th scope="row">Net events</th><td>1,000</td></tr>`)
}

func TestOnlyRunsOfTheFolderAreRead(t *testing.T) {
	root := folder(t)
	outside := filepath.Join(filepath.Dir(root), "outside")
	put(t, outside, "ross-stats-gvt.bin", samples(1))
	c := newClient(t, root)
	for _, name := range []string{"../outside", "old/../../outside", outside, "link", ".hidden", "other", "", "."} {
		for _, path := range []string{"/report", "/view", "/state"} {
			status, _, _ := c.get(path + "?run=" + url.QueryEscape(name))
			require.Equal(t, 404, status, "%s of %q", path, name)
		}
	}
	status, _, _ := c.get("/report?run=old&base=none")
	require.Equal(t, 404, status)
	status, _, _ = c.get("/old/ross-stats-gvt.bin")
	require.Equal(t, 404, status)
}

func TestPagesLearnOfChangedFiles(t *testing.T) {
	root := folder(t)
	c := newClient(t, root)
	words := func() string {
		_, list, _ := c.get("/state")
		_, old, _ := c.get("/state?run=old")
		return list + " " + old
	}
	before := strings.Fields(words())
	require.Equal(t, before, strings.Fields(words()))
	_, page, _ := c.get("/report?run=old")
	require.Contains(t, page, `data-name="Records">3</td>`)
	put(t, filepath.Join(root, "old"), "ross-stats-gvt.bin", samples(5))
	after := strings.Fields(words())
	require.NotEqual(t, before[0], after[0])
	require.NotEqual(t, before[1], after[1])
	_, page, _ = c.get("/report?run=old")
	require.Contains(t, page, `data-name="Records">5</td>`)
	require.NoError(t, os.RemoveAll(filepath.Join(root, "old")))
	status, _, _ := c.get("/state?run=old")
	require.Equal(t, 404, status)
}

func TestAReportIsMadeOnceUntilItsFilesChange(t *testing.T) {
	root := folder(t)
	c := newClient(t, root)
	made := 0
	c.s.page = func(w *bytes.Buffer, run, _ *entry) error {
		made++
		w.WriteString(run.Name)
		return nil
	}
	for range 3 {
		_, page, _ := c.get("/report?run=old")
		require.Equal(t, "old", page)
	}
	require.Equal(t, 1, made)
	for range mostKept + 2 {
		put(t, filepath.Join(root, "old"), "ross-stats-gvt.bin", samples(made))
		c.get("/report?run=old")
	}
	require.Len(t, c.s.kept, 1)
	c.s.page = func(*bytes.Buffer, *entry, *entry) error { return errors.New("no such luck") }
	status, page, _ := c.get("/report?run=bare")
	require.Equal(t, 500, status)
	require.Contains(t, page, "no such luck")
}

func TestFiguresOfAllRunsAreServed(t *testing.T) {
	root := folder(t)
	c := newClient(t, root)
	_, list, _ := c.get("/")
	require.Contains(t, list, `<a href="/figures">Figures of all runs</a>`)
	_, word, _ := c.get("/state")
	status, page, h := c.get("/figures")
	require.Equal(t, 200, status)
	require.Contains(t, page, `"word":"`+word+`"`)
	require.Contains(t, page, `<a href="/">All runs</a>`)
	require.Contains(t, page, "connect-src 'self'")
	require.Contains(t, h.Get("Content-Security-Policy"), "frame-ancestors 'none'")
	data := func() (d struct {
		Word string
		Runs struct{ Name, Link []string }
	}) {
		status, text, h := c.get("/figures/data")
		require.Equal(t, 200, status)
		require.Equal(t, "application/json", h.Get("Content-Type"))
		require.NoError(t, json.Unmarshal([]byte(text), &d))
		return d
	}
	d := data()
	require.Equal(t, word, d.Word)
	require.Equal(t, []string{"deep/new <run>&x", "old"}, d.Runs.Name)
	for _, link := range d.Runs.Link {
		status, _, _ := c.get(link)
		require.Equal(t, 200, status, link)
	}
	put(t, filepath.Join(root, "old"), "ross-stats-gvt.bin", samples(6))
	_, word, _ = c.get("/state")
	require.NotEqual(t, d.Word, word)
	require.Equal(t, word, data().Word)
	require.NoError(t, os.RemoveAll(root))
	status, _, _ = c.get("/figures")
	require.Equal(t, 500, status)
}

func TestOtherHostsAndOriginsAreRefused(t *testing.T) {
	c := newClient(t, folder(t))
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	header := func(pairs ...string) func(*http.Request) {
		return func(r *http.Request) {
			for i := 0; i < len(pairs); i += 2 {
				r.Header.Set(pairs[i], pairs[i+1])
			}
		}
	}
	for _, path := range []string{"/", "/view?run=old", "/report?run=old", "/state", "/figures", "/figures/data"} {
		for what, do := range map[string]func(*http.Request){
			"rebound name": host("evil.example"), "other site": header("Sec-Fetch-Site", "cross-site"),
			"other port":   header("Sec-Fetch-Site", "same-site"),
			"other origin": header("Origin", "http://evil.example"),
			"a frame":      header("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"),
		} {
			status, _, _ := c.get(path, do)
			require.Equal(t, 403, status, "%s: %s", path, what)
		}
		status, _, _ := c.get(path, header("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest",
			"document"))
		require.Equal(t, 200, status, "a link to %s", path)
	}
	answer, err := c.http.Client().Post(c.http.URL+"/", "text/plain", nil)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, 405, answer.StatusCode)
}

func TestADamagedDescriptionIsShown(t *testing.T) {
	root := folder(t)
	put(t, filepath.Join(root, "old"), instr.RunName, []byte("{"))
	_, page, _ := newClient(t, root).get("/")
	require.Contains(t, page, "damaged run.json")
}

func TestAFolderWithoutRunsSaysHowToGetSome(t *testing.T) {
	_, page, _ := newClient(t, t.TempDir()).get("/")
	require.Contains(t, page, "--engine-stats=1")
}

func TestMistakesAreTold(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	ended := func() *cobra.Command {
		c := Command()
		c.SetContext(ctx)
		return c
	}
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{2, "0 folders", nil},
		{2, "2 folders", []string{".", "."}},
		{2, "is a file", []string{file}},
		{1, "name a folder", []string{"no-such"}},
		{2, "--http=x: port", []string{"--http=x", "."}},
		{2, "-colour", []string{"--colour", "."}},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, c.code, cli.Run(ended(), c.args, &stdout, &stderr), c.args)
		require.Contains(t, stderr.String(), c.want)
		require.Empty(t, stdout.String())
	}
	var stdout, stderr bytes.Buffer
	require.Zero(t, cli.Run(ended(), []string{"--http=0.0.0.0:0", "."}, &stdout, &stderr))
	require.Contains(t, stderr.String(), "everybody who can reach this machine")
}

func ExampleCommand() {
	cli.Run(Command(), []string{"--help"}, os.Stdout, os.Stderr)
	// Output:
	// Serves the runs in a folder and below it: a list, the newest first, the report of each as a page,
	// and comparisons of two. Pages load themselves again when files change, also of a run that has not
	// ended. Ctrl-C ends the server.
	//
	// usage: rossreader serve [options] FOLDER
	//
	// Options:
	//   -h, --help                  help for serve
	//       --http PORT|HOST:PORT   PORT|HOST:PORT to serve at; without a host only this machine
	//                               can read it; port 0 is any free one (default "8080")
}

// started is a writer that reports when something has been written.
type started chan string

func (s started) Write(p []byte) (int, error) { s <- string(p); return len(p), nil }

func TestTheServerEndsAtCtrlC(t *testing.T) {
	out, status := make(started, 1), make(chan int)
	var stderr bytes.Buffer
	go func() { status <- cli.Run(Command(), []string{"--http=0", folder(t)}, out, &stderr) }()
	where := regexp.MustCompile(`http://127\.0\.0\.1:\d+/`).FindString(<-out)
	require.NotEmpty(t, where)
	answer, err := http.Get(where)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, 200, answer.StatusCode)
	require.NoError(t, syscall.Kill(syscall.Getpid(), syscall.SIGINT))
	require.Zero(t, <-status, stderr.String())
	require.Empty(t, stderr.String())
	_, err = http.Get(where)
	require.Error(t, err)
}
