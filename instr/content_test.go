// This file owns the tests of what a file contains: its content is recognized by its name and detected from its
// bytes, samples of memory differ from all others, and the bytes of an event, put or appended, are those of the
// original's traces.

package instr

import (
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testalloc"
)

func TestNameTellsContent(t *testing.T) {
	for suffix, want := range map[string]Content{
		GVTSuffix: GVTFile, RTSuffix: RTFile, VTSuffix: VTFile, ModelSuffix: Models, TraceSuffix: Trace,
		VTEngineSuffix: VTEngine, MemorySuffix: Memory,
	} {
		require.Equal(t, suffix, want.String())
		for _, name := range []string{
			FileName("a/b", "", suffix), FileName("", "x-rt", suffix), FileName("", "gvt.bin", suffix), suffix + ".bin",
		} {
			require.Equal(t, want, ContentOf(name), name)
			require.Equal(t, want, ContentOf(name+PartSuffix), name)
		}
	}
	for _, name := range []string{
		"", "gvt", "x.bin", "x-gvt", "x-gvt.bin.old", "x-gvt.part", "xgvt.bin", "x-analysis.bin", "x-lps.bin", "a-gvt.bin/x",
	} {
		require.Equal(t, Unknown, ContentOf(name), name)
	}
	require.Equal(t, "unknown", Unknown.String())
	require.Equal(t, "unknown", Content(99).String())
}

func TestContentUnderAnotherNameIsFoundOut(t *testing.T) {
	for name, want := range counts {
		data := testFile(t, name)
		path := filepath.Join(t.TempDir(), "renamed")
		require.NoError(t, os.WriteFile(path, data, 0o644))
		r, err := Open(path)
		require.NoError(t, err)
		require.Equal(t, Unknown, r.Content())
		got := map[Kind]int{}
		for rec, err := range r.All() {
			require.NoError(t, err, name)
			got[rec.Kind]++
			content := ContentOf(name)
			if content == RTFile {
				content = GVTFile // nothing distinguishes them
			}
			require.Equal(t, content, r.Content(), name)
		}
		require.Equal(t, want, got)
		require.NoError(t, r.Close())
	}
}

func TestContentThatTheNameDoesNotTellIsAnErrorThatSaysWhatItLooksLike(t *testing.T) {
	looks := map[Content]string{
		GVTFile: "samples of PEs, KPs and LPs", RTFile: "samples of PEs, KPs and LPs", VTFile: "samples at virtual times",
		Models: "samples of models", Trace: "an event trace", Memory: "samples of memory",
	}
	for name := range counts {
		is := ContentOf(name)
		for content := range looks {
			samples := is == GVTFile || is == RTFile
			if content == is || samples && (content == GVTFile || content == RTFile || content == VTFile) {
				continue
			}
			records, err := readAll(testFile(t, name), content)
			require.Empty(t, records)
			require.ErrorContains(t, err, "x.bin: record at byte 0: expected "+looks[content]+", the bytes look like "+looks[is],
				name)
		}
	}
}

func TestSamplesWhoseClockStoodAreNoTrace(t *testing.T) {
	data := AppendPE(nil, 3, 0, &PEStats{})
	data = AppendKP(data, 3, 0, &KPStats{})
	_, err := readAll(data, Trace)
	require.ErrorContains(t, err, "expected an event trace, the bytes look like samples of PEs, KPs and LPs")
}

func TestEventsBetweenLPsThatLookLikeMetadataAreATrace(t *testing.T) {
	for dest, src := range map[uint32]uint32{104: 0, 44: 1, 36: 2, 48: 2, 24: 3, MemorySize: uint32(FlagMemory)} {
		var data []byte
		for i := range 20 {
			data = AppendEvent(data, &Event{Src: src, Dest: dest, SendTS: float32(i), RecvTS: float32(i + 1), RealTS: 0.1})
			for _, content := range []Content{Trace, Unknown} {
				records, err := readAll(data, content)
				require.NoError(t, err, "%d events from %d to %d", i+1, src, dest)
				require.Len(t, records, i+1)
				require.Equal(t, dest, records[i].Event.Dest)
			}
		}
	}
}

