package run_test

import (
	"fmt"

	"github.com/ross-go/ross/internal/run"
)

// A conservative PE may handle what is before the least time of the others, plus the lookahead. Times are rounded:
// at - ahead + ahead can be later than at. From TimeBehind it is not.
func ExampleTimeBehind() {
	at, ahead := 0.9, 0.3
	fmt.Println(at-ahead, at-ahead+ahead > at)
	behind := run.TimeBehind(at, ahead)
	fmt.Println(behind, behind+ahead > at)
	// Output:
	// 0.6000000000000001 true
	// 0.6 false
}
