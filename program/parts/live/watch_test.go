// The watch: it keeps the past in fixed memory, finds what is wrong, and receives what all ranks report. The metrics
// and the dashboard in docs: they keep to the rules of Prometheus and Grafana, and the dashboard asks for what a run
// has. And the bar: its text, where it is drawn, and that it is removed.

package live

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
)

func TestHistoryKeepsTheWholeRunAndExactCounts(t *testing.T) {
	var h history
	now, taken := time.Unix(0, 0), 0
	for i := range 100_000 { // four times a second
		if h.due(now) {
			h.add(now, sample{elapsed: float64(i) / 4, committed: uint64(i) * 7})
			taken++
		}
		now = now.Add(250 * time.Millisecond)
		require.LessOrEqual(t, h.n, historySize)
	}
	d := h.document("x")
	require.Less(t, taken, 100_000/16)
	require.Equal(t, 64.0, d.Period)
	require.Greater(t, len(d.Elapsed), historySize/2)
	require.Zero(t, d.Elapsed[0], "the beginning is kept")
	require.Greater(t, d.Elapsed[h.n-1], 24900.0)
	for i := 1; i < h.n; i++ {
		require.InDelta(t, d.Period, d.Elapsed[i]-d.Elapsed[i-1], 0.2)
		require.InDelta(t, 28, float64(d.Committed[i]-d.Committed[i-1])/(d.Elapsed[i]-d.Elapsed[i-1]), 1e-6)
	}
}

// rankServer answers as the server of a rank does.
func rankServer(t *testing.T, rank int, id string, phase string) announcement {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		require.Equal(t, "/rank.json?page=rank0", r.RequestURI)
		sendJSON(w, rankDocument{id, figures{Phase: phase, Rank: rank, Ranks: 3, MemoryUsed: 5, MemoryLimit: 10,
			Counters: ross.Counters{EventsProcessed: 100}, PEs: []peDocument{{ID: uint64(rank), Rank: rank}}}})
	}))
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	require.NoError(t, err)
	port, err := strconv.Atoi(u.Port())
	require.NoError(t, err)
	var a announcement
	require.NoError(t, json.Unmarshal([]byte(announce(&net.TCPAddr{IP: net.ParseIP(u.Hostname()), Port: port}, id)), &a))
	return a
}

func TestRank0HearsTheOtherRanks(t *testing.T) {
	o := newOthers()
	defer o.close()
	one, two := rankServer(t, 1, "one", "running"), rankServer(t, 2, "two", "ended")
	text := func(a announcement) string {
		b, err := json.Marshal(a)
		require.NoError(t, err)
		return string(b)
	}
	own := figures{Ranks: 3, MemoryUsed: 1, MemoryLimit: 10, PEs: []peDocument{{}},
		Counters: ross.Counters{EventsProcessed: 1}}
	f := own
	answers, ended := o.addTo(&f)
	require.Equal(t, "not asked yet", answers[2].Trouble)
	require.True(t, ended, "what does not answer is not waited for")

	o.meet([]string{"", text(one), text(two)})
	o.ask()
	f = own
	answers, ended = o.addTo(&f)
	require.False(t, ended)
	require.Equal(t, uint64(201), f.EventsProcessed)
	require.Equal(t, uint64(11), f.MemoryUsed)
	require.Len(t, f.PEs, 3)
	require.Equal(t, knownRank{Rank: 2, MemoryUsed: 5, MemoryLimit: 10,
		Address: fmt.Sprintf("http://127.0.0.1:%d/", two.Port)}, answers[2])

	for trouble, a := range map[string]string{
		"it has no server: give --http to all ranks": "",
		"another program has taken its port: the rank has ended": text(
			announcement{one.Host, one.IP, one.Port, "former"}),
		"its server on elsewhere answers only its own machine: give --http=0.0.0.0:PORT": text(
			announcement{"elsewhere", "127.0.0.1", 1, "one"}),
		"its server does not answer": text(
			announcement{one.Host, "127.0.0.1", 1, "one"}),
		`its server has the address "x", which is not an IP address`: text(
			announcement{one.Host, "x", 1, "one"}),
	} {
		o.meet([]string{"", a, text(two)})
		o.ask()
		f = own
		answers, _ = o.addTo(&f)
		require.Equal(t, trouble, answers[1].Trouble)
		require.Equal(t, uint64(101), f.EventsProcessed)
	}
}

