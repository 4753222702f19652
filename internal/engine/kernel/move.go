// This file owns moves: a KP whose events another PE of the process handles from now on.
//
// What belongs to an LP stays where it is in memory: its place in the array of LPs, its state, streams
// and history. A KP that moves takes its pending events to the queue of the other PE, and the PEs look
// up from then on who handles an LP that an event is for. Nothing may be uncommitted or under way.

package kernel

import (
	"slices"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/sys/invariants"
)

// moved is who handles the LPs of a process when KPs have moved. It changes only while all PEs of the
// process stand still.
type moved struct {
	faces []*Address // of the PEs of the process, see addFace
	owner []uint16   // by LP.Index: index into faces; nil before the first move
	away  int        // number of KPs that another PE handles than the mapping says
	first uint64     // LP i of the process has id first+i
	span  uint64     // number of LPs for which that holds: all or none
}

// addFace adds a PE of the process. The list has lines of its own: whatever lay next to it, each send would
// wait for it where another PE writes it.
func (r *Run) addFace(a *Address) {
	if r.moved.faces == nil {
		r.moved.faces = make([]*Address, 0, max(r.Set.PEs, Apart/8))
	}
	r.moved.faces = append(r.moved.faces, a)
}

// Move is a KP and the PE that is to handle its events.
type Move struct {
	KP *KP
	To *PE
}

// MostMovable is the largest number of PEs of a process between which KPs move.
const MostMovable = 1 << 16

// MoveKPs carries out moves. Nothing may be uncommitted or under way.
func (r *Run) MoveKPs(moves []Move) {
	from := map[*PE]bool{}
	homes := map[*PE]bool{} // who has KPs that move, by the mapping
	for _, m := range moves {
		if m.KP.PE == m.To {
			continue
		}
		if invariants.Enabled {
			invariants.Check(m.KP.History.Empty(), "KP %d of PE %d moves with a history", m.KP.ID, m.KP.Home.ID)
		}
		from[m.KP.PE], homes[m.KP.Home] = true, true
		m.KP.PE = m.To
	}
	if len(from) == 0 {
		return
	}
	for _, pe := range r.PEs {
		pe.FreeOld(nil)
		pe.cold.extras = r.rare.extras // which LPs take along
	}
	r.noteOwners(homes)
	for _, pe := range r.PEs {
		if from[pe] {
			r.handOver(pe)
		}
	}
	r.listMine()
}

// MoveHome gives each PE the KPs that the mapping says.
func (r *Run) MoveHome() {
	if r.moved.away == 0 {
		return
	}
	var moves []Move
	for _, pe := range r.PEs {
		for i := range pe.KPs {
			moves = append(moves, Move{&pe.KPs[i], pe})
		}
	}
	r.MoveKPs(moves)
}

// Away returns the number of KPs that another PE handles than the mapping says.
func (r *Run) Away() int { return r.moved.away }

// noteOwners notes who handles the LPs of the given PEs, by the mapping, from now on.
func (r *Run) noteOwners(homes map[*PE]bool) {
	m := &r.moved
	if m.owner == nil {
		m.owner = make([]uint16, len(r.lps))
		for i, pe := range r.PEs {
			for j := range pe.LPs {
				m.owner[pe.Address.offset+uint64(j)] = uint16(i)
			}
		}
		first := r.PEs[0]
		m.first, m.span = first.first, uint64(len(r.lps))
		for _, pe := range r.PEs {
			if n := uint32(len(pe.LPs)); len(pe.Analysis) > 0 || n > 0 && (pe.span != n || pe.first != first.first) {
				m.span = 0
			}
		}
	}
	for _, pe := range r.PEs {
		if !homes[pe] {
			continue
		}
		for i := range pe.LPs {
			lp := &pe.LPs[i]
			if to := lp.KP.PE; lp.PE != to {
				if pe.Figures != nil {
					lp.PE.Figures.MoveTo(to.Figures, lp.State, lp.Type().Figures)
				}
				lp.PE = to
				m.owner[pe.Address.offset+uint64(i)] = uint16(to.ID - r.Base)
			}
		}
		for i := range pe.Analysis {
			lp := &pe.Analysis[i]
			lp.PE = lp.KP.PE // only the LP itself sends it anything
		}
	}
}

// handOver gives the pending events of a PE to the PEs that handle their LPs now.
func (r *Run) handOver(pe *PE) {
	var kept []event.Key
	pe.takeAll(func(k event.Key, e *event.Event) {
		if to := pe.At(e.Dst).PE; to != pe {
			to.Queue.Push(k)
		} else {
			kept = append(kept, k)
		}
	})
	pe.Queue.Shrink()
	for _, k := range kept {
		pe.Queue.Push(k)
	}
}

// listMine lists the KPs that each PE handles, and everything else that depends on it.
func (r *Run) listMine() {
	away := 0
	var stops []*LP
	for _, pe := range r.PEs {
		pe.Mine, pe.handled = pe.Mine[:0], nil
		stops, pe.Stops.LPs = append(stops, pe.Stops.LPs...), nil
	}
	for _, home := range r.PEs {
		for i := range home.KPs {
			kp := &home.KPs[i]
			kp.PE.Mine = append(kp.PE.Mine, kp)
			if kp.PE != home {
				away++
			}
		}
	}
	for _, lp := range stops {
		lp.PE.Stops.LPs = append(lp.PE.Stops.LPs, lp)
	}
	r.moved.away = away
	for _, pe := range r.PEs {
		if pe.span = 0; away == 0 {
			pe.span = pe.ownSpan
		}
		pe.Stops.findFirst(pe.End)
		pe.Address.QueueBytes.Store(pe.Queue.Bytes())
	}
}

// Handled returns the LPs of the model that the PE handles, in the order of LP.Index.
func (pe *PE) Handled() []*LP {
	if r := pe.Run; pe.handled == nil {
		for _, home := range r.PEs {
			if home != pe && !slices.ContainsFunc(pe.Mine, func(kp *KP) bool { return kp.Home == home }) {
				continue
			}
			for i := range home.LPs {
				if lp := &home.LPs[i]; lp.PE == pe {
					pe.handled = append(pe.handled, lp)
				}
			}
		}
	}
	return pe.handled
}
