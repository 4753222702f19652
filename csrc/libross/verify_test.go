// Records of C models: the program is known by its hash, and rossreader makes the run again.

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/ranks/mpi"
)

func TestRecordedRunsOfCModelsAreVerified(t *testing.T) {
	phold, faulty := compile(t, "phold"), compile(t, "faulty", "-g")
	if mpi.Enabled {
		t.Skip("a run over MPI is started by mpirun, and rossreader starts none")
	}
	reader := filepath.Join(t.TempDir(), "rossreader")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", reader,
		"../../cmd/rossreader").CombinedOutput()
	require.NoError(t, err, string(out))
	t.Chdir(t.TempDir())
	verify := func(words ...string) string {
		out, err := exec.CommandContext(t.Context(), reader, append([]string{"verify"}, words...)...).CombinedOutput()
		if err != nil {
			require.IsType(t, &exec.ExitError{}, err)
		}
		return string(out)
	}

	status, _, errs := play(t, phold, "--synch=3 --pes=2 --nlp=8 --end=100 --lookahead=0.1 --record=lps "+
		"--stats-path=right")
	require.Zero(t, status, errs)
	info, err := instr.ReadRunInfo("right")
	require.NoError(t, err)
	program, err := instr.HashFile(phold)
	require.NoError(t, err)
	require.Equal(t, program.SHA256, info.Record.Build.SHA256, "it is that of the whole program")
	require.Equal(t, "8", info.Options["nlp"])
	text := verify("right")
	for _, way := range []string{"--synch=1 --pes=1 --ranks=1", "--synch=3 --pes=3 --ranks=1",
		"--synch=3 --pes=1 --ranks=2",
		"--synch=6 --pes=1 --ranks=1"} {
		require.Contains(t, text, "equal: "+way+"\n")
	}
	require.Contains(t, text, "right: equal\n")
	copied, err := os.ReadFile(phold)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("renamed", copied, 0o700)) // a C model has the name of the program's file
	require.Contains(t, verify("--with=--synch=1", "--program=renamed", "right"), "right: equal\n")

	status, _, errs = play(t, faulty, "--synch=1 --fault=11 --end=10 --record=run --stats-path=wrong")
	require.Zero(t, status, errs)
	text = verify("wrong")
	require.Contains(t, text, "check of rollback: ross: LP 2 (C type 0) at time 3: the reverse event handler "+
		"for the event that LP 2 "+
		"sent at time 2 left the state different: state.depth (byte 8 of the state) is 1, it was 0 before")
	require.Contains(t, text, "wrong: different\n")
}
