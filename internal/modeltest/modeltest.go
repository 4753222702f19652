// Package modeltest is shared by the tests of the programs in models: it runs a
// program as ROSS ran it, reads what ROSS printed, and checks what the program
// refuses. It reads the files of a run, too, for the tests of all packages; package
// rosstest has what needs package ross.
//
// A set is a folder testdata/<set> of the model with cmd.txt, the command line
// of ROSS, and the csv files of its event trace. ROSS's report of the same run
// is testdata/<set>/stats.txt of package report.
package modeltest

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/tracetest"
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
func (p Program) Like(t *testing.T, set string, more ...string) ([]tracetest.Record, string) {
	t.Helper()
	words := strings.Fields(Content(t, "testdata", set, "cmd.txt"))
	args := append(words[slices.Index(words, p.Name)+1:], more...)

	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	require.Zero(t, p.Run(args, &out, &errs), "%v: %s", args, &errs)
	require.Empty(t, errs.String())
	got, err := tracetest.ReadBinary("stats-output/ross-stats-evtrace.bin", p.Payload)
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
func Reference(t *testing.T, set, name string) []tracetest.Record {
	t.Helper()
	want, err := tracetest.ReadCSV(filepath.Join("testdata", set, name))
	require.NoError(t, err)
	return want
}

// Report returns ROSS's report of a set.
func Report(t *testing.T, set string) string {
	t.Helper()
	return Content(t, "..", "..", "report", "testdata", set, "stats.txt")
}
