// This file owns the test that README.md and its program do not part.

package ross_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadmeShowsTheExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	source, err := os.ReadFile("example_readme_test.go")
	require.NoError(t, err)

	const from = "const lps"
	_, shown, _ := strings.Cut(string(readme), "\n"+from)
	shown, _, found := strings.Cut(shown, "\n}\n```")
	require.True(t, found, "README.md has no program from %q to its end", from)
	_, here, _ := strings.Cut(string(source), "\n"+from)
	here, _, _ = strings.Cut(here, "\n\t// Output:")
	require.Equal(t, strings.Replace(here, "func Example()", "func main()", 1), shown)
}
