//go:build !nolive

// What a program answers a shell, and that bash completes its options with the script.

package program_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func told(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	require.Zero(t, newSteps().Main(args, &out, &errs), "%s", &errs)
	return out.String()
}

func TestProgramTellsAShellItsOptions(t *testing.T) {
	require.Contains(t, told(t, "__complete", "--nl"), "--nlp=\tnumber of LPs per processor\n")
	require.Contains(t, told(t, "__complete", "--synch=opt"), "--synch=optimistic\n--synch=optimistic-debug\n")
	require.Contains(t, told(t, "__complete", "--report="), "--report=full\n--report=short\n")
	require.Contains(t, told(t, "--man"), "ROSS Kernel")
	require.Contains(t, told(t, "--version"), "steps")
	s := newSteps()
	var out, errs bytes.Buffer
	require.Equal(t, 2, s.Main([]string{"--completion=tcsh"}, &out, &errs))
	require.Equal(t, "steps: option --completion=tcsh: no such shell; give one of bash, zsh, fish, powershell\n", errs.String())
	require.NotContains(t, s.called, "Build")
}

// The functions of the package bash-completion, which may not be installed, are replaced by what the script
// needs of them.
const inBash = `
_get_comp_words_by_ref() { cur=${COMP_WORDS[COMP_CWORD]}; prev=${COMP_WORDS[COMP_CWORD-1]}; words=("${COMP_WORDS[@]}"); cword=$COMP_CWORD; }
__ltrim_colon_completions() { :; }
PATH=$PWD:$PATH
source <(steps --completion=bash)
COMP_WORDS=(steps --nl) COMP_CWORD=1 COMP_LINE="steps --nl" COMP_POINT=10 COMP_TYPE=9
compopt() { :; }
__start_steps
printf '<%s>' "${COMPREPLY[@]}"
`

func TestBashCompletesAnOption(t *testing.T) {
	bash, err := exec.LookPath("bash")
	require.NoError(t, err)
	dir := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	script := "#!/bin/sh\nROSS_TEST_STEPS=1 exec '" + self + "' \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "steps"), []byte(script), 0o700))
	run := exec.Command(bash, "--norc", "-c", inBash)
	run.Dir = dir
	text, err := run.CombinedOutput()
	require.NoError(t, err, "%s", text)
	require.Equal(t, "<--nlp=>", string(text))
}
