// Texts of networks.

package topology

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNetworksAreParsed(t *testing.T) {
	for text, want := range map[string]Network{
		"torus:4x3x2,2":      must(NewTorus([]int{4, 3, 2}, 2)),
		"mesh:5,1":           must(NewMesh([]int{5}, 1)),
		"hypercube:4,3":      must(NewHypercube(4, 3)),
		"dragonfly:4,2,3":    must(NewDragonfly(4, 2, 3)),
		"dragonfly+:4,3,2,5": must(NewDragonflyPlus(4, 3, 2, 5)),
		"tree:3,2":           must(NewTree(3, 2)),
		"slimfly:5,4":        must(NewSlimFly(5, 4)),
	} {
		got, err := Parse(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	require.Equal(t, []int{4, 3, 2}, must(NewTorus([]int{4, 3, 2}, 2)).(*Torus).Lengths())
}

func TestTextsThatAreNoNetworksAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                "give one of torus:LxLx..,TERMINALS, mesh:LxLx..,TERMINALS, hypercube:DIMENSIONS,TERMINALS",
		"ring:4":          `"ring:4": give one of torus`,
		"torus":           "give torus:LxLx..,TERMINALS",
		"torus:4x4":       "give torus:LxLx..,TERMINALS",
		"torus:4xx4,1":    "give torus:LxLx..,TERMINALS",
		"torus:4,1,1":     "give torus:LxLx..,TERMINALS",
		"torus:4,one":     "give torus:LxLx..,TERMINALS",
		"dragonfly:4,2":   "give dragonfly:ROUTERS,GLOBAL,TERMINALS",
		"dragonfly:4,0,1": "groups of 4 routers with 0 global links",
		"torus:1x4,1":     "lengths [1 4]",
	} {
		n, err := Parse(text)
		require.ErrorIs(t, err, ErrShape)
		require.ErrorContains(t, err, want)
		require.Nil(t, n)
	}
}
