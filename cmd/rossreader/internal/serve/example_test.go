// This file shows the help of the subcommand.

package serve_test

import (
	"os"

	"github.com/ross-go/ross/cmd/rossreader/internal/serve"
)

func ExampleRun() {
	serve.Run([]string{"--help"}, os.Stdout, os.Stderr)
	// Output:
	// usage: rossreader serve [options] FOLDER
	//
	// Serves the runs in a folder and below it: a list, the newest first, the report of each as a page,
	// and comparisons of two. Pages load themselves again when files change, also of a run that has not
	// ended. Ctrl-C ends the server.
	//
	// Options:
	//   --http=PORT|HOST:PORT
	//       PORT|HOST:PORT to serve at; without a host only this machine can read it; port 0 is any free
	//       one (default 8080)
}
