package central_test

import (
	"fmt"
	"io"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/processes/central"
	"github.com/ross-go/ross/stats"
)

// Sixty terminals are more than the CPU can serve: it finishes four jobs in a second at most.
func ExampleProgram() {
	p := central.Program()
	p.Finish = func(sim *ross.Simulation) error {
		table, err := stats.Collect(sim)
		if err != nil {
			return err
		}
		done, _ := table.Row("terminal", "jobs done")
		response, _ := table.Row("terminal", "response time")
		fmt.Printf("%d jobs in an hour, %.1f seconds each\n", done.Count, response.Mean)
		return nil
	}
	p.Main([]string{"--terminals=60"}, io.Discard, os.Stderr)
	// Output: 14222 jobs in an hour, 10.2 seconds each
}
