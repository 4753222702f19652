// LPs of C and of Go in one simulation compute what LPs of Go alone do, under every scheduler; C files of a Go program
// find what they need in the headers; the program of docs/c-models.md can be built; and mistakes get an error.

//go:build cgo && linux

package cmodel_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/csrc/cmodel"
	"github.com/ross-go/ross/csrc/cmodel/testdata/mixed"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
)

// outcome is what a run computes.
type outcome struct {
	digest uint64
	net    uint64
	states []string
}

// config returns the configuration of a run.
func config(synch ross.Scheduler, pes int) ross.Config {
	cfg := ross.Config{Synch: synch, PEs: pes, End: 60, Digest: true, NKP: 4}
	cfg.Streams.PerLP = 2
	cfg.Tuning.Batch, cfg.Tuning.GVTInterval = 2, 2
	return cfg
}

// play runs a simulation.
func play(t *testing.T, cfg ross.Config, types ...ross.LPType) outcome {
	t.Helper()
	sim, err := ross.Run(context.Background(), cfg, types...)
	require.NoError(t, err)
	defer func() { require.NoError(t, sim.Close()) }()
	s := sim.Summary()
	if len(types) > 0 && cfg.Digest {
		return outcome{*s.Digest, uint64(s.NetEvents()), mixed.States(sim)}
	}
	return outcome{}
}

// pes returns numbers of PEs for a scheduler.
func pes(synch ross.Scheduler) []int {
	switch synch {
	case ross.Sequential, ross.RollbackCheck:
		return []int{1}
	}
	return testlevel.Pick([]int{1, 2, 3, 4}, []int{3}, []int{1, 4})
}

func TestServersOfCAreThoseOfGo(t *testing.T) {
	for _, gap := range []float64{0, 0.1} { // without a delay between LPs, and with a lookahead
		s := mixed.Setup{Gap: gap}
		want := play(t, config(ross.Sequential, 1), s.Pure()...)
		require.Greater(t, want.net, uint64(1000))
		for _, synch := range []ross.Scheduler{ross.Sequential, ross.Conservative, ross.Optimistic, ross.OptimisticRealTime,
			ross.RollbackCheck, ross.Auto} {
			if synch == ross.Conservative && gap == 0 {
				continue
			}
			for _, pes := range pes(synch) {
				s.Undo = pes > 2
				require.Equal(t, want, play(t, config(synch, pes), s.Mixed()...), "gap %g, %v, %d PEs", gap, synch, pes)
			}
		}
	}
}

// --synch=4 undoes everything, so all types need a reverse handler.
func TestEverythingIsUndone(t *testing.T) {
	cfg := config(ross.OptimisticDebug, 1)
	cfg.Digest, cfg.End = false, 20
	play(t, cfg, mixed.Setup{Undo: true}.Mixed()...)
}

// Memory is short, and KPs stay where they are.
func TestOtherWaysHaveTheSameEvents(t *testing.T) {
	s := mixed.Setup{Undo: true}
	want := play(t, config(ross.Sequential, 1), s.Pure()...)
	cfg := config(ross.Optimistic, 2)
	cfg.MaxMemory = 700 << 10
	require.Equal(t, want, play(t, cfg, s.Mixed()...))
	cfg = config(ross.Optimistic, 2)
	cfg.Tuning.FixedKPs = true
	require.Equal(t, want, play(t, cfg, s.Mixed()...))
}

// A run goes on from a checkpoint, whether that was stored with LPs of C or by Go alone.
func TestMixedRunsGoOnFromTheirCheckpoints(t *testing.T) {
	s := mixed.Setup{}
	want := play(t, config(ross.Sequential, 1), s.Pure()...)
	for _, c := range testlevel.Pick([][2]ross.Config{
		{config(ross.Sequential, 1), config(ross.Optimistic, 3)}, {config(ross.Optimistic, 2), config(ross.Sequential, 1)},
		{config(ross.Optimistic, 4), config(ross.RollbackCheck, 1)},
	}, nil, [][2]ross.Config{{config(ross.Optimistic, 2), config(ross.Optimistic, 3)}}) {
		stores, restarts := c[0], c[1]
		name := filepath.Join(t.TempDir(), "checkpoint")
		stores.Checkpoints.Name, stores.Checkpoints.VirtualInterval = name, 17
		require.Equal(t, want, play(t, stores, s.Mixed()...))
		restarts.Checkpoints.Name, restarts.Checkpoints.Restart = name, "latest"
		got := play(t, restarts, s.Mixed()...)
		require.Less(t, got.net, want.net)
		got.net = want.net
		require.Equal(t, want, got, fmt.Sprint(stores.PEs, restarts.PEs))
	}
}

