// The kitchen: a model with all that an engine has to undo, for the tests of forced rollbacks, checks and
// checkpoints. Its LPs are of five types, one for each way to be reversible, with messages of 8 to 1000 bytes; the
// model turns states with blocks and maps into bytes.

package run_test

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
)

const (
	kitchenLPs   = 48
	kitchenStart = 3 // events of an LP at the start
)

// The types of LPs, and their messages.
const (
	cookReverse = iota
	cookLog
	cookDelta
	cookLarge
	cookNever
	cookTypes
)

type (
	order8    struct{ Tag uint64 }
	order24   struct{ Tag, Was, Now uint64 }
	order300  struct{ Words [37]uint64 }
	order1000 struct{ Words [125]uint64 }
	order16   struct{ Tag, Seen uint64 }
)

// Their states. What a block holds is compared, and not where it is.
type (
	reverseCook struct{ Handled, Sum, Sent uint64 }
	logCook     struct {
		Handled, Sum uint64
		Last         float64
		Shelf        ross.Block[uint64]
	}
	deltaCook struct {
		Handled, Sum uint64
		Normal       float64
		Table        [20]uint64
		Shelf        ross.Block[uint32]
	}
	largeCook struct {
		Handled uint64
		Table   [500]uint64
	}
	neverCook struct {
		Handled uint64
		Seen    map[uint64]int
	}
)

// kitchen is a run's model and what it left.
type kitchen struct {
	never    bool     // some LPs cannot be undone
	finals   []string // states as Final sees them
	commits  [][]uint64
	typeOf   func(gid ross.LPID) int
	commitAt []float64 // of each LP, the time of its last Commit
}

func newKitchen(never bool) *kitchen {
	k := &kitchen{never: never, finals: make([]string, kitchenLPs), commits: make([][]uint64, kitchenLPs),
		commitAt: make([]float64, kitchenLPs)}
	k.typeOf = func(gid ross.LPID) int {
		if never && gid%16 == 15 {
			return cookNever
		}
		return int(gid % 4)
	}
	return k
}

// pass has lp send the next event of a chain.
func (k *kitchen) pass(lp *ross.LP, tag uint64) {
	stream := lp.Stream(int(tag % 3))
	dst := ross.LPID(stream.Integer(0, kitchenLPs-1))
	delay := 0.0
	if tag%7 != 0 {
		delay = 0.1 + stream.Exponential(1)
	}
	tag = tag*6364136223846793005 + uint64(lp.ID()) + 1
	switch k.typeOf(dst) {
	case cookReverse:
		ross.Send(lp, dst, delay, order8{tag})
	case cookLog:
		ross.Send(lp, dst, delay, order24{Tag: tag})
	case cookDelta:
		m := ross.NewEvent[order300](lp, dst, delay)
		m.Words[0], m.Words[36] = tag, ^tag
	case cookLarge:
		m := ross.NewEvent[order1000](lp, dst, delay)
		m.Words[0], m.Words[124] = tag, ^tag
	case cookNever:
		ross.SendPriority(lp, dst, delay, 1, order16{Tag: tag})
	}
}

func (k *kitchen) start(lp *ross.LP) {
	for i := range uint64(kitchenStart) {
		k.pass(lp, uint64(lp.ID())*7+i+1)
	}
}

func (k *kitchen) committed(lp *ross.LP, tag uint64) {
	id := lp.ID()
	k.commits[id] = append(k.commits[id], tag)
	k.commitAt[id] = lp.Now()
	if tag%64 == 3 {
		lp.Printf("commit %d %x at %x\n", id, tag, lp.Now())
	}
}

func (k *kitchen) final(lp *ross.LP, format string, args ...any) {
	_, suspended := lp.Suspended()
	k.finals[lp.ID()] = fmt.Sprintf(format, args...) + fmt.Sprintf(" %v %v %d %v", suspended, kernelOf(lp).RNG.State(),
		kernelOf(lp).Code(), kernelOf(lp).Core.State())
	for i := range kernelOf(lp).More() {
		k.finals[lp.ID()] += fmt.Sprint(kernelOf(lp).More()[i].State())
	}
}

func (k *kitchen) types() []ross.LPType {
	all := []ross.LPType{k.reverse(), k.log(), k.delta(), k.large(), k.immovable()}
	return all[:cookTypes]
}

