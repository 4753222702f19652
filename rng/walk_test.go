package rng

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAWalkReturnsTheStreamsOfItsSeeder(t *testing.T) {
	seeder := NewSeeder(DefaultSeeds)
	w := seeder.Walk()
	for _, from := range []uint64{0, 1, 250, 65_530, 3, math.MaxUint64 - 5} {
		for i := range uint64(20) { // the last one goes on with stream 0 behind the largest number
			require.Equal(t, seeder.CLCG4(from+i), w.CLCG4(from+i), "stream %d", from+i)
		}
		require.Equal(t, seeder.CLCG4(from), w.CLCG4(from), "back to stream %d", from)
	}
	require.Equal(t, seeder.CLCG4(0), func() CLCG4 { w := seeder.Walk(); return w.CLCG4(0) }())
}
