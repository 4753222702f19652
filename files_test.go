// Files that tests read.

package ross

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func contentOf(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(text)
}