func (k *kitchen) reverse() ross.LPType {
	return ross.Type[reverseCook]{
		Name: "reverse",
		Init: func(_ *reverseCook, lp *ross.LP) { k.start(lp) },
		Event: ross.OnUndo(func(s *reverseCook, lp *ross.LP, bits *ross.Bits, m *order8) {
			s.Handled++
			if m.Tag%2 == 0 {
				bits.Set(3)
				s.Sum ^= m.Tag
			}
			if lp.Stream(2).Unif() < 0.1 {
				bits.Set(4)
				s.Sent += 1000
			}
			if s.Handled == 25 && lp.ID()%8 == 0 {
				lp.Suspend(true, 8)
				return
			}
			tag := m.Tag
			m.Tag = ^m.Tag
			k.pass(lp, tag)
		}).Reverse(unreverse).Commit(func(_ *reverseCook, lp *ross.LP, _ *ross.Bits, m *order8) { k.committed(lp, m.Tag) }),
		Final: func(s *reverseCook, lp *ross.LP) { k.final(lp, "%+v", *s) },
	}
}

func unreverse(s *reverseCook, lp *ross.LP, bits *ross.Bits, m *order8) {
	if s.Handled != 25 || lp.ID()%8 != 0 {
		m.Tag = ^m.Tag
	}
	s.Handled--
	if bits.Get(3) {
		s.Sum ^= m.Tag
	}
	if bits.Get(4) {
		s.Sent -= 1000
	}
}

func (k *kitchen) log() ross.LPType {
	return ross.Type[logCook]{
		Name: "log", Saving: ross.SaveByLog, SerializedSize: sizeOfLog, Serialize: storeLog, Deserialize: loadLog,
		Init: func(s *logCook, lp *ross.LP) {
			s.Shelf = ross.Alloc[uint64](lp, 4)
			k.start(lp)
		},
		Event: ross.On(func(s *logCook, lp *ross.LP, m *order24) {
			ross.Save(lp, s)
			s.Handled++
			s.Sum += m.Tag
			s.Last = lp.RNG().Normal01()
			ross.Save(lp, &m.Was)
			m.Was = s.Handled
			shelf := s.Shelf.Of(lp)
			i := int(m.Tag % uint64(len(shelf)))
			ross.Save(lp, &shelf[i])
			shelf[i] += m.Tag
			if m.Tag%5 == 0 { // a larger or a smaller shelf
				next := ross.Alloc[uint64](lp, 4+int(m.Tag%50))
				copy(next.Of(lp), shelf)
				ross.Free(lp, s.Shelf)
				s.Shelf = next
			}
			lp.Printf("log %d %x\n", lp.ID(), m.Tag)
			if s.Handled == 20 && lp.ID()%12 == 1 {
				lp.Suspend(false, 5)
			}
			k.pass(lp, m.Tag)
		}).Commit(func(_ *logCook, lp *ross.LP, m *order24) { k.committed(lp, m.Tag^m.Was) }),
		Final: func(s *logCook, lp *ross.LP) {
			k.final(lp, "%d %d %x %v", s.Handled, s.Sum, s.Last, s.Shelf.Of(lp))
		},
	}
}

func (k *kitchen) delta() ross.LPType {
	return ross.Type[deltaCook]{
		Name: "delta", SerializedSize: sizeOfDelta, Serialize: storeDelta, Deserialize: loadDelta,
		Init: func(s *deltaCook, lp *ross.LP) {
			s.Shelf = ross.Alloc[uint32](lp, 100)
			k.start(lp)
		},
		Event: ross.On(func(s *deltaCook, lp *ross.LP, m *order300) {
			tag := m.Words[0]
			s.Handled++
			s.Sum += tag
			s.Normal += lp.Stream(1).Normal01()
			s.Table[tag%20] = tag
			m.Words[1+tag%30] = s.Sum
			if tag%3 == 0 {
				s.Shelf.Of(lp)[tag%100]++
			}
			if tag%11 == 0 {
				ross.Free(lp, s.Shelf)
				s.Shelf = ross.Alloc[uint32](lp, 100+int(tag%300))
				s.Shelf.Of(lp)[tag%100] = uint32(tag)
			}
			if tag%13 == 0 { // gone within the event
				ross.Free(lp, ross.Alloc[byte](lp, 64))
			}
			k.pass(lp, tag)
			if m.Words[36] != ^tag {
				panic("message is not what was sent")
			}
		}).Commit(func(_ *deltaCook, lp *ross.LP, m *order300) { k.committed(lp, m.Words[0]^m.Words[5]) }),
		Final: func(s *deltaCook, lp *ross.LP) {
			k.final(lp, "%d %d %x %v %v", s.Handled, s.Sum, s.Normal, s.Table, s.Shelf.Of(lp))
		},
	}
}

