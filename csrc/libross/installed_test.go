// This file owns the library that tests of C models use: it is built once, where that is possible. A build of the tests
// with MPI builds it for MPI, and mpirun starts the models that otherwise start their ranks themselves (--ranks).

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/mpi/session"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
)

func TestMain(m *testing.M) {
	if mpi.Enabled {
		// The others have nothing to do with MPI.
		testlevel.Only(testlevel.Few, TestModelsOnRanksHaveTheEventsAndStatesOfOneProcess, TestStaticVariablesAreThoseOfARank,
			TestModelsStoreOnRanksAndLoadOnOthers, TestMistakesUnderMpirunEndAllRanks, TestTheMPIOfRanks,
			TestPartsOfTheProcessesRunModels)
		if !testlevel.Is(testlevel.Few) {
			testlevel.Only(testlevel.All, TestModelsOnRanksHaveTheEventsAndStatesOfOneProcess,
				TestStaticVariablesAreThoseOfARank,
				TestModelsStoreOnRanksAndLoadOnOthers, TestMistakesUnderMpirunEndAllRanks, TestTheMPIOfRanks,
				TestPartsOfTheProcessesRunModels,
				TestModelsWithLPsOfEachNode, TestWhatRanksCollectIsThatOfOneProcess, TestHooksOnRanksAreCalledTogether,
				TestCheckpointsOfCModelsLoadOnOtherRanks)
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
	args := append([]string{"-O2", "-Wall", "-Wextra", "-Werror", filepath.Join("testdata", model+".c"), "-o", program},
		flags...)
	text, err := exec.CommandContext(t.Context(), filepath.Join(folder, "bin", "ross-cc"), args...).CombinedOutput()
	require.NoError(t, err, "%s", text)
	if installed.programs == nil {
		installed.programs = map[string]string{}
	}
	installed.programs[key] = program
	return program
}

// compiled returns a compiled model as tests of models run it, by the path. In a build with MPI --ranks=N is mpirun -np
// N.
func compiled(t *testing.T, path string) testkit.Program {
	return testkit.Program{Name: filepath.Base(path), Run: func(args []string, stdout, stderr io.Writer) int {
		words := append([]string{path}, args...)
		if at := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "--ranks=") }); mpi.Enabled &&
			at > 0 {
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
	cc := exec.CommandContext(t.Context(), installed.cc, append([]string{filepath.Join("testdata", "phold.c"), "-o", path},
		flags...)...)
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

func TestTheFolderOfTheLibraryCanBeMoved(t *testing.T) {
	folder := install(t)
	for _, part := range []string{"bin", "include", "lib"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(folder, part), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(path)
			require.NotContains(t, string(text), folder, path)
			return err
		}))
	}
	moved := filepath.Join(t.TempDir(), "moved")
	require.NoError(t, os.CopyFS(filepath.Join(moved, "bin"), os.DirFS(filepath.Join(folder, "bin"))))
	for _, part := range []string{"include", "lib"} {
		require.NoError(t, os.Symlink(filepath.Join(folder, part), filepath.Join(moved, part)))
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(moved, "bin", "ross-cc"), "-###",
		filepath.Join("testdata", "phold.c"), "-o", filepath.Join(moved, "phold")).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), filepath.Join(moved, "lib", "libROSS.a"))
	require.NotContains(t, string(out), folder+"/")

	if _, err := exec.LookPath("pkg-config"); err != nil {
		return // the file is read as it is by TestModelsRunWithTheSharedLibrary
	}
	pc := exec.CommandContext(t.Context(), "pkg-config", "--cflags", "--libs", "ross")
	pc.Env = append(os.Environ(), "PKG_CONFIG_PATH="+filepath.Join(moved, "lib", "pkgconfig"))
	out, err = pc.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "-I"+moved+"/")
	require.Contains(t, string(out), "-L"+moved+"/")
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

// States of C models in checkpoints, and deltas of states.

