// Config: defaults, what Validate refuses, what the engine gets of it, names of schedulers, the bridge to package
// flag, and what external tests see of it; which settings have no effect, what former flags mean, and the log.

package ross

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"log/slog"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/ranks/world"
)

func TestDefaultsAreValid(t *testing.T) {
	c := DefaultConfig()
	require.NoError(t, c.Validate())
	require.Equal(t, 8, c.NLP)
	require.Equal(t, 1, c.Streams.PerLP)
	require.Equal(t, math.Inf(1), c.Tuning.MaxOptLookahead)
}

func TestValidateNamesTheSettingItsValueAndTheWayOut(t *testing.T) {
	cases := []struct {
		change func(c *Config)
		want   string
	}{
		{func(c *Config) { c.Synch = 7 }, "ross: option --synch=7: out of range; give 0 to 6, or auto"},
		{func(c *Config) { c.Record = 3 }, "ross: option --record=Recording(3): out of range; give off, run or lps"},
		{func(c *Config) { c.Synch = -1 }, "ross: option --synch=-1: out of range; give 0 to 6, or auto"},
		{func(c *Config) { c.PEs = -2 },
			"ross: option --pes=-2: out of range; give 1 or more, or 0 for one PE on each processor"},
		{func(c *Config) { c.Ranks = -1 }, "ross: option --ranks=-1: out of range; give 1 to 1024 processes on this machine"},
		{func(c *Config) { c.Ranks = 1025 },
			"ross: option --ranks=1025: out of range; give 1 to 1024 processes on this machine"},
		{func(c *Config) { c.NLP = 0 }, "ross: option --nlp=0: out of range; give 1 or more"},
		{func(c *Config) { c.NKP = 0 }, "ross: option --nkp=0: out of range; give 1 or more"},
		{func(c *Config) { c.End = math.NaN() },
			"ross: option --end=NaN: out of range; give a virtual time of 0 or more, or inf"},
		{func(c *Config) { c.End = -0.5 }, "ross: option --end=-0.5: out of range; give a virtual time of 0 or more, or inf"},
		{func(c *Config) { c.Tuning.Batch = 0 }, "ross: option --batch=0: out of range; give 1 or more"},
		{func(c *Config) { c.Tuning.BuddySize = 41 },
			"ross: option --buddy-size=41: out of range; give 0 to 40: it is an exponent of 2"},
		{func(c *Config) { c.ConsLookahead = math.NaN() }, "ross: option --cons-lookahead=NaN: out of range; give 0 or more"},
		{func(c *Config) { c.Tuning.AVLSize = 64 },
			"ross: option --avl-size=64: out of range; give 0 to 40: it is an exponent of 2"},
		{func(c *Config) { c.Tuning.GVTInterval = 0 }, "ross: option --gvt-interval=0: out of range; give 1 or more"},
		{func(c *Config) { c.ReportInterval = math.NaN() },
			"ross: option --report-interval=NaN: out of range; give 0 or more"},
		{func(c *Config) { c.ReportInterval = -1 }, "ross: option --report-interval=-1: out of range; give 0 or more"},
		{func(c *Config) { c.accepted.clockRate = 0 }, "ross: option --clock-rate=0: out of range; give 1 or more"},
		{func(c *Config) { c.Instruments.Engine = 8 },
			"ross: Config.Instruments.Engine=8: out of range; give a sum of SampleByGVT, SampleByRealTime and SampleByVirtualTime (--engine-stats=0 to 4)"},
		{func(c *Config) { c.Instruments.Model = 9 },
			"ross: Config.Instruments.Model=9: out of range; give a sum of SampleByGVT, SampleByRealTime and SampleByVirtualTime (--model-stats=0 to 4)"},
		{func(c *Config) { c.Instruments.EveryGVTs = 0 }, "ross: option --num-gvt=0: out of range; give 1 or more"},
		{func(c *Config) { c.Instruments.VirtualInterval = 0 },
			"ross: option --vt-interval=0: out of range; give a virtual time above 0"},
		{func(c *Config) { c.Instruments.VirtualEnd = -1 }, "ross: option --vt-samp-end=-1: out of range; give 0 or more"},
		{func(c *Config) { c.Instruments.Trace = 4 }, "ross: option --event-trace=4: out of range; give 0 to 3"},
		{func(c *Config) { c.Statistics = 8 }, "ross: option --statistics=8: out of range; give 0 to 7"},
		{func(c *Config) { c.Quantiles = []float64{0.5, 95} },
			"ross: option --quantiles=0.5,95: out of range; give 1 to 64 numbers from 0 to 1, such as 0.5,0.95"},
		{func(c *Config) { c.Instruments.BufferFree = 101 },
			"ross: option --buffer-free=101: out of range; give a percentage, 0 to 100"},
		{func(c *Config) { c.Instruments.Prefix = "sub/foo" },
			"ross: option --stats-prefix=sub/foo: out of range; give the beginning of the names of files, without a folder, which --stats-path names"},
		{func(c *Config) { c.Checkpoints.Files = 0 }, "ross: option --io-files=0: out of range; give 1 or more"},
		{func(c *Config) { c.Checkpoints.Interval, c.Checkpoints.Name = time.Second, "" },
			`ross: option --io-name="": out of range; give the path and the beginning of a file name`},
		{func(c *Config) { c.Checkpoints.Interval = -time.Second },
			"ross: option --io-interval=-1: out of range; give seconds, 0 or more, up to a billion"},
		{func(c *Config) { c.Checkpoints.VirtualInterval = math.Inf(1) },
			"ross: option --io-virtual-interval=+Inf: out of range; give a finite virtual time of 0 or more"},
		{func(c *Config) { c.Checkpoints.Keep = 0 }, "ross: option --io-keep=0: out of range; give 1 or more"},
		{func(c *Config) { c.MaxMemory = 128 << 10 },
			"ross: option --max-memory=128K: out of range; give 256K or more, or 0 for 80 % of free memory"},
		{func(c *Config) { c.Tuning.PQ = 3 },
			"ross: option --pq=Implementation(3): out of range; give c or go, or leave it out for the best there is"},
		{func(c *Config) { c.Tuning.Bind = 4 },
			"ross: option --bind=Binding(4): out of range; give none, cores, sockets or auto"},
		{func(c *Config) { c.Streams.PerLP = 0 }, "ross: Config.Streams.PerLP=0: out of range; give 1 to 2^32"},
		{func(c *Config) { c.Streams.Seeds = [4]uint64{1, 2, 0, 4} },
			"ross: option --rng-seed3: missing or 0; give all four of --rng-seed1 to 4, each 1 or more, or none of them"},
		{func(c *Config) { c.Streams.CoreSeeds = [4]uint64{0, 2, 0, 4} },
			"ross: option --core-rng-seed1, --core-rng-seed3: missing or 0; give all four of --core-rng-seed1 to 4, each 1 or more, or none of them"},
		{func(c *Config) { c.Seed, c.Streams.Seeds = 7, [4]uint64{1, 2, 3, 4} },
			"ross: option --seed=7: given together with --rng-seed or --core-rng-seed, which it replaces; give either"},
		{func(c *Config) { c.Seed, c.Streams.CoreSeeds = 7, [4]uint64{1, 2, 3, 4} },
			"ross: option --seed=7: given together with --rng-seed or --core-rng-seed, which it replaces; give either"},
		{func(c *Config) { c.Replication = 1 << 24 },
			"ross: option --replication=16777216: out of range; give 0 to 16777215, or another --seed"},
	}
	for _, tc := range cases {
		c := DefaultConfig()
		tc.change(&c)
		err := c.Validate()
		require.EqualError(t, err, tc.want)
		require.ErrorIs(t, err, ErrUsage)
	}
}

