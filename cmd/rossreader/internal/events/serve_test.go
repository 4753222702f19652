// This file tests the server: what it answers, whom it answers, and how it ends; and a trace of a real run.

package events

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/cmd/rossreader/internal/serving"
	"github.com/ross-go/ross/instr"
)

// served returns a server of a trace.
func served(t testing.TB, path string) *httptest.Server {
	t.Helper()
	s, err := newServer(open(t, path))
	require.NoError(t, err)
	server := httptest.NewServer(serving.Guard([]string{"127.0.0.1"}, s.handler()))
	t.Cleanup(server.Close)
	return server
}

// get asks a server.
func get(t testing.TB, address string, header ...string) (status int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	for i := 0; i < len(header); i += 2 {
		if r.Header.Set(header[i], header[i+1]); header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(body)
}

func TestTheServerAnswersWhatIsTrue(t *testing.T) {
	m := makeTrace(t, plan{lps: 12, events: 3000, exact: true, undone: true, names: true})
	server := served(t, m.path)
	status, page := get(t, server.URL)
	require.Equal(t, http.StatusOK, status)
	d := dataOf(t, page)
	require.Nil(t, d.Excerpt)
	require.EqualValues(t, len(m.facts), d.About["events"])
	require.Contains(t, page, "connect-src 'self'")

	dice := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		from, lane := dice.Float64()*10, dice.IntN(12)
		_, text := get(t, fmt.Sprintf("%s/view?lanes=%d&base=%v&a=-0.5&b=0.75&columns=10&most=1000&fields=1", server.URL, lane, from))
		var all []struct {
			Lane, N int
			Name    string
			Marks   [][]any
		}
		require.NoError(t, json.Unmarshal([]byte(text), &all))
		var want [][]any
		for i := range m.facts {
			if f := &m.facts[i]; int(f.lp) == lane && f.recv >= from-0.5 && f.recv <= from+0.75 {
				want = append(want, f.row(i, m))
			}
		}
		require.Equal(t, want, all[0].Marks)
		require.Equal(t, len(want), all[0].N)
		require.Equal(t, fmt.Sprintf(`%d "node <%d>"`, lane, lane), all[0].Name)
	}
	for range 50 {
		i := dice.IntN(len(m.facts))
		_, text := get(t, fmt.Sprintf("%s/event?id=%d", server.URL, i))
		var s struct {
			Type, Name    string
			Path, Effects [][]any
			Before, After int
			Fit           int
		}
		require.NoError(t, json.Unmarshal([]byte(text), &s))
		f := &m.facts[i]
		require.Equal(t, []any{float64(i), f.recv, f.send, float64(f.lp), float64(f.src)}, s.Path[0][:5])
		require.Equal(t, []string{"Left", "Right"}[f.lp/6], s.Type)
		if f.stayed && f.cause != none {
			require.EqualValues(t, f.cause, s.Path[1][0])
		}
		if s.Before != none {
			require.Equal(t, f.lp, m.facts[s.Before].lp)
		}
		require.True(t, s.After == none || s.After == i+1)
	}
	_, text := get(t, server.URL+"/search?q="+url.QueryEscape("node <1"))
	var found []lane
	require.NoError(t, json.Unmarshal([]byte(text), &found))
	require.Equal(t, []int{1, 10, 11}, []int{found[0].Lane, found[1].Lane, found[2].Lane})
	_, text = get(t, server.URL+"/search?q=7")
	require.NoError(t, json.Unmarshal([]byte(text), &found))
	require.Equal(t, 7, found[0].Lane)
}

func TestRequestsThatAskForTooMuchAreRefused(t *testing.T) {
	server := served(t, makeTrace(t, plan{lps: 3, events: 50, exact: true}).path)
	many := strings.Repeat("0,", mostLanes) + "0"
	for path, says := range map[string]string{
		"/view?lanes=0&base=0&a=1&b=1":              "b: not above a",
		"/view?lanes=0&base=x&a=0&b=1":              "base: no finite number",
		"/view?lanes=0&base=0&a=0&b=Inf":            "b: no finite number",
		"/view?lanes=7&base=0&a=0&b=1":              "lanes: up to 2000 numbers",
		"/view?lanes=" + many + "&base=0&a=0&b=1":   "lanes: up to 2000 numbers",
		"/view?base=0&a=0&b=1":                      "lanes: up to 2000 numbers",
		"/event?id=50":                              "event 50: the trace has 0 to 49",
		"/event?id=x":                               "event -1: the trace has 0 to 49",
		"/event":                                    "event -1",
		"/view?lanes=0&base=0&a=0&b=1&columns=1e99": "",
	} {
		status, text := get(t, server.URL+path)
		if says == "" {
			require.Equal(t, http.StatusOK, status)
			continue
		}
		require.Equal(t, http.StatusBadRequest, status, path)
		require.Contains(t, text, says)
	}
	status, _ := get(t, server.URL+"/other")
	require.Equal(t, http.StatusNotFound, status)
}

