// This file shows how a trace is drawn.

package chrome_test

import (
	"os"
	"path/filepath"

	"github.com/ross-go/ross/cmd/rossreader/internal/chrome"
)

func ExampleRun() {
	defer os.Remove("run.json.gz")
	chrome.Run([]string{filepath.Join("..", "..", "..", "..", "instr", "testdata", "opt2-evtrace.bin"), "-o", "run.json.gz"}, os.Stdout, os.Stdout)
	// Output: run.json.gz: 3225 events
}
