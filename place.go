// This file owns places: where each LP of a run is, those of other ranks included.

package ross

// Place is where an LP is. The numbers of a place count from 0.
type Place struct {
	Rank  int    // the process that has the PE, see Simulation.Rank
	PE    PEID   // among the PEs of all ranks
	KP    uint64 // on that PE, see KP.ID
	Local int    // on that PE: the LP's local id, see LP.Local
}

// Place returns where an LP is. It answers for the LPs of all ranks. ok is false for an id
// that no LP has, before Define and after Close.
func (s *Simulation) Place(id LPID) (p Place, ok bool) {
	if s.layout == nil || uint64(id) >= s.total {
		return Place{}, false
	}
	pe, local := s.layout.Locate(uint64(id))
	return Place{
		Rank: int(pe) / s.cfg.PEs, PE: PEID(pe), KP: s.layout.KP(pe, local), Local: int(local),
	}, true
}

// LPAt returns the global id of the LP with a local id on a PE, of whatever rank: it is
// the inverse of Place. ok is false where no LP is, before Define and after Close.
func (s *Simulation) LPAt(pe PEID, local int) (id LPID, ok bool) {
	if s.layout == nil || local < 0 || uint64(local) >= s.layout.NumLPs(uint64(pe)) {
		return 0, false
	}
	return LPID(s.layout.GID(uint64(pe), uint64(local))), true
}

// Local returns the local id of the LP, its index on its PE: lp is
// lp.PE().LP(lp.Local()). It depends on the mapping and on the number of PEs, so that
// nothing that a model does in its events may depend on it; see Simulation.Place.
func (lp *LP) Local() int { return int(lp.local()) }
