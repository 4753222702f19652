// This file pins the reading of a trace: the original's files, and input that is
// broken in any way.

package instr

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// original describes the traces in testdata.
var original = map[string]struct {
	records, payload int
	own              int // records of events of the engine's own LPs
	first, last      Event
}{
	"opt2-evtrace.bin": {
		records: 3225,
		first:   Event{RecvTS: 0.188966393, RealTS: 2373.09766},
		last:    Event{Src: 7, Dest: 7, SendTS: 398.470154, RecvTS: 399.572876, RealTS: 2373.10718},
	},
	"cons2-payload-evtrace.bin": {
		records: 344, payload: 8, own: 20,
		first: Event{Src: 2, Dest: 2, RecvTS: 0.503488362, RealTS: 2721.71948,
			Payload: []byte{7, 0, 0, 0, 0, 0, 0, 0}},
		last: Event{Src: 5, Dest: 5, SendTS: 57.9471436, RecvTS: 59.8345566, RealTS: 2721.7207,
			Payload: []byte{105, 0, 0, 0, 0, 0, 0, 0}},
	},
}

func TestReadTraceReadsTheOriginalsFiles(t *testing.T) {
	for name, want := range original {
		t.Run(name, func(t *testing.T) {
			events, err := ReadTrace(filepath.Join("testdata", name))
			require.NoError(t, err)
			require.Len(t, events, want.records)
			require.Equal(t, want.first, events[0])
			require.Equal(t, want.last, events[len(events)-1])
			own := 0
			for i, e := range events {
				require.Less(t, e.SendTS, e.RecvTS, "record %d", i)
				if e.Dest >= 8 { // an LP of the engine's own, for sampling
					require.Equal(t, e.Src, e.Dest, "record %d", i)
					require.Empty(t, e.Payload, "record %d", i)
					own++
					continue
				}
				require.Len(t, e.Payload, want.payload, "record %d", i)
			}
			require.Equal(t, want.own, own)
		})
	}
}

// threeRecords is a small trace; its records begin at bytes 0, 24 and 53.
func threeRecords() []byte {
	data := AppendEvent(nil, &Event{Src: 1, Dest: 2})
	data = AppendEvent(data, &Event{Src: 3, Dest: 4, Payload: []byte("hello")})
	return AppendEvent(data, &Event{Src: 5, Dest: 6, Payload: []byte("you")})
}

func TestPayloadsOfReadTraceBelongToTheCaller(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.bin")
	require.NoError(t, os.WriteFile(path, threeRecords(), 0o644))
	events, err := ReadTrace(path)
	require.NoError(t, err)
	for i := range events {
		_ = append(events[i].Payload, "more"...)
	}
	require.Equal(t, []Event{
		{Src: 1, Dest: 2}, {Src: 3, Dest: 4, Payload: []byte("hello")}, {Src: 5, Dest: 6, Payload: []byte("you")},
	}, events)
}

func TestTraceCutAnywhereGivesTheWholeRecordsAndNamesTheCut(t *testing.T) {
	data := threeRecords()
	starts := []int{0, 24, 53, len(data)}
	path := filepath.Join(t.TempDir(), "cut.bin")
	for cut := range data {
		require.NoError(t, os.WriteFile(path, data[:cut], 0o644))
		whole := 0
		for starts[whole+1] <= cut {
			whole++
		}
		events, err := ReadTrace(path)
		require.Len(t, events, whole, "cut at %d", cut)
		if cut == starts[whole] {
			require.NoError(t, err, "cut at %d", cut)
			continue
		}
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "cut at %d", cut)
		require.ErrorContains(t, err, fmt.Sprintf("%s: record at byte %d:", path, starts[whole]))
		require.ErrorContains(t, err, fmt.Sprintf("after %d of", cut-starts[whole]))
	}
}

func TestErrorOfReaderIsFinal(t *testing.T) {
	r := NewReader(bytes.NewReader(append(AppendEvent(nil, &Event{RealTS: 1}), make([]byte, 6)...)), "x", Trace)
	_, err := r.Next()
	require.NoError(t, err)
	_, first := r.Next()
	require.ErrorIs(t, first, io.ErrUnexpectedEOF)
	_, again := r.Next()
	require.Equal(t, first, again)
}

func TestFailureOfTheSourceIsPassedOn(t *testing.T) {
	broken := errors.New("broken cable")
	for _, n := range []int{24, 30, 50} {
		in := io.MultiReader(bytes.NewReader(threeRecords()[:n]), iotest.ErrReader(broken))
		r := NewReader(in, "far.bin", Trace)
		_, err := r.Next()
		require.NoError(t, err)
		_, err = r.Next()
		require.ErrorIs(t, err, broken)
		require.ErrorContains(t, err, "far.bin: record at byte 24:")
	}
}

func TestAbsurdPayloadSizeIsAnErrorAtItsRecord(t *testing.T) {
	for _, size := range []uint32{MaxPayload + 1, 1<<32 - 1} {
		data := append(threeRecords(), make([]byte, EventSize)...)
		for i := range 4 {
			data[len(data)-4+i] = byte(size >> (8 * i))
		}
		path := filepath.Join(t.TempDir(), "absurd.bin")
		require.NoError(t, os.WriteFile(path, data, 0o644))
		events, err := ReadTrace(path)
		require.Len(t, events, 3)
		require.ErrorIs(t, err, ErrPayloadSize)
		require.ErrorContains(t, err, path+": record at byte 80:")
		require.ErrorContains(t, err, fmt.Sprint(size))
	}
}

func TestPayloadThatIsNotThereIsNotAllocated(t *testing.T) {
	data := make([]byte, EventSize+10)
	data[EventSize-1] = MaxPayload >> 24
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := NewReader(bytes.NewReader(data), "x", Trace).Next()
	runtime.ReadMemStats(&after)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.ErrorContains(t, err, fmt.Sprintf("after %d of the record's %d bytes", len(data), EventSize+MaxPayload))
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}

func TestReadTraceErrorNamesFileThatIsNotThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing.bin")
	_, err := ReadTrace(path)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, path)
}
