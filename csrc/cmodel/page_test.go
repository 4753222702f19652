//go:build cgo && linux

// The program in docs/c-models.md can be built, by go build alone, and prints what the page says.

package cmodel_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/csrc/cmodel"
	"github.com/ross-go/ross/internal/racetest"
	"github.com/ross-go/ross/internal/testkit"
	"github.com/ross-go/ross/internal/testlevel"
)

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
		"go.mod": "module example\n\n" + needs + "\nrequire github.com/ross-go/ross v0.0.0\n\nreplace github.com/ross-go/ross => " + root + "\n",
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
