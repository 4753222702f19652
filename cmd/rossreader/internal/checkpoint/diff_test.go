// This file tests and measures diff.

package checkpoint

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/rio"
	"github.com/ross-go/ross/rng"
)

func TestEqualContentIsEqualInAnyLayout(t *testing.T) {
	c := makeContent(9)
	a := c.saved(t, plain)
	for _, l := range []layout{
		plain,
		{parts: 4, files: 3},
		{parts: 4, files: 2, backwards: true},
		{parts: 20, files: 1, share: true},
		{parts: 2, files: 2, backwards: true, share: true, compress: true},
	} {
		b := c.saved(t, l)
		require.Equal(t, "equal: 9 LPs, 18 events\n", good(t, a, b), l)
		require.Equal(t, "equal: 9 LPs, 18 events\n", good(t, b+".rio-md", a+".txt"), l)
	}
}

func good(t testing.TB, a, b string) string {
	r := run("diff", a, b)
	require.Empty(t, r.Stderr)
	require.Zero(t, r.Status, r.Stdout)
	return r.Stdout
}

// differences runs diff, which must find some, and returns the lines after those of A and B.
func differences(t testing.TB, a, b string, options ...string) []string {
	r := run(append([]string{"diff", a, b}, options...)...)
	require.Empty(t, r.Stderr)
	require.Equal(t, 1, r.Status, r.Stdout)
	lines := strings.Split(strings.TrimSuffix(r.Stdout, "\n"), "\n")
	require.True(t, strings.HasPrefix(lines[0], "A: "+a+": "), lines[0])
	require.True(t, strings.HasPrefix(lines[1], "B: "+b+": "), lines[1])
	return lines[2:]
}

func TestDifferencesOfLPsAreNamed(t *testing.T) {
	a := makeContent(6).saved(t, plain)
	for want, change := range map[string]func(*rio.LP){
		"type queue | desk":                                          func(lp *rio.LP) { lp.Type = 0 },
		"last event at 9.1875 | 9.75":                                func(lp *rio.LP) { lp.Now = 9.75 },
		"ends the run at 0 | 12":                                     func(lp *rio.LP) { lp.StopAt = 12 },
		"suspended no | yes with code 5":                             func(lp *rio.LP) { lp.Suspended, lp.Code = true, 5 },
		"suspended no | no with code -1":                             func(lp *rio.LP) { lp.Code = -1 },
		"critical path 7 | 8":                                        func(lp *rio.LP) { lp.CriticalPath++ },
		"digest 00000000000003eb | 00000000000003ec":                 func(lp *rio.LP) { lp.Digest++ },
		"state from byte 2 on, lengths 4 | 4":                        func(lp *rio.LP) { lp.State = []byte{3, 1, 9, 9} },
		"state from byte 4 on, lengths 4 | 5":                        func(lp *rio.LP) { lp.State = []byte{3, 1, 2, 3, 0} },
		"state from byte 0 on, lengths 4 | 0":                        func(lp *rio.LP) { lp.State = nil },
		"last event at 9.1875 | 9; critical path 7 | 6":              func(lp *rio.LP) { lp.Now, lp.CriticalPath = 9, 6 },
		"stream 0 [4 5 6 7] after 3 draws | [4 5 6 7] after 4 draws": func(lp *rio.LP) { lp.Streams[0].Count++ },
		"stream 0 [4 5 6 7] after 3 draws | [9 5 6 7] after 3 draws (and 1 streams more)": func(lp *rio.LP) {
			lp.Streams[0].C[0], lp.Streams[1].C[3] = 9, 9
		},
		"stream 1 [54 55 56 57] after 53 draws, normal value 0.5 of draw 3 | [54 55 56 57] after 53 draws, normal value -0.5 of draw 3": func(lp *rio.LP) {
			lp.Streams[1].Spare = -0.5
		},
		"stream 1 [54 55 56 57] after 53 draws, normal value 0.5 of draw 3 | [54 55 56 57] after 53 draws": func(lp *rio.LP) {
			lp.Streams[1].Spare, lp.Streams[1].SpareAt, lp.Streams[1].HasSpare = 0, 0, false
		},
		"stream 0 [4 5 6 7] after 3 draws | [4 5 6 7] after 3 draws, normal value -0 of draw 0 not to be used": func(lp *rio.LP) {
			lp.Streams[0].Spare = math.Copysign(0, -1)
		},
		"engine's stream [104 105 106 107] after 103 draws | [104 105 106 107] after 102 draws": func(lp *rio.LP) {
			lp.Core.Count--
		},
	} {
		c := makeContent(6)
		change(&c.lps[3])
		b := c.saved(t, layout{parts: 4, files: 2, backwards: true, compress: true})
		require.Equal(t, []string{"gid 3: " + want, "LPs that differ: 1. Events only in A: 0, only in B: 0."},
			differences(t, a, b))
	}
}

