// NewEventSet: which implementation a set gets.

package pq

import (
	"fmt"

	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/event"
)

// Impls returns the implementations that this build has, the fastest first.
func Impls() []string {
	if csrc.Enabled {
		return []string{"c", "go"}
	}
	return []string{"go"}
}

// MaxWindow is the largest window that can be requested, in keys.
const MaxWindow = windowCap / 2

// NewEventSet returns an empty set over the events of arena, with a window of about n keys, 0 to MaxWindow; 0
// selects the size that was measured to be fastest. impl is "c", "go", or "" for the faster of those that this
// build has. The order of events depends on neither. It is for the engine;
// other programs call [New].
func NewEventSet(arena *event.Arena, impl string, n int) (*EventSet, error) {
	n = min(max(n, 0), MaxWindow)
	switch {
	case impl == "go" || impl == "" && !csrc.Enabled:
		t := newTwin(arena, n)
		return &EventSet{w: &t.w, late: event.Key{TS: none}, arena: arena, back: t, impl: "go", size: n}, nil
	case impl == "" || impl == "c" && csrc.Enabled:
		back, w, ok := newC(arena, n)
		if !ok {
			return nil, ErrMemory
		}
		return &EventSet{w: w, late: event.Key{TS: none}, arena: arena, back: back, impl: "c", size: n}, nil
	case impl == "c":
		return nil, fmt.Errorf("ross: --pq=c: this program was built without cgo: use --pq=go, or build with CGO_ENABLED=1 and a C compiler")
	}
	return nil, fmt.Errorf("ross: --pq=%s: unknown event queue: use c or go", impl)
}
