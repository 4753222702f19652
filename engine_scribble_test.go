// This file pins the digest of models that write into their messages, as Event does for
// Reverse in models of ROSS: it is that of what was sent, whatever was rolled back.

package ross

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
	"github.com/ross-go/ross/rio"
)

// writer is a state; jot messages with room for scratch, of a word and more, up to what
// needs a block of its own.
type (
	writer struct{ Count, Sum uint64 }
	jot    interface {
		jot8 | jot40 | jot2000
	}
	jot8    struct{ Tag, Old uint32 }
	jot40   struct{ Tag, Old, Rest [2]uint64 }
	jot2000 struct {
		Tag uint8 // and 7 bytes of padding
		Old [249]uint64
	}
)

const (
	writerLPs = 48
	writerEnd = 12
)

// scribblers returns a type of LPs whose Event leaves something in the message now and
// then, which no rollback removes but that of deltas. All of it is right: nothing that
// Event reads is written to.
func scribblers[M jot](name string, saving Saving, tag func(m *M) uint64, scribble func(m *M, s *writer), send func(lp *LP, tag uint64)) LPType {
	t := Type[writer, M]{
		Name: name, Saving: saving,
		Init: func(_ *writer, lp *LP) {
			for i := range uint64(3) {
				send(lp, i+1)
			}
		},
		Event: func(s *writer, lp *LP, _ *Bits, m *M) {
			if saving == SaveByLog {
				Save(lp, s)
			}
			s.Count++
			s.Sum += tag(m)
			if s.Sum%3 == 0 { // seldom the same again after a straggler
				scribble(m, s)
			}
			if s.Count == 30 && lp.ID()%8 < 4 {
				lp.Suspend(true, 1)
				return
			}
			send(lp, s.Sum%1000)
		},
		Commit: func(_ *writer, _ *LP, _ *Bits, m *M) { tag(m) },
	}
	if saving == SaveByReverse {
		t.Reverse = func(s *writer, _ *LP, _ *Bits, m *M) {
			s.Count--
			s.Sum -= tag(m)
		}
	}
	return t
}

// scribblerTypes are all ways to be undone and all sizes.
func scribblerTypes() []LPType {
	send := func(lp *LP, tag uint64) {
		delay := 0.0
		if tag%9 != 0 {
			delay = 0.05 + lp.RNG().Exponential(1)
		}
		dst := LPID(lp.RNG().Integer(0, writerLPs-1))
		switch {
		case dst%4 == 0:
			Send(lp, dst, delay, jot8{Tag: uint32(tag)})
		case dst%4 == 1:
			Send(lp, dst, delay, jot40{Tag: [2]uint64{tag, ^tag}})
		default:
			NewEvent[jot2000](lp, dst, delay).Tag = uint8(tag)
		}
	}
	large := func(saving Saving) LPType {
		return scribblers("large "+saving.String(), saving, func(m *jot2000) uint64 { return uint64(m.Tag) },
			func(m *jot2000, s *writer) { m.Old[s.Count%249] = s.Sum }, send)
	}
	return []LPType{
		scribblers("small", SaveByReverse, func(m *jot8) uint64 { return uint64(m.Tag) }, func(m *jot8, s *writer) { m.Old = uint32(s.Sum) }, send),
		scribblers("medium", SaveByLog, func(m *jot40) uint64 { return m.Tag[0] }, func(m *jot40, s *writer) { m.Old[1] = s.Sum }, send),
		large(SaveByReverse), large(SaveByDelta), large(SaveNever),
	}
}

func scribblerType(never bool) func(LPID) int {
	return func(gid LPID) int {
		if never && gid%16 == 15 {
			return 4
		}
		return int(gid % 4)
	}
}

// scribble runs the model on some ranks and returns the digests.
func scribble(t *testing.T, ranks int, never bool, configure func(*Config)) (uint64, []*Simulation) {
	t.Helper()
	sims, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 5), ranks, func(_ int, c *Config) {
		c.End, c.Digest, c.TypeMap, c.MaxMemory, c.NKP = writerEnd, true, scribblerType(never), 200<<20, 4
		configure(c)
		c.NLP = writerLPs / uint64(max(c.PEs, 1)*ranks)
	}, scribblerTypes()...)
	for _, err := range errs {
		require.NoError(t, err)
	}
	requireNoLeak(t, sims...)
	return *sims[0].Stats().Digest, sims
}

func TestDigestIsThatOfWhatWasSent(t *testing.T) {
	for _, never := range []bool{false, true} {
		want, sims := scribble(t, 1, never, func(*Config) {})
		events := sims[0].Stats().NetEvents()
		require.Greater(t, events, uint64(500))
		for name, c := range map[string]struct {
			ranks, pes, synch int
			set               func(*Config)
		}{
			"conservative":    {1, 2, 2, func(c *Config) { c.ConsLookahead = 0 }},
			"optimistic":      {1, 1, 3, func(*Config) {}},
			"two PEs":         {1, 2, 3, func(*Config) {}},
			"three PEs":       {1, 3, 3, func(c *Config) { c.GVTInterval, c.FixedGVT = 1000, true }},
			"real time":       {1, 4, 5, func(c *Config) { c.GVTInterval = 1 }},
			"little memory":   {1, 3, 3, func(c *Config) { c.MaxMemory = 3 << 20 }},
			"every one twice": {1, 1, 6, func(*Config) {}},
			"two ranks":       {2, 2, 3, func(*Config) {}},
		} {
			if testlevel.Few.LeavesOut(name, "two PEs", "two ranks") {
				continue
			}
			if never && c.pes == 2 {
				continue // those of one and of three will do: each such event takes a GVT
			}
			t.Run(fmt.Sprintf("never=%v/%s", never, name), func(t *testing.T) {
				modeltest.Watch(t)
				got, sims := scribble(t, c.ranks, never, func(cfg *Config) {
					cfg.Synch, cfg.PEs = Scheduler(c.synch), c.pes
					if c.synch == 3 || c.synch == 5 {
						cfg.knobs.disturb = harass(t, c.pes*c.ranks, 0.3)
					}
					c.set(cfg)
				})
				require.Equal(t, events, sims[0].Stats().NetEvents())
				require.Equal(t, want, got)
			})
		}
	}
}

// TestCheckpointsHoldMessagesAsTheyWereSent stores while events wait that have been handled
// and undone, and goes on.
func TestCheckpointsHoldMessagesAsTheyWereSent(t *testing.T) {
	want, _ := scribble(t, 1, false, func(*Config) {})
	prefix := filepath.Join(t.TempDir(), "jots")
	on := func(c *Config) {
		c.Synch, c.PEs, c.NKP, c.NLP, c.End, c.TypeMap = 3, 2, 4, writerLPs/2, writerEnd, scribblerType(false)
		c.knobs.disturb = harass(t, 2, 0.3)
	}
	digest, _ := runLeg(t, leg{configure: func(c *Config) {
		on(c)
		c.IOName, c.IOVirtualInterval, c.IOKeep = prefix, 4, 100
	}}, scribblerTypes()...)
	require.Equal(t, want, digest)
	numbers, err := rio.Numbers(prefix)
	require.NoError(t, err)
	require.NotEmpty(t, numbers)
	for _, n := range numbers {
		digest, _ := runLeg(t, leg{configure: func(c *Config) {
			on(c)
			c.IORestart = rio.Numbered(prefix, n)
		}}, scribblerTypes()...)
		require.Equal(t, want, digest, "from checkpoint %d", n)
	}
}
