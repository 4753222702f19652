// This file pins the reading of the checkpoints that ROSS itself writes, and measures storing and loading a million
// LPs.

package rio

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ross-go/ross/internal/num/libm"
	"github.com/ross-go/ross/rng"
	"github.com/stretchr/testify/require"
)

const pholdio = "testdata/original/pholdio_checkpoint"

// copyOriginal copies the checkpoint that ROSS has written into a new folder.
func copyOriginal(t testing.TB) string {
	name := filepath.Join(t.TempDir(), "ck")
	for _, suffix := range []string{".rio-md", ".rio-lp", ".rio-data-0", ".txt"} {
		b, err := os.ReadFile(pholdio + suffix)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(name+suffix, b, 0o644))
	}
	return name
}

func readAll(t *testing.T, ck *Checkpoint) (lps []LP, events []Event) {
	for i := range ck.Entries() {
		r, err := ck.Read(i)
		require.NoError(t, err)
		for {
			var lp LP
			ok, err := r.NextLP(&lp)
			require.NoError(t, err)
			if !ok {
				break
			}
			lp.Streams = append([]rng.StreamState{}, lp.Streams...)
			lps = append(lps, lp)
		}
		for {
			var e Event
			ok, err := r.NextEvent(&e)
			require.NoError(t, err)
			if !ok {
				break
			}
			require.Empty(t, r.Lineage())
			events = append(events, e)
		}
	}
	return lps, events
}

func TestCheckpointOfROSSIsReadToTheLastByte(t *testing.T) {
	ck, err := Open(pholdio)
	require.NoError(t, err)
	defer ck.Close()
	require.True(t, ck.Original())
	require.NoError(t, ck.Verify())
	require.Equal(t, &Info{LPs: 8, Streams: 1}, ck.Info())
	require.Equal(t, []Job{{LPs: 8, Parts: 2}}, ck.Jobs())
	require.Equal(t, []Entry{
		{Part: 0, Size: 672, Raw: 672, LPs: 4, Events: 8},
		{Part: 1, Offset: 672, Size: 352, Raw: 352, LPs: 4},
	}, ck.Entries())
	index, err := ck.Index()
	require.NoError(t, err)
	require.Equal(t, []IndexEntry{{0, 8}, {1, 8}, {2, 8}, {3, 8}, {4, 8}, {5, 8}, {6, 8}, {7, 8}}, index)

	lps, events := readAll(t, ck)
	require.Len(t, lps, 8)
	require.Len(t, events, 8)
	// From the bytes, by hand.
	require.Equal(t, LP{
		GID: 0, CriticalPath: 0xAD, State: []byte{0, 0, 0, 0, 0, 0, 0, 0},
		Streams: []rng.StreamState{{State: rng.State{C: [4]uint32{0x66D3E628, 0x140E486A, 0x1CF2BF04, 0x28464F9C}}}},
	}, lps[0])
	require.Equal(t, [4]uint32{0x404DEEFB, 0x4BBB5646, 0x182A8F9A, 0x63FF5D36}, lps[7].Streams[0].C)
	require.Equal(t, Event{
		Src: 4, Dst: 4, Recv: math.Float64frombits(0x3FBF612C0D75EA00), Priority: 1, CriticalPath: 0xC1,
		Msg: []byte{0, 0, 0, 0, 0, 0, 0, 0},
	}, events[0])
	require.Equal(t, Event{
		Src: 2, Dst: 4, Recv: math.Float64frombits(0x3FF3D4F562C41380), Priority: 1, CriticalPath: 0xB9,
		Msg: []byte{0, 0, 0, 0, 0, 0, 0, 0},
	}, events[7])

	// The sums, over the words at their places.
	data, err := os.ReadFile(pholdio + ".rio-data-0")
	require.NoError(t, err)
	var components, paths, dsts, srcs, bits, states uint64
	var times float64
	word := func(at int) uint64 { return uint64(binary.LittleEndian.Uint32(data[at:])) }
	for _, first := range []int{0, 672} {
		for at := first; at < first+4*88; at += 88 {
			components += word(at+40) + word(at+44) + word(at+48) + word(at+52)
			paths += word(at + 76)
			states += word(at+80) + word(at+84)
		}
	}
	for at := 352; at < 672; at += 40 {
		bits += word(at)
		paths += word(at + 4)
		dsts += word(at + 8)
		srcs += word(at + 16)
		times += math.Float64frombits(binary.LittleEndian.Uint64(data[at+24:]))
	}
	for i, lp := range lps {
		require.EqualValues(t, i, lp.GID)
		for _, c := range lp.Streams[0].C {
			components -= uint64(c)
		}
		paths -= uint64(lp.CriticalPath)
		states -= uint64(binary.LittleEndian.Uint32(lp.State)) + uint64(binary.LittleEndian.Uint32(lp.State[4:]))
	}
	for _, e := range events {
		bits -= uint64(e.Bits)
		paths -= uint64(e.CriticalPath)
		dsts -= e.Dst
		srcs -= e.Src
		times -= e.Recv
	}
	require.Equal(t, [6]uint64{}, [6]uint64{components, paths, dsts, srcs, bits, states})
	require.InDelta(t, 0, times, 1e-12)
}

