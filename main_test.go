// Which tests of the package are run where all, or few of their cases, would take too long.

package ross_test

import (
	"os"
	"testing"

	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/testlevel"
)

// TestMain has AddressSanitizer look at the tests in which memory changes hands. KPs do not move unless a test says so.
func TestMain(m *testing.M) {
	testlevel.Only(testlevel.Least, TestMemoryLimitStopsLargePayloads, TestMemoryLimitRefusesAPayloadThatNeverFits)
	settings.DefaultBalance = "off"
	os.Exit(m.Run())
}
