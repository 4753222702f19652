package epidemic

import (
	"testing"

	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/proc/proctest"
)

func TestModelIsRightInEveryScheduler(t *testing.T) {
	proctest.Run(t, modeltest.Model{Program: Program, Args: "--end=8", Ranks: 2, Short: testlevel.Is(testlevel.Some)})
}
