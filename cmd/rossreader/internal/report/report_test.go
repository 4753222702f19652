// This file tests the page, its findings, also of stored runs, and the command line.

package report

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"html"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/labels"
	"github.com/ross-go/ross/program/parts/places"
)

// load gathers the run in files, or in a folder, which may have nothing but its description.
func load(t testing.TB, paths ...string) *figures {
	t.Helper()
	return loadStretch(t, [2]float64{}, paths...)
}

// loadStretch gathers it with a stretch of virtual time for the flow of events.
func loadStretch(t testing.TB, stretch [2]float64, paths ...string) *figures {
	t.Helper()
	run, _, err := open(cli.NewFlags("report", "", "", ""), paths)
	require.NoError(t, err)
	run.Stretch = stretch
	f, err := gather(run)
	require.NoError(t, err)
	return f
}

// put writes a file of a run to a new folder.
func put(t testing.TB, suffix string, data []byte) string {
	t.Helper()
	return surveytest.Run{}.Put(t, t.TempDir(), suffix, data)
}

// steady writes the files of a run of 2 PEs without peculiarities.
func steady(t testing.TB, samples int) string {
	t.Helper()
	return surveytest.Run{PEs: 2, KPs: 3, LPs: 1, Samples: samples, SlowPE: -1, ThrashingPE: -1}.Write(t)
}

// makePage makes a report and returns the page.
func makePage(t testing.TB, paths ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "report.html")
	var stdout, stderr bytes.Buffer
	require.Zero(t, cli.Run(Command(), append(paths, "-o", out), &stdout, &stderr), stderr.String())
	require.Contains(t, stdout.String(), out)
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	return string(data)
}

func cells(page string) map[string]string {
	found := map[string]string{}
	for _, m := range regexp.MustCompile(`<tr><th scope="row">(.*?)</th><td>(.*?)</td></tr>`).FindAllStringSubmatch(page,
		-1) {
		found[html.UnescapeString(m[1])] = html.UnescapeString(m[2])
	}
	return found
}

func whats(found []finding) (what []string) {
	for _, f := range found {
		what = append(what, f.What)
	}
	return what
}

func TestRemarksNameWhatWasPutThere(t *testing.T) {
	f := load(t, surveytest.Typical().Write(t))
	found := f.findings()
	require.Equal(t, []string{
		"PE 2 is much slower than the others", "KP 5 of PE 1 rolls back far more than the others",
	}, whats(found))
	found[0], found[1] = found[1], found[0]
	require.Regexp(t, `^\d+,\d{3} events rolled back, 77\.\d % of all; the other KPs have \d+ on average$`,
		found[0].Figure)
	require.Equal(t, "32 µs to handle an event, against 8 µs (median of the others)", found[1].Figure)
}

func TestNothingIsRemarkedOfAnEvenRun(t *testing.T) {
	shape := surveytest.Typical()
	shape.SlowPE, shape.ThrashingPE = -1, -1
	dir := shape.Write(t)
	require.Empty(t, load(t, dir).findings())
	require.Contains(t, makePage(t, dir), "Nothing stands out.")
}

func TestEachRemarkHasItsRule(t *testing.T) {
	pes := func(change func(pe int, s *instr.PEStats)) []string {
		var data []byte
		for pe := range 4 {
			s := instr.PEStats{PE: uint32(pe), Processed: 1000, NetworkSends: 100, EventProcess: 0.95}
			change(pe, &s)
			data = instr.AppendPE(data, 1, 1, &s)
		}
		return whats(load(t, put(t, instr.GVTSuffix, data)).findings())
	}
	require.Empty(t, pes(func(int, *instr.PEStats) {}))
	for want, change := range map[string]func(int, *instr.PEStats){
		"Low efficiency":              func(_ int, s *instr.PEStats) { s.RolledBack = 400 },
		"Memory ran short":            func(_ int, s *instr.PEStats) { s.Aborted = 1 },
		"Most events go to other PEs": func(_ int, s *instr.PEStats) { s.NetworkSends = 600 },
		"Rollbacks cause rollbacks": func(_ int, s *instr.PEStats) {
			s.Rollbacks, s.SecondaryRollbacks,
				s.RolledBack = 10, 6, 50
		},
		"Few events between two GVTs": func(_ int, s *instr.PEStats) { s.GVTs = 101 },
		"Much time goes to GVT":       func(_ int, s *instr.PEStats) { s.GVT = 0.35; s.EventProcess = 0.6 },
		"The PEs are idle":            func(_ int, s *instr.PEStats) { s.EventProcess = 0.59 },
		"Much time goes to network": func(_ int, s *instr.PEStats) {
			s.NetRead, s.NetOther,
				s.EventProcess = 0.2, 0.2, 0.6
		},
		"PE 3 has far more to do than the others": func(pe int, s *instr.PEStats) {
			if pe == 3 {
				s.Processed, s.EventProcess = 4000, 1
			}
		},
	} {
		require.Equal(t, []string{want}, pes(change))
	}
}

