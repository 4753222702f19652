// This file shows how the parts of a large state are saved that an event changes.

package ross_test

import (
	"fmt"

	"github.com/ross-go/ross"
)

// Write returns a part of the state to change, and saves it first. Undoing an event of this
// switch costs what a port costs, however many ports there are.
func ExampleWrite() {
	type port struct {
		Credits int
		Sent    [4]int
	}
	type node struct{ Ports [64]port }
	type packet struct{ Port, Class int }
	total := 0
	err := simulateOn(3, 2, 4, 20, ross.Type[node, packet]{
		Name: "node", Saving: ross.SaveByLog,
		Init: func(_ *node, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, packet{}) },
		Event: func(s *node, lp *ross.LP, _ *ross.Bits, m *packet) {
			out := ross.Write(lp, &s.Ports[m.Port])
			out.Credits--
			out.Sent[m.Class]++
			ross.Send(lp, (lp.ID()+1)%4, 0.5, packet{Port: (m.Port + 7) % 64, Class: (m.Class + 1) % 4})
		},
		Final: func(s *node, _ *ross.LP) {
			for i := range s.Ports {
				total -= s.Ports[i].Credits
			}
		},
	})
	fmt.Println(err, total)
	// Output: <nil> 152
}
