// What a start costs: `go test -run '^$' -bench . ./internal/ranks`, and with -tags mpi.

package ranks_test

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks"
)

// A program of 30 MB, read anew each time.
func BenchmarkProgram(b *testing.B) {
	const size = 30_000_000
	path := filepath.Join(b.TempDir(), "program")
	require.NoError(b, os.WriteFile(path, make([]byte, size), 0o600))
	b.SetBytes(size)
	for b.Loop() {
		_, err := ranks.Identify(debug.ReadBuildInfo, func() (string, error) { return path, nil })
		require.NoError(b, err)
	}
}
