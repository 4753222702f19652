package session_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/mpi/session"
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

func TestRanksEndBeforeTheTest(t *testing.T) {
	end, has := t.Deadline()
	require.Less(t, session.RankLimit(t), session.Limit(t))
	if has {
		require.Less(t, session.Limit(t), time.Until(end))
	}
	none := struct{ testing.TB }{t} // such as a benchmark
	require.Equal(t, 24*time.Hour, session.Limit(none))
}
