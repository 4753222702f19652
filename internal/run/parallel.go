// This file owns what the parallel schedulers share: PEs as threads, their loop, and their
// errors.

package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/sys/invariants"
)

// stoppedInChain adds the longest chain of events without delay to the error of a run that was
// stopped while its time stood still.
func (s *Engine) stoppedInChain(err error) error {
	longest, at := kernel.Chain{}, math.Inf(1)
	for _, pe := range s.Locals {
		if at = min(at, pe.GVT); pe.Chain.Length > longest.Length {
			longest = pe.Chain
		}
	}
	if err == nil || longest.Length == 0 || longest.Time != at {
		return err
	}
	return fmt.Errorf("%w: there was %v", err, longest)
}

// observing reports whether anything is to be done for each committed event.
func (s *Engine) observing() bool {
	for _, m := range s.Messages {
		if m.Commit != nil {
			return true
		}
	}
	return s.Set.Digest || s.Set.Instruments.Trace != 0 || s.Set.SamplesVT()
}

// runParallel runs the simulation on all PEs, from Init of the LPs to the last event. A run that
// chooses its scheduler may have begun before.
func (s *Engine) runParallel() error {
	pes := make([]*timewarp.PE, len(s.Locals))
	for i, pe := range s.Locals {
		pes[i] = &pe.PE
		pe.alarm = time.NewTimer(time.Hour)
		pe.alarm.Stop()
	}
	s.balance = s.newBalance()
	t, err := timewarp.NewTeam(&s.Run, pes, s.Cluster)
	if err = s.Cluster.Agree(err); err != nil {
		return err
	}
	defer context.AfterFunc(s.ctx, func() { // the next GVT of a PE may be far away
		t.Stop.Store(true)
		t.RouseAll()
	})()
	defer s.endInSilence(silence)()
	defer func() { s.reductions = t.Close() }()
	switch {
	case s.auto != nil:
		s.auto.runParallel()
	case s.balance != nil:
		s.balance.runParallel()
	default:
		s.startPEs((*PE).guardLoop)
	}
	err = s.failure()
	if err == nil {
		err = s.Out.Err()
	}
	if !s.Cluster.Broken.Load() {
		err = errors.Join(err, t.Empty())
	}
	return s.Cluster.Agree(err)
}

// startPEs calls Init of all LPs, and then loop for each PE if the run may begin.
func (s *Engine) startPEs(loop func(pe *PE)) {
	s.Locals[0].progress = s.newProgress(s.Set.ReportInterval)
	s.Locals[0].progress.StartAt(s.StartTime)
	var initialised sync.WaitGroup
	initialised.Add(len(s.Locals))
	observe := s.observing()
	begun, runs := make(chan struct{}), false
	left := atomic.Int32{} // PEs that are not ready
	left.Store(int32(len(s.Locals)))
	s.onAll(func(pe *PE) {
		pe.inStages(func() {
			pe.guardStage(func() { pe.callInits() })
			pe.prepareEvents() // before they wait for one another, so that all begin at once
		}, func() {
			initialised.Done()
			initialised.Wait()
			pe.giveWay("initialised")
			pe.guardStage(func() { pe.callPreRuns() })
			pe.guardStage(func() { pe.cp.LoadEvents() })
			pe.guardStage(func() { pe.Probe.FirstPoints() })
		}, func() {
			pe.Observe = observe
			// The last PE decides for all; otherwise the others could see errors of PEs
			// that have already begun.
			if left.Add(-1) == 0 {
				pe.guardStage(func() {
					s.Checkpoints.Loaded()
					runs = s.begins()
				})
				close(begun)
			}
			<-begun
			pe.giveWay("ready")
			if runs {
				loop(pe)
			}
		}, func() {
			pe.endIdle(meter.Phase{})
			pe.endUse()
			pe.Phases.Stop()
		})
	})
}

// onAll runs a function for each PE that handles events, in a goroutine of its own.
//
// Each PE has its own thread. If there are fewer processors than PEs, it is better to leave
// scheduling to Go, because a switch of goroutines costs a tenth of a switch of threads.
func (s *Engine) onAll(f func(pe *PE)) {
	var done sync.WaitGroup
	pes := s.active()
	for _, pe := range pes {
		done.Add(1)
		go func() {
			defer done.Done()
			pe.giveWay("begin")
			if pe.thread.own = s.Set.Turn == nil && len(pes)*s.Cluster.Within <= s.Threads; pe.thread.own {
				defer pe.takeThread()()
				if pe.Remote != nil {
					wakeInTime()
				}
			}
			f(pe)
		}()
	}
	done.Wait()
	s.Set.Turn.At(settings.Main(s.Cluster.Rank), "over")
}

// active returns the PEs that handle events.
func (s *Engine) active() []*PE {
	if t := s.Locals[0].Team; t != nil {
		return s.Locals[:len(t.Active())]
	}
	return s.Locals
}

// runLoops runs the loops of the PEs until the run is over or all leave their loops. It sets s.left.
func (s *Engine) runLoops() {
	s.left = false
	for _, pe := range s.active() {
		pe.state = running // also where PEs that were not active have met no stop
	}
	s.onAll(func(pe *PE) {
		pe.inStages(pe.runLoop, func() {
			pe.endIdle(meter.Phase{})
			pe.endUse()
		})
	})
}

// giveWay lets other goroutines run, in tests that decide about that.
func (pe *PE) giveWay(what string) { pe.Run.Set.Turn.At(int(pe.ID), what) }

// begins prints the line before the first event. It reports whether the run may begin, which
// it may not if there is an error.
func (s *Engine) begins() bool {
	err := s.failure()
	if err == nil {
		s.printStart(int(s.Set.Synch))
		err = s.Out.Err()
	}
	if err = s.Cluster.Agree(err); err != nil && s.failure() == nil { // an error of the output or of another rank
		s.Locals[0].Fail(err)
	}
	s.Live.begin(s.Created)
	return err == nil
}

