// This file pins what is no part of the model, whatever it is: a run with another mapping of LPs commits the same
// events, and a seed and a replication give the same streams in every scheduler. And that what a model changes is
// restored: streams with which it does more than draw, and large states that Save and Write name parts of.

package ross_test

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/rng"
)

// sum is a state that depends on all that an LP received, in order.
type sum struct{ Hash uint64 }

// seven is a model for seven LPs, for which each mapping below is made: every
// event goes on to one of them, and ties abound.
func seven() ross.Type[sum] {
	return ross.Type[sum]{
		Name: "seven",
		Init: func(_ *sum, lp *ross.LP) {
			for i := range 3 {
				ross.Send(lp, (lp.ID()+ross.LPID(i))%7, 1, word{N: int64(lp.ID())})
			}
		},
		Event: ross.On(func(s *sum, lp *ross.LP, m *word) {
			s.Hash = s.Hash*6364136223846793005 + uint64(m.N) + uint64(lp.Now())
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 6)), float64(lp.RNG().Integer(0, 2)), word{N: m.N + 1})
		}),
	}
}

// oneInSeven is the custom mapping of ROSS's guide on one PE: an LP's PE is its
// id modulo the number of PEs, its local index the quotient, and all are on
// one KP.
func oneInSeven(pes uint64) mapping.Places {
	return mapping.Places{
		PE:    func(gid uint64) uint64 { return gid % pes },
		Local: func(gid uint64) uint64 { return gid / pes },
		KP:    func(uint64, uint64) uint64 { return 0 },
	}
}

func TestMappingDoesNotChangeTheRun(t *testing.T) {
	linear := rosstest.Small()
	linear.NLP = 7
	results := func(t *testing.T, cfg ross.Config, typ ross.LPType) (digest uint64, states []sum, out rosstest.Outcome) {
		out = rosstest.Run(t, cfg, typ)
		require.EqualValues(t, 7, out.TotalLPs())
		for gid := range ross.LPID(7) {
			require.Equal(t, gid, out.LP(gid).ID())
			states = append(states, *ross.StateOf[sum](out.LP(gid)))
		}
		st := out.Summary()
		return *st.Digest, states, out
	}
	wantDigest, wantStates, _ := results(t, linear, seven())

	custom := func(set func(*ross.Config)) ross.Config {
		cfg := rosstest.Small()
		cfg.Mapping, cfg.LPs, cfg.NKP = oneInSeven(1), 7, 1
		set(&cfg)
		return cfg
	}
	for name, c := range map[string]struct {
		cfg  ross.Config
		typ  ross.LPType
		name string
	}{
		"round robin": {func() ross.Config { c := linear; c.Mapping = mapping.RoundRobin; return c }(), seven(),
			"round robin"},
		"many KPs":           {func() ross.Config { c := linear; c.NKP = 16; return c }(), seven(), "linear"},
		"functions":          {custom(func(*ross.Config) {}), seven(), "model defined"},
		"NLP instead of LPs": {custom(func(c *ross.Config) { c.LPs, c.NLP = 0, 7 }), seven(), "model defined"},
		"local indices backwards": {custom(func(c *ross.Config) {
			c.Mapping = mapping.Places{PE: oneInSeven(1).PE, Local: func(gid uint64) uint64 { return 6 - gid }}
		}), seven(), "model defined"},
		"local indices shuffled, a KP for each": {custom(func(c *ross.Config) {
			c.NKP = 7
			c.Mapping = mapping.Places{
				PE: oneInSeven(1).PE, Local: func(gid uint64) uint64 { return gid * 3 % 7 },
				KP: func(_, local uint64) uint64 { return 6 - local },
			}
		}), seven(), "model defined"},
	} {
		t.Run(name, func(t *testing.T) {
			digest, states, out := results(t, c.cfg, c.typ)
			require.Equal(t, wantStates, states)
			require.Equal(t, wantDigest, digest)
			st := out.Summary()
			require.Equal(t, c.name, st.Mapping)
			for i := range 7 {
				lp := out.PE(0).LP(i)
				require.Same(t, lp, out.LP(lp.ID()))
			}
			if p, ok := c.cfg.Mapping.(mapping.Places); ok && p.KP != nil {
				require.EqualValues(t, p.KP(0, 2), out.PE(0).LP(2).KP().ID())
			}
		})
	}
}

