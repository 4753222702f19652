// Names that no model of the other tests uses.

package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testkit"
	"github.com/ross-go/ross/rng"
)

// lines are what a program prints of a check that fails.
const lines = `(?m)^line [0-9]+: `

func TestTheMPIOfOneProcess(t *testing.T) {
	path := compile(t, "mpi")
	t.Chdir(t.TempDir())
	status, out, errs := play(t, path, "")
	require.Zero(t, status, errs)
	require.NotRegexp(t, lines, out)
	require.Equal(t, "efabcdef", testkit.Content(t, "file"))
	for line, says := range map[string]string{
		"--abort=7": "", "--send=1": "ross: MPI_Send to rank 1: a program of one process has no other ranks",
		"--send=2": "ross: MPI_Recv from rank 1: a program of one process has no other ranks",
	} {
		t.Chdir(t.TempDir())
		status, _, errs = play(t, path, line)
		require.NotZero(t, status, line)
		require.Contains(t, errs, says)
	}
}

func TestNamesThatNoOtherModelUses(t *testing.T) {
	path := compile(t, "names")
	t.Chdir(t.TempDir())
	status, out, errs := play(t, path, "--synch=1 --end=9.5 --one=4000000000 --two=18446744073709551615 --event-trace=3")
	require.Zero(t, status, errs)
	require.NotRegexp(t, lines, out)
	seeds := rng.NewSeeder(rng.Seeds{1, 2, 3, 4})
	for i := range 2 {
		s := seeds.Stream(uint64(i))
		require.Contains(t, out, fmt.Sprintf("9 %d of %d\n", s.State().C[0], i))
	}
	require.Contains(t, out, "> 0000  00 0f 1e 2d 3c 4b 5a 69 78 87 96 a5 b4 c3 d2 e1\n> 0010  f0 ff\n")
	require.Contains(t, out, "node: 0: warning: testdata/names.c:")
	require.Contains(t, out, ": what a warning says\n")
	require.Contains(t, out, "stages 11\n")
	got, err := testkit.ReadBinary("stats-output/ross-stats-evtrace.bin", func(b []byte) string { return fmt.Sprint(b) })
	require.NoError(t, err)
	require.Len(t, got, 18)
	for _, r := range got {
		require.Equal(t, fmt.Sprintf("[%d]", r.Dest), r.Payload)
	}
}
