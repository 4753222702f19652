// This file owns where the LPs of a process are: in one array, one PE after the other, so that an
// event names its LP by an index that holds whichever PE handles the LP.

package kernel

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/mapping"
)

// place is where the LPs of a process are.
type place struct {
	lps     []LP        // of all PEs; those of each are followed by its analysis LPs
	types   []uint16    // of lps, len(Run.Types) for analysis LPs; nil if there is only one type
	ignores atomic.Bool // an LP has been suspended
	moved   moved
	rare    struct { // what few LPs have, nil until one has something
		sync.Mutex
		extras []*Extra
	}
}

// Base returns the number of the first PE of the process. In bounds of GVT it stands for the process,
// as Event.Dst says which LP of the process it is.
func (pe *PE) Base() uint32 { return uint32(pe.Run.Base) }

// Offset returns the number of LPs that precede those of a PE among those of its process.
func (r *Run) Offset(id uint64) (n uint64) {
	for before := id - id%uint64(r.Set.PEs); before < id; before++ {
		n += r.Layout.NumLPs(before) + r.perPE()
	}
	return n
}

// extrasOfAll returns what few LPs have, of all LPs of this process, and makes room for it if there is
// none.
func (r *Run) extrasOfAll() []*Extra {
	r.rare.Lock()
	defer r.rare.Unlock()
	if r.rare.extras == nil {
		r.rare.extras = make([]*Extra, len(r.lps))
	}
	return r.rare.extras
}

// NumModelLPs returns the number of LPs of this process without analysis LPs.
func (r *Run) NumModelLPs() (n uint64) {
	for i := range uint64(r.Set.PEs) {
		n += r.Layout.NumLPs(r.Base + i)
	}
	return n
}

// NumLPs returns the number of LPs of this process, analysis LPs included.
func (r *Run) NumLPs() int { return len(r.lps) }

// NumKPs returns the number of KPs of this process.
func (r *Run) NumKPs() int { return r.Set.PEs * int(r.Set.NKP) }

// IndexOf returns which KP of this process kp is.
func (r *Run) IndexOf(kp *KP) int { return int((kp.Home.ID-r.Base)*r.Set.NKP + kp.ID) }

// perPE returns the number of analysis LPs of each PE: one for each KP, if there are any.
func (r *Run) perPE() uint64 {
	if r.Set.SamplesVT() {
		return r.Set.NKP
	}
	return 0
}

// placeLPs gives the PE its n LPs, and its analysis LPs, among those of this process, which the first
// PE makes.
func (pe *PE) placeLPs(n uint64) {
	r := pe.Run
	if pe.ID == r.Base {
		all := r.NumModelLPs() + uint64(r.Set.PEs)*r.perPE()
		r.lps = make([]LP, all)
		mem.AdviseHuge(unsafe.Pointer(unsafe.SliceData(r.lps)), uintptr(all)*LPSize)
		if len(r.Types) > 1 || r.perPE() > 0 {
			r.types = make([]uint16, all) // mapTypes and makeAnalysis fill it in
		}
	}
	offset := pe.Address.offset
	end := offset + n
	pe.LPs, pe.Analysis = r.lps[offset:end:end], r.lps[end:][:r.perPE():r.perPE()]
	pe.lpBase = unsafe.Pointer(unsafe.SliceData(r.lps))
	if linear := r.Layout.Kind() == mapping.Linear; r.Layout.Identity() || linear && n > 0 {
		pe.first, pe.from, pe.span = r.Layout.GID(pe.ID, 0)-offset, uint32(offset), uint32(n)
		pe.ownSpan = pe.span
	}
}