// The digest is a function of what is committed: other seeds, an event more or
// another message change it, a second run does not.
func TestDigestTellsRunsApart(t *testing.T) {
	digest := func(cfg ross.Config, typ ross.LPType) uint64 {
		st := rosstest.Run(t, cfg, typ).Summary()
		return *st.Digest
	}
	cfg := rosstest.Small()
	cfg.NLP = 7
	want := digest(cfg, seven())
	require.Equal(t, want, digest(cfg, seven()))

	seen := map[uint64]string{want: "base"}
	differs := func(what string, cfg ross.Config, typ ross.LPType) {
		d := digest(cfg, typ)
		require.NotContains(t, seen, d, what)
		seen[d] = what
	}
	seeds, cores, longer := cfg, cfg, cfg
	seeds.Streams.Seeds = [4]uint64{1, 2, 3, 4}
	cores.Streams.CoreSeeds = [4]uint64{1, 2, 3, 4}
	longer.End = 101
	differs("the models' seeds", seeds, seven())
	differs("the cores' seeds: tie-breakers", cores, seven())
	differs("one time unit more", longer, seven())
	other := seven()
	other.Init = func(_ *sum, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{N: -1}) }
	differs("other messages", cfg, other)
	single := func(delay float64) ross.LPType { // one event, without a successor
		return ross.Type[sum]{
			Init:  func(_ *sum, lp *ross.LP) { ross.Send(lp, lp.ID(), delay, word{}) },
			Event: ross.On(func(*sum, *ross.LP, *word) {}),
		}
	}
	differs("a single event", cfg, single(1))
	differs("its time", cfg, single(1.5))
	differs("its tie-breaker", cores, single(1))
	out := rosstest.Run(t, cfg, seven())
	require.Regexp(t, `(?i)digest +[0-9a-f]{16}\n`, out.Report)
}

