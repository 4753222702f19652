package proc_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/proc/internal/models"
	"github.com/ross-go/ross/proc/proctest"
)

func TestProcessesGoOnWhileTheirTableGrowsAndWhenTheyArrive(t *testing.T) {
	for _, saving := range []ross.Saving{ross.SaveByDelta, ross.SaveByLog} {
		proctest.Run(t, modeltest.Model{
			Config: ross.Config{End: 30},
			Types: func() []ross.LPType {
				lands := models.Lands(3)
				lands.Saving = saving
				return []ross.LPType{lands}
			},
			Ranks: 2,
		})
	}
}

// lands runs lands sequentially, as they are written and generated, and returns all states.
func lands(t *testing.T, end float64) (all []models.Land) {
	t.Helper()
	sim, err := ross.Run(context.Background(), ross.Config{End: end}, models.Lands(3))
	require.NoError(t, err)
	for id := range 3 {
		all = append(all, *ross.StateOf[models.Land](sim.LP(ross.LPID(id))))
	}
	sim.Close()
	return all
}

func TestProcessesThatHaveArrivedAreKnown(t *testing.T) {
	for _, l := range lands(t, 400) {
		for i, n := range l.Seen[:3] {
			require.NotZero(t, n, "no wanderer for count %d", i)
		}
		require.Zero(t, l.Seen[3])
	}
}

func TestPlacesOfProcessesThatTravelOnAreUsedAgain(t *testing.T) {
	for i, l := range lands(t, 1000) {
		require.Less(t, int(l.Place), l.Places+30, "land %d", i)
	}
}
