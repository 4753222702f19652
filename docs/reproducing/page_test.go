package reproducing

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
)

const root = "../.."

// members is how many members run.json has, which depends on the build and on the options that there are.
var members = regexp.MustCompile(`sealed: \d+ members`)

func TestTheCommandsOfThePagePrintWhatItShows(t *testing.T) {
	testlevel.Once(t, "programs that are built")
	page := testkit.Content(t, "..", "reproducing.md")
	require.LessOrEqual(t, len(strings.Fields(page)), 900, "words")
	folder, bin := t.TempDir(), t.TempDir()
	run := func(dir, name string, words ...string) (string, error) {
		c := exec.CommandContext(t.Context(), name, words...)
		c.Dir = dir
		c.Env = append(os.Environ(), "PATH="+filepath.Join(bin, "bin")+":"+bin+":"+os.Getenv("PATH"))
		out, err := c.CombinedOutput()
		return string(out), err
	}
	for _, program := range []string{"models/queueing", "cmd/rossreader"} {
		out, err := run(filepath.Join(root, program), "go", "build", "-o", bin+"/", ".")
		require.NoError(t, err, out)
	}
	blocks := testkit.Blocks(page, "console")
	require.Len(t, blocks, 4)
	for _, block := range blocks {
		if strings.Contains(block, "ross-cc") {
			if out, err := run(root, "tools/libross.sh", bin, "static"); err != nil {
				require.Contains(t, out, "libross: ", "there is no C compiler")
				t.Log(out)
				continue
			}
			source, err := os.ReadFile(filepath.Join(root, "csrc/libross/testdata/phold.c"))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(folder, "model.c"), source, 0o600))
		}
		for command := range strings.SplitSeq("\n"+block, "\n$ ") {
			line, want, _ := strings.Cut(command, "\n")
			if line == "" {
				continue
			}
			got, err := run(folder, "bash", "-c", line)
			if status := new(exec.ExitError); err != nil && !(errors.As(err, &status) &&
				strings.Contains(want, ": different")) {
				require.NoError(t, err, got)
			}
			require.Equal(t, members.ReplaceAllString(want, "sealed"),
				members.ReplaceAllString(strings.TrimSuffix(got, "\n"), "sealed"),
				line)
		}
	}
}
