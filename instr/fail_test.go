// This file pins what a slow, full or broken disk does to a file, and to those who write.

package instr

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

var errFull = errors.New("the disk is full")

// run has one goroutine for each buffer put some records into flushes, which it hands over.
func run(f *File, flushes, records, more int) {
	var all sync.WaitGroup
	for i := range f.o.Buffers {
		all.Go(func() {
			for k := range flushes {
				for n := range records {
					put(f.Buffer(i), i, k, n, more)
				}
				f.Buffer(i).HandOver()
			}
		})
	}
	all.Wait()
}

// ran is what a file holds after run.
func ran(buffers, flushes, records int) (want []label) {
	for k := range flushes {
		for i := range buffers {
			for n := range records {
				want = append(want, label{i, k, n})
			}
		}
	}
	return want
}

// requireEnded requires that the goroutine of f has come to its end.
func requireEnded(t *testing.T, f *File) {
	t.Helper()
	select {
	case <-f.done:
	default:
		require.Fail(t, "the goroutine is there yet")
	}
}

func TestSlowDiskDelaysAndLosesNothing(t *testing.T) {
	const flushes, size = 200, 1000
	handed, written := new(atomic.Int64), new(atomic.Int64)
	d := &fakeDisk{}
	d.before = func(write int, p []byte) error {
		if write == 0 {
			for handed.Load() < 1 { // the next one waits
				runtime.Gosched()
			}
		}
		// This one, and one that waits with its buffer; they are counted a little late.
		if ahead := handed.Load() - written.Load(); ahead > 2 {
			return errors.New("nobody waits for the disk")
		}
		written.Add(1)
		return nil
	}
	f := startFake(d, FileOptions{Buffers: 1, Size: size})
	b := f.Buffer(0)
	for k := range flushes {
		require.True(t, put(b, 0, k, 0, size-16))
		b.HandOver()
		handed.Add(1)
	}
	require.NoError(t, f.Close())
	got, rest := labels(t, d.data)
	require.Empty(t, rest)
	require.Equal(t, ran(1, flushes, 1), got)
	require.LessOrEqual(t, b.room, 2*size)
}

func TestHandOverNeverWaitsForAnotherPE(t *testing.T) {
	d := &fakeDisk{}
	f := startFake(d, FileOptions{Buffers: 2, Size: 100})
	for i := range 2 {
		for k := range 50 { // in one goroutine: nobody else will come
			require.True(t, put(f.Buffer(i), i, k, 0, 84))
			f.Buffer(i).HandOver()
		}
	}
	require.NoError(t, f.Close())
	got, rest := labels(t, d.data)
	require.Empty(t, rest)
	require.Equal(t, ran(2, 50, 1), got)
}

func TestWritesConsistOfWholeRecords(t *testing.T) {
	rnd := seeded(t)
	d := &fakeDisk{}
	d.before = func(_ int, p []byte) error {
		if _, rest := labels(t, p); len(rest) > 0 {
			return errors.New("a record is cut")
		}
		return nil
	}
	f := startFake(d, FileOptions{Buffers: 3, Size: 5000})
	run(f, 50, 10, rnd.IntN(500))
	require.NoError(t, f.Close())
	require.LessOrEqual(t, d.writes, 150, "one for each part at most")
}

func TestFailureLeavesTheFlushesBeforeItWhole(t *testing.T) {
	const flushes, buffers, records = 10, 3, 4
	for bad := range flushes * buffers {
		told := 0
		d := &fakeDisk{}
		d.before = func(write int, _ []byte) error {
			if write == bad {
				return errFull
			}
			return nil
		}
		f := startFake(d, FileOptions{Buffers: buffers, Size: 1000, Failed: func(err error) {
			told++
			if !errors.Is(err, errFull) {
				told += 100
			}
		}})
		run(f, flushes, records, 10)
		err := f.Close()
		require.ErrorIs(t, err, errFull)
		require.ErrorContains(t, err, "ross: instrumentation file: write fake.part: ")
		require.ErrorContains(t, err, "free space")
		require.Equal(t, err, f.Err())
		require.Equal(t, err, f.Close())
		require.Equal(t, 1, told)
		requireEnded(t, f)
		require.Equal(t, bad+1, d.writes, "nothing is tried after it")
		require.Equal(t, 1, d.closed)

		whole := bad / buffers
		got, rest := labels(t, d.data)
		require.Empty(t, rest)
		require.Equal(t, ran(buffers, whole, records), got)
		require.EqualValues(t, len(d.data), f.Bytes())
		for i := range buffers {
			require.EqualValues(t, flushes*records, f.Buffer(i).Records())
		}
	}
}

