// This file pins the bytes of an event, put or appended, and that the original's traces
// are written again as they are.

package instr

import (
	"bytes"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

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
	require.Zero(t, testing.AllocsPerRun(100, func() {
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
				PutEvent(b.Reserve(n), uint64(e.Src), uint64(e.Dest), float64(e.SendTS), float64(e.RecvTS), float64(e.RealTS), e.Payload)
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