func TestValidateAcceptsTheEdgesOfEachRange(t *testing.T) {
	changes := []func(c *Config){
		func(c *Config) { c.End = math.Inf(1) },
		func(c *Config) { c.End = 0 },
		func(c *Config) { c.PEs = 0 },
		func(c *Config) { c.Ranks = 1024 },
		func(c *Config) { c.Synch = 6 },
		func(c *Config) {
			c.Statistics, c.Quantiles = StatisticsInReport|StatisticsInFiles|StatisticsOfLPs, []float64{1, 0}
			c.Results = []string{"waiting time"}
		},
		func(c *Config) { c.MaxMemory = 1 << 20 },
		func(c *Config) { c.Tuning.PQ = InC },
		func(c *Config) { c.Tuning.PQ = InGo },
		func(c *Config) { c.Tuning.Bind = BindSockets },
		func(c *Config) { c.ReportInterval = 0 },
		func(c *Config) { c.Seed, c.Replication = math.MaxUint64, 1<<24-1 },
		func(c *Config) { c.Streams.Seeds = [4]uint64{1, 2, 3, 4} },
		func(c *Config) { c.Streams.CoreSeeds = [4]uint64{math.MaxUint64, 2, 3, 4} },
	}
	for i, change := range changes {
		c := DefaultConfig()
		change(&c)
		require.NoError(t, c.Validate(), "case %d", i)
	}
}