func TestDocumentsSayHowTheRunEnded(t *testing.T) {
	for _, c := range []struct {
		fails  bool
		state  string
		reason string
		done   float64
	}{{false, instr.RunComplete, "", 100}, {true, instr.RunFailed, "no more", 50}} {
		h := hold(t, config(3, 2), c.fails)
		v := begin(t, h, Options{HTTP: "0", HTTPLinger: time.Hour}, io.Discard)
		look := func() (d document) {
			_, _, body := get(t, v.URL()+"snapshot.json?page=test", "")
			require.NoError(t, json.Unmarshal([]byte(body), &d))
			return d
		}
		require.Equal(t, "made", look().Phase)
		h.start()
		d := look()
		require.Equal(t, instr.RunRunning, d.Run.State)
		require.False(t, d.Goodbye)
		require.NotNil(t, d.Left)
		_ = h.finish()
		for !look().Goodbye {
			time.Sleep(10 * time.Millisecond)
		}
		d = look()
		require.Equal(t, c.state, d.Run.State)
		require.Contains(t, d.Run.Reason, c.reason)
		require.GreaterOrEqual(t, *d.Progress, c.done)
		if c.fails {
			require.Less(t, *d.Progress, 100.0)
		}
		require.Equal(t, h.Snapshot().Elapsed, d.Window, "shares are those of the whole run")

		var info instr.RunInfo
		_, _, body := get(t, v.URL()+"run.json", "")
		require.NoError(t, json.Unmarshal([]byte(body), &info))
		require.Equal(t, d.Run.ID, info.ID)
		require.Equal(t, h.Summary().NetEvents(), info.Result.NetEvents)
		var past historyDocument
		_, _, body = get(t, v.URL()+"history.json", "")
		require.NoError(t, json.Unmarshal([]byte(body), &past))
		require.Equal(t, d.EventsProcessed, past.Processed[len(past.Processed)-1])
	}
}

func TestServerWaitsOnlyForPagesThatLookOn(t *testing.T) {
	request := func(name string) *http.Request {
		r, err := http.NewRequest(http.MethodGet, "/snapshot.json?page="+name, nil)
		require.NoError(t, err)
		return r
	}
	a, now := newAudience(), time.Now()
	require.False(t, a.waits(now))
	a.answered(request(""), false, now) // curl
	require.False(t, a.waits(now))
	a.answered(request("one"), false, now)
	a.answered(request("two"), false, now)
	require.True(t, a.waits(now))
	a.answered(request("one"), true, now)
	require.True(t, a.waits(now), "two has not got the last figures")
	require.False(t, a.waits(now.Add(2*attentive)), "two has gone")
	a.answered(request("two"), true, now)
	require.False(t, a.waits(now))
	for i := range 10 * mostPages {
		a.answered(request(strings.Repeat("x", i%50)+strconv.Itoa(i)), false, now)
	}
	require.LessOrEqual(t, len(a.pages), mostPages)
	a.answered(request("three"), false, now.Add(2*attentive))
	require.Len(t, a.pages, 1)
}

// scrape returns what a run of two PEs shows to Prometheus.
func scrape(t *testing.T) string {
	t.Helper()
	h := hold(t, config(3, 2), false)
	v := begin(t, h, Options{HTTP: "0"}, io.Discard)
	h.start()
	_, _, text := get(t, v.URL()+"metrics", "")
	require.NoError(t, h.finish())
	return text
}

func TestMetricsAreNamedAsPrometheusAsks(t *testing.T) {
	text := scrape(t)
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	require.NoError(t, err)
	problems = slices.DeleteFunc(problems, func(p promlint.Problem) bool { return !strings.HasPrefix(p.Metric, "ross_") })
	require.Empty(t, problems)
	require.Regexp(t, `ross_info\{model="live.test",scheduler="optimistic",synch="3",version="go-[^"]+"\} 1\n`, text)
	for phase, is := range map[string]string{"made": "0", "initialising": "0", "running": "1", "ended": "0"} {
		require.Contains(t, text, `ross_phase{phase="`+phase+`"} `+is+"\n")
	}
}

