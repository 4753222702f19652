//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

// This file owns the tests of the lock on ross.csv: runs that end together need it, and a run waits for it, which
// /proc/locks shows.

package report

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testkit"
)

func TestRunsThatEndTogetherShareOneTable(t *testing.T) {
	const runs = 20
	dir := t.TempDir()
	errs := make([]error, runs)
	var wg sync.WaitGroup
	for i := range runs {
		wg.Go(func() { errs[i] = AppendCSV(dir, csvStats()) })
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	header, row := csvText(csvStats())
	require.Equal(t, header+strings.Repeat(row, runs), testkit.Content(t, dir, CSVName))
}

// TestRunWaitsForTheLockOfAnother holds the lock amid a row, and ends the row when the other run waits.
func TestRunWaitsForTheLockOfAnother(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/proc/locks is Linux's")
	}
	testkit.Watch(t)
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
		for line := range strings.Lines(testkit.Content(t, "/proc/locks")) {
			waits = waits || strings.Contains(line, "->") && strings.Contains(line, inode)
		}
	}
	_, err = f.WriteString(row[10:])
	require.NoError(t, err)
	require.NoError(t, syscall.Flock(int(f.Fd()), syscall.LOCK_UN))
	require.NoError(t, <-done)
	require.Equal(t, header+row+row, testkit.Content(t, dir, CSVName))
}
