// This file owns the comparison of a model with the original program: every event, and every state
// at the end.

package modeltest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
)

// LikeOriginal requires that a run with a line of options has the events and the final states of a
// run of the original program, and returns what was printed. testdata has what the original
// program left:
//
//	stats-<name>.txt         hashes of the two files, and its statistics
//	trace-<name>.csv.gz      its events, if they are there, to show the first difference
//	lpstate-<name>.txt.gz    its final states, likewise
func (p Program) LikeOriginal(t *testing.T, name, line string) (report string) {
	t.Helper()
	folder, err := filepath.Abs("testdata")
	require.NoError(t, err)
	stats := Content(t, folder, "stats-"+name+".txt")
	t.Chdir(t.TempDir())
	defer t.Chdir(filepath.Dir(folder))
	var out, errs bytes.Buffer
	require.Zero(t, p.Run(strings.Fields(line+" --trace=trace.csv --states=states.txt"), &out, &errs), "%s: %s", line, &errs)
	require.Empty(t, errs.String())
	original(t, stats, `trace sha256.* ([0-9a-f]{64})`, "trace.csv", filepath.Join(folder, "trace-"+name+".csv.gz"))
	original(t, stats, `final LP states: sha256.* ([0-9a-f]{64})`, "states.txt", filepath.Join(folder, "lpstate-"+name+".txt.gz"))
	return out.String()
}

// original requires that a file has the hash that the statistics of the original program name.
func original(t *testing.T, stats, pattern, file, like string) {
	t.Helper()
	hash := regexp.MustCompile(pattern).FindStringSubmatch(stats)
	require.NotNil(t, hash, "%s: the statistics have no hash", file)
	got := Content(t, file)
	sum := sha256.Sum256([]byte(got))
	if hex.EncodeToString(sum[:]) == hash[1] {
		return
	}
	want := Unpack(t, like)
	lines, wanted := strings.Split(got, "\n"), strings.Split(want, "\n")
	if want != "" {
		for i := range min(len(lines), len(wanted)) {
			require.Equal(t, wanted[i], lines[i], "line %d of %s", i+1, file)
		}
		require.Len(t, lines, len(wanted), file)
	}
	require.Equal(t, hash[1], hex.EncodeToString(sum[:]), "%s: %d lines differ from the original's", file, len(lines))
}

// Unpack returns the contents of a compressed file, or "" if there is none.
func Unpack(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return ""
	}
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	return string(text)
}

// HasEvents requires that a sequential run with a line of options has so many events.
func (p Program) HasEvents(t *testing.T, events, line string) {
	t.Helper()
	testlevel.Once(t, "how many events there are")
	t.Chdir(t.TempDir())
	require.Equal(t, events, Figure(t, p.Play(t, line+" --synch=1").Report, "Net Events Processed"))
}
