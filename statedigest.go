// This file owns the digest of the final states: one number that is equal for runs
// that left the LPs in the same states, on any number of PEs.

package ross

import (
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/deep"
	"github.com/ross-go/ross/internal/mix"
	"github.com/ross-go/ross/rng"
)

// hashStates computes the digest of the states of a PE's LPs. It runs when all events are
// committed, and before Final, which may make of a state what it likes. States are added
// up, each mixed with the id of its LP.
func (pe *PE) hashStates() {
	blocks := deep.Blocks{Elem: blockElemOf, At: pe.blockAt}
	hashers := make([]*deep.Hasher, len(pe.sim.types))
	for i := range pe.lpSlab {
		lp := &pe.lpSlab[i]
		check := &lp.typ.check
		if check.save != nil && check.digest == nil {
			continue // what is compared loosely has no exact number
		}
		h := &hashers[lp.typ.id]
		if *h == nil {
			t := check.state
			if check.digest != nil {
				t = reflect.TypeFor[any]()
			}
			*h = deep.NewHasher(t, blocks, engineTypes()...)
		}
		p := lp.state
		if check.digest != nil {
			pe.shown = lp
			part := check.digest(lp.state)
			p = unsafe.Pointer(&part)
		}
		pe.stateDigest += mix.Word((*h).Hash(p), uint64(lp.id))
	}
	pe.shown = nil
}

// engineTypes are those that states may refer to, but which are no part of them.
func engineTypes() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[LP](), reflect.TypeFor[PE](), reflect.TypeFor[KP](),
		reflect.TypeFor[Simulation](), reflect.TypeFor[rng.Stream]()}
}

// blockElemOf returns the type of the values in memory of Alloc, if a type is a Block.
func blockElemOf(t reflect.Type) (reflect.Type, bool) {
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	if b, ok := reflect.Zero(t).Interface().(interface {
		types() (self, elem reflect.Type)
	}); ok { // a struct that has a Block embedded has its methods
		if self, elem := b.types(); self == t {
			return elem, true
		}
	}
	return nil, false
}

// blockAt returns the memory of the Block at p, nil if it was given back, and its length.
func (pe *PE) blockAt(p unsafe.Pointer) (unsafe.Pointer, int) {
	b := (*Block[byte])(p)
	if !pe.inUse(b.at) {
		return nil, b.Len()
	}
	return addressOf(b.at), b.Len()
}
