// This file owns the digests of single LPs, of all ranks, which a run keeps if Settings.DigestsOfLPs asks for them.

package run

import (
	"encoding/binary"
	"fmt"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/ranks"
)

// gatherDigests gathers the digests of the LPs of all ranks in LPDigests, on each rank. All ranks call it.
func (s *Engine) gatherDigests() error {
	if !s.Set.DigestsOfLPs {
		return nil
	}
	const size = 24 // bytes of an LP: its id and two digests
	var own []byte
	for _, pe := range s.Locals {
		for i := range pe.LPs {
			lp, state := &pe.LPs[i], uint64(0)
			if i < len(pe.lpStates) {
				state = pe.lpStates[i]
			}
			for _, x := range [...]uint64{uint64(lp.ID), lp.Digest(), state} {
				own = binary.LittleEndian.AppendUint64(own, x)
			}
		}
	}
	lists, err := [][]byte{own}, error(nil)
	if s.Cluster.Ranks > 1 {
		if lists, err = ranks.AllGatherBytes(s.Cluster.World, own); err != nil {
			return fmt.Errorf("ross: digests of LPs: %w", err)
		}
	}
	all := make([]instr.LPDigest, s.Total)
	for _, list := range lists {
		for ; len(list) >= size; list = list[size:] {
			if id := binary.LittleEndian.Uint64(list); id < s.Total { // beyond are those of the engine
				all[id] = instr.LPDigest{Events: binary.LittleEndian.Uint64(list[8:]),
					State: binary.LittleEndian.Uint64(list[16:])}
			}
		}
	}
	s.LPDigests = all
	return nil
}
