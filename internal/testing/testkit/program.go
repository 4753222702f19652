// This file owns Program: a program of models that tests run as ROSS ran it, and what it refuses.

package testkit

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Program is the function run of a model: it gets the words of the command line
// and returns the exit status.
type Program struct {
	Name    string // as cmd.txt has it
	Run     func(args []string, stdout, stderr io.Writer) int
	Payload func([]byte) string // makes the csv columns of a trace's payload; nil: it has none
	Prints  string              // how begins what the model prints at the end; "": the table of its statistics
}

// Like runs the program in a temporary folder with ROSS's arguments for a set,
// followed by more. It returns the trace and what was printed.
func (p Program) Like(t *testing.T, set string, more ...string) ([]Record, string) {
	t.Helper()
	words := strings.Fields(Content(t, "testdata", set, "cmd.txt"))
	args := append(words[slices.Index(words, p.Name)+1:], more...)

	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	require.Zero(t, p.Run(args, &out, &errs), "%v: %s", args, &errs)
	require.Empty(t, errs.String())
	got, err := ReadBinary("stats-output/ross-stats-evtrace.bin", p.Payload)
	require.NoError(t, err)
	return got, out.String()
}

// Refuses requires that the program ends with status 2 and says why: each case
// is a word of the command line and a part of the error that it causes.
func (p Program) Refuses(t *testing.T, cases [][2]string) {
	t.Helper()
	for _, c := range cases {
		arg, want := c[0], c[1]
		t.Run(arg, func(t *testing.T) {
			t.Chdir(t.TempDir())
			var out, errs bytes.Buffer
			require.Equal(t, 2, p.Run([]string{arg}, &out, &errs))
			require.Contains(t, errs.String(), want)
		})
	}
}

// Reference returns a csv file of a set.
func Reference(t *testing.T, set, name string) []Record {
	t.Helper()
	want, err := ReadCSV(filepath.Join("testdata", set, name))
	require.NoError(t, err)
	return want
}

// Report returns ROSS's report of a set.
func Report(t *testing.T, set string) string {
	t.Helper()
	return Content(t, "..", "..", "report", "testdata", set, "stats.txt")
}
