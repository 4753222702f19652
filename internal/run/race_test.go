//go:build race

package run_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/rosstest"
)

// init adds tests that have the engine do at the same time whatever it does in threads. What the other tests do is
// right or wrong whoever else is there; where there is time, the race detector sees all (make soak).
func init() {
	raced = []func(*testing.T){
		TestForcedRollbacksChangeNothing, TestForcedRollbacksOnRanksChangeNothing,
		TestARunThatChangesItsSchedulerCommitsWhatASequentialOneDoes, TestCheckpointsUnderAttack,
		TestEachCheckpointOfARunningSimulationLeadsToItsEnd, TestParallelHookSeesWhatASequentialOneSees,
		TestErrorsAreThoseOfASequentialRunWhileTheSchedulerChanges, TestRanksUnderAttack, TestRanksCommitWhatOneCommits,
		TestRanksWithRingsCommitWhatOneCommits, TestParallelRunsCommitWhatASequentialOneDoes, TestWorldsThatFailedOnce,
		TestTraceOfAParallelRun, TestSamplesDoNotChangeWhatIsComputed, TestSamplesOfTheEngineAreTrue,
		TestSnapshotsOfARunDoNotGoBack, TestStopInTheMiddleOfOtherThings, TestDigestDoesNotDependOnMoves,
		TestDigestDoesNotDependOnMovesOnRanks, TestShortagesAtAnyMomentChangeNothing,
		TestAPanicOfTheEngineEndsTheRunOnAllPEs, TestAllPEsLeaveWhenTheirRankLosesTheOthers,
		TestParallelRunEndsWithThePanicOfAHandler, TestParallelRunEndsWhenAHandlerEndsItsGoroutine,
		TestARunCanBeCancelledWhilePEsChange, TestARunThatChangesItsSchedulerCanBeStopped,
		TestMorePEsThanProcessorsAreGathered, TestAnUnevenRunMovesKPs, TestAutoSaysWhichSchedulerItChoseAndWhy,
		TestLoadedRunGoesOnAsIfNeverStopped, TestRunKnowsWhatItsPEsGotOfTheProcessors,
		TestPhasesAddUpAndHoldWhatTheModelTook, TestHookEveryRunsWithWhatIsBeforeGVTCommitted,
		TestEachRankLogsWhatItsLPsLog, TestTheRaceDetectorSeesWhatAModelKeeps, TestLargeMessagesBetweenRanks,
		TestRanksEndWhenTheNetworkFails, TestRanksShareTheLimit,
		TestStoppedRunLeavesACheckpoint, TestABlockThatFindsNoMemoryIsLent,
		TestStopEndsAtTheSameEventUnderEveryScheduler, TestStopAfterEndsAtTheSameTimeUnderEveryScheduler,
		TestPanicOfAHookEndsAParallelRun, TestParallelRunEndsWithTheMistakeOfAModel,
		TestAllSchedulersShowTheSameOfWatchedLPs,
	}
}

// long is a message that lies in a block of its own, not in the slot of its event.
type long struct{ N [64]int64 }

// keeper is an LP that keeps what it should not keep.
type keeper struct{ Block ross.Block[int64] }

// TestTheRaceDetectorSeesWhatAModelKeeps has two LPs on two PEs which write to the same thing at
// once, because one of them has given its address away.
func TestTheRaceDetectorSeesWhatAModelKeeps(t *testing.T) {
	for _, synch := range []int{2, 3} {
		name := map[int]string{2: "conservative", 3: "optimistic"}[synch]
		t.Run(name+"/message", func(t *testing.T) {
			keep(t, synch, func(_ *ross.LP, _ *keeper, m *word) *int64 { return &m.N })
		})
		t.Run(name+"/long message", func(t *testing.T) {
			keep(t, synch, func(_ *ross.LP, _ *keeper, m *long) *int64 { return &m.N[63] })
		})
		t.Run(name+"/block", func(t *testing.T) {
			keep(t, synch, func(lp *ross.LP, s *keeper, _ *word) *int64 { return &s.Block.Of(lp)[99] })
		})
	}
}

// keep runs a model of two LPs. LP 0 gives LP 1 the address that find returns, while both handle
// an event, and both write there.
func keep[M any](t *testing.T, synch int, find func(*ross.LP, *keeper, *M) *int64) {
	racetest.Finds(t, "run_test.write", func() {
		var meeting racetest.Meeting[int64]
		cfg := rosstest.Small()
		cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.ConsLookahead = ross.Scheduler(synch), 2, 1, 1, 0.5
		sim, _ := rosstest.Define(t, cfg, ross.Type[keeper]{
			Init: func(s *keeper, lp *ross.LP) {
				var m M
				s.Block = ross.Alloc[int64](lp, 100)
				ross.Send(lp, lp.ID(), 1, m)
			},
			Event: ross.On(func(s *keeper, lp *ross.LP, m *M) {
				var p *int64
				if lp.ID() == 0 {
					p = find(lp, s, m)
					meeting.Show(p)
				} else {
					p = meeting.See()
				}
				write(p)
			}),
		})
		require.NoError(t, sim.Run(context.Background()))
	})
}

// write writes often: of accesses at the very same moment the detector may miss one, and it
// does not report one that it has forgotten the stack of.
//
//go:noinline
func write(p *int64) {
	for i := range int64(10000) {
		*p = i
	}
}
