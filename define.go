// This file owns what Define does: types, mapping, PEs, LPs and their random
// streams.

package ross

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/pq"
	"github.com/ross-go/ross/rng"
)

// maxInline is the largest payload that every event has room for, bytes.
// Larger ones get a block of their own, so that one large message does not make
// all events large.
const maxInline = 256

func (s *Simulation) addTypes(types []LPType) error {
	if len(types) == 0 || len(types) > math.MaxUint16 {
		return fmt.Errorf("ross: Define: %d types: %w: give 1 to %d", len(types), ErrModel, math.MaxUint16)
	}
	if len(types) > 1 && s.cfg.TypeMap == nil {
		return fmt.Errorf("ross: Define: %d types and no Config.TypeMap: %w: say with it which LP is of which type", len(types), ErrModel)
	}
	for i, t := range types {
		lt, err := t.lpType()
		if err != nil {
			return err
		}
		lt.id = uint16(i)
		s.types = append(s.types, lt)
	}
	return nil
}

// checkPEs refuses more PEs than there can be memory for, before any is made. Their
// structures are not charged: of few PEs they are nothing.
func (s *Simulation) checkPEs() error {
	const few = 64 << 20 // bytes
	n := uint64(s.cfg.PEs)
	each := uint64(unsafe.Sizeof(PE{})+unsafe.Sizeof(event.Arena{})+unsafe.Sizeof(pq.Queue{})) + n*uint64(unsafe.Sizeof(outbox{}))
	if limit := max(s.budget.Limit(), few); each > limit/n {
		return fmt.Errorf("ross: Define: %d PEs of %d bytes each: %w: %d bytes are allowed: raise --max-memory or lower --pes", n, each, mem.ErrLimit, limit)
	}
	return nil
}

// mostPEs is how many PEs the record of a send can tell apart, see tagRemote.
const mostPEs = 1 << (tagShift - 32)

func (s *Simulation) makeLayout() (err error) {
	c := &s.cfg
	npe := s.numPEs()
	if npe > mostPEs {
		return cmdline.Usagef("option --pes=%d: %d ranks have %d PEs; there can be %d: use fewer ranks or PEs", c.PEs, s.ranks, npe, mostPEs)
	}
	if err := s.checkPEs(); err != nil {
		return err
	}
	if c.Mapping != mapping.Custom && c.TotalLPs != 0 && c.TotalLPs != s.total {
		return cmdline.Usagef("Config.TotalLPs=%d: a %s mapping has PEs * NLP = %d; leave it 0, or use a custom mapping",
			c.TotalLPs, c.Mapping, s.total)
	}
	switch c.Mapping {
	case mapping.Linear:
		s.layout, err = mapping.NewLinear(npe, c.NLP, c.NKP)
	case mapping.RoundRobin:
		s.layout, err = mapping.NewRoundRobin(npe, c.NLP, c.NKP)
	default:
		f := c.Custom
		var noMap error
		if f.PE == nil && f.For == nil {
			f.PE = func(gid uint64) uint64 {
				pe, err := s.mapByType(gid)
				noMap = cmp.Or(noMap, err)
				return pe
			}
		}
		s.layout, err = mapping.NewCustom(npe, s.total, c.NKP, f)
		err = cmp.Or(noMap, err) // an LP without a PE is what the mapping complains of then
	}
	return err
}

// mapByType asks the type of an LP where it is.
func (s *Simulation) mapByType(gid uint64) (uint64, error) {
	t, err := s.typeOf(gid)
	if err != nil {
		return 0, err
	}
	if t.mapTo == nil {
		return 0, fmt.Errorf("ross: custom mapping: LP %d: type %q has no Map: %w: give it one, or Config.Custom.PE", gid, t.name, ErrModel)
	}
	return uint64(t.mapTo(LPID(gid))), nil
}

func (s *Simulation) typeOf(gid uint64) (*lpType, error) {
	i := 0
	if s.cfg.TypeMap != nil {
		i = s.cfg.TypeMap(LPID(gid))
	}
	if i < 0 || i >= len(s.types) {
		return nil, fmt.Errorf("ross: Config.TypeMap: gives type %d to LP %d: %w: give 0 to %d, an index into the types of Define",
			i, gid, ErrModel, len(s.types)-1)
	}
	return s.types[i], nil
}

