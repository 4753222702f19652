// This file tests the way to the subcommands.

package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSubcommandsAreFoundByTheirNames(t *testing.T) {
	for _, c := range program().Commands() {
		var stdout, stderr bytes.Buffer
		require.Zero(t, run([]string{c.Name(), "--help"}, &stdout, &stderr))
		require.Contains(t, stdout.String(), "\nusage: rossreader "+c.Name())
		require.Empty(t, stderr.String())
	}
}

func TestUsageListsTheSubcommands(t *testing.T) {
	for args, want := range map[string]int{"": 2, "--help": 0, "help": 0, "nonsense": 2} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, want, run(strings.Fields(args), &stdout, &stderr), args)
		text := stdout.String() + stderr.String()
		for _, c := range program().Commands() {
			require.Contains(t, text, "  "+c.Name()+" ")
		}
	}
}
