package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestComparisonsAreOfProgramsThatExist(t *testing.T) {
	names := map[string]bool{}
	for _, c := range comparisons() {
		require.False(t, names[c.name], c.name)
		names[c.name] = true
		require.FileExists(t, "../../"+c.program+"/main.go")
		require.NotEqual(t, c.a, c.b)
		require.NotContains(t, c.args+c.a, "--balance=on")
	}
	require.Greater(t, len(names), 20)
}

func TestAComparisonRunsBothSides(t *testing.T) {
	c := comparison{name: "small", program: hot, args: "--synch=2 --pes=2 --nlp=64 --end=20", a: off, b: on}
	dir := t.TempDir()
	pairs, err := c.measure(context.Background(), dir, 2)
	require.NoError(t, err)
	require.Len(t, pairs, 2)
	for _, p := range pairs {
		require.Positive(t, p.a)
		require.Positive(t, p.b)
	}
	c.b = "--end=21"
	_, err = c.measure(context.Background(), dir, 1)
	require.ErrorContains(t, err, "small: the two sides have committed different numbers of events")
	c.b = "--nonsense"
	_, err = c.measure(context.Background(), dir, 1)
	require.ErrorContains(t, err, "option --nonsense: unknown")
	c.program = "bench/nonsense"
	_, err = c.measure(context.Background(), dir, 1)
	require.ErrorContains(t, err, "balance: bench/nonsense: ")
}

func TestTableHasMediansAndQuartiles(t *testing.T) {
	require.Equal(t, "| x | 2.0 | 3.0 | 1.50 | 1.25 to 1.75 |", row("x", []pair{{1e6, 2e6}, {2e6, 3e6}, {4e6, 4e6}}))
	require.Equal(t, "| x | 1.5 | 2.5 | 1.75 | 1.62 to 1.88 |", row("x", []pair{{1e6, 2e6}, {2e6, 3e6}}))
	require.InDelta(t, 7, quantile([]float64{7}, 0.75), 0)
}

func TestArguments(t *testing.T) {
	var out bytes.Buffer
	require.ErrorIs(t, run(context.Background(), []string{"-help"}, &out), flag.ErrHelp)
	require.Contains(t, out.String(), "-runs number")
	require.ErrorContains(t, run(context.Background(), []string{"-runs=0"}, &out), "-runs=0: must be at least 1")
	out.Reset()
	require.NoError(t, run(context.Background(), []string{"-only=no such case"}, &out))
	require.Equal(t, heading, out.String())
}

// startSpinning runs this program again, with a variable set. stop ends that process.
func TestSpinningProcessEnds(t *testing.T) {
	stop, err := startSpinning(context.Background())
	require.NoError(t, err)
	stop()
}

func TestMain(m *testing.M) {
	if os.Getenv(spinning) != "" {
		spin()
	}
	os.Exit(m.Run())
}

func TestREADMEHasEachComparison(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	for _, c := range comparisons() {
		require.True(t, strings.Contains(string(text), "| "+c.name+" |"), c.name)
	}
}
