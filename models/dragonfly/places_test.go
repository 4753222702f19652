// This file tests the map of the model: what routers and terminals send to one another goes along its links.

package main

import (
	"testing"

	"github.com/ross-go/ross/models/internal/placestest"
)

func TestTrafficGoesAlongTheLinksOfTheMap(t *testing.T) {
	placestest.Check(t, placestest.Model{Run: run, Nodes: 36 + 72,
		Options: []string{"--routers=4", "--channels=2", "--terminals=2", "--end=400"},
		LeftOut: func(from, to string) bool { return from == "" || to == "" }, // processes
	})
}
