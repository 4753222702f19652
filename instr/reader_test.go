// This file pins the reading of every content: the original's files, streams, ends, and what stays after an error;
// and that of a trace: the original's files, and input that is broken in any way.

package instr

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/ross-go/ross/internal/testing/testalloc"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/stretchr/testify/require"
)

// counts has the number of records of each kind in the files of testdata.
var counts = map[string]map[Kind]int{
	"opt2-gvt.bin":                   {KindPE: 202, KindKP: 404, KindLP: 808},
	"lp36-gvt.bin":                   {KindPE: 202, KindKP: 404, KindLP: 808},
	"opt2-rt.bin":                    {KindPE: 437, KindKP: 874, KindLP: 1748},
	"opt2-model.bin":                 {KindModel: 392},
	"cons2-payload-analysis-lps.bin": {KindVTModel: 40},
	"opt2-evtrace.bin":               {KindEvent: 3225},
	"cons2-payload-evtrace.bin":      {KindEvent: 344},
	ownMemory:                        {KindMemory: 300},
}

// ownMemory is no file of testdata: the original has no samples of memory.
const ownMemory = "own-memory.bin"

// testFile returns the bytes of a file in testdata, or those of ownMemory.
func testFile(t testing.TB, name string) []byte {
	t.Helper()
	if name == ownMemory {
		return memories(302)[2*(MetaSize+MemorySize):] // at time 0 it may be an event
	}
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return data
}

// readAll returns copies of the records in data, and the error after them, nil at the end.
func readAll(data []byte, content Content) (records []Record, err error) {
	r := NewReader(bytes.NewReader(data), "x.bin", content)
	for rec, err := range r.All() {
		if err != nil {
			return records, err
		}
		records = append(records, own(rec))
	}
	return records, nil
}

// own returns a copy that lasts, with only the parts that belong to the kind.
func own(rec *Record) Record {
	c := Record{Kind: rec.Kind, Offset: rec.Offset}
	switch rec.Kind {
	case KindVTModel:
		c.VTModel = rec.VTModel
		c.VTModel.Payload = bytes.Clone(rec.VTModel.Payload)
		return c
	case KindEvent:
		c.Event = rec.Event
		c.Event.Payload = bytes.Clone(rec.Event.Payload)
		return c
	}
	c.Meta = rec.Meta
	switch rec.Kind {
	case KindPE:
		c.PE = rec.PE
	case KindKP:
		c.KP = rec.KP
	case KindLP:
		c.LP = rec.LP
	case KindModel:
		c.Model = rec.Model
		c.Model.Payload = bytes.Clone(rec.Model.Payload)
	case KindMemory:
		c.Memory = rec.Memory
	}
	return c
}

// encode appends the bytes of rec, an LP's in 36.
func encode(dst []byte, rec *Record) []byte {
	switch rec.Kind {
	case KindPE:
		return AppendPE(dst, rec.Meta.TS, rec.Meta.RealTime, &rec.PE)
	case KindKP:
		return AppendKP(dst, rec.Meta.TS, rec.Meta.RealTime, &rec.KP)
	case KindLP:
		return AppendLP(dst, rec.Meta.TS, rec.Meta.RealTime, &rec.LP)
	case KindModel:
		return AppendModel(dst, rec.Meta.TS, rec.Meta.RealTime, &rec.Model)
	case KindVTModel:
		return AppendVTModel(dst, &rec.VTModel)
	case KindMemory:
		return AppendMemory(dst, rec.Meta.TS, rec.Meta.RealTime, &rec.Memory)
	}
	return AppendEvent(dst, &rec.Event)
}

func TestOpenReadsTheOriginalsFilesToTheLastByte(t *testing.T) {
	for name, want := range counts {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			require.NoError(t, os.WriteFile(path, testFile(t, name), 0o600))
			r, err := Open(path)
			require.NoError(t, err)
			require.Equal(t, ContentOf(name), r.Content())
			got := map[Kind]int{}
			offset := int64(0)
			for rec, err := range r.All() {
				require.NoError(t, err)
				require.Equal(t, offset, rec.Offset)
				offset = r.Offset()
				got[rec.Kind]++
			}
			require.Equal(t, want, got)
			require.EqualValues(t, len(testFile(t, name)), r.Offset())
			require.NoError(t, r.Close())
		})
	}
}

func TestFilesOfTheOriginalAreEncodedAgainByteForByte(t *testing.T) {
	for name := range counts {
		data := testFile(t, name)
		records, err := readAll(data, ContentOf(name))
		require.NoError(t, err)
		for i := range records {
			rec := &records[i]
			got := encode(nil, rec)
			if rec.Meta.Size == LPSizeLong && rec.Kind == KindLP {
				require.Equal(t, long36(data[rec.Offset:]), got, "%s, record %d", name, i)
				continue
			}
			require.Equal(t, data[rec.Offset:][:len(got)], got, "%s, record %d", name, i)
		}
	}
}

