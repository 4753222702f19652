package counters_test

import (
	"fmt"

	"github.com/ross-go/ross/internal/num/counters"
)

func ExampleOf() {
	type work struct {
		Events  uint64  `merge:"sum"`
		Longest float64 `merge:"max"` // seconds
	}
	all := work{Events: 3, Longest: 0.5}
	counters.Of[work]().Merge(&all, &work{Events: 4, Longest: 0.25})
	fmt.Println(all)
	// Output: {7 0.5}
}
