// What the program says of its options.

package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHelpHasAllOfTheOriginalsAndThenWhatLooksOn(t *testing.T) {
	original, err := os.ReadFile("../../testdata/help.txt")
	require.NoError(t, err)
	want, _, found := strings.Cut(string(original), "ROSS CMake Configuration Options:\n")
	require.True(t, found)

	var out, errs bytes.Buffer
	require.Zero(t, run([]string{"--help"}, &out, &errs))
	require.Empty(t, errs.String())
	engine, last, found := strings.Cut(out.String(), "\nROSS Live:\n")
	require.True(t, found)
	lines := strings.SplitAfter(engine, "\n")
	for _, line := range strings.SplitAfter(strings.TrimSuffix(want, "  --help                show this message\n"), "\n") {
		at := 0
		for at < len(lines) && lines[at] != line {
			at++
		}
		require.Less(t, at, len(lines), "%q is missing, or at another place", line)
		lines = lines[at+1:]
	}
	require.Equal(t, []string{"  --progress=when", "  --http=addr", "  --help", ""}, heads(last))
}

// heads returns the options of lines of help.
func heads(text string) (all []string) {
	for _, line := range strings.Split(text, "\n") {
		head, _, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
		if head != "" {
			head = "  " + head
		}
		all = append(all, head)
	}
	return all
}