func TestDifferencesOfEventsAreNamed(t *testing.T) {
	a := makeContent(6).saved(t, plain)
	const whole = "for gid 3 at 11, priority 1, tie-breakers 0.25 0.1875 0.125, from gid 4 at 9, type queue, bits 00000003, critical path 8, message 0301"
	for _, c := range []struct {
		from, to string
		change   func(*rio.Event)
	}{
		{"for gid 3 at 11", "for gid 3 at 12.5", func(e *rio.Event) { e.Recv = 12.5 }},
		{"priority 1", "priority 0.5", func(e *rio.Event) { e.Priority = 0.5 }},
		{"0.1875 0.125", "0.1875", func(e *rio.Event) { e.Own = e.Own[:2] }},
		{"0.25 0.1875 0.125", "0.25 0.1875 0.125 0.5 ... of 5, CRC-32 ecf23fd1",
			func(e *rio.Event) { e.Own = append(e.Own, 0.5, 0.75) }},
		{"from gid 4", "from gid 0", func(e *rio.Event) { e.Src = 0 }},
		{"at 9", "at 9.5", func(e *rio.Event) { e.Send = 9.5 }},
		{"type queue", "type desk", func(e *rio.Event) { e.Type = 0 }},
		{"bits 00000003", "bits 80000003", func(e *rio.Event) { e.Bits |= 1 << 31 }},
		{"path 8", "path 9", func(e *rio.Event) { e.CriticalPath++ }},
		{"message 0301", "no message", func(e *rio.Event) { e.Msg = nil }},
		{"message 0301", "message " + strings.Repeat("00", 32) + "... of 33 bytes, CRC-32 7a7c3a8d",
			func(e *rio.Event) { e.Msg = make([]byte, 33) }},
	} {
		changed := makeContent(6)
		c.change(&changed.events[7])
		b := changed.saved(t, layout{parts: 3, files: 1, backwards: true, share: true})
		want := []string{"event only in A: " + whole, "event only in B: " + strings.Replace(whole, c.from, c.to, 1)}
		lines := differences(t, a, b)
		require.ElementsMatch(t, want, lines[:len(lines)-1])
		require.Equal(t, "LPs that differ: 0. Events only in A: 1, only in B: 1.", lines[len(lines)-1])
		require.ElementsMatch(t, []string{strings.Replace(want[0], "in A", "in B", 1),
			strings.Replace(want[1], "in B", "in A", 1)}, differences(t, b, a)[:2])
	}
}

func TestEventsAreComparedAsMultisets(t *testing.T) {
	a, b := makeContent(4), makeContent(4)
	same := a.events[5]
	a.events = append(a.events, same, same, same)
	b.events = append(b.events, same)
	b.events = append(b.events[:2], b.events[3:]...)
	for _, l := range []layout{plain, {parts: 3, files: 2, share: true}} {
		lines := differences(t, a.saved(t, plain), b.saved(t, l))
		require.Len(t, lines, 3)
		require.Regexp(t, "^event only in A: for gid 1 at 10, .*message 0100$", lines[0])
		require.Regexp(t, "^event only in A: for gid 2 at 11, .*message 0201, 2 times$", lines[1])
		require.Equal(t, "LPs that differ: 0. Events only in A: 3, only in B: 0.", lines[2])
	}
}

