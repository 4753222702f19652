// This file owns the data that the tests store, and its comparison with what is read: that it is what was stored,
// with its labels, on which nothing depends, and with an index of several parts.

package rio

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ross-go/ross/internal/testing/testalloc"
	"github.com/ross-go/ross/rng"
	"github.com/stretchr/testify/require"
)

// shape is how much content is made.
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
		Types: []Type{{Name: "a", State: "struct a", Message: "m", StateSize: 8, MessageSize: 16},
			{Name: "b", Serialized: true}},
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
		Bits: rnd.Uint32(), CriticalPath: rnd.Uint32(), Type: dst.Type, Shared: uint32(rnd.IntN(len(before) + 1)),
		Msg: randomBytes(rnd, s.msg),
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

func TestCheckpointIsReadAsItWasStored(t *testing.T) {
	shapes := []shape{
		small,
		{parts: 1, lps: 1, events: 1, streams: 1, files: 1},
		{parts: 1, lps: 3, streams: 5, state: 100, files: 1},
		{parts: 8, lps: 100, events: 300, streams: 2, state: 300, msg: 40, files: 4},
		{parts: 2, lps: 3, events: 9, streams: 1, state: 1 << 20, msg: 1 << 16, files: 3},
		{parts: 4, streams: 1, files: 2}, // no LP
		{files: 1},                       // no partition
	}
	for i, s := range shapes {
		c := makeContent(seeded(uint64(i)), s)
		for _, compress := range []bool{false, true} {
			requireSame(t, c.saved(t, compress), c)
		}
	}
}

func TestCompressedPartitionIsSmallerAndSaysSo(t *testing.T) {
	c := makeContent(seeded(1), shape{parts: 2, lps: 50, streams: 1, state: 1000, files: 1})
	ck, err := Open(c.saved(t, true))
	require.NoError(t, err)
	defer ck.Close()
	entries := ck.Entries()
	require.True(t, entries[0].Compressed)
	require.Less(t, entries[0].Size, entries[0].Raw)
	require.EqualValues(t, len(c.parts[0].Data), entries[0].Raw)
	require.False(t, entries[1].Compressed, "nothing to gain")
}

func TestDeepLineageIsSharedAndReadWhole(t *testing.T) {
	c := makeContent(seeded(2), shape{parts: 1, lps: 1, streams: 1, files: 1})
	const deep = 20_000
	var lineage []float64
	p := c.parts[0]
	for i := range deep {
		e := Event{Recv: 10, Type: c.lps[0][0].Type, Shared: uint32(i), Own: []float64{float64(i) / deep}}
		p.Data = AppendEvent(p.Data, &e)
		p.Events++
		lineage = append(lineage, e.Own[0])
	}
	ck, err := Open(c.saved(t, false))
	require.NoError(t, err)
	defer ck.Close()
	require.NoError(t, ck.Verify())
	r, err := ck.Read(0)
	require.NoError(t, err)
	var e Event
	for i := range deep {
		ok, err := r.NextEvent(&e) // skips the LP
		require.NoError(t, err)
		require.True(t, ok)
		require.Len(t, r.Lineage(), i+1)
	}
	require.Equal(t, lineage, r.Lineage())
}

func TestRecordsHaveTheSizesToldAndAreAppendedWithoutAllocation(t *testing.T) {
	rnd := seeded(3)
	s := shape{streams: 3, state: 100, msg: 50}
	lp := randomLP(rnd, 5, s)
	e := Event{Own: []float64{0.1, 0.2}, Msg: randomBytes(rnd, 50)}
	b := make([]byte, 0, LPSize(3, len(lp.State))+EventSize(2, len(e.Msg)))
	require.Len(t, AppendLP(nil, &lp), LPSize(3, len(lp.State)))
	require.Len(t, AppendEvent(nil, &e), EventSize(2, len(e.Msg)))
	require.Zero(t, testalloc.PerRun(10, func() { b = AppendEvent(AppendLP(b[:0], &lp), &e) }))
}

func TestSeveralProcessesStoreOneCheckpoint(t *testing.T) {
	c := makeContent(seeded(4), shape{parts: 6, lps: 30, events: 50, streams: 1, state: 50, msg: 5, files: 3})
	name := filepath.Join(t.TempDir(), "ck")
	parts := c.pack(t, false)
	o := Options{Files: 3}
	s, err := Begin(name, o)
	require.NoError(t, err)
	stores := []*Store{s}
	for range 2 {
		s, err := Join(name, s.Ticket(), o)
		require.NoError(t, err)
		stores = append(stores, s)
	}
	var placed []Entry
	for i, s := range stores {
		entries := make([]Entry, len(parts))
		for k, p := range parts {
			entries[k] = p.Entry()
		}
		require.NoError(t, s.Place(entries, c.file))
		require.NoError(t, s.Create(i))
		if placed != nil {
			require.Equal(t, placed, entries)
		}
		placed = entries
	}
	// Each process has parts in files that others have made.
	for i := len(stores) - 1; i >= 0; i-- {
		require.NoError(t, stores[i].Write(parts[2*i:2*i+2], placed[2*i:2*i+2]))
	}
	var index []IndexEntry
	for _, p := range parts {
		index = append(index, p.Index...)
	}
	require.Error(t, stores[1].Commit(&c.info, placed, index), "it did not begin")
	require.NoError(t, stores[0].Commit(&c.info, placed, index))
	requireSame(t, name, c)
}

