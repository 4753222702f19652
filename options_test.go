// How words become settings, the error of each word that cannot, and the rules of arguments files; and the help text,
// which is that of ROSS (program/cmdline/testdata/help.txt).

package ross

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/program/cmdline"
)

// pholdModel holds the settings of PHOLD's own group, as the help text of ROSS has them.
type pholdModel struct {
	remote, mean, mult, lookahead float64
	startEvents, stagger, memory  uint64
	run                           string
}

// pholdOptions returns a command line as PHOLD has it, with the variables that it sets.
func pholdOptions() (*Options, *Config, *pholdModel) {
	c := DefaultConfig()
	m := pholdModel{remote: 0.25, mean: 1, mult: 1.4, lookahead: 1, startEvents: 1, memory: 100, run: "undefined"}
	o := NewOptions("phold")
	g := o.Group("PHOLD Model")
	g.Float64(&m.remote, "remote", "desired remote event rate")
	g.Count(&c.NLP, "nlp", "number of LPs per processor")
	g.Float64(&m.mean, "mean", "exponential distribution mean for timestamps")
	g.Float64(&m.mult, "mult", "multiplier for event memory allocation")
	g.Float64(&m.lookahead, "lookahead", "lookahead for events")
	g.Uint64(&m.startEvents, "start-events", "number of initial messages per LP")
	g.Uint64(&m.stagger, "stagger", "Set to 1 to stagger event uniformly across 0 to end time.")
	g.Uint64(&m.memory, "memory", "additional memory buffers")
	g.String(&m.run, "run", "user supplied run name")
	c.Register(o)
	return o, &c, &m
}

func TestEveryFlagOfTheEngineSetsItsField(t *testing.T) {
	o, c, m := pholdOptions()
	words := strings.Fields(`--remote=0.5 --nlp=3 --run=first --read-buffer=21 --send-buffer=22 --synch=3 --nkp=4 --end=5.5 --warm-up=2.5
		--batch=6 --extramem=7 --buddy-size=8 --lz4-knob=9 --cons-lookahead=1e-1 --max-opt-lookahead=11 --avl-size=12
		--rng-seed1=1 --rng-seed2=2 --rng-seed3=3 --rng-seed4=4 --core-rng-seed1=5 --core-rng-seed2=6 --core-rng-seed3=7
		--core-rng-seed4=8 --pes=2 --ranks=30 --max-memory=64M --max-chain=9 --replication=28 --digest --record=lps --watch=1,2@3.. --watch-limit=29 --report=short --report-path=r --balance=off --bind=cores --pq=go --buddy=go --gvt-interval=13 --report-interval=.5 --fixed-gvt
		--clock-rate=14 --engine-stats=1 --model-stats=2 --num-gvt=15 --rt-interval=16 --vt-interval=17 --vt-samp-end=18
		--pe-data=0 --kp-data=1 --lp-data=1 --event-trace=3 --stats-prefix=p --stats-path=d --buffer-size=19
		--buffer-free=20 --disable-output=1 --statistics=7 --quantiles=0.9,0.5 --results=a,b --trace-exact=1 --stats-limit=30K --sample-count=23 --io-files=24 --io-name=n
		--io-interval=25 --io-virtual-interval=26.5 --io-keep=27 --io-on-exit --io-restart=latest --io-compress --io-as-ross --io-other-options --io-branch`)
	rest, err := o.Parse(words)
	require.NoError(t, err)
	require.Empty(t, rest)
	require.Equal(t, Config{
		Synch: 3, PEs: 2, Ranks: 30, NLP: 3, NKP: 4, End: 5.5, WarmUp: 2.5, ConsLookahead: 0.1, Replication: 28,
		MaxMemory: 64 << 20, MaxChain: 9,
		ShortReport: true, Dir: "r", ReportInterval: 0.5, Digest: true, Record: RecordLPs, Watch: "1,2@3..", WatchLimit: 29,
		Statistics: StatisticsInReport | StatisticsInFiles | StatisticsOfLPs, Quantiles: []float64{0.5, 0.9},
		Results: []string{"a", "b"},
		Streams: Streams{Seeds: [4]uint64{1, 2, 3, 4}, CoreSeeds: [4]uint64{5, 6, 7, 8}, PerLP: 1},
		Tuning: Tuning{Batch: 6, BuddySize: 8, LZ4Knob: 9, MaxOptLookahead: 11, AVLSize: 12, GVTInterval: 13, FixedGVT: true,
			FixedKPs: true, Bind: BindCores, PQ: InGo, Buddy: InGo},
		Instruments: Instruments{Engine: SampleByGVT, Model: SampleByRealTime, EveryGVTs: 15,
			RealInterval:    16 * time.Millisecond,
			VirtualInterval: 17, VirtualEnd: 18, WithoutPEs: true, KPs: true, LPs: true, Trace: TraceCommitted, Prefix: "p",
			Path:       "d",
			TraceExact: true,
			BufferSize: 19, BufferFree: 20, Discard: true, Limit: 30 << 10},
		Checkpoints: Checkpoints{Files: 24, Name: "n", Interval: 25 * time.Second, VirtualInterval: 26.5, Keep: 27,
			OnExit:  true,
			Restart: "latest", Compress: true, AsROSS: true, OtherOptions: true,
			Branch: true},
		pesGiven: true, linesGiven: true, accepted: accepted{extraMem: 7, readBuffer: 21, sendBuffer: 22, clockRate: 14,
			sampleCount: 23},
		Args: append([]string{"phold"}, words...),
	}.WithoutModel(), c.WithoutModel())
	require.NotEmpty(t, c.modelOptions)
	require.Equal(t, 0.5, m.remote)
	require.Equal(t, "first", m.run)
}

