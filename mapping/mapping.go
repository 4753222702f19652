// This file owns Map, the lookups of a finished mapping; builtin.go and custom.go make and check each kind. Lookups
// divide by numbers known at setup, as multiplications: every sent event needs one, and the 64-bit division of the
// hardware takes about twice as long on recent processors and more on older ones (BenchmarkDivide).

package mapping

import (
	"math/bits"
	"strconv"
)

// Kind is the rule that a Map follows (g_tw_mapping in ROSS).
type Kind int

// The kinds of mapping; the zero value is the default of ROSS.
const (
	Linear     Kind = iota // blocks of consecutive gids (LINEAR)
	RoundRobin             // gids dealt out in turn (ROUND_ROBIN)
	Custom                 // functions of the model (CUSTOM)
)

// String returns the words of the "LP-to-PE Mapping" line of the closing report.
func (k Kind) String() string {
	switch k {
	case Linear:
		return "linear"
	case RoundRobin:
		return "round robin"
	case Custom:
		return "model defined"
	}
	return "mapping.Kind(" + strconv.Itoa(int(k)) + ")"
}

// Map holds the PE of every LP, its index there and its KP. Make one with
// NewLinear, NewRoundRobin, NewEven or NewCustom; it is read-only afterwards and safe for
// concurrent use.
//
// Every PE, KP and local index that a Map returns fits 32 bits, and so do the
// numbers of PEs, of KPs per PE and of LPs per PE.
//
// The lookups run for every event and check nothing: for a gid at or beyond Total,
// or a place that holds no LP, they return a meaningless number or panic. Compare
// ids that come from a model with Total first.
type Map struct {
	kind     Kind
	identity bool
	npe      uint64  // PEs in all
	nkp      uint64  // KPs per PE
	total    uint64  // LPs in all
	nlp      uint64  // LPs of a PE, not for Custom
	longer   uint64  // PEs that have nlp+1 LPs instead: the first ones
	longEnd  uint64  // for Linear: LPs on these PEs, whose gids are the lowest
	div      divider // divides by nlp for Linear, by npe for RoundRobin
	longDiv  divider // divides by nlp+1, for Linear
	table    table   // for Custom only
}

// Kind returns the rule that the map follows.
func (m *Map) Kind() Kind { return m.kind }

// NumPEs returns the number of PEs in all (tw_nnodes in ROSS, with one PE a rank).
func (m *Map) NumPEs() uint64 { return m.npe }

// NumKPs returns the number of KPs of each PE, empty ones included (g_tw_nkp).
func (m *Map) NumKPs() uint64 { return m.nkp }

// Total returns the number of LPs on all PEs together (g_tw_total_lps). The gids
// are 0 to Total()-1.
func (m *Map) Total() uint64 { return m.total }

// NumLPs returns the number of LPs on a PE (g_tw_nlp): 0 for a PE that is left empty, and for one
// that does not exist.
func (m *Map) NumLPs(pe uint64) uint64 {
	switch {
	case pe >= m.npe:
		return 0
	case m.kind == Custom:
		return m.table.numLPs(pe)
	case pe < m.longer:
		return m.nlp + 1
	}
	return m.nlp
}

// Identity reports whether there is one PE and Local(gid) == gid for every LP, so
// that an engine may index its LPs by gid.
func (m *Map) Identity() bool { return m.identity }

// PE returns the PE that holds an LP (the map function of tw_lptype).
func (m *Map) PE(gid uint64) uint64 {
	pe, _ := m.Locate(gid)
	return pe
}

// Local returns the index of an LP in its PE, 0 to NumLPs(PE(gid))-1
// (g_tw_custom_lp_global_to_local_map).
func (m *Map) Local(gid uint64) uint64 {
	_, local := m.Locate(gid)
	return local
}

// Locate returns PE(gid) and Local(gid) at the cost of one of them.
func (m *Map) Locate(gid uint64) (pe, local uint64) {
	switch {
	case m.kind == Custom:
		p := m.table.places[gid]
		return uint64(p.pe), uint64(p.local)
	case m.kind == RoundRobin:
		q := m.div.quo(gid)
		return gid - q*m.npe, q
	case gid < m.longEnd:
		q := m.longDiv.quo(gid)
		return q, gid - q*m.longDiv.by
	}
	gid -= m.longer // without the additional LPs, every PE begins at a multiple of nlp
	q := m.div.quo(gid)
	return q, gid - q*m.nlp
}

// GID returns the global id of the LP at index local of a PE: the inverse of PE
// and Local.
func (m *Map) GID(pe, local uint64) uint64 {
	switch m.kind {
	case Linear:
		return pe*m.nlp + min(pe, m.longer) + local
	case RoundRobin:
		return pe + local*m.npe
	}
	return m.table.gid(pe, local)
}

// KP returns the KP of the LP at index local of a PE, 0 to NumKPs()-1, counted
// inside that PE (tw_lp_onkp). It is meant for setup, not for every event.
func (m *Map) KP(pe, local uint64) uint64 {
	switch {
	case m.kind == RoundRobin:
		return local % m.nkp
	case m.table.kps != nil:
		return m.table.kp(pe, local)
	}
	return linearKP(local, m.NumLPs(pe), m.nkp)
}

// divider computes n/by as ((n+inc)*mul) >> (64+shift), exactly for every n below
// 2^64-1. With 2^shift the greatest power of two up to by, mul is
// 2^(64+shift)/by, rounded up if the error of that is small enough, else rounded
// down with inc to compensate; one of the two is always exact (Granlund and
// Montgomery 1994 for the first, Robison 2005, "N-bit unsigned division via N-bit
// multiply-add", for the second).
type divider struct {
	by, mul, inc uint64
	shift        uint8
}

// newDivider returns the divider by d, which is not 0.
func newDivider(d uint64) divider {
	shift := uint8(bits.Len64(d) - 1)
	pow := uint64(1) << shift
	if d == pow {
		// 2^64 itself does not fit mul; 2^64-1 with inc is exact as well.
		return divider{by: d, mul: ^uint64(0), inc: 1, shift: shift}
	}
	mul, rem := bits.Div64(pow, 0, d)
	if d-rem <= pow {
		return divider{by: d, mul: mul + 1, shift: shift}
	}
	return divider{by: d, mul: mul, inc: 1, shift: shift}
}

// quo returns n/by for n < 2^64-1.
func (v *divider) quo(n uint64) uint64 {
	hi, _ := bits.Mul64(n+v.inc, v.mul)
	return hi >> (v.shift & 63) // the mask avoids a test for shifts of 64 and more
}
