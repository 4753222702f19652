// This file owns what programs that run on several ranks may have to call themselves: KeepMPI
// and Speaks.

package ross

import (
	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/world"
)

// KeepMPI starts MPI, if the program was built with it and started by a launcher, and keeps it
// until end is called. MPI can be started only once in a process: without KeepMPI it ends when
// the last simulation is closed, and no other can be made after that.
func KeepMPI() (end func() error, err error) {
	if !mpi.Enabled || ranks.Launcher() == "" {
		return func() error { return nil }, nil
	}
	w, err := world.MPI(mpi.Multiple, nil)
	if err != nil {
		return nil, err
	}
	return w.Close, nil
}

// Speaks reports whether this rank is the one that must print err, an error of New, Define or
// Run: if one rank fails, all return the error. In a run of one rank it is true for every
// error.
func ShouldPrint(err error) bool { return ranks.ShouldPrint(err) }
