// This file tests that records of any values are decoded as they were encoded, and that the fields are at their
// places in the format; how records of the engine and of models are distinguished in files that mix them, and which
// errors are found; and looks for input that upsets the reader.

package instr

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
)

// random makes values of all bits, but no NaN: it would not equal itself.
type random struct{ *rand.Rand }

func (r random) float() float32 {
	for {
		if f := math.Float32frombits(r.Uint32()); f == f {
			return f
		}
	}
}

func (r random) double() float64 {
	for {
		if f := math.Float64frombits(r.Uint64()); f == f {
			return f
		}
	}
}

// fill sets a struct of fields of 32 bits.
func (r random) fill(t *testing.T, fields any) {
	t.Helper()
	b := make([]byte, binary.Size(fields))
	for at := 0; at < len(b); at += 4 {
		binary.LittleEndian.PutUint32(b[at:], math.Float32bits(r.float()))
	}
	_, err := binary.Decode(b, binary.LittleEndian, fields)
	require.NoError(t, err)
}

func (r random) payload() []byte {
	var b []byte
	size := r.IntN(40)
	if r.IntN(100) == 0 {
		size = r.IntN(300_000) // more than the reader's buffer
	}
	for range size {
		b = append(b, byte(r.Uint32()))
	}
	return b
}

func (r random) record(t *testing.T, kind Kind) Record {
	rec := Record{Kind: kind}
	if kind <= KindModel || kind == KindMemory {
		rec.Meta.TS, rec.Meta.RealTime = r.double(), r.double()
	}
	switch kind {
	case KindPE:
		rec.Meta.Flag, rec.Meta.Size = FlagPE, PESize
		r.fill(t, &rec.PE)
	case KindKP:
		rec.Meta.Flag, rec.Meta.Size = FlagKP, KPSize
		r.fill(t, &rec.KP)
	case KindLP:
		rec.Meta.Flag, rec.Meta.Size = FlagLP, LPSize
		r.fill(t, &rec.LP)
	case KindModel:
		rec.Meta.Flag, rec.Meta.Size = FlagModel, ModelSize
		rec.Model = ModelStats{
			PE: r.Uint32(), KP: r.Uint32(), LP: r.Uint32(), GVT: r.float(), Mode: 1 + r.Int32N(2), Payload: r.payload(),
		}
	case KindVTModel:
		rec.VTModel = VTModel{
			LP: r.Uint64() >> r.IntN(64), KP: uint64(r.Uint32()), PE: uint64(r.Uint32()),
			TS: r.double(), RealTime: r.double(), Payload: r.payload(),
		}
	case KindEvent:
		rec.Event = Event{
			Src: r.Uint32(), Dest: r.Uint32(), SendTS: r.float(), RecvTS: r.float(), RealTS: r.float(), Payload: r.payload(),
		}
	case KindMemory:
		rec.Meta.Flag, rec.Meta.Size = FlagMemory, MemorySize
		r.fill(t, &rec.Memory)
	}
	return rec
}

func TestRecordsOfAnyValuesComeBack(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := random{rand.New(rand.NewPCG(seed, 0))}
	for content, kinds := range map[Content][]Kind{
		GVTFile: {KindPE, KindKP, KindLP},
		RTFile:  {KindPE, KindKP, KindLP},
		VTFile:  {KindPE, KindKP, KindLP, KindVTModel},
		Models:  {KindModel},
		Trace:   {KindEvent},
		Memory:  {KindMemory},
	} {
		for range 10 {
			var data []byte
			var want []Record
			for range 1 + rnd.IntN(100) {
				rec := rnd.record(t, kinds[rnd.IntN(len(kinds))])
				rec.Offset = int64(len(data))
				data = encode(data, &rec)
				want = append(want, rec)
			}
			got, err := readAll(data, content)
			require.NoError(t, err)
			require.Equal(t, want, got)
			var again []byte
			r := NewReader(iotest.HalfReader(bytes.NewReader(data)), "x", content)
			for rec, err := range r.All() {
				require.NoError(t, err)
				again = encode(again, rec)
			}
			require.True(t, bytes.Equal(data, again))
		}
	}
}

