// What a command line prints: the help text, which is that of ROSS (testdata/help.txt), settings without effect, and the log.

package ross

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/settings"
)

func helpLines(t *testing.T, o *Options) []string {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, o.WriteHelp(&text))
	return strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
}

func TestHelpIsTheOriginalsWithOurOptionsAdded(t *testing.T) {
	original, err := os.ReadFile("testdata/help.txt")
	require.NoError(t, err)
	// The original ends with a pointer to the options it was built with by CMake, which there are none of here.
	text, _, found := strings.Cut(string(original), "ROSS CMake Configuration Options:\n")
	require.True(t, found)
	want := append(strings.Split(strings.TrimSuffix(text, "\n"), "\n"), "  --version             show the versions of program, library and Go")

	ours := []string{
		"  --warm-up=dbl         virtual time at which the statistics of the model begin (default 0.00)",
		"  --pes=n               number of PEs that run as threads of this process; 0 = number of cores; without this option --synch=auto chooses it if --lps is given (default 1)",
		"  --ranks=n             number of processes that take part, on this machine and without MPI: the first starts the others; 1 = those of mpirun (default 1)",
		"  --max-memory=size     ceiling on memory for events and states, such as 64M or 2G; 0 = 80 % of free memory (default 0)",
		"  --max-chain=n         most events without delay in a chain, at one virtual time; 0 = no limit (default 1000000)",
		"  --seed=n              a number from which all seeds of the run are made; 0 = those of ROSS, or of --rng-seed1 to 4 and --core-rng-seed1 to 4 (default 0)",
		"  --replication=n       number of the run among those with the same seeds: each draws from other parts of the streams (default 0)",
		"  --digest              print a digest of the committed events and one of the final states (default off)",
		"  --watch=str           print the committed events of these LPs: ids or labels, such as 7@10..20,\"router (3,4)\"@..5 (default )",
		"  --watch-limit=n       most lines of --watch; 0 = no limit (default 10000)",
		"  --report=str          the report: full, as ROSS prints it, or short, what ran and how it went in about ten lines (default full)",
		"  --balance=str         whether KPs move between the PEs of a process while the run goes on: on or off (default on)",
		"  --pq=str              implementation of the event queue: c, go, or empty for the best there is (default )",
		"  --avl=str             implementation of the index of events from other ranks: c, go, or empty for the best there is (default )",
	}
	last := slices.Index(want, "  --args-file           ROSS Command Line Args File")
	require.Positive(t, last)
	want = slices.Insert(want, last+1, ours...)
	last = slices.Index(want, "                        percent of runtime to print GVT (default 0.01)")
	require.Positive(t, last)
	want = slices.Insert(want, last+1,
		"  --fixed-gvt           keep the GVT interval as it is, instead of stretching it as GVT costs (default off)")

	last = slices.Index(want, "  --disable-output=n    used for perturbation analysis; buffer never dumped to file when 1 (default 0)")
	require.Positive(t, last)
	want = slices.Insert(want, last+1,
		"  --stats-limit=size    ceiling on the files of the collection, such as 10G, at which it ends and the run goes on; 0 = none (default 0)",
		"  --statistics=n        statistics of the model at the end of the run; 0 none, or the sum of 1 in the report, 2 in files, 4 in a file with a line for each LP (default 0)",
		"  --quantiles=list      quantiles that tables of statistics have of histograms, such as 0.5,0.95; empty for those that the model chooses (default )")

	last = slices.Index(want, "  --io-files=n          io files (default 1)")
	require.Positive(t, last)
	want = slices.Insert(want, last+1,
		"  --io-name=str         path and beginning of the name of the checkpoints of a running simulation (default checkpoint)",
		"  --io-interval=dbl     seconds between checkpoints of a running simulation; 0 none (default 0)",
		"  --io-virtual-interval=dbl",
		"                        virtual time between them; 0 none (default 0.00)",
		"  --io-keep=n           number of them that are kept (default 2)",
		"  --io-on-exit          store one more when a signal stops the run (default off)",
		"  --io-restart=str      checkpoint to start from, or latest (default )",
		"  --io-compress         compress checkpoints with LZ4 (default off)",
		"  --io-as-ross          load with the clock at 0 and fresh tie-breakers, as ROSS does (default off)",
		"  --io-other-options    load a checkpoint that was stored with other options of the model (default off)")

	for option, remark := range remarks {
		i := slices.IndexFunc(want, func(line string) bool { return strings.HasPrefix(line, "  --"+option+"=") })
		require.Positive(t, i, option)
		for i++; strings.HasPrefix(want[i], "     "); i++ {
		}
		want = slices.Insert(want, i, "                        "+remark)
	}
	for i, line := range want { // what of the original is corrected
		line = strings.Replace(line, "Sychronization Protocol:", "Synchronization protocol:", 1)
		line = strings.Replace(line, "SEQUENTIAL_ROLLBACK_CHECK=6 (default 0)", "SEQUENTIAL_ROLLBACK_CHECK=6 (default 1)", 1)
		line = strings.Replace(line, "Set g_tw_lookahead (default 0.01)", "Set g_tw_lookahead (default 0.005)", 1)
		line = strings.Replace(line, "2^avl-size nodes (default 18)", "2^avl-size nodes (default 10)", 1)
		want[i] = strings.TrimSuffix(line, " (default )")
	}
	o, _, _ := pholdOptions()
	got := helpLines(t, o)
	for _, line := range got {
		require.Less(t, len(line), 100, "%s", line)
	}
	require.Equal(t, joined(want), joined(got))
}