func TestSamplesOfModelsMayComeLateInAnUnknownFile(t *testing.T) {
	data := bytes.Repeat(AppendPE(nil, 1, 1, &PEStats{}), 1+sniffSize/(MetaSize+PESize))
	before := len(data)
	data = AppendVTModel(data, &VTModel{LP: 1, TS: 1})
	r := NewReader(bytes.NewReader(data), "x", Unknown)
	for rec, err := range r.All() {
		require.NoError(t, err)
		want := GVTFile
		if rec.Kind == KindVTModel {
			want = VTFile
			require.EqualValues(t, before, rec.Offset)
		}
		require.Equal(t, want, r.Content())
	}
	require.Equal(t, VTFile, r.Content())
}

func TestDamageIsFoundAtItsRecordNotTakenForAnotherContent(t *testing.T) {
	for name := range counts {
		is := ContentOf(name)
		if is == Trace {
			continue // not every damage shows
		}
		data := testFile(t, name)
		all, err := readAll(data, is)
		require.NoError(t, err)
		at := 0 // of the flag
		if is == VTFile {
			at = 44
		}
		for _, i := range []int{1, 5, 30} {
			bad := patched(data, int(all[i].Offset)+at, 77)
			for _, content := range []Content{is, Unknown} {
				records, err := readAll(bad, content)
				require.ErrorContains(t, err, "the file is damaged from here on", name)
				require.Len(t, records, i)
			}
		}
	}
}

func TestEmptyFileIsOfAnyContent(t *testing.T) {
	for content := Unknown; content <= Memory; content++ {
		r := NewReader(bytes.NewReader(nil), "x", content)
		_, err := r.Next()
		require.Equal(t, io.EOF, err)
		require.Equal(t, content, r.Content())
		require.Zero(t, r.Offset())
	}
}

func TestFileCutInItsFirstRecordIsWhatItsFirstBytesSay(t *testing.T) {
	for name := range counts {
		for _, cut := range []int{5, 20} {
			r := NewReader(bytes.NewReader(testFile(t, name)[:cut]), "x", Unknown)
			_, err := r.Next()
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
			want := ContentOf(name)
			if want == RTFile {
				want = GVTFile
			}
			if cut == 5 || want == VTFile {
				want = Trace // nothing contradicts it
			}
			require.Equal(t, want, r.Content(), "%s cut at %d", name, cut)
		}
	}
}

func TestEventThatNoRunWouldRecordIsTakenForOneOnlyIfTheNameSaysSo(t *testing.T) {
	for _, e := range []Event{
		{SendTS: 3, RecvTS: 2}, {RecvTS: 1, RealTS: -1}, {SendTS: 1e-40, RecvTS: 1}, {RecvTS: 1e-40},
		{RecvTS: 1, RealTS: 1e-40},
	} {
		data := AppendEvent(nil, &e)
		records, err := readAll(data, Trace)
		require.NoError(t, err)
		require.Len(t, records, 1)
		_, err = readAll(data, Unknown)
		require.ErrorContains(t, err, "expected the beginning of an instrumentation file")
	}
}

func TestCutTraceThatCouldBeSamplesIsACutTraceIfTheNameSaysSo(t *testing.T) {
	data := AppendEvent(nil, &Event{Src: 2, Dest: LPSizeLong, RecvTS: 1, Payload: make([]byte, 100)})
	_, err := readAll(data[:MetaSize+LPSizeLong], Trace)
	require.ErrorContains(t, err, "after 72 of the record's 124 bytes")
}

func TestDamagedFirstSampleIsNotTakenForAnEventByChance(t *testing.T) {
	data := patched(AppendVTModel(nil, &VTModel{LP: 2, TS: 10, Payload: []byte("payload")}), 44, 77)
	require.Equal(t, EventSize, fits(Trace, data, true).whole, "the first half looks like an event")
	_, err := readAll(data, VTFile)
	require.ErrorContains(t, err, "flag 3 (model) 44 bytes on, found 77")
}

func TestReadTraceTakesAnyName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x-gvt.bin")
	require.NoError(t, os.WriteFile(path, threeRecords(), 0o644))
	events, err := ReadTrace(path)
	require.NoError(t, err)
	require.Len(t, events, 3)
}

func TestContentThatThereIsNotIsUnknown(t *testing.T) {
	r := NewReader(bytes.NewReader(testFile(t, "opt2-model.bin")), "x", Memory+1)
	_, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, Models, r.Content())
}

func TestKindsHaveNames(t *testing.T) {
	var names []string
	for k := range KindMemory + 2 {
		names = append(names, k.String())
	}
	require.Equal(t, []string{"pe", "kp", "lp", "model", "vt-model", "event", "memory", "unknown"}, names)
}