// The engine gets every setting of Config, under the same name.

// ownSettings are the fields of Config that settings.Settings has not, and why.
var ownSettings = map[string]string{
	"Ranks": "package ranks starts them before there is an engine", "Comm": "likewise",
	"Mapping": "a function of the model, in run.Start", "TypeMap": "likewise",
	"PE": "functions of the model, in run.Hooks", "GVTHook": "likewise", "HookTrigger": "likewise",
	"Output": "in kernel.Front", "Log": "likewise", "ModelLog": "in kernel.Log", "ModelLogOnly": "likewise",
	"WatchLimit": "package watch gets it", "Checkpoints.Version": "package checkpoint gets it",
	"Checkpoints.AfterRun": "Simulation.Load, and what loads or stores checkpoints, imply it",
	"Record":               "settings() makes Digest and DigestsOfLPs of it",
	"Args":                 "only the report has it", "ArgsFileText": "likewise",
}

// engineSettings are the fields of settings.Settings that Config has not, and why.
var engineSettings = map[string]string{
	"ClockRate":    "ROSS has a flag for it that changes only the report",
	"Events":       "Config.AskEvents sets it",
	"Knobs":        "only tests vary them",
	"DigestsOfLPs": "Config.Record asks for it",
}

// eachSetting calls f for each field of a structure and of its groups, apart from those that are left out, with its
// name.
func eachSetting(v reflect.Value, leftOut map[string]string, group string, f func(name string, field reflect.Value)) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		switch name := group + field.Name; {
		case !field.IsExported() || leftOut[name] != "":
		case field.Type.Kind() == reflect.Struct:
			eachSetting(v.Field(i), leftOut, name+".", f)
		default:
			f(name, v.Field(i))
		}
	}
}

// ofEngine returns the settings that the engine gets from c, by name.
func ofEngine(c *Config) map[string]any {
	all := map[string]any{}
	eachSetting(reflect.ValueOf(c.settings()).Elem(), engineSettings, "", func(name string, field reflect.Value) {
		all[name] = field.Interface()
	})
	return all
}

// change gives a setting another value.
func change(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Uint8, reflect.Uint, reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.Float64:
		v.SetFloat(-v.Float() - 1)
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Array:
		change(t, v.Index(0))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	default:
		require.Fail(t, "a setting of the engine has a type that this test does not know", "%v", v.Type())
	}
}