// Events are undone at random, up to 128 at a time, so that rollbacks are many on any machine.
func TestAModelOfBothLanguages(t *testing.T) {
	for _, s := range testlevel.Pick([]mixed.Setup{{}, {Gap: 0.1}, {Undo: true}}, nil,
		[]mixed.Setup{{Gap: 0.1, Undo: true}}) {
		cfg := ross.Config{End: 20}
		cfg.Streams.PerLP = 2
		modeltest.Run(t, modeltest.Model{
			Config: cfg, Types: s.Mixed, Short: testlevel.Is(testlevel.Few),
			Results: func(sim *ross.Simulation) (any, error) { return mixed.States(sim), nil },
		})
	}
}

// TestAWatchSaysWhatItDoesNotKnowOfC: what is in states and messages of C.
func TestAWatchSaysWhatItDoesNotKnowOfC(t *testing.T) {
	s := mixed.Setup{}
	for types, notes := range map[*[]ross.LPType]bool{new(s.Mixed()): true, new(s.Pure()): false} {
		var ids []string
		for id := range ross.CountLPs(*types...) {
			ids = append(ids, fmt.Sprint(id))
		}
		var out bytes.Buffer
		cfg := config(ross.Sequential, 1)
		cfg.Output, cfg.ShortReport, cfg.Watch, cfg.End = &out, true, strings.Join(ids, ","), 5
		play(t, cfg, *types...)
		require.Contains(t, out.String(), "Watch: LP ")
		require.Equal(t, notes,
			strings.Contains(out.String(), "is one of C, whose fields are not known: what events change in its states, "+
				"and what its messages hold, is not shown"), out.String())
	}
}

func TestSeveralRanksAreRefused(t *testing.T) {
	cfg := ross.Config{End: 20}
	cfg.Streams.PerLP = 2
	types := mixed.Setup{}.Mixed() // once: it writes a variable, and ranks are goroutines here
	_, err := modeltest.Check(modeltest.Model{Config: cfg, Types: func() []ross.LPType { return types }, Short: true,
		Ranks: 2})
	require.ErrorContains(t, err, "LPs of C are on one rank, and there are several: ")
}

// C files of a Go program find what they need in the headers, and no more.

// compile calls the C compiler.
func compile(t *testing.T, args ...string) (said string, err error) {
	cc, err := exec.CommandContext(t.Context(), "go", "env", "CC").Output()
	require.NoError(t, err)
	out, err := exec.CommandContext(t.Context(), strings.Fields(string(cc))[0], args...).CombinedOutput()
	return string(out), err
}

// A C file that calls what the Go program does is not compiled, and the compiler says why.
func TestWhatTheGoProgramDoesIsNotCompiled(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	require.NoError(t, cmodel.WriteHeaders(folder))
	require.NoError(t, cmodel.WriteHeaders(folder), "again")
	names, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Greater(t, len(names), 8)
	require.Error(t, cmodel.WriteHeaders(filepath.Join(folder, "ross.h")))
	refused := strings.Fields(`tw_opt_add tw_init tw_define_lps tw_lp_settype tw_lp_setup_types st_model_settype tw_pe_settype tw_run tw_end tw_lp_onpe
		tw_lp_onkp tw_kp_onpe tw_trigger_gvt_hook_at tw_trigger_gvt_hook_at_event_sig tw_trigger_gvt_hook_every tw_trigger_gvt_hook_when_model_calls
		io_init io_register_model_version io_load_checkpoint io_store_checkpoint io_appending_job`)
	source := filepath.Join(t.TempDir(), "calls.c")
	for names := range slices.Chunk(refused, 10) { // clang shows 20 errors
		calls := "#include <ross.h>\nvoid f(void)\n{\n" + strings.Join(names, "();\n") + "();\n}\n"
		require.NoError(t, os.WriteFile(source, []byte(calls), 0o666))
		out, err := compile(t, "-O2", "-I", folder, "-c", source, "-o", os.DevNull)
		require.Error(t, err)
		for _, name := range names {
			require.Regexp(t, name+`: .*Go program`, out)
		}
	}
}

