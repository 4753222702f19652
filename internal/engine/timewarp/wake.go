// This file owns waking PEs: for a round of GVT, or because another PE has something for
// them.

package timewarp

import "time"

// rouse wakes the PE if it is asleep. Other PEs call it.
func (pe *PE) rouse() {
	switch {
	case !pe.Address.Asleep.Load() || !pe.Address.Asleep.CompareAndSwap(true, false):
	case pe.Remote != nil:
		pe.Remote.Sleeper.Wake()
	default:
		pe.Address.Wake <- struct{}{}
	}
}

// RouseFirst wakes the PE that makes the reduction for the rank.
func (t *team) RouseFirst() { t.PEs[0].rouse() }

// SleepRemote sleeps until there is something for the PE: from another PE of the rank, which ready has to see; from
// another rank, if news is true; or of GVT. It returns after some time in any case, sooner if there is something for
// which nobody wakes it. It reports false, at once, if the PE cannot sleep.
func (pe *PE) SleepRemote(ready func() bool, news bool, most time.Duration) bool {
	r := pe.Remote
	if r.Sleeper == nil {
		return false
	}
	if r.Unsent() {
		most = min(most, LeastSleep)
	}
	pe.Address.Asleep.Store(true)
	could := r.Sleeper.Sleep(ready, news, most)
	pe.Address.Asleep.Store(false)
	return could
}

// LeastSleep is how long a PE sleeps if it has to look for something by itself.
const LeastSleep = 256 * time.Microsecond

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
