// This file owns reading and writing files in tests.

package checkpoint

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func writeFile(t testing.TB, path string, data []byte) {
	require.NoError(t, os.WriteFile(path, data, 0o600))
}