func (s *Simulation) newPE(id PEID) (*PE, error) {
	pe := &PE{
		public: public{id: id}, sim: s, layout: s.layout, end: s.cfg.End, total: s.total,
		horizon: never, last: never, storeAt: never,
		budget: s.budget.Share(), counts: meter.NewCounts(), mode: s.cfg.mode(), chainFrom: s.cfg.chainFrom(),
	}
	pe.budget.Parts = 4 * uint64(s.cfg.PEs) // for the buddy pool of each PE
	pe.hook.bound, pe.redMin = gvt.Max, gvt.Max
	switch {
	case s.layout.Identity():
		pe.span = s.total
	case s.cfg.Mapping == mapping.Linear:
		pe.first, pe.span = uint64(id)*s.cfg.NLP, s.layout.NumLPs(uint64(id))
	}
	if err := pe.chargeLPs(s.layout.NumLPs(uint64(id))); err != nil {
		return nil, err
	}
	if err := pe.makeLPs(s.layout.NumLPs(uint64(id))); err != nil {
		return nil, err
	}
	if err := pe.makeEvents(); err != nil {
		pe.release()
		return nil, err
	}
	if err := pe.makeSaver(); err != nil {
		pe.release()
		return nil, err
	}
	if err := pe.makeChecker(); err != nil {
		pe.release()
		return nil, err
	}
	pe.SetHookTrigger(s.cfg.HookTrigger)
	return pe, nil
}

// chargeLPs charges the KPs and n LPs, with their streams and their states, as
// large as the largest, to the memory of the run, before anything is allocated.
func (pe *PE) chargeLPs(n uint64) error {
	z := pe.sim.sizes()
	nkp := pe.sim.cfg.NKP
	if err := pe.budget.Charge(nkp * z.KP); err != nil {
		return fmt.Errorf("ross: Define: %d KPs of %d bytes each: %w: raise --max-memory or lower --nkp", nkp, z.KP, err)
	}
	if n > math.MaxInt64/z.TotalLP {
		n = math.MaxInt64 / z.TotalLP
	}
	if err := pe.budget.Charge(n * z.TotalLP); err != nil {
		return fmt.Errorf("ross: Define: %d LPs of %d bytes each: %w: raise --max-memory or lower --nlp", n, z.TotalLP, err)
	}
	return nil
}

// makeEvents makes the event pool and the pending-event set.
func (pe *PE) makeEvents() (err error) {
	c := &pe.sim.cfg
	inline, largest := uintptr(0), uintptr(0)
	pe.onlyMsg = pe.sim.types[0].msg
	for _, t := range pe.sim.types {
		if t.msgSize <= maxInline {
			inline = max(inline, t.msgSize)
		}
		if t.msg != pe.sim.types[0].msg {
			pe.onlyMsg = nil
		}
		largest = max(largest, t.msgSize)
	}
	pe.void = make([]uint64, largest/8+1)
	s := pe.sim
	if s.space == nil {
		newSpace := event.NewSpace
		if c.keepsSent() {
			newSpace = event.NewKeepingSpace
		}
		if s.space, err = newSpace(s.cfg.PEs, inline, c.MaxMemory/event.Size, s.budget); err != nil {
			return fmt.Errorf("ross: Define: %w", err)
		}
		if s.space.Cut() && !mem.Zoned {
			s.warn("the limit of the address space (ulimit -v) lets events take less than --max-memory")
		}
		s.budget.Others = s.queueBytes
	}
	pe.arena = s.space.Arena(int(pe.id - s.base))
	if pe.q, err = pq.NewWindow(pe.arena, c.PQ, c.window); errors.Is(err, ErrMemory) {
		return fmt.Errorf("ross: Define: %w", err)
	} else if err != nil {
		return err
	}
	pe.queueBytes.Store(pe.q.Bytes())
	return nil
}

// queueBytes returns what the event queues hold. Those of a parallel run say so
// when they change.
func (s *Simulation) queueBytes() uint64 {
	if len(s.pes) == 1 {
		return s.pes[0].q.Bytes()
	}
	sum := uint64(0)
	for _, pe := range s.pes {
		sum += pe.queueBytes.Load()
	}
	return sum
}

