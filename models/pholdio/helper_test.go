// How the tests run the program: several times, in a new folder.

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/racetest"
	"github.com/ross-go/ross/internal/tracetest"
)

// sparse: one in this many combinations is tried.
var sparse = racetest.Pick(1, 4)

const set = "rio-restart"

var tested = modeltest.Program{Name: "pholdio", Run: run}

// words splits a command line.
func words(line string) []string { return strings.Fields(line) }

// play runs the program, which must not fail, and returns what it printed.
func play(t *testing.T, line string) string {
	t.Helper()
	var out, errs bytes.Buffer
	require.Zero(t, run(words(line), &out, &errs), "%s: %s", line, &errs)
	require.Empty(t, errs.String())
	return out.String()
}

// traced runs the program and returns the committed events.
func traced(t *testing.T, line string) []tracetest.Record {
	t.Helper()
	require.NoError(t, os.RemoveAll("stats-output")) // else the run takes another name
	play(t, line+" --event-trace=3")
	got, err := tracetest.ReadBinary("stats-output/ross-stats-evtrace.bin", nil)
	require.NoError(t, err)
	return got
}

// fails runs the program, which must end with a status, and returns the error.
func fails(t *testing.T, status int, line string) string {
	t.Helper()
	var out, errs bytes.Buffer
	require.Equal(t, status, run(words(line), &out, &errs), "%s: %s", line, &errs)
	return errs.String()
}

// original goes to a folder that has only the checkpoint that ROSS stored.
func original(t *testing.T) {
	t.Helper()
	from, err := filepath.Abs(filepath.Join("testdata", set, "ckpt"))
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.CopyFS(".", os.DirFS(from)))
}

// lines returns the lines of a report that begin with a word.
func lines(report, word string) []string {
	return regexp.MustCompile(`(?m)^`+word+` .*$`).FindAllString(report, -1)
}