// TestFieldsLieWhereTheFormatHasThem puts the offset of each field of 32 bits into it.
func TestFieldsLieWhereTheFormatHasThem(t *testing.T) {
	offsets := make([]byte, 200)
	for at := 0; at < len(offsets); at += 4 {
		binary.LittleEndian.PutUint32(offsets[at:], uint32(at))
	}
	f := func(at uint32) float32 { return math.Float32frombits(at) }

	var pe PEStats
	peRecord.Read(&pe, offsets)
	require.Equal(t, PEStats{
		PE: 0, Processed: 4, Aborted: 8, RolledBack: 12, Rollbacks: 16, SecondaryRollbacks: 20, FossilCollects: 24,
		QueueSize: 28, NetworkSends: 32, NetworkReads: 36, GVTs: 40, EventTies: 44, AllReduces: 48,
		Efficiency: f(52), NetRead: f(56), NetOther: f(60), GVT: f(64), FossilCollect: f(68), EventAbort: f(72),
		EventProcess: f(76), PQ: f(80), Rollback: f(84), CancelQ: f(88), AVL: f(92), Buddy: f(96), LZ4: f(100),
	}, pe)
	require.Equal(t, offsets[:PESize], AppendPE(nil, 0, 0, &pe)[MetaSize:])

	var kp KPStats
	kpRecord.Read(&kp, offsets)
	require.Equal(t, KPStats{
		PE: 0, KP: 4, Processed: 8, Aborted: 12, RolledBack: 16, Rollbacks: 20, SecondaryRollbacks: 24,
		NetworkSends: 28, NetworkReads: 32, TimeAheadGVT: f(36), Efficiency: f(40),
	}, kp)
	require.Equal(t, offsets[:KPSize], AppendKP(nil, 0, 0, &kp)[MetaSize:])

	var lp LPStats
	for size, efficiency := range map[int]uint32{LPSize: 32, LPSizeLong: 40} {
		decodeLP(&lp, offsets[:size])
		require.Equal(t, LPStats{
			PE: 0, KP: 4, LP: 8, Processed: 12, Aborted: 16, RolledBack: 20, NetworkSends: 24, NetworkReads: 28,
			Efficiency: f(efficiency),
		}, lp)
	}
	lp.Efficiency = f(32)
	require.Equal(t, offsets[:LPSize], AppendLP(nil, 0, 0, &lp)[MetaSize:])

	model := ModelStats{PE: 0, KP: 4, LP: 8, GVT: f(12), Mode: 16, Payload: offsets[24:44]}
	require.Equal(t, append(bytes.Clone(offsets[:20]), 20, 0, 0, 0), AppendModel(nil, 0, 0, &model)[MetaSize:][:ModelSize])
	var modelAgain ModelStats
	decodeModel(&modelAgain, offsets[:44])
	require.Equal(t, model, modelAgain)

	var memory MemoryStats
	memoryRecord.Read(&memory, offsets)
	require.Equal(t, MemoryStats{PE: 0, Events: 4, Queue: 12<<32 | 8, Undo: 20<<32 | 16, Used: 28<<32 | 24,
		Limit: 36<<32 | 32}, memory)
	memoryMeta := AppendMemory(nil, math.Float64frombits(12<<32|8), math.Float64frombits(20<<32|16), &memory)
	require.Equal(t, append([]byte{4, 0, 0, 0, 40, 0, 0, 0}, offsets[8:MetaSize]...), memoryMeta[:MetaSize])
	require.Equal(t, offsets[:MemorySize], memoryMeta[MetaSize:])

	meta := AppendModel(nil, math.Float64frombits(12<<32|8), math.Float64frombits(20<<32|16), &model)[:MetaSize]
	require.Equal(t, append([]byte{3, 0, 0, 0, 24, 0, 0, 0}, offsets[8:MetaSize]...), meta)

	vt := VTModel{LP: 4 << 32, KP: 12<<32 | 8, PE: 20<<32 | 16, TS: math.Float64frombits(28<<32 | 24),
		RealTime: math.Float64frombits(36<<32 | 32), Payload: make([]byte, 40)}
	want := append(bytes.Clone(offsets[:44]), 3, 0, 0, 0)
	require.Equal(t, want, AppendVTModel(nil, &vt)[:VTModelSize])
	var vtAgain VTModel
	decodeVTModel(&vtAgain, append(want, vt.Payload...))
	require.Equal(t, vt, vtAgain)
}

// marks are the LP ids that look like the metadata of an engine's sample.
var marks = []uint64{peMark, kpMark, lpMark, lpLongMark}

