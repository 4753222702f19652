// This file owns the tests of a File: the order of flushes and parts, whichever PE is faster, and its names; files
// of records of one size, whose parts are whole blocks, and the holes where a part was not written; what buffers
// accept, what they refuse, and the memory they need; and the limit on the size of files.

package instr

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ross-go/ross/internal/testing/testalloc"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/stretchr/testify/require"
)

// put puts a record into b with where it comes from, and more bytes of no meaning. It
// reports whether there was room.
func put(b *Buffer, index, flush, n, more int) bool {
	r := b.Reserve(4 + 4 + 4 + 4 + more)
	if r == nil {
		return false
	}
	for i, v := range []int{index, flush, n, more} {
		binary.LittleEndian.PutUint32(r[4*i:], uint32(v))
	}
	copy(r[16:], noise[n%256:])
	return true
}

// noise is 0, 1, 2, ..., modulo 256; enough for the largest record.
var noise = func() (b [1 << 16]byte) {
	for i := range b {
		b[i] = byte(i)
	}
	return b
}()

// label is what put wrote.
type label struct{ index, flush, n int }

// labels reads the whole records of what put wrote; rest is what remains.
func labels(t *testing.T, data []byte) (got []label, rest []byte) {
	t.Helper()
	for len(data) >= 16 {
		word := func(i int) int { return int(binary.LittleEndian.Uint32(data[4*i:])) }
		l, more := label{word(0), word(1), word(2)}, word(3)
		if len(data) < 16+more {
			break
		}
		if !bytes.Equal(data[16:16+more], noise[l.n%256:][:more]) {
			require.Fail(t, "wrong bytes", "%+v", l)
		}
		got, data = append(got, l), data[16+more:]
	}
	return got, data
}

func readLabels(t *testing.T, path string) []label {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	got, rest := labels(t, data)
	require.Empty(t, rest)
	return got
}

func newPath(t testing.TB) string { return FileName(t.TempDir(), "", GVTSuffix) }

func createFile(t testing.TB, o FileOptions) (f *File, path string) {
	t.Helper()
	path = newPath(t)
	f, err := Create(path, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Abort()) })
	return f, path
}

