// This file owns the parts of Define that depend on the configuration: the LP types, the
// limits on PEs, and the mapping.

package ross

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/timewarp"
	"github.com/ross-go/ross/internal/usage"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/pq"
)

// addTypes checks the LP types and adds them to the run.
func (s *Simulation) addTypes(types []LPType) error {
	if len(types) == 0 || len(types) > math.MaxUint16 {
		return fmt.Errorf("ross: Define: %d types: %w: give 1 to %d", len(types), ErrModel, math.MaxUint16)
	}
	if len(types) > 1 && s.cfg.TypeMap == nil {
		return fmt.Errorf("ross: Define: %d types and no Config.TypeMap: %w: set it to say which type each LP has", len(types), ErrModel)
	}
	for i, t := range types {
		lt, err := t.lpType()
		if err != nil {
			return err
		}
		lt.ID = uint16(i)
		if s.r.Types = append(s.r.Types, lt); !s.r.AddMessages(lt) {
			return fmt.Errorf("ross: Define: the types have too many messages: %w: give at most %d", ErrModel, kernel.MaxMessages)
		}
	}
	tellApart(s.r.Types)
	if f := s.cfg.TypeMap; f != nil {
		s.r.TypeMap = func(gid uint64) int { return f(LPID(gid)) }
	}
	return nil
}

// tellApart gives types to which the model has given no name, and whose own name others have as well,
// names with their packages: those by which Go programs call them and, if these are equal too, those with
// the paths of the packages.
func tellApart(types []*kernel.Type) {
	paths := func(t *kernel.Type) string { return t.Check.State.PkgPath() + "." + t.Check.State.Name() }
	for _, longer := range []func(*kernel.Type) string{func(t *kernel.Type) string { return t.Whole }, paths} {
		var same []*kernel.Type
		for _, t := range types {
			if t.Whole != "" && t.Check.State.Name() != "" && slices.ContainsFunc(types, func(o *kernel.Type) bool {
				return o.Name == t.Name && (o.Whole == "" || o.StateType != t.StateType)
			}) {
				same = append(same, t)
			}
		}
		for _, t := range same {
			t.Name = longer(t)
			t.Layouts.Name = t.Name
		}
	}
}

// checkPEs refuses a number of PEs that does not fit into memory, before any PE is made. The
// structures of PEs are not charged to the budget; those of a few PEs take almost nothing.
func (s *Simulation) checkPEs() error {
	const few = 64 << 20 // bytes
	n := uint64(s.cfg.PEs)
	each := uint64(unsafe.Sizeof(run.PE{})+unsafe.Sizeof(event.Arena{})+unsafe.Sizeof(pq.EventSet{})) + n*uint64(unsafe.Sizeof(timewarp.Outbox{}))
	if limit := max(s.r.Budget.Limit(), few); each > limit/n {
		return fmt.Errorf("ross: Define: %d PEs of %d bytes each: %w: %d bytes are allowed: raise --max-memory or lower --pes", n, each, mem.ErrLimit, limit)
	}
	return nil
}

// makeLayout computes the places of all LPs, as Config.Mapping asks.
func (s *Simulation) makeLayout() (err error) {
	c := &s.cfg
	npe := s.numPEs()
	if npe > kernel.MostPEs {
		return usage.Errorf("option --pes=%d: %d ranks have %d PEs; there can be %d: use fewer ranks or PEs", c.PEs, s.r.Cluster.Ranks, npe, kernel.MostPEs)
	}
	if err := s.checkPEs(); err != nil {
		return err
	}
	switch {
	case c.Mapping != mapping.Custom && c.TotalLPs != 0:
		s.r.Layout, err = mapping.NewEven(c.Mapping, npe, c.TotalLPs, c.NKP)
	case c.Mapping == mapping.Linear:
		s.r.Layout, err = mapping.NewLinear(npe, c.NLP, c.NKP)
	case c.Mapping == mapping.RoundRobin:
		s.r.Layout, err = mapping.NewRoundRobin(npe, c.NLP, c.NKP)
	default:
		f := c.Custom
		var noMap error
		if f.PE == nil && f.For == nil {
			f.PE = func(gid uint64) uint64 {
				pe, err := s.mapByType(gid)
				noMap = cmp.Or(noMap, err)
				return pe
			}
		}
		s.r.Layout, err = mapping.NewCustom(npe, s.r.Total, c.NKP, f)
		err = cmp.Or(noMap, err) // noMap is then the cause of the mapping's own error
	}
	return err
}

// mapByType returns the PE that the LP's type assigns to it.
func (s *Simulation) mapByType(gid uint64) (uint64, error) {
	t, err := s.r.TypeOf(gid)
	if err != nil {
		return 0, err
	}
	if t.MapTo == nil {
		return 0, fmt.Errorf("ross: custom mapping: LP %d: type %q has no Map: %w: give it one, or Config.Custom.PE", gid, t.Name, ErrModel)
	}
	return t.MapTo(gid), nil
}
