// This file tests the counters by intervals.

package bins

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/instr"
	lengths "github.com/ross-go/ross/internal/num/interval"
)

// readBack reads the lines back; empty fields are -1.
func readBack(t *testing.T, text string) (header []string, rows [][]float64) {
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	for _, line := range all[1:] {
		var row []float64
		for _, field := range line {
			v, err := strconv.ParseFloat(field, 64)
			if field == "" {
				v, err = -1, nil
			}
			require.NoError(t, err)
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	return all[0], rows
}

func TestColumnsAreThoseOfTheReadme(t *testing.T) {
	header, _ := readBack(t, rt.Good(t, Command, "--interval=100", rt.File("opt2-gvt.bin")))
	require.Equal(t,
		strings.Split("pe_id,interval,forward_events,reverse_events,gvt_computations,all_reduces,events_aborted,event_ties,"+
			"remote_events,network_sends,network_recvs,events_rolled_back,primary_rollbacks,secondary_rollbacks,fossil_collects",
			","), header)
}

func TestSumsOverBinsAreSumsOverSamples(t *testing.T) {
	for _, name := range []string{"opt2-gvt.bin", "lp36-gvt.bin", "opt2-rt.bin"} {
		want := map[float64][]float64{}
		for _, r := range rt.Samples(t, rt.File(name)) {
			if w := r.Words; r.Flag == 0 {
				pe := float64(w[0])
				if want[pe] == nil {
					want[pe] = make([]float64, 13)
				}
				for i, n := range []uint32{w[1], w[3], 0, w[12], w[2], w[11], w[8], w[8], w[9], w[3], w[4] - w[5], w[5], w[6]} {
					want[pe][i] += float64(n)
				}
				want[pe][2] = float64(w[10]) // the original counts GVTs from the start
			}
		}
		for _, interval := range []string{"1.7", "3", "10", "64", "333.3", "1e6"} {
			got := map[float64][]float64{}
			_, rows := readBack(t, rt.Good(t, Command, rt.File(name), "--interval="+interval))
			for _, row := range rows {
				if got[row[0]] == nil {
					got[row[0]] = make([]float64, 13)
				}
				require.GreaterOrEqual(t, slices.Min(row[2:]), 0.0)
				for i, n := range row[2:] {
					got[row[0]][i] += n
				}
			}
			require.Equal(t, want, got, "%s by %s", name, interval)
		}
	}
}

func TestIntervalsAreTheSameForAllPEs(t *testing.T) {
	_, rows := readBack(t, rt.Good(t, Command, "--interval=100", rt.File("opt2-gvt.bin")))
	require.Len(t, rows, 8) // up to 395
	for i, row := range rows {
		require.Equal(t, []float64{float64(i / 4), float64(i % 4 * 100)}, row[:2])
	}
}

// file writes samples of PE 0 that processed some events up to a time.
func file(t *testing.T, samples ...[2]float64) string {
	var data []byte
	for i, s := range samples {
		data = instr.AppendPE(data, s[0], float64(i), &instr.PEStats{Processed: uint32(s[1]), GVTs: 2})
	}
	return rt.Write(t, "a-gvt.bin", data)
}

// forward returns the forward events of each bin.
func forward(t *testing.T, args ...string) (n []float64) {
	_, rows := readBack(t, rt.Good(t, Command, args...))
	for _, row := range rows {
		n = append(n, row[2])
	}
	return n
}

func TestSampleIsSharedOutByLargestRemainder(t *testing.T) {
	for _, c := range []struct {
		name    string
		samples [][2]float64
		want    []float64
	}{
		{"in proportion", [][2]float64{{40, 8}}, []float64{2, 2, 2, 2}},
		{"the rest to the earlier of equal ones", [][2]float64{{40, 6}}, []float64{2, 2, 1, 1}},
		{"by what overlaps", [][2]float64{{5, 1}, {25, 100}}, []float64{26, 50, 25}},
		{"the rest to the largest", [][2]float64{{5, 0}, {25, 3}}, []float64{1, 1, 1}},
		{"a time on the edge belongs to the bin that ends there", [][2]float64{{10, 7}, {20, 9}}, []float64{7, 9}},
		{"no time passes", [][2]float64{{20, 2}, {20, 5}}, []float64{1, 6}},
		{"time goes back", [][2]float64{{20, 2}, {10, 5}}, []float64{6, 1}},
		{"no time at all", [][2]float64{{0, 3}}, []float64{3}},
		{"beyond the end", [][2]float64{{20, 2}, {math.MaxFloat64, 5}}, []float64{1, 6}},
		{"beyond the end in the sense of floats", [][2]float64{{20, 2}, {math.Inf(1), 5}}, []float64{1, 6}},
		{"nothing but beyond the end", [][2]float64{{math.MaxFloat64, 5}}, []float64{5}},
	} {
		require.Equal(t, c.want, forward(t, file(t, c.samples...), "--interval=10"), c.name)
	}
}

func TestWhatIsBeyondTheEndGoesToTheLastBinOfAllPEs(t *testing.T) {
	data := instr.AppendPE(nil, 5, 0, &instr.PEStats{PE: 0, Processed: 1})
	data = instr.AppendPE(data, 25, 0, &instr.PEStats{PE: 1, Processed: 25})
	data = instr.AppendPE(data, math.MaxFloat64, 0, &instr.PEStats{PE: 0, Processed: 4})
	require.Equal(t, []float64{1, 0, 4, 10, 10, 5}, forward(t, rt.Write(t, "a-rt.bin", data), "--interval=10"))
}

func TestGVTsAreTakenAsTheFileCountsThem(t *testing.T) {
	gvts := func(args ...string) (sum float64) {
		_, rows := readBack(t, rt.Good(t, Command, append(args, "--interval=10")...))
		for _, row := range rows {
			sum += row[4]
		}
		return sum
	}
	require.Equal(t, 200.0, gvts(rt.File("lp36-gvt.bin"))/2, "grows from 0 to 200 on each of two PEs")
	three := file(t, [2]float64{10, 1}, [2]float64{20, 1}, [2]float64{30, 1})
	require.Equal(t, 6.0, gvts(three))
	require.Equal(t, 2.0, gvts(three, "--original"))
}

func TestEventsOfATraceAreCountedByTheirTimeOfReceipt(t *testing.T) {
	path := rt.File("opt2-evtrace.bin")
	want := make([]float64, 58)
	for _, e := range rt.Events(t, path) {
		want[int(float64(e.Recv)/7)]++
	}
	_, rows := readBack(t, rt.Good(t, Command, path, "--interval=7"))
	require.Len(t, rows, len(want))
	for i, row := range rows {
		require.Equal(t, want[i], row[2])
		require.Equal(t, float64(i*7), row[1])
		require.Equal(t, -1.0, row[0])
		require.Equal(t, -1.0, row[14])
	}
}

func TestEventsAtNoFiniteTimeAreInTheLastBin(t *testing.T) {
	var data []byte
	for _, at := range []float64{0, 10, 19, math.Inf(1), math.Inf(1)} {
		data = instr.AppendEvent(data, &instr.Event{RecvTS: float32(at), RealTS: 1})
	}
	require.Equal(t, []float64{1, 4}, forward(t, rt.Write(t, "a-evtrace.bin", data), "--interval=10"))
}

func TestMultiplesOfTheIntervalAreOneInEachBin(t *testing.T) {
	for _, c := range []struct {
		every string
		parts float64
	}{{"0.1", 10}, {"0.01", 100}, {"0.3333333333333333", 3}, {"1e-9", 1e9}, {"7", 1.0 / 7}} {
		var trace, samples []byte
		for k := range 100 {
			trace = instr.AppendEvent(trace, &instr.Event{RecvTS: float32(float64(k) / c.parts), RealTS: 1})
			samples = instr.AppendPE(samples, float64(k+1)/c.parts, float64(k), &instr.PEStats{Processed: uint32(k)})
		}
		_, rows := readBack(t, rt.Good(t, Command, rt.Write(t, "a-evtrace.bin", trace), "--interval="+c.every))
		require.Len(t, rows, 100, c.every)
		for k, row := range rows {
			require.Equal(t, 1.0, row[2], "%d times %s", k, c.every)
			require.InEpsilon(t, float64(k)/c.parts+1, row[1]+1, 1e-15)
		}
		_, rows = readBack(t, rt.Good(t, Command, rt.Write(t, "a-gvt.bin", samples), "--interval="+c.every))
		for k, row := range rows[:100] { // what a sample counts was before it
			require.InDelta(t, float64(k), row[2], 0.5, "%d times %s", k, c.every)
		}
	}
}

func TestAbsurdIntervalsSayWhatIsAbsurdAndWhatIsNot(t *testing.T) {
	for _, name := range []string{"opt2-rt.bin", "opt2-evtrace.bin"} {
		for _, interval := range []string{"1e-9", "1e-300"} {
			r := rt.Run(Command, rt.File(name), "--interval="+interval)
			require.Equal(t, 1, r.Status)
			require.Empty(t, r.Stdout)
			require.Contains(t, r.Stderr, "more than 1000000")
			var enough float64
			_, after, _ := strings.Cut(r.Stderr, "choose an interval of ")
			_, err := fmt.Sscanf(after, "%g or more", &enough)
			require.NoError(t, err)
			require.Greater(t, enough, 1e-4)
			rt.Good(t, Command, rt.File(name), fmt.Sprintf("--interval=%g", enough*10), "--max-lines=100000")
		}
	}
}

func TestCommandLinesThatCannotBeUsedAreTold(t *testing.T) {
	for _, c := range []struct {
		args, says string
		status     int
	}{
		{rt.File("opt2-gvt.bin"), "--interval=0", 2},
		{rt.File("opt2-gvt.bin") + " --interval=-1", "above 0", 2},
		{rt.File("opt2-gvt.bin") + " --interval=Inf", "above 0", 2},
		{rt.File("opt2-gvt.bin") + " --interval=1 --max-lines=0", "--max-lines", 2},
		{"--interval=1", "no file", 2},
		{rt.Write(t, "a-memory.bin", instr.AppendMemory(nil, 1, 1, &instr.MemoryStats{})) + " --interval=1",
			"neither samples of PEs nor events", 1},
		{rt.File("opt2-model.bin") + " --interval=1", "neither samples of PEs nor events", 1},
	} {
		r := rt.Run(Command, strings.Fields(c.args)...)
		require.Equal(t, c.status, r.Status, c.args)
		require.Contains(t, r.Stderr, c.says)
	}
}

func TestCutFileGivesNoTable(t *testing.T) {
	path := rt.Copy(t, rt.File("opt2-gvt.bin"), func(b []byte) []byte { return b[:len(b)-1] })
	r := rt.Run(Command, "--interval=10", path)
	require.Equal(t, 1, r.Status)
	require.Empty(t, r.Stdout)
	require.Contains(t, r.Stderr, path)
}

func FuzzSharesAddUp(f *testing.F) {
	f.Add(0.0, 40.0, 10.0, int64(6))
	f.Add(0.1, 0.7, 0.1, int64(1<<32-1))
	f.Add(123.456, 99999.9, 7e-1, int64(-5))
	f.Fuzz(func(t *testing.T, from, to, interval float64, n int64) {
		from, to = math.Abs(from), math.Abs(to)
		n %= 1 << 32
		if !(interval > 0) || !(from < 1e300 && to < 1e300) || max(from, to)/interval > 1e4 {
			return
		}
		var p peBins
		p.share(from, to, lengths.Of(interval), &counters{processed: n})
		sum := int64(0)
		for _, bin := range p.bins {
			sum += bin[processed]
			if n >= 0 {
				require.GreaterOrEqual(t, bin[processed], int64(0))
			}
		}
		require.Equal(t, n, sum)
	})
}

func Example() {
	cli.Run(Command(), []string{"--interval=200", "../../../../instr/testdata/opt2-gvt.bin"}, os.Stdout, os.Stderr)
	// Output:
	// pe_id,interval,forward_events,reverse_events,gvt_computations,all_reduces,events_aborted,event_ties,remote_events,network_sends,network_recvs,events_rolled_back,primary_rollbacks,secondary_rollbacks,fossil_collects
	// 0,0,2643,1785,101,307,0,0,579,579,563,1785,66,73,102
	// 0,200,2408,1588,99,296,0,0,497,497,606,1588,68,59,99
	// 1,0,2352,1578,101,307,0,0,563,563,579,1578,74,71,102
	// 1,200,2607,1879,99,296,0,0,606,606,497,1879,64,81,99
}
