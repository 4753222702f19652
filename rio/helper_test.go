// This file owns the data that the tests store, and its comparison with what is read.

package rio

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/rng"
)

// shape says how much content is made.
type shape struct {
	parts, lps, events int // LPs and events of all partitions
	streams            int
	state, msg         int // bytes at most
	files              int
}

var small = shape{parts: 3, lps: 4, events: 5, streams: 1, state: 12, msg: 9, files: 2}

// content is a checkpoint to store, and what must come back.
type content struct {
	info   Info
	parts  []*Part
	file   []int
	files  int
	label  string // begins the labels of LPs; "" if they have none
	lps    [][]LP
	events [][]Event // with Own made longer to all of the lineage, and Shared 0
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 17)) }

// makeContent makes random content. LPs are dealt to partitions in turn, but for the last
// partition, which stays empty if there are several.
func makeContent(rnd *rand.Rand, s shape) *content {
	c := &content{files: s.files, info: Info{
		Engine: "go-test", Model: "model 7", Created: time.Unix(1700000000, int64(rnd.IntN(1e9))).UTC(), Clock: 10, End: 20,
		LPs: uint64(s.lps), Streams: uint32(s.streams), Digests: true, Settings: "--end=20\n",
		Types: []Type{{Name: "a", State: "struct a", Message: "m", StateSize: 8, MessageSize: 16}, {Name: "b", Serialized: true}},
	}}
	n := max(1, s.parts-1)
	for i := range s.parts {
		c.parts = append(c.parts, &Part{})
		c.file = append(c.file, (i*7+1)%s.files)
	}
	c.lps, c.events = make([][]LP, s.parts), make([][]Event, s.parts)
	order := rnd.Perm(s.lps)
	for i, gid := range order {
		c.addLP(i%n, randomLP(rnd, uint64(gid), s))
	}
	for i := range s.events {
		if home := c.lps[i%n]; len(home) > 0 {
			c.addEvent(rnd, i%n, home[rnd.IntN(len(home))], s)
		}
	}
	return c
}

func randomState(rnd *rand.Rand) (st rng.State) {
	for i := range st.C {
		st.C[i] = 1 + rnd.Uint32N(1<<31-400)
	}
	st.Count = rnd.Uint64()
	return st
}

func randomBytes(rnd *rand.Rand, most int) []byte {
	b := make([]byte, rnd.IntN(most+1))
	for i := range b {
		b[i] = byte(rnd.IntN(4)) // so that it can be compressed
	}
	return b
}

func randomLP(rnd *rand.Rand, gid uint64, s shape) LP {
	lp := LP{
		GID: gid, Type: rnd.Uint32N(2), Suspended: rnd.IntN(2) == 0, Code: rnd.Int64() - 1<<62, Now: 9 * rnd.Float64(),
		Digest: rnd.Uint64(), CriticalPath: rnd.Uint32(), Core: randomState(rnd), State: randomBytes(rnd, s.state),
	}
	for range s.streams {
		st := rng.StreamState{State: randomState(rnd)}
		if rnd.IntN(2) == 0 {
			st.Spare, st.SpareAt, st.HasSpare = rnd.NormFloat64(), rnd.Uint64(), true
		}
		lp.Streams = append(lp.Streams, st)
	}
	return lp
}

func (c *content) addLP(part int, lp LP) {
	p := c.parts[part]
	p.LPs++
	p.Data = AppendLP(p.Data, &lp)
	p.Index = append(p.Index, IndexEntry{GID: lp.GID, Size: uint64(len(lp.State))})
	c.lps[part] = append(c.lps[part], lp)
}

// addEvent adds an event that shares a random part of the lineage of the one before.
func (c *content) addEvent(rnd *rand.Rand, part int, dst LP, s shape) {
	var before []float64
	if n := len(c.events[part]); n > 0 {
		before = c.events[part][n-1].Own
	}
	e := Event{
		Src: rnd.Uint64N(c.info.LPs), Dst: dst.GID, Send: 9, Recv: 10 + rnd.Float64(), Priority: rnd.Float64(),
		Bits: rnd.Uint32(), CriticalPath: rnd.Uint32(), Type: dst.Type, Shared: uint32(rnd.IntN(len(before) + 1)), Msg: randomBytes(rnd, s.msg),
	}
	for range rnd.IntN(3) {
		e.Own = append(e.Own, rnd.Float64())
	}
	if len(e.Own) == 0 && e.Shared == 0 {
		e.Own = append(e.Own, rnd.Float64())
	}
	p := c.parts[part]
	p.Events++
	p.Data = AppendEvent(p.Data, &e)
	e.Own = append(append([]float64{}, before[:e.Shared]...), e.Own...)
	e.Shared = 0
	c.events[part] = append(c.events[part], e)
}

