// This file owns the comparison of docs/resources.md with the examples.

package resource_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPageShowsTheExamples(t *testing.T) {
	page, err := os.ReadFile("../docs/resources.md")
	require.NoError(t, err)
	source, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	shown := 0
	for i, block := range strings.Split(string(page), "\n```") {
		code, isGo := strings.CutPrefix(block, "go\n")
		if !isGo {
			require.True(t, i%2 == 0, "blocks are Go")
			continue
		}
		for part := range strings.SplitSeq(code, "\n\n") {
			require.True(t, strings.Contains(string(source), part), "no example has this part of the page:\n%s", part)
			shown++
		}
	}
	require.Equal(t, 8, shown)
}
