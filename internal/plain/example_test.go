package plain_test

import (
	"fmt"
	"reflect"

	"github.com/ross-go/ross/internal/plain"
)

func Example() {
	type packet struct {
		Hops  uint8
		Bytes uint32
	}
	fmt.Println(plain.SpansOf(reflect.TypeFor[packet]())) // three bytes between them are padding
	type named struct{ Name string }
	fmt.Println(plain.FindPointer(reflect.TypeFor[named](), "named"))
	// Output:
	// [{0 1} {4 4}]
	// named.Name string
}
