//go:build !nolive

// What a program answers a shell, and that bash completes its options with the script.

package parts_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
)

// TestMain runs the tests, or the program steps with ROSS_TEST_STEPS.
func TestMain(m *testing.M) {
	if os.Getenv("ROSS_TEST_STEPS") != "" {
		os.Exit(steps(nil).Main(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// steps is a program without a model. built is called for one, unless it is nil.
func steps(built func()) program.Program {
	return program.Program{
		Name: "steps", Config: ross.DefaultConfig(), Parts: parts.All(),
		Options: func(o *ross.Options, cfg *ross.Config) { cfg.RegisterLPs(o.Group("Steps")) },
		Build: func(*ross.Simulation) error {
			built()
			return nil
		},
	}
}

// output returns what the program prints.
func output(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	require.Zero(t, steps(nil).Main(args, &out, &errs), "%s", &errs)
	return out.String()
}

func TestProgramTellsAShellItsOptions(t *testing.T) {
	require.Contains(t, output(t, "__complete", "--nl"), "--nlp=\tnumber of LPs per processor\n")
	require.Contains(t, output(t, "__complete", "--synch=opt"), "--synch=optimistic\n--synch=optimistic-debug\n")
	require.Contains(t, output(t, "__complete", "--report="), "--report=full\n--report=short\n")
	require.Contains(t, output(t, "--man"), "ROSS Kernel")
	require.Contains(t, output(t, "--version"), "steps")
	built := false
	var out, errs bytes.Buffer
	require.Equal(t, 2, steps(func() { built = true }).Main([]string{"--completion=tcsh"}, &out, &errs))
	require.Equal(t, "steps: option --completion=tcsh: no such shell; give one of bash, zsh, fish, powershell\n",
		errs.String())
	require.False(t, built)
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

func ExampleAll() {
	bikes := program.Program{
		Name: "bikes", Config: ross.DefaultConfig(), Parts: parts.All(),
		Build: func(sim *ross.Simulation) error {
			return sim.Define(ross.Type[int]{Event: ross.On(func(*int, *ross.LP, *ross.None) {})})
		},
	}
	fmt.Println("status", bikes.Main([]string{"--progress=sometimes"}, io.Discard, os.Stdout))
	// Output:
	// bikes: option --progress=sometimes: unknown value; give on, off or auto, or the name alone for on
	// status 2
}
