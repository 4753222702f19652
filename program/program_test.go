// What a program does with its functions, its errors, and its exit status.

package program_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
)

// TestMain runs the tests in a folder of their own, for what programs leave behind.
func TestMain(m *testing.M) { os.Exit(inOwnFolder(m.Run)) }

var source string // folder of this package

func inOwnFolder(run func() int) int {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if source, err = os.Getwd(); err != nil {
		panic(err)
	}
	if err = os.Chdir(dir); err != nil {
		panic(err)
	}
	return run()
}

// steps is a program that notes which of its functions were called; one of them may fail.
type steps struct {
	program.Program
	called  []string
	failing string
	err     error
}

func (s *steps) step(name string) error {
	s.called = append(s.called, name)
	if name == s.failing {
		return s.err
	}
	return nil
}

func newSteps() *steps {
	s := &steps{Program: program.Program{Name: "steps", Config: ross.DefaultConfig()}}
	s.Config.End = 5
	s.Options = func(o *ross.Options, cfg *ross.Config) {
		cfg.RegisterLPs(o.Group("Steps"))
		_ = s.step("Options")
	}
	s.Prepare = func(*ross.Config) error { return s.step("Prepare") }
	s.Build = func(sim *ross.Simulation) error {
		if err := s.step("Build"); err != nil {
			return err
		}
		return sim.Define(ross.Type[struct{}]{
			Init: func(_ *struct{}, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, struct{}{}) },
			Event: ross.On(func(_ *struct{}, lp *ross.LP, _ *struct{}) {
				if s.failing == "Run" {
					lp.Fail(s.err)
					return
				}
				ross.Send(lp, lp.ID(), 1, struct{}{})
			}),
		})
	}
	s.Finish = func(sim *ross.Simulation) error {
		if s.failing == "Close" {
			ross.Send(sim.LP(0), 0, 1, struct{}{})
		}
		return s.step("Finish")
	}
	return s
}

func TestAnErrorEndsTheProgramWithItsStatus(t *testing.T) {
	broken, unusable := errors.New("broken"), ross.ErrUsage
	all := []string{"Options", "Prepare", "Build", "Finish"}
	for _, c := range []struct {
		failing string
		err     error
		words   []string
		status  int
		called  int
		says    string
	}{
		{called: 4},
		{words: []string{"--lps=3", "--synch=3", "--pes=2"}, called: 4},
		{words: []string{"--bogus"}, status: 2, called: 1, says: "steps: option --bogus: unknown; see --help\n"},
		{words: []string{"--nkp=0"}, status: 2, called: 1, says: "steps: option --nkp=0: out of range; give 1 or more\n"},
		{failing: "Prepare", err: broken, status: 1, called: 2, says: "steps: broken\n"},
		{failing: "Prepare", err: unusable, status: 2, called: 2, says: "steps: unusable settings: see --help\n"},
		{words: []string{"--pes=2"}, status: 2, called: 2,
			says: "steps: ross: option --pes=2: --synch=1 runs on one PE; use --pes=1, or --synch=3\n"},
		{failing: "Build", err: broken, status: 1, called: 3, says: "steps: broken\n"},
		{failing: "Run", err: broken, status: 1, called: 3, says: "(struct {}) at time 1: the model gave up: broken\n"},
		{failing: "Finish", err: broken, status: 1, called: 4, says: "steps: broken\n"},
		{failing: "Close", status: 1, called: 4, says: "steps: ross: LP 0"},
	} {
		s := newSteps()
		s.failing, s.err = c.failing, c.err
		var out, errs bytes.Buffer
		require.Equal(t, c.status, s.Main(c.words, &out, &errs), "%v: %s", c, &errs)
		require.Equal(t, all[:c.called], s.called)
		require.Contains(t, errs.String(), c.says)
		require.Equal(t, c.status == 0, errs.Len() == 0)
	}
}

func TestHelpShowsTheProgramsOptionsAndSettings(t *testing.T) {
	s := newSteps()
	var out, errs bytes.Buffer
	require.Zero(t, s.Main([]string{"--help"}, &out, &errs))
	require.Empty(t, errs.String())
	require.Regexp(t, `(?s)^usage: steps .*\nSteps:\n  --nlp=n .*--end=dbl [^\n]*\(default 5.00\)`, out.String())
	require.Equal(t, []string{"Options"}, s.called)
}

// part is a part that notes what is called in it, in the same place as the program does.
type part struct {
	s     *steps
	name  string
	given bool
}

func (p *part) Register(program string, o *ross.Options) {
	_ = p.s.step(p.name + " Register for " + program)
	o.Group("Parts").Bool(&p.given, p.name, "does nothing")
}

func (p *part) Answer(args []string, stdout, _ io.Writer) (int, bool) {
	if len(args) > 0 && args[0] == p.name {
		fmt.Fprintln(stdout, "this is "+p.name)
		return 7, true
	}
	return 0, false
}

func (p *part) Start(*ross.Simulation, io.Writer) (program.View, error) {
	return p, p.s.step(p.name + " Start")
}

