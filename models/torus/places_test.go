// This file tests the map of the model: what nodes and processes send to one another goes along its links.

package main

import (
	"testing"

	"github.com/ross-go/ross/models/internal/placestest"
)

func TestTrafficGoesAlongTheLinksOfTheMap(t *testing.T) {
	placestest.Check(t, placestest.Model{Run: run, Nodes: 2 * 24,
		Options: []string{"--dims=3,2,4", "--end=900"},
	})
}
