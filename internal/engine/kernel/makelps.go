// This file owns the making of LPs, with their states and streams, and of KPs.

package kernel

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/sys/mem"
)

// kpsApart is the number of KPs that fill a page, see Apart.
const kpsApart = Apart / uint64(unsafe.Sizeof(KP{}))

// makeLPs makes the n LPs of a PE with their states and streams, and the KPs.
func (pe *PE) makeLPs(n uint64) error {
	s := pe.Run
	pe.KPs = make([]KP, s.Set.NKP+2*kpsApart)[kpsApart : kpsApart+s.Set.NKP]
	for i := range pe.KPs {
		pe.KPs[i] = KP{ID: uint64(i), PE: pe, Home: pe}
		pe.Mine = append(pe.Mine, &pe.KPs[i])
	}
	pe.placeLPs(n)
	pe.makeCold()
	count, err := pe.mapTypes(n)
	if err != nil {
		return err
	}
	pe.fillAll(pe.makeStates(count))
	pe.makeAnalysis()
	pe.SetSpecial()
	return nil
}

// mapTypes sets the types of the n LPs, and returns how many LPs each type has.
func (pe *PE) mapTypes(n uint64) (count []uint64, err error) {
	s := pe.Run
	count = make([]uint64, len(s.Types))
	if s.TypeMap == nil {
		count[0] = n
		return count, nil
	}
	for i := range n {
		t, err := s.TypeOf(s.Layout.GID(pe.ID, i))
		if err != nil {
			return nil, err
		}
		if s.types != nil {
			s.types[pe.Address.offset+i] = t.ID
		}
		count[t.ID]++
	}
	return count, nil
}

// makeStates makes the states of all types, and returns the address of the first one of each.
func (pe *PE) makeStates(count []uint64) (slabs []unsafe.Pointer) {
	s := pe.Run
	slabs = make([]unsafe.Pointer, len(s.Types))
	for i, t := range s.Types {
		if len(t.Figures) > 0 && pe.Figures == nil {
			pe.Figures = &statistic.Store{From: s.Set.WarmUp}
		}
		slab, keep := t.Slab(int(count[i]))
		mem.AdviseHuge(slab, uintptr(count[i])*t.StateSize)
		slabs[i] = slab
		pe.States = append(pe.States, keep)
	}
	return slabs
}

// atOnce is the number of LPs that a goroutine fills in at a time: 8 MiB, whole huge pages.
const atOnce = 1 << 16

// fillAll fills in all LPs, on all processors if they are many, or on those near to the PE, if it is bound. Most of
// the time goes to the system, which clears the pages when they are first written to, and takes memory near to the
// processor that does so.
func (pe *PE) fillAll(slabs []unsafe.Pointer) {
	n := uint64(len(pe.LPs))
	parts := (n + atOnce - 1) / atOnce
	if len(slabs) > 1 { // where the state of an LP is depends on the types of those before
		pe.near(func() { pe.fill(0, n, slabs) })
		return
	}
	var next atomic.Uint64
	var done sync.WaitGroup
	for range min(uint64(runtime.GOMAXPROCS(0)), parts) {
		done.Go(func() {
			pe.near(func() {
				for i := next.Add(1) - 1; i < parts; i = next.Add(1) - 1 {
					pe.fill(i*atOnce, min((i+1)*atOnce, n), slabs)
				}
			})
		})
	}
	done.Wait()
}

// near calls f near to the memory of the PE, see Run.Near.
func (pe *PE) near(f func()) {
	if pe.Run.Near == nil {
		f()
		return
	}
	pe.Run.Near(pe.ID, f)
}

// fill fills in the LPs [from, to). Their states are counted from slabs on; if there are several
// types, from is 0. Stream ids are those of ROSS: first the models' streams, then one core stream
// for each LP.
func (pe *PE) fill(from, to uint64, slabs []unsafe.Pointer) {
	s := pe.Run
	per := s.Set.Streams.PerLP
	modelSeeder, coreSeeder := seeders(&s.Set)
	models, cores := modelSeeder.Walk(), coreSeeder.Walk()
	base := s.coreStreams()
	places := make([]uint64, len(slabs)) // of the next state of each type
	places[0] = from
	kp, inKP := uint64(0), uint64(0) // KP of the LPs before, and how many of them it has got
	for i := from; i < to; i++ {
		lp := &pe.LPs[i]
		lp.PE = pe
		t := lp.Type()
		lp.ID, lp.Event = s.Layout.GID(pe.ID, i), s.handlerOf(t)
		lp.State = unsafe.Add(slabs[t.ID], uintptr(places[t.ID])*t.StateSize)
		places[t.ID]++
		models.Put(&lp.RNG.CLCG4, lp.ID*per)
		more := lp.More()
		for j := range more {
			models.Put(&more[j].CLCG4, lp.ID*per+uint64(j)+1)
		}
		cores.Put(&lp.Core, base+lp.ID)
		if at := s.Layout.KP(pe.ID, i); at != kp {
			atomic.AddUint64(&pe.KPs[kp].LPs, inKP)
			kp, inKP = at, 0
		}
		inKP++
		lp.KP = &pe.KPs[kp]
	}
	if inKP > 0 {
		atomic.AddUint64(&pe.KPs[kp].LPs, inKP)
	}
}

// coreStreams returns the id of the core stream of LP 0. As in ROSS, it is cut to 32 bits.
func (r *Run) coreStreams() uint64 { return uint64(uint32(r.Set.Streams.PerLP * r.Total)) }

// makeAnalysis gives the analysis LPs their ids and streams. As in ROSS, their ids follow those of
// the model's LPs.
func (pe *PE) makeAnalysis() {
	s := pe.Run
	_, coreSeeder := seeders(&s.Set)
	for i := range pe.Analysis {
		lp := &pe.Analysis[i]
		s.types[pe.Address.offset+uint64(len(pe.LPs)+i)] = uint16(len(s.Types))
		lp.ID = s.Total + pe.ID*s.Set.NKP + uint64(i)
		lp.Core = coreSeeder.CLCG4(s.coreStreams() + lp.ID)
	}
}
