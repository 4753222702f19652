// This file pins what Verify finds in files whose checksums are right.

package rio

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/rng"
)

func TestRecordsThatMakeNoSenseAreRefused(t *testing.T) {
	// Each changes the records of a partition with two LPs at time 5 and an event, or its index.
	for what, change := range map[string]func(a, b *LP, e *Event, p *Part){
		"gid 7, there are 2":                    func(a, _ *LP, _ *Event, _ *Part) { a.GID = 7 },
		"the index has gid 0 with":              func(a, b *LP, _ *Event, _ *Part) { a.GID, b.GID = 1, 0 },
		"the index has gid 1 with 3 bytes":      func(_, _ *LP, _ *Event, p *Part) { p.Index[1].Size = 3 },
		"type 2, there are 2":                   func(a, _ *LP, _ *Event, _ *Part) { a.Type = 2 },
		"expected 1 streams, found 2":           func(a, _ *LP, _ *Event, _ *Part) { a.Streams = append(a.Streams, a.Streams...) },
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
