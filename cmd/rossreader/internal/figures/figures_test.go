// This file pins what a page has: its numbers are those of the files of runs, which the tests decode on their own.

package figures

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/cmd/rossreader/internal/runlist"
)

// object is an object of JSON.
type object map[string]any

// made is a run as a test has written it.
type made struct {
	folder string // from the root
	info   object
	stats  []object // rows of its statistics; nil: there is no such file
}

func putJSON(t *testing.T, path string, what any) {
	t.Helper()
	text, err := json.Marshal(what)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, text, 0o644))
}

func (m *made) put(t *testing.T, root string) {
	t.Helper()
	putJSON(t, filepath.Join(root, m.folder, "run.json"), m.info)
	if m.stats != nil {
		putJSON(t, filepath.Join(root, m.folder, "own-statistics.json"), object{"from": 0, "until": 9, "rows": m.stats})
	}
}

const hostile = "<img src=x onerror=alert(1)>\x07\u202e\"&'"

var begin = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// runsOf returns n runs of a model with batches of 1, 4, 16, 64, 256, queues of three names, 1, 2 or 4 PEs and a seed
// of their own. The sixth has failed, the eighth has no result yet, and the fourth has a hostile name and queue.
func runsOf(n int) (all []made) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		x := random.Float64
		seconds, pes := 1+x(), 1<<(i/5%3)
		at := begin.Add(time.Duration(i) * 10 * time.Hour)
		m := made{folder: fmt.Sprintf("sets/r%04d", i), info: object{"version": 1, "id": fmt.Sprint(i), "state": "complete",
			"begin": at, "end": at.Add(time.Duration(i+1) * time.Second), "model": "phold", "command": []string{"phold"},
			"engine": object{"version": "go-0.1.0", "go": "go1", "system": "linux/amd64", "queue": "go", "revision": ""},
			"host":   object{"name": "vm", "processors": 2}, "synch": 3, "scheduler": "optimistic", "ranks": 1, "pes": pes,
			"kps": 16, "lps": 1000, "end_time": 100.0,
			"options": object{"batch": strconv.Itoa(1 << (i % 5 * 2)), "pes": strconv.Itoa(pes), "seed": strconv.Itoa(i),
				"pq": []string{"calendar", "", "splay"}[i%3], "same": "1", "stats-path": fmt.Sprint(i)}}}
		result := object{"runtime_seconds": seconds, "event_rate": 1e6 * (1 + x()), "efficiency_percent": 100 * x(),
			"net_events": random.IntN(1e9), "events_processed": random.IntN(1e9), "events_rolled_back": random.IntN(1e6),
			"events_aborted": random.IntN(1e6), "primary_rollbacks": random.IntN(1e6), "secondary_rollbacks": random.IntN(1e6),
			"gvt_computations": random.IntN(1e5), "gvt_forced": i, "all_reduces": random.IntN(1e5), "events_remote": random.IntN(1e6),
			"network_sends": i, "idle_seconds": x(), "state_saving_seconds": x(), "memory_bytes": random.IntN(1e9),
			"memory_peak_bytes": random.IntN(1e9), "memory_shortages": random.IntN(9),
			"processors": object{"seconds": seconds * x(), "waited_seconds": x(), "preempted": random.IntN(999)},
			"handlers":   []object{{"type": "node", "message": "phold.msg", "timed": 100 + i, "seconds": x()}}}
		m.stats = []object{
			{"group": "node", "statistic": "wait", "unit": "h", "kind": "histogram", "lps": 4, "count": random.IntN(1e6), "sum": x(),
				"mean": x() * 1e-5, "stddev": x(), "min": 0, "max": 1 + x(), "nonzero": nil,
				"quantiles": object{"0.5": x(), "0.99": x(), "0.9": nil}, "bins": []object{{"low": 0, "high": 1, "n": 3}}},
			{"group": "", "statistic": "lost", "unit": "", "kind": "counter", "lps": 4, "count": i, "sum": i, "mean": float64(i) / 4,
				"stddev": nil, "min": nil, "max": nil, "nonzero": nil},
		}
		switch i {
		case 3:
			m.folder, m.info["options"].(object)["pq"] = hostile, hostile
		case 5:
			m.info["state"] = "failed"
		case 7:
			m.info["state"], m.stats, result = "running", nil, nil
		}
		if result != nil {
			m.info["result"] = result
		}
		all = append(all, m)
	}
	return all
}

func folderOf(t *testing.T, all []made) (root string) {
	t.Helper()
	root = t.TempDir()
	for i := range all {
		all[i].put(t, root)
	}
	return root
}

