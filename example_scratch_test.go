// This file shows scratch: fields of a state that are no part of it.

package ross_test

import (
	"fmt"

	"github.com/ross-go/ross"
)

// lookup is a state with a cache, which may hold anything: it is computed again when it lacks
// something.
type lookup struct {
	Asked int
	cache map[int]int `ross:"-"`
}

// A field with the tag `ross:"-"` is scratch: it is neither undone nor compared, digested or
// stored. So events must do the same whatever it holds.
func ExampleType_scratch() {
	err := simulateOn(6, 1, 1, 10, ross.Type[lookup, int]{
		Name: "lookup",
		Init: func(s *lookup, lp *ross.LP) { ross.Send(lp, 0, 1, 7) },
		Event: func(s *lookup, lp *ross.LP, _ *ross.Bits, n *int) {
			square, ok := s.cache[*n]
			if !ok {
				if s.cache == nil {
					s.cache = map[int]int{}
				}
				square = *n * *n
				s.cache[*n] = square
			}
			s.Asked++
			ross.Send(lp, 0, 1, square%10)
		},
		Final: func(s *lookup, lp *ross.LP) { fmt.Println(s.Asked, "events") },
	})
	fmt.Println(err)
	// Output:
	// 9 events
	// <nil>
}
