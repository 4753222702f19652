// This file owns calls of the GVT hook by events that may be undone.

package timewarp

import (
	"slices"

	"github.com/ross-go/ross/internal/engine/event"
)

// DropCalls drops the calls of the hook that GVT has passed.
func (pe *PE) DropCalls() {
	kept := pe.Hook.Calls[:0]
	lines := pe.Arena.Lines
	for i := range pe.Hook.Calls {
		call := pe.Hook.Calls[i]
		if call.Compare(&pe.Bound, lines) <= 0 {
			lines.Drop(call.Node)
			continue
		}
		kept = append(kept, call)
	}
	pe.Hook.Calls = kept
}

// undoCall drops one call of the hook by an event. Other events with the same signature may
// have called, too; their calls look the same.
func (pe *PE) undoCall(e *event.Event) {
	of := pe.BoundAt(e)
	of.After()
	lines := pe.Arena.Lines
	for i := range pe.Hook.Calls {
		if call := pe.Hook.Calls[i]; call.Compare(&of, lines) == 0 {
			lines.Drop(call.Node)
			pe.Hook.Calls = slices.Delete(pe.Hook.Calls, i, i+1)
			return
		}
	}
}