func TestWordsAreReadFromLeftToRightUpToTwoDashes(t *testing.T) {
	o, c, m := pholdOptions()
	rest, err := o.Parse([]string{"--nkp=2", "--nkp=+3", "--run=a b=c", "--stats-path=x", "--stats-path=", "--", "--nkp=9",
		"--"})
	require.NoError(t, err)
	require.Equal(t, uint64(3), uint64(c.NKP))
	require.Equal(t, "a b=c", m.run)
	require.Empty(t, c.Instruments.Path)
	require.Equal(t, []string{"--nkp=9", "--"}, rest)
	require.Equal(t, rest, o.Rest())

	rest, err = o.Parse(nil)
	require.NoError(t, err)
	require.Empty(t, rest)
	require.Empty(t, o.Rest())
}

func TestEachUnusableWordHasItsOwnError(t *testing.T) {
	const whole = "; give a whole number, 0 to 9223372036854775807"
	const real = "; give a number such as 0.5, 1e9 or inf"
	const size = "; give bytes, or a size such as 64M (K, M, G, T are powers of 1024), 0 to "
	const notOption = ": not an option; write options as --name=value, and words for the model after --"
	cases := []struct{ word, want string }{
		{"--bogus=3", "option --bogus=3: unknown; see --help"},
		{"--=10", "option --=10: unknown; see --help"},
		{"--nlps=3", "option --nlps=3: unknown; did you mean --nlp? see --help"},
		{"--sync=1", "option --sync=1: unknown; did you mean --synch? see --help"},
		{"--en=10", "option --en=10: unknown; did you mean --end? see --help"},
		{"---nlp=3", "option ---nlp=3: unknown; did you mean --nlp? see --help"},
		{"--hepl", "option --hepl: unknown; did you mean --help? see --help"},
		{"--time-intervals=3", "option --time-intervals=3: unknown; see --help"},
		{"--nlp", "option --nlp: no value; write --nlp=value"},
		{"--args-file", "option --args-file: no value; write --args-file=value"},
		{"--args-file=", "option --args-file=: no value; give the name of a file"},
		{"--nlp=", "option --nlp=: no value" + whole},
		{"--nlp=abc", "option --nlp=abc: not a number" + whole},
		{"--nlp=8x", "option --nlp=8x: not a number" + whole},
		{"--nlp=8 ", `option "--nlp=8 ": not a number` + whole},
		{"--nlp=1e3", "option --nlp=1e3: not a number" + whole},
		{"--nlp=+-3", "option --nlp=+-3: not a number" + whole},
		{"--nlp=-", "option --nlp=-: not a number" + whole},
		{"--nlp=-3", "option --nlp=-3: negative" + whole},
		{"--nlp=-99999999999999999999", "option --nlp=-99999999999999999999: negative" + whole},
		{"--nlp=18446744073709551616", "option --nlp=18446744073709551616: out of range" + whole},
		{"--pes=1.5", "option --pes=1.5: not a number; give a whole number, -9223372036854775808 to 9223372036854775807"},
		{"--end=", "option --end=: no value" + real},
		{"--end=ten", "option --end=ten: not a number" + real},
		{"--end=1_0", "option --end=1_0: not a number" + real},
		{"--end=0x1_0p1", "option --end=0x1_0p1: not a number" + real},
		{"--end=1.5.", "option --end=1.5.: not a number" + real},
		{"--end=1e999", "option --end=1e999: out of range" + real},
		{"--max-memory=M", "option --max-memory=M: no value" + size + "17592186044415"},
		{"--max-memory=64MB", "option --max-memory=64MB: not a number" + size + "18446744073709551615"},
		{"--max-memory=1.5G", "option --max-memory=1.5G: not a number" + size + "17179869183"},
		{"--max-memory=-1M", "option --max-memory=-1M: negative" + size + "17592186044415"},
		{"--max-memory=16777216T", "option --max-memory=16777216T: out of range" + size + "16777215"},
		{"--digest=maybe", "option --digest=maybe: not a switch; give 1 or 0, or the name alone for 1"},
		{"foo", "word foo" + notOption},
		{"-nlp=3", "word -nlp=3" + notOption},
		{"", `word ""` + notOption},
		{"two\nlines", `word "two\nlines"` + notOption},
		{"--two\nlines", `option "--two\nlines": unknown; see --help`},
		{"--nkp=0", "option --nkp=0: out of range; give 1 or more"},
		{"--end=nan", "option --end=NaN: out of range; give a virtual time of 0 or more, or inf"},
	}
	for _, tc := range cases {
		o, _, _ := pholdOptions()
		_, err := o.Parse([]string{"--nkp=2", tc.word})
		require.EqualError(t, err, "ross: "+tc.want)
		require.ErrorIs(t, err, ErrUsage, tc.word)
		require.NotErrorIs(t, err, ErrHelp, tc.word)
	}
}

