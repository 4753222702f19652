// This file owns the options, and how parts become PEs and KPs of a mapping.

package partition

import (
	"cmp"
	"math"
	"slices"

	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/mapping"
)

// DefaultTolerance is the Tolerance that 0 stands for.
const DefaultTolerance = 0.03

// Options describe what a partition should be like. The zero value is usable.
type Options struct {
	// Tolerance is how much more than the mean load a part may have, as a fraction: 0.03 allows
	// 3 %. A greater tolerance allows a smaller cut. Range [0, 1]; 0 stands for DefaultTolerance.
	// Where loads cannot be divided so evenly, parts are as even as could be found.
	Tolerance float64
	// KeepBelow keeps links of less lookahead, in virtual time, inside a PE, whatever happens to
	// cut and balance. A conservative run can then have this lookahead. At least 0; with 0 no link
	// is kept.
	KeepBelow float64
	// Seed chooses one of many partitions of about the same quality: any number. In a run of
	// several processes, all must have the same.
	Seed uint64
}

// checked returns the options with defaults filled in, for k parts.
func (o Options) checked(k uint64) (Options, error) {
	switch {
	case k == 0 || k > math.MaxUint32:
		return o, usage.Errorf("partition: %d parts: give 1 to %d", k, uint64(math.MaxUint32))
	case !(o.Tolerance >= 0 && o.Tolerance <= 1):
		return o, usage.Errorf("partition: Options.Tolerance=%v: give 0 to 1; 0 stands for %v", o.Tolerance, DefaultTolerance)
	case !usable(o.KeepBelow):
		return o, usage.Errorf("partition: Options.KeepBelow=%v: give a finite lookahead, at least 0", o.KeepBelow)
	case o.Tolerance == 0:
		o.Tolerance = DefaultTolerance
	}
	return o, nil
}

// Split divides the LPs into k parts, 1 to 4294967295, and returns the part of each LP. Parts whose
// numbers are near each other tend to have more links between them. Parts may be empty, in any case if
// there are fewer LPs.
//
// The result depends on nothing but the graph, k and the options. The error matches
// ross.ErrUsage: an option out of range, or KeepBelow for a graph without lookahead.
func (g *Graph) Split(k uint64, o Options) ([]uint32, error) {
	o, err := o.checked(k)
	if err != nil {
		return nil, err
	}
	if o.KeepBelow > 0 && g.delays == nil && len(g.to) > 0 {
		return nil,
			usage.Errorf("partition: Options.KeepBelow=%v: no link has a lookahead: set Link.Lookahead, or leave out KeepBelow",
				o.KeepBelow)
	}
	if k == 1 {
		return make([]uint32, len(g.weight)), nil
	}
	costs := g.costs()
	if o.KeepBelow == 0 || g.delays == nil {
		return costs.parts(k, costs.repeats(), o.Tolerance, o.Seed), nil
	}
	groups, group := g.together(costs, o.KeepBelow)
	part := groups.parts(k, groups.repeats(), o.Tolerance, o.Seed)
	for v, c := range group {
		group[v] = part[c]
	}
	return group, nil
}

// Mapping returns a mapping (ross.Config.Mapping) that divides the LPs among the PEs of the run, and those of each PE
// among its KPs, each time by Split. In a PE the LPs of KP 0 come first, then those of KP 1, and so on, those of a KP
// by ascending id.
//
// The work is done when the mapping is made, by Simulation.Define, and on each rank again. A mistake
// in the options, or a run with another number of LPs, is an error then, which matches ross.ErrUsage.
// On one PE there is nothing to divide, and the mapping is linear.
//
// The mapping holds the graph. It can be freed when no Config has it any more.
func (g *Graph) Mapping(o Options) mapping.Mapping {
	return mapping.For(func(s mapping.Shape) (mapping.Places, error) {
		if s.LPs != g.LPs() {
			return mapping.Places{},
				usage.Errorf(
					"partition: the run has %d LPs, the graph %d: make the graph for the LPs of the run (Config.LPs, --lps, or Config.NLP, --nlp, for each PE)", s.LPs, g.LPs())
		}
		pe, err := g.Split(s.PEs, o)
		if err != nil {
			return mapping.Places{}, err
		}
		if s.PEs == 1 {
			return mapping.Places{PE: func(uint64) uint64 { return 0 }}, nil
		}
		return g.places(pe, s, o).funcs(), nil
	})
}

// places holds the place of each LP.
type places struct {
	pe, local []uint32 // by LP
	first     []int    // by PE: its first slot, where slots count the LPs PE by PE
	kp        []uint32 // by slot
}

// places divides the LPs of each PE among its KPs.
func (g *Graph) places(pe []uint32, s mapping.Shape, o Options) *places {
	last := uint32(0)
	for _, p := range pe {
		last = max(last, p)
	}
	first, byPE := grouped(pe, int(last)+1)
	p := &places{pe: pe, local: make([]uint32, len(pe)), first: first, kp: make([]uint32, len(pe))}
	scratch := make([]uint32, len(pe))
	costs := g.costs()
	o, _ = o.checked(s.KPs)
	for i := range first[:len(first)-1] {
		lps := byPE[first[i]:first[i+1]]
		kps := costs.induced(lps, scratch).parts(s.KPs, 1, o.Tolerance, o.Seed)
		order := make([]uint32, len(lps))
		for j := range order {
			order[j] = uint32(j)
		}
		slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(kps[a], kps[b]) })
		for local, j := range order {
			p.local[lps[j]] = uint32(local)
			p.kp[first[i]+local] = kps[j]
		}
	}
	return p
}

func (p *places) funcs() mapping.Places {
	return mapping.Places{
		PE:    func(lp uint64) uint64 { return uint64(p.pe[lp]) },
		Local: func(lp uint64) uint64 { return uint64(p.local[lp]) },
		KP:    func(pe, local uint64) uint64 { return uint64(p.kp[uint64(p.first[pe])+local]) },
	}
}
