//go:build unix

// This file owns the tests of files of results whose names are those of links, devices and FIFOs.

package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testkit"
)

// resultNames are the files of results, and what writes each.
var resultNames = map[string]func(dir string) error{
	filepath.Join(LPStatsDir, "pe_0.txt"): func(dir string) error {
		return WriteLPStats(dir, 0, slices.Values([]LPStat{{1, 1, 1, ""}}))
	},
	CSVName: func(dir string) error { return AppendCSV(dir, csvStats()) },
}

func TestResultsGoToTheFileThatALinkLeadsTo(t *testing.T) {
	for name, write := range resultNames {
		dir, plain := t.TempDir(), t.TempDir()
		link, file := filepath.Join(dir, name), filepath.Join(dir, "elsewhere", "file")
		require.NoError(t, os.MkdirAll(filepath.Dir(link), 0o700))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.Symlink(file, link))
		for range 2 { // the first time the link leads to no file
			require.NoError(t, write(dir))
			require.NoError(t, write(plain))
		}
		info, err := os.Lstat(link)
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&os.ModeSymlink, name)
		require.Equal(t, testkit.Content(t, plain, name), testkit.Content(t, file))
	}
}

func TestResultsAreWrittenIntoAFIFO(t *testing.T) {
	for name, write := range resultNames {
		dir, plain := t.TempDir(), t.TempDir()
		fifo := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(fifo), 0o700))
		require.NoError(t, syscall.Mkfifo(fifo, 0o600))
		got := make(chan string)
		go func() {
			text, _ := os.ReadFile(fifo)
			got <- string(text)
		}()
		require.NoError(t, write(dir))
		require.NoError(t, write(plain))
		require.Equal(t, testkit.Content(t, plain, name), <-got, name)
		info, err := os.Lstat(fifo)
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&os.ModeNamedPipe, name)
		entries, err := os.ReadDir(filepath.Dir(fifo))
		require.NoError(t, err)
		require.Len(t, entries, 1)
		require.True(t, strings.HasSuffix(fifo, entries[0].Name()))
	}
}
