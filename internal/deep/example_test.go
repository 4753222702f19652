// The package's example: a Reverse handler that forgets something.
package deep_test

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/deep"
)

type Job struct{ Weight float64 }

type State struct {
	Served int
	Queue  []*Job
}

func (s *State) Event() {
	s.Served++
	s.Queue[1].Weight++
}

func (s *State) Reverse() { s.Served-- }

func Example() {
	state := &State{Queue: []*Job{{Weight: 1}, {Weight: 2.5}}}

	copier := deep.NewCopier(reflect.TypeFor[State]())
	before := copier.Copy(unsafe.Pointer(state))
	state.Event()
	state.Reverse()
	for _, difference := range copier.Diff(before, unsafe.Pointer(state)) {
		fmt.Println(difference)
	}

	copier.Restore(before, unsafe.Pointer(state))
	fmt.Println(state.Queue[1].Weight)
	// Output:
	// State.Queue[1].Weight: 2.5 before, 3.5 after
	// 2.5
}