// dashboard is what Grafana reads of docs/grafana.json. Other members are mistakes.
type dashboard struct {
	Inputs        []struct{}                                 `json:"__inputs"`
	Elements      map[string]any                             `json:"__elements"`
	Requires      []struct{ Type, ID, Name, Version string } `json:"__requires"`
	ID            *int
	UID           string
	Title         string
	Description   string
	Tags          []string
	Timezone      string
	SchemaVersion int
	Version       int
	Editable      bool
	GraphTooltip  int
	Refresh       string
	Time          struct{ From, To string }
	Timepicker    struct{}
	Annotations   struct{ List []any }
	Links         []any
	Templating    struct{ List []variable }
	Panels        []panel
}

type source struct{ Type, UID string }

type variable struct {
	Name, Label, Type, Definition, Regex string
	Datasource                           *source
	Query                                any
	Refresh, Sort, Hide                  int
	Multi, IncludeAll                    bool
	AllValue                             *string
	Current                              struct{}
	Options                              []any
}

type panel struct {
	ID                       int
	Type, Title, Description string
	Datasource               source
	GridPos                  struct{ X, Y, W, H int }
	Targets                  []struct {
		Datasource                        source
		Expr, LegendFormat, RefID, Format string
		Range, Instant                    bool
	}
	FieldConfig struct {
		Defaults  map[string]any
		Overrides []any
	}
	Options map[string]any
}

func TestDashboardIsOneThatGrafanaImports(t *testing.T) {
	text, err := os.ReadFile("../../../docs/grafana.json")
	require.NoError(t, err)
	var d dashboard
	dec := json.NewDecoder(strings.NewReader(string(text)))
	dec.DisallowUnknownFields()
	require.NoError(t, dec.Decode(&d))
	require.Nil(t, d.ID, "an id is that of a database")
	require.Empty(t, d.Inputs, "it imports without questions")
	require.GreaterOrEqual(t, d.SchemaVersion, 36, "data sources are objects since then")
	require.LessOrEqual(t, len(d.UID), 40)

	defined := map[string]bool{"__rate_interval": true}
	for _, v := range d.Templating.List {
		defined[v.Name] = true
		if v.Type == "datasource" {
			require.Equal(t, "prometheus", v.Query)
			continue
		}
		require.Equal(t, "query", v.Type)
		require.Equal(t, source{"prometheus", "${datasource}"}, *v.Datasource)
	}
	require.Equal(t, "datasource", d.Templating.List[0].Name, "others are made with it")
	used := regexp.MustCompile(`\$\{?(\w+)`)
	for _, u := range used.FindAllStringSubmatch(string(text), -1) {
		require.True(t, defined[u[1]], u[1])
	}

	types, ids := map[string]bool{}, map[int]bool{}
	for _, r := range d.Requires {
		types[r.ID] = r.Type == "panel"
	}
	var taken [100][24]bool
	for _, p := range d.Panels {
		require.False(t, ids[p.ID], "two panels have the id %d", p.ID)
		ids[p.ID] = true
		require.True(t, types[p.Type], "%s is not in __requires", p.Type)
		require.NotEmpty(t, p.Title)
		require.Equal(t, source{"prometheus", "${datasource}"}, p.Datasource)
		require.NotEmpty(t, p.Targets)
		for i, q := range p.Targets {
			require.Equal(t, p.Datasource, q.Datasource)
			require.Equal(t, string(rune('A'+i)), q.RefID)
			require.NotEqual(t, q.Range, q.Instant)
			require.Equal(t, strings.Count(q.Expr, "("), strings.Count(q.Expr, ")"))
			require.Equal(t, strings.Count(q.Expr, "{"), strings.Count(q.Expr, "}"))
		}
		for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
			for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
				require.False(t, taken[y][x], "%s lies on another panel", p.Title)
				taken[y][x] = true
			}
		}
	}
}

