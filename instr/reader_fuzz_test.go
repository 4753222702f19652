// This file looks for input that upsets the reader.

package instr

import (
	"bytes"
	"fmt"
	"io"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

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
