// This file tests the tables.

package gvt

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/instr"
)

func TestReadmeColumnsAreThoseOfTheBytes(t *testing.T) {
	for _, name := range []string{"opt2-gvt.bin", "lp36-gvt.bin"} {
		lines := strings.Split(strings.TrimSpace(rt.Good(t, Command, "--readme", rt.File(name))), "\n")
		require.Equal(t,
			"PE_ID,GVT,all_reduce_count,events_processed,events_aborted,events_rolled_back,event_ties,total_rollbacks,"+
				"primary_rollbacks,secondary_rollbacks,fossil_collects,network_sends,network_recvs,remote_events,net_events,efficiency", lines[0])
		var want []string
		for _, r := range rt.Samples(t, rt.File(name)) {
			if w := r.Words; r.Flag == 0 {
				want = append(want, fmt.Sprintf("%d,%v,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,", w[0], r.TS, w[12], w[1], w[2],
					w[3], w[11],
					w[4], w[4]-w[5], w[5], w[6], w[8], w[9], w[8], int32(w[1]-w[3]))+
					strconv.FormatFloat(float64(math.Float32frombits(w[13])), 'f', -1, 32))
			}
		}
		require.Equal(t, want, lines[1:])
	}
}

func TestTableHasALineForEachSampleOfThePEs(t *testing.T) {
	var want [][]string
	for _, r := range rt.Samples(t, rt.File("opt2-rt.bin")) {
		if w := r.Words; r.Flag == 0 && w[0] == 1 {
			ts := fmt.Sprint(r.TS)
			if r.TS > 1e300 {
				ts = "end"
			}
			want = append(want, []string{"1", ts, fmt.Sprint(w[1]), fmt.Sprint(w[3]), fmt.Sprint(int32(w[1] - w[3]))})
		}
	}
	var got [][]string
	for _, line := range strings.Split(strings.TrimSpace(rt.Good(t, Command, rt.File("opt2-rt.bin"), "--pe=1,5-9")),
		"\n")[1:] {
		f := strings.Fields(line)
		require.Len(t, f, 14)
		got = append(got, []string{f[0], f[1], f[3], f[4], f[5]})
	}
	require.Equal(t, want, got)
	require.Equal(t, "end", got[len(got)-1][1])
}

func TestColumnsOfTheTableStayInLine(t *testing.T) {
	var data []byte
	for _, at := range []float64{2.2463586468806733, 123456789.123456789, 1.0 / 3e7, 500} {
		data = instr.AppendPE(data, at, at/7, &instr.PEStats{Processed: 1})
	}
	name := filepath.Join(t.TempDir(), "ross-stats-gvt.bin")
	require.NoError(t, os.WriteFile(name, data, 0o644))
	lines := strings.Split(strings.TrimRight(rt.Good(t, Command, name), "\n"), "\n")
	for _, line := range lines {
		require.Len(t, line, len(lines[0]), line)
	}
	require.Contains(t, lines[1], "2.24635865")
}

func TestFileWithoutSamplesOfPEsIsAnError(t *testing.T) {
	for _, path := range []string{rt.File("opt2-model.bin"),
		rt.Write(t, "a-memory.bin", instr.AppendMemory(nil, 1, 1, &instr.MemoryStats{}))} {
		r := rt.Run(Command, path)
		require.Equal(t, 1, r.Status)
		require.Contains(t, r.Stderr, "no samples of PEs")
		require.Empty(t, r.Stdout)
	}
}

func TestCutFileGivesTheSamplesBeforeTheCutAndAnError(t *testing.T) {
	path := rt.Copy(t, rt.File("opt2-gvt.bin"), func(b []byte) []byte { return b[:len(b)-1] })
	r := rt.Run(Command, "--readme", path)
	require.Equal(t, 1, r.Status)
	require.Equal(t, 203, strings.Count(r.Stdout, "\n"))
	require.Contains(t, r.Stderr, path)
}

func TestHelpTellsWhatRemoteEventsAre(t *testing.T) {
	require.Contains(t, rt.Good(t, Command, "--help"), "remote_events is network_sends")
}

func TestUsageIsOneFile(t *testing.T) {
	for _, args := range [][]string{{}, {rt.Dir}, {"--pe=x", rt.File("opt2-gvt.bin")},
		{"--pe=3-1", rt.File("opt2-gvt.bin")}} {
		require.Equal(t, 2, rt.Run(Command, args...).Status, args)
	}
}

func Example() {
	var table bytes.Buffer
	cli.Run(Command(), []string{"--readme", "../../../../instr/testdata/opt2-gvt.bin"}, &table, os.Stderr)
	for range 3 {
		line, _ := table.ReadString('\n')
		fmt.Print(line)
	}
	// Output:
	// PE_ID,GVT,all_reduce_count,events_processed,events_aborted,events_rolled_back,event_ties,total_rollbacks,primary_rollbacks,secondary_rollbacks,fossil_collects,network_sends,network_recvs,remote_events,net_events,efficiency
	// 0,3,4,53,0,17,0,4,2,2,1,14,8,14,36,52.77778
	// 0,7,6,113,0,38,0,4,2,2,2,18,8,18,75,49.333336
}
