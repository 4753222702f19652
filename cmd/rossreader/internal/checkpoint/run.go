// This file owns the dispatch to info, verify and diff, and the names of
// checkpoints.

package checkpoint

import (
	"fmt"
	"io"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

const usage = `usage: rossreader checkpoint info|verify|diff [options] NAME...

Examines checkpoints, including those of the original ROSS.

  info    print what the manifest says about the run
  verify  read everything, and find damage
  diff    show how two differ, by LPs and events

A NAME is the common prefix of the paths of the files: ck for ck.rio-md, ck.rio-lp, ck.rio-data-0
and so on; the path of the manifest or of the .txt also works. For more, see rossreader help
checkpoint info, and so on.
`

// Run runs the subcommand and returns the exit status.
func Run(args []string, stdout, stderr io.Writer) int {
	what := ""
	if len(args) > 0 {
		what, args = args[0], args[1:]
	}
	switch what {
	case "info":
		return runInfo(args, stdout, stderr)
	case "verify":
		return runVerify(args, stdout, stderr)
	case "diff":
		return runDiff(args, stdout, stderr)
	case "help", "-h", "-help", "--help":
		fmt.Fprint(stdout, usage)
		return cli.StatusOK
	case "":
		fmt.Fprint(stderr, usage)
	default:
		fmt.Fprintf(stderr, "rossreader checkpoint: no %q: use info, verify or diff\n%s", what, usage)
	}
	return cli.StatusUsage
}

// nameOf returns the name of the checkpoint that a path stands for.
func nameOf(path string) string {
	for _, suffix := range [...]string{".rio-md", ".txt"} {
		if name, ok := strings.CutSuffix(path, suffix); ok {
			return name
		}
	}
	return path
}

// oneLine returns the text of an error, which may have several lines, on one
// line.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }
