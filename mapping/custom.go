// This file owns mappings that a model defines: it calls the model's functions, checks
// their results, and keeps them in tables.

package mapping

import (
	"errors"
	"fmt"
	"math"
)

// ErrCustom is wrapped by the errors about what the functions of a custom mapping return.
// They are errors of the model.
var ErrCustom = errors.New("ross: custom mapping")

// maxCustomLPs keeps gids and offsets in 32 bits, and the largest table within
// the address space of a 32-bit machine.
const maxCustomLPs = min(math.MaxUint32, math.MaxInt/8)

// noLP marks a place that no LP has taken; it is not a gid, by maxCustomLPs.
const noLP = math.MaxUint32

// Shape holds the numbers by which a mapping divides a run. They count all processes of the
// run.
type Shape struct {
	PEs uint64 // PEs of the run (tw_nnodes in ROSS, with one PE a process)
	KPs uint64 // KPs of each PE (g_tw_nkp)
	LPs uint64 // LPs of the run (g_tw_total_lps)
}

// Places are the functions by which a model defines its own mapping, for one number of PEs. They are called
// only while NewCustom runs, by one goroutine, in an unspecified order. In a run of several
// processes each function must return the same in all of them.
type Places struct {
	// PE returns the PE of an LP, 0 to npe-1 (custom_mapping_lp_to_pe, the map member of
	// tw_lptype in ROSS). It must not be nil.
	PE func(gid uint64) uint64
	// Local returns the index of an LP in its PE: each of 0 to n-1 once for the n LPs of a
	// PE (custom_mapping_lpgid_to_local). Nil: by ascending gid.
	Local func(gid uint64) uint64
	// KP returns the KP, 0 to nkpPerPE-1, of the LP at index local of a PE
	// (tw_lp_onkp). Nil: as NewLinear does, for the number of LPs of that PE.
	KP func(pe, local uint64) uint64
}

// NewCustom returns the mapping that the functions define for total LPs on npe
// PEs of nkpPerPE KPs (CUSTOM in ROSS). The number of LPs of a PE follows from
// the PE function and may be 0.
//
// npe, nkpPerPE and total must be 1 to 4294967295 (on 32-bit machines total must be 1 to
// 268435455); otherwise the error wraps ErrShape. If a function returns a value out of
// range, or the same place for two LPs, the error wraps ErrCustom and names the LP, its PE
// and the range.
func NewCustom(npe, total, nkpPerPE uint64, f Places) (*Map, error) {
	if err := checkPEsKPs(npe, nkpPerPE); err != nil {
		return nil, err
	}
	if err := checkCount("--lps", "LPs on all PEs together", total, maxCustomLPs); err != nil {
		return nil, err
	}
	if f.PE == nil {
		return nil, fmt.Errorf("%w: Places.PE is nil: give the function that returns the PE of a gid", ErrCustom)
	}
	m := &Map{kind: Custom, npe: npe, nkp: nkpPerPE, total: total}
	if err := m.table.fill(m, f); err != nil {
		return nil, err
	}
	m.identity = npe == 1 && m.table.inOrder()
	return m, nil
}

// table holds a custom mapping. A slot is the number of an LP when counted PE by
// PE, in the order of their local indices.
type table struct {
	places []place  // by gid; PE and local index are adjacent, for one cache miss
	first  []uint32 // by PE: its first slot; the last entry is the end of the last PE
	gids   []uint32 // by slot
	kps    []uint32 // by slot; nil where KPs follow the linear rule
}

type place struct{ pe, local uint32 }

func (t *table) fill(m *Map, f Places) error {
	if err := t.fillPEs(m, f.PE); err != nil {
		return err
	}
	if f.Local == nil {
		t.numberByGID()
	} else if err := t.fillLocals(f.Local); err != nil {
		return err
	}
	if f.KP == nil {
		return nil
	}
	return t.fillKPs(m, f.KP)
}

// fillPEs gets the PE of every LP and lays out the slots. The layout ends with the last PE
// that has an LP, so that surplus PEs cost no memory.
func (t *table) fillPEs(m *Map, peOf func(uint64) uint64) error {
	t.places = make([]place, m.total)
	last := uint64(0)
	for gid := range m.total {
		pe := peOf(gid)
		if pe >= m.npe {
			return fmt.Errorf("%w: LP %d: PE %d does not exist: let Places.PE return 0 to %d", ErrCustom, gid, pe, m.npe-1)
		}
		t.places[gid].pe = uint32(pe)
		last = max(last, pe)
	}
	t.first = make([]uint32, last+2)
	for _, p := range t.places {
		t.first[p.pe+1]++
	}
	for i := 1; i < len(t.first); i++ {
		t.first[i] += t.first[i-1]
	}
	t.gids = make([]uint32, m.total)
	return nil
}

func (t *table) numberByGID() {
	next := append([]uint32(nil), t.first...)
	for gid := range t.places {
		p := &t.places[gid]
		slot := next[p.pe]
		next[p.pe]++
		p.local = slot - t.first[p.pe]
		t.gids[slot] = uint32(gid)
	}
}

// fillLocals need not search for gaps afterwards: n LPs in n places, none taken twice,
// leave none empty.
func (t *table) fillLocals(localOf func(uint64) uint64) error {
	for slot := range t.gids {
		t.gids[slot] = noLP
	}
	for gid := range t.places {
		p := &t.places[gid]
		pe, local := uint64(p.pe), localOf(uint64(gid))
		if n := t.numLPs(pe); local >= n {
			return fmt.Errorf(
				"%w: LP %d on PE %d: local index %d is out of range: let Places.Local return each of 0 to %d once for that PE",
				ErrCustom, gid, pe, local, n-1)
		}
		at := &t.gids[t.slot(pe, local)]
		if *at != noLP {
			return fmt.Errorf(
				"%w: LP %d on PE %d: local index %d already belongs to LP %d: let Places.Local return each of 0 to %d once for that PE",
				ErrCustom, gid, pe, local, *at, t.numLPs(pe)-1)
		}
		*at, p.local = uint32(gid), uint32(local)
	}
	return nil
}

func (t *table) fillKPs(m *Map, kpOf func(pe, local uint64) uint64) error {
	t.kps = make([]uint32, m.total)
	for slot, gid := range t.gids {
		p := t.places[gid]
		kp := kpOf(uint64(p.pe), uint64(p.local))
		if kp >= m.nkp {
			return fmt.Errorf(
				"%w: LP %d on PE %d, local index %d: KP %d does not exist: let Places.KP return 0 to %d, or raise --nkp",
				ErrCustom, gid, p.pe, p.local, kp, m.nkp-1)
		}
		t.kps[slot] = uint32(kp)
	}
	return nil
}

func (t *table) numLPs(pe uint64) uint64 {
	if pe+1 >= uint64(len(t.first)) {
		return 0
	}
	return uint64(t.first[pe+1] - t.first[pe])
}

func (t *table) slot(pe, local uint64) uint64 { return uint64(t.first[pe]) + local }

func (t *table) gid(pe, local uint64) uint64 { return uint64(t.gids[t.slot(pe, local)]) }

func (t *table) kp(pe, local uint64) uint64 { return uint64(t.kps[t.slot(pe, local)]) }

// inOrder reports whether every local index is the gid.
func (t *table) inOrder() bool {
	for gid, p := range t.places {
		if uint64(p.local) != uint64(gid) {
			return false
		}
	}
	return true
}

// This file owns Mapping: what a run asks for the places of its LPs.

// A Mapping says where the LPs of a run are. [Linear] and [RoundRobin] are mappings, and so are [Places] and [For],
// with functions of a model, and every other type that has this method.
type Mapping interface {
	// Map returns the places of all LPs for the numbers of a run. It is called once on each rank, and returns the
	// same on all.
	Map(s Shape) (*Map, error)
}

// Map implements Mapping.
func (k Kind) Map(s Shape) (*Map, error) {
	if k != Linear && k != RoundRobin {
		return nil, fmt.Errorf("%w: %s is what a Map calls itself: give Linear, RoundRobin, Places or For", ErrCustom, k)
	}
	return NewEven(k, s.PEs, s.LPs, s.KPs)
}

// Map implements Mapping.
func (p Places) Map(s Shape) (*Map, error) { return NewCustom(s.PEs, s.LPs, s.KPs, p) }

// For is a mapping that follows from the numbers of the run, which a model may not know otherwise. It is called once.
type For func(s Shape) (Places, error)

// Map implements Mapping.
func (f For) Map(s Shape) (*Map, error) {
	p, err := f(s)
	if err != nil {
		return nil, err
	}
	return p.Map(s)
}
