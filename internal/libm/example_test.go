package libm_test

import (
	"fmt"

	"github.com/ross-go/ross/internal/libm"
)

// All digits are those that a C program prints, on any machine.
func Example() {
	fmt.Printf("%.17g %.17g\n", libm.Log(0.3), libm.Exp(0.3))
	fmt.Printf("%.17g %.17g\n", libm.Pow(0.3, 0.7), libm.Gamma(1.3))
	fmt.Printf("%.17g %.17g\n", libm.Sin(0.3), libm.Cos(0.3))
	// Output:
	// -1.2039728043259361 1.3498588075760032
	// 0.43051162024993422 0.89747069630627718
	// 0.29552020666133955 0.95533648912560598
}