func (p *part) StopBar()               { _ = p.s.step(p.name + " StopBar") }
func (p *part) Linger(context.Context) { _ = p.s.step(p.name + " Linger") }
func (p *part) Stop() error            { return p.s.step(p.name + " Stop") }

func TestPartsOfAProgramAreCalledInOrder(t *testing.T) {
	try := func(failing string, args ...string) (calls []string, status int, says string) {
		s := newSteps()
		s.failing, s.err = failing, errors.New("out of order")
		s.Parts = []program.Part{&part{s: s, name: "a"}, &part{s: s, name: "b"}}
		var out, errs bytes.Buffer
		status = s.Main(args, &out, &errs)
		return s.called[1:], status, out.String() + errs.String()
	}
	begin := []string{"a Register for steps", "b Register for steps"}
	run := append(begin, "Prepare", "Build", "a Start", "b Start", "a StopBar", "b StopBar", "Finish", "a Linger",
		"b Linger")
	calls, status, says := try("", "--a", "--b")
	require.Zero(t, status, says)
	require.Equal(t, append(run, "a Stop", "b Stop", "a Stop", "b Stop"), calls)
	calls, status, says = try("", "b", "--nonsense")
	require.Equal(t, begin, calls)
	require.Equal(t, 7, status)
	require.Equal(t, "this is b\n", says)
	calls, status, says = try("b Start")
	require.Equal(t, append(begin, "Prepare", "Build", "a Start", "b Start", "a Stop"), calls, "what has begun is ended")
	require.Equal(t, 1, status)
	require.Contains(t, says, "steps: out of order\n")
	_, status, says = try("a Stop")
	require.Equal(t, 1, status)
	require.Contains(t, says, "steps: out of order\n")
}

// driver is a part that does something else than one run, if it is asked to.
type driver struct {
	part
	words []string
}

func (d *driver) Drive(args []string, stdout, _ io.Writer) (int, bool) {
	if !d.given {
		return 0, false
	}
	d.words = args
	fmt.Fprintln(stdout, "driven")
	return 9, true
}

func TestAPartMayDoSomethingElseThanARun(t *testing.T) {
	s := newSteps()
	d := &driver{part: part{s: s, name: "study"}}
	s.Parts = []program.Part{d}
	var out, errs bytes.Buffer
	words := []string{"--study", "--lps=3", "--", "--rest"}
	require.Equal(t, 9, s.Main(words, &out, &errs))
	require.Equal(t, "driven\n", out.String())
	require.Equal(t, words, d.words)
	require.Equal(t, []string{"Options", "study Register for steps"}, s.called)
	require.Equal(t, 2, s.Main([]string{"--study", "--nkp=0"}, &out, &errs), "the options are read before")

	s = newSteps()
	s.Parts = []program.Part{&driver{part: part{s: s, name: "study"}}}
	require.Zero(t, s.Main(nil, &out, &errs), "%s", &errs)
	require.Contains(t, s.called, "Finish")
}

// TestAProgramLinksWhatItsPartsNeed and no more: without parts there is no server, and no library of metrics or command
// lines.
func TestAProgramLinksWhatItsPartsNeed(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", ".")
	cmd.Dir = source
	out, err := cmd.Output()
	require.NoError(t, err)
	deps := strings.Fields(string(out))
	require.Contains(t, deps, "github.com/ross-go/ross/program")
	none := []string{"net/http", "text/template", "github.com/ross-go/ross/program/parts/live",
		"github.com/ross-go/ross/program/parts/experiment"}
	if runtime.GOOS == "linux" {
		none = append(none, "golang.org/x/sys/unix") // package syscall has what is needed
	}
	for _, dep := range deps {
		if strings.Contains(dep, ".") && !strings.HasPrefix(dep, "github.com/ross-go/") {
			require.Regexp(t, `^(golang\.org/x/sys|github\.com/pierrec/lz4|github\.com/emer/empi|crypto/internal)`, dep)
		}
		require.NotContains(t, none, dep)
	}
}

func TestAProgramNeedsOnlyBuild(t *testing.T) {
	only := program.Program{Name: "only", Config: ross.DefaultConfig()}
	var out, errs bytes.Buffer
	require.Equal(t, 1, only.Main(nil, &out, &errs))
	require.Equal(t, "only: ross: Program.Build: missing: give a function that calls Simulation.Define\n", errs.String())
	only.Build = newSteps().Build
	require.Zero(t, only.Main([]string{"--end=3"}, &out, &errs))
	require.FileExists(t, "ross.csv")
	require.Contains(t, out.String(), "Net Events Processed")
}

func TestOutputAndDirOfTheProgramStay(t *testing.T) {
	s := newSteps()
	var own, out, errs bytes.Buffer
	s.Config.Output, s.Config.Dir = &own, t.TempDir()
	require.Zero(t, s.Main(nil, &out, &errs), "%s", &errs)
	require.Empty(t, out.String())
	require.Contains(t, own.String(), "Net Events Processed")
	require.FileExists(t, s.Config.Dir+"/ross.csv")
	require.False(t, s.Config.Digest)
	s.Config.Output = nil
	require.Zero(t, s.Main([]string{"--digest"}, &out, &errs), "%s", &errs)
	require.Contains(t, out.String(), "Committed Event Digest")
	require.False(t, s.Config.Digest, "Main leaves the Program as it is")
}

