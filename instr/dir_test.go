// This file owns the tests of an output folder: the names in it, what MakeDir does about places that are taken, the
// description of the run, and files that several ranks write. Each rank has its own File here, and the test exchanges
// the sizes as ranks would. And it has the benchmarks of buffers, files and reading: go test -run '^$' -bench
// 'Reserve|HandOver|File|Read' ./instr

package instr

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMakeDirMakesFolderAndMissingParents(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ path, want string }{
		{"", "stats-output"},
		{"flat", "flat"},
		{"a/b/c", "a/b/c"},
		{"a/b/d/", "a/b/d"},
		{"a/b/.", "a/b-7-42"},
	} {
		got, err := makeDir(c.path, 7, 42)
		require.NoError(t, err, c.path)
		require.Equal(t, filepath.FromSlash(c.want), got)
		requireDir(t, got)
	}
}

func TestMakeDirPutsDefaultFolderInPathWithoutName(t *testing.T) {
	work := filepath.Join(t.TempDir(), "work")
	require.NoError(t, os.Mkdir(work, 0o755))
	t.Chdir(work)
	for _, c := range []struct{ path, want string }{
		{".", "stats-output"},
		{"..", "../stats-output"},
		{"./", "stats-output-7-42"},
	} {
		got, err := makeDir(c.path, 7, 42)
		require.NoError(t, err, c.path)
		require.Equal(t, filepath.FromSlash(c.want), got)
		requireDir(t, got)
	}
}

func TestMakeDirLeavesExistingFolderAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	for _, want := range []string{dir, dir + "-7-42", dir + "-7-42-2", dir + "-7-42-3"} {
		got, err := makeDir(dir, 7, 42)
		require.NoError(t, err)
		require.Equal(t, want, got)
		requireDir(t, got)
		require.NoError(t, os.WriteFile(filepath.Join(got, "data"), nil, 0o644))
	}
}

func TestMakeDirNamesFreshFolderByProcessAndTime(t *testing.T) {
	dir := t.TempDir()
	got, err := MakeDir(dir)
	require.NoError(t, err)
	require.Regexp(t, "^"+dir+`-\d+-\d{10,}$`, got)
	requireDir(t, got)
}

func TestMakeDirErrorNamesPathThatCannotBeMade(t *testing.T) {
	base := t.TempDir()
	file := filepath.Join(base, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	dangling := filepath.Join(base, "dangling")
	require.NoError(t, os.Symlink(filepath.Join(base, "nowhere"), dangling))
	taken := filepath.Join(base, "taken")
	require.NoError(t, os.Mkdir(taken, 0o755))
	require.NoError(t, os.WriteFile(taken+"-7-42", nil, 0o644))

	long := filepath.Join(base, strings.Repeat("n", 300))

	for _, c := range []struct {
		name, path, named string
		is                error
	}{
		{"file in the way", file, file, fs.ErrExist},
		{"file as parent", file + "/out", file + "/out", syscall.ENOTDIR},
		{"file as grandparent", file + "/a/out", file + "/a/out", syscall.ENOTDIR},
		{"link to nothing", dangling, dangling, fs.ErrExist},
		{"file in the way of the fresh name", taken, taken + "-7-42", fs.ErrExist},
		{"name no system takes", base + "/a\x00b", base + "/a\x00b", syscall.EINVAL},
		{"name too long", long, long, syscall.ENAMETOOLONG},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, err := makeDir(c.path, 7, 42)
			require.ErrorIs(t, err, c.is)
			require.ErrorContains(t, err, "ross: output folder "+c.named+": ")
			require.ErrorContains(t, err, "--stats-path")
			require.Empty(t, dir)
		})
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Empty(t, data)
}

