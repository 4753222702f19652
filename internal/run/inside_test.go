// This file is the entrance of the tests of this package, which run whole simulations through package ross: it gets
// at what ross keeps to itself, and says which tests are run where all, or few of their cases, would take too long.
// Nothing of it is in a program.

package run_test

import (
	"fmt"
	"os"
	"reflect"
	"testing"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/world"
	"github.com/ross-go/ross/models/rosstest"
)

// field returns a function that finds a field of a struct, in whatever package: names are those of a field and of
// fields within it. The last one has type F.
func field[S, F any](names ...string) func(*S) *F {
	at, of := uintptr(0), reflect.TypeFor[S]()
	for _, name := range names {
		f, ok := of.FieldByName(name)
		if !ok {
			panic(fmt.Sprintf("%v has no field %s", of, name))
		}
		at, of = at+f.Offset, f.Type
	}
	if of != reflect.TypeFor[F]() {
		panic(fmt.Sprintf("field %v of %v is a %v", names, reflect.TypeFor[S](), of))
	}
	return func(s *S) *F { return (*F)(unsafe.Add(unsafe.Pointer(s), at)) }
}

var (
	runOf    = field[ross.Simulation, run.Engine]("r")
	engineOf = field[ross.PE, run.PE]("r")
	kernelOf = field[ross.LP, kernel.LP]("k")

	knobsOf    = field[ross.Config, settings.Knobs]("knobs", "Knobs")
	worldOf    = field[ross.Config, world.World]("knobs", "world")     // the ranks; nil: those of MPI
	disturbOf  = field[ross.Config, func(*run.PE)]("knobs", "disturb") // called in each turn of an optimistic PE's loop
	pesGivenOf = field[ross.Config, bool]("pesGiven")
)

// settingsOf returns settings with the scheduler of a configuration.
func settingsOf(c ross.Config) *settings.Settings {
	return &settings.Settings{Synch: settings.Scheduler(c.Synch)}
}

// inWorld returns c with other ranks, nil for none, with knobs, and with what each PE calls in each turn
// of an optimistic run.
func inWorld(c ross.Config, ranks world.World, knobs settings.Knobs, disturb func(pe *run.PE)) ross.Config {
	*worldOf(&c), *knobsOf(&c), *disturbOf(&c) = ranks, knobs, disturb
	return c
}

// withWindow returns c with an event queue that hands over about n keys at a time.
func withWindow(c ross.Config, n int) ross.Config {
	knobsOf(&c).Window = n
	return c
}

// engineBytes returns the memory of events, lineages and the pending-event set of all PEs.
func engineBytes(s *ross.Simulation) (bytes uint64) {
	for _, pe := range runOf(s).Locals {
		bytes += pe.Arena.Bytes() + pe.Queue.Bytes()
	}
	return bytes
}

// peakEvents returns the most events that were allocated at once.
func peakEvents(s *ross.Simulation) (n uint64) {
	for _, pe := range runOf(s).Locals {
		n += uint64(pe.Arena.Peak())
	}
	return n
}

// liveEvents returns how many events are allocated.
func liveEvents(s *ross.Simulation) (n uint64) {
	for _, pe := range runOf(s).Locals {
		n += uint64(pe.Arena.Live())
	}
	return n
}

// lineageNodes returns how many tie-breakers of chains without delay are kept.
func lineageNodes(s *ross.Simulation) (n uint64) {
	for _, pe := range runOf(s).Locals {
		n += uint64(pe.Arena.Lines.Live())
	}
	return n
}

// checkPools verifies the pools of all PEs, at a cost of O(events).
func checkPools(s *ross.Simulation) error {
	for _, pe := range runOf(s).Locals {
		if err := pe.Arena.Check(); err != nil {
			return err
		}
	}
	return nil
}

// forget drops the lineages that the PE holds for the bounds it knows of.
func forget(pe *run.PE) {
	for i, node := range pe.Published {
		pe.Arena.Lines.Drop(node)
		pe.Published[i] = 0
	}
	if pe.Remote != nil {
		for _, p := range pe.Remote.Peers.All {
			if p != nil {
				pe.Arena.Lines.Drop(p.LastSent)
				pe.Arena.Lines.Drop(p.LastCame)
				p.LastSent, p.LastCame = 0, 0
			}
		}
	}
	for _, stop := range pe.Stops.Events {
		pe.Arena.Lines.Drop(stop.Node)
	}
	pe.Stops.Events = nil
	pe.SetRedMin(gvt.Max)
	pe.Bound = gvt.Max
}

// This file has short names for what the tests of this package use most.

type (
	none = rosstest.None
	word = rosstest.Word
)

// raced are the tests that run under the race detector where few cases run; otherwise there are none.
var raced []func(*testing.T)

// TestMain has AddressSanitizer look at the tests in which memory changes hands; with them run those that assertions leave
// out, as make test runs all others with assertions. Tests of the engine count on the PEs
// that they ask for, also where processors are few: KPs do not move unless a test says so. Those of the models run
// as users do.
func TestMain(m *testing.M) {
	testlevel.Only(testlevel.Least,
		TestForcedRollbacksChangeNothing, TestForcedRollbacksOnRanksChangeNothing,
		TestLargeMessagesBetweenRanks, TestCheckpointsHoldMessagesAsTheyWereSent,
		TestABlockThatFindsNoMemoryIsLent,
		TestMessagesOfAllSizesArriveIntact, TestTypesOfOneRunKeepTheirOwnMessages,
		TestMessageMayBeScratch,
		TestEventsDoNotAllocate, TestSendDoesNotAllocate, TestLogThatNobodyWantsAllocatesNothing,
		TestAThousandPEsCommitWhatOneDoes, TestParallelRunsCommitWhatASequentialOneDoes)
	testlevel.Only(testlevel.Few, raced...)
	settings.DefaultBalance = "off"
	os.Exit(m.Run())
}