// originalFiles writes a checkpoint as ROSS does: partitions with two LPs, the second with a state,
// and events.
func originalFiles(t testing.TB, lpSize, msg, parts, events, files int) string {
	name := filepath.Join(t.TempDir(), "ck")
	var md, lp []byte
	data := make([][]byte, files)
	for p := range parts {
		file := p % files
		begin := len(data[file])
		for i := range 2 {
			b := make([]byte, lpSize+3*i)
			binary.LittleEndian.PutUint64(b, uint64(2*p+i))
			for at := 8; at < 56; at += 4 {
				binary.LittleEndian.PutUint32(b[at:], uint32(at+1+1000*p))
			}
			if lpSize == 80 {
				binary.LittleEndian.PutUint64(b[56:], math.Float64bits(0.25))
				binary.LittleEndian.PutUint64(b[64:], math.Float64bits(0.125))
				binary.LittleEndian.PutUint32(b[72:], uint32(i))
				binary.LittleEndian.PutUint32(b[76:], 7)
			} else {
				binary.LittleEndian.PutUint32(b[56:], 7)
				binary.LittleEndian.PutUint32(b[60:], 0xDEADBEEF) // padding
			}
			data[file] = append(data[file], b...)
			lp = binary.LittleEndian.AppendUint64(lp, uint64(3*i))
		}
		n := 0
		if p == 0 {
			n = events
		}
		for range n {
			b := make([]byte, 32+msg)
			b[8], b[16] = byte(2*parts-1), 1
			binary.LittleEndian.PutUint64(b[24:], math.Float64bits(0.5))
			data[file] = append(data[file], b...)
		}
		for _, v := range []int{p, file, begin, len(data[file]) - begin, 2, n} {
			md = binary.LittleEndian.AppendUint32(md, uint32(v))
		}
	}
	require.NoError(t, os.WriteFile(name+".rio-md", md, 0o644))
	require.NoError(t, os.WriteFile(name+".rio-lp", lp, 0o644))
	for i, b := range data {
		require.NoError(t, os.WriteFile(dataName(name, i), b, 0o644))
	}
	return name
}

func TestLayoutOfROSSIsFoundOut(t *testing.T) {
	for _, lpSize := range []int{80, 64} {
		for _, msg := range []int{0, 8, 32, 100} {
			for _, events := range []int{0, 1, 2, 3} {
				for _, parts := range []int{1, 3} {
					ck, err := Open(originalFiles(t, lpSize, msg, parts, events, min(2, parts)))
					require.NoError(t, err)
					require.NoError(t, ck.Verify(), "%d %d %d %d", lpSize, msg, events, parts)
					lps, found := readAll(t, ck)
					require.NoError(t, ck.Close())
					require.Len(t, lps, 2*parts)
					require.Len(t, found, events)
					for i, lp := range lps {
						require.EqualValues(t, i, lp.GID)
						require.EqualValues(t, 7, lp.CriticalPath)
						require.Len(t, lp.State, i%2*3)
						want := rng.StreamState{State: rng.State{C: [4]uint32{41, 45, 49, 53}}}
						for k := range want.C {
							want.C[k] += uint32(i / 2 * 1000)
						}
						if lpSize == 80 && i%2 == 1 {
							want.HasSpare, want.Spare = true, math.Sqrt(-2*libm.Log(0.25))*libm.Cos(6.28318530718*0.125)
						}
						require.Equal(t, want, lp.Streams[0])
					}
					for _, e := range found {
						require.Len(t, e.Msg, msg)
					}
				}
			}
		}
	}
}

func TestDamagedCheckpointOfROSSIsRefused(t *testing.T) {
	for what, c := range map[string]struct {
		suffix string
		at     int
		bytes  string
	}{
		"expected each gid from 0 to 7 once":       {".rio-data-0", 88, "\x00"},
		"gid 8, there are 8":                       {".rio-data-0", 88, "\x08"},
		"is not a state of a generator":            {".rio-data-0", 40, "\x00\x00\x00\x00"},
		"the switch of the normal distribution":    {".rio-data-0", 72, "\x02"},
		"to 4, there are 8":                        {".rio-data-0", 352 + 16, "\x77"},
		"expected times in this order":             {".rio-data-0", 352 + 31, "\xBF"}, // negative
		"NaN":                                      {".rio-data-0", 352 + 30, "\xF8\x7F"},
		"more than a partition can have":           {".rio-lp", 7, "\x10"},
		"cannot be 4 LPs of 80 bytes":              {".rio-lp", 32, "\x09"},
		"cannot be 4 LPs of 80 bytes and":          {".rio-md", 24 + 16, "\x04\x00\x00\x00\x01"},
		".rio-md: offset 0: expected \"ROSSckpt\"": {".rio-md", 0, "\x00\x00\x00\x80"},
	} {
		name := copyOriginal(t)
		b, err := os.ReadFile(name + c.suffix)
		require.NoError(t, err)
		copy(b[c.at:], c.bytes)
		require.NoError(t, os.WriteFile(name+c.suffix, b, 0o644))
		err = requireRefused(t, name, "")
		require.ErrorContains(t, err, what)
	}
}