func TestMixedFileGivesEachRecordAsWhatItIs(t *testing.T) {
	var data []byte
	var want []Kind
	for i := range 50 {
		ts := float64(i)
		data = AppendPE(data, ts, 1, &PEStats{SecondaryRollbacks: 3})
		data = AppendKP(data, ts, 1, &KPStats{Rollbacks: 3})
		data = AppendLP(data, ts, 1, &LPStats{RolledBack: 3})
		data = AppendVTModel(data, &VTModel{LP: uint64(i), TS: ts, Payload: make([]byte, i)})
		want = append(want, KindPE, KindKP, KindLP, KindVTModel)
	}
	for _, content := range []Content{VTFile, Unknown} {
		r := NewReader(bytes.NewReader(data), "x", content)
		var got []Kind
		for rec, err := range r.All() {
			require.NoError(t, err)
			got = append(got, rec.Kind)
		}
		require.Equal(t, want, got)
		require.Equal(t, VTFile, r.Content())
	}
}

// TestLPWhoseIDLooksLikeMetadataIsAnLP puts such samples first, last, alone and among each
// other, with payloads as long as what would be the engine's record and around that.
func TestLPWhoseIDLooksLikeMetadataIsAnLP(t *testing.T) {
	for _, mark := range marks {
		for _, at := range []VTModel{
			{TS: 10}, {TS: math.SmallestNonzeroFloat64 * (1 << 52)}, {TS: math.Inf(1)}, {TS: -1, RealTime: 5},
			{KP: 1}, {PE: 1}, {KP: 3, PE: math.MaxUint32, TS: 2}, {KP: math.MaxUint32},
		} {
			for size := 0; size < 90; size += 4 {
				rec := at
				rec.LP, rec.Payload = mark, bytes.Repeat([]byte{3}, size)
				if size == 0 {
					rec.Payload = nil
				}
				data := AppendVTModel(nil, &rec)
				data = AppendVTModel(data, &rec)
				data = AppendVTModel(data, &VTModel{LP: 7, TS: 10})
				for _, in := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data))} {
					r := NewReader(in, "x", VTFile)
					for range 2 {
						got, err := r.Next()
						require.NoError(t, err)
						require.Equal(t, KindVTModel, got.Kind)
						require.Equal(t, rec, got.VTModel)
					}
					last, err := r.Next()
					require.NoError(t, err)
					require.EqualValues(t, 7, last.VTModel.LP)
				}
			}
		}
	}
}

// Without a time, only what follows decides.
func TestLastSampleWithoutATimeWhoseIDLooksLikeMetadataIsAModels(t *testing.T) {
	for _, mark := range marks {
		data := AppendVTModel(nil, &VTModel{LP: mark, Payload: make([]byte, 200)})
		data = AppendVTModel(data, &VTModel{LP: mark, Payload: make([]byte, 5)})
		var sizes []int
		for rec, err := range NewReader(iotest.OneByteReader(bytes.NewReader(data)), "x", VTFile).All() {
			require.NoError(t, err)
			require.Equal(t, KindVTModel, rec.Kind)
			sizes = append(sizes, len(rec.VTModel.Payload))
		}
		require.Equal(t, []int{200, 5}, sizes)
	}
}

func TestEngineRecordThatLooksLikeASampleOfAModelIsTheEngines(t *testing.T) {
	for ts, real := range map[float64]float64{0: 0, 1: 0, 1e-300: 1e-9, math.MaxFloat64: 1, math.Inf(1): 2} {
		for rolled := range uint32(100) {
			data := AppendKP(nil, ts, real, &KPStats{KP: 2, RolledBack: rolled, Rollbacks: 3})
			data = AppendPE(data, ts, real, &PEStats{Processed: 9, Rollbacks: rolled, SecondaryRollbacks: 3})
			data = AppendLP(data, ts, real, &LPStats{LP: 5, Aborted: rolled, RolledBack: 3})
			data = AppendVTModel(data, &VTModel{LP: 7, TS: 10})
			records, err := readAll(data, VTFile)
			require.NoError(t, err, "%d", rolled)
			require.Len(t, records, 4)
			require.Equal(t, rolled, records[0].KP.RolledBack)
			require.Equal(t, rolled, records[1].PE.Rollbacks)
			require.Equal(t, rolled, records[2].LP.Aborted)
			require.EqualValues(t, 7, records[3].VTModel.LP)
		}
	}
}

// patched returns data with one byte changed.
func patched(data []byte, at int, to byte) []byte {
	data = bytes.Clone(data)
	data[at] = to
	return data
}