func TestTheEngineGetsEachSettingOfConfig(t *testing.T) {
	before := ofEngine(new(Config))
	var names []string
	eachSetting(reflect.ValueOf(new(Config)).Elem(), ownSettings, "", func(name string, _ reflect.Value) {
		names = append(names, name)
	})
	for _, name := range names {
		require.Contains(t, before, name, "settings.Settings has no %s: add it there, or to ownSettings", name)
		var c Config
		eachSetting(reflect.ValueOf(&c).Elem(), ownSettings, "", func(other string, field reflect.Value) {
			if other == name {
				change(t, field)
			}
		})
		for of, value := range ofEngine(&c) {
			require.Equal(t, of != name, reflect.DeepEqual(before[of], value), "%s of the engine when %s changes", of, name)
		}
	}
	for name := range before {
		require.Contains(t, names, name, "Config has no %s: add it there, or to engineSettings", name)
	}
}

func TestKPsMoveByDefault(t *testing.T) {
	settings.KPsMove = true
	defer func() { settings.KPsMove = false }()
	for _, c := range []Config{DefaultConfig(), {}} {
		require.True(t, c.settings().MovesKPs())
	}
	c := DefaultConfig()
	c.Tuning.FixedKPs, c.knobs.Moves = true, true
	require.False(t, c.settings().MovesKPs())
}

// The names of schedulers.

func TestSchedulersHaveNamesAndNumbers(t *testing.T) {
	for s := Sequential; s <= RollbackCheck; s++ {
		for _, text := range []string{s.String(), strings.ToUpper(s.String()), strings.ReplaceAll(s.String(), "-", "_"),
			fmt.Sprint(int(s))} {
			o, c, _ := pholdOptions()
			_, err := o.Parse([]string{"--synch=" + text})
			require.NoError(t, err)
			require.Equal(t, s, c.Synch, text)
		}
	}
	o, c, _ := pholdOptions()
	_, err := o.Parse([]string{"--synch=SEQUENTIAL_ROLLBACK_CHECK"}) // as ROSS's help has it
	require.NoError(t, err)
	require.Equal(t, RollbackCheck, c.Synch)
	_, err = o.Parse([]string{"--synch=optimal"})
	require.ErrorIs(t, err, ErrUsage)
	require.EqualError(t, err,
		"ross: option --synch=optimal: no such scheduler; give sequential, conservative, optimistic, "+
			"optimistic-debug, optimistic-realtime, rollback-check, auto, or a number, 1 to 6")
	_, err = o.Parse([]string{"--synch=7"})
	require.EqualError(t, err, "ross: option --synch=7: out of range; give 0 to 6, or auto")
	_, err = o.Parse([]string{"--synch=100"})
	require.EqualError(t, err, "ross: option --synch=100: out of range; give 0 to 6, or auto", "Auto has no number")
	_, err = o.Parse([]string{"--synch=AUTO"})
	require.NoError(t, err)
	require.Equal(t, Auto, c.Synch)
	require.Equal(t, "auto", Auto.String())
	require.Equal(t, "0", Scheduler(0).String())
}

// The bridge to package flag.

func bridged(t *testing.T) (*flag.FlagSet, *Config, *int) {
	t.Helper()
	fs := flag.NewFlagSet("own", flag.ContinueOnError)
	fs.SetOutput(new(bytes.Buffer))
	hosts := fs.Int("hosts", 1, "hosts")
	c := DefaultConfig()
	require.NoError(t, c.RegisterFlags(fs))
	return fs, &c, hosts
}

func TestAFlagSetReadsTheEnginesOptions(t *testing.T) {
	fs, c, hosts := bridged(t)
	path := writeArgs(t, "--hosts=4 --nkp=3 --digest # words of the program's own are fine")
	require.NoError(t, fs.Parse([]string{"-end", "50", "--nkp=2", "--args-file=" + path, "--max-memory=2M", "--synch=1",
		"word"}))
	require.Equal(t, 50.0, c.End)
	require.Equal(t, uint64(3), uint64(c.NKP))
	require.Equal(t, 4, *hosts)
	require.True(t, c.Digest)
	require.Equal(t, uint64(2<<20), c.MaxMemory)
	require.Equal(t, []string{"word"}, fs.Args())
	require.Equal(t, "Arguments passed through --args-file:\n--hosts=4\n--nkp=3\n--digest\n\n", c.ArgsFileText)

	visited := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { visited[f.Name] = true })
	require.True(t, visited["hosts"], "a flag set by an arguments file counts as set")
}

