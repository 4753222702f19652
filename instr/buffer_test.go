// This file tests what buffers accept, what they refuse, and the memory they
// need.

package instr

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRecordsThatDoNotFitAreMissedWholeAndCounted(t *testing.T) {
	rnd := seeded(t)
	for range 50 {
		size := 1 + rnd.IntN(3*firstSlice)
		d := &fakeDisk{}
		f := startFake(d, FileOptions{Buffers: 1, Size: size})
		b := f.Buffer(0)
		var want []label
		var missed, missedBytes uint64
		for k := range 4 {
			for n := range 100 {
				more := rnd.IntN(1 + size/10)
				fits := b.Used()+16+more <= size
				require.Equal(t, fits, put(b, 0, k, n, more))
				if fits {
					want = append(want, label{0, k, n})
				} else {
					missed++
					missedBytes += uint64(16 + more)
				}
			}
			b.HandOver()
		}
		require.EqualValues(t, len(want), b.Records())
		records, bytes := b.Missed()
		require.Equal(t, missed, records)
		require.Equal(t, missedBytes, bytes)
		require.NoError(t, f.Close())
		got, rest := labels(t, d.data)
		require.Empty(t, rest)
		require.Equal(t, want, got)
	}
}

func TestBufferSmallerThanARecordMissesAll(t *testing.T) {
	f, path := createFile(t, FileOptions{Buffers: 1, Size: EventSize - 1})
	b := f.Buffer(0)
	for range 10 {
		require.Nil(t, b.Reserve(EventSize))
		b.HandOver()
	}
	records, bytes := b.Missed()
	require.EqualValues(t, 10, records)
	require.EqualValues(t, 10*EventSize, bytes)
	require.Zero(t, b.Records())
	require.NoError(t, f.Publish())
	require.Empty(t, readLabels(t, path))
}

func TestSizeIsDefaultOrCutToTheLargest(t *testing.T) {
	for _, c := range []struct{ ask, want int }{
		{-1, DefaultBuffer}, {0, DefaultBuffer}, {77, 77}, {math.MaxInt, MaxBuffer},
	} {
		f, _ := createFile(t, FileOptions{Buffers: 1, Size: c.ask, Discard: true})
		require.NotNil(t, f.Buffer(0).Reserve(min(c.want, 1<<20)))
		require.Nil(t, f.Buffer(0).Reserve(c.want))
		require.Equal(t, c.want, f.Buffer(0).size)
	}
}

func TestBufferTakesLittleMemoryUntilItIsUsed(t *testing.T) {
	f, _ := createFile(t, FileOptions{Buffers: 1, Discard: true})
	b := f.Buffer(0)
	require.Zero(t, cap(b.buf))
	b.Reserve(EventSize)
	require.Equal(t, firstSlice, cap(b.buf))
	for b.Reserve(EventSize) != nil {
	}
	require.Equal(t, DefaultBuffer, cap(b.buf))
}

func TestRoomForARecordEndsWhereTheNextBegins(t *testing.T) {
	f, _ := createFile(t, FileOptions{Buffers: 1, Discard: true})
	r := f.Buffer(0).Reserve(10)
	require.Len(t, r, 10)
	require.Equal(t, 10, cap(r))
}

func TestNothingIsAllocatedInSteadyState(t *testing.T) {
	f := startFake(&fakeDisk{forget: true}, FileOptions{Buffers: 3, Size: 4 * firstSlice})
	step := func() {
		for i := range 3 {
			b := f.Buffer(i)
			for range i * 1000 { // nothing, a part, a part that makes the slice grow
				b.Reserve(60)
			}
			b.HandOver()
		}
	}
	for range 100 {
		step()
	}
	require.Zero(t, testing.AllocsPerRun(1000, step))
	require.NoError(t, f.Close())
}
