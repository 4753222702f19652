// This file owns the test that a run waits for the lock on ross.csv, which /proc/locks shows.

package report

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
)

// TestRunWaitsForTheLockOfAnother holds the lock amid a row, and ends the row when the other run waits.
func TestRunWaitsForTheLockOfAnother(t *testing.T) {
	modeltest.Watch(t)
	dir := t.TempDir()
	header, row := csvText(csvStats())
	f, err := os.OpenFile(filepath.Join(dir, CSVName), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
	_, err = f.WriteString(header + row[:10])
	require.NoError(t, err)
	info, err := f.Stat()
	require.NoError(t, err)
	inode := fmt.Sprintf(":%d ", info.Sys().(*syscall.Stat_t).Ino)
	done := make(chan error, 1)
	go func() { done <- AppendCSV(dir, csvStats()) }()
	for waits := false; !waits; {
		select {
		case err := <-done:
			require.FailNow(t, "it has not waited for the lock", "%v", err)
		default:
			runtime.Gosched()
		}
		for line := range strings.Lines(modeltest.Content(t, "/proc/locks")) {
			waits = waits || strings.Contains(line, "->") && strings.Contains(line, inode)
		}
	}
	_, err = f.WriteString(row[10:])
	require.NoError(t, err)
	require.NoError(t, syscall.Flock(int(f.Fd()), syscall.LOCK_UN))
	require.NoError(t, <-done)
	require.Equal(t, header+row+row, modeltest.Content(t, dir, CSVName))
}
