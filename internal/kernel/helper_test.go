// This file has short names for what the tests of this package use most.

package kernel_test

import "github.com/ross-go/ross/models/rosstest"

type (
	none = rosstest.None
	word = rosstest.Word
)