func seedDigests(t *testing.T, cfg ross.Config) string {
	t.Helper()
	out := rosstest.Run(t, cfg, rosstest.Walkers())
	require.NoError(t, out.Close())
	var lines []string
	for line := range strings.Lines(out.Report) {
		if strings.Contains(line, "Digest") {
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
	}
	require.Len(t, lines, 2)
	return strings.Join(lines, "\n")
}

func TestSeedAndReplicationGiveTheSameRunInEveryScheduler(t *testing.T) {
	seen := map[string]string{}
	for _, set := range [][2]uint64{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {1 << 63, rng.MaxReplication}} {
		cfg := rosstest.Small()
		cfg.Seed, cfg.Replication = set[0], set[1]
		want := seedDigests(t, cfg)
		name := fmt.Sprintf("seed %d, replication %d", set[0], set[1])
		require.Empty(t, seen[want], name)
		seen[want] = name
		for _, pes := range []int{1, 2, 4} {
			for _, synch := range []ross.Scheduler{ross.Conservative, ross.Optimistic} {
				other := cfg
				other.Synch, other.PEs, other.NLP = synch, pes, int(uint64(cfg.NLP)/uint64(pes))
				require.Equal(t, want, seedDigests(t, other), "%s, synch %d, %d PEs", name, synch, pes)
			}
		}
	}
}

// The streams are those that package rng makes from the two numbers.
func TestStreamsOfSeedAndReplication(t *testing.T) {
	models, cores := rng.RunSeeds(7)
	for replication := range uint64(3) {
		cfg := rosstest.Small()
		cfg.Seed, cfg.Replication, cfg.Streams.PerLP, cfg.End = 7, replication, 2, 0
		var got [4][2]rng.State
		typ := rosstest.Once(func(*ross.LP) {})
		typ.Init = func(_ *none, lp *ross.LP) {
			for i := range got[lp.ID()] {
				got[lp.ID()][i] = lp.Stream(i).CLCG4.State()
			}
		}
		rosstest.Run(t, cfg, typ)
		for gid := range uint64(4) {
			for i := range uint64(2) {
				want := rng.NewSeeder(models.Replication(replication)).CLCG4(2*gid + i)
				require.Equal(t, want.State(), got[gid][i])
			}
		}
		// Of the streams that break ties, a send shows the first number.
		cfg.End = 2
		var tie float64
		rosstest.Run(t, cfg, rosstest.Once(func(lp *ross.LP) { tie = lp.Signature().Ties[0] }))
		core := rosstest.Core(cores.Replication(replication), 2, 4, 1)
		require.Equal(t, core.Unif(), tie)
	}
}

func TestReportNamesSeedAndReplication(t *testing.T) {
	cfg := rosstest.Small()
	plain := rosstest.Run(t, cfg, rosstest.Walkers()).Report
	require.NotContains(t, plain, "Seed")
	require.NotContains(t, plain, "Replication")
	cfg.Seed, cfg.Replication = 12, 34
	require.Contains(t, rosstest.Run(t, cfg, rosstest.Walkers()).Report, "\nSeed: 12\nReplication: 34\n")
}

// Random streams that a model does more with than draw.

// setsStreams returns a model whose handlers do something to the stream of their LP now and then.
func setsStreams(declared bool, do func(lp *ross.LP)) ross.Type[rosstest.Sum] {
	return ross.Type[rosstest.Sum]{
		Name: "sets", SetsStreams: declared,
		Init: func(_ *rosstest.Sum, lp *ross.LP) {
			lp.RNG().SetState(lp.RNG().State()) // in Init nothing is to be undone
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), rosstest.Word{})
		},
		Event: ross.On(func(s *rosstest.Sum, lp *ross.LP, _ *rosstest.Word) {
			if s.N++; lp.RNG().Unif() < 0.2 {
				do(lp)
			}
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 3)), lp.RNG().Exponential(1), rosstest.Word{})
		}),
	}
}

// setsItself gives the stream of an LP a state that it draws.
func setsItself(lp *ross.LP) {
	st := lp.RNG().State()
	st.C[0] = uint32(lp.RNG().Integer(1, 1e9))
	st.Count = 0
	lp.RNG().SetState(st)
}

// farAhead skips more draws than a handler makes.
func farAhead(lp *ross.LP) { lp.RNG().Skip(1 << 40) }

func TestStreamsThatAModelSetsAreRestored(t *testing.T) {
	little := func(lp *ross.LP) { lp.RNG().Skip(-1 << 15) }
	reverse := func(lp *ross.LP) { lp.RNG().Reverse(); lp.RNG().Reverse() }
	for name, model := range map[string]struct {
		declared bool
		do       func(lp *ross.LP)
	}{
		"SetState": {true, setsItself},
		"Skip":     {true, farAhead},
		"little":   {false, little},
		"Reverse":  {false, reverse},
		"both":     {true, reverse},
	} {
		t.Run(name, func(t *testing.T) {
			var want string
			for _, c := range []struct{ synch, pes, streams int }{{1, 1, 1}, {3, 1, 1}, {3, 3, 1}, {2, 2, 1}, {6, 1, 1},
				{1, 1, 2}, {3, 3, 2}} {
				cfg := rosstest.Small()
				cfg.NLP, cfg.LPs, cfg.End = 0, 9, 60
				cfg.Synch, cfg.PEs, cfg.NKP, cfg.Tuning.Batch, cfg.Tuning.GVTInterval = ross.Scheduler(c.synch), c.pes, 2, 2, 2
				cfg.Streams.PerLP = int(c.streams)
				cfg.ConsLookahead = 1e-9
				out := rosstest.Run(t, cfg, setsStreams(model.declared, model.do))
				st := out.Summary()
				if c.synch == 1 {
					want = fmt.Sprintf("%x", *st.Digest)
				}
				require.Equal(t, want, fmt.Sprintf("%x", *st.Digest), "%v", c)
			}
		})
	}
}

