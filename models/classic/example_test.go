package classic_test

import (
	"fmt"

	"github.com/ross-go/ross/models/classic"
)

func ExampleAppendFloat() {
	fmt.Printf("%s\n", classic.AppendFloat(nil, 0.1))
	// Output: 0.10000000000000001
}
