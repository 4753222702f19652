package kernel_test

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ross-go/ross/internal/kernel"
)

// Events are handled in the order of their signatures: by time, then by priority, then by tie-breakers, of which
// an event without delay has those of its cause before its own. So it comes after its cause.
func ExampleSignature_Compare() {
	all := []kernel.Signature{
		{Time: 2, Priority: 0, Ties: []float64{0.1}},
		{Time: 1, Priority: 1, Ties: []float64{0.1}},
		{Time: 1, Priority: 0.5, Ties: []float64{0.7, 0.2}}, // sent without delay by the next one
		{Time: 1, Priority: 0.5, Ties: []float64{0.7}},
		{Time: 1, Priority: 0.5, Ties: []float64{0.8}},
	}
	slices.SortFunc(all, kernel.Signature.Compare)
	for _, s := range all {
		fmt.Println(s.Time, s.Priority, s.Ties)
	}
	// Output:
	// 1 0.5 [0.7]
	// 1 0.5 [0.7 0.2]
	// 1 0.5 [0.8]
	// 1 1 [0.1]
	// 2 0 [0.1]
}

// mistake is an error of a model at a virtual time.
type mistake float64

func (m mistake) Error() string { return fmt.Sprintf("mistake at time %g", float64(m)) }

// Several PEs can end with a mistake. The run ends with the one that a sequential run would have come to.
func ExampleRun_First() {
	run := &kernel.Run{TimeOf: func(err error) (at float64, ok bool) {
		m, ok := errors.AsType[mistake](err)
		return float64(m), ok
	}}
	ofPEs := []error{mistake(7), nil, mistake(3), errors.New("the disk is full")}
	others, first := run.First(slices.Values(ofPEs))
	fmt.Println(first)
	fmt.Println(others)
	// Output:
	// mistake at time 3
	// [the disk is full]
}