func TestKPsThatThrashAreRemarkedTheWorstFirstIfItMatters(t *testing.T) {
	kps := func(processed uint32, rolledBack ...uint32) []string {
		data := instr.AppendPE(nil, 1, 1, &instr.PEStats{Processed: processed, NetworkSends: 1, EventProcess: 0.95})
		for kp := range uint32(16) {
			s := instr.KPStats{KP: kp}
			if int(kp) < len(rolledBack) {
				s.RolledBack = rolledBack[kp]
			}
			data = instr.AppendKP(data, 1, 1, &s)
		}
		return whats(load(t, put(t, instr.GVTSuffix, data)).findings())
	}
	require.Equal(t, []string{"2 KPs roll back far more than the others"}, kps(20_000, 1000, 2000), "one cause, one card")
	require.Equal(t, []string{"KP 1 of PE 0 rolls back far more than the others"}, kps(20_000, 999, 2000))
	require.Empty(t, kps(40_001, 1000, 2000), "less than 5 % of the events")
	require.Empty(t, kps(1000, 99))
}

func TestFewEventsBetweenGVTsAreRemarkedOfSeveralPEs(t *testing.T) {
	run := func(pes int, gvts uint32) []finding {
		var data []byte
		for pe := range pes {
			data = instr.AppendPE(data, 1, 1, &instr.PEStats{PE: uint32(pe), Processed: 1000, RolledBack: 100, GVTs: gvts,
				EventProcess: 0.95})
		}
		return load(t, put(t, instr.GVTSuffix, data)).findings()
	}
	require.Equal(t, "2.25 net events of a PE for each computation of GVT", run(2, 400)[0].Figure)
	require.Empty(t, run(2, 90))
	require.Empty(t, run(2, 0))
	require.Empty(t, run(1, 400))
}

func TestTableHasTheSumsOfTheRun(t *testing.T) {
	var data []byte
	for n := range 2 {
		for pe := range 2 {
			data = instr.AppendPE(data, 1, float64(n+1), &instr.PEStats{PE: uint32(pe), Processed: 100, RolledBack: 20,
				Rollbacks: 5, SecondaryRollbacks: 2})
			data = instr.AppendKP(data, 1, float64(n+1), &instr.KPStats{PE: uint32(pe), KP: 7, Processed: 100})
			data = instr.AppendLP(data, 1, float64(n+1), &instr.LPStats{PE: uint32(pe), KP: 7, LP: uint32(pe)})
		}
	}
	require.Equal(t, map[string]string{
		"PEs": "2", "KPs": "2", "LPs": "2", "Events handled": "400", "Events rolled back": "80", "Net events": "320",
		"Efficiency": "75 %", "Rollbacks": "20", "… by stragglers (primary)": "12", "… by cancelled events (secondary)": "8",
		"Run time": "2 s",
	}, cells(makePage(t, put(t, instr.GVTSuffix, data))))
}

func TestChartsOverTimeKeepTheCounts(t *testing.T) {
	f := load(t, surveytest.Typical().Write(t))
	require.Equal(t, 200, f.lines.n)
	sum, rolledBack := 0.0, 0.0
	for _, pe := range f.pes {
		for i := range pe.handled {
			sum += pe.handled[i]
		}
	}
	require.InDelta(t, float64(f.total.Processed), sum, 1e-6*sum)
	for _, row := range f.rows {
		for _, x := range row.undone {
			rolledBack += x
		}
	}
	require.InDelta(t, float64(f.total.RolledBack), rolledBack, 1e-6*rolledBack)
	require.InDelta(t, 400, f.gvt[len(f.gvt)-1], 0)
	from, to := uint64(0), uint64(0)
	for i, n := range f.pairs.cells {
		if from += n; i%5 == 0 { // the diagonal of 4 PEs
			to += n
		}
	}
	require.Equal(t, f.pairs.events, from)
	require.Equal(t, f.pairs.elsewhere, from-to)
	require.Equal(t, uint64(20_000), f.lps.events)
}

