// This file tests how files with samples of memory are recognized, and told from all others.

package instr

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// memories returns n samples of memory, of PEs 0 and 1 in turn. The first are as small as a sample can be.
func memories(n int) (data []byte) {
	for i := range n {
		at := float64(i / 2)
		data = AppendMemory(data, at, at/1000, &MemoryStats{PE: uint32(i % 2), Events: uint32(i), Queue: uint64(i) << 12, Used: uint64(i) << 20, Limit: 1 << 30})
	}
	return data
}

func TestSamplesOfMemoryAreRecognizedUnderAnyName(t *testing.T) {
	for n := range 4 {
		data := memories(1 + 3*n)
		for _, name := range []string{"renamed", FileName("", "", MemorySuffix), FileName("", "", MemorySuffix) + PartSuffix} {
			path := filepath.Join(t.TempDir(), name)
			require.NoError(t, os.WriteFile(path, data, 0o600))
			r, err := Open(path)
			require.NoError(t, err)
			var again []byte
			for rec, err := range r.All() {
				require.NoError(t, err)
				require.Equal(t, KindMemory, rec.Kind)
				require.Equal(t, Memory, r.Content())
				again = encode(again, rec)
			}
			require.Equal(t, data, again)
			require.NoError(t, r.Close())
		}
	}
}

func TestSamplesOfMemoryAreTakenForNothingElse(t *testing.T) {
	for content, text := range words {
		if c := Content(content); c != Unknown && c != Memory {
			_, err := readAll(memories(4), c)
			require.ErrorContains(t, err, "x.bin: record at byte 0: expected "+text+", the bytes look like samples of memory: give the file a name that says what it holds")
		}
	}
}

func TestNothingElseIsTakenForSamplesOfMemory(t *testing.T) {
	for name := range counts {
		_, err := readAll(testFile(t, name), Memory)
		require.ErrorContains(t, err, "x.bin: record at byte 0: expected samples of memory, the bytes look like "+words[ContentOf(name)])
	}
}

func TestEventsThatLookLikeTheMetadataOfMemoryAreATrace(t *testing.T) {
	var data []byte
	for i := range 20 {
		data = AppendEvent(data, &Event{Src: uint32(FlagMemory), Dest: MemorySize, SendTS: float32(i), RecvTS: float32(i + 1), RealTS: 0.1})
		records, err := readAll(data, Unknown)
		require.NoError(t, err)
		require.Len(t, records, i+1)
		require.Equal(t, KindEvent, records[i].Kind)
	}
}

func TestSamplesOfMemoryCutAnywhereGiveTheWholeRecords(t *testing.T) {
	data := memories(3)
	const size = MetaSize + MemorySize
	for cut := range data {
		for _, content := range []Content{Memory, Unknown} {
			records, err := readAll(data[:cut], content)
			if content == Unknown && cut < size {
				continue // at time 0 it may be an event
			}
			require.Len(t, records, cut/size, "cut at %d", cut)
			if cut%size == 0 {
				require.NoError(t, err)
				continue
			}
			require.ErrorIs(t, err, io.ErrUnexpectedEOF, "cut at %d as %v", cut, content)
		}
	}
	bad := patched(data, size, 7)
	records, err := readAll(bad, Unknown)
	require.Len(t, records, 1)
	require.ErrorContains(t, err, "x.bin: record at byte 64: expected flag 4 and size 40 (memory), found flag 7 and size 40: the file is damaged from here on")
}

func TestReaderTakesNoMemoryForASampleOfMemory(t *testing.T) {
	r := NewReader(&endless{data: memories(10)}, "x", Memory)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		_, err := r.Next()
		require.NoError(t, err)
	}))
}