// ledger runs testdata/ledger.c, and returns the digest, the final states and the number of committed events.
func ledger(t *testing.T, path, line string) [3]string {
	t.Helper()
	status, out, errs := play(t, path, line+" --digest --states=states.txt")
	require.Zero(t, status, "%s: %s%s", line, out, errs)
	return [3]string{testkit.Figure(t, out, "Committed Event Digest"), testkit.Content(t, "states.txt"),
		testkit.Figure(t, out, "Net Events Processed")}
}

// The model's reverse handler with what is in the message is the oracle.
func TestDeltasRestoreStates(t *testing.T) {
	path := compile(t, "ledger")
	t.Chdir(t.TempDir())
	want := ledger(t, path, "--synch=1 --hand=1")
	for _, line := range append(schedulers(), "--synch=6") {
		require.Equal(t, want, ledger(t, path, line), line)
	}
	half := ledger(t, path, "--synch=1 --hand=2")
	require.NotEqual(t, want, half, "it draws more")
	for _, line := range testlevel.Pick(schedulers(), nil, nil) {
		require.Equal(t, half, ledger(t, path, line+" --hand=2"), line)
	}
	require.Equal(t, half, ledger(t, path, "--synch=3 --pes=3 --nkp=2 --batch=2 --gvt-interval=2 --hand=2"))
	status, _, errs := play(t, path, "--synch=4 --end=5")
	require.Zero(t, status, errs)
	status, out, _ := play(t, path, "--synch=6 --wrong=1")
	require.NotZero(t, status)
	require.Contains(t, out, "the event handler has not called tw_snapshot_delta")
}

// States are stored as they are in memory, with three streams for each LP.
func TestRunsOfCModelsGoOnFromTheirCheckpoints(t *testing.T) {
	path := compile(t, "ledger")
	t.Chdir(t.TempDir())
	want := ledger(t, path, "--synch=1")
	runs := testlevel.Pick([][2]string{
		{"--synch=1", "--synch=3 --pes=3"}, {"--synch=3 --pes=2", "--synch=1"}, {"--synch=2 --pes=2", "--synch=3 --pes=1"},
		{"--synch=3 --pes=3 --nkp=2", "--synch=2 --pes=2"},
		{"--synch=6", "--synch=6"}, {"--synch=auto --pes=2", "--synch=auto --pes=3"},
	}, nil, [][2]string{{"--synch=3 --pes=2 --batch=2 --gvt-interval=2", "--synch=3 --pes=3"}})
	for _, run := range runs {
		old, err := filepath.Glob("ckpt*")
		require.NoError(t, err)
		for _, name := range old {
			require.NoError(t, os.Remove(name))
		}
		require.Equal(t, want, ledger(t, path, run[0]+" --io-name=ckpt --io-virtual-interval=17"), run[0])
		status, out, errs := play(t, path,
			run[1]+" --io-name=ckpt --io-restart=latest --io-other-options --digest --states=states.txt")
		require.Zero(t, status, "%s: %s%s", run[1], out, errs)
		require.Contains(t, out, "Restart at time ")
		require.Equal(t, want[0], testkit.Figure(t, out, "Committed Event Digest"), run)
		require.Equal(t, want[1], testkit.Content(t, "states.txt"), run)
		require.NotEqual(t, want[2], testkit.Figure(t, out, "Net Events Processed"))
	}
}

func TestStatesWithAddressesAreNotStored(t *testing.T) {
	path := compile(t, "ledger")
	t.Chdir(t.TempDir())
	const says = "bytes 2416 to 2423 hold an address, which means nothing in another run"
	for _, line := range []string{"--pointer=1", "--pointer=1 --synch=3 --pes=2", "--pointer=2",
		"--pointer=2 --synch=3 --pes=2"} {
		status, _, errs := play(t, path, line+" --io-virtual-interval=30") // the first one is due when they hold it
		require.NotZero(t, status, line)
		require.Contains(t, errs, says, line)
		require.False(t,
			slices.ContainsFunc(files(t), func(name string) bool { return strings.HasPrefix(name, "checkpoint") }))
	}
	t.Setenv("ROSS_POINTERS", "numbers")
	status, _, errs := play(t, path, "--pointer=1 --io-virtual-interval=17")
	require.Zero(t, status, errs)
}

