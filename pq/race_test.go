//go:build race

package pq_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/pq"
)

func TestTheRaceDetectorFindsTwoPEsAtOneQueue(t *testing.T) {
	for _, impl := range pq.Impls() {
		t.Run(impl, func(t *testing.T) {
			racetest.Finds(t, "ross/pq", func() {
				a, err := event.NewArena(8, 1<<10, nil)
				require.NoError(t, err)
				q, err := pq.NewEventSet(a, impl, 0)
				require.NoError(t, err)
				racetest.Together(func() { q.Push(event.Key{TS: 1 << 60, Lo: 1}) },
					func() { q.Push(event.Key{TS: 2 << 60, Lo: 2}) })
			})
		})
	}
}