// long36 returns the bytes of the LP in 48 bytes that begins b as one in 36.
func long36(b []byte) []byte {
	short := bytes.Clone(b[:MetaSize+LPSize])
	short[4] = LPSize
	copy(short[MetaSize+32:], b[MetaSize+40:MetaSize+44])
	return short
}

func TestLPsIn48BytesAreThoseIn36(t *testing.T) {
	short, err := readAll(testFile(t, "lp36-gvt.bin"), GVTFile)
	require.NoError(t, err)
	long, err := readAll(testFile(t, "opt2-gvt.bin"), GVTFile)
	require.NoError(t, err)
	require.Len(t, long, len(short))
	for i := range long {
		if long[i].Kind == KindLP {
			require.EqualValues(t, LPSizeLong, long[i].Meta.Size)
			require.EqualValues(t, LPSize, short[i].Meta.Size)
		}
		long[i].Meta.Size, long[i].Offset = short[i].Meta.Size, short[i].Offset
		require.Equal(t, short[i], long[i], "record %d", i)
	}
}

func TestSamplesOfTheOriginalAreInOrderAndAddUp(t *testing.T) {
	for _, name := range []string{"opt2-gvt.bin", "opt2-rt.bin"} {
		records, err := readAll(testFile(t, name), ContentOf(name))
		require.NoError(t, err)
		for ; len(records) > 0; records = records[7:] {
			pe := records[0]
			require.Equal(t, KindPE, pe.Kind)
			require.Equal(t, Efficiency(uint64(pe.PE.Processed), uint64(pe.PE.RolledBack)), pe.PE.Efficiency)
			var kps, lps uint32
			for i, rec := range records[1:7] {
				require.Equal(t, pe.Meta.TS, rec.Meta.TS)
				require.Equal(t, pe.Meta.RealTime, rec.Meta.RealTime)
				if i < 2 {
					require.Equal(t, KindKP, rec.Kind)
					require.EqualValues(t, i, rec.KP.KP)
					require.Equal(t, pe.PE.PE, rec.KP.PE)
					require.Equal(t, Efficiency(uint64(rec.KP.Processed), uint64(rec.KP.RolledBack)), rec.KP.Efficiency)
					kps += rec.KP.Processed
					continue
				}
				require.Equal(t, KindLP, rec.Kind)
				require.Equal(t, pe.PE.PE*4+uint32(i-2), rec.LP.LP)
				require.Equal(t, Efficiency(uint64(rec.LP.Processed), uint64(rec.LP.RolledBack)), rec.LP.Efficiency)
				lps += rec.LP.Processed
			}
			require.Equal(t, pe.PE.Processed, kps)
			require.Equal(t, pe.PE.Processed, lps)
		}
	}
}

func TestReaderReadsEveryContentInAnyPieces(t *testing.T) {
	for name, want := range counts {
		data := testFile(t, name)
		for _, in := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader} {
			for _, content := range []Content{ContentOf(name), Unknown} {
				got := map[Kind]int{}
				for rec, err := range NewReader(in(bytes.NewReader(data)), name, content).All() {
					require.NoError(t, err, name)
					got[rec.Kind]++
				}
				require.Equal(t, want, got, name)
			}
		}
	}
}

func TestFileCutAnywhereGivesTheWholeRecordsAndNamesTheCut(t *testing.T) {
	for name := range counts {
		content := ContentOf(name)
		data := testFile(t, name)
		all, err := readAll(data, content)
		require.NoError(t, err)
		whole := -1
		for cut := range all[3].Offset {
			if cut == all[whole+1].Offset {
				whole++
			}
			records, err := readAll(data[:cut], content)
			if cut == all[whole].Offset {
				require.NoError(t, err)
				require.Len(t, records, whole)
				continue
			}
			require.Len(t, records, whole, "%s cut at %d", name, cut)
			require.ErrorIs(t, err, io.ErrUnexpectedEOF, "%s cut at %d", name, cut)
			require.ErrorContains(t, err, fmt.Sprintf("x.bin: record at byte %d:", all[whole].Offset))
			require.ErrorContains(t, err, fmt.Sprintf("after %d of the ", cut-all[whole].Offset))
		}
	}
}

