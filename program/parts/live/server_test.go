// The server: its figures are the run's, and it answers those it should, whatever is given for its address; and the
// options on a command line. The helpers of the tests are here: a run that waits in the middle until it may continue.

package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
)

type state struct{ handled int }

// held is a run of a model whose LP 0 waits at time 50 of 100.
type held struct {
	*ross.Simulation
	report  *bytes.Buffer
	reached chan struct{} // closed when it waits
	proceed chan struct{} // close it to let the run continue
	ended   chan error
}

// hold makes such a run. LP 0 fails at time 60 if fails is true.
func hold(t *testing.T, cfg ross.Config, fails bool) *held {
	t.Helper()
	h := &held{report: &bytes.Buffer{}, reached: make(chan struct{}), proceed: make(chan struct{}),
		ended: make(chan error, 1)}
	var once sync.Once
	if cfg.Output == nil {
		cfg.Output = h.report
	}
	lps := uint64(cfg.NLP) * uint64(cfg.PEs)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	h.Simulation = sim
	require.NoError(t, sim.Define(ross.Type[state]{
		Init: func(_ *state, lp *ross.LP) { ross.Send(lp, lp.ID(), 0.5+lp.RNG().Unif(), struct{}{}) },
		Event: ross.On(func(s *state, lp *ross.LP, _ *struct{}) {
			s.handled++
			if lp.ID() == 0 && lp.Now() > 50 {
				once.Do(func() { close(h.reached) })
				<-h.proceed
			}
			if fails && lp.ID() == 0 && lp.Now() > 60 {
				lp.Fail(errors.New("no more"))
			}
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, int64(lps)-1)), 0.5+lp.RNG().Unif(), struct{}{})
		}),
		Saving: ross.SaveByDelta,
	}))
	return h
}

func config(synch, pes int) ross.Config {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.MaxMemory = ross.Scheduler(synch), pes, 32, 100, 256<<20
	return cfg
}

// start runs it until it waits.
func (h *held) start() {
	go func() { h.ended <- h.Run(context.Background()) }()
	<-h.reached
}

// finish lets it continue to its end.
func (h *held) finish() error {
	close(h.proceed)
	return <-h.ended
}

// requireGone requires that no goroutine of the package is left but that of the test.
func requireGone(t *testing.T) {
	t.Helper()
	buf := make([]byte, 1<<20)
	stacks := strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n")
	for _, s := range stacks[1:] { // the first is this one
		for _, of := range []string{"live.(*bar)", "live.(*server)", "live.(*watch)", "live.(*others)"} {
			require.NotContains(t, s, of)
		}
	}
}

func begin(t *testing.T, h *held, o Options, stderr io.Writer) *View {
	t.Helper()
	v, err := Start(h.Simulation, o, stderr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = v.Stop() })
	return v
}

// endless has no end; it fails, so that it stops.
func endless() ross.Config {
	cfg := config(1, 1)
	cfg.End = math.Inf(1)
	return cfg
}

// client keeps no connections.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// get returns the answer at an address, with host as the requested host.
func get(t *testing.T, url, host string) (status int, header http.Header, body string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, url, nil)
	require.NoError(t, err)
	if host != "" {
		req.Host = host
	}
	answer, err := client.Do(req)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, answer.Header, string(text)
}

// requireJSON requires that the server shows a snapshot.
func requireJSON(t *testing.T, url string, want ross.Snapshot) {
	t.Helper()
	status, header, body := get(t, url+"snapshot.json", "")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "application/json", header.Get("Content-Type"))
	require.Equal(t, "no-store", header.Get("Cache-Control"))
	var got document
	require.NoError(t, json.Unmarshal([]byte(body), &got))
	if want.Phase != ross.PhaseEnded {
		require.GreaterOrEqual(t, got.Elapsed, want.Elapsed)
		got.Elapsed = want.Elapsed
	}
	for i := range got.PEs { // shares are tested by themselves
		got.PEs[i].IdleShare, got.PEs[i].Undone = 0, 0
	}
	require.Equal(t, newFigures(want), got.figures)
}