// pack packs the parts; copies, so that content can be stored several times.
func (c *content) pack(t testing.TB, compress bool) []*Part {
	var parts []*Part
	for _, p := range c.parts {
		q := &Part{LPs: p.LPs, Events: p.Events, Data: p.Data, Index: p.Index}
		require.NoError(t, q.Pack(compress))
		parts = append(parts, q)
	}
	return parts
}

func (c *content) save(t testing.TB, name string, compress bool, o Options) error {
	o.Files = c.files
	if c.label != "" {
		o.Label = func(gid uint64) string { return fmt.Sprintf("%s (%d)", c.label, gid) }
	}
	return Save(name, &c.info, c.pack(t, compress), c.file, o)
}

// saved stores content in a new folder and returns the name of the checkpoint.
func (c *content) saved(t testing.TB, compress bool) string {
	name := filepath.Join(t.TempDir(), "ck")
	require.NoError(t, c.save(t, name, compress, Options{}))
	return name
}

// readParts reads partitions first to first+len(c.parts)-1 and compares them with the content, whose
// gids are those from base on in the checkpoint.
func (c *content) readParts(t testing.TB, ck *Checkpoint, first int, base uint64) {
	for i := range c.parts {
		r, err := ck.Read(first + i)
		require.NoError(t, err)
		for _, want := range c.lps[i] {
			var got LP
			ok, err := r.NextLP(&got)
			require.NoError(t, err)
			require.True(t, ok)
			want.GID += base
			if len(want.State) == 0 {
				want.State = []byte{}
			}
			require.Equal(t, want, got)
		}
		var lp LP
		ok, err := r.NextLP(&lp)
		require.NoError(t, err)
		require.False(t, ok)
		for _, want := range c.events[i] {
			var got Event
			ok, err := r.NextEvent(&got)
			require.NoError(t, err)
			require.True(t, ok)
			require.Equal(t, want.Own, r.Lineage())
			require.Equal(t, want.Own[got.Shared:], got.Own)
			want.Src, want.Dst = want.Src+base, want.Dst+base
			got.Own, got.Shared = want.Own, 0
			require.Equal(t, want, got)
		}
		var e Event
		ok, err = r.NextEvent(&e)
		require.NoError(t, err)
		require.False(t, ok)
	}
}

// requireSame opens a checkpoint and compares all of it with the contents of its jobs.
func requireSame(t testing.TB, name string, jobs ...*content) {
	ck, err := Open(name)
	require.NoError(t, err)
	defer ck.Close()
	require.NoError(t, ck.Verify())
	last := jobs[len(jobs)-1].info
	var index []IndexEntry
	part, lps := 0, uint64(0)
	for _, c := range jobs {
		for _, p := range c.parts {
			for _, e := range p.Index {
				index = append(index, IndexEntry{GID: e.GID + lps, Size: e.Size})
			}
		}
		c.readParts(t, ck, part, lps)
		part += len(c.parts)
		lps += c.info.LPs
	}
	last.LPs = lps
	require.Equal(t, &last, ck.Info())
	got, err := ck.Index()
	require.NoError(t, err)
	require.Equal(t, len(index), len(got))
	if len(index) > 0 {
		require.Equal(t, index, got)
	}
	require.Len(t, ck.Entries(), part)
	require.Len(t, ck.Jobs(), len(jobs))
	require.False(t, ck.Original())
	labels := labelsOf(jobs...)
	for gid, label := range ck.Labels(nil) { // a crash may have taken them, but not changed them
		require.Equal(t, labels[gid], label)
	}
}

// labelsOf returns the labels of a checkpoint of these jobs.
func labelsOf(jobs ...*content) map[uint64]string {
	labels, first := map[uint64]string{}, uint64(0)
	for _, c := range jobs {
		for gid := range c.info.LPs {
			if c.label != "" {
				labels[first+gid] = fmt.Sprintf("%s (%d)", c.label, gid)
			}
		}
		first += c.info.LPs
	}
	return labels
}

// filesOf returns the names of the files in the folder of a checkpoint.
func filesOf(t testing.TB, name string) []string {
	found, err := os.ReadDir(filepath.Dir(name))
	require.NoError(t, err)
	var names []string
	for _, f := range found {
		names = append(names, f.Name())
	}
	return names
}