// joined returns help texts with the lines of each option as one, since ours break them.
func joined(lines []string) (all []string) {
	for _, line := range lines {
		if text, found := strings.CutPrefix(line, strings.Repeat(" ", 24)); found && len(all) > 0 {
			all[len(all)-1] += " " + text
			continue
		}
		all = append(all, line)
	}
	return all
}

// remarks are on what the texts of the original do not say, or say wrongly.
var remarks = map[string]string{
	"read-buffer":     "without effect except on the report",
	"send-buffer":     "accepted without effect",
	"nkp":             "those beyond the LPs of a pe stay empty",
	"synch":           "or by name: sequential, conservative, optimistic, optimistic-debug, optimistic-realtime, rollback-check, auto",
	"extramem":        "without effect except on the report",
	"avl-size":        "at first: it grows",
	"gvt-interval":    "synch=1, 4 and 6 compute no GVT; 2 and 3 stretch the interval as GVT costs, unless --fixed-gvt is given",
	"report-interval": "a fraction, not percent: 0.01 is 1 percent; 0 and 1 print nothing; no effect on synch=1; without this option nothing is printed to a file or a pipe",
	"clock-rate":      "without effect except on the report",
	"buffer-free":     "in fact the percentage in use, as in ROSS: 15 writes out when 15 percent are full",
	"sample-count":    "accepted without effect",
}

func TestHelpShowsTheDefaultsOfRegistration(t *testing.T) {
	o, c, _ := pholdOptions()
	before := helpLines(t, o)
	_, err := o.Parse([]string{"--nkp=99", "--help"})
	require.ErrorIs(t, err, ErrHelp)
	require.Equal(t, uint64(99), uint64(c.NKP))
	require.Equal(t, before, helpLines(t, o))
}