func TestStreamsThatCannotBeRestoredAreAnError(t *testing.T) {
	for name, do := range map[string]func(lp *ross.LP){"SetState": setsItself, "Skip": farAhead} {
		t.Run(name, func(t *testing.T) {
			cfg := rosstest.Small()
			rosstest.Run(t, cfg, setsStreams(false, do))
			cfg.Synch = ross.Optimistic
			out := rosstest.Try(t, cfg, setsStreams(false, do))
			require.ErrorIs(t, out.Err, ross.ErrModel)
			require.ErrorContains(t, out.Err, "set its random stream in a handler, or skipped 2^15 draws or more of it")
			require.ErrorContains(t, out.Err, "set SetsStreams of the type")
			cfg.Streams.PerLP = 2 // whose states are kept
			rosstest.Run(t, cfg, setsStreams(false, do))
		})
	}
}

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
func ringModel(saving ross.Saving, forget ross.LPID) ross.Type[ring] {
	return ross.Type[ring]{
		Name: "ring", Saving: saving,
		Init: func(_ *ring, lp *ross.LP) {
			for i := range uint8(3) {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), ringMsg{In: i})
			}
		},
		Event: ross.On(func(s *ring, lp *ross.LP, m *ringMsg) {
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
		}),
	}
}

const nobody = ross.LPID(1 << 40)

// digests runs a model of 12 LPs, and returns its digests. It frees the run before the next one.
func digests(t *testing.T, saving ross.Saving, synch, pes, kps int, end float64, model ross.LPType) (d [2]uint64) {
	t.Run(fmt.Sprintf("%v/synch=%d/pes=%d/kps=%d", saving, synch, pes, kps), func(t *testing.T) {
		cfg := rosstest.Small()
		cfg.Synch, cfg.PEs, cfg.NKP, cfg.NLP = ross.Scheduler(synch), pes, int(kps), int(12/pes)
		cfg.End, cfg.Tuning.Batch = end, 4
		st := rosstest.Run(t, cfg, model).Summary()
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
	require.ErrorContains(t, out.Err,
		"call ross.Save or ross.Write for everything that Event changes, before it changes it")
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
	tick := func(save func(s *rosstest.Sum, lp *ross.LP)) func(*rosstest.Sum, *ross.LP, *word) {
		return func(s *rosstest.Sum, lp *ross.LP, _ *word) {
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
		model := ross.Type[rosstest.Sum]{
			Saving: c.saving,
			Init:   func(_ *rosstest.Sum, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
			Event:  ross.On(tick(c.save)),
		}
		for _, synch := range []int{1, 3} {
			cfg := rosstest.Small()
			cfg.Synch, cfg.End = ross.Scheduler(synch), 20
			want := c.bytes
			if synch == 1 {
				want = ""
			}
			assert.Equal(t, want, rosstest.Run(t, cfg, model).Figure("State Saving (bytes per event)"), "%v, synch %d", c.saving,
				synch)
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
	return ross.Type[S]{
		Name: fmt.Sprintf("%T", *new(S)), Saving: ross.SaveByDelta,
		Init: func(_ *S, lp *ross.LP) {
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), packet{})
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), packet{N: 1})
		},
		Event: ross.On(func(s *S, lp *ross.LP, m *packet) {
			bytes := unsafe.Slice((*byte)(unsafe.Pointer(s)), unsafe.Sizeof(*s))
			for range m.N % 3 {
				bytes[lp.RNG().Integer(0, int64(len(bytes))-1)]++
			}
			m.N++
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 11)), 0.1+lp.RNG().Exponential(1), *m)
			if m.N%3 == 0 {
				m.Old[m.N%5]--
			}
		}),
	}
}
