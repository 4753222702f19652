// This file owns the tests of ross.csv and of ross_all_lp_stats: also where their names are those of links, devices and
// FIFOs; and of the lock on ross.csv: runs that end together need it, and a run waits for it, which /proc/locks shows.
// It owns the tests of the progress lines, and the examples.

package report_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testalloc"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/report"
)

// csvStats has another value in each column.
func csvStats() *report.Summary {
	digest := uint64(0xfeed)
	return &report.Summary{
		Counters: report.Counters{EventsProcessed: 1400, EventsAborted: 15, EventsRolledBack: 400, PrimaryRollBacks: 20,
			SecondaryRollBacks: 21},
		Synch: 3, Ranks: 2, TotalPEs: 8, KPsPerPE: 16, TotalLPs: 1000, End: 100.5, Mapping: "round robin",
		ModelEvents: 11, NetworkEvents: 12, TotalEvents: 13,
		PEEventTies:   17,
		SendLocRemote: 180, SendNetRemote: 190,
		FossilCollects: 22, NumGVT: 23, EventsPastEnd: 24, RemoteSends: 25, RemoteRecvs: 26,
		EventsAllocated: 27, MemoryAllocated: 28 * 1024, MemoryWasted: 29*1024 + 1,
		Sizes: report.StructSizes{PE: 30, KP: 31, LP: 32, LPModel: 33, LPRNGs: 34, TotalLP: 35, Event: 36,
			EventWithModel: 37},
		Times: report.PhaseTimes{
			Init: 1.0 / 3, PQ: 2.25, AVL: 3.25, LZ4: 4.25, Buddy: 5.25, RIOLoad: 6.25, RIOLPInit: 7.25,
			EventProcess: 8.25, EventCancel: 9.25, EventAbort: 10.25, GVT: 11.25, FossilCollect: 12.25,
			PrimaryRollback: 13.25, NetRead: 14.25, NetOther: 15.25, InstComp: 16.25, InstWrite: 17.25, Total: 1e-7,
		},
		Runtime: 0.5, PQ: "c", MaxMemory: 1 << 30, Digest: &digest,
	}
}

const csvValues = "8,128,1000,100.5,round robin,11,12,13," +
	"0.5,1400,15,400,17,60,180,18,190,19,41,20,21,22,23,1000,2000,24," +
	"27,28,29,25,26,30,31,32,33,34,35,36,37," +
	"0.3333333333333333,2.25,3.25,4.25,5.25,6.25,7.25,8.25,9.25,10.25,11.25,12.25,13.25,14.25,15.25,16.25,17.25,1e-07," +
	"0x000000000000feed,4,c,1073741824,3\n"

func wantCSVHeader(t *testing.T) string {
	return strings.TrimSuffix(testkit.Content(t, "testdata", "csv_header.txt"), "\n") +
		",digest,pes,pq,max_memory,synch\n"
}

// linesOf returns the header and the row of s as lines.
func linesOf(t *testing.T, s *report.Summary) (header, row string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, report.AppendCSV(dir, s))
	header, row, _ = strings.Cut(testkit.Content(t, dir, report.CSVName), "\n")
	return header + "\n", row
}

func TestCSVHasTheOriginalsColumnsFirst(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, report.AppendCSV(dir, csvStats()))
	require.Equal(t, wantCSVHeader(t)+csvValues, testkit.Content(t, dir, report.CSVName))
	require.Len(t, strings.Split(wantCSVHeader(t), ","), 57+5)
}

func TestCSVRowsHaveAllColumnsWhateverTheRun(t *testing.T) {
	dir := t.TempDir()
	odd := &report.Summary{End: math.Inf(1), Mapping: "a \"b\",\nc"}
	for _, s := range []*report.Summary{csvStats(), {}, odd} {
		require.NoError(t, report.AppendCSV(dir, s))
	}
	records, err := csv.NewReader(strings.NewReader(testkit.Content(t, dir, report.CSVName))).ReadAll()
	require.NoError(t, err)
	require.Len(t, records, 4, "one header, one row a run")
	require.Equal(t, "inf", records[3][3])
	require.Equal(t, odd.Mapping, records[3][4])
	require.NotContains(t, strings.Join(records[2], ","), "nan")
	require.Empty(t, records[2][57], "no digest")
}

func TestCSVKeepsWhatIsThere(t *testing.T) {
	header, row := linesOf(t, csvStats())
	for name, c := range map[string]struct{ before, after string }{
		"empty file":        {"", header + row},
		"header only":       {header, header + row},
		"line ends of DOS":  {strings.TrimSuffix(header, "\n") + "\r\n", strings.TrimSuffix(header, "\n") + "\r\n" + row},
		"rows":              {header + row + row, header + row + row + row},
		"header, no end":    {strings.TrimSuffix(header, "\n"), header + row},
		"row of a dead run": {header + "1,2,3", header + "1,2,3\n" + row},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, report.CSVName), []byte(c.before), 0o666))
			require.NoError(t, report.AppendCSV(dir, csvStats()))
			require.Equal(t, c.after, testkit.Content(t, dir, report.CSVName))
		})
	}
}