func TestWhatIsMissingNamesTheOption(t *testing.T) {
	pe := instr.AppendPE(instr.AppendPE(nil, 1, 1, &instr.PEStats{EventProcess: 1}), 2, 2, &instr.PEStats{QueueSize: 1})
	kp := instr.AppendKP(instr.AppendKP(nil, 1, 1, &instr.KPStats{}), 2, 2, &instr.KPStats{Processed: 1, RolledBack: 1})
	event := instr.AppendEvent(nil, &instr.Event{RealTS: 1})
	memory := instr.AppendMemory(instr.AppendMemory(nil, 1, 1, &instr.MemoryStats{Used: 1}), 2, 2,
		&instr.MemoryStats{Used: 2})
	all := []string{"rate", "efficiency", "gvt", "queue", "memory", "ahead", "rollbacks", "activity", "traffic-pe",
		"traffic"}
	for _, c := range []struct {
		suffix string
		data   []byte
		there  string
	}{
		{instr.GVTSuffix, nil, ""},
		{instr.GVTSuffix, pe, "rate efficiency gvt queue activity"},
		{instr.GVTSuffix, kp, "ahead rollbacks"},
		{instr.TraceSuffix, event, "traffic"},
		{instr.MemorySuffix, memory, "memory"},
	} {
		page := makePage(t, put(t, c.suffix, c.data))
		for _, id := range all {
			figure, absent := strings.Contains(page, `<figure id="`+id+`"`), strings.Contains(page, `id="no-`+id+`"`)
			require.Equal(t, strings.Contains(" "+c.there+" ", " "+id+" "), figure, "%s of %s", id, c.there)
			require.NotEqual(t, figure, absent, id)
		}
	}
	page := makePage(t, put(t, instr.GVTSuffix, nil))
	for _, option := range []string{"--engine-stats=1", "--engine-stats=2", "--kp-data=1", "--lp-data=1",
		"--event-trace=3"} {
		require.Contains(t, page, option)
	}
}

func TestOneFileNeedsNoOther(t *testing.T) {
	page := makePage(t, surveytest.Typical().Write(t))
	own := strings.Replace(page, echartsJS, "", 1)
	require.Less(t, len(own), len(page), "ECharts is in it")
	require.NotRegexp(t, `https?:|//[a-z]|\ssrc=|<link|@import|url\(`,
		regexp.MustCompile(`(?m)^\s*//.*$|; // .*$`).ReplaceAllString(own, ""))
	require.Contains(t, page, `content="default-src 'none';`)
}

func TestEChartsIsTheReleaseThatItSays(t *testing.T) {
	about, err := os.ReadFile(filepath.Join("echarts", "README.md"))
	require.NoError(t, err)
	require.Contains(t, string(about), fmt.Sprintf("%x", sha256.Sum256([]byte(echartsJS))))
}

func TestNamesOfFilesAreOnlyText(t *testing.T) {
	dir := filepath.Join(t.TempDir(), `<script>alert(1)<`, `script>"'&`)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	surveytest.Run{}.Put(t, dir, instr.GVTSuffix, instr.AppendPE(nil, 1, 1, &instr.PEStats{}))
	page := makePage(t, dir)
	require.NotContains(t, page, "<script>alert")
	require.Contains(t, page, "&lt;script&gt;alert(1)&lt;")
}

func TestOddNumbersMakeAReport(t *testing.T) {
	odd := []float64{math.Inf(1), math.MaxFloat64, -1, 0, 2363, 2364}
	var data []byte
	for _, real := range odd {
		for _, x := range odd {
			data = instr.AppendPE(data, x, real, &instr.PEStats{Processed: 3, RolledBack: math.MaxUint32, Rollbacks: 1,
				SecondaryRollbacks: 9, EventProcess: float32(x)})
			data = instr.AppendKP(data, x, real, &instr.KPStats{TimeAheadGVT: float32(x), RolledBack: 1})
		}
	}
	f := load(t, put(t, instr.RTSuffix, data))
	require.NoError(t, f.write(io.Discard))
}

func TestSourceWithMoreSamplesIsShown(t *testing.T) {
	dir := surveytest.Typical().Write(t)
	surveytest.Run{}.Put(t, dir, instr.RTSuffix, instr.AppendPE(nil, 1, 1, &instr.PEStats{}))
	f := load(t, dir)
	require.Equal(t, instr.GVTFile, f.source.Content)
	require.Contains(t, makePage(t, dir),
		`<td data-name="Content">samples by real time</td><td class="n" data-name="Records">1</td><td class="n" data-name="Size">128 B</td><td data-name="In the charts">no</td>`)
}