func TestValuesAreReadAsCReadsThem(t *testing.T) {
	cases := map[string]float64{
		"10": 10, ".5": 0.5, "5.": 5, "-1e-3": -0.001, "+2": 2, "inf": math.Inf(1), "-Infinity": math.Inf(-1),
		"0x1p4": 16, "0X10": 16, "1e-999": 0, "1.7976931348623157e308": math.MaxFloat64,
	}
	for text, want := range cases {
		o, _, m := pholdOptions()
		_, err := o.Parse([]string{"--mean=" + text})
		require.NoError(t, err, text)
		require.Equal(t, want, m.mean, text)
	}
	o, _, m := pholdOptions()
	_, err := o.Parse([]string{"--mean=nan"})
	require.NoError(t, err)
	require.True(t, math.IsNaN(m.mean))
}

func TestSizesAreBinaryAndWriteBackAsTheyRead(t *testing.T) {
	cases := map[string]uint64{"0": 0, "1000": 1000, "1K": 1 << 10, "3m": 3 << 20, "64M": 64 << 20, "2G": 2 << 30,
		"5t": 5 << 40}
	for text, want := range cases {
		got, err := cmdline.ParseBytes(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
		require.Equal(t, strings.ToUpper(text), cmdline.FormatBytes(want))
	}
}

func TestASwitchStandsAloneOrTakesAValue(t *testing.T) {
	for word, want := range map[string]bool{"--digest": true, "--digest=1": true, "--digest=0": false,
		"--digest=false": false} {
		o, c, _ := pholdOptions()
		c.Digest = !want
		_, err := o.Parse([]string{word})
		require.NoError(t, err)
		require.Equal(t, want, c.Digest, word)
	}
}

func TestSeedReplacesAllOtherSeeds(t *testing.T) {
	o, c, _ := pholdOptions()
	_, err := o.Parse([]string{"--seed=7"})
	require.NoError(t, err)
	require.Equal(t, uint64(7), c.Seed)
	_, err = o.Parse([]string{"--rng-seed1=1", "--rng-seed2=2", "--rng-seed3=3", "--rng-seed4=4"})
	require.ErrorIs(t, err, ErrUsage)
	require.ErrorContains(t, err, "option --seed=7: given together with --rng-seed")
}

func TestPartOfTheSeedsIsAnError(t *testing.T) {
	for _, set := range []string{"rng", "core-rng"} {
		o, _, _ := pholdOptions()
		_, err := o.Parse([]string{"--" + set + "-seed1=1", "--" + set + "-seed2=2", "--" + set + "-seed4=4"})
		require.ErrorIs(t, err, ErrUsage)
		require.ErrorContains(t, err, "option --"+set+"-seed3: missing or 0")
	}
}

func TestRegistrationMistakesAreReportedByParse(t *testing.T) {
	n := uint64(1)
	cases := []struct {
		register func(o *Options)
		want     string
	}{
		{func(o *Options) { o.Group("Model").Uint64(&n, "nkp", "") },
			`ross: option --nkp: registered in "Model", but already in "ROSS Kernel"; rename one of them`},
		{func(o *Options) { o.Group("Model").Uint64(&n, "help", "") },
			`ross: option --help: registered in "Model", but already in "every program"; rename one of them`},
		{func(o *Options) { o.Group("Model").Uint64(&n, "a=b", "") },
			`ross: option --a=b: registered in "Model": cannot be typed; give a name without =, # and spaces`},
		{func(o *Options) { o.Group("Model").Uint64(&n, "", "") },
			`ross: option --: registered in "Model": cannot be typed; give a name without =, # and spaces`},
		{func(o *Options) { o.Group("Model").Uint64(&n, "-x", "") },
			`ross: option ---x: registered in "Model": cannot be typed; give a name without =, # and spaces`},
		{func(o *Options) { o.Group("Model").Uint64(nil, "x", "") },
			`ross: option --x: registered in "Model" with a nil pointer; give the variable that it sets`},
	}
	for _, tc := range cases {
		o, _, _ := pholdOptions()
		tc.register(o)
		o.Group("Later").Uint64(&n, "nkp", "") // only the first mistake is reported
		_, err := o.Parse([]string{"--help"})
		require.EqualError(t, err, tc.want)
		require.ErrorIs(t, err, ErrUsage)
	}
}

func TestMainPrintsOneLineAndTheExitStatus(t *testing.T) {
	cases := []struct {
		words  []string
		code   int
		ok     bool
		stderr string
	}{
		{[]string{"--nlp=3"}, 0, true, ""},
		{[]string{"--bogus=3"}, 2, false, "phold: option --bogus=3: unknown; see --help\n"},
		{[]string{"--batch=0"}, 2, false, "phold: option --batch=0: out of range; give 1 or more\n"},
		{[]string{"--nlp=3", "--help", "--bogus"}, 0, false, ""},
	}
	for _, tc := range cases {
		o, _, _ := pholdOptions()
		var stdout, stderr bytes.Buffer
		code, ok := o.Main(tc.words, &stdout, &stderr)
		require.Equal(t, tc.code, code, tc.words)
		require.Equal(t, tc.ok, ok, tc.words)
		require.Equal(t, tc.stderr, stderr.String())
		require.Equal(t, slices.Contains(tc.words, "--help"), stdout.Len() > 0, tc.words)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestHelpThatCannotBeWrittenIsAFailure(t *testing.T) {
	o, _, _ := pholdOptions()
	var stderr bytes.Buffer
	code, ok := o.Main([]string{"--help"}, brokenPipe{}, &stderr)
	require.False(t, ok)
	require.Equal(t, 1, code)
	require.Equal(t, "phold: --help: broken pipe\n", stderr.String())
}

// The rules of arguments files.

func writeArgs(t *testing.T, content string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "run.args")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func TestArgsFileStandsWhereItIsNamed(t *testing.T) {
	path := writeArgs(t,
		"# a run\n\n--nkp=3#x --end=6\r\n--end=7\n\t--batch=5 --end=10   # end=20\n--digest --run=a#b\n#--synch=3\n--lz4-knob=1")
	o, c, m := pholdOptions()
	_, err := o.Parse([]string{"--nkp=2", "--args-file=" + path, "--batch=6"})
	require.NoError(t, err)
	require.Equal(t, uint64(3), uint64(c.NKP), "the file overrides what is left of it")
	require.Equal(t, 10.0, c.End, "the last word of a name wins")
	require.Equal(t, uint64(6), uint64(c.Tuning.Batch), "what is right of the file overrides it")
	require.True(t, c.Digest)
	require.Equal(t, "a", m.run)
	require.Zero(t, c.Synch)
	require.Equal(t, 1, c.Tuning.LZ4Knob)
	require.Equal(t, "Arguments passed through --args-file:\n"+
		"--nkp=3\n--end=7\n--batch=5\n--end=10\n--digest\n--run=a\n--lz4-knob=1\n\n", c.ArgsFileText)
	require.Equal(t, []string{"phold", "--nkp=2", "--args-file=" + path, "--batch=6"}, c.Args)
}

func TestSeveralArgsFilesAreReadInTurn(t *testing.T) {
	first, second := writeArgs(t, "--nkp=3 --batch=4"), writeArgs(t, "--nkp=5")
	o, c, _ := pholdOptions()
	_, err := o.Parse([]string{"--args-file=" + first, "--args-file=" + second})
	require.NoError(t, err)
	require.Equal(t, uint64(5), uint64(c.NKP))
	require.Equal(t, uint64(4), uint64(c.Tuning.Batch))
	require.Equal(t, "Arguments passed through --args-file:\n--nkp=3\n--batch=4\n\n"+
		"Arguments passed through --args-file:\n--nkp=5\n\n", c.ArgsFileText)
}

func TestArgsFileErrorsNameFileLineAndWord(t *testing.T) {
	const ok = "--nkp=3\n\n# fine\n"
	cases := []struct{ content, want string }{
		{ok + "--nlps=3", ":4: option --nlps=3: unknown; did you mean --nlp? see --help"},
		{ok + "--nkp=3 --batch=x", ":4: option --batch=x: not a number; give a whole number, 0 to 9223372036854775807"},
		{ok + "--end", ":4: option --end: no value; write --end=value"},
		{ok + `--run=a b`, `:4: word b: not an option; write options as --name=value, and words for the model after --`},
		{ok + `--run="a b`, `:4: a quotation mark " has no other on its line; add one, or write '"' around it as text`},
		{ok + `--run=Bob's`, `:4: a quotation mark ' has no other on its line; add one, or write "'" around it as text`},
		{ok + "-- rest", ":4: word --: not allowed in an arguments file; put it on the command line"},
		{ok + "--args-file=other",
			":4: option --args-file=other: not allowed in an arguments file; name each file on the command line"},
		{ok + "--args-file", ":4: option --args-file: not allowed in an arguments file; name each file on the command line"},
	}
	for _, tc := range cases {
		path := writeArgs(t, tc.content)
		o, _, _ := pholdOptions()
		_, err := o.Parse([]string{"--args-file=" + path})
		require.EqualError(t, err, "ross: "+path+tc.want)
		require.ErrorIs(t, err, ErrUsage)
	}
}

func TestArgsFileMayHaveQuotesAndComeFromWindows(t *testing.T) {
	for content, want := range map[string]string{
		"\ufeff--run=one\r\n--nkp=3\r\n":              "one",
		"--nkp=3 --run=one # a 'comment\r\n":          "one",
		`--nkp=3 --run="one two" # "`:                 "one two",
		`--nkp=3 '--run=one # "two"'`:                 `one # "two"`,
		`--nkp=3 --run=""`:                            "",
		`--nkp=3 --run=a" "b' 'c`:                     "a b c",
		"--nkp=3 --run=one\ufeff":                     "one\ufeff",
		"--nkp=3 --run=\"'\"":                         "'",
		"\ufeff# \"comment\r\n--nkp=3\t'--run= one '": " one ",
	} {
		o, c, m := pholdOptions()
		_, err := o.Parse([]string{"--args-file=" + writeArgs(t, content)})
		require.NoError(t, err, content)
		require.Equal(t, want, m.run, content)
		require.Equal(t, 3, c.NKP)
	}
}

func TestMissingArgsFileIsAnErrorThatTellsWhy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "no such.args")
	o, _, _ := pholdOptions()
	_, err := o.Parse([]string{"--args-file=" + path})
	require.EqualError(t, err, `ross: option --args-file="`+path+`": cannot be read: no such file or directory; `+
		"give a file that exists and may be read")
	require.ErrorIs(t, err, ErrUsage)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestArgsFileMayAskForHelp(t *testing.T) {
	o, _, _ := pholdOptions()
	_, err := o.Parse([]string{"--args-file=" + writeArgs(t, "--help")})
	require.ErrorIs(t, err, ErrHelp)
	require.NotErrorIs(t, err, ErrUsage)
}

func helpLines(t *testing.T, o *Options) []string {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, o.WriteHelp(&text))
	return strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
}

func TestHelpIsTheOriginalsWithOurOptionsAdded(t *testing.T) {
	original, err := os.ReadFile("program/cmdline/testdata/help.txt")
	require.NoError(t, err)
	// The original ends with a pointer to the options it was built with by CMake, which there are none of here.
	text, _, found := strings.Cut(string(original), "ROSS CMake Configuration Options:\n")
	require.True(t, found)
	want := append(strings.Split(strings.TrimSuffix(text, "\n"), "\n"),
		"  --version             show the versions of program, library and Go")

	ours := []string{
		"  --warm-up=dbl         virtual time at which the statistics of the model begin (default 0.00)",
		"  --pes=n               number of PEs that run as threads of this process; 0 = one for each processor that Go uses (GOMAXPROCS); without this option --synch=auto chooses it if --lps is given (default 1)",
		"  --ranks=n             number of processes that take part, on this machine and without MPI: the first starts the others; 1 = those of mpirun (default 1)",
		"  --max-memory=size     ceiling on memory for events and states, such as 64M or 2G; 0 = 80 % of free memory (default 0)",
		"  --max-chain=n         most events without delay in a chain, at one virtual time; 0 = no limit (default 1000000)",
		"  --seed=n              a number from which all seeds of the run are made; 0 = those of ROSS, or of --rng-seed1 to 4 and --core-rng-seed1 to 4 (default 0)",
		"  --replication=n       number of the run among those with the same seeds: each draws from other parts of the streams (default 0)",
		"  --digest              print a digest of the committed events and one of the final states (default off)",
		"  --record=str          record the run in run.json, for rossreader verify: off, run, or lps, with a file of the digests of all LPs (default off)",
		"  --watch=str           print the committed events of these LPs: ids or labels, such as 7@10..20,\"router (3,4)\"@..5 (default )",
		"  --watch-limit=n       most lines of --watch; 0 = no limit (default 10000)",
		"  --report=str          the report: full, as ROSS prints it, or short, what ran and how it went in about ten lines (default full)",
		"  --balance=str         whether KPs move between the PEs of a process while the run goes on: on or off (default on)",
		"  --bind=str            what the threads of PEs are bound to: none, cores, sockets, or auto, sockets if the run fills several (default auto)",
		"  --report-path=str     folder for ross.csv and ross_all_lp_stats; empty: neither is written (default )",
		"  --pq=str              implementation of the event queue: c, go, or empty for the best there is (default )",
		"  --avl=str             implementation of the trees in the index of events from other ranks: c, go, or empty for the best there is (default )",
		"  --buddy=str           implementation of the memory pools of deltas, blocks and large messages: c, go, or empty for the best there is (default )",
	}
	last := slices.Index(want, "  --args-file           ROSS Command Line Args File")
	require.Positive(t, last)
	want = slices.Insert(want, last+1, ours...)
	last = slices.Index(want, "                        percent of runtime to print GVT (default 0.01)")
	require.Positive(t, last)
	want = slices.Insert(want, last+1,
		"  --fixed-gvt           keep the GVT interval as it is, instead of stretching it as GVT costs (default off)")

	last = slices.Index(want,
		"  --disable-output=n    used for perturbation analysis; buffer never dumped to file when 1 (default 0)")
	require.Positive(t, last)
	want = slices.Insert(want, last+1,
		"  --trace-exact=n       add exact times and what tells the cause of each event to the event trace, 48 bytes an event (default 0)",
		"  --stats-limit=size    ceiling on the files of the collection, such as 10G, at which it ends and the run goes on; 0 = none (default 0)",
		"  --statistics=n        statistics of the model at the end of the run; 0 none, or the sum of 1 in the report, 2 in files, 4 in a file with a line for each LP (default 0)",
		"  --quantiles=list      quantiles that tables of statistics have of histograms, such as 0.5,0.95; empty for those that the model chooses (default )",
		"  --results=list        statistics that the report shows, or results that a study shows, with commas between them; empty for all (default )")

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
		"  --io-other-options    load a checkpoint that was stored with other options of the model (default off)",
		"  --io-branch           go on from a checkpoint with the random streams of --seed and --replication (default off)")

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
	"avl-size":        "in fact room for so many events of other ranks in their index, at first: it grows",
	"gvt-interval":    "synch=1, 4 and 6 compute no GVT; 2 and 3 stretch the interval as GVT costs, unless --fixed-gvt is given",
	"report-interval": "a fraction, not percent: 0.01 is 1 percent; 0 and 1 print nothing; with synch=1 it is always 0.01; without this option nothing is printed to a file or a pipe",
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
