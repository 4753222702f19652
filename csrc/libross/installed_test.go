// This file owns the library that tests of C models use: it is built once, where that is possible. A build of the tests
// with MPI builds it for MPI, and mpirun starts the models that otherwise start their ranks themselves (--ranks).

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/invariants"
	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/internal/mpi/session"
	"github.com/ross-go/ross/internal/racetest"
	"github.com/ross-go/ross/internal/testkit"
	"github.com/ross-go/ross/internal/testlevel"
)

func TestMain(m *testing.M) {
	if mpi.Enabled {
		// The others have nothing to do with MPI.
		testlevel.Only(testlevel.Few, TestModelsOnRanksHaveTheEventsAndStatesOfOneProcess, TestStaticVariablesAreThoseOfARank,
			TestModelsStoreOnRanksAndLoadOnOthers, TestMistakesUnderMpirunEndAllRanks, TestTheMPIOfRanks, TestPartsOfTheProcessesRunModels)
		if !testlevel.Is(testlevel.Few) {
			testlevel.Only(testlevel.All, TestModelsOnRanksHaveTheEventsAndStatesOfOneProcess, TestStaticVariablesAreThoseOfARank,
				TestModelsStoreOnRanksAndLoadOnOthers, TestMistakesUnderMpirunEndAllRanks, TestTheMPIOfRanks, TestPartsOfTheProcessesRunModels,
				TestModelsWithLPsOfEachNode, TestWhatRanksCollectIsThatOfOneProcess, TestHooksOnRanksAreCalledTogether, TestCheckpointsOfCModelsLoadOnOtherRanks)
		}
	}
	status := m.Run()
	if installed.folder != "" {
		os.RemoveAll(installed.folder)
	}
	os.Exit(status)
}

// installed is the library, in a folder for all tests.
var installed struct {
	sync.Once
	folder string
	why    string // the library cannot be built here
	cc     string // the C compiler
	failed error

	programs map[string]string // compiled models, by name and flags
}

// install returns the folder into which the library is installed. Where it cannot be built, or this build of the tests
// would find nothing that the usual one does not, it skips the test.
func install(t *testing.T) string {
	t.Helper()
	switch {
	case testlevel.Is(testlevel.Least), racetest.Slow, racetest.Asan, invariants.Enabled:
		t.Skip("C models run in processes of their own, built as usual: another build of the tests finds nothing more")
	}
	installed.Do(func() {
		out, err := exec.CommandContext(t.Context(), "go", "env", "CGO_ENABLED", "CC").Output()
		cgo, cc, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		if err != nil || cgo != "1" {
			installed.why = "there is no go command, or CGO_ENABLED is 0"
			return
		}
		installed.cc = strings.Fields(cc)[0]
		if _, err := exec.LookPath(installed.cc); err != nil {
			installed.why = "there is no C compiler " + cc
			return
		}
		if installed.folder, installed.failed = os.MkdirTemp("", "libross"); installed.failed != nil {
			return
		}
		cmd := exec.CommandContext(t.Context(), "../../tools/libross.sh", installed.folder)
		if mpi.Enabled {
			cmd.Args = append(cmd.Args, "static")
			cmd.Env = append(os.Environ(), "MPI=1")
		}
		if text, err := cmd.CombinedOutput(); err != nil {
			installed.failed = errors.New(string(text))
		}
	})
	require.NoError(t, installed.failed)
	if installed.why != "" {
		t.Skip(installed.why)
	}
	return installed.folder
}

// compile compiles a model of testdata, once for all tests, and returns the program's path.
func compile(t *testing.T, model string, flags ...string) string {
	t.Helper()
	folder := install(t)
	key := strings.Join(append([]string{model}, flags...), " ")
	if path, ok := installed.programs[key]; ok {
		return path
	}
	in, err := os.MkdirTemp(folder, "program")
	require.NoError(t, err)
	program := filepath.Join(in, model)
	args := append([]string{"-O2", "-Wall", "-Wextra", "-Werror", filepath.Join("testdata", model+".c"), "-o", program}, flags...)
	text, err := exec.CommandContext(t.Context(), filepath.Join(folder, "bin", "ross-cc"), args...).CombinedOutput()
	require.NoError(t, err, "%s", text)
	if installed.programs == nil {
		installed.programs = map[string]string{}
	}
	installed.programs[key] = program
	return program
}