func (k *kitchen) large() ross.LPType {
	return ross.Type[largeCook]{
		Name: "large",
		Init: func(_ *largeCook, lp *ross.LP) { k.start(lp) },
		Event: ross.On(func(s *largeCook, lp *ross.LP, m *order1000) {
			tag := m.Words[0]
			s.Handled++
			for i := range tag % 400 {
				s.Table[i] = tag * (i + 1)
			}
			for i := range tag % 123 {
				m.Words[1+i] ^= s.Table[i]
			}
			k.pass(lp, tag)
		}).Commit(func(_ *largeCook, lp *ross.LP, m *order1000) { k.committed(lp, m.Words[0]^m.Words[100]) }),
		Final: func(s *largeCook, lp *ross.LP) { k.final(lp, "%v", *s) },
	}
}

func (k *kitchen) immovable() ross.LPType {
	return ross.Type[neverCook]{
		Name: "never", Saving: ross.SaveNever, SerializedSize: sizeOfNever, Serialize: storeNever, Deserialize: loadNever,
		Init: func(s *neverCook, lp *ross.LP) {
			s.Seen = map[uint64]int{}
			k.start(lp)
		},
		Event: ross.On(func(s *neverCook, lp *ross.LP, m *order16) {
			s.Handled++
			s.Seen[m.Tag%17]++
			m.Seen = s.Handled
			k.pass(lp, m.Tag)
		}).Commit(func(_ *neverCook, lp *ross.LP, m *order16) { k.committed(lp, m.Tag^m.Seen) }),
		Final: func(s *neverCook, lp *ross.LP) { k.final(lp, "%d %v", s.Handled, s.Seen) },
	}
}

// result is what a run of the kitchen came to.
type result struct {
	digest       uint64
	states       uint64 // digest of the final ones
	events, past uint64
	finals       []string
	commits      [][]uint64
	commitAt     []float64
	lines        []string // printed by the model
}

// cook runs the kitchen up to a time, and checks that nothing leaked.
func cook(t testing.TB, never bool, end float64, configure func(*ross.Config)) (result, *ross.Simulation) {
	t.Helper()
	r, sims := cookRanks(t, worldtest.New(1, 0, 0), 1, never, end, configure)
	return r, sims[0]
}

// cookRanks is cook on some ranks.
func cookRanks(t testing.TB, c *worldtest.Cluster, ranks int, never bool, end float64, configure func(*ross.Config)) (
	result, []*ross.Simulation) {
	t.Helper()
	k := newKitchen(never)
	outs := make([]strings.Builder, ranks)
	sims, errs := runOnRanks(t, c, ranks, func(rank int, cfg *ross.Config) {
		cfg.NLP, cfg.End, cfg.Digest, cfg.Streams.PerLP, cfg.TypeMap = kitchenLPs, end, true, 3, k.typeOf
		cfg.Output, cfg.MaxMemory = &outs[rank], 200<<20
		if configure != nil {
			configure(cfg)
		}
	}, k.types()...)
	for _, err := range errs {
		require.NoError(t, err)
	}
	requireNoLeak(t, sims...)
	st := sims[0].Summary()
	r := result{digest: *st.Digest, states: *st.StateDigest, events: st.NetEvents(), past: st.EventsPastEnd,
		finals: k.finals, commits: k.commits, commitAt: k.commitAt}
	for rank, sim := range sims {
		requireClean(t, sim)
		live := uint64(0)
		for _, pe := range runOf(sim).Locals {
			if pe.Pool != nil {
				require.NoError(t, pe.Pool.Check())
				live += pe.Pool.Live()
			}
		}
		for line := range strings.Lines(outs[rank].String()) {
			if strings.HasPrefix(line, "log ") || strings.HasPrefix(line, "commit ") {
				r.lines = append(r.lines, line)
			}
		}
		require.Equal(t, liveBlocks(sim), live, "blocks leaked")
	}
	slices.Sort(r.lines)
	return r, sims
}