func TestFileNameJoinsFolderPrefixAndSuffix(t *testing.T) {
	for _, c := range []struct{ dir, prefix, suffix, want string }{
		{"stats-output", "", TraceSuffix, "stats-output/ross-stats-evtrace.bin"},
		{"a/b/", "run.1", "gvt", "a/b/run.1-gvt.bin"},
		{"", "p", TraceSuffix, "p-evtrace.bin"},
	} {
		require.Equal(t, filepath.FromSlash(c.want), FileName(c.dir, c.prefix, c.suffix))
	}
}

func requireDir(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.True(t, info.IsDir(), path)
}

func TestRunInfoIsReadAsItWasWritten(t *testing.T) {
	dir, end := t.TempDir(), 100.5
	want := &RunInfo{
		Version: RunVersion, ID: "1", State: RunComplete, Begin: time.Unix(1, 5).UTC(), End: time.Unix(2, 0).UTC(),
		Model: "phold <a&b>", Command: []string{"phold", "--end=1"}, EndTime: &end, LPs: math.MaxUint64,
		Options: map[string]string{"nlp": "8"}, Types: []RunType{{Name: "hub", Trace: "hops:u32"}},
		TypeRanges: []RunTypeRange{{0, 8, 0}}, Result: &RunResult{Runtime: 1.5, Digest: "0123456789abcdef"},
	}
	require.NoError(t, want.Write(dir))
	for _, path := range []string{dir, filepath.Join(dir, RunName)} {
		got, err := ReadRunInfo(path)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

func TestRunInfoThatCannotBeReadOrWrittenIsAnError(t *testing.T) {
	dir := t.TempDir()
	_, err := ReadRunInfo(dir)
	require.ErrorIs(t, err, fs.ErrNotExist)
	for text, says := range map[string]string{
		"":               "no description of a run",
		"{}":             "version 0 of the description",
		`{"version": 2}`: "use a newer one",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, RunName), []byte(text), 0o644))
		_, err := ReadRunInfo(dir)
		require.ErrorContains(t, err, says, "%q", text)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, RunName), []byte(`{"version": 1, "later": [1]}`), 0o644))
	_, err = ReadRunInfo(dir)
	require.NoError(t, err)
	require.ErrorIs(t, (&RunInfo{}).Write(filepath.Join(dir, "none")), fs.ErrNotExist)
}

// createShared makes the files of some ranks: rank 0 creates them, and the others join.
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

// The record of an event into a slice, into a buffer, and as an Event put together first.
func BenchmarkReserve(b *testing.B) {
	b.Run("PutEvent alone", func(b *testing.B) {
		buf := make([]byte, 0, 1<<16)
		i := uint64(0)
		b.SetBytes(EventSize)
		for b.Loop() {
			if cap(buf)-len(buf) < EventSize {
				buf = buf[:0]
			}
			buf = buf[:len(buf)+EventSize]
			PutEvent(buf[len(buf)-EventSize:], i, i, float64(i), float64(i), float64(i), nil)
			i++
		}
	})
	for _, way := range []struct {
		name string
		put  func(r []byte, i uint64)
	}{
		{"PutEvent", func(r []byte, i uint64) { PutEvent(r, i, i, float64(i), float64(i), float64(i), nil) }},
		{"AppendEvent", func(r []byte, i uint64) {
			AppendEvent(r[:0], &Event{Src: uint32(i), Dest: uint32(i), SendTS: float32(i), RecvTS: float32(i),
				RealTS: float32(i)})
		}},
	} {
		b.Run(way.name, func(b *testing.B) {
			f, _ := createFile(b, FileOptions{Buffers: 1, Discard: true})
			buf := f.Buffer(0)
			i := uint64(0)
			b.SetBytes(EventSize)
			b.ReportAllocs()
			for b.Loop() {
				if buf.Used() > 1<<16-EventSize {
					buf.HandOver()
				}
				way.put(buf.Reserve(EventSize), i)
				i++
			}
		})
	}
}

