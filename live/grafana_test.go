//go:build !nolive

// The metrics and the dashboard in docs: they keep to the rules of Prometheus and Grafana, and the
// dashboard asks for what a run has.

package live

import (
	"encoding/json"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"
)

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
	text, err := os.ReadFile("../docs/grafana.json")
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
	text, err := os.ReadFile("../docs/grafana.json")
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
			for _, l := range regexp.MustCompile(`\{\{(\w+)\}\}|(\w+)=~|(?:by|on) \(?(\w+)\)`).FindAllStringSubmatch(q.Expr+q.LegendFormat, -1) {
				require.True(t, labels[l[1]+l[2]+l[3]], "%s: no metric has the label %s", p.Title, l[0])
			}
		}
	}
}