// compiled returns a compiled model as tests of models run it, by the path. In a build with MPI --ranks=N is mpirun -np N.
func compiled(t *testing.T, path string) testkit.Program {
	return testkit.Program{Name: filepath.Base(path), Run: func(args []string, stdout, stderr io.Writer) int {
		words := append([]string{path}, args...)
		if at := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "--ranks=") }); mpi.Enabled && at > 0 {
			n := strings.TrimPrefix(words[at], "--ranks=")
			words = slices.Concat([]string{"mpirun", "--oversubscribe", "-np", n}, words[:at], words[at+1:])
		}
		ctx, cancel := context.WithTimeout(context.Background(), testkit.Limit(t))
		defer cancel()
		cmd := exec.CommandContext(ctx, words[0], words[1:]...)
		cmd.Stdout, cmd.Stderr = stdout, stderr
		if mpi.Enabled {
			cmd.Env = session.Env(t)
		}
		_ = cmd.Run()
		return cmd.ProcessState.ExitCode()
	}}
}

// play runs a compiled model in the current folder, and returns its status and what it printed.
func play(t *testing.T, path, line string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = compiled(t, path).Run(strings.Fields(line), &out, &errs)
	return status, out.String(), errs.String()
}

// The other ways to the library: the shared one, by pkg-config's file and by hand.

func TestModelsRunWithTheSharedLibrary(t *testing.T) {
	folder := install(t)
	pc := testkit.Content(t, folder, "lib", "pkgconfig", "ross.pc")
	set := strings.NewReplacer("${libdir}", "${prefix}/lib", "${includedir}", "${prefix}/include", "${prefix}", folder)
	var flags []string
	for line := range strings.Lines(pc) {
		if _, found, ok := strings.Cut(line, "flags: "); ok {
			flags = append(strings.Fields(set.Replace(set.Replace(found))), flags...)
		} else if found, ok := strings.CutPrefix(line, "Libs: "); ok {
			flags = append(flags, strings.Fields(set.Replace(set.Replace(found)))...)
		}
	}
	path := filepath.Join(t.TempDir(), "phold")
	cc := exec.CommandContext(t.Context(), installed.cc, append([]string{filepath.Join("testdata", "phold.c"), "-o", path}, flags...)...)
	out, err := cc.CombinedOutput()
	require.NoError(t, err, "%v: %s", cc.Args, out)
	t.Chdir(t.TempDir())
	t.Setenv("LD_LIBRARY_PATH", filepath.Join(folder, "lib"))
	status, report, errs := play(t, path, "--synch=3 --pes=2 --nlp=8 --end=100 --lookahead=0.1")
	require.Zero(t, status, errs)
	require.Contains(t, report, "received 851\n")
	require.Contains(t, errs, "nobody sees whether they write static variables: link the model with ross-cc")
	require.NoError(t, os.Remove(filepath.Join("ross.csv")))
}

func TestInstallingNeedsAFolder(t *testing.T) {
	install(t)
	out, err := exec.CommandContext(t.Context(), "../../tools/libross.sh", "").CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "give the folder to install into, as make libross PREFIX=FOLDER does")
}

func TestTheProgramWritesHeaders(t *testing.T) {
	var errs bytes.Buffer
	require.Equal(t, 2, run(nil, &errs))
	require.Contains(t, errs.String(), "give the folder for the headers")
	folder := filepath.Join(t.TempDir(), "headers")
	require.Zero(t, run([]string{folder}, &errs))
	for _, name := range []string{"ross.h", "mpi.h"} {
		require.FileExists(t, filepath.Join(folder, name))
	}
	require.Equal(t, 1, run([]string{filepath.Join(folder, "ross.h")}, &errs))
	require.Contains(t, errs.String(), "ross.h: not a directory")
}
