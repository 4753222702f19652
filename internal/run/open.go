// This file owns the beginning of an engine: what package ross gives it, and what follows from that.

package run

import (
	"fmt"
	"io"
	"runtime"

	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/mapping"
)

// Start is what package ross gives an engine that has its cluster.
type Start struct {
	Front    kernel.Front
	Hooks    Hooks
	Settings settings.Settings
	PEsGiven bool            // Settings.PEs is no default, which Auto may change
	Mapping  mapping.Mapping // nil: Linear
	TypeMap  func(gid uint64) int
}

// Open begins with what o says. It sets the limit of memory and the number of PEs, in Set, where o leaves them open.
func (s *Engine) Open(o *Start) {
	s.Front, s.Hooks, s.Set, s.mapping, s.TypeMap = o.Front, o.Hooks, o.Settings, o.Mapping, o.TypeMap
	c, set := s.Cluster, &s.Set
	s.Threads = runtime.GOMAXPROCS(0)
	if set.MaxMemory == 0 {
		set.MaxMemory = max(mem.Available()/5*4/uint64(c.OnNode), settings.MinMemory)
	}
	if set.PEs == 0 {
		set.PEs = s.Threads
	}
	if !o.PEsGiven {
		s.choosePEs()
	}
	s.Rank0 = c.Rank == 0
	if c.Ranks > 1 {
		s.Gather = c.Gather
	}
	s.Base = uint64(c.Rank) * uint64(set.PEs)
	if s.Total = set.LPs; s.Total == 0 {
		s.Total = s.AllPEs() * set.NLP
	}
	s.Budget = mem.NewBudget(set.MaxMemory)
	s.Budget.Piece, s.Budget.Refuse = set.Piece(), set.Refuse
	s.Budget.CountProgram(set.PEs)
	s.Budget.Attach()
	if space := mem.AddressSpace(); set.MaxMemory > space {
		s.Warn(fmt.Sprintf("the limit of the address space (ulimit -v) leaves %d bytes, less than --max-memory: raise it", space))
	}
	if s.Report = s.Out; !s.Rank0 {
		s.Report = io.Discard
	}
}

// AllPEs returns the number of PEs of all ranks, which Run.NumPEs takes from the layout.
func (s *Engine) AllPEs() uint64 { return uint64(s.Cluster.Ranks) * uint64(s.Set.PEs) }
