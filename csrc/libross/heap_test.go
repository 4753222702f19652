// This file owns the tests of what --synch=6 finds in memory that a model allocates, and of what it must not find
// there.

package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
)

// heapLines returns what the LPs of a run print at its end, and its events.
func heapLines(t *testing.T, path, line string) (string, []string) {
	t.Helper()
	status, out, errs := play(t, path, line+" --end=60")
	require.Zero(t, status, "%s: %s%s", line, out, errs)
	return testkit.Figure(t, out, "Net Events Processed"),
		regexp.MustCompile(`(?m)^(server|node:|LP \d).*`).FindAllString(out, -1)
}

// The stack keeps what is above its top, the cache is filled by the first event that looks, jobs are freed by commit
// handlers and reverse handlers, and structs have padding: nothing of this is a mistake. Nor does what is tried
// change anything, such as the static variable.
func TestMemoryThatNoEventReadsMayDiffer(t *testing.T) {
	path := compile(t, "heap")
	t.Chdir(t.TempDir())
	events, lines := heapLines(t, path, "--synch=1")
	require.Len(t, lines, 5)
	for _, line := range []string{"--synch=6", "--sync=6", "--synch=3 --pes=1"} {
		n, same := heapLines(t, path, line)
		require.Equal(t, events, n, line)
		require.Equal(t, lines, same, line)
	}
}

// Only the memory differs that the reverse handler leaves: the states and what the second call does are the same.
func TestWhatReverseForgetsBehindPointersIsFound(t *testing.T) {
	named, plain := compile(t, "heap", "-g"), compile(t, "heap")
	t.Chdir(t.TempDir())
	for _, c := range []struct{ path, says string }{
		{named, `server\.idle\[\d\] \(byte \d of a block of 12 bytes from init\) is [01], it was [01] before: ` +
			`so the event that LP \d sent at \S+ for \S+ makes \d events, and \d with what was before`},
		{plain, `byte \d of a block of 12 bytes from init, to which bytes 16 to 23 of the state point, is 0x0[01], it was 0x0[01] before`},
	} {
		status, _, errs := play(t, c.path, "--synch=6 --wrong=1")
		require.NotZero(t, status)
		require.Regexp(t, `LP \d \(C type 0\) at time \S+: the reverse event handler for the event .* left the state different: `+c.says,
			errs)
	}
}

// Trees have other shapes when an element has come and gone, vectors keep room, and the library of C++ allocates
// strings.
func TestMemoryOfCPlusPlus(t *testing.T) {
	folder := install(t)
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("there is no C++ compiler")
	}
	path := filepath.Join(t.TempDir(), "heap")
	cmd := exec.CommandContext(t.Context(), filepath.Join(folder, "bin", "ross-cc"), "-O2", "-Wall", "-Wextra", "-Werror",
		filepath.Join("testdata", "heap.cpp"), "-o", path)
	cmd.Env = append(cmd.Environ(), "CC=g++", "MPICC=mpicxx")
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", text)
	t.Chdir(t.TempDir())
	events, lines := heapLines(t, path, "--synch=1")
	require.Len(t, lines, 4)
	for _, line := range []string{"--synch=6", "--synch=3 --pes=1"} {
		n, same := heapLines(t, path, line)
		require.Equal(t, events, n, line)
		require.Equal(t, lines, same, line)
	}
	status, _, errs := play(t, path, "--synch=6 --wrong=1")
	require.NotZero(t, status)
	require.Regexp(t, `of a block of 3 bytes from init is 0x0[01], it was 0x0[01] before: so the event .* sends to LP`, errs)
}
