// This file shows how a trace is drawn.

package chrome_test

import (
	"os"
	"path/filepath"

	"github.com/ross-go/ross/cmd/rossreader/internal/chrome"
	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

func ExampleRun() {
	defer os.Remove("run.json.gz")
	cli.Run(chrome.Command(), []string{filepath.Join("..", "..", "..", "..", "instr", "testdata", "opt2-evtrace.bin"), "-o", "run.json.gz"}, os.Stdout, os.Stdout)
	// Output:
	// run.json.gz: 3225 events, and 2931 arrows
	// 286 arrows are left out, since the event that was sent has an earlier real time: traces of committed events (--event-trace=3) have that of the commitment
}
