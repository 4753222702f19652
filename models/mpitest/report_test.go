// Tests of what a run of ranks leaves behind: one report, one row, and the LPs of all.

//go:build mpi && cgo && !purego

package mpitest

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/report"
)

// columnsOfROSS is how many columns of ross.csv are those of ROSS.
const columnsOfROSS = 57

// table reads ross.csv: the names of the columns, and rows by name.
func table(t *testing.T, dir string) (names []string, rows []map[string]string) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, report.CSVName))
	require.NoError(t, err)
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll() // sees that all rows have as many columns
	require.NoError(t, err)
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	return records[0], rows
}

func TestResultsAreThoseOfAllRanksOnce(t *testing.T) {
	args := []string{"--lookahead=0.1", "--remote=0.5", "--end=20", "--digest"}
	alone := t.TempDir()
	one := runIn(t, alone, 0, "phold", append(args, "--synch=1", "--nlp=32")...)
	columns, oneRow := table(t, alone)
	require.Equal(t, []string{"total_time", "digest"}, columns[columnsOfROSS-1:columnsOfROSS+1])
	for _, synch := range []int{2, 3, 5} {
		t.Run(fmt.Sprintf("synch=%d", synch), func(t *testing.T) {
			dir := t.TempDir()
			out := runIn(t, dir, 2, "phold", append(args, fmt.Sprintf("--synch=%d", synch), "--pes=2", "--nlp=8")...)
			requireSameEvents(t, one, out)
			for _, once := range []string{
				"ROSS Version:", "Found world size to be 2", "PHOLD Model Configuration", "ROSS Core Configuration:",
				"*** START PARALLEL", "*** END SIMULATION ***", "TW Library Statistics:", "Total GVT Computations",
			} {
				want := 1
				if once == "Total GVT Computations" {
					want = 2 // ROSS prints it twice
				}
				require.Equal(t, want, strings.Count(out, once), "%q in\n%s", once, out)
			}
			names, rows := table(t, dir)
			require.Equal(t, columns, names)
			require.Len(t, rows, 1)
			requireRow(t, rows[0], oneRow[0], out)
			requireLPStats(t, dir, 4, 8)
		})
	}
}

// requireRow requires that a row of ross.csv agrees with that of a sequential run and
// with the report.
func requireRow(t *testing.T, row, one map[string]string, report string) {
	t.Helper()
	for _, same := range []string{"total_lp", "end_ts", "net_events", "digest"} {
		require.Equal(t, one[same], row[same], same)
	}
	require.Equal(t, "4", row["total_pe"])
	for column, label := range map[string]string{
		"net_events": "Net Events Processed", "events_processed": "Total Events Processed", "events_rb": "Events Rolled Back",
		"remote_sends": "Remote sends", "remote_recvs": "Remote recvs",
	} {
		require.Equal(t, figure(t, report, label), row[column], label)
	}
	require.Equal(t, row["remote_sends"], row["remote_recvs"])
	require.NotEqual(t, "0", row["remote_sends"])
	require.Equal(t, count(t, report, "Total Events Processed"),
		count(t, report, "Net Events Processed")+count(t, report, "Events Rolled Back"))
}

// requireLPStats requires a file for each PE, with its LPs.
func requireLPStats(t *testing.T, dir string, pes, perPE int) {
	t.Helper()
	files, err := os.ReadDir(filepath.Join(dir, report.LPStatsDir))
	require.NoError(t, err)
	require.Len(t, files, pes)
	for pe := range pes {
		text, err := os.ReadFile(filepath.Join(dir, report.LPStatsDir, fmt.Sprintf("pe_%d.txt", pe)))
		require.NoError(t, err)
		require.Equal(t, perPE, strings.Count(string(text), "LPID: "))
		for lp := pe * perPE; lp < (pe+1)*perPE; lp++ {
			require.Equal(t, 1, strings.Count(string(text), fmt.Sprintf("LPID: %d\t", lp)), "LP %d in\n%s", lp, text)
		}
	}
}
