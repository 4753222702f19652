// This file owns the loop of the sequential rollback check (--synch=6). Package check checks
// each event.

package run

import "github.com/ross-go/ross/internal/timewarp"

// handleChecked handles and checks at most pe.Left events of the window.
func (pe *PE) handleChecked() {
	for n := pe.Left; n > 0 && pe.Err == nil; n-- {
		k, ok := pe.Queue.Min()
		if !ok {
			break
		}
		e := pe.Arena.At(k.Index())
		if pe.HasLapsed(e) {
			_, _ = pe.Queue.Pop()
			pe.DropLapsed(e, k.Index())
			pe.check.Lapsed(1)
			continue
		}
		past := k.TS >= pe.Horizon && pe.pastStop(e)
		if k.TS >= pe.cp.StoreAt && !past {
			if pe.pauseForCheckpoint(e); pe.WaitsFor(timewarp.WaitCheckpoint) {
				break
			}
			continue // the hook may have taken the event
		}
		if k.TS >= pe.Last || past {
			pe.WaitFor(timewarp.WaitEnd)
			break
		}
		if k.TS >= pe.Horizon {
			if pe.hookDue(e) { // the hook may change any state
				if pe.check.Forget(); pe.Run.HookTakes { // and take the event
					pe.fireHook(false)
					continue
				}
			}
			if pe.reachHorizon(e); pe.Err != nil {
				break
			}
		}
		pe.check.Event(e, k.Index())
	}
	pe.Left = 0
}
