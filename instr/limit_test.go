package instr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFilesTakeNoMoreThanTheirLimitAndNearlyAsMuch(t *testing.T) {
	const limit = 100_000
	rng := seeded(t)
	told := 0
	l := NewLimit(limit, 4, func() { told++ })
	var files [2]*File
	for i := range files {
		files[i], _ = createFile(t, FileOptions{Buffers: 2, Size: 20_000, Limit: l})
	}
	over, taken := map[*Buffer]bool{}, 0
	for len(over) < 4 {
		b := files[rng.IntN(2)].Buffer(rng.IntN(2))
		n := 1 + rng.IntN(1000)
		if room := b.Reserve(n); room != nil {
			require.False(t, over[b], "there are no holes")
			require.Len(t, room, n)
			taken += n
		} else if missed, _ := b.Missed(); missed == 0 {
			over[b] = true
			require.True(t, l.Reached())
		}
		if rng.IntN(10) == 0 {
			for _, f := range files {
				f.Buffer(0).HandOver()
				f.Buffer(1).HandOver()
			}
		}
	}
	require.Equal(t, 1, told)
	written := int64(0)
	for _, f := range files {
		f.Buffer(0).HandOverAll()
		f.Buffer(1).HandOverAll()
		require.NoError(t, f.Publish())
		written += f.Bytes()
	}
	require.EqualValues(t, taken, written)
	require.LessOrEqual(t, taken, limit)
	require.Greater(t, taken, limit-4*1000-limit/64)
}
