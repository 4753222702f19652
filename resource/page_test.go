// This file owns the comparison of docs/resources.md with the examples.

package resource_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testkit"
)

func TestPageShowsTheExamples(t *testing.T) {
	page, err := os.ReadFile("../docs/resources.md")
	require.NoError(t, err)
	source, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	require.Equal(t, 8, testkit.RequireShown(t, string(page), string(source)))
	require.Equal(t, strings.Count(string(page), "\n```"), 2*len(testkit.Blocks(string(page), "go")), "blocks are Go")
}