func TestBytesOfNoInstrumentationAreAnErrorThatShowsThem(t *testing.T) {
	text := []byte("PE_ID, GVT, all_reduce_count, events_processed, events_aborted\n")
	for _, data := range [][]byte{text, bytes.Repeat([]byte{0xFF}, 100)} {
		_, err := readAll(data, Unknown)
		require.ErrorContains(t, err,
			"ross: instrumentation file: x.bin: record at byte 0: expected the beginning of an instrumentation file")
	}
	_, err := readAll(text, Unknown)
	require.ErrorContains(t, err, "found 50 45 5f 49 44 2c 20 47 56 54 2c 20 61 6c 6c 5f:")
}

// memories returns n samples of memory, of PEs 0 and 1 in turn. The first are as small as a sample can be.
func memories(n int) (data []byte) {
	for i := range n {
		at := float64(i / 2)
		data = AppendMemory(data, at, at/1000, &MemoryStats{PE: uint32(i % 2), Events: uint32(i), Queue: uint64(i) << 12,
			Used: uint64(i) << 20, Limit: 1 << 30})
	}
	return data
}

func TestEventHasTheBytesOfTheFormat(t *testing.T) {
	want := []byte{
		4, 3, 2, 1, 0xD0, 0xC0, 0xB0, 0xA0,
		0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, 0, 0, 0, 0x3F,
		3, 0, 0, 0, 'a', 'b', 'c',
		0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF,
		0, 0, 0x80, 0x7F, 0, 0, 0x80, 0xFF, 0xAB, 0xAA, 0xAA, 0x3E,
		0, 0, 0, 0,
	}
	put := bytes.Repeat([]byte{0x55}, len(want)) // as Reserve gives it
	PutEvent(put, 1<<40|0x01020304, 0xA0B0C0D0, 1, -2, 0.5, []byte("abc"))
	PutEvent(put[EventSize+3:], 1<<32, math.MaxUint64, 1e300, math.Inf(-1), 1.0/3, nil)
	require.Equal(t, want, put)

	appended := AppendEvent(nil, &Event{0x01020304, 0xA0B0C0D0, 1, -2, 0.5, []byte("abc")})
	inf := float32(math.Inf(1))
	appended = AppendEvent(appended, &Event{0, math.MaxUint32, inf, -inf, 1.0 / 3, nil})
	require.Equal(t, want, appended)
}

func TestPutEventLeavesTheRestOfTheSliceAlone(t *testing.T) {
	b := bytes.Repeat([]byte{0x55}, 2*EventSize)
	PutEvent(b, 1, 2, 3, 4, 5, []byte("abc"))
	require.Equal(t, bytes.Repeat([]byte{0x55}, EventSize-3), b[EventSize+3:])
}

func TestAppendEventToReservedRoomFillsIt(t *testing.T) {
	room := bytes.Repeat([]byte{0x55}, EventSize+2)
	got := AppendEvent(room[:0], &Event{Src: 7, Payload: []byte("ab")})
	require.Equal(t, room, got)
	require.Same(t, &room[0], &got[0])
}

func TestNothingIsAllocatedForAnEvent(t *testing.T) {
	room, payload := make([]byte, EventSize+2), []byte("ab")
	require.Zero(t, testalloc.PerRun(100, func() {
		PutEvent(room, 1, 2, 3, 4, 5, payload)
		AppendEvent(room[:0], &Event{Src: 7, Payload: payload})
	}))
}

func TestTracesOfTheOriginalAreWrittenAgainByteForByte(t *testing.T) {
	for name := range original {
		want := testFile(t, name)
		for _, size := range []int{40, 100, 4096, 0} {
			f, path := createFile(t, FileOptions{Buffers: 1, Size: size})
			b := f.Buffer(0)
			events, err := readAll(want, Trace)
			require.NoError(t, err)
			for i := range events {
				e := &events[i].Event
				n := EventSize + len(e.Payload)
				if size > 0 && b.Used()+n > size {
					b.HandOver()
				}
				PutEvent(b.Reserve(n), uint64(e.Src), uint64(e.Dest), float64(e.SendTS), float64(e.RecvTS), float64(e.RealTS),
					e.Payload)
			}
			b.HandOver()
			require.NoError(t, f.Publish())
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			require.True(t, bytes.Equal(want, got), "%s, buffer of %d bytes", name, size)
			require.EqualValues(t, len(events), b.Records())
			require.EqualValues(t, len(want), f.Bytes())
		}
	}
}