// requireMetrics requires that the server shows a snapshot to Prometheus.
func requireMetrics(t *testing.T, url string, want ross.Snapshot) {
	t.Helper()
	status, _, body := get(t, url+"metrics", "")
	require.Equal(t, http.StatusOK, status)
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(body))
	require.NoError(t, err)
	got := map[string]float64{} // by name and labels; those of PEs summed up without pe, too
	for name, family := range families {
		for _, m := range family.GetMetric() {
			kind := ""
			for _, l := range m.GetLabel() {
				if l.GetName() == "kind" || l.GetName() == "phase" {
					kind = "/" + l.GetValue()
				}
				if l.GetName() == "pe" && name == "ross_events_processed_total" {
					got[name+" of PE "+l.GetValue()] = m.GetCounter().GetValue()
				}
			}
			got[name+kind] += m.GetCounter().GetValue() + m.GetGauge().GetValue()
			if kind != "" && name == "ross_phase" {
				got[name] += m.GetGauge().GetValue()
			}
		}
	}
	for name, value := range map[string]float64{
		"ross_events_processed_total":       float64(want.EventsProcessed),
		"ross_events_rolled_back_total":     float64(want.EventsRolledBack),
		"ross_events_committed_total":       float64(want.EventsCommitted),
		"ross_events_aborted_total":         float64(want.EventsAborted),
		"ross_remote_events":                float64(want.EventsRemote),
		"ross_pending_events":               float64(want.EventsPending),
		"ross_uncommitted_events":           float64(want.EventsUncommitted),
		"ross_rollbacks_total/primary":      float64(want.PrimaryRollBacks),
		"ross_rollbacks_total/secondary":    float64(want.SecondaryRollBacks),
		"ross_gvt_virtual_time":             want.GVT,
		"ross_end_virtual_time":             want.End,
		"ross_gvt_computations_total":       float64(want.NumGVT),
		"ross_kps_moved_total":              float64(want.KPsMoved),
		"ross_gvt_forced_total":             float64(want.ForcedGVTs),
		"ross_memory_shortages_total":       float64(want.Shortages),
		"ross_memory_bytes":                 float64(want.MemoryUsed),
		"ross_memory_limit_bytes":           float64(want.MemoryLimit),
		"ross_info":                         1,
		"ross_phase":                        1, // the sum over all phases
		"ross_phase/" + want.Phase.String(): 1,
		"go_build_info":                     1,
	} {
		require.Contains(t, got, name)
		require.Equal(t, value, got[name], name)
	}
	for _, p := range want.PEs {
		require.Equal(t, float64(p.EventsProcessed), got[fmt.Sprintf("ross_events_processed_total of PE %d", p.ID)])
	}
	require.NotZero(t, got["go_goroutines"])
}

func TestServerShowsARunThatGoesOn(t *testing.T) {
	var errs bytes.Buffer
	h := hold(t, config(1, 1), false)
	v := begin(t, h, Options{HTTP: "0"}, &errs)
	require.Equal(t, "ross: live figures at "+v.URL()+"\n", errs.String())
	require.Regexp(t, `^http://127\.0\.0\.1:\d+/$`, v.URL())
	requireJSON(t, v.URL(), h.Snapshot())
	h.start()
	now := h.Snapshot()
	require.Equal(t, ross.PhaseRunning, now.Phase)
	require.NotZero(t, now.EventsProcessed)
	requireJSON(t, v.URL(), now)
	requireMetrics(t, v.URL(), now)
	status, _, body := get(t, v.URL()+"debug/pprof/goroutine?debug=1", "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "ross.(*Simulation).Run")
	require.NoError(t, h.finish())
	requireJSON(t, v.URL(), h.Snapshot())
	require.Contains(t, h.report.String(), progressLine, "there is no bar")
}

func TestServerShowsARunOfSeveralPEs(t *testing.T) {
	h := hold(t, config(3, 3), false)
	v := begin(t, h, Options{HTTP: "0"}, io.Discard)
	h.start()
	status, _, _ := get(t, v.URL()+"metrics", "")
	require.Equal(t, http.StatusOK, status)
	require.NoError(t, h.finish())
	require.Len(t, h.Snapshot().PEs, 3)
	require.Equal(t, h.Summary().EventsProcessed, h.Snapshot().EventsProcessed)
	requireJSON(t, v.URL(), h.Snapshot())
	requireMetrics(t, v.URL(), h.Snapshot())
}

func TestServerShowsARunWithoutEnd(t *testing.T) {
	h := hold(t, endless(), true)
	v := begin(t, h, Options{HTTP: "0"}, io.Discard)
	h.start()
	_, _, body := get(t, v.URL()+"snapshot.json", "")
	require.Contains(t, body, `"end":null`)
	requireMetrics(t, v.URL(), h.Snapshot())
	require.Error(t, h.finish())
}

func TestPageNeedsNothingFromElsewhere(t *testing.T) {
	h := hold(t, config(1, 1), false)
	v := begin(t, h, Options{HTTP: "0"}, io.Discard)
	status, header, body := get(t, v.URL(), "")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "text/html; charset=utf-8", header.Get("Content-Type"))
	require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'")
	require.Contains(t, body, "get('snapshot.json?page='")
	require.Contains(t, body, "prefers-color-scheme: dark")
	require.Empty(t, regexp.MustCompile(`(?i)//[\w.-]|\bsrc=|\bhref="?[^"d]|@import|url\(`).FindAllString(
		strings.NewReplacer("http://www.w3.org/2000/svg", "",
			`href="run.json"`, "", `href="snapshot.json"`, "", `href="metrics"`, "").Replace(body), -1))
	// Every figure that it reads is there.
	_, _, text := get(t, v.URL()+"snapshot.json", "")
	for _, field := range regexp.MustCompile(`\b[sp]\.([a-z_]+)\b`).FindAllStringSubmatch(body, -1) {
		require.Contains(t, text, `"`+field[1]+`":`)
	}
	status, _, _ = get(t, v.URL()+"favicon.ico", "")
	require.Equal(t, http.StatusNotFound, status)
}

