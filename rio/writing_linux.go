// This file lets the kernel begin writing early.

package rio

import (
	"os"
	"syscall"
)

// startWriting makes the kernel begin to write n bytes of a file to the disk, which otherwise
// only starts with the sync. Failure does no harm.
func startWriting(f *os.File, offset, n int64) {
	const write = 2 // SYNC_FILE_RANGE_WRITE
	_ = syscall.SyncFileRange(int(f.Fd()), offset, n, write)
}
