// This file pins what Save and Write do to parts of large states.

package ross_test

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/models/rosstest"
)

// ring is a large state. An event changes a few of its fields, of several sizes.
type (
	ring struct {
		Head  ringHead
		Links [12]ringLink
	}
	ringHead struct {
		Last  float64
		Count uint16
		Flag  bool
	}
	ringLink struct {
		Credits [3]int16
		Tail    uint32
		Queue   [22]uint64
	}
	ringMsg struct {
		In   uint8
		Hops uint32
	}
)

// ringModel has each LP pass messages on. forget is the LP whose handler changes a field without
// saying so.
func ringModel(saving ross.Saving, forget ross.LPID) ross.Type[ring, ringMsg] {
	return ross.Type[ring, ringMsg]{
		Name: "ring", Saving: saving,
		Init: func(_ *ring, lp *ross.LP) {
			for i := range uint8(3) {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), ringMsg{In: i})
			}
		},
		Event: func(s *ring, lp *ross.LP, _ *ross.Bits, m *ringMsg) {
			head := ross.Write(lp, &s.Head)
			head.Last = lp.Now()
			head.Count++
			head.Flag = !head.Flag
			in := &s.Links[m.In]
			slot := ross.Write(lp, &in.Queue[in.Tail%22])
			*slot = uint64(m.Hops)<<32 | uint64(lp.ID())
			*ross.Write(lp, &in.Tail)++
			out := uint8(lp.RNG().Integer(0, 11))
			ross.Write(lp, &s.Links[out].Credits)[m.Hops%3]--
			if m.Hops%8 == 7 {
				link := ross.Write(lp, &s.Links[m.Hops%12])
				link.Queue = [22]uint64{}
			}
			if lp.ID() == forget {
				s.Links[7].Credits[1]++
			}
			*ross.Write(lp, &m.In) = out // of the message
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 11)), 0.1+lp.RNG().Exponential(1), ringMsg{In: m.In, Hops: m.Hops + 1})
		},
	}
}

const nobody = ross.LPID(1 << 40)

// digests runs a model of 12 LPs, and returns its digests. It frees the run before the next one.
func digests(t *testing.T, saving ross.Saving, synch, pes, kps int, end float64, model ross.LPType) (d [2]uint64) {
	t.Run(fmt.Sprintf("%v/synch=%d/pes=%d/kps=%d", saving, synch, pes, kps), func(t *testing.T) {
		cfg := rosstest.Small()
		cfg.Synch, cfg.PEs, cfg.NKP, cfg.NLP = ross.Scheduler(synch), pes, uint64(kps), uint64(12/pes)
		cfg.End, cfg.Batch = end, 4
		st := rosstest.Run(t, cfg, model).Stats()
		d = [2]uint64{*st.Digest, *st.StateDigest}
	})
	return d
}

func TestWritesOfPartsAreUndone(t *testing.T) {
	run := func(saving ross.Saving, synch, pes, kps int) [2]uint64 {
		return digests(t, saving, synch, pes, kps, 60, ringModel(saving, nobody))
	}
	want := run(ross.SaveByLog, 1, 1, 2)
	for _, saving := range []ross.Saving{ross.SaveByLog, ross.SaveByDelta} {
		for _, pes := range testlevel.Pick([]int{1, 2, 3, 4}, []int{2, 4}, []int{4}) {
			for _, kps := range []int{1, 3} {
				assert.Equal(t, want, run(saving, 3, pes, kps), "%v, %d PEs, %d KPs", saving, pes, kps)
			}
		}
		assert.Equal(t, want, run(saving, 6, 1, 2), "%v", saving)
		run(saving, 4, 1, 2)
	}
}

// A change that Write does not know of is found by both checks, and its field is named.
func TestChangesWithoutWriteAreNamed(t *testing.T) {
	for _, synch := range []int{4, 6} {
		cfg := rosstest.Small()
		cfg.Synch, cfg.NLP, cfg.End = ross.Scheduler(synch), 12, 20
		out := rosstest.Try(t, cfg, ringModel(ross.SaveByLog, 5))
		require.ErrorIs(t, out.Err, ross.ErrReverse)
		require.ErrorContains(t, out.Err, "LP 5 (ring)")
		require.ErrorContains(t, out.Err, "ring.Links[7].Credits[1] at ")
	}
	cfg := rosstest.Small()
	cfg.Synch, cfg.NLP, cfg.End = 6, 12, 20
	out := rosstest.Try(t, cfg, ringModel(ross.SaveByLog, 5))
	require.ErrorContains(t, out.Err, "call ross.Save or ross.Write for everything that Event changes, before it changes it")
}