func TestAFlagSetReportsUnusableValues(t *testing.T) {
	for _, words := range [][]string{{"--nkp=x"}, {"--bogus=1"}, {"--args-file=" + writeArgs(t, "--bogus=1")}} {
		fs, _, _ := bridged(t)
		require.Error(t, fs.Parse(words), words)
	}
}

func TestAFlagSetShowsDefaults(t *testing.T) {
	fs, _, _ := bridged(t)
	var text bytes.Buffer
	fs.SetOutput(&text)
	fs.PrintDefaults()
	require.Contains(t, text.String(), "number of kernel processes (KPs) per pe (default 16)")
	require.Contains(t, text.String(), "Set g_tw_lookahead (default 0.005)")
	require.NotContains(t, text.String(), "panic")
}

func TestATakenFlagIsAnErrorThatChangesNothing(t *testing.T) {
	fs := flag.NewFlagSet("own", flag.ContinueOnError)
	fs.Int("end", 1, "")
	c := DefaultConfig()
	err := c.RegisterFlags(fs)
	require.EqualError(t, err, "ross: flag -end: already in the flag set; rename the program's")
	require.ErrorIs(t, err, ErrUsage)
	require.Nil(t, fs.Lookup("nkp"))
}

func TestAFlagSetKeepsItsOwnFlagOfAFormerName(t *testing.T) {
	fs := flag.NewFlagSet("own", flag.ContinueOnError)
	own := fs.Int("time-interval", 1, "")
	c := DefaultConfig()
	require.NoError(t, c.RegisterFlags(fs))
	require.NoError(t, fs.Parse([]string{"--time-interval=5"}))
	require.Equal(t, 5, *own)
	require.Zero(t, c.Instruments.Engine)
}

// Which settings have no effect, that they say so, and that all others are used.

// readSettings returns the settings that the engine reads, by name: those of a selector whose left side is called as
// settings or their groups are.
func readSettings(t *testing.T) map[string]bool {
	t.Helper()
	used, files := map[string]bool{}, token.NewFileSet()
	var names []string
	for _, room := range []string{".", "engine/kernel", "engine/timewarp", "engine/settings", "output/check",
		"output/collect", "output/checkpoint", "run"} {
		more, err := filepath.Glob(filepath.Join("internal", room, "*.go"))
		require.NoError(t, err)
		names = append(names, more...)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if n, ok := n.(*ast.SelectorExpr); ok {
				switch x := n.X.(type) {
				case *ast.Ident:
					used[n.Sel.Name] = used[n.Sel.Name] || slices.Contains([]string{"c", "set", "s"}, x.Name)
				case *ast.SelectorExpr:
					used[n.Sel.Name] = used[n.Sel.Name] || x.Sel.Name == "Set"
					used[x.Sel.Name+"."+n.Sel.Name] = true
				}
			}
			return true
		})
	}
	return used
}

func TestEachSettingIsUsed(t *testing.T) {
	used := readSettings(t)
	for name := range ofEngine(new(Config)) {
		require.True(t, used[name], "nothing reads settings.Settings.%s", name)
	}
	require.True(t, used["ClockRate"])
}

func TestOptionsWithoutEffectSaySoInTheHelp(t *testing.T) {
	o, _, _ := pholdOptions()
	var without []string
	for opt := range o.Engine() {
		if strings.Contains(opt.Help, "without effect") && !opt.Hidden {
			without = append(without, opt.Name)
		}
	}
	require.ElementsMatch(t, []string{"--read-buffer", "--send-buffer", "--extramem", "--clock-rate", "--sample-count"},
		without,
		"those of the fields of accepted")
	require.Equal(t, len(without)+1, reflect.TypeFor[accepted]().NumField(), "AskEvents sets the last")
}

