// New: which implementation a queue gets.

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

// New returns an empty queue over the events of arena. impl is "c", "go", or
// "" for the faster of those that this build has.
func New(arena *event.Arena, impl string) (*Queue, error) { return NewWindow(arena, impl, 0) }

// NewWindow is New with a window of about n keys, 0 to MaxWindow; 0 selects
// the size that was measured to be fastest. The order of events does not
// depend on it.
func NewWindow(arena *event.Arena, impl string, n int) (*Queue, error) {
	n = min(max(n, 0), MaxWindow)
	switch {
	case impl == "go" || impl == "" && !csrc.Enabled:
		t := newTwin(arena, n)
		return &Queue{w: &t.w, late: event.Key{TS: none}, arena: arena, back: t, impl: "go", size: n}, nil
	case impl == "" || impl == "c" && csrc.Enabled:
		back, w, ok := newC(arena, n)
		if !ok {
			return nil, ErrMemory
		}
		return &Queue{w: w, late: event.Key{TS: none}, arena: arena, back: back, impl: "c", size: n}, nil
	case impl == "c":
		return nil, fmt.Errorf("ross: --pq=c: this program was built without cgo: use --pq=go, or build with CGO_ENABLED=1 and a C compiler")
	}
	return nil, fmt.Errorf("ross: --pq=%s: unknown event queue: use c or go", impl)
}