func TestRecordThatCannotBeIsNamedWithWhatWasExpectedAndFound(t *testing.T) {
	kp := AppendKP(nil, 1, 1, &KPStats{})
	model := AppendModel(nil, 1, 1, &ModelStats{LP: 4, Mode: ByGVT, Payload: []byte("ab")})
	vt := AppendVTModel(nil, &VTModel{LP: 4, TS: 1, Payload: []byte("ab")})
	event := AppendEvent(nil, &Event{Src: 4, Dest: 5, RecvTS: 1, Payload: []byte("ab")})
	memory := AppendMemory(nil, 1, 1, &MemoryStats{PE: 4})
	nan := math.NaN()
	for _, c := range []struct {
		content Content
		good    []byte
		bad     []byte
		want    string
	}{
		{GVTFile, kp, patched(kp, 0, 9),
			"expected flag 0 and size 104 (PE), 1 and 44 (KP), or 2 and 36 or 48 (LP), found flag 9 and size 44"},
		{GVTFile, kp, patched(kp, 4, 45), "found flag 1 and size 45"},
		{GVTFile, kp, patched(kp, 0, 0), "found flag 0 and size 44"},
		{RTFile, kp, patched(kp, 7, 0xFF), "found flag 1 and size -16777172"},
		{GVTFile, kp, AppendKP(nil, nan, 1, &KPStats{}), "virtual time is not a number"},
		{VTFile, kp, AppendKP(nil, nan, 1, &KPStats{}), "virtual time is not a number"},
		{GVTFile, kp, model, "found flag 3 and size 24"},
		{Models, model, patched(model, 0, 2), "expected flag 3 and size 24 (model), found flag 2 and size 24"},
		{Models, model, patched(model, 4, 25), "found flag 3 and size 25"},
		{Models, model, patched(model, 40, 3), "expected mode 1 (GVT) or 2 (real time), found 3"},
		{Models, model, patched(model, 47, 1), fmt.Sprintf("payload is larger than 16 MiB (%d bytes)", 1<<24+2)},
		{Models, model, AppendModel(nil, nan, 1, &ModelStats{Mode: ByGVT}), "virtual time is not a number"},
		{Models, model, AppendModel(nil, 1, 1, &ModelStats{GVT: float32(nan), Mode: ByGVT}), "virtual time is not a number"},
		{VTFile, vt, patched(vt, 44, 2),
			"expected the flag and size of a PE, a KP or an LP, found 4 and 0, or flag 3 (model) 44 bytes on, found 2"},
		{VTFile, vt, patched(vt, 12, 1), "found KP 4294967296 of PE 0, more than possible"},
		{VTFile, vt, patched(vt, 20, 1), "found KP 0 of PE 4294967296, more than possible"},
		{VTFile, vt, patched(vt, 43, 1), fmt.Sprintf("payload is larger than 16 MiB (%d bytes)", 1<<24+2)},
		{VTFile, vt, patched(vt, 43, 0xFF), "payload is larger than 16 MiB (-16777214 bytes)"},
		{VTFile, vt, AppendVTModel(nil, &VTModel{TS: nan}), "virtual time is not a number"},
		{Trace, event, patched(event, 23, 1), fmt.Sprintf("payload is larger than 16 MiB (%d bytes)", 1<<24+2)},
		{Trace, event, AppendEvent(nil, &Event{SendTS: float32(nan)}), "virtual time is not a number"},
		{Trace, event, AppendEvent(nil, &Event{RecvTS: float32(nan)}), "virtual time is not a number"},
		{Memory, memory, patched(memory, 0, 3), "expected flag 4 and size 40 (memory), found flag 3 and size 40"},
		{Memory, memory, patched(memory, 4, 24), "found flag 4 and size 24"},
		{Memory, memory, AppendMemory(nil, nan, 1, &MemoryStats{}), "virtual time is not a number"},
		{GVTFile, kp, memory, "found flag 4 and size 40"},
	} {
		data := append(bytes.Repeat(c.good, 2), c.bad...)
		data = append(data, c.good...)
		records, err := readAll(data, c.content)
		require.Len(t, records, 2, c.want)
		require.ErrorContains(t, err, fmt.Sprintf(": x.bin: record at byte %d: ", 2*len(c.good)))
		require.ErrorContains(t, err, c.want)
		require.ErrorContains(t, err, "the file is damaged from here on or holds something else")
	}
}