func TestAnEmptyValueOfAnOptionWithoutEffectIsIgnored(t *testing.T) {
	o, c, _ := pholdOptions()
	var words []string
	for opt := range o.Engine() {
		if strings.Contains(opt.Help, "without effect") {
			words = append(words, opt.Name+"=")
		}
	}
	slices.Sort(words)
	require.Equal(t, []string{"--clock-rate=", "--extramem=", "--pe-per-file=", "--read-buffer=", "--sample-count=",
		"--send-buffer="}, words)
	_, err := o.Parse(words)
	require.NoError(t, err)
	want := DefaultConfig()
	want.Args = append([]string{"phold"}, words...)
	require.Equal(t, want, c.WithoutModel())

	_, err = o.Parse([]string{"--clock-rate=7", "--clock-rate="})
	require.NoError(t, err)
	require.Equal(t, uint64(7), c.accepted.clockRate)
	for _, word := range []string{"--clock-rate=x", "--clock-rate=0", "--clock-rate", "--avl-size=41"} {
		_, err := o.Parse([]string{word})
		require.ErrorIs(t, err, ErrUsage, word)
	}
}

func TestProgramsShowWarningsOnStandardError(t *testing.T) {
	var errs bytes.Buffer
	c := DefaultConfig()
	o := NewOptions("phold")
	c.Register(o)
	_, ok := o.Main(nil, io.Discard, &errs)
	require.True(t, ok)
	sim, err := New(c)
	require.NoError(t, err)
	defer sim.Close()
	sim.r.Caution("checkpoint %s is late", "a")
	sim.warn("b")
	require.Equal(t, "phold: checkpoint a is late\nphold: b\n", errs.String())

	c = DefaultConfig()
	own := slog.New(slog.DiscardHandler)
	c.Log = own
	o = NewOptions("phold")
	c.Register(o)
	_, ok = o.Main(nil, io.Discard, &errs)
	require.True(t, ok)
	require.Same(t, own, c.Log, "the program's own")
}

func TestAnOptionWithoutEffectIsTold(t *testing.T) {
	o, c, _ := pholdOptions()
	_, err := o.Parse([]string{"--pe-per-file=4", "--end=1"})
	require.NoError(t, err)
	var report strings.Builder
	c.Output = &report
	sim, err := New(*c)
	require.NoError(t, err)
	require.NoError(t, sim.Close())
	require.Contains(t, report.String(), "Option --pe-per-file is ignored: each file holds the records of all PEs\n")
}

