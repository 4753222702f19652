package median_test

import (
	"fmt"

	"github.com/ross-go/ross/bench/internal/median"
)

func ExampleOf() {
	all := []float64{7, 1, 2, 4}
	fmt.Println(median.Of(all), median.Of(all[:3]), median.Of(nil), all)
	// Output:
	// 3 2 0 [7 1 2 4]
}