// kpsApart is how many KPs fill a page, see apart.
const kpsApart = apart / uint64(unsafe.Sizeof(KP{}))

// makeLPs makes the LPs of a PE, their states and streams, and the KPs.
func (pe *PE) makeLPs(n uint64) error {
	s := pe.sim
	pe.kps = make([]KP, s.cfg.NKP+2*kpsApart)[kpsApart : kpsApart+s.cfg.NKP]
	for i := range pe.kps {
		pe.kps[i] = KP{id: uint64(i), pe: pe}
	}
	more := uint64(0)
	if s.cfg.samplesVT() {
		more = s.cfg.NKP
	}
	pe.lpSlab = make([]LP, n+more)
	pe.lps = unsafe.Pointer(unsafe.SliceData(pe.lpSlab))
	mem.AdviseHuge(pe.lps, uintptr(n+more)*lpSize)
	pe.lpSlab, pe.analysis = pe.lpSlab[:n:n], pe.lpSlab[n:]
	if len(s.types) > 1 {
		pe.typeOf = make([]uint16, n)
	}
	count := make([]int, len(s.types))
	for i := range pe.lpSlab {
		gid := s.layout.GID(uint64(pe.id), uint64(i))
		t, err := s.typeOf(gid)
		if err != nil {
			return err
		}
		if pe.typeOf != nil {
			pe.typeOf[i] = t.id
		}
		count[t.id]++
		kp := &pe.kps[s.layout.KP(uint64(pe.id), uint64(i))]
		kp.lps++
		pe.lpSlab[i] = LP{id: LPID(gid), event: s.handlerOf(t), pe: pe, typ: t, kp: kp}
	}
	next := make([]unsafe.Pointer, len(s.types))
	for i, t := range s.types {
		slab, keep := t.slab(count[i])
		mem.AdviseHuge(slab, uintptr(count[i])*t.stateSize)
		next[i] = slab
		pe.states = append(pe.states, keep)
	}
	for i := range pe.lpSlab {
		lp := &pe.lpSlab[i]
		lp.state = next[lp.typ.id]
		if count[lp.typ.id]--; count[lp.typ.id] > 0 {
			next[lp.typ.id] = unsafe.Add(lp.state, lp.typ.stateSize)
		}
	}
	pe.makeAnalysis()
	pe.setSpecial()
	pe.seed()
	return nil
}

// seed gives every LP its random streams. Stream ids are those of ROSS: the
// models' streams first, then one core stream for each LP, whose base is cut to
// 32 bits there and so here.
func (pe *PE) seed() {
	s := pe.sim
	per := s.cfg.RNGsPerLP
	models, _ := s.seeds(s.cfg.Seeds, rng.DefaultSeeds)
	cores, _ := s.seeds(s.cfg.CoreSeeds, rng.DefaultCoreSeeds)
	modelSeeder, coreSeeder := rng.NewSeeder(models), rng.NewSeeder(cores)
	base := uint64(uint32(per * s.total))
	for i := range pe.lpSlab {
		lp := &pe.lpSlab[i]
		gid := uint64(lp.id)
		lp.rng = modelSeeder.Stream(gid * per)
		for j := uint64(1); j < per; j++ {
			lp.more = append(lp.more, modelSeeder.Stream(gid*per+j))
		}
		lp.core = coreSeeder.CLCG4(base + gid)
	}
	for i := range pe.analysis {
		pe.analysis[i].core = coreSeeder.CLCG4(base + uint64(pe.analysis[i].id))
	}
}

// seeds returns the seeds that were given, clamped to what the generator can
// take, or the standard ones.
func (s *Simulation) seeds(given [4]uint64, standard rng.Seeds) (seeds rng.Seeds, clamped bool) {
	if given == [4]uint64{} {
		return standard, false
	}
	return rng.ClampSeeds(given)
}

func (pe *PE) release() {
	pe.takeSpares()
	if pe.q != nil {
		pe.q.Close()
	}
	if pe.pool != nil {
		pe.pool.Close()
		pe.pool = nil
	}
}
