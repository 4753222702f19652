package notebook

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
)

// commands runs the commands of the page in a folder, and returns that and the page.
func commands(t *testing.T) (page, folder string) {
	t.Helper()
	page = testkit.Content(t, "..", "notebook.md")
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	folder = t.TempDir()
	blocks := testkit.Blocks(page, "sh")
	require.Len(t, blocks, 1)
	for line := range strings.Lines(blocks[0]) {
		words := strings.Fields(line)
		run := exec.Command(words[0], words[1:]...)
		if run.Dir = folder; words[0] == "go" {
			run = exec.Command("go", "build", "-o", folder+"/", words[2])
			run.Dir = root
		} else {
			run = exec.Command(filepath.Join(folder, words[0]), words[1:]...)
			run.Dir = folder
		}
		out, err := run.CombinedOutput()
		require.NoError(t, err, "%s: %s", line, out)
	}
	return page, folder
}

// TestThePageReadsWhatIsWritten runs the programs of the page where their languages are to be had. In any case, each
// name in quotes that they read must be a field or a column of the files.
func TestThePageReadsWhatIsWritten(t *testing.T) {
	page, folder := commands(t)
	known := names(t, folder)
	python, r := strings.Join(testkit.Blocks(page, "python"), "\n"), strings.Join(testkit.Blocks(page, "r"), "\n")
	read := 0
	for _, m := range regexp.MustCompile(`\["([^"]+)"\]|\$(\w+)|(?:x|y)="(\w+)"`).FindAllStringSubmatch(python+r, -1) {
		name := m[1] + m[2] + m[3]
		if name == "below" || name == "n" && m[2] != "" { // which the programs make
			continue
		}
		require.Contains(t, known, name)
		read++
	}
	require.Greater(t, read, 20)

	interpret(t, folder, "python.py", "import matplotlib\nmatplotlib.use(\"Agg\")\n"+python, "infections.png waits.png study.png runs.png",
		"python3", "-c", "import pandas, matplotlib")
	interpret(t, folder, "r.R", r, "infections-r.png study-r.png", "Rscript", "-e", "library(jsonlite)")
}

// interpret runs a program that draws pictures, if the command that looks for what it needs succeeds.
func interpret(t *testing.T, folder, name, text, pictures string, look ...string) {
	t.Helper()
	if err := exec.Command(look[0], look[1:]...).Run(); err != nil {
		t.Logf("%s: %v: the names that the page reads were compared, and not run", strings.Join(look, " "), err)
		return
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	run := exec.Command(look[0], name)
	run.Dir = folder
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, picture := range strings.Fields(pictures) {
		info, err := os.Stat(filepath.Join(folder, picture))
		require.NoError(t, err)
		require.Greater(t, info.Size(), int64(1000), picture)
	}
}

// names returns all names of columns and fields in the files that the page reads, and the statistics that are keys of
// its programs.
func names(t *testing.T, folder string) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	var columns []string // of the last one
	for _, file := range []string{"week/ross-stats-statistics.csv", "waits.csv"} {
		f, err := os.Open(filepath.Join(folder, file))
		require.NoError(t, err)
		defer f.Close()
		rows, err := csv.NewReader(f).ReadAll()
		require.NoError(t, err)
		columns = rows[0]
		for _, name := range columns {
			known[name] = true
		}
	}
	for _, file := range []string{"week/ross-stats-statistics.json", "queue/ross-stats-statistics.json", "waits.jsonl"} {
		text := testkit.Content(t, folder, file)
		d := json.NewDecoder(strings.NewReader(text))
		for d.More() {
			var v any
			require.NoError(t, d.Decode(&v))
			fields(v, known)
		}
	}
	// The end of a Parquet file has the names of its columns as they are.
	parquet := testkit.Content(t, folder, "waits.parquet")
	require.True(t, strings.HasPrefix(parquet, "PAR1") && strings.HasSuffix(parquet, "PAR1"))
	for _, name := range columns {
		require.Contains(t, parquet, name)
	}
	return known
}

// fields adds the names of all fields of a value, and the names of its statistics.
func fields(v any, known map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			fields(e, known)
		}
	case map[string]any:
		if s, is := v["statistic"].(string); is {
			known[s] = true
		}
		for name, e := range v {
			known[name] = true
			fields(e, known)
		}
	}
}