// FuzzReader checks of any bytes, read as any content, that the records read are
// the bytes that were there, that an error says where reading ended, and that no
// more memory is used than the bytes justify.
func FuzzReader(f *testing.F) {
	f.Add(byte(Unknown), []byte{})
	for name := range counts {
		data := testFile(f, name)
		for _, size := range []int{1000, 250, 40} {
			f.Add(byte(ContentOf(name)), data[:size])
		}
		f.Add(byte(Unknown), data[:700])
		f.Add(byte(Trace), data[:100])
	}
	f.Add(byte(Trace), threeRecords())
	f.Add(byte(Trace), threeRecords()[:60])
	f.Add(byte(Trace), bytes.Repeat([]byte{0xFF}, 2*EventSize))
	f.Add(byte(Trace), append(make([]byte, EventSize-1), 1, 0))
	mixed := AppendKP(testFile(f, "cons2-payload-analysis-lps.bin")[:128], 0, 0, &KPStats{Rollbacks: 3})
	for _, mark := range marks {
		mixed = AppendVTModel(mixed, &VTModel{LP: mark, TS: 1, Payload: []byte("payload")})
		mixed = AppendPE(mixed, 1, 1, &PEStats{})
	}
	f.Add(byte(VTFile), mixed)
	f.Add(byte(Unknown), mixed)
	f.Add(byte(Memory), memories(3))
	f.Add(byte(Unknown), memories(3)[:100])
	f.Add(byte(Unknown), append(memories(1), mixed...))
	f.Fuzz(func(t *testing.T, content byte, data []byte) {
		whole := checkReading(t, bytes.NewReader(data), Content(content%8), data)
		if whole == len(data) && Content(content%8) != Unknown {
			require.Equal(t, whole, checkReading(t, iotest.HalfReader(bytes.NewReader(data)), Content(content%8), data))
		}
	})
}

// checkReading reads data through in and returns the bytes of whole records.
func checkReading(t *testing.T, in io.Reader, content Content, data []byte) int {
	r := NewReader(in, "fuzz.bin", content)
	at := 0
	for {
		rec, err := r.Next()
		require.LessOrEqual(t, len(r.src.buf), max(bufferSize, 2*len(data)))
		if err != nil {
			require.EqualValues(t, at, r.Offset())
			if at == len(data) {
				require.Equal(t, io.EOF, err)
			} else {
				require.NotEqual(t, io.EOF, err)
				require.ErrorContains(t, err, fmt.Sprintf("fuzz.bin: record at byte %d: ", at))
			}
			_, again := r.Next()
			require.Equal(t, err, again)
			return at
		}
		require.EqualValues(t, at, rec.Offset)
		next := int(r.Offset())
		require.Greater(t, next, at)
		require.LessOrEqual(t, next, len(data))
		was := data[at:next]
		if rec.Kind == KindLP && rec.Meta.Size == LPSizeLong {
			was = long36(was)
		}
		require.True(t, bytes.Equal(was, encode(nil, rec)), "record at byte %d", at)
		at = next
	}
}

func TestAnExactBlockHasTheFieldsOfItsLayout(t *testing.T) {
	x := Exact{SendTS: 31536000.000000001, RecvTS: 31536000.5, Tie: 0.25, Stream: [4]uint32{1, 2, 3, 1<<31 - 2}, Draws: 7,
		Message: 300, What: ExactUndone}
	payload := append([]byte("model's own"), make([]byte, ExactSize)...)
	PutExact(payload[11:], &x)
	require.Equal(t, "model's own", string(payload[:11]))
	got, ok := GetExact(payload)
	require.True(t, ok)
	require.Equal(t, x, got)
	_, ok = GetExact(payload[:ExactSize-1])
	require.False(t, ok)

	l, err := ParseLayout(ExactLayout)
	require.NoError(t, err)
	require.Equal(t, ExactSize, l.Size())
	block := payload[11:]
	for i, want := range []any{x.SendTS, x.RecvTS, x.Tie, x.Stream[3], x.Draws, x.Message, x.What} {
		f := &l[i]
		switch want := want.(type) {
		case float64:
			require.Equal(t, want, f.Float(block, 0), f.Name)
		default:
			require.Equal(t, fmt.Sprint(want), fmt.Sprint(f.Uint(block, f.Values()-1)), f.Name)
		}
	}
}