func TestVeryBadMomentsDoNotSetTheAxis(t *testing.T) {
	line := func(values ...float64) *num { return lowEnd(values, []series{{Values: nums(values)}}) }
	require.Equal(t, num(0), *line(math.NaN(), 50, 100))
	require.Equal(t, num(-100), *line(50, 60, -4000, 70, 80))
	require.Equal(t, num(-300), *line(-210, -4000, math.NaN(), -220, -230))
	require.Equal(t, num(0), *lowEnd(nil, nil))
}

func TestTheReportNamesOtherPicturesOfTheRun(t *testing.T) {
	dir := surveytest.Typical().Write(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats"+places.Suffix), []byte("{}"), 0o644))
	page := makePage(t, dir)
	for _, name := range []string{"events", "network"} {
		require.Contains(t, page, "<code>rossreader "+name+" "+dir+" -o "+name+".html</code>")
	}
	require.Contains(t, page, "<code>rossreader life "+dir+" --lp=0 -o life.html</code>")
	require.NotContains(t, makePage(t, stored("good-local")), `id="more"`)
}

func TestManyPEsAndKPsShareRows(t *testing.T) {
	shape := surveytest.Run{PEs: 70, KPs: 4, LPs: 1, Samples: 5, Events: 1000, SlowPE: -1, ThrashingPE: -1}
	for _, c := range load(t, shape.Write(t)).charts() {
		if c.ID == "marks" {
			continue // nothing happened
		}
		if c.ID == "handlers" { // these files tell nothing of it
			continue
		}
		require.Empty(t, c.Absent, c.ID)
		require.LessOrEqual(t, len(c.Rows), maxTraffic, c.ID)
		require.LessOrEqual(t, len(c.Series), 2+3+5, c.ID)
		switch c.ID {
		case "rate":
			require.Equal(t, "median PE", c.Series[3].Name)
		case "ahead":
			require.Len(t, c.Rows, maxRows)
			require.Equal(t, "PE 69 KP 0–3", c.Rows[maxRows-1])
		case "traffic":
			require.Len(t, c.Rows, maxTraffic)
			require.Equal(t, "LP 0–2", c.Rows[0])
		}
	}
}

func TestMistakesAreToldAndLeaveNoFile(t *testing.T) {
	dir := surveytest.Run{PEs: 1, KPs: 1, Samples: 1, SlowPE: -1, ThrashingPE: -1, LPs: 1}.Write(t)
	out := filepath.Join(t.TempDir(), "out.html")
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{2, "no file: name files of a run, its folder", []string{"-o", out}},
		{2, "name a file with -o", []string{dir}},
		{2, "-colour", []string{"-colour", dir, "-o", out}},
		{1, "no-such", []string{"no-such", "-o", out}},
		{1, "output", []string{dir, "-o", filepath.Join(out, "in", "a", "file")}},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, c.code, cli.Run(Command(), c.args, &stdout, &stderr), c.args)
		require.Contains(t, stderr.String(), c.want)
		require.True(t, strings.HasPrefix(stderr.String(), "rossreader report: "), stderr.String())
		require.Empty(t, stdout.String())
	}
	left, err := os.ReadDir(filepath.Dir(out))
	require.NoError(t, err)
	require.Empty(t, left)
	var help bytes.Buffer
	require.Zero(t, cli.Run(Command(), []string{"-h"}, &help, io.Discard))
	require.Contains(t, help.String(), "needs no network")
}

func ExampleRun() {
	defer os.Remove("report.html")
	cli.Run(Command(), []string{filepath.Join("..", "..", "..", "..", "instr", "testdata", "opt2-evtrace.bin"), "-o",
		"report.html"}, os.Stdout, os.Stdout)
	// Output:
	// report.html: findings: 0
	//   No samples of PEs show how time was spent. Run: PROGRAM ... --engine-stats=1 --kp-data=1 --lp-data=1
}

// trafficOf returns the rows of the traffic map of a run of 12 LPs, each with a label, besides which
// stands a file of labels with an end that is damaged or not.
func trafficOf(t *testing.T, end string) []string {
	dir := surveytest.Run{PEs: 2, KPs: 3, LPs: 2, Samples: 3, Events: 3000, SlowPE: -1, ThrashingPE: -1}.Write(t)
	f, err := os.Create(filepath.Join(dir, instr.DefaultPrefix+instr.LabelsSuffix))
	require.NoError(t, err)
	require.NoError(t, labels.Write(f, 12, func(id uint64) string { return fmt.Sprintf("<b>%d", id) }))
	_, err = f.WriteString(end)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	c := load(t, dir).lpTraffic()
	require.Equal(t, c.Rows, c.Columns)
	require.Len(t, c.Rows, 12)
	return c.Rows
}