func TestEventsAreSortedAndTheFirstPrinted(t *testing.T) {
	a, b := makeContent(200), makeContent(200)
	b.events = nil
	nameA, nameB := a.saved(t, layout{parts: 7, files: 2, backwards: true}), b.saved(t, plain)
	all := differences(t, nameA, nameB, "--most=1000")
	require.Len(t, all, 401)
	for i, line := range all[:400] {
		require.True(t, strings.HasPrefix(line, fmt.Sprintf("event only in A: for gid %d at %d, ", i/2, 10+i%2)), line)
	}
	for _, most := range []int{0, 1, 3, 399} {
		lines := differences(t, nameA, nameB, fmt.Sprint("--most=", most))
		require.Equal(t, all[:most], lines[:most])
		require.Equal(t, []string{fmt.Sprintf("differences not printed: %d, see --most", 400-most), all[400]}, lines[most:])
	}
	require.Len(t, differences(t, nameA, nameB), 102)
	tied := makeContent(1)
	tied.events = tied.events[:1]
	var want []string
	for _, e := range []struct{ priority, tie float64 }{{0.25, 0.75}, {0.5, 0.25}, {0.5, 0.5}} {
		more := tied.events[0]
		more.Priority, more.Own = e.priority, []float64{e.tie}
		tied.events = append([]rio.Event{more}, tied.events...)
		want = append(want, fmt.Sprintf("priority %v, tie-breakers %v,", e.priority, e.tie))
	}
	one := makeContent(1)
	one.events = one.events[:1]
	for i, line := range differences(t, one.saved(t, plain), tied.saved(t, plain))[:3] {
		require.Contains(t, line, want[i])
	}
}

func TestFirstLPsArePrintedAndAllCounted(t *testing.T) {
	a, b := makeContent(300), makeContent(300)
	for gid := range b.lps {
		if gid%3 == 1 {
			b.lps[gid].State[1] = 9
		}
	}
	b.events[0].Bits++
	nameA, nameB := a.saved(t, layout{parts: 5, files: 1}), b.saved(t, layout{parts: 8, files: 4, backwards: true})
	lines := differences(t, nameA, nameB, "--most=3")
	for i, line := range lines[:3] {
		require.Equal(t, fmt.Sprintf("gid %d: state from byte 1 on, lengths 4 | 4", 3*i+1), line)
	}
	require.Equal(t, []string{"differences not printed: 99, see --most",
		"LPs that differ: 100. Events only in A: 1, only in B: 1."}, lines[3:])
	require.Len(t, differences(t, nameA, nameB, "--most=101"), 103)
	require.Len(t, differences(t, nameA, nameB, fmt.Sprint("--most=", math.MaxInt)), 103)
}

func TestLPsThatOneHasAreNamed(t *testing.T) {
	a, b := makeContent(4), makeContent(4)
	b.lps = append(b.lps, makeContent(9).lps[4:]...)
	b.info.LPs = 9
	late := b.events[0]
	late.Dst, late.Type = 8, 0
	b.events = append(b.events, late)
	nameA, nameB := a.saved(t, plain), b.saved(t, layout{parts: 2, files: 1})
	lines := differences(t, nameA, nameB)
	require.Equal(t, "gids 4 to 8: only in B", lines[0])
	require.Contains(t, lines[1], "event only in B: for gid 8 at 10, ")
	require.Equal(t, "LPs that differ: 0. Events only in A: 0, only in B: 1.", lines[2])
	require.Equal(t, "gids 4 to 8: only in A", differences(t, nameB, nameA)[0])
}

