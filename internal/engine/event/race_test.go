//go:build race

package event

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/internal/testing/racetest"
)

// TestTheRaceDetectorSeesWhatPEsShare has two PEs work with the same thing, which nothing
// orders.
func TestTheRaceDetectorSeesWhatPEsShare(t *testing.T) {
	for name, racy := range map[string]func(t *testing.T, a, b *Arena){
		"event": func(t *testing.T, a, b *Arena) {
			_, i, err := a.Alloc()
			require.NoError(t, err)
			racetest.Together(func() { touch(a, i) }, func() { touch(b, i) })
		},
		"payload in the slot": func(t *testing.T, a, b *Arena) {
			e, _, err := a.Alloc()
			require.NoError(t, err)
			racetest.Together(func() { fill(e, 8) }, func() { fill(e, 8) })
		},
		"block": func(t *testing.T, a, b *Arena) {
			e, _, err := a.Alloc()
			require.NoError(t, err)
			require.NoError(t, a.AllocBlock(e, 5000))
			racetest.Together(func() { fill(e, 5000) }, func() { fill(e, 5000) })
		},
		"lineage": func(t *testing.T, a, b *Arena) {
			node, err := a.Lines.Extend(0, 0.5)
			require.NoError(t, err)
			racetest.Together(func() { replace(a, node) }, func() { tie(b, node) })
		},
		"slot of a lane": func(t *testing.T, a, b *Arena) {
			_, here, err := a.Alloc()
			require.NoError(t, err)
			there := a.Book(1, here)
			require.NotEqual(t, here, there)
			racetest.Together(func() { touch(a, there) }, func() { touch(b, there) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			racetest.Finds(t, "internal/engine/event", func() {
				s, err := NewSpace(2, 8, 1<<16, mem.NewBudget(math.MaxUint64))
				require.NoError(t, err)
				racy(t, s.Arena(0), s.Arena(1))
			})
		})
	}
}

//go:noinline
func touch(a *Arena, i uint32) { a.At(i).Time++ }

//go:noinline
func fill(e *Event, bytes int) {
	words := PayloadWords(e, bytes)
	words[len(words)-1]++
}

// replace frees a node and takes it again.
//
//go:noinline
func replace(a *Arena, node uint32) {
	a.Lines.Drop(node)
	_, _ = a.Lines.Extend(0, 0.25)
}

//go:noinline
func tie(a *Arena, node uint32) { _ = a.Lines.Tie(node) }
