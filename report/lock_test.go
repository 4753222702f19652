// This file owns the test that needs the lock on ross.csv.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package report

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
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
	require.Equal(t, header+strings.Repeat(row, runs), modeltest.Content(t, dir, CSVName))
}