// failure returns the errors that ended the run. Of the model's mistakes it returns only the
// one that is earliest in virtual time, which a sequential run would have met.
func (s *Engine) failure() error {
	errs, first := s.First(func(yield func(error) bool) {
		for _, pe := range s.Locals {
			if !yield(pe.Err) {
				return
			}
		}
	})
	if first != nil { // later mistakes may be its consequences
		errs = append(errs, first)
	}
	return errors.Join(errs...)
}

// loopParallel is the loop of a PE. In each turn it receives events from other PEs, handles a
// batch of events, sends what these sent, and takes part in GVT.
func (pe *PE) loopParallel() {
	disturb := pe.Engine.Hooks.Disturb
	round, turn := pe.Counts.GVTs, pe.Run.Set.Turn
	pe.Stirred = true // a panic may have ended a turn with events
	for {
		turn.At(int(pe.ID), "turn")
		news := len(pe.Channels.In) > 1 && pe.Drain()
		if pe.Remote != nil && !pe.defersRemote() && pe.PollRemote(pe.Idled > 0) {
			news = true
		}
		if news {
			pe.Idled = 0
		}
		pe.Settle()
		if disturb != nil && pe.Undoes() {
			disturb(pe)
			pe.Stirred = true
		}
		var at meter.Phase // end of the idle period, if only one of these can have ended it
		if !pe.pause.Begin.IsZero() && (news || pe.Stirred || pe.Counts.GVTs != round) {
			at, round = pe.Counts.Enter(), pe.Counts.GVTs
		}
		pe.Stirred = false
		done := pe.batch()
		if done > 0 { // at once, since this may be the last turn
			pe.Idled = 0
			if invariants.Enabled {
				invariants.Check(pe.pause.Begin.IsZero() || !at.Begin.IsZero(), "%d events are counted as idle time", done)
			}
			pe.endIdle(at)
		}
		if len(pe.Channels.Dirty) > 0 && pe.Channels.Due(done) {
			pe.Flush()
		}
		if pe.Remote != nil && pe.TurnRemote(done) {
			pe.state = over
			return
		}
		turn.At(int(pe.ID), "sent")
		stop := pe.Team.Stop.Load()
		if stop && pe.Team.Broken.Load() {
			pe.state = over
			return
		}
		if pe.gvtDue(done) {
			pe.StartGVT()
		} else if pe.Urgent || stop || pe.Team.Leave.Load() {
			pe.ForceGVT()
		}
		if pe.Member.Begun() && (pe.Remote == nil || pe.TestRemote(done)) && pe.pollGVT() {
			return
		}
		if pe.Probe != nil {
			pe.Probe.Collect()
			pe.Probe.Hurry()
		}
		if done == 0 {
			if pe.pause.Begin.IsZero() {
				pe.pause = pe.Counts.Enter()
				pe.Team.Resting.Add(1)
			}
			pe.rest()
		}
	}
}

// defersRemote reports whether the PE takes messages of other ranks only where a round of GVT wants it to:
// it may be about to leave its loop, and ranks that have done so and gone on send again.
func (pe *PE) defersRemote() bool {
	return pe.Engine.balance != nil && pe.pauses() && pe.Member.Busy()
}

// batch handles the events of one turn and returns their number.
func (pe *PE) batch() int {
	if pe.Err != nil || pe.Stalled() || pe.state == ending || pe.pauses() && !pe.closes() || pe.Remote != nil &&
		pe.Remote.LacksArrivals() {
		return 0
	}
	left := pe.turn()
	pe.GoOn()
	if pe.Conservative() {
		left = pe.Afford(left)
	}
	turn := left
	for left > 0 && pe.Err == nil && !pe.Waits() {
		if pe.Queue.Empty() {
			if pe.Refill(); pe.Queue.Empty() {
				if err := pe.QueueError(); err != nil {
					pe.Fail(err)
				}
				break
			}
			if bytes := pe.Queue.Bytes(); bytes != pe.Address.QueueBytes.Load() {
				pe.Address.QueueBytes.Store(bytes)
			}
			pe.WarmCaches()
			if pe.Phases.Firsts.Due() {
				left -= pe.timeFirst()
				continue
			}
		}
		n := pe.Arena.AheadOf(left)
		left -= n - pe.handleSome(n)
	}
	return turn - left
}

// timeFirst handles one event, if it may, and charges its time to its LP. It returns the
// number of events handled.
func (pe *PE) timeFirst() int {
	before, kind := pe.Counts.Processed, pe.NextKind()
	begin := time.Now()
	pe.handleSome(1)
	if pe.Counts.Processed == before {
		return 0
	}
	if lp := pe.LastLP; lp != nil {
		lp.Charge(begin, kind)
	}
	return 1
}

// handleSome handles up to n events of the window and returns how many of the n are left.
func (pe *PE) handleSome(n int) int {
	pe.Left, pe.Unused, pe.BatchSize = n, 0, n
	if pe.Undoes() {
		pe.HandleOptimistic()
	} else {
		pe.handle()
		pe.AddUp()
	}
	pe.LastLP = pe.Running
	pe.Rest() // no handler runs between batches
	pe.countBatch()
	return pe.Left + pe.Unused
}

// countBatch counts the events of the batch of handleSome that have been handled and not yet
// counted.
func (pe *PE) countBatch() {
	done := pe.BatchSize - pe.Left - pe.Unused
	pe.BatchSize -= done
	pe.Counts.Processed += uint64(done)
	if pe.Undoes() {
		pe.Uncommitted += done
	}
}
