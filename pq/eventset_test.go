package pq_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/pq"
	"github.com/ross-go/ross/pq/pqtest"
)

func TestConformance(t *testing.T) {
	for _, impl := range pq.Impls() {
		t.Run(impl, func(t *testing.T) { pqtest.Run(t, impl) })
	}
}

func FuzzQueue(f *testing.F) {
	f.Add([]byte{0, 1, 0xe0, 2, 0xe1, 3, 0xe6, 0, 0xc4, 9, 0xe7, 0})
	f.Add([]byte{0xe4, 1, 0xe4, 200, 0xe6, 0, 0xe4, 100, 0xe1, 1})
	f.Add([]byte{0xe2, 7, 0xe3, 90, 0xe3, 10, 0xe5, 3, 0xc6, 0, 0xe0, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 128 {
			data = data[:128]
		}
		for _, impl := range pq.Impls() {
			pqtest.Fuzz(t, impl, data)
		}
	})
}

func TestUnknownImplementationIsRefused(t *testing.T) {
	arena, err := event.NewArena(8, 1<<10, nil)
	require.NoError(t, err)
	defer arena.Release()
	_, err = pq.NewEventSet(arena, "splay", 0)
	require.ErrorContains(t, err, "--pq=splay: unknown event queue: use c or go")
	if !csrc.Enabled {
		_, err = pq.NewEventSet(arena, "c", 0)
		require.ErrorContains(t, err, "built without cgo")
	}
}
