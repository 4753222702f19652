// This file owns the command line of `rossreader serve`.

package serve

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/serving"
)

const helpText = `Serves the runs in a folder and below it: a list, the newest first, the report of each as a page,
and comparisons of two. Pages load themselves again when files change, also of a run that has not
ended. Ctrl-C ends the server.`

// Command returns the subcommand, which runs until a signal or its context ends it.
func Command() (c *cobra.Command) {
	f := cli.NoFlags("serve", "FOLDER", "serve the reports of the runs in a folder as pages", helpText)
	address := f.String("http", "8080", serving.Help)
	c = f.Command(func(names []string, stdout, stderr io.Writer) error {
		if len(names) != 1 {
			return cli.Usagef("%d folders: name the one with the runs", len(names))
		}
		if info, err := os.Stat(names[0]); err != nil {
			return fmt.Errorf("ross: input: %w: name a folder with runs", err)
		} else if !info.IsDir() {
			return cli.Usagef("%s is a file: name the folder with the runs", names[0])
		}
		root := names[0]
		server := serving.Server{Name: "serve", What: "runs in " + root, Pages: "the reports", Address: *address,
			Handler: newServer(root).handler()}
		return server.Run(c.Context(), stdout, stderr)
	})
	return c
}