func seeded(t *testing.T) *rand.Rand {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

func TestFlushesAreInTheOrderOfTheBuffersWhoeverIsFaster(t *testing.T) {
	rnd := seeded(t)
	for buffers := 1; buffers <= 8; buffers++ {
		const flushes = 30
		f, path := createFile(t, FileOptions{Buffers: buffers, Size: 100 + rnd.IntN(1<<17)})
		var want []label
		for k := range flushes {
			for i := range buffers {
				for n := range i * k % 7 {
					want = append(want, label{i, k, n})
				}
			}
		}
		var wg sync.WaitGroup
		for i := range buffers {
			own := rand.New(rand.NewPCG(rnd.Uint64(), 0))
			wg.Go(func() {
				for k := range flushes {
					for n := range i * k % 7 {
						if !put(f.Buffer(i), i, k, n, 0) {
							t.Error("no room")
						}
						for range own.IntN(3) {
							runtime.Gosched()
						}
					}
					f.Buffer(i).HandOver()
				}
			})
		}
		wg.Wait()
		require.NoError(t, f.Close())
		require.NoError(t, f.Publish())
		require.Equal(t, want, readLabels(t, path), "%d buffers", buffers)
		require.EqualValues(t, 16*len(want), f.Bytes())
	}
}

func TestFileHasItsNameOnlyAfterPublish(t *testing.T) {
	f, path := createFile(t, FileOptions{Buffers: 1})
	put(f.Buffer(0), 0, 0, 0, 0)
	f.Buffer(0).HandOver()
	require.NoError(t, f.Close())
	require.NoError(t, f.Close())
	require.NoFileExists(t, path)
	require.FileExists(t, path+PartSuffix)
	require.NoError(t, f.Publish())
	require.NoError(t, f.Publish())
	require.NoError(t, f.Abort())
	require.Equal(t, []label{{}}, readLabels(t, path))
	require.NoFileExists(t, path+PartSuffix)
}

func TestCreateNeverOverwrites(t *testing.T) {
	for _, suffix := range []string{"", PartSuffix} {
		path := newPath(t)
		require.NoError(t, os.WriteFile(path+suffix, []byte("old"), 0o644))
		_, err := Create(path, FileOptions{Buffers: 1})
		require.ErrorIs(t, err, fs.ErrExist)
		require.ErrorContains(t, err, path+suffix)
		left, err := os.ReadDir(filepath.Dir(path))
		require.NoError(t, err)
		require.Len(t, left, 1)
		data, err := os.ReadFile(path + suffix)
		require.NoError(t, err)
		require.Equal(t, "old", string(data))
	}
}

func TestCreateErrorNamesFolderThatIsNone(t *testing.T) {
	base := t.TempDir()
	file := filepath.Join(base, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for _, dir := range []string{file, filepath.Join(base, "missing")} {
		for _, join := range []bool{false, true} {
			_, err := Create(FileName(dir, "", GVTSuffix), FileOptions{Buffers: 1, Join: join})
			require.ErrorContains(t, err, FileName(dir, "", GVTSuffix)+PartSuffix)
			require.True(t, strings.HasPrefix(err.Error(), "ross: instrumentation file: "), err)
		}
	}
}

func TestFileWithoutRecordsIsEmpty(t *testing.T) {
	f, path := createFile(t, FileOptions{Buffers: 3})
	for range 5 {
		for i := range 3 {
			f.Buffer(i).HandOver()
		}
	}
	require.NoError(t, f.Publish())
	require.Empty(t, readLabels(t, path))
	require.Zero(t, f.Bytes())
}

func TestAbortRemovesFileAndSparesTheNextOne(t *testing.T) {
	f, path := createFile(t, FileOptions{Buffers: 2})
	put(f.Buffer(0), 0, 0, 0, 0)
	f.Buffer(0).HandOver()
	require.NoError(t, f.Abort())
	require.NoFileExists(t, path+PartSuffix)
	next, err := Create(path, FileOptions{Buffers: 1})
	require.NoError(t, err)
	require.NoError(t, f.Abort())
	require.NoError(t, f.Publish())
	require.NoError(t, next.Publish())
	require.FileExists(t, path)
}

func TestAbortTellsOfPartItCannotRemove(t *testing.T) {
	path := newPath(t)
	f, err := Create(path, FileOptions{Buffers: 1})
	require.NoError(t, err)
	require.NoError(t, os.Remove(path+PartSuffix))
	err = f.Abort()
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, path)
}

func TestPublishThatCannotRenameKeepsTheData(t *testing.T) {
	f, path := createFile(t, FileOptions{Buffers: 1})
	put(f.Buffer(0), 0, 0, 0, 0)
	f.Buffer(0).HandOver()
	require.NoError(t, os.Mkdir(path, 0o755))
	require.ErrorContains(t, f.Publish(), path)
	require.Len(t, readLabels(t, path+PartSuffix), 1)
	require.NoError(t, os.Remove(path))
	require.NoError(t, f.Publish())
	require.Len(t, readLabels(t, path), 1)
}

func TestBuffersCanBeUsedAfterTheEndToNoEffect(t *testing.T) {
	for name, end := range map[string]func(*File) error{"Publish": (*File).Publish, "Abort": (*File).Abort} {
		f, path := createFile(t, FileOptions{Buffers: 1})
		require.NoError(t, end(f), name)
		for range 3 {
			require.True(t, put(f.Buffer(0), 0, 0, 0, 0), name)
			f.Buffer(0).HandOver()
			require.Zero(t, f.Buffer(0).Used(), name)
		}
		require.NoError(t, f.Close(), name)
		if name == "Publish" {
			require.Empty(t, readLabels(t, path))
		}
	}
}

func TestCloseWritesFlushThatSomeBuffersHaveNotHandedOver(t *testing.T) {
	f, path := createFile(t, FileOptions{Buffers: 3})
	for k := range 3 {
		put(f.Buffer(1), 1, k, 0, 0)
		f.Buffer(1).HandOver()
	}
	put(f.Buffer(0), 0, 0, 0, 0)
	f.Buffer(0).HandOver()
	require.NoError(t, f.Publish())
	require.Equal(t, []label{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 2, 0}}, readLabels(t, path))
}

