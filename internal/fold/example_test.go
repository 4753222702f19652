// This file owns the runnable example.

package fold_test

import (
	"fmt"

	"github.com/ross-go/ross/internal/fold"
)

func Example() {
	name := func(id uint64) (string, bool) { return fmt.Sprint(id), true }
	merge := func(a, b string) string { return "(" + a + " " + b + ")" }
	one := fold.Local(6, []uint64{0, 1, 2}, name, merge)
	other := fold.Local(6, []uint64{3, 4, 5}, name, merge)
	fmt.Println(one, other)
	fmt.Println(fold.All(6, append(one, other...), merge))
	// Output:
	// [{0 (0 1)} {2 2}] [{3 3} {4 (4 5)}]
	// (((0 1) (2 3)) (4 5)) true
}