func TestFailureHoldsNobodyUp(t *testing.T) {
	release := make(chan struct{})
	d := &fakeDisk{before: func(int, []byte) error { return errFull }}
	f := startFake(d, FileOptions{Buffers: 2, Size: 100, Failed: func(error) { <-release }})
	run(f, 100, 1, 84) // comes to its end though nobody has taken note of the failure yet
	close(release)
	require.ErrorIs(t, f.Close(), errFull)
	requireEnded(t, f)
}

func TestThoseWhoWaitForADiskThatFailsGoOn(t *testing.T) {
	handed := new(atomic.Int64)
	d := &fakeDisk{before: func(int, []byte) error {
		for handed.Load() < 1 { // the next one waits
			runtime.Gosched()
		}
		return errFull
	}}
	f := startFake(d, FileOptions{Buffers: 1, Size: 100})
	b := f.Buffer(0)
	for k := range 100 {
		put(b, 0, k, 0, 84)
		b.HandOver()
		handed.Add(1)
	}
	require.ErrorIs(t, f.Close(), errFull)
	require.Empty(t, d.data)
}

func TestFailureToForceFileToDiskIsReported(t *testing.T) {
	told := error(nil)
	d := &fakeDisk{sync: errFull}
	f := startFake(d, FileOptions{Buffers: 1, Failed: func(err error) { told = err }})
	require.ErrorIs(t, f.Close(), errFull)
	require.Equal(t, f.Err(), told)
	require.Equal(t, 1, d.closed)
}

func TestAbortEndsWithoutWritingWhatWaits(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	d := &fakeDisk{before: func(int, []byte) error {
		close(begun) // a second write would panic
		<-release
		return nil
	}}
	f := startFake(d, FileOptions{Buffers: 1, Size: 2 * firstSlice})
	put(f.Buffer(0), 0, 0, 0, 0)
	f.Buffer(0).HandOver()
	<-begun
	put(f.Buffer(0), 0, 1, 0, 0)
	f.Buffer(0).HandOver()
	var all sync.WaitGroup
	all.Go(func() { _ = f.Abort() })
	for stopped := false; !stopped; runtime.Gosched() {
		f.mu.Lock()
		stopped = f.aborted
		f.mu.Unlock()
	}
	close(release)
	all.Wait()
	requireEnded(t, f)
	require.Equal(t, 1, d.writes)
}

func TestPublishAfterFailureKeepsTheTemporaryName(t *testing.T) {
	f, path := createFile(t, FileOptions{Buffers: 1})
	put(f.Buffer(0), 0, 0, 0, 0)
	f.Buffer(0).HandOver()
	waitForBytes(f, 16)
	require.NoError(t, f.disk.Close()) // so that the next write fails
	put(f.Buffer(0), 0, 1, 0, 0)
	f.Buffer(0).HandOver()
	for range 2 {
		err := f.Publish()
		require.ErrorIs(t, err, fs.ErrClosed)
		require.ErrorContains(t, err, path+PartSuffix)
	}
	_, err := os.Stat(path)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.Equal(t, []label{{}}, readLabels(t, path+PartSuffix))
}

// waitForBytes returns when f has written so many bytes.
func waitForBytes(f *File, bytes int64) {
	for f.Bytes() < bytes && f.Err() == nil {
		runtime.Gosched()
	}
}