func TestCSVWithOtherColumnsIsLeftAlone(t *testing.T) {
	header, _ := linesOf(t, &report.Summary{})
	for name, before := range map[string]string{
		"column renamed":  strings.Replace(header, "synch", "synchro", 1),
		"last one longer": strings.TrimSuffix(header, "\n") + "x\n",
		"of the original": testkit.Content(t, "testdata", "csv_header.txt") + "1,2\n",
		"one more column": strings.TrimSuffix(header, "\n") + ",x\n",
		"a line of text":  "hello\n",
		"an empty line":   "\n" + header,
		"a prefix of it":  header[:20],
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), report.CSVName)
			require.NoError(t, os.WriteFile(path, []byte(before), 0o666))
			err := report.AppendCSV(filepath.Dir(path), &report.Summary{})
			require.ErrorIs(t, err, report.ErrCSVHeader)
			require.ErrorContains(t, err, path)
			require.ErrorContains(t, err, "move that file away")
			require.Equal(t, before, testkit.Content(t, path))
		})
	}
}

func TestResultsGoToAFolderThatIsMade(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	require.NoError(t, report.AppendCSV(dir, &report.Summary{}))
	require.FileExists(t, filepath.Join(dir, report.CSVName))
}

func TestEmptyFolderNameWritesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, report.AppendCSV("", &report.Summary{}))
	require.NoError(t, report.WriteLPStats("", 0, nil))
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestFolderThatCannotBeWrittenIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	taken := t.TempDir() // folders stand where the files would go
	require.NoError(t, os.MkdirAll(filepath.Join(taken, report.CSVName, "x"), 0o777))
	require.NoError(t, os.MkdirAll(filepath.Join(taken, report.LPStatsDir, "pe_0.txt", "x"), 0o777))

	for _, dir := range []string{file, taken} {
		for what, err := range map[string]error{
			"row of results": report.AppendCSV(dir, &report.Summary{}),
			"times of LPs":   report.WriteLPStats(dir, 0, func(func(report.LPStat) bool) {}),
		} {
			require.ErrorContains(t, err, "ross: "+what+" not written: "+dir)
			require.Regexp(t, ": (make the folder writable|a part of the path is a file|it is a folder)", err.Error())
		}
	}
	entries, err := os.ReadDir(filepath.Join(taken, report.LPStatsDir))
	require.NoError(t, err)
	require.Len(t, entries, 1, "no temporary file stays")
}

func TestLPStatsAreWrittenAsTheOriginalDoes(t *testing.T) {
	dir := t.TempDir()
	rows := []report.LPStat{{7, 0.00012345678, 99, ""}, {1 << 40, 0, 0, ""}, {9, 1234.5, 1 << 33, ""}}
	require.NoError(t, report.WriteLPStats(dir, 3, slices.Values(rows)))
	text := testkit.Content(t, dir, "ross_all_lp_stats", "pe_3.txt")
	require.Equal(t, "Time spent processing events for each LP:\n"+
		"LPID: 7\t-  Processing time: 1.234568e-04\t-  Events processed: 99\n"+
		"LPID: 1099511627776\t-  Processing time: 0.000000e+00\t-  Events processed: 0\n"+
		"LPID: 9\t-  Processing time: 1.234500e+03\t-  Events processed: 8589934592\n", text)

	// The pattern by which a public reader finds the lines.
	pattern := regexp.MustCompile(`(?m)^LPID: ([0-9]+)\s+-  Processing time: ([^ \t]+)\s+-  Events processed: ([0-9]+)`)
	require.Len(t, pattern.FindAllString(text, -1), len(rows))
}

func TestLPStatsReplaceThoseOfAnEarlierRun(t *testing.T) {
	dir := t.TempDir()
	long := slices.Repeat([]report.LPStat{{1, 1, 1, ""}}, 10)
	require.NoError(t, report.WriteLPStats(dir, 0, slices.Values(long)))
	require.NoError(t, report.WriteLPStats(dir, 1, slices.Values(long)))
	require.NoError(t, report.WriteLPStats(dir, 0, slices.Values(long[:0])))
	require.Equal(t, "Time spent processing events for each LP:\n", testkit.Content(t, dir, report.LPStatsDir, "pe_0.txt"))
	entries, err := os.ReadDir(filepath.Join(dir, report.LPStatsDir))
	require.NoError(t, err)
	require.Len(t, entries, 2)
}

