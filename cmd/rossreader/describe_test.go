// What rossreader says of itself: versions, help of subcommands, completion, the manual.

package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

func says(t *testing.T, status int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	require.Equal(t, status, run(args, &out, &errs), "%s", &errs)
	return out.String(), errs.String()
}

func TestVersionHasManyNames(t *testing.T) {
	for _, word := range []string{"version", "--version", "-version"} {
		text, _ := says(t, cli.StatusOK, word)
		require.Regexp(t, `^rossreader .*\nross +go-\S+\nrevision .*\ngo +go1`, text)
	}
}

func TestHelpOfASubcommand(t *testing.T) {
	for _, c := range program().Commands() {
		direct, _ := says(t, cli.StatusOK, c.Name(), "--help")
		asked, _ := says(t, cli.StatusOK, "help", c.Name())
		require.Equal(t, direct, asked)
		for line := range strings.Lines(direct) {
			require.LessOrEqual(t, len(line), 100, "%s: %s", c.Name(), line)
		}
	}
	text, _ := says(t, cli.StatusOK, "help", "checkpoint", "diff")
	require.Contains(t, text, "--most NUMBER")
	text, _ = says(t, cli.StatusOK, "help", "completion")
	require.Contains(t, text, "usage: rossreader completion SHELL\n")
	_, text = says(t, cli.StatusUsage, "help", "nonsense")
	require.Contains(t, text, `no subcommand "nonsense"`)
}

func TestOutputHasTwoNames(t *testing.T) {
	for _, name := range []string{"report", "trace", "dump"} {
		text, _ := says(t, cli.StatusOK, name, "--help")
		require.Contains(t, text, "  -o, --output FILE ", name)
	}
	for _, option := range []string{"-o", "--output"} {
		out := t.TempDir() + "/x.csv"
		says(t, cli.StatusOK, "dump", "../../instr/testdata/cons2-payload-evtrace.bin", option, out)
		require.FileExists(t, out)
	}
}

func TestSubcommandsAndTheirOptionsAreCompleted(t *testing.T) {
	text, _ := says(t, cli.StatusOK, "__completeNoDesc", "che")
	require.Contains(t, text, "check\ncheckpoint\n")
	text, _ = says(t, cli.StatusOK, "__completeNoDesc", "report", "--out")
	require.Contains(t, text, "--output\n")
	text, _ = says(t, cli.StatusOK, "__completeNoDesc", "dump", "--content=g")
	require.Contains(t, text, "gvt\n")
	text, _ = says(t, cli.StatusOK, "__completeNoDesc", "checkpoint", "diff", "--m")
	require.Contains(t, text, "--most\n")
	for _, shell := range []string{"bash", "zsh", "fish"} {
		text, _ = says(t, cli.StatusOK, "completion", shell)
		require.Contains(t, text, "rossreader")
	}
	_, text = says(t, cli.StatusUsage, "completion", "tcsh")
	require.Equal(t, "rossreader completion: tcsh: no such shell; give one of bash, zsh, fish, powershell\nfor more, see rossreader completion --help\n", text)
	_, text = says(t, cli.StatusUsage, "completion")
	require.Contains(t, text, "name one of bash, zsh")
}

func TestManualNamesAllSubcommands(t *testing.T) {
	text, _ := says(t, cli.StatusOK, "man")
	for _, c := range program().Commands() {
		require.Contains(t, text, ".SH "+strings.ToUpper(c.Name()))
	}
}
