// This file looks for bytes that upset reading or make it take memory that they do not justify.

package rio

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// requireBounded runs do, which reads size bytes of input, and limits the memory that it takes.
func requireBounded(t *testing.T, size int, do func()) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<16+32*size))
}

// seal corrects the size, if there is one, and the checksum of b, so that the bytes between them
// are checked.
func seal(b []byte, sizeAt int) []byte {
	b = append([]byte{}, b...)
	if len(b) < prologue+crcSize {
		return b
	}
	if sizeAt > 0 && sizeAt+8+crcSize <= len(b) {
		order.PutUint64(b[sizeAt:], uint64(len(b)))
	}
	order.PutUint32(b[len(b)-crcSize:], checksum(b[:len(b)-crcSize]))
	return b
}

func fileBytes(t testing.TB, path string) []byte {
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b
}

// FuzzManifest checks that a manifest with any bytes is refused, or comes out as it was.
func FuzzManifest(f *testing.F) {
	name := makeContent(seeded(1), small).saved(f, true)
	f.Add(fileBytes(f, name+".rio-md"))
	require.NoError(f, makeContent(seeded(2), tiny).save(f, name, false, Options{Append: true}))
	f.Add(fileBytes(f, name+".rio-md"))
	f.Add(fileBytes(f, makeContent(seeded(3), shape{files: 1}).saved(f, false)+".rio-md"))
	f.Fuzz(func(t *testing.T, b []byte) {
		b = seal(b, manifestHead-8)
		var m *manifest
		requireBounded(t, len(b), func() {
			var err error
			if m, err = decodeManifest("fuzz.rio-md", b); err != nil {
				require.ErrorContains(t, err, "ross: checkpoint: fuzz.rio-md: offset ")
				m = nil
			}
		})
		if m == nil {
			return
		}
		again, err := decodeManifest("fuzz.rio-md", m.encode())
		require.NoError(t, err)
		require.Equal(t, m.encode(), again.encode())
		require.NotEmpty(t, m.describe("fuzz"))
	})
}

// FuzzIndex checks that any index is refused, or has each gid once.
func FuzzIndex(f *testing.F) {
	b := fileBytes(f, makeContent(seeded(1), small).saved(f, true)+".rio-lp")
	f.Add(b, uint64(4))
	f.Add(b, uint64(1<<60))
	f.Add(encodeIndex(id{}, nil), uint64(0))
	f.Fuzz(func(t *testing.T, b []byte, lps uint64) {
		b = seal(b, 0)
		m := &manifest{jobs: []Job{{LPs: lps}}}
		if len(b) >= indexHead {
			m.id = id(b[prologue:])
		}
		requireBounded(t, len(b), func() {
			index, err := decodeIndex("fuzz.rio-lp", b, m)
			if err != nil {
				require.ErrorContains(t, err, "ross: checkpoint: fuzz.rio-lp: offset ")
				return
			}
			require.Equal(t, b, encodeIndex(m.id, index))
		})
	})
}

// FuzzPartition checks that any records are refused, or can be written as they were read.
func FuzzPartition(f *testing.F) {
	for i, s := range []shape{tiny, small, {parts: 1, lps: 2, events: 20, streams: 2, state: 5, msg: 5, files: 1}} {
		p := makeContent(seeded(uint64(i)), s).parts[0]
		f.Add(p.Data, p.LPs, p.Events, uint32(s.streams))
	}
	f.Add([]byte{}, uint64(1<<60), uint64(1<<60), uint32(1<<31))
	f.Fuzz(func(t *testing.T, data []byte, lps, events uint64, streams uint32) {
		c := &Contents{
			file: "fuzz.rio-data-0", data: data, jobLPs: 1 << 62, types: 1 << 31, streamsEach: streams, lps: lps, events: events,
			entry: Entry{LPs: lps, Events: events},
		}
		requireBounded(t, len(data), func() {
			n, err := readRecords(c)
			if err != nil {
				require.ErrorContains(t, err, "ross: checkpoint: fuzz.rio-data-0: offset 0: partition 0: byte ")
				return
			}
			require.Equal(t, len(data), n)
		})
	})
}

// FuzzUnpack checks that any bytes are refused, or are the compressed bytes that they should be.
func FuzzUnpack(f *testing.F) {
	p := makeContent(seeded(1), small).pack(f, true)[0]
	f.Add(p.file, uint16(len(p.Data)))
	f.Add(p.file[:9], uint16(len(p.Data)))
	f.Fuzz(func(t *testing.T, b []byte, size uint16) {
		raw, err := unpack(&Entry{Compressed: true, Raw: uint64(size)}, b)
		if err == nil {
			require.Len(t, raw, int(size))
		}
	})
}

// readRecords reads all records and returns how many bytes they have when written again.
func readRecords(c *Contents) (n int, err error) {
	var lp LP
	var e Event
	for {
		ok, err := c.NextLP(&lp)
		if err != nil {
			return 0, err
		}
		if !ok {
			break
		}
		n += LPSize(len(lp.Streams), len(lp.State))
	}
	for {
		ok, err := c.NextEvent(&e)
		if err != nil || !ok {
			return n, err
		}
		n += EventSize(len(e.Own), len(e.Msg))
	}
}

// FuzzOriginal checks that any files without a mark are refused, or read as ROSS's.
func FuzzOriginal(f *testing.F) {
	for _, name := range []string{pholdio, originalFiles(f, 64, 8, 2, 3, 1), originalFiles(f, 80, 0, 1, 0, 1)} {
		f.Add(fileBytes(f, name+".rio-md"), fileBytes(f, name+".rio-lp"), fileBytes(f, name+".rio-data-0"))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, md, lp, data []byte) {
		name := filepath.Join(dir, "ck")
		require.NoError(t, os.WriteFile(name+".rio-md", md, 0o644))
		require.NoError(t, os.WriteFile(name+".rio-lp", lp, 0o644))
		require.NoError(t, os.WriteFile(name+".rio-data-0", data, 0o644))
		requireBounded(t, len(md)+len(lp)+len(data), func() {
			err := Verify(name)
			if err == nil {
				return
			}
			require.True(t, unreadable(err), err)
			require.ErrorContains(t, err, "ross: checkpoint: ")
		})
	})
}
