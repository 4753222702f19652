package testalloc_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testalloc"
)

var kept []byte // on the heap

func ExamplePerRun() {
	fmt.Println(testalloc.PerRun(10, func() { kept = make([]byte, 100) }))
	// Output: 1
}

func TestWhatIsAllocatedOnceIsNotOfTheFunction(t *testing.T) {
	calls := 0
	require.Zero(t, testalloc.PerRun(3, func() {
		if calls++; calls == 2 { // the runtime, in the first measurement
			for range 100 {
				kept = make([]byte, 100)
			}
		}
	}))
}
