// This file owns the way to what can be done with checkpoints, and their names.

package checkpoint

import (
	"fmt"
	"io"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

const usage = `usage: rossreader checkpoint info|verify|diff [options] NAME...

Looks at checkpoints, those of the original ROSS included.

  info    what the manifest says of the run
  verify  read everything, and find what is damaged
  diff    how two differ, by LPs and events

A NAME is the path that the files have in common: ck for ck.rio-md, ck.rio-lp, ck.rio-data-0 and so on;
that of the manifest or of the .txt will do. rossreader checkpoint info --help tells more, and so on.
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
		fmt.Fprintf(stderr, "rossreader checkpoint: no %q: say info, verify or diff\n%s", what, usage)
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

// oneLine returns the text of an error, which may be several, in one line.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }
