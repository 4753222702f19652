// This file pins the writing of a trace: bytes, buffer, names, and what happens
// after Close and Abort.

package instr

import (
	"bytes"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// create starts a trace in a folder of its own.
func create(t testing.TB, bufBytes int) (w *TraceWriter, path string) {
	t.Helper()
	path = FileName(t.TempDir(), "", TraceSuffix)
	w, err := CreateTrace(path, bufBytes)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Abort()) })
	return w, path
}

func add(w *TraceWriter, e Event) {
	w.Add(uint64(e.Src), uint64(e.Dest), float64(e.SendTS), float64(e.RecvTS), float64(e.RealTS), e.Payload)
}

func TestRecordHasTheBytesOfTheFormat(t *testing.T) {
	w, path := create(t, 0)
	w.Add(1<<40|0x01020304, 0xA0B0C0D0, 1, -2, 0.5, []byte("abc"))
	w.Add(0, 0, 1e300, math.Inf(-1), 1.0/3, nil)
	require.NoError(t, w.Close())
	want := []byte{
		4, 3, 2, 1, 0xD0, 0xC0, 0xB0, 0xA0,
		0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, 0, 0, 0, 0x3F,
		3, 0, 0, 0, 'a', 'b', 'c',
		0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0x80, 0x7F, 0, 0, 0x80, 0xFF, 0xAB, 0xAA, 0xAA, 0x3E,
		0, 0, 0, 0,
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestTracesOfTheOriginalAreWrittenAgainByteForByte(t *testing.T) {
	for name := range original {
		for _, bufBytes := range []int{0, 1, 100, 4096} {
			events, err := ReadTrace(filepath.Join("testdata", name))
			require.NoError(t, err)
			w, path := create(t, bufBytes)
			for _, e := range events {
				add(w, e)
			}
			require.NoError(t, w.Close())
			want, err := os.ReadFile(filepath.Join("testdata", name))
			require.NoError(t, err)
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			require.True(t, bytes.Equal(want, got), "%s, buffer %d", name, bufBytes)
			require.EqualValues(t, len(events), w.Records())
			require.EqualValues(t, len(want), w.Bytes())
		}
	}
}

func TestEveryRecordComesBackWhateverTheBuffer(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	for range 40 {
		events := make([]Event, rnd.IntN(300))
		for i := range events {
			events[i] = randomEvent(rnd)
		}
		bufBytes := 1 + rnd.IntN(2000)
		w, path := create(t, bufBytes)
		for _, e := range events {
			add(w, e)
		}
		require.NoError(t, w.Close())
		got, err := ReadTrace(path)
		require.NoError(t, err)
		require.Len(t, got, len(events))
		for i := range events {
			require.Equal(t, events[i], got[i], "record %d, buffer %d", i, bufBytes)
		}
	}
}

// randomEvent returns any record whose times are no NaN, now and then with a payload
// larger than the buffers of the tests.
func randomEvent(rnd *rand.Rand) Event {
	ts := func() float32 {
		for {
			if f := math.Float32frombits(rnd.Uint32()); f == f {
				return f
			}
		}
	}
	e := Event{Src: rnd.Uint32(), Dest: rnd.Uint32(), SendTS: ts(), RecvTS: ts(), RealTS: ts()}
	size := rnd.IntN(40)
	if rnd.IntN(50) == 0 {
		size = rnd.IntN(10_000)
	}
	for range size {
		e.Payload = append(e.Payload, byte(rnd.Uint32()))
	}
	return e
}

func TestFileHoldsWholeRecordsWhileTheRunGoesOn(t *testing.T) {
	w, path := create(t, 100)
	for i := range uint64(50) {
		w.Add(i, i, 0, 1, 0, []byte("1234567"))
		events, err := ReadTrace(path + PartSuffix)
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(events), int(i+1)-100/31)
		require.LessOrEqual(t, len(events), int(i+1))
	}
}

func TestBufferSizeIsDefaultOrCutToTheLargest(t *testing.T) {
	for _, c := range []struct{ ask, want int }{
		{-1, DefaultBuffer}, {0, DefaultBuffer}, {77, 77}, {math.MaxInt, MaxBuffer},
	} {
		w, _ := create(t, c.ask)
		require.Equal(t, c.want, cap(w.buf))
	}
}

func TestAddDoesNotAllocate(t *testing.T) {
	w, _ := create(t, 1000)
	payload := make([]byte, 2000) // larger than the buffer: it grows once
	w.Add(1, 2, 3, 4, 5, payload)
	n := testing.AllocsPerRun(1000, func() {
		w.Add(1, 2, 3, 4, 5, nil)
		w.Add(1, 2, 3, 4, 5, payload[:16])
		w.Add(1, 2, 3, 4, 5, payload)
	})
	require.Zero(t, n)
	require.NoError(t, w.Close())
}

func TestAddRefusesPayloadThatTheReaderWouldRefuse(t *testing.T) {
	w, path := create(t, MaxPayload+1000)
	w.Add(1, 2, 3, 4, 5, nil)
	w.Add(1, 2, 3, 4, 5, make([]byte, MaxPayload+1))
	require.ErrorIs(t, w.Err(), ErrPayloadSize)
	require.ErrorContains(t, w.Err(), path)
	require.EqualValues(t, 1, w.Records())
	require.ErrorIs(t, w.Close(), ErrPayloadSize)
	events, err := ReadTrace(path + PartSuffix)
	require.NoError(t, err)
	require.Len(t, events, 1, "the records before it are not lost")
}

func TestLargestPayloadComesBack(t *testing.T) {
	w, path := create(t, 0)
	payload := bytes.Repeat([]byte("payload."), MaxPayload/8)
	w.Add(1, 2, 3, 4, 5, payload)
	w.Add(6, 7, 3, 4, 5, nil)
	require.NoError(t, w.Close())
	events, err := ReadTrace(path)
	require.NoError(t, err)
	require.Len(t, events, 2)
	require.True(t, bytes.Equal(payload, events[0].Payload))
}

func TestTraceHasItsNameOnlyAfterClose(t *testing.T) {
	w, path := create(t, 1)
	w.Add(1, 2, 3, 4, 5, nil)
	w.Add(1, 2, 3, 4, 5, nil)
	require.NoFileExists(t, path)
	require.FileExists(t, path+PartSuffix)
	require.NoError(t, w.Close())
	require.FileExists(t, path)
	require.NoFileExists(t, path+PartSuffix)

	require.NoError(t, w.Close())
	require.NoError(t, w.Abort())
	require.FileExists(t, path)
}

func TestTraceWithoutRecordsIsAnEmptyFile(t *testing.T) {
	w, path := create(t, 0)
	require.NoError(t, w.Close())
	events, err := ReadTrace(path)
	require.NoError(t, err)
	require.Empty(t, events)
}

func TestAbortLeavesNothing(t *testing.T) {
	w, path := create(t, 1)
	w.Add(1, 2, 3, 4, 5, nil)
	require.NoError(t, w.Abort())
	require.NoError(t, w.Abort())
	require.NoError(t, w.Close())
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestAbortAgainSparesTheTraceOfTheNextWriter(t *testing.T) {
	w, path := create(t, 0)
	require.NoError(t, w.Abort())
	next, err := CreateTrace(path, 0)
	require.NoError(t, err)
	require.NoError(t, w.Abort())
	require.NoError(t, next.Close())
	require.FileExists(t, path)
}

func TestAbortTellsOfFileItCannotRemove(t *testing.T) {
	w, path := create(t, 0)
	require.NoError(t, os.Remove(path+PartSuffix))
	err := w.Abort()
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, path)
}

func TestAddAfterTheEndIsAnError(t *testing.T) {
	for name, end := range map[string]func(*TraceWriter) error{
		"Close": (*TraceWriter).Close, "Abort": (*TraceWriter).Abort,
	} {
		w, path := create(t, 0)
		require.NoError(t, end(w), name)
		w.Add(1, 2, 3, 4, 5, nil)
		require.ErrorIs(t, w.Err(), fs.ErrClosed, name)
		require.ErrorContains(t, w.Err(), path, name)
		require.ErrorIs(t, w.Close(), fs.ErrClosed, name)
		require.Zero(t, w.Records(), name)
	}
}

func TestCloseThatCannotRenameKeepsTheData(t *testing.T) {
	w, path := create(t, 0)
	w.Add(1, 2, 3, 4, 5, nil)
	require.NoError(t, os.Mkdir(path, 0o755))
	err := w.Close()
	require.ErrorContains(t, err, path)
	require.Equal(t, err, w.Close())
	events, err := ReadTrace(path + PartSuffix)
	require.NoError(t, err)
	require.Len(t, events, 1)
	require.NoError(t, w.Abort())
	require.NoFileExists(t, path+PartSuffix)
}

func TestCreateTraceNeverOverwrites(t *testing.T) {
	for _, suffix := range []string{"", PartSuffix} {
		path := FileName(t.TempDir(), "", TraceSuffix)
		require.NoError(t, os.WriteFile(path+suffix, []byte("old"), 0o644))
		_, err := CreateTrace(path, 0)
		require.ErrorIs(t, err, fs.ErrExist)
		require.ErrorContains(t, err, path+suffix)
		left, err := os.ReadDir(filepath.Dir(path))
		require.NoError(t, err)
		require.Len(t, left, 1)
		data, err := os.ReadFile(path + suffix)
		require.NoError(t, err)
		require.Equal(t, "old", string(data))
	}
}

func TestCreateTraceErrorNamesFolderThatIsNone(t *testing.T) {
	base := t.TempDir()
	file := filepath.Join(base, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for _, dir := range []string{file, filepath.Join(base, "missing")} {
		_, err := CreateTrace(FileName(dir, "", TraceSuffix), 0)
		require.ErrorContains(t, err, FileName(dir, "", TraceSuffix))
		require.True(t, strings.HasPrefix(err.Error(), "ross: event trace: "), err)
	}
}

func BenchmarkAdd(b *testing.B) {
	w, _ := create(b, 0)
	b.ReportAllocs()
	b.SetBytes(headerSize)
	for b.Loop() {
		w.Add(1, 2, 3, 4, 5, nil)
	}
	require.NoError(b, w.Err())
}