func TestDashboardAsksForWhatARunHas(t *testing.T) {
	text, err := os.ReadFile("../../../docs/grafana.json")
	require.NoError(t, err)
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(scrape(t)))
	require.NoError(t, err)
	labels := map[string]bool{"instance": true, "job": true} // those of the scrape
	asked := map[string]bool{}
	for _, name := range regexp.MustCompile(`\b(ross|go)_\w+`).FindAllString(string(text), -1) {
		require.Contains(t, families, name)
		asked[name] = true
		for _, l := range families[name].GetMetric()[0].GetLabel() {
			labels[l.GetName()] = true
		}
	}
	for name, f := range families {
		if strings.HasPrefix(name, "ross_") && name != "ross_events_aborted_total" && name != "ross_start_time_seconds" {
			require.True(t, asked[name], "%s (%s) is on no panel", name, f.GetHelp())
		}
	}
	var d dashboard
	require.NoError(t, json.Unmarshal(text, &d))
	for _, p := range d.Panels {
		for _, q := range p.Targets {
			for _, l := range regexp.MustCompile(`\{\{(\w+)\}\}|(\w+)=~|(?:by|on) \(?(\w+)\)`).FindAllStringSubmatch(
				q.Expr+q.LegendFormat, -1) {
				require.True(t, labels[l[1]+l[2]+l[3]], "%s: no metric has the label %s", p.Title, l[0])
			}
		}
	}
}

// drawn returns what a bar on a buffer looks like in the middle of a run and after it.
func drawn(t *testing.T, cfg ross.Config, fails bool) (middle, whole string, err error) {
	t.Helper()
	var out bytes.Buffer
	h := hold(t, cfg, fails)
	b := newBar(h.Simulation, &out)
	b.giveBack = h.TakeProgress(b.wrap)
	b.draw(h.Snapshot())
	ticks := make(chan time.Time)
	b.gone.Go(func() { b.drawAt(ticks) })
	h.start()
	for range 2 { // the second is taken when the first was drawn
		ticks <- time.Time{}
	}
	b.lock.Lock()
	middle = out.String()
	b.lock.Unlock()
	err = h.finish()
	b.stop()
	requireGone(t)
	return middle, out.String(), err
}

func TestBarSaysHowTheRunStands(t *testing.T) {
	for _, synch := range []int{1, 2, 3} {
		cfg := config(synch, 1)
		middle, whole, err := drawn(t, cfg, false)
		require.NoError(t, err)
		require.Contains(t, middle, "   0% [")
		require.Contains(t, middle, "made  mem ")
		require.Regexp(t,
			`\d+% \[=+>? +\]  GVT [0-9.]+/100  [0-9.]+[kM]? ev/s  eff 100.0%  \d+s left  0 rollbacks  mem [0-9.]+[KM]/256M `,
			middle)
		require.NotContains(t, middle, " 100% ")
		require.Contains(t, whole, " 100% [==============================]  GVT 100/100  ")
		require.True(t, len(whole) > 0 && whole[len(whole)-1] == '\n')
	}
}

// TestBarOfARunThatEndsEarlyIsFull has runs that end long before their time, because no event
// is left or because an LP stops them.
func TestBarOfARunThatEndsEarlyIsFull(t *testing.T) {
	for _, stops := range []bool{true, false} {
		for _, synch := range []ross.Scheduler{1, 2, 3, 4, 6} {
			var out bytes.Buffer
			cfg := config(int(synch), 1)
			cfg.End, cfg.ConsLookahead = 1e9, 0
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			atFinal := ""
			b := newBar(sim, &out)
			require.NoError(t, sim.Define(ross.Type[state]{
				Init: func(_ *state, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, struct{}{}) },
				Event: ross.On(func(s *state, lp *ross.LP, _ *struct{}) {
					if stops && lp.Now() == 3 {
						lp.Stop()
					}
					if lp.Now() < 5 || stops {
						ross.Send(lp, lp.ID(), 1, struct{}{})
					}
				}),
				Final: func(_ *state, lp *ross.LP) {
					s := sim.Snapshot()
					b.draw(s)
					atFinal = timeLeft(&s)
				},
				Saving: ross.SaveByDelta,
			}))
			b.giveBack = sim.TakeProgress(b.wrap)
			require.NoError(t, sim.Run(context.Background()))
			b.stop()
			require.Equal(t, "0s", atFinal)
			require.True(t, sim.Snapshot().Complete)
			require.Contains(t, out.String(), " 100% [==============================]  GVT ", "synch %d", synch)
			require.NotContains(t, out.String(), "h left")
		}
	}
}