func TestTrafficMapNamesLPs(t *testing.T) {
	require.Equal(t, `LP 7 "<b>7"`, trafficOf(t, "")[7])
	require.Equal(t, "LP 7", trafficOf(t, "13,not")[7])
}

// corpus calls do with each run of testdata/runs.txt, and the rules that must find something in it.
func corpus(t *testing.T, do func(t *testing.T, dir string, rules []string)) {
	list, err := os.ReadFile(filepath.Join("testdata", "runs.txt"))
	require.NoError(t, err)
	for line := range strings.Lines(string(list)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" || strings.HasPrefix(line, "#") {
			continue
		}
		t.Run(words[1],
			func(t *testing.T) { do(t, filepath.Join("testdata", "runs", words[1]), strings.Split(words[0], ",")) })
	}
}

func TestStoredRunsGiveTheirFindings(t *testing.T) {
	healthy, troubled, seen := 0, 0, map[string]bool{}
	corpus(t, func(t *testing.T, dir string, rules []string) {
		f := load(t, dir)
		var found []string
		for _, one := range f.findings() {
			found = append(found, one.Rule)
			require.NotEmpty(t, one.Figure)
			require.NotEmpty(t, one.Advice)
		}
		require.Empty(t, f.lacks())
		if rules[0] == "-" {
			healthy++
			require.Empty(t, found, "%v", f.findings())
			return
		}
		troubled++
		require.Subset(t, found, rules)
		for _, rule := range rules {
			seen[rule] = true
		}
	})
	require.GreaterOrEqual(t, troubled, 20)
	require.GreaterOrEqual(t, healthy, 10)
	for _, rule := range []string{"cores", "lookahead", "window", "uneven", "storm", "efficiency", "remote", "gvt",
		"saving", "memory"} {
		require.True(t, seen[rule], rule)
	}
}

// The findings of a run that waits must not blame what does not make it wait.
func TestAStoredTroubleIsNotBlamedOnAnother(t *testing.T) {
	corpus(t, func(t *testing.T, dir string, rules []string) {
		for _, one := range load(t, dir).findings() {
			switch one.Rule {
			case "lookahead", "saving", "memory", "cores", "hot", "one", "uneven":
				require.Contains(t, rules, one.Rule, one.Figure)
			case "idle":
				require.NotSubset(t, []string{"cores", "lookahead", "window", "uneven", "memory"}, rules)
			}
		}
	})
}

func TestDocumentationListsEachRule(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "findings.md"))
	require.NoError(t, err)
	var listed, saves []string
	for line := range strings.Lines(string(text)) {
		switch cells := strings.Split(line, "|"); {
		case !strings.HasPrefix(line, "| `"):
		case len(cells) == 6: // rule, found if, why, what to change
			listed = append(listed, strings.Trim(cells[1], " `"))
		default: // of what it saves
			saves = append(saves, strings.Split(strings.Trim(cells[1], " `"), "`, `")...)
		}
	}
	slices.Sort(listed)
	require.ElementsMatch(t, listed, saves)
	require.Equal(t, []string{"cores", "efficiency", "gvt", "hot", "idle", "lookahead", "memory", "network", "one",
		"processors", "remote", "saving", "secondary", "slow", "storm",
		"uneven", "window"}, listed)
}

func TestWithTooLittleDataTheReportSaysHowToCollectIt(t *testing.T) {
	info := &instr.RunInfo{Version: instr.RunVersion, Model: "phold", Synch: 3, PEs: 2, Scheduler: "optimistic",
		State:   instr.RunComplete,
		Command: []string{"./phold", "--synch=3", "--pes=2", "--engine-stats=0", "--run", "my run"}}
	dir := t.TempDir()
	require.NoError(t, info.Write(dir))
	require.Equal(t, "./phold --synch=3 --pes=2 --run 'my run' --engine-stats=1 --kp-data=1 --lp-data=1",
		commandOf(t, dir))
	info.Synch, info.PEs = 1, 1
	require.NoError(t, info.Write(dir))
	require.Equal(t, "./phold --synch=3 --pes=2 --run 'my run' --engine-stats=2 --rt-interval=10 --lp-data=1",
		commandOf(t, dir))
	page := makePage(t, dir)
	require.NotContains(t, page, "Nothing stands out")
	require.Contains(t, page, "--rt-interval=10")
}

func commandOf(t *testing.T, dir string) string {
	t.Helper()
	lacks := load(t, dir).lacks()
	require.Len(t, lacks, 1)
	_, command, _ := strings.Cut(lacks[0], "Run: ")
	return command
}