func TestLPStatsOfManyLPsTakeNoMemoryForEach(t *testing.T) {
	dir := t.TempDir()
	write := func(n int) float64 {
		rows := slices.Repeat([]report.LPStat{{1 << 30, 1.5e-6, 1000, "tram 7"}}, n)
		return testalloc.PerRun(3, func() { require.NoError(t, report.WriteLPStats(dir, 0, slices.Values(rows))) })
	}
	require.InDelta(t, write(10), write(10_000), 10)
}

func ExampleProgress() {
	p := report.NewProgress(40, 0.25)
	for _, gvt := range []float64{1, 5, 12, 18, 25, 39, math.MaxFloat64} {
		if gvt >= p.NextDue() && p.Due(gvt) {
			report.WriteProgress(os.Stdout, report.ProgressLine{
				Percent: p.Percent(gvt), GVT: gvt, MaxQueue: 8,
				Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
			})
		}
	}
	// Output:
	// GVT #0: simulation 30% complete, max event queue size 8 (GVT = 12.0000) at Fri Jan  2 03:04:05 2026.
	// AVL tree size: 0
	// GVT #0: simulation 62% complete, max event queue size 8 (GVT = 25.0000) at Fri Jan  2 03:04:05 2026.
	// AVL tree size: 0
	// GVT #0: simulation 97% complete, max event queue size 8 (GVT = 39.0000) at Fri Jan  2 03:04:05 2026.
	// AVL tree size: 0
	// GVT #0: simulation 100% complete, max event queue size 8 (GVT = MAX) at Fri Jan  2 03:04:05 2026.
	// AVL tree size: 0
}

func TestRunsThatEndTogetherShareOneTable(t *testing.T) {
	const runs = 20
	dir := t.TempDir()
	errs := make([]error, runs)
	var wg sync.WaitGroup
	for i := range runs {
		wg.Go(func() { errs[i] = report.AppendCSV(dir, csvStats()) })
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	header, row := linesOf(t, csvStats())
	require.Equal(t, header+strings.Repeat(row, runs), testkit.Content(t, dir, report.CSVName))
}

// TestRunWaitsForTheLockOfAnother holds the lock amid a row, and ends the row when the other run waits.
func TestRunWaitsForTheLockOfAnother(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/proc/locks is Linux's")
	}
	testkit.Watch(t)
	dir := t.TempDir()
	header, row := linesOf(t, csvStats())
	f, err := os.OpenFile(filepath.Join(dir, report.CSVName), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
	_, err = f.WriteString(header + row[:10])
	require.NoError(t, err)
	info, err := f.Stat()
	require.NoError(t, err)
	inode := fmt.Sprintf(":%d ", info.Sys().(*syscall.Stat_t).Ino)
	done := make(chan error, 1)
	go func() { done <- report.AppendCSV(dir, csvStats()) }()
	for waits := false; !waits; {
		select {
		case err := <-done:
			require.FailNow(t, "it has not waited for the lock", "%v", err)
		default:
			runtime.Gosched()
		}
		for line := range strings.Lines(testkit.Content(t, "/proc/locks")) {
			waits = waits || strings.Contains(line, "->") && strings.Contains(line, inode)
		}
	}
	_, err = f.WriteString(row[10:])
	require.NoError(t, err)
	require.NoError(t, syscall.Flock(int(f.Fd()), syscall.LOCK_UN))
	require.NoError(t, <-done)
	require.Equal(t, header+row+row, testkit.Content(t, dir, report.CSVName))
}

// resultNames are the files of results, and what writes each.
var resultNames = map[string]func(dir string) error{
	filepath.Join(report.LPStatsDir, "pe_0.txt"): func(dir string) error {
		return report.WriteLPStats(dir, 0, slices.Values([]report.LPStat{{1, 1, 1, ""}}))
	},
	report.CSVName: func(dir string) error { return report.AppendCSV(dir, csvStats()) },
}

func TestResultsGoToTheFileThatALinkLeadsTo(t *testing.T) {
	for name, write := range resultNames {
		dir, plain := t.TempDir(), t.TempDir()
		link, file := filepath.Join(dir, name), filepath.Join(dir, "elsewhere", "file")
		require.NoError(t, os.MkdirAll(filepath.Dir(link), 0o700))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.Symlink(file, link))
		for range 2 { // the first time the link leads to no file
			require.NoError(t, write(dir))
			require.NoError(t, write(plain))
		}
		info, err := os.Lstat(link)
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&os.ModeSymlink, name)
		require.Equal(t, testkit.Content(t, plain, name), testkit.Content(t, file))
	}
}

