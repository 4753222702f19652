// This file owns the digests of committed events and of final states: each is one number that
// is equal for runs that committed the same events, in every mode and on any number of PEs.

package run

import (
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/deep"
	"github.com/ross-go/ross/internal/hash64"
)

// digest combines the digests of the events of this rank's LPs.
func (s *Engine) digest() uint64 {
	var sum uint64
	for _, pe := range s.Locals {
		for i := range pe.LPs {
			lp := &pe.LPs[i]
			if lp.Digest() != 0 {
				sum += hash64.Word(lp.Digest(), uint64(lp.ID))
			}
		}
	}
	return sum
}

// hashStates computes the digest of the states of the PE's LPs. It runs when all events are
// committed, and before Final, which may change the states. The digest is the sum of the
// states' hashes, each mixed with the id of its LP.
func (pe *PE) hashStates() {
	blocks := deep.Blocks{Elem: pe.Run.BlockElem, At: pe.BlockAt}
	hashers := make([]*deep.Hasher, len(pe.Run.Types))
	for i := range pe.LPs {
		lp := &pe.LPs[i]
		check := &lp.Type().Check
		if check.Save != nil && check.Digest == nil {
			continue // states that are compared loosely have no exact digest
		}
		h := &hashers[lp.Type().ID]
		if *h == nil {
			t := check.State
			if check.Digest != nil {
				t = reflect.TypeFor[any]()
			}
			*h = deep.NewHasher(t, blocks, pe.Run.Opaque...)
		}
		p := lp.State
		if check.Digest != nil {
			pe.Show(lp)
			part := check.Digest(lp.State)
			p = unsafe.Pointer(&part)
		}
		pe.stateDigest += hash64.Word((*h).Hash(p), uint64(lp.ID))
	}
	pe.Hide()
}