// pageData is what the tests know of the data in a page.
type pageData struct {
	Runs struct {
		Name, State, Link []string
		Begin             []int64
		Whole             []bool
	}
	Figures []struct {
		Key, Group, Name, Measure, Unit string
		Of                              json.RawMessage
	}
	Dimensions []struct {
		Key, Group string
		Values     []string
		Of         []int
	}
	First, Lines, Word string
	Remarks            []string
}

func dataIn(t *testing.T, page []byte) (d pageData) {
	t.Helper()
	text := regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`).FindSubmatch(page)
	require.NotNil(t, text)
	require.NoError(t, json.Unmarshal(text[1], &d))
	return d
}

func pageOf(t *testing.T, root string) (pageData, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "figures.html")
	printed := readertest.Good(t, Command, root, "-o", file)
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NotContains(t, string(page), "<img")
	return dataIn(t, page), printed
}

// numbers returns the numbers of a figure by the names of the runs.
func (d *pageData) numbers(t *testing.T, key, measure string) map[string]float64 {
	t.Helper()
	for _, f := range d.Figures {
		if f.Key != key || f.Measure != measure {
			continue
		}
		all, found := make([]*float64, len(d.Runs.Name)), map[string]float64{}
		if f.Of[0] == '[' {
			require.NoError(t, json.Unmarshal(f.Of, &all))
		} else {
			var some struct {
				At     []int
				Values []float64
			}
			require.NoError(t, json.Unmarshal(f.Of, &some))
			require.Len(t, some.Values, len(some.At))
			for k, i := range some.At {
				all[i] = &some.Values[k]
			}
		}
		require.Len(t, all, len(d.Runs.Name))
		for i, x := range all {
			if x != nil {
				found[d.Runs.Name[i]] = *x
			}
		}
		return found
	}
	return nil
}

// float returns a number that a test has written.
func float(t *testing.T, x any) float64 {
	t.Helper()
	switch x := x.(type) {
	case int:
		return float64(x)
	case float64:
		return x
	}
	require.Fail(t, "no number", "%v", x)
	return 0
}

func TestFiguresAreThoseOfTheFiles(t *testing.T) {
	all := runsOf(40)
	d, printed := pageOf(t, folderOf(t, all))
	require.Contains(t, printed, "runs: 40, figures: ")
	require.Contains(t, printed, "options in which they differ: 4\n")
	direct := map[string]string{"Net events a second": "event_rate", "Run time": "runtime_seconds", "Efficiency": "efficiency_percent",
		"Net events": "net_events", "Events handled": "events_processed", "Events rolled back": "events_rolled_back",
		"Events aborted": "events_aborted", "Primary rollbacks": "primary_rollbacks", "Secondary rollbacks": "secondary_rollbacks",
		"GVTs": "gvt_computations", "Forced GVTs": "gvt_forced", "All-reduces for GVT": "all_reduces",
		"Events sent to other PEs": "events_remote", "Messages sent to other ranks": "network_sends",
		"Memory peak": "memory_peak_bytes", "Memory at the end": "memory_bytes", "Memory shortages": "memory_shortages"}
	checked := map[string]bool{}
	same := func(key, measure string, of func(m *made, r object) (float64, bool)) {
		t.Helper()
		want := map[string]float64{}
		for i := range all {
			if r, ok := all[i].info["result"].(object); ok {
				if x, ok := of(&all[i], r); ok {
					want[filepath.ToSlash(all[i].folder)] = x
				}
			}
		}
		require.NotEmpty(t, want)
		require.InDeltaMapValues(t, want, d.numbers(t, key, measure), 0, "%s: %s", key, measure)
		checked[key+"|"+measure] = true
	}
	for key, name := range direct {
		same(key, "", func(_ *made, r object) (float64, bool) { return float(t, r[name]), true })
	}
	same("Rollbacks", "", func(_ *made, r object) (float64, bool) {
		return float(t, r["primary_rollbacks"]) + float(t, r["secondary_rollbacks"]), true
	})
	share := func(name string) func(m *made, r object) (float64, bool) {
		return func(m *made, r object) (float64, bool) {
			return 100 * float(t, r[name]) / (float(t, r["runtime_seconds"]) * float(t, m.info["pes"])), true
		}
	}
	same("Idle share of the PEs", "", share("idle_seconds"))
	same("Share of saving states", "", share("state_saving_seconds"))
	same("Processors got", "", func(_ *made, r object) (float64, bool) {
		return float(t, r["processors"].(object)["seconds"]) / float(t, r["runtime_seconds"]), true
	})
	same("Share of time without a processor", "", func(m *made, r object) (float64, bool) {
		return 100 * float(t, r["processors"].(object)["waited_seconds"]) / (float(t, r["runtime_seconds"]) * float(t, m.info["pes"])), true
	})
	same("Times that PEs lost a processor", "", func(_ *made, r object) (float64, bool) {
		return float(t, r["processors"].(object)["preempted"]), true
	})
	same("events phold.msg of node", "", func(_ *made, r object) (float64, bool) {
		h := r["handlers"].([]object)[0]
		return 1e6 * float(t, h["seconds"]) / float(t, h["timed"]), true
	})
	for row, statistic := range []string{"node: wait", ": lost"} {
		for measure, name := range map[string]string{"mean": "mean", "count": "count", "sum": "sum", "standard deviation": "stddev",
			"least": "min", "greatest": "max"} {
			if all[0].stats[row][name] != nil {
				same("statistic "+statistic, measure, func(m *made, _ object) (float64, bool) { return float(t, m.stats[row][name]), true })
			}
		}
	}
	for measure, q := range map[string]string{"50 % quantile": "0.5", "99 % quantile": "0.99"} {
		same("statistic node: wait", measure, func(m *made, _ object) (float64, bool) {
			return float(t, m.stats[0]["quantiles"].(object)[q]), true
		})
	}
	ended := d.numbers(t, "Time from begin to end", "") // also that of a run without a result would not be here
	require.Len(t, ended, 39)
	require.InDelta(t, 1, ended["sets/r0000"], 0)
	require.Equal(t, "Net events a second", d.Figures[0].Key)
	require.Len(t, d.Figures, len(checked)+1, "no figure is unchecked")
	require.Empty(t, d.Remarks)
}

func TestRunsAndWhatTheyDifferInAreThoseOfTheFiles(t *testing.T) {
	all := runsOf(30)
	delete(all[4].info["options"].(object), "pq")
	all[6].info["model"] = "other"
	d, _ := pageOf(t, folderOf(t, all))
	byName := map[string]*made{}
	for i := range all {
		byName[all[i].folder] = &all[i]
	}
	require.Len(t, d.Runs.Name, 30)
	for i, name := range d.Runs.Name {
		m := byName[name]
		require.NotNil(t, m, name)
		require.Equal(t, m.info["begin"].(time.Time).UnixMilli(), d.Runs.Begin[i])
		require.Equal(t, m.info["state"] == "complete", d.Runs.Whole[i])
		if i > 0 {
			require.Less(t, d.Runs.Begin[i], d.Runs.Begin[i-1], "the newest first")
		}
	}
	keys := []string{}
	for _, s := range d.Dimensions {
		keys = append(keys, s.Key)
		for i, at := range s.Of {
			m := byName[d.Runs.Name[i]]
			want, known := m.info["options"].(object)[s.Key[min(2, len(s.Key)):]]
			switch s.Key {
			case "model", "state":
				want, known = m.info[s.Key], true
			case "PEs":
				want, known = fmt.Sprint(m.info["pes"]), true
			}
			if require.Equal(t, known, at >= 0, "%s of %s", s.Key, d.Runs.Name[i]); known {
				require.Equal(t, want, s.Values[at])
			}
		}
	}
	require.Equal(t, []string{"--seed", "--batch", "--pq", "--pes", "model", "PEs", "state"}, keys)
	require.Equal(t, "--batch", d.First, "the seed is not what one looks at first")

	// The default of --max-memory depends on the machine. An option that few runs have is not the first choice.
	for i := range all {
		options := all[i].info["options"].(object)
		if options["max-memory"] = fmt.Sprint(1000 + i); i < 12 {
			all[i].info["command"] = []string{"phold", "--max-memory=" + fmt.Sprint(1000+i)}
		}
	}
	few, _ := pageOf(t, folderOf(t, all))
	require.Equal(t, "--batch", few.First)
	for _, s := range few.Dimensions {
		if s.Key == "--max-memory" {
			require.Len(t, s.Values, 12)
		}
	}
	require.Len(t, few.Dimensions, len(d.Dimensions)+1)
	require.Equal(t, "model", d.Lines)
}

func TestStatisticsAreReadAgainWhenTheirFilesChange(t *testing.T) {
	all := runsOf(2)
	root, r := folderOf(t, all), NewReader()
	mean := func() float64 {
		runs, cut, err := runlist.Scan(root)
		require.NoError(t, err)
		var page bytes.Buffer
		require.NoError(t, r.Page(root, runs, cut).WriteServed(&page, "w1"))
		d := dataIn(t, page.Bytes())
		require.Equal(t, "w1", d.Word)
		require.Equal(t, []string{"/view?run=sets%2Fr0001", "/view?run=sets%2Fr0000"}, d.Runs.Link)
		return d.numbers(t, "statistic node: wait", "mean")["sets/r0000"]
	}
	require.InDelta(t, float(t, all[0].stats[0]["mean"]), mean(), 0)
	file := filepath.Join(root, all[0].folder, "own-statistics.json")
	info, err := os.Stat(file)
	require.NoError(t, err)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, bytes.Repeat([]byte("x"), len(text)), 0o644))
	require.NoError(t, os.Chtimes(file, info.ModTime(), info.ModTime()))
	require.InDelta(t, float(t, all[0].stats[0]["mean"]), mean(), 0, "the file has not changed, for all that is known")
	all[0].stats[0]["mean"] = 12345.5
	all[0].put(t, root)
	require.InDelta(t, 12345.5, mean(), 0)
}

func TestWhatIsLeftOutIsStated(t *testing.T) {
	all := runsOf(4)
	root := folderOf(t, all)
	require.NoError(t, os.MkdirAll(filepath.Join(root, "bad"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "bad", "run.json"), []byte("{"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(root, all[3].folder, "own-statistics.json"), []byte(`{"rows": 7}`), 0o644))
	d, printed := pageOf(t, root)
	require.Len(t, d.Remarks, 3)
	require.Equal(t, "1 run is left out: a run describes itself in run.json, which is missing or damaged.", d.Remarks[0])
	require.Equal(t, "1 run is drawn without statistics of the model, which cannot be read.", d.Remarks[1])
	require.Contains(t, d.Remarks[2], "own-statistics.json: json: cannot unmarshal number")
	require.NotContains(t, printed, "\a")
	require.Contains(t, printed, "\uFFFD")
	require.Len(t, d.numbers(t, "statistic node: wait", "mean"), 3)

	runs, _, err := runlist.Scan(root)
	require.NoError(t, err)
	r := NewReader()
	r.most = 7
	p := r.Page(root, runs, true)
	require.Contains(t, p.data.Remarks, "There are more runs in the folder, which are left out.")
	require.Contains(t, p.data.Remarks, "9 numbers of statistics are left out of a page of 11: choose a folder with fewer runs for them.")
}

func TestStatisticsOfTheSameNameInOtherUnitsAreOthers(t *testing.T) {
	all := runsOf(3)
	all[0].stats[0]["unit"], all[1].stats[0]["unit"] = "min", "min"
	d, _ := pageOf(t, folderOf(t, all))
	require.Len(t, d.numbers(t, "statistic node: wait", "mean"), 1)
	require.Len(t, d.numbers(t, "statistic node: wait in min", "mean"), 2)
}

func TestAFolderWithOnlyOneRunHasAPage(t *testing.T) {
	d, _ := pageOf(t, folderOf(t, runsOf(1)))
	require.Empty(t, d.Dimensions)
	require.Empty(t, d.First)
}

func TestMistakesAreReported(t *testing.T) {
	root := folderOf(t, runsOf(2))
	out := filepath.Join(t.TempDir(), "x.html")
	run := filepath.Join(root, "sets", "r0000", "run.json")
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{2, "0 folders", []string{"-o", out}},
		{2, "no output", []string{root}},
		{2, "is a file", []string{run, "-o", out}},
		{1, "name a folder with runs", []string{filepath.Join(root, "none"), "-o", out}},
		{1, "no run in it or below it describes itself", []string{t.TempDir(), "-o", out}},
		{1, "is one of the files to read", []string{root, "-o", run}},
	} {
		r := readertest.Run(Command, c.args...)
		require.Equal(t, c.code, r.Status, "%v: %s", c.args, r.Stderr)
		require.Contains(t, r.Stderr, c.want)
		require.NoFileExists(t, out)
	}
	require.Contains(t, readertest.Run(Command, root, "-o", "-").Stderr, "-: runs: 2")
}

func ExampleCommand() {
	cli.Run(Command(), []string{"--help"}, os.Stdout, os.Stderr)
	// Output:
	// Makes a page that draws a figure of all runs in a folder and below it (run time, net events a
	// second, efficiency, statistics of the model and others) against an option in which the runs
	// differ, or against the time at which they began. The reader of the page chooses figure and option,
	// and a second option whose values have lines of their own. Runs are found by their run.json, which
	// --stats-path makes them write.
	//
	// usage: rossreader figures [options] FOLDER -o PAGE.html
	//
	// Options:
	//   -h, --help          help for figures
	//   -o, --output FILE   FILE to write; - for standard output, the summary then goes to standard
	//                       error
}
