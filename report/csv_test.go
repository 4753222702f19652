// This file owns the tests of ross.csv.

package report

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
)

// csvStats has another value in each column.
func csvStats() *Stats {
	digest := uint64(0xfeed)
	return &Stats{
		Counters: Counters{EventsProcessed: 1400, EventsAborted: 15, EventsRolledBack: 400, PrimaryRollBacks: 20, SecondaryRollBacks: 21},
		Synch:    3, Ranks: 2, TotalPEs: 8, KPsPerPE: 16, TotalLPs: 1000, End: 100.5, Mapping: "round robin",
		ModelEvents: 11, NetworkEvents: 12, TotalEvents: 13,
		PEEventTies:   17,
		SendLocRemote: 180, SendNetRemote: 190,
		FossilCollects: 22, NumGVT: 23, EventsPastEnd: 24, RemoteSends: 25, RemoteRecvs: 26,
		EventsAllocated: 27, MemoryAllocated: 28 * 1024, MemoryWasted: 29*1024 + 1,
		Sizes: StructSizes{PE: 30, KP: 31, LP: 32, LPModel: 33, LPRNGs: 34, TotalLP: 35, Event: 36, EventWithModel: 37},
		Times: PhaseTimes{
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
	return strings.TrimSuffix(modeltest.Content(t, "testdata", "csv_header.txt"), "\n") +
		",digest,pes,pq,max_memory,synch\n"
}

func TestCSVHasTheOriginalsColumnsFirst(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, AppendCSV(dir, csvStats()))
	require.Equal(t, wantCSVHeader(t)+csvValues, modeltest.Content(t, dir, CSVName))
	require.Len(t, strings.Split(wantCSVHeader(t), ","), 57+5)
}

func TestCSVRowsHaveAllColumnsWhateverTheRun(t *testing.T) {
	dir := t.TempDir()
	odd := &Stats{End: math.Inf(1), Mapping: "a \"b\",\nc"}
	for _, s := range []*Stats{csvStats(), {}, odd} {
		require.NoError(t, AppendCSV(dir, s))
	}
	records, err := csv.NewReader(strings.NewReader(modeltest.Content(t, dir, CSVName))).ReadAll()
	require.NoError(t, err)
	require.Len(t, records, 4, "one header, one row a run")
	require.Equal(t, "inf", records[3][3])
	require.Equal(t, odd.Mapping, records[3][4])
	require.NotContains(t, strings.Join(records[2], ","), "nan")
	require.Empty(t, records[2][57], "no digest")
}

func TestCSVKeepsWhatIsThere(t *testing.T) {
	header, row := csvText(csvStats())
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
			require.NoError(t, os.WriteFile(filepath.Join(dir, CSVName), []byte(c.before), 0o666))
			require.NoError(t, AppendCSV(dir, csvStats()))
			require.Equal(t, c.after, modeltest.Content(t, dir, CSVName))
		})
	}
}

func TestCSVWithOtherColumnsIsLeftAlone(t *testing.T) {
	header, _ := csvText(&Stats{})
	for name, before := range map[string]string{
		"column renamed":  strings.Replace(header, "synch", "synchro", 1),
		"last one longer": strings.TrimSuffix(header, "\n") + "x\n",
		"of the original": modeltest.Content(t, "testdata", "csv_header.txt") + "1,2\n",
		"one more column": strings.TrimSuffix(header, "\n") + ",x\n",
		"a line of text":  "hello\n",
		"an empty line":   "\n" + header,
		"a prefix of it":  header[:20],
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), CSVName)
			require.NoError(t, os.WriteFile(path, []byte(before), 0o666))
			err := AppendCSV(filepath.Dir(path), &Stats{})
			require.ErrorIs(t, err, ErrCSVHeader)
			require.ErrorContains(t, err, path)
			require.ErrorContains(t, err, "move that file away")
			require.Equal(t, before, modeltest.Content(t, path))
		})
	}
}

func TestResultsGoToAFolderThatIsMade(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	require.NoError(t, AppendCSV(dir, &Stats{}))
	require.FileExists(t, filepath.Join(dir, CSVName))
}

func TestEmptyFolderNameWritesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, AppendCSV("", &Stats{}))
	require.NoError(t, WriteLPStats("", 0, nil))
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestFolderThatCannotBeWrittenIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	taken := t.TempDir() // folders stand where the files would go
	require.NoError(t, os.MkdirAll(filepath.Join(taken, CSVName, "x"), 0o777))
	require.NoError(t, os.MkdirAll(filepath.Join(taken, LPStatsDir, "pe_0.txt", "x"), 0o777))

	for _, dir := range []string{file, taken} {
		for what, err := range map[string]error{
			"row of results": AppendCSV(dir, &Stats{}),
			"times of LPs":   WriteLPStats(dir, 0, func(func(LPStat) bool) {}),
		} {
			require.ErrorContains(t, err, "ross: "+what+" not written: "+dir)
			require.ErrorContains(t, err, "make the folder writable")
		}
	}
	entries, err := os.ReadDir(filepath.Join(taken, LPStatsDir))
	require.NoError(t, err)
	require.Len(t, entries, 1, "no temporary file stays")
}
