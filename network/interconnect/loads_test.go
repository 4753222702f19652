// The loads of links.

package interconnect

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/network/topology"
)

func TestLoadsAreThoseOfTheLinksThatWereUsed(t *testing.T) {
	ring := must(topology.NewTorus([]int{5}, 1))
	for _, g := range allGranularities {
		n := network(t, uneven(topology.NewMinimal(ring), g))
		l := load{n: n, init: func(n *Network, h *host, lp *ross.LP) {
			if n.TerminalOf(lp.ID()) == 0 {
				ross.Send(lp, lp.ID(), 1, start{2, 320}) // 10 flits, by way of router 1
			}
		}}
		sim := l.play(t, config(1e4))
		loads, err := n.Loads(sim, 1000)
		require.NoError(t, err)
		for router := range 5 {
			for port := range 3 {
				want := 0.0
				switch [2]int{router, port} {
				case [2]int{0, 1}, [2]int{1, 1}:
					want = 10 * 32 / 10. / 1000
				case [2]int{2, 2}: // to the terminal
					want = 10 * 32 / 16. / 1000
				}
				require.InDelta(t, want, loads.Of(router, port), 1e-7, "%v: router %d, port %d", g, router, port)
			}
		}
		var text, csv strings.Builder
		require.NoError(t, loads.WriteText(&text))
		require.Regexp(t, `(?m)^local +10 +0\.0064 +0\.0320  router 0, port 1$`, text.String())
		require.Regexp(t, `(?m)^terminal +5 +0\.0040 +0\.0200  router 2, port 2$`, text.String())
		require.NotContains(t, text.String(), "global")
		require.NoError(t, loads.WriteCSV(&csv))
		require.Equal(t, 1+5*3, strings.Count(csv.String(), "\n"))
		require.Contains(t, csv.String(), "\n1,1,local,2,0.032\n")
		require.Contains(t, csv.String(), "\n2,2,terminal,2,0.02\n")
		for _, until := range []float64{0, -1, math.Inf(1), math.NaN()} {
			_, err := n.Loads(sim, until)
			require.ErrorIs(t, err, ErrConfig)
		}
		require.NoError(t, sim.Close())
	}
}

// TestHeatMapShowsTheGreatestLoads has more routers and ports than the map has lines and columns.
func TestHeatMapShowsTheGreatestLoads(t *testing.T) {
	l := Loads{ports: make([][]float32, 70)}
	for r := range l.ports {
		l.ports[r] = make([]float32, 100)
	}
	l.ports[4][7], l.ports[69][99], l.ports[69][0] = 0.55, 1, 0.1
	var text strings.Builder
	l.heatMap(&text)
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	require.Contains(t, lines[0], "a line for every 3 routers, a column for every 2 ports")
	require.Len(t, lines, 3+24)
	for i, line := range lines[3:] {
		want := strings.Repeat(" ", 50)
		switch i {
		case 1:
			want = want[:3] + "+" + want[4:]
		case 23:
			want = "." + want[1:49] + "@"
		}
		require.Equal(t, fmt.Sprintf("%7d |%s|", 3*i, want), line)
	}
}
