package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
)

func TestTheFirstWordIsTheModel(t *testing.T) {
	t.Chdir(t.TempDir())
	for name := range models {
		var out, errs bytes.Buffer
		require.Zero(t, run([]string{name, "--end=20", "--warm-up=0"}, &out, &errs), "%s: %s", name, &errs)
		require.Regexp(t, `Net Events Processed +[1-9]`, out.String(), name)
	}
	program := testkit.Program{Name: "processes", Run: run}
	program.Refuses(t, [][2]string{{"banks", `"banks" is no model: the first word has to be one of airport, bank`}})
}

func TestAModelHasStudies(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	require.Zero(t, run([]string{"ring", "--replications=3", "--results=delay"}, &out, &errs), "%s", &errs)
	require.Contains(t, out.String(), "confidence intervals")
}
