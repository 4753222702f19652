package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/settings"
)

func TestARunOfManyLPsBeginsInParallel(t *testing.T) {
	for _, c := range []struct {
		lps       int
		lookahead float64
		begins    settings.Mode
	}{
		{mostSerial, 0.1, settings.Sequential},
		{mostSerial + 1, 0.1, settings.Conservative},
		{mostSerial + 1, 0, settings.Optimistic},
	} {
		s, pe := &Run{}, &PE{}
		s.StopAhead, s.Locals = c.lookahead, []*PE{pe}
		pe.LPs = make([]kernel.LP, c.lps)
		require.Equal(t, c.begins, newAuto(s).now)
	}
}
