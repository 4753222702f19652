// This file tests the contents of a File: the order of flushes and parts, whichever PE is
// faster, and its names.

package instr

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// put puts a record into b that says where it comes from, and more bytes of no meaning. It
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

// labels reads what put wrote, as far as it is whole; rest is what remains.
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
