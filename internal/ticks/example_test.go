// This file shows the life of a clock.

package ticks_test

import (
	"fmt"
	"time"

	"github.com/ross-go/ross/internal/ticks"
)

func Example() {
	start := time.Now()
	clock := ticks.NewClock(start)
	first := clock.Seconds(ticks.Now())
	clock.Tune()
	second := clock.Seconds(ticks.Now())
	fmt.Println(0 <= first && first <= second && second <= time.Since(start).Seconds()+1e-3)
	// Output: true
}