func TestDifferencesOfRunsAreNamed(t *testing.T) {
	a := makeContent(2).saved(t, plain)
	for want, change := range map[string]func(*rio.Info){
		"virtual time: 10 | 11":                     func(i *rio.Info) { i.Clock = 11 },
		"type desk: state struct a | struct b":      func(i *rio.Info) { i.Types[0].State = "struct b" },
		"type desk: bytes of state 4 | 5":           func(i *rio.Info) { i.Types[0].StateSize = 5 },
		"type queue: message m | none":              func(i *rio.Info) { i.Types[1].Message = "" },
		"type queue: bytes of message 6 | 7":        func(i *rio.Info) { i.Types[1].MessageSize = 7 },
		"type queue: the model's own form yes | no": func(i *rio.Info) { i.Types[1].Serialized = false },
		"type late: only in B":                      func(i *rio.Info) { i.Types = append(i.Types, rio.Type{Name: "late"}) },
		"type desk (2): only in B":                  func(i *rio.Info) { i.Types = append(i.Types, rio.Type{Name: "desk"}) },
	} {
		c := makeContent(2)
		change(&c.info)
		b := c.saved(t, plain)
		require.Equal(t, []string{want, "LPs that differ: 0. Events only in A: 0, only in B: 0."}, differences(t, a, b))
		if strings.HasSuffix(want, "only in B") {
			require.Equal(t, strings.Replace(want, "in B", "in A", 1), differences(t, b, a)[0])
		}
	}
	for _, change := range []func(*rio.Info){
		func(i *rio.Info) { i.Engine, i.Model, i.Settings = "other", "other", "other" },
		func(i *rio.Info) { i.Created, i.End = i.Created.AddDate(1, 0, 0), math.Inf(1) },
	} {
		c := makeContent(2)
		change(&c.info)
		good(t, a, c.saved(t, plain))
	}
	c := makeContent(2)
	c.info.Streams = 1
	for i := range c.lps {
		c.lps[i].Streams = c.lps[i].Streams[:1]
	}
	require.Equal(t, []string{
		"streams of each LP: 2 | 1", "gid 0: streams 2 | 1", "gid 1: streams 2 | 1",
		"LPs that differ: 2. Events only in A: 0, only in B: 0.",
	}, differences(t, a, c.saved(t, plain)))
}

func TestTypesAreMatchedByName(t *testing.T) {
	c := makeContent(5)
	a := c.saved(t, plain)
	c.info.Types[0], c.info.Types[1] = c.info.Types[1], c.info.Types[0]
	for i := range c.lps {
		c.lps[i].Type ^= 1
	}
	for i := range c.events {
		c.events[i].Type ^= 1
	}
	good(t, a, c.saved(t, plain))
}

func TestDigestsThatOnlyOneHasAreNotCompared(t *testing.T) {
	c := makeContent(5)
	a := c.saved(t, plain)
	c.info.Digests = false
	for i := range c.lps {
		c.lps[i].Digest = 0
	}
	b := c.saved(t, plain)
	require.Equal(t, "digests are not compared: only "+a+" has them\nequal: 5 LPs, 10 events\n", good(t, a, b))
	require.Equal(t, "digests are not compared: only "+a+" has them\nequal: 5 LPs, 10 events\n", good(t, b, a))
	c.lps[2].Now = 9.5
	r := run("diff", a, c.saved(t, plain))
	require.Equal(t, 1, r.Status)
	require.Contains(t, r.Stdout, "gid 2: last event at 9.125 | 9.5\n")
}

func TestAppendedJobsAreComparedAsAWhole(t *testing.T) {
	first, second, whole := makeContent(3), makeContent(4), makeContent(0)
	whole.info.LPs = 7
	for i, c := range []*content{first, second} {
		base := uint64(3 * i)
		for _, lp := range c.lps {
			lp.GID += base
			whole.lps = append(whole.lps, lp)
		}
		for _, e := range c.events {
			e.Src, e.Dst = e.Src+base, e.Dst+base
			whole.events = append(whole.events, e)
		}
	}
	name := first.saved(t, layout{parts: 2, files: 1})
	second.saved(t, layout{parts: 3, files: 2, add: true}, name)
	require.Equal(t, "equal: 7 LPs, 14 events\n", good(t, name, whole.saved(t, layout{parts: 3, files: 1, share: true})))
}

