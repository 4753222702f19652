package adapt

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/settings"
)

func TestARunOfManyLPsBeginsInParallel(t *testing.T) {
	for _, c := range []struct {
		lps          uint64
		conservative bool
		begins       settings.Mode
	}{
		{mostSerial, true, settings.Sequential},
		{mostSerial + 1, true, settings.Conservative},
		{mostSerial + 1, false, settings.Optimistic},
	} {
		require.Equal(t, c.begins, NewAuto(nil, AutoOptions{NumLPs: c.lps, Conservative: c.conservative}).First())
	}
}
