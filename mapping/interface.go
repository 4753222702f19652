// This file owns Mapping: what a run asks for the places of its LPs.

package mapping

import "fmt"

// A Mapping says where the LPs of a run are. [Linear] and [RoundRobin] are mappings, and so are [Places] and [For], with
// functions of a model, and every other type that has this method.
type Mapping interface {
	// Map returns the places of all LPs for the numbers of a run. It is called once on each rank, and returns the
	// same on all.
	Map(s Shape) (*Map, error)
}

// Map implements Mapping.
func (k Kind) Map(s Shape) (*Map, error) {
	if k != Linear && k != RoundRobin {
		return nil, fmt.Errorf("%w: %s is what a Map calls itself: give Linear, RoundRobin, Places or For", ErrCustom, k)
	}
	return NewEven(k, s.PEs, s.LPs, s.KPs)
}

// Map implements Mapping.
func (p Places) Map(s Shape) (*Map, error) { return NewCustom(s.PEs, s.LPs, s.KPs, p) }

// For is a mapping that follows from the numbers of the run, which a model may not know otherwise. It is called once.
type For func(s Shape) (Places, error)

// Map implements Mapping.
func (f For) Map(s Shape) (*Map, error) {
	p, err := f(s)
	if err != nil {
		return nil, err
	}
	return p.Map(s)
}
