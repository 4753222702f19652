// Files of records of one size, whose parts are whole blocks; and the holes where a part was not
// written.

package instr

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
)

func TestPeriodIsTheLeastMultipleOfRecordsAndBlocks(t *testing.T) {
	for unit := range 200 {
		p := periodOf(unit, DefaultBuffer)
		if unit == 0 {
			require.Zero(t, p)
			continue
		}
		least := block
		for least%unit != 0 {
			least += block
		}
		if least > mostPeriod {
			least = 0
		}
		require.Equal(t, least, p, "records of %d bytes", unit)
	}
	require.Equal(t, 12288, periodOf(24, DefaultBuffer))
	require.Zero(t, periodOf(24, 12288), "not all that a buffer holds may wait")
	require.Zero(t, periodOf(-1, DefaultBuffer))
}

// TestPartsOfWholeBlocksAreAllThere has buffers hand over at random.
func TestPartsOfWholeBlocksAreAllThere(t *testing.T) {
	for _, unit := range testlevel.Pick([]int{24, 28, 40, 25}, []int{24, 28, 40, 25}, []int{40, 25}) {
		for _, buffers := range []int{1, 3} {
			path := filepath.Join(t.TempDir(), "f.bin")
			const size = 1 << 19
			f, err := Create(path, FileOptions{Buffers: buffers, Size: size, Unit: unit})
			require.NoError(t, err)
			t.Logf("unit %d, %d buffers", unit, buffers)
			rnd := testrand.New(t)
			next := make([]uint64, buffers)
			for range 6 {
				for i := range buffers {
					for range rnd.IntN(size / unit) {
						r := f.Buffer(i).Reserve(unit)
						if r == nil {
							break
						}
						clear(r)
						binary.LittleEndian.PutUint64(r, uint64(i)<<32|next[i])
						next[i]++
					}
					f.Buffer(i).HandOver()
					if period := periodOf(unit, size); period > 0 {
						require.Less(t, f.Buffer(i).Used(), period)
					} else {
						require.Zero(t, f.Buffer(i).Used())
					}
				}
			}
			for i := range buffers {
				f.Buffer(i).HandOverAll()
				require.Zero(t, f.Buffer(i).Used())
			}
			require.NoError(t, f.Close())
			if f.direct != nil {
				require.Positive(t, f.past, "most goes past the page cache")
			}
			require.NoError(t, f.Publish())
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			got := make([]uint64, buffers)
			for at := 0; at < len(data); at += unit {
				v := binary.LittleEndian.Uint64(data[at:])
				i := v >> 32
				require.Equal(t, got[i], v&0xffffffff, "records of a buffer are in their order")
				got[i]++
			}
			require.Equal(t, next, got)
		}
	}
}

func TestGoHasAProcessorMoreWhileFilesAreWritten(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	var files []*File
	for _, name := range []string{"a", "b"} {
		f, err := Create(filepath.Join(t.TempDir(), name), FileOptions{Buffers: 1})
		require.NoError(t, err)
		require.Equal(t, before+1, runtime.GOMAXPROCS(0))
		files = append(files, f)
	}
	require.NoError(t, files[0].Close())
	require.Equal(t, before+1, runtime.GOMAXPROCS(0))
	require.NoError(t, files[1].Abort())
	require.Equal(t, before, runtime.GOMAXPROCS(0))

	f, err := Create(filepath.Join(t.TempDir(), "c"), FileOptions{Buffers: 1})
	require.NoError(t, err)
	runtime.GOMAXPROCS(before + 3)
	require.NoError(t, f.Close())
	require.Equal(t, before+3, runtime.GOMAXPROCS(0), "somebody else has a say, too")
	runtime.GOMAXPROCS(before)
}

func TestAHoleInATraceIsNoEvent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x-evtrace.bin")
	data := AppendEvent(nil, &Event{Src: 1, RealTS: 0.5})
	data = append(data, make([]byte, 3*EventSize)...)
	require.NoError(t, os.WriteFile(path, data, 0o644))
	events, err := ReadTrace(path)
	require.Len(t, events, 1)
	require.ErrorContains(t, err, "record at byte 24: expected an event, found 24 zero bytes, as left by a rank that was killed before it wrote")
}
