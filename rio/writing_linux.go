// This file owns starting the disk early.

package rio

import (
	"os"

	"golang.org/x/sys/unix"
)

// startWriting has the kernel begin to write n bytes of a file to the disk, which syncing would
// otherwise begin with. It is no failure if it does not.
func startWriting(f *os.File, offset, n int64) {
	_ = unix.SyncFileRange(int(f.Fd()), offset, n, unix.SYNC_FILE_RANGE_WRITE)
}
