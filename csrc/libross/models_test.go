// C models have the events and states of the originals, under every scheduler and on any number of PEs.

package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/rng"
)

// schedulers returns the schedulers with which a model is compared: all of them, or few.
func schedulers() []string {
	return testlevel.Pick([]string{
		"--synch=1", "--synch=2 --pes=1", "--synch=2 --pes=3", "--synch=3 --pes=1", "--synch=3 --pes=2",
		"--synch=3 --pes=3 --nkp=2 --batch=2 --gvt-interval=2",
		"--synch=5 --pes=2 --gvt-interval=1", "--synch=6", "--synch=auto --pes=2",
	}, []string{"--synch=1", "--synch=3 --pes=3 --nkp=2 --batch=2 --gvt-interval=2"},
		[]string{"--synch=1", "--synch=2 --pes=2", "--synch=3 --pes=3 --nkp=2 --batch=2 --gvt-interval=2"})
}

func TestPHOLDHasTheEventsOfROSS(t *testing.T) {
	p := compiled(t, compile(t, "phold"))
	t.Chdir("../../models/phold")
	for _, set := range testlevel.Pick([]string{"ties-default", "lookahead01", "ties-remote1", "stagger", "startevents4"},
		[]string{"lookahead01", "startevents4"}, []string{"stagger"}) {
		want := testkit.Reference(t, set, "trace_by_dest.csv")
		for _, line := range schedulers() {
			t.Run(set+"/"+line, func(t *testing.T) {
				got, _ := p.Like(t, set, append(strings.Fields(line), "--event-trace=3")...)
				require.NoError(t, testkit.Compare(testkit.ByDest(got), want))
			})
		}
	}
}

// Each of these models is in C what the model of the same name in folder models is in Go. The lookahead of airport is
// too small, and that of torus not one of all LPs, for a conservative run on several PEs.
func TestClassicModelsHaveTheEventsAndStatesOfTheOriginals(t *testing.T) {
	for _, c := range []struct{ model, line, ends string }{
		{"airport", "--end=30 --nplanes=1", "Number of planes 1024\n"},
		{"qhold", "--nlp_per_pe=16 --end=20000000000", "globalHash: 15267503129902814464\n"},
		{"torus", "--end=170",
			" total generate:       52; \n total hops:           2.400000; \n average travel time:  78.318714; \nMax latency is 117.413592\n"},
	} {
		t.Run(c.model, func(t *testing.T) {
			p := compiled(t, compile(t, c.model))
			t.Chdir(filepath.Join("../../models", c.model))
			for _, scheduler := range schedulers() {
				if strings.HasPrefix(scheduler, "--synch=2 --pes") {
					scheduler += " --pes=1"
				}
				require.Contains(t, p.LikeOriginal(t, "small", c.line+" "+scheduler), c.ends, scheduler)
			}
		})
	}
}

var hash = regexp.MustCompile(`(?m)^LPHASH .*$`)

// The model has chains without delay, priorities, texts of tw_output, and data of its own in the trace.
func TestChainsWithoutDelayAreThoseOfROSS(t *testing.T) {
	p := compiled(t, compile(t, "zerotie"))
	p.Payload = func(b []byte) string {
		prio := math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))
		return fmt.Sprintf("%d,%.9g", int32(binary.LittleEndian.Uint32(b)), prio)
	}
	t.Chdir("../../models/zerotie")
	const set = "zerotie-np1"
	want := testkit.ByDest(testkit.Reference(t, set, "trace.csv"))
	hashes := hash.FindAllString(testkit.Report(t, set), -1)
	require.Len(t, hashes, 8)
	for _, line := range append(schedulers(), "--synch=3 --pes=2 --useprio=1") {
		t.Run(line, func(t *testing.T) {
			got, out := p.Like(t, set, append(strings.Fields(line), "--event-trace=3")...)
			if strings.Contains(line, "useprio") {
				require.NotEqual(t, hashes, hash.FindAllString(out, -1), "priorities change the order")
				return
			}
			require.NoError(t, testkit.Compare(testkit.ByDest(got), want))
			require.Equal(t, hashes, hash.FindAllString(out, -1))
		})
	}
}