func TestDiscardMakesNoFile(t *testing.T) {
	f, path := createFile(t, FileOptions{Buffers: 2, Size: 40, Discard: true})
	for k := range 5 {
		for i := range 2 {
			for n := range 3 {
				require.Equal(t, n < 2, put(f.Buffer(i), i, k, n, 0))
			}
			require.Equal(t, 32, f.Buffer(i).Used())
			f.Buffer(i).HandOver()
			require.Zero(t, f.Buffer(i).Used())
			require.EqualValues(t, 2*(k+1), f.Buffer(i).Records())
			records, bytes := f.Buffer(i).Missed()
			require.EqualValues(t, k+1, records)
			require.EqualValues(t, 16*(k+1), bytes)
		}
	}
	require.NoError(t, f.Publish())
	require.Zero(t, f.Bytes())
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestPeriodIsTheLeastMultipleOfRecordsAndBlocks(t *testing.T) {
	for unit := range 200 {
		p := periodOf(unit, DefaultBuffer)
		if unit == 0 {
			require.Zero(t, p)
			continue
		}
		least := block
		for least%unit != 0 {
			least += block
		}
		if least > mostPeriod {
			least = 0
		}
		require.Equal(t, least, p, "records of %d bytes", unit)
	}
	require.Equal(t, 12288, periodOf(24, DefaultBuffer))
	require.Zero(t, periodOf(24, 12288), "not all that a buffer holds may wait")
	require.Zero(t, periodOf(-1, DefaultBuffer))
}

// TestPartsOfWholeBlocksAreAllThere has buffers hand over at random.
func TestPartsOfWholeBlocksAreAllThere(t *testing.T) {
	for _, unit := range testlevel.Pick([]int{24, 28, 40, 25}, []int{24, 28, 40, 25}, []int{40, 25}) {
		for _, buffers := range []int{1, 3} {
			path := filepath.Join(t.TempDir(), "f.bin")
			const size = 1 << 19
			f, err := Create(path, FileOptions{Buffers: buffers, Size: size, Unit: unit})
			require.NoError(t, err)
			t.Logf("unit %d, %d buffers", unit, buffers)
			rnd := testrand.New(t)
			next := make([]uint64, buffers)
			for range 6 {
				for i := range buffers {
					for range rnd.IntN(size / unit) {
						r := f.Buffer(i).Reserve(unit)
						if r == nil {
							break
						}
						clear(r)
						binary.LittleEndian.PutUint64(r, uint64(i)<<32|next[i])
						next[i]++
					}
					f.Buffer(i).HandOver()
					if period := periodOf(unit, size); period > 0 {
						require.Less(t, f.Buffer(i).Used(), period)
					} else {
						require.Zero(t, f.Buffer(i).Used())
					}
				}
			}
			for i := range buffers {
				f.Buffer(i).HandOverAll()
				require.Zero(t, f.Buffer(i).Used())
			}
			require.NoError(t, f.Close())
			if f.direct != nil {
				require.Positive(t, f.past, "most goes past the page cache")
			}
			require.NoError(t, f.Publish())
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			got := make([]uint64, buffers)
			for at := 0; at < len(data); at += unit {
				v := binary.LittleEndian.Uint64(data[at:])
				i := v >> 32
				require.Equal(t, got[i], v&0xffffffff, "records of a buffer are in their order")
				got[i]++
			}
			require.Equal(t, next, got)
		}
	}
}

func TestGoHasAProcessorMoreWhileFilesAreWritten(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	var files []*File
	for _, name := range []string{"a", "b"} {
		f, err := Create(filepath.Join(t.TempDir(), name), FileOptions{Buffers: 1})
		require.NoError(t, err)
		require.Equal(t, before+1, runtime.GOMAXPROCS(0))
		files = append(files, f)
	}
	require.NoError(t, files[0].Close())
	require.Equal(t, before+1, runtime.GOMAXPROCS(0))
	require.NoError(t, files[1].Abort())
	require.Equal(t, before, runtime.GOMAXPROCS(0))

	f, err := Create(filepath.Join(t.TempDir(), "c"), FileOptions{Buffers: 1})
	require.NoError(t, err)
	runtime.GOMAXPROCS(before + 3)
	require.NoError(t, f.Close())
	require.Equal(t, before+3, runtime.GOMAXPROCS(0), "somebody else has a say, too")
	runtime.GOMAXPROCS(before)
}

func TestAHoleInATraceIsNoEvent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x-evtrace.bin")
	data := AppendEvent(nil, &Event{Src: 1, RealTS: 0.5})
	data = append(data, make([]byte, 3*EventSize)...)
	require.NoError(t, os.WriteFile(path, data, 0o644))
	events, err := ReadTrace(path)
	require.Len(t, events, 1)
	require.ErrorContains(t, err,
		"record at byte 24: expected an event, found 24 zero bytes, as left by a rank that was killed before it wrote")
}

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
	require.Zero(t, testalloc.PerRun(1000, step))
	require.NoError(t, f.Close())
}

func TestFilesTakeNoMoreThanTheirLimitAndNearlyAsMuch(t *testing.T) {
	const limit = 100_000
	rng := seeded(t)
	told := 0
	l := NewLimit(limit, 4, func() { told++ })
	var files [2]*File
	for i := range files {
		files[i], _ = createFile(t, FileOptions{Buffers: 2, Size: 20_000, Limit: l})
	}
	over, taken := map[*Buffer]bool{}, 0
	for len(over) < 4 {
		b := files[rng.IntN(2)].Buffer(rng.IntN(2))
		n := 1 + rng.IntN(1000)
		if room := b.Reserve(n); room != nil {
			require.False(t, over[b], "there are no holes")
			require.Len(t, room, n)
			taken += n
		} else if missed, _ := b.Missed(); missed == 0 {
			over[b] = true
			require.True(t, l.Reached())
		}
		if rng.IntN(10) == 0 {
			for _, f := range files {
				f.Buffer(0).HandOver()
				f.Buffer(1).HandOver()
			}
		}
	}
	require.Equal(t, 1, told)
	written := int64(0)
	for _, f := range files {
		f.Buffer(0).HandOverAll()
		f.Buffer(1).HandOverAll()
		require.NoError(t, f.Publish())
		written += f.Bytes()
	}
	require.EqualValues(t, taken, written)
	require.LessOrEqual(t, taken, limit)
	require.Greater(t, taken, limit-4*1000-limit/64)
}