func TestResultsAreWrittenIntoAFIFO(t *testing.T) {
	for name, write := range resultNames {
		dir, plain := t.TempDir(), t.TempDir()
		fifo := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(fifo), 0o700))
		require.NoError(t, syscall.Mkfifo(fifo, 0o600))
		got := make(chan string)
		go func() {
			text, _ := os.ReadFile(fifo)
			got <- string(text)
		}()
		require.NoError(t, write(dir))
		require.NoError(t, write(plain))
		require.Equal(t, testkit.Content(t, plain, name), <-got, name)
		info, err := os.Lstat(fifo)
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&os.ModeNamedPipe, name)
		entries, err := os.ReadDir(filepath.Dir(fifo))
		require.NoError(t, err)
		require.Len(t, entries, 1)
		require.True(t, strings.HasSuffix(fifo, entries[0].Name()))
	}
}

// A table of results has a row for each run that ends in the same folder.
func ExampleAppendCSV() {
	dir, err := os.MkdirTemp("", "results")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for _, events := range []uint64{1000, 2000} {
		stats := report.Summary{Counters: report.Counters{EventsProcessed: events}, Runtime: 0.5}
		fmt.Println(stats.EventRate(), "events/s", report.AppendCSV(dir, &stats))
	}
	// Output:
	// 2000 events/s <nil>
	// 4000 events/s <nil>
}

// TestNextDueIsTheLeastTimeThatIsDue checks both neighbours of the boundary, on
// copies, since asking changes it.
func TestNextDueIsTheLeastTimeThatIsDue(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		end := math.Exp(random.Float64()*1400 - 700)
		p := report.NewProgress(end, random.Float64()*0.9+0.001)
		for range random.IntN(20) {
			p.Due(p.NextDue())
		}
		at, before := *p, *p
		at.Due(p.NextDue())
		before.Due(math.Nextafter(p.NextDue(), 0))
		require.NotEqual(t, *p, at, "end %g: nothing is due at %g", end, p.NextDue())
		require.Equal(t, *p, before, "end %g: something is due before %g", end, p.NextDue())
	}
}

func TestNoLineIsDueWhenTheyAreOffOrTheRunIsEndless(t *testing.T) {
	for name, p := range map[string]*report.Progress{
		"interval 0":      report.NewProgress(100, 0),
		"interval 1":      report.NewProgress(100, 1),
		"no end":          report.NewProgress(math.Inf(1), 0.01),
		"end 0, interval": report.NewProgress(0, 1),
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, math.Inf(1), p.NextDue())
			for _, gvt := range []float64{0, 1, 99, 200, math.MaxFloat64, math.Inf(1)} {
				require.False(t, p.Due(gvt), "at %g", gvt)
			}
		})
	}
}

func TestFirstDueTimePrintsNothing(t *testing.T) {
	p := report.NewProgress(10, 0.5)
	require.False(t, p.Due(0))
	require.False(t, p.Due(9), "the first")
	require.True(t, p.Due(9))
	require.False(t, p.Due(9), "printed already")
}

func TestRunThatStartsLateHasNoLinesOfBefore(t *testing.T) {
	p := report.NewProgress(100, 0.1)
	p.StartAt(52)
	require.False(t, p.Due(52))
	require.False(t, p.Due(60))
	require.True(t, p.Due(60.5))
	require.False(t, p.Due(60.6))
	require.True(t, p.Due(71))
	off := report.NewProgress(100, 0)
	off.StartAt(52)
	require.Equal(t, math.Inf(1), off.NextDue())
}

func TestPercentIsRoundedDownAndAtMost100(t *testing.T) {
	for _, c := range []struct {
		end, gvt float64
		want     int
	}{
		{100, 0, 0},
		{100, 29, 28}, // 0.29 * 100 is below 29, in ROSS too
		{100, 99.999, 99},
		{100, 100, 100},
		{100, 250, 100},
		{0.5, math.MaxFloat64, 100},
		{math.Inf(1), 5, 0},
		{math.Inf(1), math.Inf(1), 100},
	} {
		require.Equal(t, c.want, report.NewProgress(c.end, 0.01).Percent(c.gvt), "%g of %g", c.gvt, c.end)
	}
}

func TestProgressLineShowsItsFigures(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, report.WriteProgress(&b, report.ProgressLine{
		GVTNumber: 42021, Percent: 100, MaxQueue: 61, GVT: math.MaxFloat64, AVLSize: 7,
		Now: time.Date(2026, 11, 20, 21, 47, 47, 0, time.UTC),
	}))
	require.Equal(t,
		"GVT #42021: simulation 100% complete, max event queue size 61 (GVT = MAX) at Fri Nov 20 21:47:47 2026.\n"+
			"AVL tree size: 7\n", b.String())
}
