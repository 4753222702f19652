// This file tests files that several ranks write: each has its own File here, and the test
// exchanges the sizes as ranks would.

package instr

import (
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// createShared makes the files of some ranks, of which rank 0 creates and the others join.
func createShared(t *testing.T, ranks int, o FileOptions) (files []*File, path string) {
	t.Helper()
	o.Shared = true
	f, path := createFile(t, o)
	files = append(files, f)
	for range ranks - 1 {
		o.Join = true
		f, err := Create(path, o)
		require.NoError(t, err)
		files = append(files, f)
	}
	return files, path
}

// exchange gives a flush of all ranks its place, if all have it, and returns where it ends.
func exchange(files []*File, begin int64) (end int64, ok bool) {
	for _, f := range files {
		if _, ok := f.FlushSize(); !ok {
			return begin, false
		}
	}
	for _, f := range files {
		size, _ := f.FlushSize()
		f.Place(begin)
		begin += size
	}
	return begin, true
}

func TestSharedFileHasTheRanksInOrderInEachFlush(t *testing.T) {
	rnd := seeded(t)
	for ranks := 1; ranks <= 4; ranks++ {
		const flushes = 20
		buffers := 1 + rnd.IntN(3)
		files, path := createShared(t, ranks, FileOptions{Buffers: buffers, Size: 100 + rnd.IntN(1<<17)})
		records := func(index, k int) int { return index * k % 4 }
		var want []label
		for k := range flushes {
			for index := range ranks * buffers {
				for n := range records(index, k) {
					want = append(want, label{index, k, n})
				}
			}
		}
		var all sync.WaitGroup
		for index := range ranks * buffers {
			b := files[index/buffers].Buffer(index % buffers)
			own := rand.New(rand.NewPCG(rnd.Uint64(), 0))
			all.Go(func() {
				for k := range flushes {
					for n := range records(index, k) {
						if !put(b, index, k, n, 0) {
							t.Error("no room")
						}
						for range own.IntN(3) {
							runtime.Gosched()
						}
					}
					b.HandOver()
				}
			})
		}
		end := int64(0)
		for k := 0; k < flushes; {
			var ok bool
			if end, ok = exchange(files, end); ok {
				k++
			} else {
				runtime.Gosched()
			}
		}
		all.Wait()
		written := int64(0)
		for rank := range files {
			f := files[len(files)-1-rank] // rank 0 publishes, when all have closed
			require.NoError(t, f.Close())
			written += f.Bytes()
		}
		for _, f := range files {
			require.NoError(t, f.Publish())
		}
		require.Equal(t, want, readLabels(t, path), "%d ranks, %d buffers", ranks, buffers)
		require.Equal(t, end, written)
	}
}

func TestHandOverNeverWaitsForAPlace(t *testing.T) {
	d := &fakeDisk{}
	f := startFake(d, FileOptions{Buffers: 2, Size: 100, Shared: true})
	run(f, 50, 1, 84)
	for k := range 50 {
		size, ok := f.FlushSize()
		require.True(t, ok)
		require.EqualValues(t, 200, size)
		f.Place(int64(200 * (49 - k))) // the last one first
	}
	_, ok := f.FlushSize()
	require.False(t, ok)
	require.NoError(t, f.Close())
	got, rest := labels(t, d.data)
	require.Empty(t, rest)
	for i, l := range got {
		require.Equal(t, label{i % 2, 49 - i/2, 0}, l)
	}
	require.Len(t, got, 100)
}

func TestFlushOfASharedFileWithoutPlaceIsAnErrorAtTheEnd(t *testing.T) {
	files, path := createShared(t, 1, FileOptions{Buffers: 1})
	put(files[0].Buffer(0), 0, 0, 0, 0)
	files[0].Buffer(0).HandOver()
	require.ErrorContains(t, files[0].Close(), path+PartSuffix)
	require.ErrorIs(t, files[0].Publish(), errNoPlace)
}

func TestFailureOfOneRankLeavesTheDataOfOthers(t *testing.T) {
	files, path := createShared(t, 2, FileOptions{Buffers: 1})
	require.NoError(t, files[0].disk.Close()) // so that it cannot write
	for rank, f := range files {
		put(f.Buffer(0), rank, 0, 0, 0)
		f.Buffer(0).HandOver()
	}
	end, ok := exchange(files, 0)
	require.True(t, ok)
	waitForBytes(files[0], 1)
	require.Error(t, files[0].Err())

	// From now on rank 0 has nothing to write, but takes part.
	for rank, f := range files {
		put(f.Buffer(0), rank, 1, 0, 0)
		f.Buffer(0).HandOver()
	}
	size, ok := files[0].FlushSize()
	require.True(t, ok)
	require.Zero(t, size)
	end, ok = exchange(files, end)
	require.True(t, ok)
	require.EqualValues(t, 48, end)

	require.NoError(t, files[1].Publish())
	require.Error(t, files[0].Publish())
	data, err := os.ReadFile(path + PartSuffix)
	require.NoError(t, err)
	got, _ := labels(t, data[16:])
	require.Equal(t, []label{{1, 0, 0}, {1, 1, 0}}, got)
}

func TestJoinNeitherPublishesNorRemoves(t *testing.T) {
	files, path := createShared(t, 2, FileOptions{Buffers: 1})
	require.NoError(t, files[1].Publish())
	require.NoError(t, files[1].Abort())
	require.NoFileExists(t, path)
	require.FileExists(t, path+PartSuffix)
}

func TestPlaceWithoutAFlushDoesNothing(t *testing.T) {
	files, path := createShared(t, 1, FileOptions{Buffers: 2})
	files[0].Place(1000)
	put(files[0].Buffer(0), 0, 0, 0, 0)
	files[0].Buffer(0).HandOver()
	_, ok := files[0].FlushSize()
	require.False(t, ok, "buffer 1 has not been handed over")
	files[0].Place(1000)
	files[0].Buffer(1).HandOver()
	_, ok = exchange(files, 0)
	require.True(t, ok)
	require.NoError(t, files[0].Publish())
	require.Len(t, readLabels(t, path), 1)
}
