// This file pins with whom ranks share their processors.

package ranks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/topology"
)

func TestRanksKnowWithWhomTheyShareTheirProcessors(t *testing.T) {
	for name, c := range map[string]struct {
		sets []string // of each rank
		all  string
		want []Sharing
	}{
		"one":      {[]string{"0-3"}, "0-3", []Sharing{{Peers: 1}}},
		"the same": {[]string{"0-3", "0-3", "0-3"}, "0-3", []Sharing{{Peers: 3}, {Peers: 3, Peer: 1}, {Peers: 3, Peer: 2}}},
		"others":   {[]string{"0-1", "2-3"}, "0-3", []Sharing{{Peers: 1}, {Peers: 1}}},
		"two sockets, in turns": {[]string{"0-1", "2-3", "0-1", "2-3"}, "0-3",
			[]Sharing{{Peers: 2}, {Peers: 2}, {Peers: 2, Peer: 1}, {Peers: 2, Peer: 1}}},
		"mixed": {[]string{"0-3", "3-5", "6"}, "0-6", []Sharing{{Peers: 1, Mixed: true}, {Peers: 1, Mixed: true},
			{Peers: 1}}},
		"unknown": {[]string{"", ""}, "", []Sharing{{Peers: 2}, {Peers: 2, Peer: 1}}},
	} {
		var here machine
		for rank := len(c.sets) - 1; rank >= 0; rank-- { // a rank may come to know of others in any order
			here = machine{1, map[int]int{rank: 1}, map[string][]int{c.sets[rank]: {rank}}}.with(here)
		}
		require.Equal(t, len(c.sets), here.Ranks, name)
		require.Equal(t, c.all, here.processors().String(), name)
		for rank, text := range c.sets {
			own, err := topology.ParseSet(text)
			require.NoError(t, err)
			require.Equal(t, c.want[rank], here.sharing(rank, own), "%s: rank %d", name, rank)
		}
	}
}
