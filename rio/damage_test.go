// This file pins that no byte of a checkpoint can change, come or go without an error that names the file; what
// Verify finds in files whose checksums are right; what is refused in manifests with correct checksums, and in ROSS's,
// which have none; and looks for bytes that upset reading or make it take memory that they do not justify.

package rio

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ross-go/ross/rng"
	"github.com/stretchr/testify/require"
)

var tiny = shape{parts: 2, lps: 2, events: 3, streams: 1, state: 4, msg: 3, files: 1}

// requireRefused opens and verifies a checkpoint, and requires an error of the right kind that
// names the file.
func requireRefused(t *testing.T, name, file string, what ...any) error {
	err := Verify(name)
	require.Error(t, err, what...)
	require.ErrorContains(t, err, file+": ", what...)
	known := errors.Is(err, ErrDamaged) || errors.Is(err, ErrForeign) || errors.Is(err, ErrVersion) ||
		errors.Is(err, ErrNone)
	require.True(t, known, "%v: %v", what, err)
	return err
}

// dataFilesOf returns the paths of the files of a checkpoint but the texts.
func dataFilesOf(t *testing.T, name string) []string {
	var paths []string
	for _, f := range filesOf(t, name) {
		if !strings.HasSuffix(f, ".txt") && !strings.HasSuffix(f, ".rio-labels") {
			paths = append(paths, filepath.Join(filepath.Dir(name), f))
		}
	}
	return paths
}

func TestChangedByteIsFoundInEachFile(t *testing.T) {
	for _, compress := range []bool{false, true} {
		name := makeContent(seeded(1), tiny).saved(t, compress)
		for _, path := range dataFilesOf(t, name) {
			whole, err := os.ReadFile(path)
			require.NoError(t, err)
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			require.NoError(t, err)
			for i, b := range whole {
				for _, bits := range []byte{1, 0xFF} {
					_, err := f.WriteAt([]byte{b ^ bits}, int64(i))
					require.NoError(t, err)
					requireRefused(t, name, path, path, i, bits)
				}
				_, err = f.WriteAt([]byte{b}, int64(i))
				require.NoError(t, err)
			}
			require.NoError(t, f.Close())
			require.NoError(t, Verify(name))
		}
	}
}

func TestFileThatEndsAnywhereOrGoesOnIsRefused(t *testing.T) {
	name := makeContent(seeded(2), tiny).saved(t, true)
	for _, path := range dataFilesOf(t, name) {
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		for size := len(whole) - 1; size >= 0; size-- {
			require.NoError(t, os.Truncate(path, int64(size)))
			requireRefused(t, name, path, path, size)
		}
		for _, more := range []byte{0, 1} {
			require.NoError(t, os.WriteFile(path, append(whole[:len(whole):len(whole)], more), 0o644))
			requireRefused(t, name, path, path, "and", more)
		}
		require.NoError(t, os.WriteFile(path, whole, 0o644))
		require.NoError(t, Verify(name))
	}
}

func TestMissingFileIsNamed(t *testing.T) {
	name := makeContent(seeded(3), small).saved(t, false)
	for _, path := range dataFilesOf(t, name) {
		require.NoError(t, os.Rename(path, path+".away"))
		err := requireRefused(t, name, path, path)
		require.Equal(t, path == name+".rio-md", errors.Is(err, ErrNone))
		require.NoError(t, os.Mkdir(path, 0o755))
		require.ErrorIs(t, Verify(name), ErrForeign)
		require.NoError(t, os.Remove(path))
		require.NoError(t, os.Rename(path+".away", path))
	}
}

func TestFilesOfTwoCheckpointsDoNotMix(t *testing.T) {
	c := makeContent(seeded(4), small)
	a, b := c.saved(t, false), c.saved(t, false)
	for _, path := range dataFilesOf(t, a) {
		own, err := os.ReadFile(path)
		require.NoError(t, err)
		other, err := os.ReadFile(b + strings.TrimPrefix(path, a))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, other, 0o644))
		found := path
		if path == a+".rio-md" {
			found = a + ".rio-data-0" // the first that does not belong to it
		}
		err = requireRefused(t, a, found, path)
		require.ErrorContains(t, err, "the manifest belongs to checkpoint ")
		require.NoError(t, os.WriteFile(path, own, 0o644))
	}
	require.NoError(t, os.Rename(a+".rio-data-1", a+".rio-data-x"))
	require.NoError(t, os.Rename(a+".rio-data-0", a+".rio-data-1"))
	require.NoError(t, os.Rename(a+".rio-data-x", a+".rio-data-0"))
	requireRefused(t, a, a+".rio-data-0")
}

