// This file pins the chart of memory: what is in use, the limit, and sums over PEs.

package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
)

func TestMemoryIsDrawnOverTimeAgainstItsLimit(t *testing.T) {
	var pes, data []byte
	for n := 1; n <= 4; n++ {
		for pe := range uint32(2) {
			at := float64(n)
			pes = instr.AppendPE(pes, at, at, &instr.PEStats{PE: pe, Processed: 100, EventProcess: 0.9})
			data = instr.AppendMemory(data, at, at, &instr.MemoryStats{
				PE: pe, Queue: uint64(n) * mebi, Undo: uint64(pe+1) * mebi / 2, Used: uint64(8*n)*mebi + uint64(pe)*mebi, Limit: 64 * mebi,
			})
		}
	}
	dir := t.TempDir()
	surveytest.Run{}.Put(t, dir, instr.RTSuffix, pes)
	surveytest.Run{}.Put(t, dir, instr.MemorySuffix, data)
	f := load(t, dir)
	c := f.memoryUse()
	require.Empty(t, c.Absent)
	require.Len(t, c.Series, 4)
	require.Equal(t, []num{9, 17, 25, 33}, c.Series[0].Values, "the most")
	require.Equal(t, []num{2, 4, 6, 8}, c.Series[1].Values, "of both PEs")
	require.Equal(t, []num{1.5, 1.5, 1.5, 1.5}, c.Series[2].Values)
	require.Equal(t, []num{64, 64, 64, 64}, c.Series[3].Values)
	require.Contains(t, makePage(t, dir), `<td data-name="Content">samples of memory</td><td class="n" data-name="Records">8</td><td class="n" data-name="Size">512 B</td><td data-name="In the charts">yes</td>`)
}

func TestFarLimitOfMemoryIsToldAndNotDrawn(t *testing.T) {
	data := instr.AppendMemory(nil, 1, 1, &instr.MemoryStats{Used: 6 * mebi, Limit: 64 * mebi})
	data = instr.AppendMemory(data, 2, 2, &instr.MemoryStats{Used: 5 * mebi, Limit: 64 * mebi})
	c := load(t, surveytest.Run{}.Put(t, t.TempDir(), instr.MemorySuffix, data)).memoryUse()
	require.Len(t, c.Series, 3)
	require.Contains(t, c.Note, " The limit, 64 MiB, is far above what is drawn.")
}

func TestOddSamplesOfMemoryMakeAReport(t *testing.T) {
	var data []byte
	for _, real := range []float64{3, 1, math.Inf(1), math.NaN(), 5} {
		data = instr.AppendMemory(data, 1, real, &instr.MemoryStats{PE: 7, Queue: math.MaxUint64, Used: math.MaxUint64})
	}
	makePage(t, surveytest.Run{}.Put(t, t.TempDir(), instr.MemorySuffix, data))
}