func TestSourceThatFailsIsPassedOnWhateverTheContent(t *testing.T) {
	broken := errors.New("broken cable")
	for name := range counts {
		data := testFile(t, name)
		for _, content := range []Content{ContentOf(name), Unknown} {
			in := io.MultiReader(bytes.NewReader(data[:1000]), iotest.ErrReader(broken))
			r := NewReader(in, name, content)
			var last error
			for _, err := range r.All() {
				last = err
			}
			require.ErrorIs(t, last, broken, name)
			require.ErrorContains(t, last, fmt.Sprintf("%s: record at byte %d:", name, r.Offset()))
			_, err := r.Next()
			require.Equal(t, last, err, "an error is final")
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

func TestSourceThatBreaksTheRulesIsAnError(t *testing.T) {
	for name, read := range map[string]readerFunc{
		"gives nothing":     func([]byte) (int, error) { return 0, nil },
		"counts too much":   func(b []byte) (int, error) { return len(b) + 1, nil },
		"counts below zero": func([]byte) (int, error) { return -1, nil },
	} {
		_, err := NewReader(read, "far.bin", Unknown).Next()
		require.ErrorContains(t, err, "ross: instrumentation file: far.bin: record at byte 0:", name)
	}
}

func TestSourceMayGiveNothingForAWhile(t *testing.T) {
	data, calls := threeRecords(), 0
	slow := func(b []byte) (int, error) {
		if calls++; calls%50 != 0 {
			return 0, nil
		}
		if len(data) == 0 {
			return 0, io.EOF
		}
		n := copy(b[:1], data)
		data = data[n:]
		return n, nil
	}
	n := 0
	for _, err := range NewReader(readerFunc(slow), "x", Trace).All() {
		require.NoError(t, err)
		n++
	}
	require.Equal(t, 3, n)
}

func TestReaderTakesNoMemoryForARecord(t *testing.T) {
	for name := range counts {
		r := NewReader(&endless{data: testFile(t, name)}, name, ContentOf(name))
		next := func() {
			for range 100 {
				_, err := r.Next()
				require.NoError(t, err)
			}
		}
		next()
		require.Zero(t, testalloc.PerRun(100, next), name)
	}
}

func TestLongStreamIsReadInConstantMemory(t *testing.T) {
	testlevel.Once(t, "how much memory it takes")
	const records = 1_000_000
	one := AppendEvent(nil, &Event{Src: 1, Dest: 2, RecvTS: 3, Payload: []byte("payload")})
	in := io.LimitReader(&endless{data: bytes.Repeat(one, 1000)}, records*int64(len(one)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := 0
	for _, err := range NewReader(in, "x", Trace).All() {
		if err != nil {
			require.NoError(t, err)
		}
		n++
	}
	runtime.ReadMemStats(&after)
	require.Equal(t, records, n)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}

func TestLargestPayloadsAreReadInOneBuffer(t *testing.T) {
	testlevel.Once(t, "how much memory it takes")
	large := bytes.Repeat([]byte("payload."), MaxPayload/8)
	for content, rec := range map[Content]Record{
		Trace:  {Kind: KindEvent, Event: Event{Payload: large}},
		Models: {Kind: KindModel, Model: ModelStats{Mode: ByGVT, Payload: large}},
		VTFile: {Kind: KindVTModel, VTModel: VTModel{TS: 1, Payload: large}},
	} {
		one := encode(nil, &rec)
		r := NewReader(&endless{data: one}, "x", content)
		got, err := r.Next()
		require.NoError(t, err)
		again := encode(nil, got)
		require.True(t, bytes.Equal(one, again))
		n := testalloc.PerRun(3, func() {
			_, err := r.Next()
			require.NoError(t, err)
		})
		require.Zero(t, n)
		require.LessOrEqual(t, len(r.src.buf), 2*MaxPayload)
	}
}

func TestPayloadCannotGrowIntoTheNextRecord(t *testing.T) {
	r := NewReader(bytes.NewReader(threeRecords()), "x", Trace)
	for range 2 {
		rec, err := r.Next()
		require.NoError(t, err)
		rec.Event.Payload = append(rec.Event.Payload, "more"...)
	}
	rec, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, "you", string(rec.Event.Payload))
	require.EqualValues(t, 5, rec.Event.Src)
}

func TestAllCanBeLeftAndTakenUpAgain(t *testing.T) {
	r := NewReader(bytes.NewReader(threeRecords()), "x", Trace)
	var dests []uint32
	for range 2 {
		for rec, err := range r.All() {
			require.NoError(t, err)
			dests = append(dests, rec.Event.Dest)
			if len(dests) == 1 {
				break
			}
		}
	}
	require.Equal(t, []uint32{2, 4, 6}, dests)
	for range r.All() {
		t.Fatal("the end is final")
	}
}

func TestClosedReaderSaysSo(t *testing.T) {
	r, err := Open("testdata/opt2-gvt.bin")
	require.NoError(t, err)
	_, err = r.Next()
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.NoError(t, r.Close())
	_, err = r.Next()
	require.ErrorIs(t, err, fs.ErrClosed)
	require.ErrorContains(t, err, "testdata/opt2-gvt.bin: record at byte 128:")
}

func TestOpenErrorNamesWhatCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "x-gvt.bin")
	_, err := Open(missing)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, missing)
	_, err = Open(dir)
	require.ErrorContains(t, err, dir)
	require.ErrorContains(t, err, "name a file in it")
}

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