func TestOnlyThisMachineAndItsOwnPagesAreAnswered(t *testing.T) {
	server := served(t, makeTrace(t, plan{lps: 3, events: 50, exact: true}).path)
	status, _ := get(t, server.URL, "Host", "evil.example")
	require.NotEqual(t, http.StatusOK, status)
	for _, header := range [][]string{{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "cors"}, {"Origin", "http://evil.example"}} {
		status, text := get(t, server.URL+"/event?id=1", header...)
		require.Equal(t, http.StatusForbidden, status)
		require.NotContains(t, text, "path")
	}
	r, err := http.Get(server.URL)
	require.NoError(t, err)
	defer r.Body.Close()
	require.Equal(t, "nosniff", r.Header.Get("X-Content-Type-Options"))
	require.Contains(t, r.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
}

func TestTheServerEndsWithItsContext(t *testing.T) {
	m := makeTrace(t, plan{lps: 3, events: 50, exact: true})
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	var stderr bytes.Buffer
	ended := make(chan error, 1)
	tr := open(t, m.path)
	go func() { ended <- serve(ctx, tr, "0", 0, in, &stderr) }()
	line := make([]byte, 200)
	n, err := out.Read(line)
	require.NoError(t, err)
	found := regexp.MustCompile(`^50 events, read in 0.0 s, at (http://127.0.0.1:\d+/) until Ctrl-C\n$`).FindStringSubmatch(string(line[:n]))
	require.Len(t, found, 2, string(line[:n]))
	status, _ := get(t, found[1])
	require.Equal(t, http.StatusOK, status)
	cancel()
	require.NoError(t, <-ended)
	require.Empty(t, stderr.String())
}

// TestATraceOfARealRunHasTheCausesThatTheModelKnows: each message has the number that its cause had at its LP.
func TestATraceOfARealRunHasTheCausesThatTheModelKnows(t *testing.T) {
	type state struct{ Handled uint64 }
	type token struct{ Own, Cause, Left uint64 }
	handle := func(s *state, lp *ross.LP, m *token) {
		s.Handled++
		m.Own = s.Handled
		for range int(m.Left % 3) {
			delay := float64(lp.RNG().Integer(0, 2))
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 7)), delay, token{Cause: m.Own, Left: m.Left - 1})
		}
	}
	for _, kind := range []ross.TraceKind{ross.TraceAll, ross.TraceCommitted} {
		cfg := ross.DefaultConfig()
		cfg.LPs, cfg.End, cfg.Output, cfg.Synch, cfg.PEs, cfg.NKP = 8, 100, io.Discard, ross.Optimistic, 2, 2
		cfg.Tuning.Batch = 1
		cfg.Instruments.Trace, cfg.Instruments.TraceExact, cfg.Instruments.Path = kind, true, filepath.Join(t.TempDir(), "trace")
		sim, err := ross.Run(t.Context(), cfg, ross.Type[state]{Name: "counter", TraceLayout: "own:u64,cause:u64",
			Label: func(id ross.LPID) string { return fmt.Sprintf("counter %d", id) },
			Init: func(_ *state, lp *ross.LP) {
				for range 8 {
					ross.Send(lp, lp.ID(), 1, token{Left: 11})
				}
			},
			Event: ross.On(handle).Trace(func(_ *ross.LP, _ ross.TraceKind, m *token, buf []byte) bool {
				binary.LittleEndian.PutUint64(buf, m.Own)
				binary.LittleEndian.PutUint64(buf[8:], m.Cause)
				return true
			})})
		require.NoError(t, err)
		require.NoError(t, sim.Close())
		require.Contains(t, dataOf(t, makePage(t, cfg.Instruments.Path)).Text, "8 LPs")
		tr := open(t, filepath.Join(cfg.Instruments.Path, instr.FileName("", "", instr.TraceSuffix)))
		tied := 0
		for i := range tr.entries {
			if !tr.entries[i].stayed() {
				continue
			}
			own := func(i int) (own, cause uint64) {
				payload, _, err := tr.record(&tr.entries[i])
				require.NoError(t, err)
				return binary.LittleEndian.Uint64(payload), binary.LittleEndian.Uint64(payload[8:])
			}
			found, fit, err := tr.cause(i)
			require.NoError(t, err)
			_, cause := own(i)
			if cause == 0 {
				require.Equal(t, none, found)
				continue
			}
			require.Equal(t, 1, fit)
			e, of := &tr.entries[i], &tr.entries[found]
			require.Equal(t, []float64{e.send, float64(e.src)}, []float64{of.recv, float64(tr.laneAt(found))})
			was, _ := own(found)
			require.Equal(t, cause, was)
			if first, end := tr.between(int(e.src), e.send, e.send); end-first > 1 {
				tied++
			}
		}
		require.Greater(t, tied, 100)
	}
}
