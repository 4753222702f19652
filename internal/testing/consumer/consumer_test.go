// A module that imports the engine alone is made, tidied and built.

package consumer

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testlevel"
)

// foreign are parts of the paths of packages and modules that only others than the engine need.
var foreign = []string{
	"prometheus", "progressbar", "golang.org/x/term", "protobuf", "echarts", "parquet",
	"cobra", "net/http", "ross/program/parts", "ross/models",
}

// most is how many modules a go.mod may name for a program that imports the engine alone.
const most = 6

const program = `package main

import (
	"context"

	"github.com/ross-go/ross"
)

type none struct{}

func (*none) Init(lp *ross.LP)      { ross.Send(lp, lp.ID(), 1, none{}) }
func (*none) Event(*ross.LP, *none)  {}

func main() {
	sim, err := ross.New(ross.DefaultConfig())
	if err != nil {
		panic(err)
	}
	defer sim.Close()
	if err := sim.Define(ross.Type[none]{Init: (*none).Init, Event: ross.On((*none).Event)}); err != nil {
		panic(err)
	}
	if err := sim.Run(context.Background()); err != nil {
		panic(err)
	}
}
`

func TestAProgramGetsNothingOfThePackagesThatItDoesNotImport(t *testing.T) {
	testlevel.Once(t, "what go builds, however this was built")
	run, read := module(t, program)
	run("mod", "tidy")
	for _, name := range []string{"go.mod", "go.sum"} {
		requireNone(t, name, read(name))
	}
	require.LessOrEqual(t, strings.Count(read("go.mod"), " v"), most, read("go.mod"))
	deps := run("list", "-mod=mod", "-deps", ".")
	require.Contains(t, deps, "github.com/ross-go/ross\n")
	requireNone(t, "go list -deps", deps)
	run("build", "-mod=mod", "-o", "consumer", ".")
}

// keeper stores a checkpoint, and says nothing about its version.
const keeper = `package main

import (
	"context"

	"github.com/ross-go/ross"
)

type none struct{}

func (*none) Event(*ross.LP, *none) {}

func main() {
	cfg := ross.DefaultConfig()
	cfg.Checkpoints.AfterRun = true
	sim, err := ross.Run(context.Background(), cfg, ross.Type[none]{Event: ross.On((*none).Event)})
	if err == nil {
		err = sim.Store("kept")
	}
	if err != nil {
		panic(err)
	}
	_ = sim.Close()
}
`

func TestACheckpointHasTheVersionOfTheProgramThatStoredIt(t *testing.T) {
	testlevel.Once(t, "what go builds, however this was built")
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git, from which go learns a version")
	}
	run, read := module(t, keeper)
	dir := filepath.Dir(strings.TrimSpace(run("env", "GOMOD")))
	run("mod", "tidy")
	version := func() string {
		t.Helper()
		run("build", "-mod=mod", "-buildvcs=true", "-o", "keeper", ".")
		cmd := exec.Command(filepath.Join(dir, "keeper"))
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		_, text, _ := strings.Cut(read("kept.txt"), "\nMODEL Version:\t")
		text, _, _ = strings.Cut(text, "\n")
		return text
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("keeper\nkept.*\n"), 0o666))
	for _, words := range []string{"init -q", "add .", "-c user.name=a -c user.email=a@example.com commit -qm first"} {
		cmd := exec.Command(git, strings.Fields(words)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "git %s: %s", words, out)
	}
	require.Regexp(t, `^v0\.0\.0-\d{14}-[0-9a-f]{12}$`, version())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "more.go"), []byte("package main\n"), 0o666))
	require.Regexp(t, `^v0\.0\.0-\d{14}-[0-9a-f]{12}\+dirty$`, version())
}

// parts uses packages of the engine for its own purposes.
const parts = `package main

import (
	"fmt"

	"github.com/ross-go/ross/avl"
	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/pq"
)

type packet struct {
	From, To uint32
	Sent     float64
}

func main() {
	if err := run(); err != nil {
		panic(err)
	}
}

func run() error {
	q, err := pq.New[*packet]("")
	if err != nil {
		return err
	}
	defer q.Close()
	pool, err := buddy.New("", 1<<20)
	if err != nil {
		return err
	}
	defer pool.Close()
	packets, err := buddy.NewObjects[packet](pool)
	if err != nil {
		return err
	}
	seen, err := avl.NewLog(16, "")
	if err != nil {
		return err
	}
	defer seen.Close()

	for i := range uint32(1000) {
		p, err := packets.New()
		if err != nil {
			return err
		}
		*p = packet{From: i % 7, To: i, Sent: float64(i * 37 % 1000)}
		seen.Add(p.From, uint64(i), uint64(p.To), p.Sent)
		if err := q.Push(p.Sent, p); err != nil {
			return err
		}
	}
	at, sent, ok := seen.Find(3, 500)
	fmt.Println(at, sent, ok)
	last := -1.0
	for time, p, ok := q.Pop(); ok; time, p, ok = q.Pop() {
		if time != p.Sent || time <= last {
			return fmt.Errorf("%v after %v", time, last)
		}
		last = time
		packets.Free(p)
	}
	fmt.Println(last, pool.Live(), q.Len())
	_, err = pool.AllocBytes(1 << 30)
	fmt.Println(err != nil, q.Push(-1, nil) != nil)
	return nil
}
`

func TestPackagesOfTheEngineServeOtherPrograms(t *testing.T) {
	testlevel.Once(t, "what go builds, however this was built")
	run, _ := module(t, parts)
	run("mod", "tidy")
	require.NotContains(t, run("list", "-mod=mod", "-deps", "."), "github.com/ross-go/ross\n", "they need the engine")
	require.Equal(t, "500 500 true\n999 0 0\ntrue true\n", run("run", "-mod=mod", "."))
}

// module makes a module of a program that requires this one, as it is here. run runs a command of go there and
// returns what it prints; read returns a file.
func module(t *testing.T, program string) (run func(args ...string) string, read func(name string) string) {
	t.Helper()
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module consumer\n\ngo 1.26.0\n\n"+
		"require github.com/ross-go/ross v0.0.0\n\nreplace github.com/ross-go/ross => "+root+"\n"), 0o666))
	// The sums of this module stand for those that a proxy would give; tidy drops what
	// is not needed. Tidy looks at the modules of every build tag: those that no test has
	// needed yet, such as MPI's on a fresh machine, it downloads.
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666))
	run = func(args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PWD="+dir, "GOWORK=off")
		var out, messages strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &messages
		require.NoError(t, cmd.Run(), "go %s:\n%s%s", strings.Join(args, " "), &out, &messages)
		return out.String()
	}
	return run, func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(text)
	}
}

func requireNone(t *testing.T, what, text string) {
	t.Helper()
	for _, part := range foreign {
		require.NotContains(t, text, part, "%s", what)
	}
	t.Logf("%s: %d lines", what, strings.Count(text, "\n"))
}
