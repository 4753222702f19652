// This file owns the announcements of ranks: a text of each for programs on rank 0.

package run

import (
	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/internal/ranks"
)

// announce gives rank 0 the texts of all ranks, once. Others hold only their own, so that no rank but one
// has memory for all.
func (s *Engine) announce() error {
	if s.Cluster.Ranks <= 1 {
		return nil
	}
	length := []int64{int64(len(s.Announcement))}
	err := s.Cluster.World.AllReduceInt64(mpi.Max, length)
	if err == nil && length[0] > 0 {
		var all []string
		err = ranks.Collect(s.Cluster.World, []byte(s.Announcement), func(_ int, text []byte) error {
			all = append(all, string(text))
			return nil
		})
		if all != nil {
			s.Announced.Store(&all)
		}
	}
	return s.Cluster.Agree(err)
}
