//go:build unix

// This file tests that each subcommand with -o accepts outputs that are not ordinary files.

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

const sampleFile = "../../instr/testdata/opt2-gvt.bin" // has records of PEs and of KPs

func TestStandardOutputAndFIFOsTakeWhatFilesTake(t *testing.T) {
	for _, args := range []string{"report", "trace", "dump --kind=pe", "dump --format=jsonl"} {
		words := append(strings.Fields(args), sampleFile, "-o")
		file := filepath.Join(t.TempDir(), "file")
		var told, stderr bytes.Buffer
		require.Zero(t, run(append(words, file), &told, &stderr), "%s", &stderr)
		want, err := os.ReadFile(file)
		require.NoError(t, err)

		var stdout bytes.Buffer
		require.Zero(t, run(append(words, "-"), &stdout, &stderr), "%s", &stderr)
		require.Equal(t, string(want), stdout.String(), args)
		require.NoFileExists(t, "-")

		fifo := filepath.Join(t.TempDir(), "fifo")
		require.NoError(t, syscall.Mkfifo(fifo, 0o600))
		got := make(chan []byte)
		go func() {
			text, _ := os.ReadFile(fifo)
			got <- text
		}()
		require.Zero(t, run(append(words, fifo), &told, &stderr), "%s", &stderr)
		require.Equal(t, string(want), string(<-got), args)
	}
}

func TestSeveralKindsDoNotFitIntoOneFIFO(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	var stdout, stderr bytes.Buffer
	require.Equal(t, 2, run([]string{"dump", sampleFile, "-o", fifo}, &stdout, &stderr))
	require.Contains(t, stderr.String(), "choose one with --kind")
	entries, err := os.ReadDir(filepath.Dir(fifo))
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing beside it")
}
