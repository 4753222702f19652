// What a shell gets: scripts that it can read, words that it can use, and a manual page without warnings.

package shell

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/usage"
)

var bikes = Command{Name: "bikes", About: "rent [bikes] & such", Args: "FILE...",
	Options: []Option{
		{Group: "City", Name: "stations", Label: "n", Help: "number of stations\nall of them", Default: "16"},
		{Group: "City", Name: "states", Help: "a switch; a_b_c *x*, <y> and 2^X"},
		{Group: "Run", Name: "mode", Label: "name", Help: "how", Choices: []string{"slow", "swift", "wild"}},
	}}

var reader = Command{Name: "reader", About: "reads", Subs: []Command{
	{Name: "show", About: "shows", Args: "FILE", Options: bikes.Options},
	{Name: "store", About: "stores", Subs: []Command{{Name: "check", About: "checks"}}},
}}

func answer(t *testing.T, c Command, words ...string) string {
	t.Helper()
	var out bytes.Buffer
	args := append([]string{"__completeNoDesc"}, words...)
	require.True(t, Asked(args))
	require.Zero(t, Answer(c, args, &out, io.Discard))
	return strings.ReplaceAll(strings.TrimSpace(out.String()), "\n", " ")
}

func TestWordsAreCompleted(t *testing.T) {
	require.Equal(t, "--stations= --states :38", answer(t, bikes, "--st"))
	require.Equal(t, "--stations= --states --mode= :38", answer(t, bikes, "x", "-"))
	require.Equal(t, "--mode=slow --mode=swift :4", answer(t, bikes, "--mode=s"))
	require.Equal(t, ":0", answer(t, bikes, "--stations="), "files")
	require.Equal(t, ":0", answer(t, bikes, "--mode=x"))
	require.Equal(t, ":0", answer(t, bikes, ""), "files")
	require.Equal(t, "show store :4", answer(t, reader, "s"))
	require.Equal(t, "--mode= :38", answer(t, reader, "show", "--m"))
	require.Equal(t, "check :4", answer(t, reader, "store", "ch"))
	require.False(t, Asked(nil))
	require.False(t, Asked([]string{"--st"}))
}

func TestThereIsAScriptForEachShell(t *testing.T) {
	for name := range strings.SplitSeq(Shells, ", ") {
		var script bytes.Buffer
		require.NoError(t, Script(bikes, "--completion", name, &script))
		require.Contains(t, script.String(), "bikes")
		if path, err := exec.LookPath(name); err == nil && name != "powershell" {
			file := filepath.Join(t.TempDir(), "script")
			require.NoError(t, os.WriteFile(file, script.Bytes(), 0o600))
			text, err := exec.Command(path, "-n", file).CombinedOutput()
			require.NoError(t, err, "%s: %s", name, text)
		}
	}
	err := Script(bikes, "option --completion", "tcsh", io.Discard)
	require.ErrorIs(t, err, usage.Err)
	require.ErrorContains(t, err, "option --completion=tcsh: no such shell; give one of bash, zsh, fish, powershell")
}

func TestManualHasAllOptionsAsTheyAreWritten(t *testing.T) {
	var page bytes.Buffer
	require.NoError(t, Man(bikes, "ross 1", &page))
	for _, part := range []string{".TH", ".SH SYNOPSIS", `--stations=n`, "number of stations; all of them (default 16)",
		"a_b_c *x*, <y> and 2^X", "rent [bikes] & such", "City"} {
		require.Contains(t, strings.NewReplacer(`\-`, "-", `\(ha`, "^").Replace(page.String()), part)
	}
	var more bytes.Buffer
	require.NoError(t, Man(reader, "ross 1", &more))
	for _, part := range []string{"reader store check", ".SH SHOW", ".SH STORE CHECK"} {
		require.Contains(t, more.String(), part)
	}
	if groff, err := exec.LookPath("groff"); err == nil {
		for _, p := range []bytes.Buffer{page, more} {
			run := exec.Command(groff, "-ww", "-man", "-Tutf8")
			run.Stdin = &p
			var warnings bytes.Buffer
			run.Stderr = &warnings
			require.NoError(t, run.Run())
			require.Empty(t, warnings.String())
		}
	}
}
