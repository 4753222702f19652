// This file owns the group of info, verify and diff, and the names of
// checkpoints.

package checkpoint

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

const about = `Examines checkpoints, including those of the original ROSS.

A NAME is the common prefix of the paths of the files: ck for ck.rio-md, ck.rio-lp, ck.rio-data-0
and so on; the path of the manifest or of the .txt also works.`

// Command returns the subcommand, which has subcommands.
func Command() *cobra.Command {
	return cli.Group("checkpoint", "describe checkpoints, verify them, compare two", about, infoCommand(), verifyCommand(),
		diffCommand())
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