func TestCheckpointOfROSSMayBeLongerButNotShorter(t *testing.T) {
	name := copyOriginal(t)
	for _, path := range dataFilesOf(t, name) {
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		for size := range whole {
			require.NoError(t, os.WriteFile(path, whole[:size], 0o644))
			if strings.HasSuffix(path, ".rio-md") && size == 24 {
				// Except for its events, this looks like a checkpoint of one partition.
				require.ErrorContains(t, Verify(name), "from gid 4 to 4, there are 4")
				continue
			}
			requireRefused(t, name, path, size)
		}
		require.NoError(t, os.WriteFile(path, append(whole, make([]byte, 40)...), 0o644))
		if !strings.HasSuffix(path, ".rio-md") {
			require.NoError(t, Verify(name), "ROSS does not cut what was longer before")
		}
		require.NoError(t, os.Remove(path))
		requireRefused(t, name, path)
		require.NoError(t, os.WriteFile(path, whole, 0o644))
	}
}

const (
	benchLPs   = 1_000_000
	benchParts = 32
	benchState = 256
)

// benchContent makes partitions of LPs with states of 256 bytes, and the info of them.
func benchContent() (*Info, []*Part, []int) {
	lp := LP{Streams: []rng.StreamState{{State: validState}}, Core: validState, State: make([]byte, benchState)}
	for i := range lp.State {
		lp.State[i] = byte(i * i >> 3)
	}
	var parts []*Part
	for k := range benchParts {
		p := &Part{LPs: benchLPs / benchParts}
		p.Data = make([]byte, 0, int(p.LPs)*LPSize(1, benchState))
		for i := range p.LPs {
			lp.GID = uint64(k)*p.LPs + i
			p.Data = AppendLP(p.Data, &lp)
			p.Index = append(p.Index, IndexEntry{GID: lp.GID, Size: benchState})
		}
		parts = append(parts, p)
	}
	return &Info{LPs: benchLPs, Streams: 1, Types: make([]Type, 1)}, parts, make([]int, benchParts)
}

func BenchmarkAppendLP(b *testing.B) {
	lp := LP{Streams: []rng.StreamState{{State: validState}}, Core: validState, State: make([]byte, benchState)}
	buf := make([]byte, 0, LPSize(1, benchState))
	b.SetBytes(int64(cap(buf)))
	for b.Loop() {
		buf = AppendLP(buf[:0], &lp)
	}
}

func BenchmarkAppendEvent(b *testing.B) {
	e := Event{Own: []float64{0.5}, Msg: make([]byte, 32)}
	buf := make([]byte, 0, EventSize(1, 32))
	b.SetBytes(int64(cap(buf)))
	for b.Loop() {
		buf = AppendEvent(buf[:0], &e)
	}
}

func BenchmarkSave(b *testing.B) {
	info, parts, file := benchContent()
	name := filepath.Join(b.TempDir(), "ck")
	for _, compress := range []bool{false, true} {
		b.Run(map[bool]string{false: "plain", true: "lz4"}[compress], func(b *testing.B) {
			b.SetBytes(benchLPs * int64(LPSize(1, benchState)))
			for b.Loop() {
				var packing sync.WaitGroup
				for _, p := range parts {
					packing.Go(func() { require.NoError(b, p.Pack(compress)) })
				}
				packing.Wait()
				require.NoError(b, Save(name, info, parts, file, Options{Files: 1}))
			}
		})
	}
}

func BenchmarkOpenAndRead(b *testing.B) {
	info, parts, file := benchContent()
	for _, compress := range []bool{false, true} {
		name := filepath.Join(b.TempDir(), "ck")
		for _, p := range parts {
			require.NoError(b, p.Pack(compress))
		}
		require.NoError(b, Save(name, info, parts, file, Options{Files: 1}))
		b.Run(map[bool]string{false: "plain", true: "lz4"}[compress], func(b *testing.B) {
			b.SetBytes(benchLPs * int64(LPSize(1, benchState)))
			for b.Loop() {
				readAllParts(b, name)
			}
		})
	}
}

// readAllParts reads the records of all partitions, with a goroutine for each.
func readAllParts(b *testing.B, name string) {
	ck, err := Open(name)
	require.NoError(b, err)
	defer ck.Close()
	var reading sync.WaitGroup
	for i := range ck.Entries() {
		reading.Go(func() {
			c, err := ck.Read(i)
			require.NoError(b, err)
			_, err = readRecords(c)
			require.NoError(b, err)
		})
	}
	reading.Wait()
}

func BenchmarkVerify(b *testing.B) {
	info, parts, file := benchContent()
	name := filepath.Join(b.TempDir(), "ck")
	require.NoError(b, Save(name, info, parts, file, Options{Files: 1}))
	b.SetBytes(benchLPs * int64(LPSize(1, benchState)))
	for b.Loop() {
		require.NoError(b, Verify(name))
	}
}
