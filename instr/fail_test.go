// This file pins what a slow, full or broken disk does to a file, and to those who write; and what processes leave
// behind that are killed, or may not write more: they are this program again.

package instr

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/stretchr/testify/require"
)

// fakeDisk is a disk in memory.
type fakeDisk struct {
	mu     sync.Mutex
	data   []byte
	forget bool                            // keep nothing
	before func(write int, p []byte) error // called before each write with its number
	writes int
	sync   error // of Sync
	closed int
}

// startFake starts a file on d.
func startFake(d *fakeDisk, o FileOptions) *File {
	return start(newFile("fake", d, o))
}

// WriteAt writes half of p if before fails.
func (d *fakeDisk) WriteAt(p []byte, at int64) (int, error) {
	d.mu.Lock()
	n := d.writes
	d.writes++
	d.mu.Unlock()
	var err error
	if d.before != nil {
		err = d.before(n, p)
	}
	if err != nil {
		p = p[:len(p)/2]
		err = &fs.PathError{Op: "write", Path: "fake" + PartSuffix, Err: err}
	}
	if d.forget {
		return len(p), err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if more := at + int64(len(p)) - int64(len(d.data)); more > 0 {
		d.data = append(d.data, make([]byte, more)...)
	}
	return copy(d.data[at:], p), err
}

func (d *fakeDisk) Truncate(size int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.data = d.data[:size]
	return nil
}

func (d *fakeDisk) Sync() error { return d.sync }

func (d *fakeDisk) Close() error {
	d.closed++
	return nil
}

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

// waitForBytes returns when f has written that number of bytes.
func waitForBytes(f *File, bytes int64) {
	for f.Bytes() < bytes && f.Err() == nil {
		runtime.Gosched()
	}
}

// The variables of the environment that make this program write a file.
const (
	envPath    = "ROSS_INSTR_PATH"
	envFlushes = "ROSS_INSTR_FLUSHES"
	envLimit   = "ROSS_INSTR_LIMIT" // bytes that may be written to a file; 0: be killed after the flushes
)

const (
	killBuffers = 2
	killRecords = 3000
	killMore    = 161 // so that records are in two pages now and then
)

func TestMain(m *testing.M) {
	path := os.Getenv(envPath)
	if path == "" {
		os.Exit(m.Run())
	}
	flushes, _ := strconv.Atoi(os.Getenv(envFlushes))
	limit, _ := strconv.Atoi(os.Getenv(envLimit))
	if err := writeInChild(path, flushes, uint64(limit)); err != nil {
		fmt.Println(err)
	}
	os.Exit(0)
}

// limitFiles bounds the size of the files of this process, bytes, on Linux (file_linux_test.go), and does
// nothing on other systems.
var limitFiles = func(uint64) {}

// writeInChild writes a file. Without a limit the process does not return.
func writeInChild(path string, flushes int, limit uint64) error {
	f, err := Create(path, FileOptions{Buffers: killBuffers})
	if err != nil {
		return err
	}
	if limit > 0 {
		limitFiles(limit)
		run(f, flushes, killRecords, killMore)
		return f.Publish()
	}
	go run(f, 1000*flushes, killRecords, killMore)
	for f.Bytes() < int64(flushes)*killBuffers*killRecords*(16+killMore) {
		if f.Err() != nil {
			return f.Err()
		}
		runtime.Gosched()
	}
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		return err
	}
	select {}
}

// child runs this program and returns the first line that it prints.
func child(t *testing.T, path string, flushes, limit int) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", envPath+"="+path, envFlushes+"="+strconv.Itoa(flushes),
		envLimit+"="+strconv.Itoa(limit))
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, _ := bufio.NewReader(out).ReadString('\n')
	err = cmd.Wait()
	require.Equal(t, limit == 0, err != nil, "%v %s", err, line)
	return line
}

func TestProcessThatIsKilledLeavesWholeFlushesInOrder(t *testing.T) {
	testlevel.Once(t, "what the system has written when a process is killed")
	cut := 0
	for range 10 {
		path := newPath(t)
		flushes := 1 + rand.IntN(8)
		require.Empty(t, child(t, path, flushes, 0))
		require.NoFileExists(t, path)
		data, err := os.ReadFile(path + PartSuffix)
		require.NoError(t, err)
		got, rest := labels(t, data)
		require.GreaterOrEqual(t, len(got), flushes*killBuffers*killRecords)
		want := ran(killBuffers, 1+len(got)/killBuffers/killRecords, killRecords)
		require.True(t, slices.Equal(want[:len(got)], got))
		require.Less(t, len(rest), 16+killMore, "the last record at most is cut")
		if len(rest) > 0 {
			cut++
		}
		require.NoError(t, os.Remove(path+PartSuffix))
	}
	t.Logf("a record was cut in %d of 10", cut)
}