func TestBarOfARunWithoutEndTurns(t *testing.T) {
	middle, whole, err := drawn(t, endless(), true)
	require.ErrorContains(t, err, "no more")
	require.Regexp(t, `\r[|/\\-]  GVT [0-9.]+  [0-9.]+[kM]? ev/s  eff 100.0%  0 rollbacks  mem `, middle)
	require.NotContains(t, whole, "]")
	require.NotContains(t, whole, " left")
}

func TestBarOfARunThatFailsEndsItsLine(t *testing.T) {
	_, whole, err := drawn(t, config(3, 2), true)
	require.ErrorContains(t, err, "no more")
	require.NotContains(t, whole, " 100% ")
	require.Equal(t, byte('\n'), whole[len(whole)-1])
}

// progressLine is of the lines that a bar replaces.
const progressLine = "complete, max event queue size"

func TestNothingIsShownWhereThereIsNoTerminal(t *testing.T) {
	for _, o := range []Options{{}, {Progress: "auto"}, {Progress: "off"}} {
		var errs bytes.Buffer
		h := hold(t, config(1, 1), false)
		close(h.proceed)
		require.NoError(t, o.Run(context.Background(), h.Simulation, &errs))
		require.Empty(t, errs.String())
		require.Contains(t, h.report.String(), progressLine)
	}
}

func TestBarReplacesTheProgressLines(t *testing.T) {
	for _, synch := range []int{1, 3} {
		var errs bytes.Buffer
		h := hold(t, config(synch, 1), false)
		close(h.proceed)
		require.NoError(t, Options{Progress: "on"}.Run(context.Background(), h.Simulation, &errs))
		require.Contains(t, errs.String(), "GVT 100/100")
		require.NotContains(t, h.report.String(), progressLine)
		require.Contains(t, h.report.String(), "Net Events Processed")
	}
}

func TestLineHoldsWhatFits(t *testing.T) {
	fields := []string{"GVT 1", "2 ev/s", "eff 3%"}
	for room, want := range map[int]string{-5: "", 4: "", 5: "GVT 1", 12: "GVT 1", 13: "GVT 1  2 ev/s",
		100: "GVT 1  2 ev/s  eff 3%"} {
		require.Equal(t, want, fit(fields, room), "%d", room)
	}
}

func TestNumbersHaveThreeDigits(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 999: "999", 999.6: "1.00k", 1234: "1.23k", 12345: "12.3k",
		123456: "123k", 999999: "1.00M", 5e15: "5000T"} {
		require.Equal(t, want, count(x))
	}
	require.Equal(t, "1.50K", size(1536))
	require.Equal(t, "256M", size(256<<20))
}

func TestTimeLeftIsThatOfGVTAsSoFar(t *testing.T) {
	for _, c := range []struct {
		elapsed, gvt, end float64
		want              string
	}{
		{10, 50, 100, "10s"}, {10, 0, 100, ""}, {10, 1, 100, "16m30s"}, {100, 1, 100, "2h45m"}, {10000, 1, 100, "11d"},
		{10, 100, 100, "0s"}, {10, 1e-300, 100, ""}, {0, 0, 0, ""}, {10, 50, math.Inf(1), ""},
	} {
		require.Equal(t, c.want, timeLeft(&ross.Snapshot{Elapsed: c.elapsed, GVT: c.gvt, End: c.end}), "%v", c)
	}
}

func TestRateIsThatOfTheLastReadings(t *testing.T) {
	var r recent
	require.Zero(t, r.rate())
	r.add(0, 0)
	require.Zero(t, r.rate())
	r.add(1, 100)
	require.Equal(t, 100.0, r.rate())
	for i := range 2 * readings {
		r.add(float64(2+i), 100+uint64(i)*10)
	}
	require.Equal(t, 10.0, r.rate())
}

// The signal that has stopped the run does not end the wait after it: who looks on wants to see why.
func TestTheServerStaysAfterASignalHasStoppedTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{audience: newAudience()}
		stopped, stop := context.WithCancel(context.Background())
		stop()
		begin := time.Now()
		s.linger(stopped, time.Hour)
		require.Equal(t, time.Hour, time.Since(begin))

		goesOn, end := context.WithCancel(context.Background())
		time.AfterFunc(time.Minute, end)
		begin = time.Now()
		s.linger(goesOn, time.Hour)
		require.Equal(t, time.Minute, time.Since(begin), "a later one does")
	})
}
