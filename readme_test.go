// This file owns the tests that README.md and docs/instrumentation.md do not part from their programs.

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

func TestInstrumentationPageShowsTheExample(t *testing.T) {
	page, err := os.ReadFile("docs/instrumentation.md")
	require.NoError(t, err)
	source, err := os.ReadFile("example_instrumentation_test.go")
	require.NoError(t, err)

	shown := 0
	for rest := string(page); ; {
		_, block, found := strings.Cut(rest, "```go\n")
		if !found {
			break
		}
		block, rest, _ = strings.Cut(block, "```")
		for part := range strings.SplitSeq(strings.TrimSpace(block), "\n\n") {
			require.Contains(t, string(source), part)
			shown++
		}
	}
	require.Equal(t, 6, shown, "parts of the example on the page")
}