// What C leaves in a message before it sends it, and addresses in a state, are in no digest.
func TestDigestDoesNotDependOnTheScheduler(t *testing.T) {
	path := compile(t, "phold")
	t.Chdir(t.TempDir())
	var digests []string
	for _, line := range append(schedulers(), "--synch=3 --pes=2 --max-memory=600K") { // memory is short
		status, out, errs := play(t, path, line+" --nlp=8 --end=100 --lookahead=0.1 --digest")
		require.Zero(t, status, errs)
		digests = append(digests, testkit.Figure(t, out, "Committed Event Digest"))
		require.Contains(t, out, "received 851\n")
	}
	for _, d := range digests {
		require.Equal(t, digests[0], d)
	}
}

// A model that does everything else computes the same under every scheduler.

// outcome is what a run of testdata/kitchen.c computes.
type outcome struct {
	texts  []string // of tw_output, sorted: LPs of several PEs commit in any order
	states string
	events string
	digest string
	hooks  []string
}

var (
	lpLines   = regexp.MustCompile(`(?m)^LP .*$`)
	hookLines = regexp.MustCompile(`(?m)^hook at .*$`)
)

func kitchen(t *testing.T, path, line string) outcome {
	t.Helper()
	status, out, errs := play(t, path, line+" --digest --states=states.txt")
	require.Zero(t, status, "%s: %s%s", line, out, errs)
	texts := lpLines.FindAllString(out, -1)
	slices.Sort(texts)
	return outcome{
		texts: texts, states: testkit.Content(t, "states.txt"), events: testkit.Figure(t, out, "Net Events Processed"),
		digest: testkit.Figure(t, out, "Committed Event Digest"), hooks: hookLines.FindAllString(out, -1),
	}
}

func TestEverythingElseIsTheSameUnderEveryScheduler(t *testing.T) {
	path := compile(t, "kitchen")
	t.Chdir(t.TempDir())
	want := kitchen(t, path, "--synch=1")
	require.Greater(t, len(want.texts), 60)
	for _, line := range schedulers()[1:] {
		require.Equal(t, want, kitchen(t, path, line), line)
	}
	other := kitchen(t, path, "--synch=3 --pes=2 --suspend=30")
	require.NotEqual(t, want.states, other.states, "LP 3 is suspended later")
	t.Setenv("ROSS_CALLS", "cgo")
	require.Equal(t, want, kitchen(t, path, "--synch=3 --pes=2"))
}

// testdata/kitchen.txt is what the original library computed, which suspends no LPs in sequential runs.
func TestTheModelComputesWhatItComputesWithROSS(t *testing.T) {
	path := compile(t, "kitchen")
	want := testkit.Content(t, "testdata", "kitchen.txt")
	t.Chdir(t.TempDir())
	for _, line := range []string{"--synch=1", "--synch=3 --pes=2"} {
		got := kitchen(t, path, line+" --suspend=1000")
		require.Equal(t, strings.Split(want, "\n")[2:], strings.Split(got.states+strings.Join(got.texts, "\n")+"\n", "\n"))
	}
}

func TestHooksAreCalledAtTheSameTimes(t *testing.T) {
	path := compile(t, "kitchen")
	t.Chdir(t.TempDir())
	for _, hook := range []string{"--hook=1", "--hook=2"} {
		want := kitchen(t, path, "--synch=1 "+hook)
		require.NotEmpty(t, want.hooks)
		lines := testlevel.Pick([]string{"--synch=3 --pes=1", "--synch=3 --pes=2 --batch=2 --gvt-interval=2",
			"--synch=3 --pes=4", "--synch=5 --pes=3", "--synch=6", "--synch=auto --pes=2"},
			[]string{"--synch=3 --pes=3 --batch=2 --gvt-interval=2", "--synch=6"},
			[]string{"--synch=3 --pes=3 --batch=2 --gvt-interval=2"})
		for _, line := range lines {
			require.Equal(t, want, kitchen(t, path, line+" "+hook), line)
		}
	}
	for _, pes := range testlevel.Pick([]string{"1", "2", "3"}, []string{"2"}, []string{"2"}) {
		require.Equal(t, []string{"hook at 4", "hook at 8", "hook at 16", "hook at 32"},
			kitchen(t, path, "--synch=2 --hook=1 --pes="+pes).hooks)
	}
	every := kitchen(t, path, "--synch=3 --hook=3 --pes=3 --batch=2 --gvt-interval=2").hooks
	require.Greater(t, len(every), 2)
	called := kitchen(t, path, "--synch=1 --hook=2").hooks
	for _, line := range []string{"--synch=2 --hook=2 --pes=1", "--synch=2 --hook=2 --pes=3"} {
		require.Equal(t, called, kitchen(t, path, line).hooks, "other LPs may be beyond it, but GVT is the time of the event")
	}
}

