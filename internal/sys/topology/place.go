// This file owns places: which processors each of several threads gets.

package topology

import (
	"cmp"
	"slices"
)

// Place is where a thread may run.
type Place struct {
	Domain
	Processors Set
}

// ByCore returns the places of n threads: a core for each while there are enough, otherwise a processor for each; nil
// if there are more threads than processors.
func (m Machine) ByCore(n int) []Place {
	type slot struct{ core, level int } // with more threads than cores, hardware thread level of the core
	whole := n <= len(m.Cores)
	var slots []slot
	for i, c := range m.Cores {
		for level := range c.Processors {
			if level == 0 || !whole {
				slots = append(slots, slot{i, level})
			}
		}
	}
	if n > len(slots) {
		return nil
	}
	slices.SortFunc(slots, func(a, b slot) int {
		return cmp.Or(a.level-b.level, m.Cores[b.core].Capacity-m.Cores[a.core].Capacity, a.core-b.core)
	})
	slots = slots[:n]
	slices.SortFunc(slots, func(a, b slot) int { return cmp.Or(a.core-b.core, a.level-b.level) })
	places := make([]Place, n)
	for i, s := range slots {
		c := &m.Cores[s.core]
		if places[i] = (Place{c.Domain(), SetOf(c.Processors...)}); !whole {
			places[i].Processors = SetOf(c.Processors[s.level])
		}
	}
	return places
}

// BySocket returns the places of n threads: all processors of a domain for each. The threads are divided among the
// domains in blocks, in proportion to the cores of these, or to their processors if there are more threads than cores;
// nil if there are more than processors.
func (m Machine) BySocket(n int) []Place {
	var of []Domain
	for _, c := range m.Cores {
		of = append(of, c.Domain())
	}
	if n > len(of) {
		of = nil
		for _, c := range m.Cores {
			of = append(of, slices.Repeat([]Domain{c.Domain()}, len(c.Processors))...)
		}
	}
	if n > len(of) {
		return nil
	}
	places := make([]Place, n)
	for i := range places {
		d := of[i*len(of)/n]
		places[i] = Place{d, m.In(d)}
	}
	return places
}
