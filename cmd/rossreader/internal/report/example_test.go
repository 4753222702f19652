// This file shows how a report is made.

package report_test

import (
	"os"
	"path/filepath"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/report"
)

func ExampleRun() {
	defer os.Remove("report.html")
	cli.Run(report.Command(), []string{filepath.Join("..", "..", "..", "..", "instr", "testdata", "opt2-evtrace.bin"), "-o", "report.html"}, os.Stdout, os.Stdout)
	// Output:
	// report.html: findings: 0
	//   No samples of PEs tell how time was spent. Run: PROGRAM ... --engine-stats=1 --kp-data=1 --lp-data=1
}
