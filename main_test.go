// Which tests of the package are run where all, or few of their cases, would take too long, and short names for what they
// use most.

package ross_test

import (
	"os"
	"testing"

	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/models/rosstest"
)

// TestMain has AddressSanitizer look at the tests in which memory changes hands. KPs do not move unless a test says so.
func TestMain(m *testing.M) {
	testlevel.Only(testlevel.Least, TestMemoryLimitStopsLargePayloads, TestMemoryLimitRefusesAPayloadThatNeverFits)
	settings.DefaultBalance = "off"
	os.Exit(m.Run())
}

// This file has short names for what the tests of this package use most.

type (
	none = rosstest.None
	word = rosstest.Word
)
