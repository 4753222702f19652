// This file tests how the content of a file is recognized by its name and detected from its
// bytes.

package instr

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
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
				content = GVTFile // nothing tells them apart
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
		Models: "samples of models", Trace: "an event trace",
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
			require.ErrorContains(t, err, "x.bin: record at byte 0: expected "+looks[content]+", the bytes look like "+looks[is], name)
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
	for dest, src := range map[uint32]uint32{104: 0, 44: 1, 36: 2, 48: 2, 24: 3} {
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
				want = Trace // nothing speaks against it
			}
			require.Equal(t, want, r.Content(), "%s cut at %d", name, cut)
		}
	}
}

func TestEventThatNoRunWouldRecordIsTakenForOneOnlyIfTheNameSaysSo(t *testing.T) {
	for _, e := range []Event{
		{SendTS: 3, RecvTS: 2}, {RecvTS: 1, RealTS: -1}, {SendTS: 1e-40, RecvTS: 1}, {RecvTS: 1e-40}, {RecvTS: 1, RealTS: 1e-40},
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
		require.ErrorContains(t, err, "ross: instrumentation file: x.bin: record at byte 0: expected the beginning of an instrumentation file")
	}
	_, err := readAll(text, Unknown)
	require.ErrorContains(t, err, "found 50 45 5f 49 44 2c 20 47 56 54 2c 20 61 6c 6c 5f:")
}
