// Texts make the networks that they name.

package topology

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTextsAreNetworks(t *testing.T) {
	texts := map[string]Network{
		"torus:4x3,2":          must(NewTorus([]int{4, 3}, 2)),
		"torus:5,1":            must(NewTorus([]int{5}, 1)),
		"mesh:2x3x4,1":         must(NewMesh([]int{2, 3, 4}, 1)),
		"hypercube:3,2":        must(NewHypercube(3, 2)),
		"dragonfly:4,2,3":      must(NewDragonfly(4, 2, 3)),
		"dragonfly+:2,3,4,5,7": must(NewDragonflyPlus(2, 3, 4, 5, 7)),
		"tree:4,3":             must(NewTree(4, 3)),
		"fattree:4,3":          must(NewFatTree(4, 3)),
		"xgft:4x3x2,2x1":       must(NewXGFT([]int{4, 3, 2}, []int{2, 1})),
		"slimfly:5,4":          must(NewSlimFly(5, 4)),
	}
	names := map[string]bool{}
	for text, want := range texts {
		n, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, n, text)
		name, _, _ := strings.Cut(text, ":")
		names[name] = true
	}
	for _, format := range Formats() {
		name, _, _ := strings.Cut(format, ":")
		require.True(t, names[name], format)
	}
	require.Len(t, names, len(Formats()))
}

func TestTextsOfNoNetworkAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                     `"": give one of torus:LxLx..,TERMINALS, mesh:`,
		"ring:4":               `"ring:4": give one of torus:`,
		"torus":                "give torus:LxLx..,TERMINALS",
		"torus:4x4":            "give torus:LxLx..,TERMINALS",
		"torus:4xx4,1":         "give torus:LxLx..,TERMINALS",
		"torus:4,1x1":          "give torus:LxLx..,TERMINALS",
		"tree:2,three":         "give tree:K,LEVELS",
		"dragonfly+:2,2,2,2":   "give dragonfly+:LEAVES,SPINES,GLOBAL,TERMINALS,GROUPS",
		"dragonfly+:2,2,2,2,4": "dragonfly+ of 4 groups: 2 spines with 2 global links serve 5 groups",
		"fattree:5,3":          "fat tree of routers with 5 ports",
		"xgft:4x4,":            "give xgft:DOWNxDOWNx..,UPxUPx..",
	} {
		n, err := Parse(text)
		require.Nil(t, n, text)
		require.ErrorIs(t, err, ErrShape, text)
		require.ErrorContains(t, err, want, text)
	}
}
