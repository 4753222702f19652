// Which tests of the engine are run where all, or few of their cases, would take too long.

package ross_test

import (
	"os"
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
)

// TestMain has AddressSanitizer look at the tests in which memory changes hands.
func TestMain(m *testing.M) {
	testlevel.Only(testlevel.Least,
		ross.TestForcedRollbacksChangeNothing, ross.TestForcedRollbacksOnRanksChangeNothing,
		ross.TestLargeMessagesBetweenRanks, ross.TestCheckpointsHoldMessagesAsTheyWereSent,
		ross.TestABlockThatFindsNoMemoryIsLent,
		TestMessagesOfAllSizesArriveIntact, TestTypesOfOneRunKeepTheirOwnMessages,
		TestMemoryLimitStopsLargePayloads, TestMemoryLimitRefusesAPayloadThatNeverFits,
		TestMessageMayBeScratch)
	os.Exit(m.Run())
}
