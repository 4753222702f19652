// A module that imports the engine alone is made, tidied and built.

package consumer

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/effort"
)

// foreign are parts of the paths of modules that only packages other than the engine
// need.
var foreign = []string{
	"prometheus", "progressbar", "golang.org/x/term", "protobuf", "echarts", "parquet",
	"net/http", "ross/live",
}

const program = `package main

import (
	"context"

	"github.com/ross-go/ross"
)

type none struct{}

func (*none) Init(lp *ross.LP)                        { ross.Send(lp, lp.ID(), 1, none{}) }
func (*none) Event(*ross.LP, *ross.Bits, *none) {}

func main() {
	sim, err := ross.New(ross.DefaultConfig())
	if err != nil {
		panic(err)
	}
	defer sim.Close()
	if err := sim.Define(ross.Type[none, none]{Init: (*none).Init, Event: (*none).Event}); err != nil {
		panic(err)
	}
	if err := sim.Run(context.Background()); err != nil {
		panic(err)
	}
}
`

func TestAProgramGetsNothingOfThePackagesThatItDoesNotImport(t *testing.T) {
	effort.Once(t, "what go builds, however this was built")
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	ours, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	require.Contains(t, string(ours), "prometheus", "there is nothing that it could get")

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
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PWD="+dir, "GOWORK=off")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "go %s:\n%s", strings.Join(args, " "), out)
		return string(out)
	}
	run("mod", "tidy")
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		requireNone(t, name, string(text))
	}
	deps := run("list", "-mod=mod", "-deps", ".")
	require.Contains(t, deps, "github.com/ross-go/ross\n")
	requireNone(t, "go list -deps", deps)
	run("build", "-mod=mod", "-o", filepath.Join(dir, "consumer"), ".")
}

func requireNone(t *testing.T, what, text string) {
	t.Helper()
	for _, part := range foreign {
		require.NotContains(t, text, part, "%s", what)
	}
	t.Logf("%s: %d lines", what, strings.Count(text, "\n"))
}
