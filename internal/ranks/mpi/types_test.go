// What the package has in all builds.

package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks/mpi"
)

func TestThreadLevelsHaveNames(t *testing.T) {
	require.Equal(t, "funneled", mpi.Funneled.String())
	require.Equal(t, "multiple", mpi.Multiple.String())
	require.Equal(t, "ThreadLevel(7)", mpi.ThreadLevel(7).String())
}

func TestAnErrorNamesCallRankAndReason(t *testing.T) {
	err := &mpi.Error{Call: "MPI_Isend", Rank: 3, Code: 6, Text: "MPI_ERR_RANK: invalid rank"}
	require.EqualError(t, err,
		"ross: MPI_Isend: rank 3: MPI_ERR_RANK: invalid rank: another rank may be gone: end the run, and see what mpirun and other ranks say")
}
