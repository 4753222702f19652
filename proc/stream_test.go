package proc_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc/internal/models"
)

// TestStreamsOfProcessesDependOnTheirKeysAlone has more or fewer players at the same table, other LPs, and another
// seed.
func TestStreamsOfProcessesDependOnTheirKeysAlone(t *testing.T) {
	sums := func(players int, seed uint64) [2][3]float64 {
		cfg := ross.Config{End: 50}
		cfg.Seed = seed
		sim, err := ross.Run(context.Background(), cfg, models.DiceType(2, players))
		require.NoError(t, err)
		defer sim.Close()
		return [2][3]float64{ross.StateOf[models.Dice](sim.LP(0)).Sum, ross.StateOf[models.Dice](sim.LP(1)).Sum}
	}
	three, one := sums(3, 1), sums(1, 1)
	require.Equal(t, three[0][0], one[0][0])
	require.Equal(t, three[1][0], one[1][0])
	seen := map[float64]bool{}
	for _, at := range append(three[:], sums(3, 2)[0]) {
		for _, sum := range at {
			require.False(t, seen[sum], "two streams are the same")
			seen[sum] = true
		}
	}
}
