// What the program says of its options.

package main

import (
	"bytes"
	"os"
	"slices"
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
	lines := heads(engine)
	for _, head := range heads(strings.TrimSuffix(want, "  --help                show this message\n")) {
		at := slices.Index(lines, head)
		require.GreaterOrEqual(t, at, 0, "%q is missing, or at another place", head)
		lines = lines[at+1:]
	}
	options := slices.DeleteFunc(heads(last), func(head string) bool { return !strings.HasPrefix(head, "  --") })
	require.Equal(t, []string{"  --progress=when", "  --http=addr", "  --http-linger=time", "  --help", "  --version", "  --completion=shell", "  --man"}, options)
}

// heads returns the headings, and the options with their labels, of lines of help.
func heads(text string) (all []string) {
	for _, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "  ") {
			all = append(all, line)
			continue
		}
		if strings.HasPrefix(line, strings.Repeat(" ", 24)) { // an explanation
			continue
		}
		head, _, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
		if head != "" {
			head = "  " + head
		}
		all = append(all, head)
	}
	return all
}