func TestServerOfThisMachineRefusesOtherHosts(t *testing.T) {
	h := hold(t, config(1, 1), false)
	v := begin(t, h, Options{HTTP: "127.0.0.5:0"}, io.Discard)
	require.Contains(t, v.URL(), "http://127.0.0.5:")
	for _, host := range []string{"localhost", "LocalHost:99", "127.0.0.1:80", "[::1]:80", "[::1]", "127.0.0.5"} {
		status, _, _ := get(t, v.URL(), host)
		require.Equal(t, http.StatusOK, status, host)
	}
	for _, path := range []string{"", "snapshot.json", "metrics", "debug/pprof/"} {
		for _, host := range []string{"evil.example", "localhost.evil.example:80", "10.0.0.1"} {
			status, _, body := get(t, v.URL()+path, host)
			require.Equal(t, http.StatusForbidden, status, host)
			require.Contains(t, body, "not this server's")
		}
	}
}

// ask sends a request with pairs of header and value, and returns the status.
func ask(t *testing.T, method, url string, header ...string) int {
	t.Helper()
	req, err := http.NewRequest(method, url, nil)
	require.NoError(t, err)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	answer, err := client.Do(req)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	return answer.StatusCode
}

// everything is all that the server has, by paths that take no time.
var everything = []string{"", "snapshot.json", "rank.json", "history.json", "run.json", "metrics", "debug/pprof/",
	"debug/pprof/cmdline", "debug/pprof/heap",
	"debug/pprof/symbol", "debug/pprof/profile?seconds=x", "debug/pprof/trace?seconds=1e-9"}

func TestServerIsOnlyRead(t *testing.T) {
	h := hold(t, config(1, 1), false)
	v := begin(t, h, Options{HTTP: "0"}, io.Discard)
	for _, path := range everything {
		for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
			want := http.StatusMethodNotAllowed
			if method == "POST" && path == "debug/pprof/symbol" {
				want = http.StatusOK
			}
			require.Equal(t, want, ask(t, method, v.URL()+path), "%s %s", method, path)
		}
		head := http.StatusOK
		if strings.HasPrefix(path, "debug/") {
			head = http.StatusMethodNotAllowed
		}
		require.Equal(t, head, ask(t, "HEAD", v.URL()+path), path)
	}
}