// BenchmarkDiff compares checkpoints of 256 bytes of state for each LP and two events, in 16
// partitions: equal ones, and ones whose LPs and events all differ.
func BenchmarkDiff(b *testing.B) {
	const lps = 50000
	l := layout{parts: 16, files: 2, share: true}
	sized := func() *content {
		c := makeContent(lps)
		for i := range c.lps {
			c.lps[i].State = append(make([]byte, 252), c.lps[i].State...)
			c.lps[i].Streams = c.lps[i].Streams[:1]
		}
		c.info.Streams = 1
		return c
	}
	c := sized()
	for i := range c.lps {
		c.lps[i].CriticalPath++
	}
	for i := range c.events {
		c.events[i].Bits++
	}
	first, other := sized().saved(b, l), c.saved(b, l)
	for name, second := range map[string]string{"equal": first, "different": other} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(2 * lps * int64(rio.LPSize(1, 256)+2*rio.EventSize(1, 2)))
			b.ReportAllocs()
			for b.Loop() {
				equal, err := diff(first, second, 100, io.Discard)
				require.NoError(b, err)
				require.Equal(b, name == "equal", equal)
			}
		})
	}
}

func TestLPsAreNamedByTheirLabels(t *testing.T) {
	stored := func(changed bool, label func(uint64) string) string {
		c := makeContent(6)
		c.label = label
		if changed {
			c.lps[3].Now, c.events[0].Recv = 9.75, 11.5
		}
		return c.saved(t, plain)
	}
	lines := func(a, b string) []string {
		all := differences(t, a, b)
		require.Len(t, all, 4)
		return all
	}
	desk := func(gid uint64) string { return fmt.Sprintf("desk (%d)", gid) }
	unnamed := lines(stored(false, nil), stored(true, nil))
	require.Contains(t, unnamed[0], "gid 3: ")
	require.Contains(t, unnamed[1], "for gid 0 at 10, ")
	require.Contains(t, unnamed[1], ", from gid 1 at ")

	a, b := stored(false, desk), stored(true, desk)
	named := lines(a, b)
	require.Contains(t, named[0], `gid 3 "desk (3)": last event at `)
	require.Contains(t, named[1], `for gid 0 "desk (0)" at 10, `)
	require.Contains(t, named[1], `, from gid 1 "desk (1)" at `)

	require.Equal(t, named, lines(stored(false, nil), b), "those of B serve if A has none")
	require.Contains(t, lines(stored(false, func(uint64) string { return "A" }), b)[0], `gid 3 "A": `)

	require.NoError(t, os.WriteFile(a+".rio-labels", []byte("id,label\n3,des"), 0o644))
	require.NoError(t, os.Remove(b+".rio-labels"))
	require.Equal(t, unnamed, lines(a, b), "damaged and missing labels are no trouble")
	require.Equal(t, 0, run("verify", a, b).Status)
}

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
			Streams: []rng.StreamState{{State: generatorAt(gid)},
				{State: generatorAt(gid + 50), Spare: 0.5, SpareAt: uint64(gid), HasSpare: true}},
			Core: generatorAt(gid + 100), State: []byte{byte(gid), 1, 2, 3},
		})
		for k := range 2 {
			c.events = append(c.events, rio.Event{
				Src: uint64((gid + 1) % lps), Dst: uint64(gid), Recv: 10 + float64(k), Send: 9, Priority: 1, Bits: 3,
				CriticalPath: 8,
				Type:         uint32(gid % 2), Own: []float64{0.25, float64(gid%8) / 16, 0.125 * float64(k)}[:2+k],
				Msg: []byte{byte(gid), byte(k)},
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
		data := []byte(testkit.Content(t, originalName+s))
		if s == suffix {
			data = change(bytes.Clone(data))
		}
		writeFile(t, filepath.Join(dir, "ck"+s), data)
	}
	return filepath.Join(dir, "ck")
}

// damage changes the last byte of a file.
func damage(t testing.TB, path string) {
	data := []byte(testkit.Content(t, path))
	data[len(data)-1] ^= 1
	writeFile(t, path, data)
}

func run(args ...string) rt.Result { return rt.Run(Command, args...) }