func TestLinesOfTheModelAreWholeBesideThoseOfTheEngine(t *testing.T) {
	path := compile(t, "lines")
	t.Chdir(t.TempDir())
	status, out, errs := play(t, path, "--synch=1 --end=10 --report-interval=0.05")
	require.Zero(t, status, errs)
	for kind, n := range map[string]int{"has handled an event": 2700, "has come to its end": 300} {
		require.Len(t, regexp.MustCompile(`(?m)^LP \d+ `+kind+`$`).FindAllString(out, -1), n)
	}
	require.Less(t, strings.LastIndex(out, "has come to its end"), strings.Index(out, "Net Events Processed"))
}

// testdata/frozen.txt is what the original library computed, sequentially.
func TestEventsThatAHookTakesAreThoseOfROSS(t *testing.T) {
	path := compile(t, "frozen")
	want := testkit.Content(t, "testdata", "frozen.txt")
	t.Chdir(t.TempDir())
	for _, line := range append(schedulers(), "--synch=3 --pes=2 --pq=go", "--synch=3 --pes=2 --max-opt-lookahead=1") {
		status, out, errs := play(t, path, line+" --states=states.txt")
		require.Zero(t, status, "%s: %s", line, errs)
		require.Equal(t, want, testkit.Content(t, "states.txt"), line)
		require.NotContains(t, out, "out of order", line)
		require.Contains(t, out, "node 0: 8 calls\n", line)
		require.Equal(t, "2200", testkit.Figure(t, out, "Net Events Processed"))
	}
}

// The last event of the queue is one that the hook has taken, and puts back later, when nothing else is left.
func TestARunGoesOnWithWhatAHookPutsBack(t *testing.T) {
	path := compile(t, "frozen")
	t.Chdir(t.TempDir())
	var want string
	for _, line := range append(schedulers(), "--synch=3 --ranks=2") {
		status, out, errs := play(t, path, line+" --all=1 --digest")
		require.Zero(t, status, "%s: %s", line, errs)
		require.NotContains(t, out, "out of order", line)
		require.Contains(t, out, "node 0: 8 calls\n", line)
		if want == "" {
			want = testkit.Figure(t, out, "Committed Event Digest")
			require.Greater(t, testkit.Figure(t, out, "Net Events Processed"), "1000")
		}
		require.Equal(t, want, testkit.Figure(t, out, "Committed Event Digest"), line)
	}
}

// The streams of C are those of package rng.

func TestDrawsInCAreThoseInGo(t *testing.T) {
	path := compile(t, "draws")
	for _, id := range []uint64{0, 1, 12345, 1 << 40} {
		status, out, errs := play(t, path, strconv.FormatUint(id, 10))
		require.Zero(t, status, errs)
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		require.Len(t, lines, 200)
		s := rng.NewSeeder(rng.DefaultSeeds).Stream(id)
		for i, line := range lines {
			require.Equal(t, round(&s, i), line, "stream %d, round %d", id, i)
		}
	}
}