func TestAbandonedStoreLeavesNothing(t *testing.T) {
	c := makeContent(seeded(5), small)
	name := filepath.Join(t.TempDir(), "ck")
	o := Options{Files: 3}
	s, err := Begin(name, o)
	require.NoError(t, err)
	other, err := Join(name, s.Ticket(), o)
	require.NoError(t, err)
	require.NoError(t, s.Create(0))
	require.NoError(t, other.Create(1))
	require.NoError(t, other.Abandon())
	require.Equal(t, []string{"ck.rio-data-0.new"}, filesOf(t, name))
	require.NoError(t, s.Abandon())
	require.Empty(t, filesOf(t, name))
	require.NoError(t, c.save(t, name, false, Options{}))
	requireSame(t, name, c)
}

func TestTextDescribesTheCheckpoint(t *testing.T) {
	c := makeContent(seeded(6), small)
	text, err := os.ReadFile(c.saved(t, false) + ".txt")
	require.NoError(t, err)
	for _, line := range []string{
		"This file was auto-generated by RIO.", "## Version Information", "ROSS Version:\tgo-test", "MODEL Version:\tmodel 7",
		"## CHECKPOINT INFORMATION", "Name:\t\tck", "Data Files:\t2", "Partitions:\t3", "Total Events:\t5", "Total LPs:\t4",
		"## BUILD SETTINGS", "RAND_NORMAL\tON", "## RUN TIME SETTINGS", "--end=20",
	} {
		require.Contains(t, string(text), line+"\n")
	}
}

// TestRareFieldsOfLPsAreRead has LPs with and without timers, and with and without a time at which
// they end the run.
func TestRareFieldsOfLPsAreRead(t *testing.T) {
	c := makeContent(seeded(4), shape{parts: 1, lps: 1, streams: 1, state: 9, files: 1})
	c.info.LPs += 3
	for i, timers := range [][]byte{{1, 2, 3, 4}, nil, {5}} {
		lp := randomLP(seeded(uint64(i)), uint64(i)+1, small)
		lp.Timers, lp.StopAt = timers, []float64{0, 7.5, 12}[i]
		c.addLP(0, lp)
	}
	requireSame(t, c.saved(t, false), c)
	for _, at := range []float64{-1, math.NaN(), math.Inf(1)} {
		bad := makeContent(seeded(4), shape{parts: 1, streams: 1, files: 1})
		bad.info.LPs = 1
		lp := randomLP(seeded(5), 0, small)
		lp.StopAt = at
		bad.addLP(0, lp)
		ck, err := Open(bad.saved(t, false))
		require.NoError(t, err)
		defer ck.Close()
		r, err := ck.Read(0)
		require.NoError(t, err)
		_, err = r.NextLP(&lp)
		require.ErrorContains(t, err, "is not a time at which a run ends")
	}
}

func TestLabelsStandBesideTheCheckpointAndNothingNeedsThem(t *testing.T) {
	c := named(1, "desk", small)
	name := c.saved(t, false)
	labels := func(wanted func(uint64) bool) map[uint64]string {
		ck, err := Open(name)
		require.NoError(t, err)
		defer ck.Close()
		return ck.Labels(wanted)
	}
	text, err := os.ReadFile(name + ".rio-labels")
	require.NoError(t, err)
	require.Equal(t, "id,label\n0,desk (0)\n1,desk (1)\n2,desk (2)\n3,desk (3)\n", string(text))
	require.Equal(t, map[uint64]string{2: "desk (2)"}, labels(func(gid uint64) bool { return gid == 2 }))

	require.NoError(t, os.WriteFile(name+".rio-labels", text[:len(text)-3], 0o644))
	requireSame(t, name, c)
	require.Empty(t, labels(nil))
	require.NoError(t, os.Remove(name+".rio-labels"))
	requireSame(t, name, c)
	require.Empty(t, labels(nil))
}

func TestJoinedChecksumsAreThoseOfTheWhole(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 3000)
	for i := range b {
		b[i] = byte(rnd.Uint32())
	}
	for _, at := range []int{0, 1, 16, 999, 3000} {
		require.Equal(t, checksum(b), joined(checksum(b[:at]), checksum(b[at:]), uint64(len(b)-at)), "%d", at)
	}
}

// TestAnIndexInPartsIsThatOfOneProcess has two processes write a checkpoint, each its own part.
func TestAnIndexInPartsIsThatOfOneProcess(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ck")
	want := named(1, "parts", tiny)
	o := Options{Files: want.files}
	first, err := Begin(name, o)
	require.NoError(t, err)
	second, err := Join(name, first.Ticket(), o)
	require.NoError(t, err)
	for i := range o.Files {
		require.NoError(t, first.Create(i))
	}
	require.NoError(t, first.CreateIndex(want.info.LPs))
	var entries []Entry
	var index []IndexPart
	lps, parts, bytes := uint64(0), uint64(0), make([]uint64, o.Files)
	for i, s := range []*Store{first, second} {
		own, files := want.parts[:1], want.file[:1]
		if i == 1 {
			own, files = want.parts[1:], want.file[1:]
		}
		var placed []Entry
		var lines []IndexEntry
		for _, p := range own {
			require.NoError(t, p.Pack(false))
			placed, lines = append(placed, p.Entry()), append(lines, p.Index...)
		}
		require.NoError(t, s.PlaceAfter(placed, files, parts, bytes))
		require.NoError(t, s.Write(own, placed))
		part, err := s.WriteIndexPart(lines, lps)
		require.NoError(t, err)
		for k, e := range placed {
			bytes[files[k]] += e.Size
		}
		lps, parts = lps+uint64(len(lines)), parts+uint64(len(placed))
		entries, index = append(entries, placed...), append(index, part)
	}
	require.Error(t, first.Commit(&want.info, entries, nil), "the index is not complete")
	require.Error(t, first.EndIndex(nil), "a part is missing")
	require.NoError(t, first.EndIndex(index))
	require.NoError(t, first.Commit(&want.info, entries, nil))
	requireSame(t, name, want)
}
