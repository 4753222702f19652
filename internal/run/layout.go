// This file owns the places of the LPs at the start of a run.

package run

import (
	"cmp"
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/timewarp"
	"github.com/ross-go/ross/internal/usage"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/pq"
)

// MakeLayout computes the places of all LPs, as the settings ask.
func (s *Engine) MakeLayout() (err error) {
	set, npe := &s.Set, s.AllPEs()
	if npe > kernel.MostPEs {
		return usage.Errorf("option --pes=%d: %d ranks have %d PEs; there can be %d: use fewer ranks or PEs", set.PEs, s.Cluster.Ranks, npe, kernel.MostPEs)
	}
	if err := s.checkPEs(); err != nil {
		return err
	}
	switch {
	case set.Mapping != mapping.Custom && set.TotalLPs != 0:
		s.Layout, err = mapping.NewEven(set.Mapping, npe, set.TotalLPs, set.NKP)
	case set.Mapping == mapping.Linear:
		s.Layout, err = mapping.NewLinear(npe, set.NLP, set.NKP)
	case set.Mapping == mapping.RoundRobin:
		s.Layout, err = mapping.NewRoundRobin(npe, set.NLP, set.NKP)
	default:
		f := s.custom
		var noMap error
		if f.PE == nil && f.For == nil {
			f.PE = func(gid uint64) uint64 {
				pe, err := s.mapByType(gid)
				noMap = cmp.Or(noMap, err)
				return pe
			}
		}
		s.Layout, err = mapping.NewCustom(npe, s.Total, set.NKP, f)
		err = cmp.Or(noMap, err) // noMap is then the cause of the mapping's own error
	}
	return err
}

// checkPEs refuses a number of PEs that does not fit into memory, before any PE is made. The
// structures of PEs are not charged to the budget; those of a few PEs take almost nothing.
func (s *Engine) checkPEs() error {
	const few = 64 << 20 // bytes
	n := uint64(s.Set.PEs)
	each := uint64(unsafe.Sizeof(PE{})+unsafe.Sizeof(event.Arena{})+unsafe.Sizeof(pq.EventSet{})) + n*uint64(unsafe.Sizeof(timewarp.Outbox{}))
	if limit := max(s.Budget.Limit(), few); each > limit/n {
		return fmt.Errorf("ross: Define: %d PEs of %d bytes each: %w: %d bytes are allowed: raise --max-memory or lower --pes", n, each, mem.ErrLimit, limit)
	}
	return nil
}

// mapByType returns the PE that the LP's type assigns to it.
func (s *Engine) mapByType(gid uint64) (uint64, error) {
	t, err := s.TypeOf(gid)
	if err != nil {
		return 0, err
	}
	if t.MapTo == nil {
		return 0, fmt.Errorf("ross: custom mapping: LP %d: type %q has no Map: %w: give it one, or Config.Custom.PE", gid, t.Name, kernel.ErrModel)
	}
	return t.MapTo(gid), nil
}