// TestAReportInAFileHasNothingTwice that a terminal would show one after the other, and no lines on progress
// that nobody watches.
func TestAReportInAFileHasNothingTwice(t *testing.T) {
	for _, synch := range []string{"1", "2", "3"} {
		run := func(together bool, words ...string) (string, string) {
			out, err := os.Create(filepath.Join(t.TempDir(), "out"))
			require.NoError(t, err)
			defer out.Close()
			errs := out
			if !together {
				errs, err = os.Create(filepath.Join(t.TempDir(), "errs"))
				require.NoError(t, err)
				defer errs.Close()
			}
			s := newSteps()
			words = append([]string{"--synch=" + synch, "--end=1000", "--rng-seed1=9", "--rng-seed2=9", "--rng-seed3=9",
				"--rng-seed4=9"}, words...)
			require.Zero(t, s.Main(words, out, errs))
			text, err := os.ReadFile(out.Name())
			require.NoError(t, err)
			other, err := os.ReadFile(errs.Name())
			require.NoError(t, err)
			return string(text), string(other)
		}
		const note = "runs with such a pattern of seeds are not independent replications"
		text, _ := run(true)
		require.Equal(t, 1, strings.Count(text, note), "%s", text)
		require.NotContains(t, text, "GVT #")
		text, other := run(false)
		require.Equal(t, 1, strings.Count(text, note))
		require.Equal(t, 1, strings.Count(other, note), "who does not see the report is warned")
		text, _ = run(true, "--report-interval=0.01")
		require.Contains(t, text, "GVT #")
	}
	s := newSteps()
	var out, errs bytes.Buffer
	require.Zero(t, s.Main([]string{"--end=1000"}, &out, &errs))
	require.Contains(t, out.String(), "GVT #", "a writer of the program's own gets what ROSS prints")
}

// The files that a program writes, and folders that do not exist or cannot be written.

// written runs a program of four LPs that send to themselves, in a folder of its own, and returns its status and what
// it has printed.
func written(t *testing.T, words ...string) (status int, out, errs string) {
	t.Helper()
	type tick struct{}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 4, 20
	send := func(lp *ross.LP) { ross.Send(lp, lp.ID(), 1, tick{}) }
	p := program.Program{Name: "ticks", Config: cfg, Build: func(sim *ross.Simulation) error {
		return sim.Define(ross.Type[uint64]{
			Init:  func(_ *uint64, lp *ross.LP) { send(lp) },
			Event: ross.On(func(_ *uint64, lp *ross.LP, _ *tick) { send(lp) }).Reverse(func(*uint64, *ross.LP, *tick) {}),
		})
	}}
	var stdout, stderr bytes.Buffer
	status = p.Main(words, &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

func TestOptionsOfFoldersMakeThem(t *testing.T) {
	for _, c := range [][]string{ // the words, and the file that there is then
		{"--io-name=none/deep/c --io-virtual-interval=5", "none/deep/c-000002.rio-md"},
		{"--io-name=none/deep/c --io-on-exit", "none/deep"},
		{"--stats-path=none/deep/s --engine-stats=1", "none/deep/s/run.json"},
		{"--report-path=none/deep", "none/deep/ross.csv"},
		{"", "ross_all_lp_stats/pe_0.txt"},
	} {
		t.Chdir(t.TempDir())
		status, _, errs := written(t, strings.Fields(c[0])...)
		require.Zero(t, status, errs)
		_, err := os.Stat(c[1])
		require.NoError(t, err, c[0])
		_, err = os.Stat("ross.csv")
		require.Equal(t, strings.Contains(c[0], "report-path"), err != nil, c[0])
	}
}

// A file is in the way of the folder, so that it cannot be made, whoever runs the test.
func TestFoldersThatCannotBeMadeEndTheRunBeforeItsEvents(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("file", nil, 0o600))
	for _, words := range []string{
		"--io-name=file/c --io-virtual-interval=5", "--io-name=file/c --io-interval=1", "--io-name=file/c --io-on-exit",
		"--stats-path=file/s --engine-stats=1",
	} {
		for _, synch := range []string{"--synch=1", "--synch=3 --pes=2"} {
			status, out, errs := written(t, strings.Fields(words+" "+synch)...)
			require.NotZero(t, status, words)
			require.Contains(t, errs, "a part of the path is a file", words)
			require.NotContains(t, out, "START", words)
		}
	}
	status, out, errs := written(t, "--report-path=file/r")
	require.Zero(t, status)
	require.Contains(t, out, "Net Events Processed                                        76")
	require.Equal(t, 1, strings.Count(errs, "\n"), errs)
	require.Contains(t, errs,
		"ticks: ross.csv and ross_all_lp_stats are not written: mkdir file: not a directory: a part of the path is a file: name another folder; --report-path")
	status, _, errs = written(t, "--report-path=")
	require.Zero(t, status)
	require.Empty(t, errs)
	files, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Len(t, files, 1, "the run has written nothing")
}