// round returns a line of testdata/draws.c.
func round(s *rng.Stream, i int) string {
	var b strings.Builder
	float := func(x float64) { fmt.Fprintf(&b, "%.17g ", x) }
	float(s.Unif())
	fmt.Fprint(&b, s.Integer(-5, 1000000000000), " ", s.Integer(3, 2), " ", s.Ulong(0, math.MaxUint64), " ", s.Ulong(5, 4),
		" ")
	float(s.Exponential(2.5))
	fmt.Fprint(&b, s.Binomial(10, 0.3), " ")
	float(s.Pareto(1.5, 2))
	float(s.Gamma(2.5, 3))
	float(s.Gamma(0.5, 3))
	float(s.Gamma(1, 3))
	fmt.Fprint(&b, s.Geometric(0.2), " ", s.Geometric(1e-7), " ", s.Poisson(4.5), " ")
	float(s.Weibull(3, 1.7))
	float(s.Normal01())
	if i%3 == 0 {
		float(s.NormalSD(1, 2))
	}
	if i%5 == 0 {
		float(s.LogNormal(1, 2))
	}
	float(s.Reverse())
	fmt.Fprint(&b, s.Count())
	return b.String()
}

// Long runs of all C models, with seeds of their own, while Go collects garbage and preempts as often as it can.

// soakVariable is the environment variable that says how long the models run, such as 1h. Without it each has one seed.
const soakVariable = "ROSS_C_SOAK"

// soaked are the models, and options with which a run takes some hundredths of a second.
var soaked = []struct{ model, line string }{
	{"phold", "--nlp=64 --start-events=4 --lookahead=0.1 --end=40"},
	{"airport", "--end=30 --nplanes=1"},
	{"torus", "--end=170"},
	{"qhold", "--nlp_per_pe=16 --end=20000000000"},
	{"zerotie", "--end=20"},
	{"kitchen", ""},
	{"kitchen", "--hook=1"},
	{"kitchen", "--hook=2"},
	{"ledger", ""},
	{"ledger", "--hand=2"},
	{"frozen", ""},
	{"pholdio", "--io-store=2 --nlp=64 --lookahead=0.1 --end=40"},
}

func TestDigestsAgreeForLong(t *testing.T) {
	testlevel.Once(t, "how C models and the runtime of Go go together, for long")
	length := time.Duration(0)
	if text := os.Getenv(soakVariable); text != "" {
		var err error
		length, err = time.ParseDuration(text)
		require.NoError(t, err, "%s: give a length such as 1h", soakVariable)
	}
	paths := map[string]string{}
	for _, s := range soaked {
		if paths[s.model] == "" {
			paths[s.model] = compile(t, s.model, "-DUSE_RIO")
		}
	}
	r := testrand.New(t)
	t.Setenv("GOGC", "1")
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	t.Chdir(t.TempDir())
	rounds := 0
	for until := time.Now().Add(length); rounds == 0 || time.Now().Before(until); rounds++ {
		for _, s := range soaked {
			seeds := ""
			for n := range 4 {
				seeds += fmt.Sprintf(" --rng-seed%d=%d", n+1, 1+r.IntN(2147483000))
			}
			want := soakedDigest(t, paths[s.model], s.line+seeds+" --synch=1")
			for _, how := range []string{
				"--synch=3 --pes=2 --batch=1 --gvt-interval=1", "--synch=3 --nkp=2 --batch=2 --gvt-interval=4 --pes=" +
					pick("1", "3", "4"), "--synch=5 --gvt-interval=1 --pes=" + pick("2", "3"),
			} {
				t.Setenv("ROSS_CALLS", pick("", "cgo"))
				t.Setenv("GODEBUG", pick("", "gcstoptheworld=1", "clobberfree=1", "asyncpreemptoff=1", "gcshrinkstackoff=1"))
				t.Setenv("GOMAXPROCS", strconv.Itoa(1+r.IntN(4)))
				line := strings.Join([]string{s.line + seeds, how}, " ")
				require.Equal(t, want, soakedDigest(t, paths[s.model], line), "%s %s, ROSS_CALLS=%s GODEBUG=%s GOMAXPROCS=%s",
					s.model, line,
					os.Getenv("ROSS_CALLS"), os.Getenv("GODEBUG"), os.Getenv("GOMAXPROCS"))
			}
		}
	}
	t.Logf("%d rounds", rounds)
}

// soakedDigest returns the digest of a run.
func soakedDigest(t *testing.T, path, line string) string {
	status, out, errs := play(t, path, line+" --digest")
	require.Zero(t, status, "%s: %s", line, errs)
	return testkit.Figure(t, out, "Committed Event Digest")
}
