// This file pins what MakeDir says of a folder that refuses even the superuser.

package instr

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMakeDirErrorNamesParentThatRefuses(t *testing.T) {
	const path = "/proc/ross-stats"
	_, err := MakeDir(path)
	require.ErrorContains(t, err, path)
	_, err = MakeDir(filepath.Join(path, "out"))
	require.ErrorContains(t, err, filepath.Join(path, "out"))
}
