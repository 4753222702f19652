//go:build race

package mem

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/racetest"
)

func TestTheRaceDetectorSeesRegions(t *testing.T) {
	racetest.Finds(t, "internal/sys/mem.write", func() {
		r := newRegion(t, 1<<20, nil)
		require.NoError(t, r.Grow(1<<20))
		racetest.Together(func() { write(r, 1<<20-1, 1) }, func() { write(r, 1<<20-1, 2) })
	})
}

//go:noinline
func write(r *Region, at uintptr, b byte) { r.slice(at, at+1)[0] = b }

func TestTheRaceDetectorFindsWhoUsesARegionThatIsReleased(t *testing.T) {
	racetest.Finds(t, "internal/sys/mem.", func() {
		r := newRegion(t, 1<<20, nil)
		require.NoError(t, r.Grow(1<<20))
		b := r.slice(0, 1)
		racetest.Together(func() { b[0] = 1 }, r.Release)
	})
}

// TestRegionsOfARaceBuildShareTheZone fills the zone: each region gets a part of what is
// left, in the end there is an error, and all of it can be reserved again, zeroed.
func TestRegionsOfARaceBuildShareTheZone(t *testing.T) {
	require.LessOrEqual(t, Available(), uint64(zoneSize))
	fill := func() (all []*Region) {
		for {
			r, err := Reserve(1<<40, nil)
			if err != nil {
				return all
			}
			require.NoError(t, r.Grow(1))
			require.Zero(t, *(*byte)(r.Base()))
			*(*byte)(r.Base()) = 1
			all = append(all, r)
		}
	}
	first := fill()
	require.Greater(t, len(first), 16, "the first ones leave something to the others")
	last := first[len(first)-1].Reserved()
	first[3].Release()
	again, err := Reserve(1<<40, nil)
	require.NoError(t, err, "what was given back can be had again")
	require.Greater(t, again.Reserved(), last)
	for _, r := range append(first, again) {
		r.Release()
	}
	second := fill()
	require.Len(t, second, len(first))
	for _, r := range second {
		r.Release()
	}
	require.Empty(t, pieces)
}
