// This file shows the help of the subcommand.

package serve_test

import (
	"os"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/serve"
)

func ExampleCommand() {
	cli.Run(serve.Command(), []string{"--help"}, os.Stdout, os.Stderr)
	// Output:
	// Serves the runs in a folder and below it: a list, the newest first, the report of each as a page,
	// and comparisons of two. Pages load themselves again when files change, also of a run that has not
	// ended. Ctrl-C ends the server.
	//
	// usage: rossreader serve [options] FOLDER
	//
	// Options:
	//   -h, --help                  help for serve
	//       --http PORT|HOST:PORT   PORT|HOST:PORT to serve at; without a host only this machine
	//                               can read it; port 0 is any free one (default "8080")
}
