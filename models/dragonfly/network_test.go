// Tests of where chunks go.

package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// sizes are routers, channels and terminals.
var sizes = [][3]uint64{{2, 2, 2}, {4, 2, 2}, {8, 4, 4}, {1, 2, 1}, {3, 4, 3}, {5, 6, 1}, {16, 8, 8}}

func sized(t *testing.T, size [3]uint64) *params {
	p := &params{network: network{perGroup: size[0], channels: size[1], terminals: size[2]}}
	require.NoError(t, p.make())
	return p
}

func TestThereIsOneGlobalLinkOnAWayBetweenTwoGroups(t *testing.T) {
	for _, size := range sizes {
		p := sized(t, size)
		for from := range p.routers {
			for to := range p.routers {
				at, far := from, 0
				for hops := 0; at != to && hops < 3; hops++ {
					port, next := p.hop(at, p.group(to), to)
					if port >= int8(p.perGroup) {
						far++
					}
					if global := p.group(at) != p.group(next); global != (port >= int8(p.perGroup)) {
						t.Fatalf("%v: port %d of router %d leads to %d", size, port, at, next)
					}
					at = next
				}
				if at != to || far > 1 || (far == 1) != (p.group(from) != p.group(to)) {
					t.Fatalf("%v: from %d to %d by %d global channels, in 3 steps to %d", size, from, to, far, at)
				}
			}
		}
	}
}

func TestPatternsAreAmongTerminals(t *testing.T) {
	for _, size := range sizes {
		p := sized(t, size)
		for _, p.traffic = range []uint64{transpose, neighbour, nearestRouter} {
			seen := map[int32]bool{}
			for end := range p.ends {
				dst := p.destination(nil, end)
				seen[dst] = true
				require.True(t, 0 <= dst && dst < p.ends, "%v: %d to %d", size, end, dst)
				switch p.traffic {
				case neighbour:
					require.Equal(t, p.routerOf(end), p.routerOf(dst))
				case nearestRouter:
					require.Equal(t, (p.routerOf(end)+1)%p.routers, p.routerOf(dst))
				}
			}
			require.Len(t, seen, int(p.ends), "%v: each terminal receives", size)
		}
	}
	p := sized(t, [3]uint64{2, 2, 2}) // 5 rows of 4 columns
	p.traffic = transpose
	require.EqualValues(t, 3*5+1, p.destination(nil, 1*4+3))
}
