package figures_test

import (
	"fmt"

	"github.com/ross-go/ross/report/figures"
)

// Two PEs have handled 300 events, and undone 60 of them.
func ExampleCounters() {
	all := figures.Counters{EventsProcessed: 200, EventsRolledBack: 60}
	all.Add(&figures.Counters{EventsProcessed: 100})
	fmt.Printf("%d events stayed, efficiency %.0f %%\n", all.NetEvents(), all.Efficiency())
	// Output: 240 events stayed, efficiency 75 %
}
