package session_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks/mpi/session"
)

func Example() {
	fmt.Println(session.In("/tmp/session")[0])
	// Output: OMPI_MCA_orte_tmpdir_base=/tmp/session
}

func TestEachMpirunHasAFolderOfItsOwn(t *testing.T) {
	one, other := session.Env(t), session.Env(t, "MORE=1")
	require.Contains(t, other, "MORE=1")
	require.NotSubset(t, one, other[:len(one)])
}
