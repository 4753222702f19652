// This file tests how records of the engine and of models are distinguished in files that
// mix them, and which errors are found.

package instr

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

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

// Without a time, only what follows tells.
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
		{GVTFile, kp, patched(kp, 0, 9), "expected flag 0 and size 104 (PE), 1 and 44 (KP), or 2 and 36 or 48 (LP), found flag 9 and size 44"},
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
		{VTFile, vt, patched(vt, 44, 2), "expected the flag and size of a PE, a KP or an LP, found 4 and 0, or flag 3 (model) 44 bytes on, found 2"},
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
