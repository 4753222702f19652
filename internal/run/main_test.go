// Which tests of the engine are run where all, or few of their cases, would take too long.

package run_test

import (
	"os"
	"testing"

	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/testlevel"
)

// TestMain has AddressSanitizer look at the tests in which memory changes hands. Tests of the engine count on the PEs
// that they ask for, also where processors are few: KPs do not move unless a test says so. Those of the models run
// as users do.
func TestMain(m *testing.M) {
	testlevel.Only(testlevel.Least,
		TestForcedRollbacksChangeNothing, TestForcedRollbacksOnRanksChangeNothing,
		TestLargeMessagesBetweenRanks, TestCheckpointsHoldMessagesAsTheyWereSent,
		TestABlockThatFindsNoMemoryIsLent,
		TestMessagesOfAllSizesArriveIntact, TestTypesOfOneRunKeepTheirOwnMessages,
		TestMessageMayBeScratch)
	settings.DefaultBalance = "off"
	os.Exit(m.Run())
}