// cgo links a package alone, so that no name may be missing then.
func TestEachNameOfTheLibraryMayBeMissing(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, cmodel.WriteHeaders(folder))
	var uses strings.Builder
	n := 0
	for line := range strings.Lines(testkit.Content(t, "..", "libross", "surface.txt")) {
		if words := strings.Fields(line); words[0] != "#" && (words[2] == "function" || words[2] == "variable") {
			fmt.Fprintf(&uses, "\tsum += (unsigned long)%s;\n",
				map[string]string{"function": "", "variable": "&"}[words[2]]+words[0])
			n++
		}
	}
	require.Greater(t, n, 100)
	source := filepath.Join(folder, "uses.c")
	for _, first := range []string{"#define USE_RIO\n", "#define USE_RIO\n#define ROSS_REFUSE_AT_CALL\n"} {
		text := first + "#include <ross.h>\nint main(void)\n{\nunsigned long sum = 0;\n" + uses.String() +
			"return sum == 1;\n}\n"
		require.NoError(t, os.WriteFile(source, []byte(text), 0o666))
		out, err := compile(t, "-I", folder, source, "-o", filepath.Join(folder, "uses"))
		require.NoError(t, err, "name it in ross-weak.h: %s", out)
	}
}

// The program in docs/c-models.md can be built, by go build alone, and prints what the page says.

