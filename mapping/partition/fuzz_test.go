// This file owns the fuzz test.

package partition

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/usage"
	"github.com/ross-go/ross/mapping"
)

// FuzzPartition: any links give an error about them or a graph, which is divided into any number of
// parts, with each LP on one PE. Each seven bytes are a link.
func FuzzPartition(f *testing.F) {
	f.Add(uint16(4), uint16(2), uint8(3), []byte("\x00\x01\x40\x00\x00\x40\x00\x01\x02\x40\x00\x00\x40\x00"))
	f.Add(uint16(0), uint16(9), uint8(0), []byte{})
	f.Add(uint16(300), uint16(7), uint8(100), []byte("a graph of seven bytes a link, whose numbers are the upper half of a float32"))
	f.Add(uint16(9), uint16(500), uint8(255), []byte("\x00\x01\x7f\x7f\x00\x00\x00\x00\x01\x7f\x7f\x00\x00\x00"))
	f.Add(uint16(9), uint16(3), uint8(1), []byte("\x00\x01\x7f\xc0\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, lps, parts uint16, x uint8, data []byte) {
		number := func(b []byte) float64 {
			return float64(math.Float32frombits(uint32(binary.BigEndian.Uint16(b)) << 16))
		}
		var links []Link
		for b := range slices.Chunk(data, 7) {
			if len(b) == 7 {
				links = append(links, Link{uint64(b[0]), uint64(b[1]), number(b[2:]), number(b[4:])})
			}
		}
		lps %= 1 << 8
		load := func(lp uint64) float64 { return math.Ldexp(float64(x%4), int(lp)*int(x)%64) }
		g, err := FromLinks(uint64(lps), load, slices.Values(links))
		if err != nil {
			require.ErrorIs(t, err, usage.Err)
			return
		}
		k := 1 + uint64(parts)%300
		o := Options{Tolerance: float64(x) / 255, Seed: uint64(x)}
		part, d := split(t, g, k, o)
		require.Len(t, part, int(lps))
		sum := 0.0
		for _, load := range d.loads {
			sum += load
		}
		require.InEpsilon(t, 1+g.load.float(g.total()), 1+sum, 1e-9)
		if g.delays != nil {
			bound, err := g.Bound(k, o.Tolerance)
			require.NoError(t, err)
			o.KeepBelow = min(bound, 1e30)
			part, _ = split(t, g, k, o)
			require.GreaterOrEqual(t, g.least(part), o.KeepBelow)
		}
		if lps > 0 {
			m, err := mapping.NewCustom(k, uint64(lps), 1+uint64(x), g.Funcs(o))
			require.NoError(t, err)
			q, err := g.Quality(m)
			require.NoError(t, err)
			require.InDelta(t, g.divided(part, k).cut, q.Cut, 1e-9*q.Events)
		}
	})
}
