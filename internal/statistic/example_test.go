package statistic_test

import (
	"fmt"

	"github.com/ross-go/ross/internal/statistic"
)

func Example() {
	// What PEs have counted is added up in any order, and rounded once.
	var a, b statistic.Sum
	a.Add(1e100)
	a.Add(1)
	b.Add(-1e100)
	b.Merge(&a)
	fmt.Println(b.Value())

	var bins statistic.Bins
	for i := range 1000 {
		bins.Add(float64(i), 1)
	}
	fmt.Println(statistic.QuantileOf(bins.All(), 1000, 0.5, 0, 999)) // 499, within 1/128
	// Output:
	// 1
	// 498
}
