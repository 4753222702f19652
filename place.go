// This file owns Place, which says where an LP is, and the translation between ids and places
// for the LPs of all ranks.

package ross

// Place says where an LP is. All numbers count from 0.
type Place struct {
	Rank  int    // process of the PE, see Simulation.Rank
	PE    PEID   // index among the PEs of all ranks
	KP    uint64 // index on that PE, see KP.ID
	Local int    // local id of the LP on that PE, see LP.Local
}

// Place returns the place of any LP, including those of other ranks. ok is false if no LP has
// the id, before Define, and after Close.
func (s *Simulation) Place(id LPID) (p Place, ok bool) {
	if s.r.Layout == nil || uint64(id) >= s.r.Total {
		return Place{}, false
	}
	pe, local := s.r.Layout.Locate(uint64(id))
	return Place{
		Rank: int(pe) / s.cfg.PEs, PE: PEID(pe), KP: s.r.Layout.KP(pe, local), Local: int(local),
	}, true
}

// LPAt returns the global id of the LP with a local id on a PE of any rank; it is the inverse
// of Place. ok is false if there is no such LP, before Define, and after Close.
func (s *Simulation) LPAt(pe PEID, local int) (id LPID, ok bool) {
	if s.r.Layout == nil || local < 0 || uint64(local) >= s.r.Layout.NumLPs(uint64(pe)) {
		return 0, false
	}
	return LPID(s.r.Layout.GID(uint64(pe), uint64(local))), true
}
