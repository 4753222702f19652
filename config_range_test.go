// The numbers of Config at the edges of their types: each is refused by name, or the run ends as any other.

package ross

import (
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/rng"
)

// edges returns values of the type of a setting, nil if it is no number.
func edges(v reflect.Value) (all []any) {
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		all = []any{int64(0), int64(-1), int64(1), int64(math.MaxInt64), int64(math.MinInt64)}
	case reflect.Uint, reflect.Uint64:
		all = []any{uint64(0), uint64(1), uint64(math.MaxUint64)}
	case reflect.Uint8:
		all = []any{uint64(0), uint64(1), uint64(math.MaxUint8)}
	case reflect.Float64:
		all = []any{0.0, -1.0, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64,
			math.Copysign(0, -1)}
	}
	return all
}

// eachNumber calls f for each number in a structure and its groups. A number in an array or slice has its name and
// index.
func eachNumber(v reflect.Value, name string, f func(name string, field reflect.Value)) {
	switch {
	case edges(v) != nil:
		f(name, v)
	case v.Kind() == reflect.Array || v.Kind() == reflect.Slice:
		for i := range v.Len() {
			eachNumber(v.Index(i), fmt.Sprintf("%s[%d]", name, i), f)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				eachNumber(v.Field(i), name+"."+field.Name, f)
			}
		}
	}
}

// busyConfig is a configuration in which as many settings as possible have an effect.
func busyConfig(t *testing.T, synch Scheduler) Config {
	dir := t.TempDir()
	c := DefaultConfig()
	c.Synch, c.LPs, c.NLP, c.NKP, c.End, c.MaxMemory, c.Output, c.ConsLookahead = synch, 8, 8, 2, 20, 64<<20, io.Discard,
		0.5
	if !c.settings().Sequential() {
		c.PEs = 2
	}
	c.Watch, c.Quantiles, c.Statistics = "0", []float64{0.5}, StatisticsInReport
	c.Instruments = Instruments{Engine: SampleAll, Model: SampleAll, EveryGVTs: 1, RealInterval: time.Millisecond,
		VirtualInterval: 5, VirtualEnd: 20,
		KPs: true, LPs: true, Trace: TraceCommitted, TraceExact: true, Path: filepath.Join(dir, "stats"),
		BufferSize: 1 << 20, BufferFree: 15}
	c.Checkpoints.Name, c.Checkpoints.VirtualInterval = filepath.Join(dir, "cp"), 7
	return c
}

type busyState struct{ Sum uint64 }

func busyType() LPType {
	type hop struct{ N uint64 }
	send := func(lp *LP, n uint64) {
		Send(lp, LPID(lp.RNG().Integer(0, int64(lp.PE().Simulation().TotalLPs())-1)), 0.5+lp.RNG().Exponential(1), hop{n})
	}
	return Type[busyState]{
		Name: "busy", Init: func(_ *busyState, lp *LP) { send(lp, uint64(lp.ID())) },
		Event: On(func(s *busyState, lp *LP, m *hop) {
			if s.Sum += m.N; m.N < 50 {
				send(lp, m.N+1)
			}
		}),
	}
}

// flagsOf returns the flags of the settings by the names of their fields, as their documents have them in brackets.
func flagsOf(t *testing.T) map[string]string {
	t.Helper()
	flags, bracket := map[string]string{}, regexp.MustCompile(`\[(--[a-z0-9-]+)`)
	groups := map[string]string{"Config": "Config", "Streams": "Config.Streams", "Tuning": "Config.Tuning",
		"Instruments": "Config.Instruments", "Checkpoints": "Config.Checkpoints"}
	for _, name := range []string{"config.go", "config_groups.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			of, ok := n.(*ast.TypeSpec)
			if !ok || groups[of.Name.Name] == "" {
				return true
			}
			for _, field := range of.Type.(*ast.StructType).Fields.List {
				if flag := bracket.FindStringSubmatch(field.Doc.Text()); flag != nil {
					flags[groups[of.Name.Name]+"."+field.Names[0].Name] = flag[1]
				}
			}
			return false
		})
	}
	return flags
}

// largest are the largest values of settings that have a limit of their own.
var largest = map[string]any{
	"Config.PEs": int64(1 << 24), "Config.LPs": int64(2 * math.MaxUint32), "Config.NLP": int64(math.MaxUint32),
	"Config.NKP":         int64(math.MaxUint32),
	"Config.Replication": uint64(rng.MaxReplication), "Config.Streams.PerLP": int64(maxStreams),
	"Config.Tuning.AVLSize":   int64(maxLogSize),
	"Config.Tuning.BuddySize": int64(maxLogSize), "Config.MaxMemory": uint64(settings.MinMemory),
	"Config.Checkpoints.Interval": int64(maxIOInterval * time.Second),
}

