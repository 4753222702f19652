// This file owns PE and KP: a thread's share of a simulation, and the groups of LPs that are
// rolled back together.

package ross

import (
	"unsafe"

	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/run"
)

// PEID is the index of a PE among all PEs of a run (tw_peid), 0 to Simulation.NumPEs() - 1.
type PEID uint64

// PE is a processing element (tw_pe): a thread with its LPs, an event queue, a pool of events,
// and a clock. Which LPs and KPs it has is what the mapping says, and does not change while the run goes
// on. With Config.Balance the thread of another PE may handle their events, so that handlers of LPs of one
// PE may run at the same time, as those of different PEs do.
type PE struct {
	r run.PE
}

// facePE returns the PE that models see, as faceLP does for an LP: each PE of the kernel lies
// at the beginning of one.
func facePE(pe *kernel.PE) *PE { return (*PE)(unsafe.Pointer(pe)) }

// ID returns the index of the PE among all PEs of the run.
func (pe *PE) ID() PEID { return PEID(pe.r.ID) }

// Simulation returns the simulation that the PE belongs to.
func (pe *PE) Simulation() *Simulation { return pe.r.Run.Face.(*Simulation) }

// NumLPs returns the number of LPs on the PE (g_tw_nlp), and 0 for a nil PE.
func (pe *PE) NumLPs() int {
	if pe == nil {
		return 0
	}
	return len(pe.r.LPs)
}

// LP returns the LP with local id i (tw_getlp), or nil unless 0 <= i < NumLPs(). It also
// returns nil for a nil PE, such as Simulation.PE returns for a PE of another rank.
func (pe *PE) LP(i int) *LP {
	if pe == nil || i < 0 || i >= len(pe.r.LPs) {
		return nil
	}
	return faceLP(&pe.r.LPs[i])
}

// NumKPs returns the number of KPs on the PE (g_tw_nkp), and 0 for a nil PE.
func (pe *PE) NumKPs() int {
	if pe == nil {
		return 0
	}
	return len(pe.r.KPs)
}

// KP returns the KP with index i (tw_getkp), or nil unless 0 <= i < NumKPs(). It also returns
// nil for a nil PE, such as Simulation.PE returns for a PE of another rank.
func (pe *PE) KP(i int) *KP {
	if pe == nil || i < 0 || i >= len(pe.r.KPs) {
		return nil
	}
	return faceKP(&pe.r.KPs[i])
}

// GVT returns the virtual time before which all events are committed. In a sequential run it
// is the time of the next event.
func (pe *PE) GVT() float64 { return pe.r.LastGVT() }

// SetHookTrigger sets the next trigger of the GVT hook. Only the hook itself, and functions of
// PEType before the first event, may call it: nothing undoes it. A hook that fires at a time
// uses it to set the next time, which must be later than the one it was called for. In a
// parallel run each PE has its own trigger. A conservative PE has already handled events after
// GVT; GVT plus the lookahead is always late enough.
func (pe *PE) SetHookTrigger(t HookTrigger) { pe.r.SetHookTrigger(t.k) }

// KP is a kernel process (tw_kp): a group of LPs with a common list of processed events, on
// which rollbacks work. Few KPs make commits cheap; many make rollbacks short. In schedulers
// without rollback KPs only play a part in the mapping.
type KP struct {
	k kernel.KP
}

// faceKP returns the KP that models see.
func faceKP(kp *kernel.KP) *KP { return (*KP)(unsafe.Pointer(kp)) }

// ID returns the index of the KP on its PE, 0 to Config.NKP - 1.
func (kp *KP) ID() uint64 { return kp.k.ID }

// PE returns the PE that the KP belongs to.
func (kp *KP) PE() *PE { return facePE(kp.k.Home) }

// NumLPs returns the number of LPs of the KP, which is 0 for surplus KPs.
func (kp *KP) NumLPs() uint64 { return kp.k.LPs }