func TestFormerInstrumentationFlagsMeanTodaysSettings(t *testing.T) {
	cases := []struct {
		words  string
		change func(c *Config)
	}{
		{"--enable-gvt-stats=1", func(c *Config) { c.Instruments.Engine, c.Instruments.EveryGVTs = SampleByGVT, 1 }},
		{"--enable-gvt-stats=1 --num-gvt=10", func(c *Config) { c.Instruments.Engine = SampleByGVT }},
		{"--num-gvt=3 --enable-gvt-stats=1",
			func(c *Config) { c.Instruments.Engine, c.Instruments.EveryGVTs = SampleByGVT, 3 }},
		{"--num-gvt=3 --enable-gvt-stats=0", func(c *Config) { c.Instruments.EveryGVTs = 3 }},
		{"--real-time-samp=250", func(c *Config) {
			c.Instruments.Engine, c.Instruments.RealInterval = SampleByRealTime, 250*time.Millisecond
		}},
		{"--time-interval=40",
			func(c *Config) { c.Instruments.Engine, c.Instruments.VirtualInterval = SampleByVirtualTime, 40 }},
		{"--enable-gvt-stats=1 --real-time-samp=250", func(c *Config) {
			c.Instruments.Engine, c.Instruments.RealInterval, c.Instruments.EveryGVTs = SampleByGVT|SampleByRealTime,
				250*time.Millisecond, 1
		}},
		{"--time-interval=40 --engine-stats=2 --enable-gvt-stats=1", func(c *Config) {
			c.Instruments.Engine, c.Instruments.VirtualInterval, c.Instruments.EveryGVTs = SampleByGVT|SampleByRealTime, 40, 1
		}},
		{"--enable-gvt-stats=1 --time-interval=40", func(c *Config) {
			c.Instruments.Engine, c.Instruments.VirtualInterval, c.Instruments.EveryGVTs = SampleByGVT|SampleByVirtualTime, 40, 1
		}},
		{"--time-interval=40 --real-time-samp=250", func(c *Config) {
			c.Instruments.Engine, c.Instruments.VirtualInterval, c.Instruments.RealInterval =
				SampleByRealTime|SampleByVirtualTime, 40, 250*time.Millisecond
		}},
		{"--time-interval=40 --real-time-samp=250 --enable-gvt-stats=1", func(c *Config) {
			c.Instruments.Engine, c.Instruments.VirtualInterval, c.Instruments.RealInterval, c.Instruments.EveryGVTs =
				SampleAll, 40, 250*time.Millisecond, 1
		}},
		{"--enable-gvt-stats=1 --real-time-samp=250 --engine-stats=4", func(c *Config) {
			c.Instruments.Engine, c.Instruments.RealInterval, c.Instruments.EveryGVTs = SampleAll, 250*time.Millisecond, 1
		}},
		{"--engine-stats=4 --enable-gvt-stats=0",
			func(c *Config) { c.Instruments.Engine = SampleByRealTime | SampleByVirtualTime }},
		{"--enable-gvt-stats=1 --real-time-samp=250 --enable-gvt-stats=0", func(c *Config) {
			c.Instruments.Engine, c.Instruments.RealInterval = SampleByRealTime, 250*time.Millisecond
		}},
		{"--enable-gvt-stats=1 --enable-gvt-stats=1",
			func(c *Config) { c.Instruments.Engine, c.Instruments.EveryGVTs = SampleByGVT, 1 }},
		{"--enable-gvt-stats=1 --enable-gvt-stats=0", func(*Config) {}},
		{"--engine-stats=2 --enable-gvt-stats=0 --time-interval=0",
			func(c *Config) { c.Instruments.Engine = SampleByRealTime }},
		{"--stats-filename=run7", func(c *Config) { c.Instruments.Prefix = "run7" }},
		{"--pe-per-file=4", func(*Config) {}},
	}
	for _, tc := range cases {
		o, c, _ := pholdOptions()
		words := strings.Fields(tc.words)
		_, err := o.Parse(words)
		require.NoError(t, err, tc.words)
		want := DefaultConfig()
		want.Args = slices.Concat([]string{"phold"}, words)
		tc.change(&want)
		require.Equal(t, want, c.WithoutModel(), tc.words)
	}
	for _, word := range []string{"--enable-gvt-stats=on", "--real-time-samp=-1", "--pe-per-file=x", "--pe-per-file"} {
		o, _, _ := pholdOptions()
		_, err := o.Parse([]string{word})
		require.ErrorIs(t, err, ErrUsage, word)
	}
}

func TestAModelMayUseTheNameOfAFormerFlag(t *testing.T) {
	for _, modelFirst := range []bool{true, false} {
		c, interval, o := DefaultConfig(), 0.0, NewOptions("own")
		model := func() { o.Group("Model").Float64(&interval, "time-interval", "time between arrivals") }
		if modelFirst {
			model()
		}
		c.Register(o)
		if !modelFirst {
			model()
		}
		_, err := o.Parse([]string{"--time-interval=0.5"})
		require.NoError(t, err)
		require.Equal(t, 0.5, interval)
		require.Zero(t, c.Instruments.Engine)
	}
}

// WithoutModel returns c without what it notes of the model's options, and of those without effect.
func (c Config) WithoutModel() Config {
	c.modelOptions, c.varying, c.ignored, c.whole = nil, nil, nil, true
	return c
}

// InWorld returns c with other ranks.
func (c Config) InWorld(ranks world.World) Config {
	c.knobs.World = ranks
	return c
}
