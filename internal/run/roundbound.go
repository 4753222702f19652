// This file owns the bounds of a round of GVT: how long their lineages are kept, and how far
// the lookahead lowers the bound of a conservative PE.

package run

import (
	"math"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
)

// lowerByLookahead lowers the bound of events under way by the lookahead. The window of a
// conservative PE extends by the lookahead beyond GVT, so these events may have been sent by
// events before GVT. It reports whether the bound would be below 0, because Init may send with
// any delay; in that case nothing beyond GVT is handled.
func (pe *PE) lowerByLookahead(b *gvt.Bound) (early bool) {
	if ahead := pe.Run.Set.ConsLookahead; ahead > 0 && !b.IsMax() {
		at := b.Key.Time()
		early = at < ahead
		*b = gvt.Bound{Key: event.Key{TS: kernel.TimeBits(TimeBehind(at, ahead))}}
	}
	if b.Compare(&pe.Bound, pe.Arena.Lines) < 0 {
		*b = pe.Bound // sends of events after the last GVT are at least the lookahead after it
	}
	return early
}

// TimeBehind returns a time t, at - ahead or slightly less, for which t + ahead is not later
// than at in floating-point arithmetic: both the difference and the sum may be rounded up.
func TimeBehind(at, ahead float64) float64 {
	t := at - ahead
	for t+ahead > at {
		t = math.Nextafter(t, math.Inf(-1))
	}
	return t
}

// keepNode keeps the lineage of a bound that the PE has published until no PE can read it any
// more. The GVT of a round is in use until the PE has the next one, which is certain once the
// PE is in the round after that.
func (pe *PE) keepNode(node uint32) {
	if pe.Remote != nil { // it is in use at most until the next Report
		pe.Arena.Lines.Drop(pe.Published[0])
		pe.Published[0] = node
		return
	}
	i := pe.rounds % uint64(len(pe.Published))
	pe.Arena.Lines.Drop(pe.Published[i])
	pe.Published[i] = node
	pe.rounds++
}

// keepBound keeps the lineage of GVT until there is a new one.
func (pe *PE) keepBound(node uint32) {
	lines := pe.Arena.Lines
	lines.Keep(node)
	lines.Drop(pe.Published[2])
	pe.Published[1], pe.Published[2] = node, pe.Published[1]
}
