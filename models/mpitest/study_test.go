//go:build mpi && cgo && !purego

// This file pins studies over ranks: what docs/running.md says of them.

package mpitest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAStudyOverRanksHasTheTableOfOneProcess(t *testing.T) {
	page, err := os.ReadFile("../../docs/running.md")
	require.NoError(t, err)
	_, words, found := strings.Cut(string(page), "\nmpirun -np 2 ./queueing ")
	require.True(t, found)
	words, _, _ = strings.Cut(words, "\n")
	args := strings.Fields(words)
	require.Contains(t, args, "--synch=3")
	dir := t.TempDir()
	ranks := runIn(t, dir, 2, "queueing", append(args, "--workers=2", "--table=ranks.csv")...)
	require.Equal(t, 1, strings.Count(ranks, "servers  "+"customers waiting"), "one rank prints:\n%s", ranks)
	one := runIn(t, dir, 0, "queueing", append(args, "--synch=1", "--pes=1", "--workers=3", "--journal=", "--table=one.csv")...)
	require.Equal(t, one, ranks)
	again := runIn(t, dir, 0, "queueing", append(args, "--table=again.csv")...) // from the journal of the ranks
	require.Equal(t, one, again)
	content := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, 61, strings.Count(content("ranks.runs"), "\n"), "a head and a line for each run, once")
	require.Equal(t, content("one.csv"), content("ranks.csv"))
	require.Equal(t, content("one.csv"), content("again.csv"))
}