// files returns the names in the current folder.
func files(t *testing.T) (names []string) {
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A run stores, and others continue from there and from what ROSS has stored: the events are those of the traces of
// ROSS in folder models/pholdio.
func TestModelsStoreAndLoadAsWithROSS(t *testing.T) {
	const set, line = "rio-restart", "--remote=0.5 --lookahead=0.05 --end=50 --nlp=8 --event-trace=3 "
	path := compile(t, "pholdio", "-DUSE_RIO")
	t.Chdir("../../models/pholdio")
	store, load := testkit.Reference(t, set, "store-trace.csv"), testkit.Reference(t, set, "load-trace.csv")
	from, err := filepath.Abs(filepath.Join("testdata", set, "ckpt"))
	require.NoError(t, err)
	traced := func(line string) ([]testkit.Record, string) {
		require.NoError(t, os.RemoveAll("stats-output"))
		status, out, errs := play(t, path, line)
		require.Zero(t, status, "%s: %s", line, errs)
		got, err := testkit.ReadBinary("stats-output/ross-stats-evtrace.bin", nil)
		require.NoError(t, err)
		return testkit.ByDest(got), out
	}
	lines := testlevel.Pick([]string{"--synch=1", "--synch=3 --pes=2", "--synch=2 --pes=3", "--synch=6"},
		[]string{"--synch=1", "--synch=3 --pes=2"}, []string{"--synch=3 --pes=2"})
	for _, how := range lines {
		t.Chdir(t.TempDir())
		got, out := traced(line + how + " --io-store=1 --io-files=2")
		require.NoError(t, testkit.Compare(got, testkit.ByDest(store)), how)
		require.Contains(t, out, "Storing Dummy 7 on 7\n")
		require.Contains(t, out, "\n2 files\n")
		got, out = traced(line + how)
		require.NoError(t, testkit.Compare(got, testkit.ByDest(load)), how)
		require.Contains(t, out, "Found Dummy 7 on 7\n")
		t.Chdir(t.TempDir())
		require.NoError(t, os.CopyFS(".", os.DirFS(from)))
		got, _ = traced(line + how)
		require.NoError(t, testkit.Compare(got, testkit.ByDest(load)), "what ROSS stored: %s", how)
	}
}

// With --io-as-ross=0 a run goes on at the time at which it was stored, and is the run that was not stopped.
func TestWhatAModelStoresGoesOnAsIfItHadNotStopped(t *testing.T) {
	const line = "--lookahead=0.05 --nlp=8 --digest "
	path := compile(t, "pholdio", "-DUSE_RIO")
	t.Chdir(t.TempDir())
	_, out, _ := play(t, path, line+"--end=90 --io-store=2")
	want := testkit.Figure(t, out, "Committed Event Digest")
	status, _, errs := play(t, path, line+"--end=40 --io-store=1 --synch=3 --pes=2")
	require.Zero(t, status, errs)
	status, out, errs = play(t, path, line+"--end=90 --io-as-ross=0 --synch=3 --pes=3")
	require.Zero(t, status, errs)
	require.Equal(t, want, testkit.Figure(t, out, "Committed Event Digest"))
	events := map[string]string{}
	for _, mode := range []string{"1", "2", "3"} { // init sends events in two of them
		status, out, errs = play(t, path, line+"--end=40 --synch=3 --pes=2 --mode="+mode)
		require.Zero(t, status, errs)
		require.Contains(t, out, "Found Dummy 7 on 7\n")
		events[mode] = testkit.Figure(t, out, "Net Events Processed")
	}
	require.NotEqual(t, events["2"], events["1"])
	require.NotEqual(t, events["2"], events["3"])
	for line, want := range map[string]string{
		"--nlp=8 --name=other":            "there is no checkpoint of this name",
		"--nlp=9":                         "it has 8 LPs, the simulation has 9",
		"--nlp=8 --mode=7":                "io_load_checkpoint: pholdio_checkpoint: mode 7: give PRE_INIT, INIT or POST_INIT",
		"--nlp=8 --io-store=1 --name=a/b": "a/b",
	} {
		status, out, errs := play(t, path, line+" --end=10")
		require.NotZero(t, status, line)
		require.Contains(t, out+errs, want)
	}
}
