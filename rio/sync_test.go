// This file pins that files and folders are synced: on a file system that cannot, this is an error.

//go:build linux

package rio

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSyncReachesTheFileSystem syncs what the system refuses to sync: a folder of /proc, and a pipe.
func TestSyncReachesTheFileSystem(t *testing.T) {
	var d disk
	require.ErrorContains(t, d.syncFolder("/proc/self/checkpoint"), "another file system")
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	defer w.Close()
	require.Error(t, d.sync(w))
	require.NoError(t, d.syncFolder(t.TempDir()+"/checkpoint"))
}