func TestTheProgramOfThePageRuns(t *testing.T) {
	if testlevel.Is(testlevel.Least) || racetest.Slow {
		t.Skip("the program is built as usual: another build of the tests finds nothing more")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	_, section, found := strings.Cut(testkit.Content(t, root, "docs", "c-models.md"), "\n## C types in a Go program\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	folder := t.TempDir()
	c, program := testkit.Blocks(section, "c"), testkit.Blocks(section, "go")
	require.Len(t, c, 2)
	require.Len(t, program, 1)
	mod := testkit.Content(t, root, "go.mod")
	_, needs, found := strings.Cut(mod, "\n\n")
	require.True(t, found)
	for name, text := range map[string]string{
		"machine.h": c[0], "machine.c": c[1], "main.go": program[0], "go.sum": testkit.Content(t, root, "go.sum"),
		"go.mod": "module example\n\n" + needs +
			"\nrequire github.com/ross-go/ross v0.0.0\n\nreplace github.com/ross-go/ross => " + root + "\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	require.Contains(t, program[0], "//go:generate go run github.com/ross-go/ross/csrc/libross headers\n")
	require.NoError(t, cmodel.WriteHeaders(filepath.Join(folder, "headers"))) // as that does
	build := exec.CommandContext(t.Context(), "go", "build", "-mod=mod", "-o", "example", ".")
	build.Dir, build.Env = folder, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	example := exec.CommandContext(t.Context(), filepath.Join(folder, "example"))
	example.Dir = folder
	printed, err := example.Output()
	require.NoError(t, err)
	require.Contains(t, string(printed), testkit.Blocks(section, "text")[0])
}

// What a Go program or its C types do wrong gets an error that says what and where.

// faultVariable says which fault this process is to have, with which scheduler: a test has started it.
const faultVariable = "ROSS_TEST_FAULT"

func TestMain(m *testing.M) {
	if text := os.Getenv(faultVariable); text != "" {
		number, scheduler, _ := strings.Cut(text, " ")
		fault, _ := strconv.Atoi(number)
		synch, _ := strconv.Atoi(scheduler)
		_, err := ross.Run(context.Background(), config(ross.Scheduler(synch), 1+synch/2),
			mixed.Setup{Fault: fault}.Mixed()...)
		fmt.Println("the run has ended:", err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestFaultsInCEndTheProgramWithTheLP(t *testing.T) {
	for _, c := range []struct {
		fault     int
		out, errs string
	}{
		{mixed.Crash, "", "ross: LP 8 at 2."},
		{mixed.Crash, "", ": its event handler caused signal 11 (SIGSEGV) at address"},
		{mixed.Deep, "", ": its event handler has used up its stack of 1048576 bytes: use less"},
		{mixed.GiveUp, ": LP 8 gives up (LP 8 at 2.", ""},
		{mixed.Runs, ": tw_run: the Go program makes and runs the simulation: ross.Run (LP 8 at ", ""},
	} {
		for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
			ctx, cancel := context.WithTimeout(t.Context(), testkit.Limit(t))
			cmd := exec.CommandContext(ctx, os.Args[0])
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d", faultVariable, c.fault, synch))
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			require.Error(t, cmd.Run(), "fault %d: %s", c.fault, out.String())
			cancel()
			require.Contains(t, out.String(), c.out, errs.String())
			require.Contains(t, errs.String(), c.errs, out.String())
			require.NotContains(t, out.String(), "the run has ended")
		}
	}
}

func TestMistakesOfCHandlersAreErrors(t *testing.T) {
	for _, c := range []struct {
		synch ross.Scheduler
		fault int
		says  string // a regular expression
	}{
		{ross.RollbackCheck, mixed.Forget,
			`LP 8 "desk 2" \(server\) at time 2\.[0-9]*: the reverse event handler for the event .* left the state different: .*byte 16 of the state\)? is `},
		{ross.Optimistic, mixed.Destination,
			`LP 8 "desk 2" \(server\) at time .*: sent an event \(mixed\.Job\) to LP 1000: no such LP: ids go from 0 to 11`},
	} {
		_, err := ross.Run(context.Background(), config(c.synch, 1), mixed.Setup{Fault: c.fault}.Mixed()...)
		require.Error(t, err)
		require.Regexp(t, c.says, err.Error())
	}
}

// other is a message that C types do not have.
type other struct{ N int64 }

func TestMistakesOfGoHandlersAreErrors(t *testing.T) {
	servers := mixed.Setup{}.Mixed()[1:]
	job := func(_ *other, lp *ross.LP) {
		ross.Send(lp, mixed.Sources, 1, mixed.Job{From: uint32(lp.ID()), Kind: mixed.Work, Hops: 9})
	}
	run := func(source ross.Type[other]) error {
		source.Name, source.LPs = "source", mixed.Sources
		_, err := ross.Run(context.Background(), config(ross.Optimistic, 2), append([]ross.LPType{source}, servers...)...)
		require.Error(t, err)
		return err
	}
	err := run(ross.Type[other]{Init: job, Event: ross.On(func(*other, *ross.LP, *other) {})})
	require.Regexp(t,
		`LP 6 "desk 0" \(server\) at time .*: sent LP [0-5] .* \(mixed\.Job\): wrong message type: send what its type's Event expects, cmodel_test\.other`, err.Error())
	err = run(ross.Type[other]{Init: func(_ *other, lp *ross.LP) { ross.Send(lp, mixed.Sources, 1, other{}) },
		Event: ross.On(func(*other, *ross.LP, *other) {})})
	require.Contains(t, err.Error(), "send what its type's Event expects, mixed.Job")
	var nowhere *other
	err = run(ross.Type[other]{Init: job, Event: ross.On(func(s *other, _ *ross.LP, _ *mixed.Job) { s.N = nowhere.N })})
	require.Regexp(t, `LP [0-5] \(source\) at time .*nil pointer dereference`, err.Error())
}

func TestWrongTypesAreRefused(t *testing.T) {
	good := func() cmodel.Type[mixed.Job] { return mixed.Clerk() }
	wrong := func(change func(*cmodel.Type[mixed.Job])) ross.LPType {
		c := good()
		change(&c)
		return c.LPType()
	}
	type pointing struct{ P *int }
	define := func(types ...ross.LPType) error {
		sim, err := ross.New(ross.Config{LPs: ross.CountLPs(types...)})
		require.NoError(t, err)
		defer func() { require.NoError(t, sim.Close()) }()
		return sim.Define(types...)
	}
	for _, c := range []struct {
		types []ross.LPType
		says  string
	}{
		{[]ross.LPType{wrong(func(c *cmodel.Type[mixed.Job]) { c.C = nil })}, `LP type "clerk": C is nil: `},
		{[]ross.LPType{wrong(func(c *cmodel.Type[mixed.Job]) { c.MessageSize = 20 })},
			`LP type "clerk": message mixed.Job has 24 bytes, and MessageSize is 20: `},
		{[]ross.LPType{wrong(func(c *cmodel.Type[mixed.Job]) { c.C = mixed.Old() })},
			`LP type "clerk": state_sz is 0 and a number stands where a function should: `},
		{[]ross.LPType{cmodel.Type[pointing]{C: good().C, MessageSize: 8, LPs: 1}.LPType()},
			`LP type "C type": message: cmodel_test.pointing.P is a ptr: `},
		{[]ross.LPType{good().LPType(), mixed.ByCgo()},
			`C types "clerk" and "C type" have messages mixed.Job and mixed._Ctype_struct_job: `},
	} {
		err := define(c.types...)
		require.ErrorIs(t, err, ross.ErrModel)
		require.Contains(t, err.Error(), c.says)
	}
	mixed.SetHook(true)
	err := define(good().LPType())
	mixed.SetHook(false)
	require.ErrorContains(t, err, "g_tw_gvt_hook is set: ")
	require.NoError(t, define(mixed.ByCgo()), "after all that nothing is left over")
}

func TestOneSimulationAtATimeRunsLPsOfC(t *testing.T) {
	cfg := ross.Config{LPs: mixed.Sources + mixed.Servers, End: 20}
	cfg.Streams.PerLP = 2
	first, err := ross.New(cfg)
	require.NoError(t, err)
	second, err := ross.New(cfg)
	require.NoError(t, err)
	servers := mixed.Setup{}.Mixed()[1:]
	within := ross.Type[other]{LPs: mixed.Sources, Event: ross.On(func(*other, *ross.LP, *other) {}),
		Init: func(_ *other, lp *ross.LP) {
			if lp.ID() == 0 {
				err = second.Run(t.Context())
			}
		}}
	require.NoError(t, first.Define(append([]ross.LPType{within}, servers...)...))
	require.NoError(t, second.Define(mixed.Setup{}.Mixed()...))
	require.False(t, mixed.SeesLP(mixed.Sources), "no run has begun")
	require.NoError(t, first.Run(t.Context()))
	require.ErrorIs(t, err, ross.ErrModel)
	require.ErrorContains(t, err, "another simulation with LPs of C is running, and C has one set of variables")
	require.True(t, mixed.SeesLP(mixed.Sources))
	require.False(t, mixed.SeesLP(mixed.Sources-1), "an LP of Go")
	require.Nil(t, cmodel.State(first.LP(0)))
	require.Nil(t, cmodel.State(nil))
	require.NoError(t, first.Close())
	require.False(t, mixed.SeesLP(mixed.Sources))
	require.NoError(t, second.Close())
}

// States stay as they are while another simulation runs.
func TestSimulationsRunOneAfterTheOther(t *testing.T) {
	s := mixed.Setup{}
	want := play(t, config(ross.Sequential, 1), s.Mixed()...)
	first, err := ross.Run(t.Context(), config(ross.Optimistic, 2), s.Mixed()...)
	require.NoError(t, err)
	other := config(ross.Optimistic, 3)
	other.End = 30
	require.NotEqual(t, want, play(t, other, s.Mixed()...))
	require.Equal(t, want.states, mixed.States(first))
	require.NoError(t, first.Close())
}

// init of one LP after the other: nobody else writes the static variables then. Each event is committed once.
func TestStaticVariablesOfInitAndCommits(t *testing.T) {
	mixed.NumberedLPs()
	sim, err := ross.Run(t.Context(), config(ross.Optimistic, 4), mixed.Setup{Fault: mixed.Numbered}.Mixed()...)
	require.NoError(t, err)
	require.Equal(t, 1000*mixed.Servers, mixed.NumberedLPs())
	events := int64(mixed.Committed(sim))
	for gid := range ross.LPID(mixed.Sources) {
		s := ross.StateOf[mixed.Source](sim.LP(gid))
		events += s.Sent + s.Done + s.Notes
	}
	summary := sim.Summary()
	require.Equal(t, int64(summary.NetEvents()), events)
	require.NoError(t, sim.Close())
}
