// How the engine uses an encoder: a scratch copy, a delta, a rollback.

package delta_test

import (
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/internal/delta"
)

// An event changes two words of a state; a rollback takes the change back.
func Example() {
	type queue struct {
		Length, Served, Lost int64
		Wait                 [13]float64
	}
	state := queue{Length: 3, Served: 7}
	const size = unsafe.Sizeof(state)
	encoder := delta.New(17)

	before := state // the scratch buffer
	state.Length--
	state.Served++

	buffer := make([]byte, delta.MaxLen(int(size)))
	length := encoder.Encode(buffer, unsafe.Pointer(&before), unsafe.Pointer(&state), size)
	saved := buffer[:length]
	fmt.Printf("%d bytes of state, %d of delta, %s\n", size, len(saved), delta.Form(saved))

	encoder.Apply(saved, unsafe.Pointer(&state), size)
	fmt.Println(state.Length, state.Served)
	// Output:
	// 128 bytes of state, 24 of delta, zero-run
	// 3 7
}
