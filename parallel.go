// This file owns what the parallel schedulers share: PEs as threads, their loop, and
// their errors.

package ross

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/ross-go/ross/internal/invariants"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/report"
)

// runParallel runs the simulation on all PEs, from the LPs' Init to the last
// event.
func (s *Simulation) runParallel(ctx context.Context) error {
	t, err := s.makeTeam(ctx)
	if err = s.agree(err); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { // a PE may be far from its next GVT
		t.stop.Store(true)
		t.rouseAll()
	})()
	defer t.close()
	s.pes[0].progress = report.NewProgress(s.cfg.End, s.cfg.ReportInterval)
	s.pes[0].progress.StartAt(s.io.clock)
	var initialised, ready, over sync.WaitGroup
	initialised.Add(len(s.pes))
	ready.Add(len(s.pes))
	observe := s.observing()
	var begin sync.Once
	runs := false
	for _, pe := range s.pes {
		over.Add(1)
		go func() {
			defer over.Done()
			// A PE has a thread of its own. Where there are fewer processors
			// than PEs it is better that Go shares the threads out: to switch
			// goroutines costs a tenth of switching threads.
			if len(s.pes) <= s.threads {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				if pe.far != nil {
					wakeInTime()
				}
			}
			pe.inStages(func() {
				pe.guardStage(func() { pe.callInits() })
			}, func() {
				initialised.Done()
				initialised.Wait()
				pe.guardStage(func() { pe.callPreRuns() })
				pe.guardStage(func() { pe.loadEvents() })
				pe.guardStage(func() { pe.firstPoints() })
			}, func() {
				pe.observe = observe
				ready.Done()
				ready.Wait()
				// One PE decides for all: the others would see errors of those that
				// have begun already.
				begin.Do(func() {
					pe.guardStage(func() {
						s.loaded()
						runs = s.begins()
					})
				})
				if runs {
					pe.guardLoop()
				}
			}, func() {
				pe.endIdle(meter.Phase{})
				pe.clock.Stop()
			})
		}()
	}
	over.Wait()
	err = s.failure()
	if err == nil {
		err = s.out.Err()
	}
	if !s.broken {
		err = errors.Join(err, s.empty())
	}
	return s.agree(err)
}

// begins prints the line before the first event. It reports whether there is
// nothing against handling it.
func (s *Simulation) begins() bool {
	err := s.failure()
	if err == nil {
		s.printf("%s", report.StartLine(int(s.cfg.Synch)))
		err = s.out.Err()
	}
	if err = s.agree(err); err != nil && s.failure() == nil { // of the output, or of another rank
		s.pes[0].fail(err)
	}
	s.live.begin(s.created)
	return err == nil
}

// failure returns what ended the run: of the model's mistakes the one that is
// earliest in virtual time, which a sequential run would have met.
func (s *Simulation) failure() error {
	var errs []error
	var first *ModelError
	for _, pe := range s.pes {
		var mistake *ModelError
		switch {
		case errors.As(pe.err, &mistake):
			if first == nil || mistake.Time < first.Time {
				first = mistake
			}
		case pe.err != nil:
			errs = append(errs, pe.err)
		}
	}
	if first != nil { // the others may be its consequences
		errs = append(errs, first)
	}
	return errors.Join(errs...)
}

// loopParallel is the loop of a PE: take in what others sent, handle a batch of
// events, send what they sent, see to GVT.
func (pe *PE) loopParallel() {
	disturb := pe.sim.cfg.disturb
	round := pe.counts.GVTs
	pe.stirred = true // a panic may have ended a turn with events
	for {
		news := len(pe.ch.in) > 1 && pe.drain()
		if pe.far != nil && pe.lookFar(pe.idled > 0) {
			news = true
		}
		if news {
			pe.idled = 0
		}
		pe.settle()
		if disturb != nil && pe.mode == optimistic {
			disturb(pe)
			pe.stirred = true
		}
		var at meter.Phase // at which idling ends, if only one of these can have ended it
		if !pe.pause.Begin.IsZero() && (news || pe.stirred || pe.counts.GVTs != round) {
			at, round = pe.counts.Enter(), pe.counts.GVTs
		}
		pe.stirred = false
		done := pe.batch()
		if done > 0 { // now: it may be the last turn
			pe.idled = 0
			if invariants.Enabled {
				invariants.Check(pe.pause.Begin.IsZero() || !at.Begin.IsZero(), "%d events are counted as idle time", done)
			}
			pe.endIdle(at)
		}
		if len(pe.ch.dirty) > 0 && pe.ch.due(done) {
			pe.flush()
		}
		if pe.far != nil && pe.turnFar(done) {
			return
		}
		stop := pe.team.stop.Load()
		if stop && pe.team.broken.Load() {
			pe.over = true
			return
		}
		if pe.gvtDue(done) {
			pe.startGVT()
		} else if pe.pace.urgent || stop {
			pe.forceGVT()
		}
		if pe.member.Begun() && (pe.far == nil || pe.testFar(done)) && pe.pollGVT() {
			return
		}
		if pe.probe != nil {
			pe.collectSamples()
			pe.hurry()
		}
		if done == 0 {
			if pe.pause.Begin.IsZero() {
				pe.pause = pe.counts.Enter()
				pe.team.resting.Add(1)
			}
			pe.rest()
		}
	}
}

// batch handles the events of one turn and returns how many.
func (pe *PE) batch() int {
	if pe.err != nil || pe.short || pe.hold != holdNone {
		return 0
	}
	left := pe.turn()
	turn := left
	pe.held = false
	for left > 0 && pe.err == nil && !pe.held {
		if pe.q.Empty() {
			if pe.refill(); pe.q.Empty() {
				if err := pe.queueError(); err != nil {
					pe.fail(err)
				}
				break
			}
			if bytes := pe.q.Bytes(); bytes != pe.queueBytes.Load() {
				pe.queueBytes.Store(bytes)
			}
			pe.approach()
			if pe.clock.Firsts.Due() {
				left -= pe.timeFirst()
				continue
			}
		}
		left = pe.handleSome(left)
	}
	return turn - left
}

// timeFirst handles one event, if it may, and charges its LP. It returns how many it
// handled.
func (pe *PE) timeFirst() int {
	before := pe.counts.Processed
	begin := time.Now()
	pe.handleSome(1)
	if pe.counts.Processed == before {
		return 0
	}
	if lp := pe.lastLP; lp != nil {
		lp.charge(begin)
	}
	return 1
}

// handleSome handles up to n events of the window and returns how many of n are
// left.
func (pe *PE) handleSome(n int) int {
	pe.left, pe.unused, pe.batchSize = n, 0, n
	if pe.mode == optimistic {
		pe.handleOptimistic()
	} else {
		pe.handle()
	}
	pe.lastLP = pe.running
	pe.running, pe.cur = nil, nil // what runs between batches is no handler
	pe.countBatch()
	return pe.left + pe.unused
}

// countBatch counts the events that have been handled of those that handleSome
// was to handle, once.
func (pe *PE) countBatch() {
	done := pe.batchSize - pe.left - pe.unused
	pe.batchSize -= done
	pe.counts.Processed += uint64(done)
	if pe.mode == optimistic {
		pe.uncommitted += done
	}
}

// stopBatch ends the batch after the event that is being handled.
func (pe *PE) stopBatch() {
	pe.unused += pe.left
	pe.left = 0
}
