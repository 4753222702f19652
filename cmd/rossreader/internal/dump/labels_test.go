// This file tests --labels: the model's names of LPs beside their ids.

package dump

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/labels"
)

func routers(id uint64) string { return fmt.Sprintf(`router "%d",0`, id) }

// withLabels copies a file of a run to a new folder, under a name with a prefix, and writes labels of
// LPs beside it.
func withLabels(t *testing.T, path, suffix, text string) string {
	dir := t.TempDir()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	copied := instr.FileName(dir, "my-run", suffix)
	require.NoError(t, os.WriteFile(copied, data, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "my-run"+instr.LabelsSuffix), []byte(text), 0o600))
	return copied
}

func textOf(t *testing.T) string {
	var b strings.Builder
	require.NoError(t, labels.Write(&b, 7, routers))
	return b.String()
}

// nameOf is the label that LPs have in textOf.
func nameOf(id uint32) string {
	if id < 7 {
		return routers(uint64(id))
	}
	return ""
}

func TestLabelsFollowTheNumbersOfEvents(t *testing.T) {
	path := withLabels(t, rt.File("cons2-payload-evtrace.bin"), instr.TraceSuffix, textOf(t))
	plain := rt.Good(t, Command, path)
	require.Equal(t, rt.Good(t, Command, rt.File("cons2-payload-evtrace.bin")), plain, "nothing changes unless it is asked for")
	header, rows := table(t, rt.Good(t, Command, path, "--labels"))
	require.Equal(t, []string{"model_data_size", "source_label", "destination_label", "payload"}, header[5:])
	events := rt.Events(t, path)
	require.Len(t, rows, len(events))
	lines := strings.Split(strings.TrimSpace(rt.Good(t, Command, path, "--labels", "--format=jsonl")), "\n")
	require.Len(t, lines, len(events))
	for i, e := range events {
		require.Equal(t, []string{nameOf(e.Src), nameOf(e.Dest)}, rows[i][6:8])
		var line struct {
			Source      string `json:"source_label"`
			Destination string `json:"destination_label"`
		}
		require.NoError(t, json.Unmarshal([]byte(lines[i]), &line))
		require.Equal(t, rows[i][6:8], []string{line.Source, line.Destination})
	}
}

func TestLabelsFollowTheNumbersOfSamples(t *testing.T) {
	path := withLabels(t, rt.File("opt2-rt.bin"), instr.RTSuffix, textOf(t))
	header, rows := table(t, rt.Good(t, Command, path, "--labels", "--kind=lp"))
	require.Equal(t, "lp_label", header[len(header)-1])
	require.Equal(t, "lp_id", header[4])
	seen := map[string]bool{}
	for _, row := range rows {
		var id uint32
		fmt.Sscan(row[4], &id)
		require.Equal(t, nameOf(id), row[len(row)-1])
		seen[row[len(row)-1]] = true
	}
	require.Len(t, seen, 8, "eight LPs, of which one has no label")
	header, _ = table(t, rt.Good(t, Command, path, "--labels", "--kind=pe"))
	require.NotContains(t, header, "lp_label")
}

func TestMissingAndDamagedLabelsAreEmptyAndTold(t *testing.T) {
	for _, text := range []string{"", "id,label\n0,rou", "not labels\n"} {
		path := withLabels(t, rt.File("cons2-payload-evtrace.bin"), instr.TraceSuffix, text)
		r := rt.Run(Command, path, "--labels")
		require.Zero(t, r.Status)
		require.Contains(t, r.Stderr, "no labels of LPs for "+path)
		_, rows := table(t, r.Stdout)
		for _, row := range rows {
			require.Equal(t, []string{"", ""}, row[6:8])
		}
	}
	require.Equal(t, 2, rt.Run(Command, "--labels", "--format=parquet", rt.File("opt2-rt.bin")).Status)
}
