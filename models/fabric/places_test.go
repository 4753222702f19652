// This file tests the map of the model: what routers and hosts send to one another goes along its links.

package main

import (
	"testing"

	"github.com/ross-go/ross/models/internal/placestest"
)

func TestTrafficGoesAlongTheLinksOfTheMap(t *testing.T) {
	placestest.Check(t, placestest.Model{Run: run, Nodes: 3 * 8,
		Options: []string{"--dims=4x2", "--hosts=2", "--end=300"},
		LeftOut: func(from, to string) bool { return from == "host" && to == "host" }, // answers
	})
}
