// This file owns what a PE gets of the processors: the time for which its thread has one and waits for
// one, and how often it has to make way for others.

package run

import (
	"fmt"
	"time"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/report"
)

// processorUse is what a thread has used of the processors. It holds only plain numbers.
type processorUse struct {
	seconds   float64
	waited    float64 // seconds in which it could have run and had no processor; -1: the system does not say
	preempted uint64  // times that it lost its processor although it had more to do (ru_nivcsw)
}

// share is what PEs got of the processors.
type share struct {
	processorUse
	measured, unknown uint64 // stretches of PEs in which they had a thread of their own, and others
}

// known reports whether the share is that of the whole run.
func (s *share) known() bool { return s.measured > 0 && s.unknown == 0 }

// add adds the share of other PEs.
func (s *share) add(o share) {
	s.seconds += o.seconds
	s.waited += o.waited
	s.preempted += o.preempted
	s.measured += o.measured
	s.unknown += o.unknown
}

// thread measures a PE that has a thread of its own. Goroutines that share threads cannot be measured.
type thread struct {
	got   share
	own   bool // the PE's goroutine is locked to its thread
	on    bool // it is being measured
	from  processorUse
	first processorUse // at the beginning of the stretch
	begin time.Time
	spare float64   // seconds without work until then
	told  time.Time // when the figures were last published
	crowd crowd     // for PEs that work with other ranks
	err   error     // why it could not be bound to the PE's processors
}

const (
	// lookEvery is how often a PE looks whether others want its processor, calmLooks is how many times in a row it must
	// find nobody before it believes that. A look takes some ten microseconds.
	lookEvery = 5 * time.Millisecond
	calmLooks = 4
	// Shares of the time for which a thread waits for a processor if others want it, and if they do not.
	muchWaited, littleWaited = 0.1, 0.02
	aSlice                   = 3 * time.Millisecond // of the Linux scheduler
	// tellUsage is how often a PE publishes what it has used.
	tellUsage = 100 * time.Millisecond
	// oftenPreempted is how many times a second a thread has to make way if others take its processor.
	oftenPreempted = 5
)

// beginUse begins to measure the thread, which runs the PE's loop.
func (pe *PE) beginUse() {
	t := &pe.thread
	if t.on {
		return
	}
	if u, ok := threadUsage(); !ok || !t.own {
		t.got.unknown++
	} else {
		t.got.measured++
		t.on, t.from, t.first, t.begin, t.spare = true, u, u, time.Now(), pe.spareSeconds()
	}
}

// endUse ends beginUse. The idle time has been counted.
func (pe *PE) endUse() {
	t := &pe.thread
	if !t.on {
		return
	}
	pe.countUse()
	t.on = false
	if t.from.waited >= 0 {
		return
	}
	// What it had to do took longer than the processor worked on it, and others were preferred.
	work := time.Since(t.begin).Seconds() - (pe.spareSeconds() - t.spare)
	if float64(t.from.preempted-t.first.preempted) > oftenPreempted*work {
		t.got.waited += max(work-(t.from.seconds-t.first.seconds), 0)
	}
}

// countUse counts what the thread has used since it was last asked.
func (pe *PE) countUse() {
	t := &pe.thread
	u, ok := threadUsage()
	if !ok {
		return
	}
	t.got.seconds += u.seconds - t.from.seconds
	t.got.preempted += u.preempted - t.from.preempted
	if u.waited >= 0 && t.from.waited >= 0 {
		t.got.waited += u.waited - t.from.waited
	}
	t.from = u
}

// tellUse publishes what the thread has used, from time to time.
func (pe *PE) tellUse() {
	t := &pe.thread
	if !t.on {
		return
	}
	now := time.Now()
	if pe.Remote != nil && now.Sub(t.crowd.looked) >= lookEvery {
		pe.lookAround(now)
	}
	if now.Sub(t.told) >= tellUsage {
		t.told = now
		pe.countUse()
		pe.putUse()
	}
}

// lookAround finds out whether others want the processor of a PE that works with other ranks.
func (pe *PE) lookAround(now time.Time) {
	u, ok := threadUsage()
	if !ok {
		return
	}
	waited := u.waited
	if waited < 0 { // each time that the thread is preempted it waits for a slice of others, a few milliseconds
		waited = float64(u.preempted) * aSlice.Seconds()
	}
	if wanted, known := pe.thread.crowd.look(now, waited); known {
		pe.setCrowded(wanted)
	}
}

// crowd is what a PE has seen of those who want its processor.
type crowd struct {
	looked time.Time
	waited float64 // seconds for which the thread had waited for a processor by then
	calm   int     // successive looks that found nobody
}

// look takes the seconds for which the thread has waited for a processor until now. It returns whether others want
// that, if it knows.
func (c *crowd) look(now time.Time, waited float64) (wanted, known bool) {
	since, more := now.Sub(c.looked), waited-c.waited
	if c.looked, c.waited = now, waited; since > time.Minute {
		return false, false // the first look, or one after a GVT that took very long
	}
	switch share := more / since.Seconds(); {
	case share > muchWaited:
		c.calm = 0
		return true, true
	case share < littleWaited:
		c.calm++
	}
	return false, c.calm >= calmLooks
}

// setCrowded says whether others want the processor of the PE, and sets its window accordingly.
func (pe *PE) setCrowded(wanted bool) {
	if was := pe.Crowded; was != wanted {
		if pe.SetCrowded(wanted); pe.Crowded != was {
			pe.setInterval()
			pe.Window = min(pe.Window, pe.pace.most)
		}
	}
}

// spareSeconds returns the time in which the PE needed no processor.
func (pe *PE) spareSeconds() float64 { return pe.Counts.IdleSeconds + pe.Counts.WriteSeconds }

// processors returns what the PEs got of the processors, each of the listed ones too, nil if that is not
// known of all of them.
func processors(sum *sumFigures, listed []peFigures) *instr.RunProcessors {
	of := func(s share) instr.RunPEProcessor {
		return instr.RunPEProcessor{Seconds: s.seconds, Waited: s.waited, Preempted: s.preempted}
	}
	if !sum.got.known() {
		return nil
	}
	p := &instr.RunProcessors{RunPEProcessor: of(sum.got)}
	for i := range listed {
		p.OfPE = append(p.OfPE, of(listed[i].got))
	}
	return p
}

// figures returns the lines of the report about the processors of PEs.
func (s *share) figures(pes uint64, runtime float64) []report.Figure {
	if !s.known() || runtime <= 0 {
		return nil
	}
	return []report.Figure{
		{Label: "Processors: Got, Waited for, of PEs", Value: fmt.Sprintf("%.2f, %.2f, %d", s.seconds/runtime,
			s.waited/runtime, pes)},
		{Label: "Times That a PE Had to Make Way for Others", Value: fmt.Sprint(s.preempted)},
	}
}