func TestHelpOfModelGroupsComesFirstInOrderOfCreation(t *testing.T) {
	c, on, size, count := DefaultConfig(), true, uint64(64<<20), uint(3)
	o := NewOptions("own")
	first := o.Group("First")
	c.Register(o)
	o.Group("Second").Bytes(&size, "a-long-name-here", "a size")
	first.Bool(&on, "switch", "a switch")
	first.Uint(&count, "count", "a number")
	require.Equal(t, []string{
		"usage: own [options] [-- [args]]",
		"",
		"First:",
		"  --switch              a switch (default on)",
		"  --count=n             a number (default 3)",
		"",
		"Second:",
		"  --a-long-name-here=size",
		"                        a size (default 64M)",
		"",
		"ROSS MPI Kernel:",
	}, helpLines(t, o)[:11])

	_, err := o.Parse([]string{"--switch=0", "--count=7"})
	require.NoError(t, err)
	require.False(t, on)
	require.Equal(t, uint(7), count)
}

func TestOptionsOfTheLastGroupFollowTheEngines(t *testing.T) {
	c, o := DefaultConfig(), NewOptions("own")
	n := uint64(3)
	last := o.LastGroup("Looking On")
	last.Var(when("auto"), "show", "when", "look on")
	last.Uint64(&n, "often", "how often")
	c.Register(o)
	lines := helpLines(t, o)
	require.Equal(t, []string{
		"Looking On:",
		"  --show=when           look on (default auto)",
		"  --often=n             how often (default 3)",
	}, lines[len(lines)-5:len(lines)-2])
	_, err := o.Parse([]string{"--show", "--often=4"})
	require.NoError(t, err)
	require.Equal(t, uint64(4), n)
	_, err = o.Parse([]string{"--oftn=4"})
	require.ErrorContains(t, err, "did you mean --often?")
	o.LastGroup("Bad").Var(nil, "nothing", "", "")
	_, err = o.Parse(nil)
	require.ErrorIs(t, err, ErrUsage)
}

// when is a value of the caller's own.
type when string

func (when) Set(string) error { return nil }
func (w when) String() string { return string(w) }
func (when) IsBoolFlag() bool { return true }

// Which settings have no effect, that they say so, and that all others are used.

// readSettings returns the fields of the engine's settings that the engine reads, by name: those of a selector whose left
// side is called as settings are.
func readSettings(t *testing.T) map[string]bool {
	t.Helper()
	used, files := map[string]bool{}, token.NewFileSet()
	var names []string
	for _, room := range []string{".", "kernel", "timewarp", "check", "collect", "checkpoint", "run", "settings"} {
		more, err := filepath.Glob(filepath.Join("internal", room, "*.go"))
		require.NoError(t, err)
		names = append(names, more...)
	}
	root, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range append(names, root...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncDecl); ok && f.Name.Name == "settings" {
				return false // it makes them
			}
			if n, ok := n.(*ast.SelectorExpr); ok {
				switch x := n.X.(type) {
				case *ast.Ident:
					used[n.Sel.Name] = used[n.Sel.Name] || slices.Contains([]string{"c", "set", "s"}, x.Name)
				case *ast.SelectorExpr:
					used[n.Sel.Name] = used[n.Sel.Name] || x.Sel.Name == "Set"
				}
			}
			return true
		})
	}
	return used
}

func TestEachSettingIsUsed(t *testing.T) {
	used := readSettings(t)
	engine := reflect.TypeFor[settings.Settings]()
	for i := range engine.NumField() {
		name := engine.Field(i).Name
		require.True(t, name == "Knobs" || used[name], "nothing reads settings.Settings.%s", name)
	}
}

func TestOptionsWithoutEffectSaySoInTheHelp(t *testing.T) {
	o, _, _ := pholdOptions()
	var without []string
	for opt := range o.Engine() {
		if strings.Contains(opt.Help, "without effect") && !opt.Hidden {
			without = append(without, opt.Name)
		}
	}
	require.ElementsMatch(t, []string{"--read-buffer", "--send-buffer", "--extramem", "--clock-rate", "--sample-count"}, without,
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
	require.Equal(t, []string{"--clock-rate=", "--extramem=", "--pe-per-file=", "--read-buffer=", "--sample-count=", "--send-buffer="}, words)
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