func TestForeignAndUnknownFilesAreToldApart(t *testing.T) {
	name := makeContent(seeded(5), tiny).saved(t, false)
	for _, path := range dataFilesOf(t, name) {
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, c := range []struct {
			at    int
			bytes string
			kind  error
		}{
			{0, "hi all, ", ErrForeign},
			{0, "\x7fELF", ErrForeign},
			{8, "\x01\x02\x03\x04", ErrVersion},
			{12, "\x02", ErrVersion},
		} {
			changed := append([]byte{}, whole...)
			copy(changed[c.at:], c.bytes)
			require.NoError(t, os.WriteFile(path, changed, 0o644))
			require.ErrorIs(t, requireRefused(t, name, path), c.kind)
		}
		require.NoError(t, os.WriteFile(path, whole, 0o644))
	}
	for _, foreign := range []string{"some text that is no checkpoint", strings.Repeat("24 bytes of lowercase...", 3),
		strings.Repeat("\xFF", 48)} {
		require.NoError(t, os.WriteFile(name+".rio-md", []byte(foreign), 0o644))
		require.ErrorIs(t, requireRefused(t, name, name+".rio-md"), ErrForeign)
	}
	_, err := Open(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, ErrNone)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestErrorTellsFileOffsetAndBothChecksums(t *testing.T) {
	name := makeContent(seeded(6), tiny).saved(t, false)
	path := name + ".rio-data-0"
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	b[len(b)-1]++
	require.NoError(t, os.WriteFile(path, b, 0o644))
	require.Regexp(t,
		`^ross: checkpoint: .*ck\.rio-data-0: offset 40: partition 0: CRC-32C is [0-9a-f]{8}, the manifest has [0-9a-f]{8}: the file was damaged: load another checkpoint$`,
		Verify(name).Error())
}

func TestRecordsThatMakeNoSenseAreRefused(t *testing.T) {
	// Each changes the records of a partition with two LPs at time 5 and an event, or its index.
	for what, change := range map[string]func(a, b *LP, e *Event, p *Part){
		"gid 7, there are 2":               func(a, _ *LP, _ *Event, _ *Part) { a.GID = 7 },
		"the index has gid 0 with":         func(a, b *LP, _ *Event, _ *Part) { a.GID, b.GID = 1, 0 },
		"the index has gid 1 with 3 bytes": func(_, _ *LP, _ *Event, p *Part) { p.Index[1].Size = 3 },
		"type 2, there are 2":              func(a, _ *LP, _ *Event, _ *Part) { a.Type = 2 },
		"expected 1 streams, found 2": func(a, _ *LP, _ *Event, _ *Part) {
			a.Streams = append(a.Streams, a.Streams...)
		},
		"Inf is not a time":                     func(a, _ *LP, _ *Event, _ *Part) { a.Now = math.Inf(1) },
		"stream 0: [0 1 1 1] is not a state":    func(a, _ *LP, _ *Event, _ *Part) { a.Streams[0].C = [4]uint32{0, 1, 1, 1} },
		"normal value is not a number":          func(a, _ *LP, _ *Event, _ *Part) { a.Streams[0].Spare = math.NaN() },
		"not a state of the engine's generator": func(a, _ *LP, _ *Event, _ *Part) { a.Core.C[3] = 1<<31 - 325 },
		"from gid 2 to 0, there are 2":          func(_, _ *LP, e *Event, _ *Part) { e.Src = 2 },
		"from gid 1 to 9, there are 2":          func(_, _ *LP, e *Event, _ *Part) { e.Dst = 9 },
		"it is for gid 1, which is in":          func(_, b *LP, e *Event, p *Part) { e.Dst, e.Type = 1, b.Type },
		"it has type 0, gid 0 has 1":            func(a, _ *LP, e *Event, _ *Part) { a.Type, e.Type = 1, 0 },
		"event 0: type 9, there are 2":          func(_, _ *LP, e *Event, _ *Part) { e.Type = 9 },
		"it is for time 4, gid 0 is at 5":       func(_, _ *LP, e *Event, _ *Part) { e.Send, e.Recv = 4, 4 },
		"sent at 8 for 7":                       func(_, _ *LP, e *Event, _ *Part) { e.Send = 8 },
		"for NaN":                               func(_, _ *LP, e *Event, _ *Part) { e.Recv = math.NaN() },
		"priority 1.5":                          func(_, _ *LP, e *Event, _ *Part) { e.Priority = 1.5 },
		"priority NaN":                          func(_, _ *LP, e *Event, _ *Part) { e.Priority = math.NaN() },
		"-1 is not a tie-breaker":               func(_, _ *LP, e *Event, _ *Part) { e.Own[0] = -1 },
		"1 tie-breakers of the 0 before":        func(_, _ *LP, e *Event, _ *Part) { e.Shared = 1 },
		"0 tie-breakers of the 0 before":        func(_, _ *LP, e *Event, _ *Part) { e.Own = nil },
		"end 0: expected none, found 68 bytes":  func(_, _ *LP, _ *Event, p *Part) { p.Events = 0 },
	} {
		// gid 1 is in a partition of its own in the case that needs one.
		lps := []*LP{
			{GID: 0, Now: 5, Streams: []rng.StreamState{{State: validState}}, Core: validState},
			{GID: 1, Now: 5, Streams: []rng.StreamState{{State: validState}}, State: []byte("12")},
		}
		e := Event{Src: 1, Send: 5, Recv: 7, Priority: 1, Own: []float64{0.5}}
		p := &Part{LPs: 2, Events: 1, Index: []IndexEntry{{0, 0}, {1, 2}}}
		change(lps[0], lps[1], &e, p)
		parts, file := []*Part{p}, []int{0}
		p.Data = AppendLP(nil, lps[0])
		if what == "it is for gid 1, which is in" {
			p.LPs, p.Index = 1, p.Index[:1]
			parts, file = append(parts, &Part{LPs: 1, Data: AppendLP(nil, lps[1]), Index: []IndexEntry{{1, 2}}}), []int{0, 0}
		} else {
			p.Data = AppendLP(p.Data, lps[1])
		}
		p.Data = AppendEvent(p.Data, &e)
		if p.Events == 0 {
			p.Data = p.Data[:len(p.Data)-8]
		}
		name := t.TempDir() + "/ck"
		info := &Info{LPs: 2, Streams: 1, Types: make([]Type, 2)}
		require.NoError(t, Save(name, info, parts, file, Options{Files: 1}), what)
		err := Verify(name)
		require.ErrorIs(t, err, ErrDamaged, what)
		require.ErrorContains(t, err, what)
		require.ErrorContains(t, err, "ck.rio-data-0: offset 40: partition 0: byte ", what)
	}
}

var validState = rng.State{C: [4]uint32{1, 2, 3, 4}}

func TestWhatMakesNoCheckpointIsNotStored(t *testing.T) {
	for what, change := range map[string]func(c *content, info *Info, o *Options){
		"at least 1":            func(_ *content, _ *Info, o *Options) { o.Files = 0 },
		"41 bytes":              func(_ *content, info *Info, _ *Options) { info.Model = string(make([]byte, 41)) },
		"clock NaN":             func(_ *content, info *Info, _ *Options) { info.Clock = math.NaN() },
		"has 5 LPs, found 4":    func(_ *content, info *Info, _ *Options) { info.LPs++ },
		"with 0 types":          func(_ *content, info *Info, _ *Options) { info.Types = nil },
		"0 streams":             func(_ *content, info *Info, _ *Options) { info.Streams = 0 },
		"data file 2 of 2":      func(c *content, _ *Info, _ *Options) { c.file[0] = 2 },
		"data files for 2":      func(c *content, _ *Info, _ *Options) { c.file = c.file[:2] },
		"gid 9 occurs twice":    func(c *content, _ *Info, _ *Options) { c.parts[0].Index[0].GID = 9 },
		"2 LPs, and 1 entries":  func(c *content, _ *Info, _ *Options) { c.parts[0].Index = c.parts[0].Index[:1] },
		"bytes are too few for": func(c *content, _ *Info, _ *Options) { c.parts[0].Events = 1 << 60 },
	} {
		c := makeContent(seeded(7), small)
		info, o := c.info, Options{Files: 2}
		change(c, &info, &o)
		name := t.TempDir() + "/ck"
		require.ErrorContains(t, Save(name, &info, c.parts, c.file, o), what)
		require.Empty(t, filesOf(t, name), what)
	}
}

func TestFurtherMessagesOfATypeAreVerified(t *testing.T) {
	info := &Info{LPs: 1, Streams: 1, Types: []Type{{Name: "desk"}, {Name: "clerk"}, {Name: "message m of clerk"}}}
	for row, want := range map[uint32]string{0: "it has type 0, gid 0 has 1", 1: "", 2: ""} {
		lp := &LP{Type: 1, Now: 5, Streams: []rng.StreamState{{State: validState}}, Core: validState}
		e := &Event{Type: row, Send: 5, Recv: 7, Priority: 1, Own: []float64{0.5}}
		p := &Part{LPs: 1, Events: 1, Index: []IndexEntry{{0, 0}}, Data: AppendEvent(AppendLP(nil, lp), e)}
		name := t.TempDir() + "/ck"
		require.NoError(t, Save(name, info, []*Part{p}, []int{0}, Options{Files: 1}))
		if want == "" {
			require.NoError(t, Verify(name))
		} else {
			require.ErrorContains(t, Verify(name), want)
		}
	}
}

func TestManifestThatMakesNoSenseIsRefused(t *testing.T) {
	whole := fileBytes(t, makeContent(seeded(1), small).saved(t, false)+".rio-md")
	for what, change := range map[string]func(m *manifest){
		"there is no job":                  func(m *manifest) { m.jobs = nil },
		"more than possible":               func(m *manifest) { m.jobs[0].LPs = 1 << 63 },
		"clock +Inf":                       func(m *manifest) { m.jobs[0].Clock = math.Inf(1) },
		"4 LPs with 0 types":               func(m *manifest) { m.types = nil },
		"job 0 has 4 partitions":           func(m *manifest) { m.jobs[0].Parts++ },
		"1 partitions belong to no job":    func(m *manifest) { m.jobs[0].Parts-- },
		"job 0 has 3 LPs, found 4":         func(m *manifest) { m.jobs[0].LPs-- },
		"data file 0: it cannot have 39":   func(m *manifest) { m.files[0].size = dataHead - 1 },
		"data file 2, there are 2":         func(m *manifest) { m.entries[0].File = 2 },
		"expected at offset 40 of":         func(m *manifest) { m.entries[0].Offset++ },
		"data file 1 has":                  func(m *manifest) { m.entries[0].Size, m.entries[0].Raw = 1<<62, 1<<62 },
		"cannot hold":                      func(m *manifest) { m.entries[0].Raw++ },
		"compressed ones":                  func(m *manifest) { m.entries[0].Compressed = true },
		"are too few for":                  func(m *manifest) { m.entries[0].Events = 1 << 61 },
		"data file 1: its partitions end ": func(m *manifest) { m.files[1].size++ },
		// The end of the first partition, counted in 64 bits, is that of the file.
		"it cannot have 18446744073709551615": func(m *manifest) { m.files[0].size = math.MaxUint64 },
	} {
		m, err := decodeManifest("m", whole)
		require.NoError(t, err)
		change(m)
		_, err = decodeManifest("m", m.encode())
		require.ErrorIs(t, err, ErrDamaged, what)
		require.ErrorContains(t, err, what)
		require.ErrorContains(t, err, "ross: checkpoint: m: offset 40: ")
	}
	_, err := decodeManifest("m", seal(append(whole[:len(whole)-crcSize:len(whole)], make([]byte, 8)...), manifestHead-8))
	require.ErrorContains(t, err, "expected the end of the manifest, found 4 bytes")
	_, err = decodeManifest("m", seal(whole[:len(whole)-1], manifestHead-8))
	require.ErrorContains(t, err, "expected more, the manifest ends at")
}

func TestManifestOfROSSThatMakesNoSenseIsForeign(t *testing.T) {
	for what, v := range map[string][]int32{
		"found -1":                         {0, 0, 0, 64, 1, -1},
		"data file 1, of 1 partitions":     {0, 1, 0, 64, 1, 0},
		"expected at 0, found at 8":        {0, 0, 8, 64, 1, 0},
		"63 bytes are too few":             {0, 0, 0, 63, 1, 0},
		"partition 1: expected at 64, fou": {0, 0, 0, 64, 1, 0, 1, 0, 65, 64, 1, 0},
	} {
		var b []byte
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		}
		_, err := decodeOriginalManifest(b)
		require.ErrorContains(t, err, what)
	}
}

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