// liveBlocks returns how many blocks the LPs hold.
func liveBlocks(s *ross.Simulation) (n uint64) {
	for _, pe := range runOf(s).Locals {
		for i := range pe.LPs {
			lp := &pe.LPs[i]
			switch s := lp.State; lp.Type().Name {
			case "log":
				n += uint64(min((*logCook)(s).Shelf.Len(), 1))
			case "delta":
				n += uint64(min((*deltaCook)(s).Shelf.Len(), 1))
			}
		}
	}
	return n
}

// requireClean shows that nothing of a run is left to be undone or reported.
func requireClean(t testing.TB, s *ross.Simulation) {
	t.Helper()
	for _, pe := range runOf(s).Locals {
		require.Zero(t, pe.Uncommitted)
		require.Empty(t, pe.Stragglers)
		require.Empty(t, pe.Doomed)
		require.Empty(t, pe.Hook.Calls)
		for i := range pe.KPs {
			kp := &pe.KPs[i]
			require.True(t, kp.History.Empty(), "KP %d has a history", i)
			require.Empty(t, kp.Notes)
		}
	}
}

// The states of cooks as they are stored: what is in a block stands for it.
type (
	storedLog struct {
		Handled, Sum uint64
		Last         float64
		Shelf        []uint64
	}
	storedDelta struct {
		Handled, Sum uint64
		Normal       float64
		Table        [20]uint64
		Shelf        []uint32
	}
)

func encode(v any) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func decode(b []byte, v any) error { return gob.NewDecoder(bytes.NewReader(b)).Decode(v) }

func logBytes(s *logCook, lp *ross.LP) []byte {
	return encode(&storedLog{s.Handled, s.Sum, s.Last, s.Shelf.Of(lp)})
}

func sizeOfLog(s *logCook, lp *ross.LP) int          { return len(logBytes(s, lp)) }
func storeLog(s *logCook, lp *ross.LP, buf []byte)   { copy(buf, logBytes(s, lp)) }
func sizeOfDelta(s *deltaCook, lp *ross.LP) int      { return len(deltaBytes(s, lp)) }
func storeDelta(s *deltaCook, lp *ross.LP, b []byte) { copy(b, deltaBytes(s, lp)) }

func loadLog(s *logCook, lp *ross.LP, buf []byte) error {
	var c storedLog
	if err := decode(buf, &c); err != nil {
		return err
	}
	*s = logCook{c.Handled, c.Sum, c.Last, ross.Alloc[uint64](lp, len(c.Shelf))}
	copy(s.Shelf.Of(lp), c.Shelf)
	return nil
}

func deltaBytes(s *deltaCook, lp *ross.LP) []byte {
	return encode(&storedDelta{s.Handled, s.Sum, s.Normal, s.Table, s.Shelf.Of(lp)})
}

func loadDelta(s *deltaCook, lp *ross.LP, buf []byte) error {
	var c storedDelta
	if err := decode(buf, &c); err != nil {
		return err
	}
	*s = deltaCook{c.Handled, c.Sum, c.Normal, c.Table, ross.Alloc[uint32](lp, len(c.Shelf))}
	copy(s.Shelf.Of(lp), c.Shelf)
	return nil
}

// neverBytes sorts, for a map has no order.
func neverBytes(s *neverCook) []byte {
	all := []uint64{s.Handled}
	var keys []uint64
	for k := range s.Seen {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		all = append(all, k, uint64(s.Seen[k]))
	}
	return encode(all)
}

func sizeOfNever(s *neverCook, _ *ross.LP) int        { return len(neverBytes(s)) }
func storeNever(s *neverCook, _ *ross.LP, buf []byte) { copy(buf, neverBytes(s)) }

func loadNever(s *neverCook, _ *ross.LP, buf []byte) error {
	var all []uint64
	if err := decode(buf, &all); err != nil {
		return err
	}
	s.Handled, s.Seen = all[0], map[uint64]int{}
	for i := 1; i < len(all); i += 2 {
		s.Seen[all[i]] = int(all[i+1])
	}
	return nil
}