func TestPagesOfOtherOriginsCannotAsk(t *testing.T) {
	h := hold(t, config(1, 1), false)
	v := begin(t, h, Options{HTTP: "0"}, io.Discard)
	own := strings.TrimSuffix(v.URL(), "/")
	for _, path := range everything {
		if strings.Contains(path, "profile") {
			continue
		}
		for _, site := range []string{"cross-site", "same-site", "what is to come"} {
			require.Equal(t, http.StatusForbidden, ask(t, "GET", v.URL()+path, "Sec-Fetch-Site", site, "Sec-Fetch-Mode",
				"no-cors"), path)
			// In a frame, and as a link.
			frame := []string{"Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}
			require.Equal(t, http.StatusForbidden, ask(t, "GET", v.URL()+path, frame...), path)
			want := http.StatusOK
			if strings.HasPrefix(path, "debug/") {
				want = http.StatusForbidden
			}
			link := []string{"Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}
			require.Equal(t, want, ask(t, "GET", v.URL()+path, link...), path)
		}
		for _, origin := range []string{"http://evil.example", "null", own + "0"} { // a browser without Sec-Fetch-Site
			require.Equal(t, http.StatusForbidden, ask(t, "GET", v.URL()+path, "Origin", origin), path)
		}
		for _, header := range [][]string{{"Sec-Fetch-Site", "same-origin"}, {"Sec-Fetch-Site", "none"}, {"Origin", own},
			nil} {
			require.Equal(t, http.StatusOK, ask(t, "GET", v.URL()+path, header...), path)
		}
	}
	require.Equal(t, http.StatusForbidden, ask(t, "POST", v.URL()+"debug/pprof/symbol", "Sec-Fetch-Site", "cross-site"))
	require.Equal(t, http.StatusForbidden, ask(t, "GET", v.URL()+"debug/pprof/profile?seconds=600", "Sec-Fetch-Site",
		"cross-site"))
}

// TestPagesCannotTakeProfilesFromOtherMachines: without TLS browsers do not send to other hosts which page
// asks, and a picture's address may be that of a profile.
func TestPagesCannotTakeProfilesFromOtherMachines(t *testing.T) {
	h := hold(t, config(1, 1), false)
	v := begin(t, h, Options{HTTP: "0.0.0.0:0"}, io.Discard)
	url := "http://127.0.0.1:" + regexp.MustCompile(`:(\d+)/$`).FindStringSubmatch(v.URL())[1] + "/"
	for _, path := range everything {
		profile := strings.HasPrefix(path, "debug/pprof/")
		for _, site := range []string{"cross-site", "same-site"} {
			require.Equal(t, http.StatusForbidden, ask(t, "GET", url+path, "Sec-Fetch-Site", site, "Sec-Fetch-Mode", "no-cors"),
				path)
			if profile {
				require.Equal(t, http.StatusForbidden, ask(t, "GET", url+path, "Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate",
					"Sec-Fetch-Dest", "document"), path)
			}
		}
		if strings.Contains(path, "seconds=") {
			continue // which take their time
		}
		for _, header := range [][]string{{"User-Agent", "Mozilla/5.0 (X11)"}, {"User-Agent", "", "Accept-Language", "en"}} {
			want := http.StatusOK
			if profile && path != "debug/pprof/" {
				want = http.StatusForbidden
			}
			require.Equal(t, want, ask(t, "GET", url+path, header...), path)
			require.Equal(t, http.StatusOK, ask(t, "GET", url+path, append(header, "Sec-Fetch-Site", "same-origin")...), path)
		}
		require.Equal(t, http.StatusOK, ask(t, "GET", url+path), "curl and go tool pprof: %s", path)
	}
}

func TestAddressOfAllNetworksIsBoundWithAWarning(t *testing.T) {
	var errs bytes.Buffer
	h := hold(t, config(1, 1), false)
	v := begin(t, h, Options{HTTP: "0.0.0.0:0"}, &errs)
	require.Contains(t, errs.String(), "ross: --http=0.0.0.0:0: everybody who can reach this machine can read the figures")
	port := regexp.MustCompile(`:(\d+)/$`).FindStringSubmatch(v.URL())[1]
	status, _, _ := get(t, "http://127.0.0.1:"+port+"/", "some.host")
	require.Equal(t, http.StatusOK, status)
}

func TestAddressesWithoutHostAreOfThisMachine(t *testing.T) {
	for text, want := range map[string]address{
		"8080": {loopback, 8080}, ":8080": {loopback, 8080}, "0": {loopback, 0}, "[::]:1": {"::", 1},
		"0.0.0.0:65535": {"0.0.0.0", 65535}, "node7:80": {"node7", 80},
	} {
		got, err := parseAddress(text, 0)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestEachRankHasAPortOfItsOwn(t *testing.T) {
	a, err := parseAddress("8080", 3)
	require.NoError(t, err)
	require.Equal(t, 8083, a.port)
	a, err = parseAddress(":0", 3)
	require.NoError(t, err)
	require.Zero(t, a.port)
	_, err = parseAddress("65534", 3)
	require.ErrorContains(t, err, "rank 3 would have port 65537; give one that leaves room")
}

func TestAddressThatCannotBeHadIsAnErrorBeforeTheRun(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	h := hold(t, config(1, 1), false)
	for _, c := range []struct {
		address, says string
		usage         bool
	}{
		{taken.Addr().String(), "address already in use: give another port, 0 for any that is free, or leave --http out",
			false},
		{"99999", `port "99999" is not 0 to 65535; give a port such as 8080, or host:port`, true},
		{"localhost:http", `port "http" is not`, true},
		{"a:b:c", "no address; give a port", true},
	} {
		var errs bytes.Buffer
		v, err := Start(h.Simulation, Options{HTTP: c.address, Progress: "on"}, &errs)
		require.Nil(t, v)
		require.ErrorContains(t, err, "ross: option --http="+c.address+": ")
		require.ErrorContains(t, err, c.says)
		if c.usage {
			require.ErrorIs(t, err, ross.ErrUsage)
		}
		require.Empty(t, errs.String())
		requireGone(t)
	}
}

func TestStopEndsTheServerOnceAndForAll(t *testing.T) {
	var errs bytes.Buffer
	h := hold(t, config(1, 1), false)
	v := begin(t, h, Options{HTTP: "0", Progress: "on"}, &errs)
	h.start()
	require.NoError(t, h.finish())
	for range 2 {
		require.NoError(t, v.Stop())
	}
	requireGone(t)
	_, err := client.Get(v.URL())
	require.Error(t, err)
}

func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"8080", ":0", "localhost:80", "[::1]:65535", "0.0.0.0:1", "a:b:c", "", "[", "-1",
		"[]:1"} {
		f.Add(seed, 1)
	}
	f.Fuzz(func(t *testing.T, text string, rank int) {
		rank &= 1<<20 - 1
		a, err := parseAddress(text, rank)
		if err != nil {
			return
		}
		if a.host == "" || a.port < 0 || a.port > 65535 || a.port > 0 && a.port < rank {
			t.Fatalf("%q, rank %d: %+v", text, rank, a)
		}
		again, err := parseAddress(net.JoinHostPort(a.host, strconv.Itoa(a.port)), 0)
		if err != nil || again != a {
			t.Fatalf("%q: %+v, and then %+v, %v", text, a, again, err)
		}
	})
}

// parse returns the options of a command line.
func parse(args ...string) (o Options, err error) {
	all := ross.NewOptions("model")
	cfg := ross.DefaultConfig()
	cfg.Register(all)
	o.Register(all)
	_, err = all.Parse(args)
	return o, err
}

func TestProgressIsASwitchThatDecidesByItselfByDefault(t *testing.T) {
	for arg, want := range map[string]string{
		"--digest": "", "--progress": "on", "--progress=on": "on", "--progress=1": "on", "--progress=off": "off",
		"--progress=0": "off", "--progress=false": "off", "--progress=auto": "auto",
	} {
		o, err := parse(arg)
		require.NoError(t, err)
		require.Equal(t, want, o.Progress, arg)
	}
}

func TestUnusableOptionsAreRefusedBeforeARun(t *testing.T) {
	for arg, says := range map[string]string{
		"--progress=maybe":  "option --progress=maybe: unknown value; give on, off or auto",
		"--http=x":          `option --http=x: port "x" is not 0 to 65535; give a port such as 8080, or host:port`,
		"--http":            "option --http: no value",
		"--http-linger=3":   "option --http-linger=3: no duration; give one such as 30s, 10m or 0",
		"--http-linger=-1s": "option --http-linger=-1s: no duration; give one such as 30s, 10m or 0",
	} {
		_, err := parse(arg)
		require.ErrorIs(t, err, ross.ErrUsage)
		require.ErrorContains(t, err, says)
	}
	h := hold(t, config(1, 1), false)
	_, err := Start(h.Simulation, Options{Progress: "maybe"}, io.Discard)
	require.ErrorIs(t, err, ross.ErrUsage)
}

func TestHelpHasTheGroupAfterTheEngines(t *testing.T) {
	all := ross.NewOptions("model")
	cfg := ross.DefaultConfig()
	cfg.Register(all)
	var engine, both bytes.Buffer
	require.NoError(t, all.WriteHelp(&engine))
	(&Options{}).Register(all)
	require.NoError(t, all.WriteHelp(&both))
	_, last, _ := strings.Cut(engine.String(), "\n  --help ")
	last = "  --help " + last
	rest, found := strings.CutPrefix(both.String(), strings.TrimSuffix(engine.String(), last))
	require.True(t, found)
	require.Equal(t, `
ROSS Live:
  --progress=when       progress bar on standard error, instead of lines: on, off, or auto (if it
                        is a terminal) (default auto)
  --http=addr           serve a page, figures, metrics and profiles during the run, at a port of
                        this machine, or at host:port
  --http-linger=time    how long --http goes on after the run, such as 30s or 10m; 0: until open
                        pages have the last figures (default 0s)
`+last, rest)
}
