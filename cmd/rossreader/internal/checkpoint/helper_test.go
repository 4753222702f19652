// This file owns what the tests store: LPs and events, in any layout.

package checkpoint

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/rio"
	"github.com/ross-go/ross/rng"
)

const originalName = "testdata/original/pholdio_checkpoint"

// content is what a checkpoint holds. Own of events is all of the lineage.
type content struct {
	info   rio.Info
	lps    []rio.LP
	events []rio.Event
	label  func(gid uint64) string // nil: LPs have no labels
}

// layout is how it is stored.
type layout struct {
	parts, files int
	backwards    bool // LPs, events and partitions
	compress     bool
	share        bool // tie-breakers with the event before
	add          bool // to what is there
	numbered     bool // the index has gids 0, 1, ... whatever those of the LPs are
}

var plain = layout{parts: 1, files: 1}

func generatorAt(n int) rng.State {
	return rng.State{C: [4]uint32{uint32(n + 1), uint32(n + 2), uint32(n + 3), uint32(n + 4)}, Count: uint64(n)}
}

// makeContent makes LPs and twice as many events, of two types.
func makeContent(lps int) *content {
	c := &content{info: rio.Info{
		Engine: "go-test", Model: "model 7", Created: time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC), Clock: 10, End: 20,
		LPs: uint64(lps), Streams: 2, Digests: true,
		Types: []rio.Type{
			{Name: "desk", State: "struct a", Message: "m", StateSize: 4, MessageSize: 6},
			{Name: "queue", State: "own", Message: "m", MessageSize: 6, Serialized: true},
		},
	}}
	for gid := range lps {
		c.lps = append(c.lps, rio.LP{
			GID: uint64(gid), Type: uint32(gid % 2), Now: 9 + float64(gid)/16, Digest: uint64(1000 + gid), CriticalPath: 7,
			Streams: []rng.StreamState{{State: generatorAt(gid)}, {State: generatorAt(gid + 50), Spare: 0.5, SpareAt: uint64(gid), HasSpare: true}},
			Core:    generatorAt(gid + 100), State: []byte{byte(gid), 1, 2, 3},
		})
		for k := range 2 {
			c.events = append(c.events, rio.Event{
				Src: uint64((gid + 1) % lps), Dst: uint64(gid), Recv: 10 + float64(k), Send: 9, Priority: 1, Bits: 3, CriticalPath: 8,
				Type: uint32(gid % 2), Own: []float64{0.25, float64(gid%8) / 16, 0.125 * float64(k)}[:2+k], Msg: []byte{byte(gid), byte(k)},
			})
		}
	}
	return c
}

// saved stores content under a new name, or adds it to what is there under a name, and returns the name.
func (c *content) saved(t testing.TB, l layout, name ...string) string {
	path := filepath.Join(t.TempDir(), "ck")
	if len(name) > 0 {
		path = name[0]
	}
	parts := make([]*rio.Part, l.parts)
	last := make([][]float64, l.parts)
	file := make([]int, l.parts)
	for i := range parts {
		parts[i], file[i] = &rio.Part{}, i%l.files
	}
	lps, events := slices.Clone(c.lps), slices.Clone(c.events)
	if l.backwards {
		slices.Reverse(lps)
		slices.Reverse(events)
		slices.Reverse(file)
	}
	for i := range lps {
		p := parts[lps[i].GID%uint64(l.parts)]
		p.LPs++
		p.Data = rio.AppendLP(p.Data, &lps[i])
		entry := rio.IndexEntry{GID: lps[i].GID, Size: uint64(len(lps[i].State))}
		if l.numbered {
			entry.GID = uint64(i)
		}
		p.Index = append(p.Index, entry)
	}
	for i := range events {
		k := events[i].Dst % uint64(l.parts)
		e, own := events[i], events[i].Own
		for l.share && int(e.Shared) < min(len(own), len(last[k])) && own[e.Shared] == last[k][e.Shared] {
			e.Shared++
		}
		e.Own, last[k] = own[e.Shared:], own
		parts[k].Events++
		parts[k].Data = rio.AppendEvent(parts[k].Data, &e)
	}
	for _, p := range parts {
		require.NoError(t, p.Pack(l.compress))
	}
	require.NoError(t, rio.Save(path, &c.info, parts, file, rio.Options{Files: l.files, Append: l.add, Label: c.label}))
	return path
}

// copyOriginal copies the original's checkpoint, after a change of one of its files.
func copyOriginal(t testing.TB, suffix string, change func([]byte) []byte) string {
	dir := t.TempDir()
	for _, s := range []string{".rio-md", ".rio-lp", ".rio-data-0"} {
		data := []byte(modeltest.Content(t, originalName+s))
		if s == suffix {
			data = change(bytes.Clone(data))
		}
		writeFile(t, filepath.Join(dir, "ck"+s), data)
	}
	return filepath.Join(dir, "ck")
}

// damage changes the last byte of a file.
func damage(t testing.TB, path string) {
	data := []byte(modeltest.Content(t, path))
	data[len(data)-1] ^= 1
	writeFile(t, path, data)
}

func run(args ...string) rt.Result { return rt.Run(Command, args...) }
