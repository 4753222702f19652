// This file owns waking PEs: for a round of GVT, or because another PE has something for
// them.

package timewarp

// rouse wakes the PE if it is asleep. Other PEs call it.
func (pe *PE) rouse() {
	if pe.Address.Asleep.Load() && pe.Address.Asleep.CompareAndSwap(true, false) {
		pe.Address.Wake <- struct{}{}
	}
}

// RouseAll wakes all PEs that sleep. Anybody may call it at any time: also while SetActive changes which PEs take
// part, since whoever sets Stop or Leave does so before, and a PE looks at them before it sleeps.
func (t *team) RouseAll() {
	for _, pe := range t.Active() {
		pe.rouse()
	}
}

// LetLeave lets the PEs leave their loops at the next GVT, to go on later.
func (t *team) LetLeave() {
	t.Leave.Store(true)
	t.RouseAll()
}

// StartGVT starts a round of GVT unless one is under way. It reports whether it did.
func (pe *PE) StartGVT() bool {
	if !pe.Member.Start() {
		return false
	}
	if !pe.Team.OnlyPE {
		pe.Team.RouseAll()
	}
	return true
}

// ForceGVT is StartGVT before the interval is over.
func (pe *PE) ForceGVT() bool {
	if !pe.StartGVT() {
		return false
	}
	pe.Counts.Forced++
	return true
}
