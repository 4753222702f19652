// This file tests that records of any values are decoded as they were encoded, and that
// the fields are at their places in the format.

package instr

import (
	"bytes"
	"encoding/binary"
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
	decodePE(&pe, offsets)
	require.Equal(t, PEStats{
		PE: 0, Processed: 4, Aborted: 8, RolledBack: 12, Rollbacks: 16, SecondaryRollbacks: 20, FossilCollects: 24,
		QueueSize: 28, NetworkSends: 32, NetworkReads: 36, GVTs: 40, EventTies: 44, AllReduces: 48,
		Efficiency: f(52), NetRead: f(56), NetOther: f(60), GVT: f(64), FossilCollect: f(68), EventAbort: f(72),
		EventProcess: f(76), PQ: f(80), Rollback: f(84), CancelQ: f(88), AVL: f(92), Buddy: f(96), LZ4: f(100),
	}, pe)
	require.Equal(t, offsets[:PESize], AppendPE(nil, 0, 0, &pe)[MetaSize:])

	var kp KPStats
	decodeKP(&kp, offsets)
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
	decodeMemory(&memory, offsets)
	require.Equal(t, MemoryStats{PE: 0, Events: 4, Queue: 12<<32 | 8, Undo: 20<<32 | 16, Used: 28<<32 | 24, Limit: 36<<32 | 32}, memory)
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