func BenchmarkHandOver(b *testing.B) {
	for _, bytes := range []int{0, 1000} {
		for _, buffers := range []int{1, 8} {
			b.Run(fmt.Sprintf("%d bytes of %d", bytes, buffers), func(b *testing.B) {
				f := startFake(&fakeDisk{forget: true}, FileOptions{Buffers: buffers})
				b.ReportAllocs()
				for n := range b.N {
					buf := f.Buffer(n % buffers)
					if bytes > 0 {
						buf.Reserve(bytes)
					}
					buf.HandOver()
				}
				require.NoError(b, f.Close())
			})
		}
	}
}

func BenchmarkFile(b *testing.B) {
	for _, size := range []int{4 << 10, 64 << 10, 1200 << 10, 8_000_000} {
		for _, buffers := range []int{1, 2, 8} {
			b.Run(fmt.Sprintf("%d KiB of %d", size>>10, buffers), func(b *testing.B) {
				f, _ := createFile(b, FileOptions{Buffers: buffers})
				b.SetBytes(int64(size * buffers))
				b.ReportAllocs()
				for n := range b.N {
					if n%(1+1<<28/size/buffers) == 0 { // not more than 256 MiB of disk
						f.mu.Lock()
						f.end = 0
						f.mu.Unlock()
					}
					for i := range buffers {
						f.Buffer(i).Reserve(size)
						f.Buffer(i).HandOver()
					}
				}
				f.mu.Lock()
				for f.ready() || f.writing != nil {
					f.freed.Wait()
				}
				f.mu.Unlock()
			})
		}
	}
}

// benchmarkRead reads data again and again, in one stream.
func benchmarkRead(b *testing.B, data []byte, content Content) {
	in := &endless{data: data}
	r := NewReader(in, "x", content)
	b.ReportAllocs()
	records := 0
	for b.Loop() {
		_, err := r.Next()
		if err != nil {
			b.Fatal(err)
		}
		records++
	}
	b.SetBytes(r.Offset() / int64(records))
	b.ReportMetric(float64(records)/b.Elapsed().Seconds()/1e6, "Mrecords/s")
}

// endless gives data, over and over.
type endless struct {
	data []byte
	at   int
}

func (e *endless) Read(b []byte) (int, error) {
	n := copy(b, e.data[e.at:])
	e.at = (e.at + n) % len(e.data)
	return n, nil
}

func BenchmarkReadEvents(b *testing.B) {
	benchmarkRead(b, bytes.Repeat(AppendEvent(nil, &Event{Src: 1, Dest: 2, RecvTS: 3}), 10_000), Trace)
}

func BenchmarkReadFiles(b *testing.B) {
	for name := range counts {
		b.Run(name, func(b *testing.B) {
			data, err := os.ReadFile(filepath.Join("testdata", name))
			require.NoError(b, err)
			data = bytes.Repeat(data, 1+(1<<20)/len(data)) // longer than the buffer
			benchmarkRead(b, data, ContentOf(name))
		})
	}
}

// traceOf writes a trace of that many events, which each turn of the benchmark reads, and returns its path.
func traceOf(b *testing.B, events int) (path string) {
	path = filepath.Join(b.TempDir(), "x-evtrace.bin")
	data := bytes.Repeat(AppendEvent(nil, &Event{Src: 1, Dest: 2, RecvTS: 3}), events)
	require.NoError(b, os.WriteFile(path, data, 0o644))
	b.SetBytes(int64(len(data)))
	return path
}

// BenchmarkReadTrace is the reading of a file into a list.
func BenchmarkReadTrace(b *testing.B) {
	path := traceOf(b, 10_000)
	for b.Loop() {
		_, err := ReadTrace(path)
		require.NoError(b, err)
	}
}

// BenchmarkReadEventsFromFile includes the time of the operating system.
func BenchmarkReadEventsFromFile(b *testing.B) {
	path := traceOf(b, 1_000_000)
	for b.Loop() {
		r, err := Open(path)
		require.NoError(b, err)
		for err == nil {
			_, err = r.Next()
		}
		require.Equal(b, io.EOF, err)
		require.NoError(b, r.Close())
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "Mrecords/s")
}
