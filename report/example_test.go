package report_test

import (
	"fmt"
	"os"

	"github.com/ross-go/ross/report"
)

// A table of results has a row for each run that ends in the same folder.
func ExampleAppendCSV() {
	dir, err := os.MkdirTemp("", "results")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for _, events := range []uint64{1000, 2000} {
		stats := report.Summary{Counters: report.Counters{EventsProcessed: events}, Runtime: 0.5}
		fmt.Println(stats.EventRate(), "events/s", report.AppendCSV(dir, &stats))
	}
	// Output:
	// 2000 events/s <nil>
	// 4000 events/s <nil>
}