func TestEachNumberOfConfigIsRefusedByNameOrRuns(t *testing.T) {
	flags := flagsOf(t)
	for _, synch := range testlevel.Pick([]Scheduler{Sequential, Conservative, Optimistic, RollbackCheck, Auto},
		[]Scheduler{Conservative, Optimistic}, []Scheduler{Optimistic}) {
		values, base := map[string][]any{}, busyConfig(t, synch)
		eachNumber(reflect.ValueOf(&base).Elem(), "Config", func(name string, v reflect.Value) { values[name] = edges(v) })
		for name, all := range values {
			if most := largest[name]; most != nil {
				all = append(all, most)
			}
			for _, value := range all {
				t.Run(fmt.Sprintf("%v/%s=%v", synch, name, value), func(t *testing.T) {
					testkit.Watch(t)
					c := busyConfig(t, synch)
					eachNumber(reflect.ValueOf(&c).Elem(), "Config", func(other string, v reflect.Value) {
						if other == name {
							v.Set(reflect.ValueOf(value).Convert(v.Type()))
						}
					})
					if name == "Config.NLP" {
						c.LPs = 0
					}
					field, _, _ := strings.Cut(name, "[")
					requireNamed(t, runBusy(c), field, flags[field])
				})
			}
		}
	}
}

// TestEachNumberOfTheCommandLineIsRefusedByNameOrRuns, whether it can be read or not.
func TestEachNumberOfTheCommandLineIsRefusedByNameOrRuns(t *testing.T) {
	var names []string
	fs := flag.NewFlagSet("busy", flag.ContinueOnError)
	c := DefaultConfig()
	require.NoError(t, c.RegisterFlags(fs))
	fs.VisitAll(func(f *flag.Flag) {
		if _, err := strconv.ParseFloat(f.DefValue, 64); err == nil {
			names = append(names, f.Name)
		}
	})
	require.Greater(t, len(names), 40)
	values := []string{"-1", "nan", "inf", "9223372036854775807", "0", "-inf", "1e400", "0x7fffffffffffffff",
		"18446744073709551615", "99999999999999999999", "1.5", "x"}
	for _, name := range names {
		for _, value := range testlevel.Pick(values, values, values[:4]) {
			t.Run(name+"="+value, func(t *testing.T) {
				testkit.Watch(t)
				c := busyConfig(t, Optimistic)
				fs := flag.NewFlagSet("busy", flag.ContinueOnError)
				fs.SetOutput(io.Discard)
				require.NoError(t, c.RegisterFlags(fs))
				err := fs.Parse([]string{"--" + name + "=" + value})
				if err == nil {
					err = runBusy(c)
				}
				requireNamed(t, err, "-"+strings.TrimRight(name, "1234")) // the seeds are one setting
			})
		}
	}
}

// TestATextThatNamesASettingNamesItsFlag, since who runs a program knows no other name of it.
func TestATextThatNamesASettingNamesItsFlag(t *testing.T) {
	flags := flagsOf(t)
	flags["Config.MaxHops"] = "--max-hops" // of package interconnect
	setting := regexp.MustCompile(`\bConfig(\.[A-Z][A-Za-z]+)+`)
	texts := 0
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains([]string{"docs", "tools", "testdata", "rossvet", "bench"}, d.Name()) ||
			path != "." && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr) // whose texts belong together
			if !ok {
				return true
			}
			var all []string
			for _, arg := range call.Args {
				ast.Inspect(arg, func(n ast.Node) bool {
					if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
						all = append(all, text.Value)
					}
					return true
				})
			}
			text := strings.Join(all, " ")
			for _, name := range setting.FindAllString(text, -1) {
				texts++
				require.Contains(t, text, flags[name], "%s: %s", path, name)
			}
			return true
		})
		return nil
	}))
	require.Greater(t, texts, 10)
}

// requireNamed requires that an error, if it is one, names a setting and a way out.
func requireNamed(t *testing.T, err error, names ...string) {
	t.Helper()
	if err == nil {
		return
	}
	text := err.Error()
	named := slices.ContainsFunc(names, func(name string) bool { return name != "" && strings.Contains(text, name) })
	require.True(t, named, "%q names none of %q", text, names)
	require.Regexp(t, " (give|use|raise|lower) ", text)
}

// runBusy runs the model of the busy configuration.
func runBusy(c Config) error {
	sim, err := New(c)
	if err != nil {
		return err
	}
	defer sim.Close()
	if err := sim.Define(busyType()); err != nil {
		return err
	}
	return sim.Run(context.Background())
}
