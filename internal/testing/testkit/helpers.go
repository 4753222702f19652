// This file owns what tests of all packages share: files, random numbers, and repeating until it has happened.

package testkit

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

// Content returns what is in a file.
func Content(t testing.TB, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(text)
}

// Records returns all records of a file of the instrumentation, by the folder and the suffix.
func Records(t *testing.T, dir, suffix string) (all []instr.Record) {
	t.Helper()
	r, err := instr.Open(instr.FileName(dir, "", suffix))
	require.NoError(t, err)
	defer r.Close()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return all
		}
		require.NoError(t, err)
		c := *rec
		c.Model.Payload = append([]byte(nil), c.Model.Payload...)
		c.VTModel.Payload = append([]byte(nil), c.VTModel.Payload...)
		c.Event.Payload = append([]byte(nil), c.Event.Payload...)
		all = append(all, c)
	}
}

// Figure returns a figure of a report, which has one word.
func Figure(t testing.TB, report, label string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^\t` + regexp.QuoteMeta(label) + ` +(\S+)$`).FindStringSubmatch(report)
	require.NotNil(t, found, "the report has no %q", label)
	return found[1]
}

// What a scheduler decides: tests repeat it until it has happened.

// mostAttempts is so large that what happens in one attempt of a hundred does happen.
const mostAttempts = 2000

// Until calls attempt until it reports that what the test is about has happened, which depends on how the operating
// system schedules threads. It fails the test if that does not happen in many attempts.
func Until(t testing.TB, what string, attempt func() bool) {
	t.Helper()
	for range mostAttempts {
		if attempt() {
			return
		}
	}
	t.Fatalf("in %d attempts there was no run in which %s", mostAttempts, what)
}