// The engine restores states of any size by deltas, also those that it treats in a special way
// because they are small.
func TestStatesOfAnySizeAreRestored(t *testing.T) {
	models := map[string]ross.LPType{
		"1": sized[[1]byte](), "7": sized[[7]byte](), "8": sized[[1]uint64](), "24": sized[[3]uint64](),
		"60": sized[[15]uint32](), "64": sized[[8]uint64](), "72": sized[[9]uint64](),
		"448": sized[[56]uint64](), "456": sized[[57]uint64](), "2700": sized[[675]uint32](),
	}
	for name, model := range models {
		t.Run(name, func(t *testing.T) {
			run := func(synch, pes int) [2]uint64 {
				return digests(t, ross.SaveByDelta, synch, pes, 2, 20, model)
			}
			want := run(1, 1)
			assert.Equal(t, want, run(3, 3))
			assert.Equal(t, want, run(6, 1))
			run(4, 1)
		})
	}
}

// The report says what state saving takes, of the value and of what says where it belongs.
func TestReportSaysWhatStateSavingTakes(t *testing.T) {
	tick := func(save func(s *rosstest.Sum, lp *ross.LP)) func(*rosstest.Sum, *ross.LP, *ross.Bits, *word) {
		return func(s *rosstest.Sum, lp *ross.LP, _ *ross.Bits, _ *word) {
			save(s, lp)
			s.N++
			ross.Send(lp, lp.ID(), 1, word{})
		}
	}
	for _, c := range []struct {
		saving ross.Saving
		save   func(s *rosstest.Sum, lp *ross.LP)
		bytes  string
	}{
		{ross.SaveByLog, func(s *rosstest.Sum, lp *ross.LP) { ross.Save(lp, &s.N) }, "24.0"},
		{ross.SaveByLog, func(s *rosstest.Sum, lp *ross.LP) { ross.Write(lp, s); ross.Write(lp, s) }, "48.0"},
		{ross.SaveByDelta, func(*rosstest.Sum, *ross.LP) {}, "24.0"},
		{ross.SaveNever, func(*rosstest.Sum, *ross.LP) {}, ""},
	} {
		model := ross.Type[rosstest.Sum, word]{
			Saving: c.saving,
			Init:   func(_ *rosstest.Sum, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
			Event:  tick(c.save),
		}
		for _, synch := range []int{1, 3} {
			cfg := rosstest.Small()
			cfg.Synch, cfg.End = ross.Scheduler(synch), 20
			want := c.bytes
			if synch == 1 {
				want = ""
			}
			assert.Equal(t, want, rosstest.Run(t, cfg, model).Figure("State Saving (bytes per event)"), "%v, synch %d", c.saving, synch)
		}
	}
}

// sized returns a model whose LPs have arrays as states and change up to two bytes per event. Every
// third event changes its message, too.
func sized[S any]() ross.LPType {
	type packet struct {
		N   uint64
		Old [5]uint16
	}
	return ross.Type[S, packet]{
		Name: fmt.Sprintf("%T", *new(S)), Saving: ross.SaveByDelta,
		Init: func(_ *S, lp *ross.LP) {
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), packet{})
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), packet{N: 1})
		},
		Event: func(s *S, lp *ross.LP, _ *ross.Bits, m *packet) {
			bytes := unsafe.Slice((*byte)(unsafe.Pointer(s)), unsafe.Sizeof(*s))
			for range m.N % 3 {
				bytes[lp.RNG().Integer(0, int64(len(bytes))-1)]++
			}
			m.N++
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 11)), 0.1+lp.RNG().Exponential(1), *m)
			if m.N%3 == 0 {
				m.Old[m.N%5]--
			}
		},
	}
}
